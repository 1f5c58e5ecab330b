// SPDX-License-Identifier: GPL-3.0-or-later
// Composition of A and B in one view: what is painted where, and what the mouse and the keys do.
#pragma once

#include "ui/background/comparison.h"

#include <QImage>
#include <QObject>
#include <QPalette>
#include <QRectF>
#include <QTransform>

#include <optional>
#include <vector>

class QKeyEvent;
class QPainter;
class QSettings;
class QWidget;

namespace ui
{

// Input for painting. Positions are in device-independent pixels of the view.
struct Canvas {
    // A coloured image that is resampled to the pixels of the screen, in pieces.
    struct Layer {
        struct Piece {
            QImage image;
            QPointF origin; // position of its top left corner
        };
        std::vector<Piece> pieces;

        bool isThere() const { return !pieces.empty(); }
        void paint(QPainter& painter) const;
        void paint(QPainter& painter, const QRectF& part) const; // part: its edges lie between device pixels
    };

    Layer a, b;
    QRectF room;
    QTransform toScreen; // maps pixels of the slice to the view
    QPalette palette;
    double ratio = 1; // device pixels per device-independent pixel

    double toDevicePixel(double position) const; // nearest edge between device pixels
};

// A way to combine A and B. It lives on while another view is chosen, so that its divider or lens stays where it was.
class Composition : public QObject
{
    Q_OBJECT
  public:
    enum class Shown { a, b, both };

    using QObject::QObject;

    void setPlanes(const GridSlice& a, const GridSlice& b);
    virtual void setActive(bool /*active*/) {} // a view shows it, or stops showing it
    virtual void moveAside() {}                // leaves the middle of the view to something else
    virtual QString title() const;             // above the image
    // Replace the colour map: each layer has shades from black to its colour.
    virtual std::optional<QColor> tintOfA() const { return std::nullopt; }
    virtual std::optional<QColor> tintOfB() const { return std::nullopt; }
    virtual Shown shownAt(const QPointF& /*position*/, const Canvas& /*stage*/) const { return Shown::both; }

    virtual void paint(QPainter& painter, const Canvas& stage) = 0;          // the images
    virtual void decorate(QPainter& /*painter*/, const Canvas& /*stage*/) {} // over everything

    // Return whether they handled the event. If not, the view acts as usual.
    virtual bool press(const QPointF& /*position*/, const Canvas& /*stage*/) { return false; }
    virtual void drag(const QPointF& /*position*/, const Canvas& /*stage*/) {}
    virtual void release() {}
    virtual bool wheel(const QPointF& /*position*/, double /*doublings*/, const Canvas& /*stage*/) { return false; }
    virtual bool keyPress(const QKeyEvent& /*event*/, const Canvas& /*stage*/) { return false; }
    virtual bool keyRelease(const QKeyEvent& /*event*/) { return false; }
    virtual std::optional<Qt::CursorShape> cursorAt(const QPointF& /*position*/, const Canvas& /*stage*/) const
    {
        return std::nullopt;
    }

    virtual QWidget* makeControls(QWidget* /*parent*/) { return nullptr; } // beside the title
    virtual QString keys() const { return {}; }                            // what the keys do, in words
    virtual QString said() const { return {}; }                            // figures, in words
    virtual void saveState(QSettings& /*settings*/) const {}
    virtual void restoreState(const QSettings& /*settings*/) {}

  signals:
    void changed(); // the view must be painted again
    void titleChanged();

  protected:
    virtual void planesChanged() {}
    const GridSlice& planeA() const { return m_a; }
    const GridSlice& planeB() const { return m_b; }

  private:
    GridSlice m_a, m_b; // without a volume: missing, or not computed yet
};

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// How A and B are put together in one view: what is painted where, and what the mouse and the keys do about it.
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

// What there is to paint with. Positions are device-independent pixels of the view.
struct Stage {
    // An image as coloured, one pixel a pixel of the screen, in pieces.
    struct Layer {
        struct Piece {
            QImage image;
            QPointF origin; // of its top left corner
        };
        std::vector<Piece> pieces;

        bool isThere() const { return !pieces.empty(); }
        void paint(QPainter& painter) const;
        void paint(QPainter& painter, const QRectF& part) const; // whole device pixels of it
    };

    Layer a, b;
    QRectF room;
    QTransform toScreen; // from pixels of the slice
    QPalette palette;
    double ratio = 1; // device pixels a device-independent one

    double toDevicePixel(double position) const; // the nearest edge between device pixels
};

// Kept while its view isn't chosen, so that a divider or a lens is found where it was left.
class Composition : public QObject
{
    Q_OBJECT
  public:
    enum class Shown { a, b, both };

    using QObject::QObject;

    void setPlanes(const Plane& a, const Plane& b);
    virtual void setActive(bool /*active*/) {} // its view is on screen
    virtual QString title() const;             // above the image
    // Instead of the colour map: each layer from black to its colour.
    virtual std::optional<QColor> tintOfA() const { return std::nullopt; }
    virtual std::optional<QColor> tintOfB() const { return std::nullopt; }
    virtual Shown shownAt(const QPointF& /*position*/, const Stage& /*stage*/) const { return Shown::both; }

    virtual void paint(QPainter& painter, const Stage& stage) = 0;          // the images
    virtual void decorate(QPainter& /*painter*/, const Stage& /*stage*/) {} // over everything

    // Whether it takes what happens there: the view does with the rest what it always does.
    virtual bool press(const QPointF& /*position*/, const Stage& /*stage*/) { return false; }
    virtual void drag(const QPointF& /*position*/, const Stage& /*stage*/) {}
    virtual void release() {}
    virtual bool wheel(const QPointF& /*position*/, double /*doublings*/, const Stage& /*stage*/) { return false; }
    virtual bool keyPress(const QKeyEvent& /*event*/, const Stage& /*stage*/) { return false; }
    virtual bool keyRelease(const QKeyEvent& /*event*/) { return false; }
    virtual std::optional<Qt::CursorShape> cursorAt(const QPointF& /*position*/, const Stage& /*stage*/) const
    {
        return std::nullopt;
    }

    virtual QWidget* makeControls(QWidget* /*parent*/) { return nullptr; } // beside the title
    virtual QString keys() const { return {}; }                            // what they do, in words
    virtual QString said() const { return {}; }                            // its figures, in words
    virtual void saveState(QSettings& /*settings*/) const {}
    virtual void restoreState(const QSettings& /*settings*/) {}

  signals:
    void changed(); // is to be painted again
    void titleChanged();

  protected:
    virtual void planesChanged() {}
    const Plane& planeA() const { return m_a; }
    const Plane& planeB() const { return m_b; }

  private:
    Plane m_a, m_b; // without a volume: not there, or not yet
};

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Linked images: A, B and their difference, beside each other or composed, with a grey window, a colour map,
// lines and areas.
#pragma once

#include "ui/background/comparison.h"
#include "ui/image/difference_kind.h"
#include "ui/image/figure.h"
#include "ui/image/inset.h"
#include "ui/image/overlay.h"
#include "ui/image/shapes.h"
#include "ui/views/views.h"

#include <QJsonObject>
#include <QWidget>

#include <memory>
#include <optional>

class QBoxLayout;
class QGridLayout;
class QSettings;

namespace ui
{

class ImageColours;
class ImageContents;
class ImageGrid;
class LinkedViews;

class ImagePanel : public QWidget
{
    Q_OBJECT
  public:
    explicit ImagePanel(QWidget* parent = nullptr);
    ~ImagePanel() override;

    QSize minimumSizeHint() const override; // with the bar in a line of its own
    using QWidget::show;
    // Shows A, B and A − B. Zoom, pan, grey windows and marks stay as they are. For another scan, the grey windows
    // are computed again; for another slice size, the slice is fitted again and the marks are replaced by the default
    // ones, unless marks were set for it. A grey window of a coarse preview is computed again from the first full
    // image, unless the user has chosen one.
    void show(const Comparison& comparison);
    void clear(const QString& message = {}); // message: shown instead of the image
    // The next three functions set the messages of missing images, until the next show().
    void showExpected(const QString& timeLeft); // time left for B: "12 s left"
    // Reports that the missing images won't come. If the image itself is missing (isOutdated), the previous one
    // stays, dimmed and marked as outdated. If only its reference is missing, the previous reference and the
    // difference from it are removed.
    void showStopped(const QString& why, bool isOutdated);
    void showComputing(); // the missing images are requested again

    const engine::Marks& marks() const; // lines and areas, in pixels of the whole slice
    // Emits no signal. Marks that are set before the first image of a scan are used for it if they lie on its slice.
    void setMarks(const engine::Marks& marks);
    void showCursor(const std::optional<QPointF>& position); // of the profile; hidden while the pointer is on an image
    void editMarks(const engine::Marks& marks);              // as if the user had drawn them here
    Tool tool() const;

    // Sets the widget that Content::recorded shows beside A, and takes ownership. The lines that this widget requests
    // over the images are passed to setGuides().
    void setBeside(QWidget* recorded);
    void setGuides(const std::vector<Guide>& guides);
    void setBesideStrip(QWidget* bar); // in the line of the grey window; takes ownership

    using Content = ui::Content;
    const View& view() const; // the view that is shown
    bool windowShared() const;
    bool marksVisible() const;
    QString colourMap() const; // name in colourMaps()
    DifferenceKind differenceKind() const;
    QWidget* insetView() const { return m_inset; }
    InsetKind inset() const { return m_insetKind; } // shown with the view of A alone
    int titleHeight() const;

    // View, grey windows, colour map and difference as JSON of the session. setLooks() sets the grey windows of the
    // scan that is shown next; missing entries get their defaults.
    QJsonObject looks() const;
    void setLooks(const QJsonObject& looks);

    QImage rendered(Content content) const; // in the colours on screen, one image pixel per pixel
    // The images of a view, in rows and columns, or A, B and A − B if it composes them; the part that is on screen.
    // Without images that aren't computed yet.
    Figure figure() const { return figure(view()); }
    Figure figure(const View& of) const;
    void saveState(QSettings& settings) const;
    void restoreState(const QSettings& settings);

  public slots:
    void fit();
    void zoomIn();
    void zoomOut();
    void actualPixels();    // one image pixel = one screen pixel
    void autoWindow();      // grey windows of A and B from their 0.5 and 99.5 percentiles
    void windowOfVisible(); // the same from the part that is on screen
    void setColourMap(const QString& name);
    void setDifferenceKind(ui::DifferenceKind kind);
    void setWindowShared(bool shared); // A and B share one grey window, or have their own
    void setMarksVisible(bool visible);
    void setInset(ui::InsetKind kind);
    void setTool(ui::Tool tool);        // what the next drag draws
    void setView(const ui::View& view); // zoom and pan stay, but a fitted slice is fitted again
    QStringList colourMaps() const;

  signals:
    // The user has drawn, dragged, chosen or removed a mark. continues: the same drag goes on.
    void marksEdited(const engine::Marks& before, bool continues);
    void marksChanged(); // by the user, or by another scan
    void toolChanged(ui::Tool tool);
    void axisMoved(double pixels); // screen pixels of a drag with Tool::axis
    void axisReleased();
    void viewChanged(const ui::View& view);
    void windowSharedChanged(bool shared); // by the strip, the menu or the session
    void marksVisibleChanged(bool visible);
    void colourMapChanged(const QString& name);
    void differenceKindChanged(ui::DifferenceKind kind);
    void insetChanged(ui::InsetKind kind);
    void menuRequested(const QPoint& globalPosition);       // by a click with the right button on an image
    void pointerAt(const std::optional<QPointF>& position); // position on the slice
    void pointerMoved(const QString& text); // "x 120 · y 88 · half 0.02130 · exact 0.02120 · half − exact 1.0e−4 1/mm"

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void makeLayout();
    void connectParts();
    void beginScan(const Comparison& comparison);
    void showParts(); // columns and controls of the view
    void placeGrid();
    void rearrangeGrid();
    void showPointer();
    void showInset();

    const View* m_view = &views().front();
    std::unique_ptr<LinkedViews> m_views;
    std::unique_ptr<ImageContents> m_contents;
    ImageGrid* m_grid;
    std::unique_ptr<ImageColours> m_colours;
    QGridLayout* m_images; // one column per Content
    QBoxLayout* m_bottom;  // grey window, and the bar beside it
    Inset* m_inset;
    InsetKind m_insetKind = InsetKind::difference;
    QWidget* m_beside = nullptr; // shown by Content::recorded
};

} // namespace ui

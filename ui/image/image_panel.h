// SPDX-License-Identifier: GPL-3.0-or-later
// Linked images: A, B and their difference, beside each other or composed, with a grey window, a colour map,
// lines and areas.
#pragma once

#include "ui/background/comparison.h"
#include "ui/image/difference_kind.h"
#include "ui/image/overlay.h"
#include "ui/image/shapes.h"
#include "ui/views/views.h"

#include <QJsonObject>
#include <QWidget>

#include <memory>
#include <optional>

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

    using QWidget::show;
    // Shows A, B and A − B. Zoom, pan, grey windows and the line stay as they are, unless the slice
    // size changed (another scan): then everything is fitted again. A grey window that was taken from a coarse preview
    // is taken again from the first full image, unless the user has chosen one.
    void show(const Comparison& comparison);
    void clear(const QString& message = {}); // nothing open, or why nothing can be shown
    // What the images that aren't there say, until the next show().
    void showExpected(const QString& timeLeft); // "12 s left", of B
    // They won't come by themselves. Nothing that was there before stays as if it were what was asked for: an image
    // that didn't come at all leaves the one before, dimmed and called outdated; one whose reference didn't come leaves
    // neither the reference before nor the difference from it.
    void showStopped(const QString& why, bool isOutdated);
    void showComputing(); // they are asked for again

    const engine::Marks& marks() const; // lines and areas, in pixels of the whole slice
    // No signal. Those that are set before the first image of a scan are kept for it where they lie on its slice.
    void setMarks(const engine::Marks& marks);
    void showCursor(const std::optional<QPointF>& position); // of the profile; while the pointer isn't on an image
    void editMarks(const engine::Marks& marks);              // as if the user had drawn them here
    Tool tool() const;

    // What Content::recorded shows beside A; taken over. Lines that it asks for lie over the images.
    void setBeside(QWidget* recorded);
    void setGuides(const std::vector<Guide>& guides);

    using Content = ui::Content;
    const View& view() const; // which images are there
    bool windowShared() const;
    bool marksVisible() const;
    QString colourMap() const; // one of colourMaps()
    DifferenceKind differenceKind() const;
    int titleHeight() const;
    int heightFor(int width) const; // at which square images fill that width

    // View, grey windows, colour map, difference, as JSON of the session. The grey windows are for the scan that is
    // shown next; what isn't there is as by default.
    QJsonObject looks() const;
    void setLooks(const QJsonObject& looks);

    QImage rendered(Content content) const; // as coloured on screen, one pixel a pixel
    void saveState(QSettings& settings) const;
    void restoreState(const QSettings& settings);

  public slots:
    void fit();
    void zoomIn();
    void zoomOut();
    void actualPixels();    // one image pixel = one screen pixel
    void autoWindow();      // grey window from the 0.5 and 99.5 percentiles of A
    void windowOfVisible(); // the same of the part of A that is on screen
    void setColourMap(const QString& name);
    void setDifferenceKind(ui::DifferenceKind kind);
    void setWindowShared(bool shared); // A and B share one grey window, or have their own
    void setMarksVisible(bool visible);
    void setTool(ui::Tool tool);        // what the next drag draws
    void setView(const ui::View& view); // of the table; zoom and pan stay, a fitted slice is fitted again
    QStringList colourMaps() const;

  signals:
    // The user has drawn, dragged, chosen or removed one. continues: the drag before goes on.
    void marksEdited(const engine::Marks& before, bool continues);
    void marksChanged(); // that, or another slice has others
    void toolChanged(ui::Tool tool);
    void axisMoved(double pixels); // of the screen, by a drag with Tool::axis
    void axisReleased();
    void viewChanged(const ui::View& view);
    void windowSharedChanged(bool shared); // by the strip, the menu or the session
    void marksVisibleChanged(bool visible);
    void colourMapChanged(const QString& name);
    void differenceKindChanged(ui::DifferenceKind kind);
    void pointerAt(const std::optional<QPointF>& position); // on the slice
    void pointerMoved(const QString& text); // "x 120 · y 88 · half 0.0213 · exact 0.0212 · half − exact 1.0e−4 1/mm"

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void makeLayout();
    void connectParts();
    void beginScan(const Comparison& comparison);
    void showParts(); // of the view
    void placeGrid();
    void rearrangeGrid();
    void showPointer();

    const View* m_view = &views().front();
    std::unique_ptr<LinkedViews> m_views;
    std::unique_ptr<ImageContents> m_contents;
    ImageGrid* m_grid;
    std::unique_ptr<ImageColours> m_colours;
    QGridLayout* m_images;       // a column for each Content
    QWidget* m_beside = nullptr; // of Content::recorded
};

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of the images: grey windows, colour map and the range of the difference, and the strip that shows them.
#pragma once

#include "ui/image/grey_windows.h"
#include "ui/image/image_contents.h"
#include "ui/image/window_strip.h"

#include <QObject>

namespace ui
{

class ImageGrid;

class ImageColours : public QObject
{
    Q_OBJECT
  public:
    // Controls the colours of `contents` and `grid`. The strip is a child of `panel`, whose palette determines
    // whether the dark or the light colours of differences are used.
    ImageColours(ImageContents& contents, ImageGrid& grid, QWidget* panel);

    WindowStrip& strip() { return *m_strip; }
    const WindowStrip& strip() const { return *m_strip; }
    const GreyWindows& windows() const { return m_windows; }
    void giveWindows(const QJsonObject& json) { m_windows.give(json); } // for the scan that is shown next

    void beginScan(const Comparison& comparison);
    // Follows the contents after they show another comparison. areNew: the values of the image changed;
    // isAnotherScan: they belong to another scan.
    void follow(bool areNew, bool isAnotherScan);
    void clear(); // no scan is open
    void show();
    void setAutomatic();
    void setAutomatic(const QRectF& part); // from that part of the slice
    // A drag of the mouse over an image, as shares of its size: to the right widens the grey window, upwards moves it
    // to lower values, which brightens the image. Over a difference alone, it changes that range.
    void dragWindow(const QPointF& share, bool ofDifference);
    void setShared(bool shared);
    int colourMap() const { return m_colourMap; } // index in colourMaps()
    void setColourMap(int index);
    void setDifferenceKind(DifferenceKind kind);
    void showAvailable();

  signals:
    void shown(); // the colours of an image may have changed
    void sharedChanged(bool shared);
    void colourMapChanged();
    void differenceKindChanged(ui::DifferenceKind kind);

  private:
    void connectStrip();
    void editWindow(const GreyWindow& window);
    void showHistogram(bool choosesDomain);
    const Pixels& pixels(Content content) const { return m_contents.column(content).pixels(); }
    GreyWindows::Image target() const;

    ImageContents& m_contents;
    ImageGrid& m_grid;
    QWidget* m_panel;
    WindowStrip* m_strip;
    GreyWindows m_windows;
    WindowStrip::Target m_target = WindowStrip::Target::a;
    GreyWindow m_domain; // values at the ends of the histogram; stay while most values lie inside
    int m_colourMap = 0;
};

} // namespace ui

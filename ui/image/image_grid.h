// SPDX-License-Identifier: GPL-3.0-or-later
// Grid of images for Content::every: all visible settings and the reference of the chosen one, each with its RMSE.
#pragma once

#include "ui/background/comparison.h"
#include "ui/image/image_column.h"

#include <QWidget>

#include <vector>

class QGridLayout;

namespace ui
{

class LinkedViews;

class ImageGrid : public QWidget
{
    Q_OBJECT
  public:
    ImageGrid(LinkedViews& views, QWidget* parent); // views: the views of the grid are linked with these

    // room: size available for all cells
    void place(const Comparison& comparison, const QSize& room);
    void rearrange(const QSize& room);              // if another number of columns fits better now
    void beginScan(int size);                       // size: of the whole slice, in pixels
    void stop(const QString& why, bool isOutdated); // see ImagePanel::showStopped()
    void resume();
    int across() const { return m_across; }        // number of columns
    std::vector<const ImageColumn*> shown() const; // the cells on screen, row by row
    void setColouring(const Colouring& colouring); // the same for all images, so that they can be compared

  private:
    void arrange(std::size_t count, const QSize& room);
    void showMissing(ImageColumn& cell) const;
    void showCell(ImageColumn& cell, const GridSlice& plane, const QString& note) const;

    LinkedViews& m_views;
    QGridLayout* m_layout;
    std::vector<ImageColumn> m_cells; // one per compared setting and one for the reference; spare ones are hidden
    int m_across = 0;                 // number of columns
    int m_size = 0;                   // of the whole slice
    QString m_stopped;                // why missing images are not being computed; empty: they are
};

} // namespace ui

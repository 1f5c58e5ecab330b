// SPDX-License-Identifier: GPL-3.0-or-later
// The images of Content::every beside each other: every visible setting, and what the chosen one is measured against,
// with how far each is off.
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
    ImageGrid(LinkedViews& views, QWidget* parent); // views: those that the grid's are linked with

    // room: of all the cells.
    void place(const Comparison& comparison, const QSize& room);
    void rearrange(const QSize& room); // where another number of columns suits the room better by now
    void beginScan(int size);          // of the whole slice
    void markOutdated();
    void setColouring(const Colouring& colouring); // one for all: they are to be compared with each other

  private:
    void arrange(std::size_t count, const QSize& room);
    void showCell(ImageColumn& cell, const Plane& plane, const QString& note) const;

    LinkedViews& m_views;
    QGridLayout* m_layout;
    std::vector<ImageColumn> m_cells; // as many as there are compared, and the reference
    int m_across = 0;                 // columns
    int m_size = 0;                   // of the whole slice
};

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/image_grid.h"

#include "ui/image/linked_views.h"
#include "ui/image/value_text.h"

#include <QGridLayout>
#include <QHBoxLayout>

#include <algorithm>

namespace ui
{

namespace
{

constexpr double headerHeight = 24;

// Returns the number of columns that makes square images largest.
int gridColumns(int count, const QSize& room)
{
    int best = 1;
    double largest = 0;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const double side = std::min(double(room.width()) / columns, double(room.height()) / rows - headerHeight);
        if (side > largest) {
            best = columns;
            largest = side;
        }
    }
    return best;
}

} // namespace

ImageGrid::ImageGrid(LinkedViews& views, QWidget* parent)
    : QWidget(parent), m_views(views), m_layout(new QGridLayout(this))
{
    setObjectName(QStringLiteral("imageGrid"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(4);
}

void ImageGrid::place(const Comparison& comparison, const QSize& room)
{
    const std::vector<const Compared*> shown = comparison.shown();
    const bool hasReference = comparison.hasOwnReference();
    arrange(shown.size() + (hasReference ? 1 : 0), room);
    for (std::size_t k = 0; k < shown.size(); ++k) {
        const Compared& one = *shown[k];
        QString note = one.isPreview() ? tr("preview")
                       : one.metrics   ? tr("RMSE %1").arg(valueText(one.metrics->rmse, 3))
                                       : QString();
        if (isDoubtful(one.result))
            note = note.isEmpty() ? tr("doubtful") : tr("doubtful · %1").arg(note);
        showCell(m_cells[k], comparison.planeOf(one), note);
    }
    if (hasReference)
        showCell(m_cells[shown.size()], comparison.planeB(), {});
}

void ImageGrid::showCell(ImageColumn& cell, const GridSlice& plane, const QString& note) const
{
    Pixels pixels(plane);
    if (pixels.grid().size != m_size)
        pixels = {};
    cell.place(pixels, plane.title, tr("computing %1…").arg(plane.title));
    showMissing(cell);
    cell.header().setTitle(plane.title);
    cell.header().setNote(note);
}

// Shows the message of an image that is missing: over the previous image while it is being computed, else alone.
void ImageGrid::showMissing(ImageColumn& cell) const
{
    if (m_stopped.isEmpty() || cell.isCurrent())
        return cell.markStale();
    cell.rememberMessage();
    cell.setMessage(m_stopped);
    cell.drop();
}

// Creates cells as they are needed, and keeps them.
void ImageGrid::arrange(std::size_t count, const QSize& room)
{
    m_across = gridColumns(static_cast<int>(count), room);
    while (m_cells.size() < count) {
        const int number = static_cast<int>(m_cells.size()) + 1;
        const ImageColumn& made =
            m_cells.emplace_back(QStringLiteral("imageCell%1").arg(number), tr("Image %1").arg(number), this);
        made.view().setSliceSize(m_size);
        m_views.add(&made.view());
    }
    for (std::size_t k = 0; k < m_cells.size(); ++k) {
        ImageColumn& cell = m_cells[k];
        const int row = static_cast<int>(k) / m_across, place = static_cast<int>(k) % m_across;
        m_layout->removeItem(cell.headerRow());
        m_layout->removeWidget(&cell.view());
        m_layout->addLayout(cell.headerRow(), 2 * row, place);
        m_layout->addWidget(&cell.view(), 2 * row + 1, place);
        cell.header().setVisible(k < count);
        cell.view().setVisible(k < count);
    }
    const int down = (static_cast<int>(count) + m_across - 1) / m_across;
    for (int k = 0; k < m_layout->columnCount(); ++k)
        m_layout->setColumnStretch(k, k < m_across ? 1 : 0);
    for (int k = 0; k < m_layout->rowCount(); ++k)
        m_layout->setRowStretch(k, k % 2 == 1 && k / 2 < down ? 1 : 0);
}

void ImageGrid::rearrange(const QSize& room)
{
    const std::size_t count = shown().size();
    if (count > 0 && gridColumns(static_cast<int>(count), room) != m_across)
        arrange(count, room);
}

std::vector<const ImageColumn*> ImageGrid::shown() const
{
    std::vector<const ImageColumn*> cells;
    for (const ImageColumn& each : m_cells)
        if (!each.view().isHidden())
            cells.push_back(&each);
    return cells;
}

void ImageGrid::beginScan(int size)
{
    m_size = size;
    for (ImageColumn& cell : m_cells)
        cell.beginScan(size);
}

void ImageGrid::stop(const QString& why, bool isOutdated)
{
    if (!isOutdated)
        m_stopped = why;
    for (ImageColumn& cell : m_cells)
        if (isOutdated)
            cell.markOutdated();
        else
            showMissing(cell);
}

void ImageGrid::resume()
{
    m_stopped.clear();
    for (ImageColumn& cell : m_cells)
        if (const auto before = cell.takeRemembered()) {
            cell.setMessage(*before);
            cell.showMessage();
        }
}

void ImageGrid::setColouring(const Colouring& colouring)
{
    for (ImageColumn& cell : m_cells)
        cell.view().setColouring(colouring);
}

} // namespace ui

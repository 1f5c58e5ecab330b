// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/plane_colours.h"

#include "ui/image/colour_map.h"
#include "ui/image/image_statistics.h"
#include "ui/image/image_view.h"
#include "ui/planes/plane_cell.h"
#include "ui/widgets/curve_colours.h"

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr int samplesOfPlane = 1 << 15;

// Returns the values for the window of one plane: those inside the disc of a slice, as for the page Slice.
std::vector<float> valuesOf(const Pixels& pixels)
{
    const bool isSquare = pixels.width() == pixels.height();
    return isSquare ? sampleDisc(pixels) : sampleOf(pixels, pixels.area());
}

} // namespace

void PlaneColours::beginScan()
{
    m_hasWindow = false;
    m_range.beginScan();
    m_range.setAutomatic(true);
}

void PlaneColours::setColourMap(const QString& name)
{
    const auto& maps = colourMaps();
    for (std::size_t k = 0; k < maps.size(); ++k)
        if (maps[k].name == name)
            m_colourMap = static_cast<int>(k);
}

void PlaneColours::follow(const Cells& cells, bool isPreview)
{
    if (m_hasWindow && (!m_isPreviewWindow || isPreview))
        return;
    chooseWindow(cells);
    m_isPreviewWindow = isPreview;
}

void PlaneColours::followDifferences(const Cells& cells)
{
    // While some planes move, the range stays as it is.
    const bool areAllThere = std::ranges::all_of(
        cells, [](const PlaneCell* cell) { return cell->difference() || !cell->image() || cell->isItself(); });
    if (m_range.text({}).isEmpty() || (areAllThere && m_range.isWanted(false)))
        measureRange(cells);
}

void PlaneColours::setAutomatic(const Cells& cells)
{
    if (std::ranges::none_of(cells, [](const PlaneCell* cell) { return !!cell->difference(); }))
        return chooseWindow(cells);
    m_range.setAutomatic(true);
    measureRange(cells);
}

// The window has room for the windows of all planes: the object may be in only one of them.
void PlaneColours::chooseWindow(const Cells& cells)
{
    std::optional<GreyWindow> all;
    for (const PlaneCell* cell : cells)
        if (std::vector<float> values = valuesOf(cell->pixels()); !values.empty()) {
            const GreyWindow one = automaticWindow(std::move(values));
            all = all ? GreyWindow{std::min(all->low, one.low), std::max(all->high, one.high)} : one;
        }
    if (!all)
        return;
    m_window = *all;
    m_hasWindow = true;
    m_isPreviewWindow = false;
}

void PlaneColours::measureRange(const Cells& cells)
{
    std::vector<float> values; // of all planes
    for (const PlaneCell* cell : cells)
        if (const Pixels& pixels = cell->difference()) {
            const std::vector<float> some = sampleOf(pixels, pixels.area(), samplesOfPlane);
            values.insert(values.end(), some.begin(), some.end());
        }
    if (!values.empty())
        m_range.measure(std::move(values));
}

void PlaneColours::drag(const QPointF& share, bool isOfDifference)
{
    if (isOfDifference)
        return m_range.set(m_range.colouring(false).window.high * std::exp(2 * share.x()));
    const double width = m_window.high - m_window.low;
    const double middle = (m_window.low + m_window.high) / 2 + share.y() * width;
    const double next = std::max(width * std::exp(2 * share.x()), 1e-12);
    m_window = {middle - next / 2, middle + next / 2};
    m_isPreviewWindow = false;
}

void PlaneColours::show(const Cells& cells, const QPalette& palette) const
{
    Colouring images{m_window, colourMaps()[static_cast<std::size_t>(m_colourMap)].colours};
    Colouring differences = m_range.colouring(isDark(palette));
    for (Colouring* one : {&images, &differences}) // gaps show what is around the plane
        one->colours[notFiniteEntry] = ImageView::surroundOf(palette).rgb();
    for (PlaneCell* cell : cells)
        cell->setColours(images, differences);
}

} // namespace ui

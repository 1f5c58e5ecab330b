// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/same_object.h"

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

// Returns the pixel size of a slice in mm, or in recorded bins if their size is unknown.
double slicePixelOf(const engine::Scan& scan)
{
    const auto* parallel = std::get_if<engine::ParallelBeam>(&scan.geometry);
    const int joined = scan.reduced ? scan.reduced->by.bin : 1;
    return scan.pixelSizeMm().value_or(joined * (parallel ? parallel->pixelBins : 1));
}

// Returns whether both scans have the same slices: for parallel beams, these are rows of the detector, whatever their
// pixel size.
bool haveSameSlices(const engine::Scan& from, const engine::Scan& to)
{
    return std::holds_alternative<engine::ParallelBeam>(from.geometry) &&
           std::holds_alternative<engine::ParallelBeam>(to.geometry) && from.slices() == to.slices();
}

// Returns whether both have equally many voxels, possibly of another size.
bool isSameGrid(const engine::Scan& from, const engine::Scan& to)
{
    return from.sliceSize() == to.sliceSize() && from.slices() == to.slices();
}

} // namespace

bool isSameAxis(const engine::Scan& from, const engine::Scan& to)
{
    const std::vector<double>&before = from.axisBins(), &after = to.axisBins();
    if (before == after)
        return true;
    if (before.size() != 1 || after.size() != 1)
        return false;
    return std::abs(engine::recordedBin(from, before.front()) - engine::recordedBin(to, after.front())) < 1e-6;
}

int sliceLike(int slice, const engine::Scan& from, const engine::Scan& to)
{
    if (isSameGrid(from, to) || haveSameSlices(from, to))
        return slice;
    const double aboveMiddle = slice - (from.slices() - 1) / 2.0;
    const double there = aboveMiddle * slicePixelOf(from) / slicePixelOf(to) + (to.slices() - 1) / 2.0;
    return std::clamp(static_cast<int>(std::lround(there)), 0, to.slices() - 1);
}

engine::Marks marksLike(engine::Marks marks, const engine::Scan& from, const engine::Scan& to)
{
    if (isSameGrid(from, to))
        return marks;
    const double step = slicePixelOf(to) / slicePixelOf(from),
                 first = (from.sliceSize() - 1 - (to.sliceSize() - 1) * step) / 2;
    if (step == 1 && first == 0)
        return marks;
    const engine::SliceGrid grid{from.sliceSize(), first, first, to.sliceSize(), to.sliceSize(), step};
    const auto moved = [&](double position) { return (position - first) / step; };
    for (engine::Mark& mark : marks.marks) {
        if (auto* line = std::get_if<engine::Line>(&mark.shape))
            *line = {moved(line->x0), moved(line->y0), moved(line->x1), moved(line->y1)};
        else if (auto* circle = std::get_if<engine::Circle>(&mark.shape))
            *circle = {moved(circle->x), moved(circle->y), circle->radius / step};
        else if (const auto& area = std::get<engine::Area>(mark.shape); !std::holds_alternative<engine::DiscArea>(area))
            mark.shape = engine::areaOn(area, grid);
    }
    return marks;
}

} // namespace ui

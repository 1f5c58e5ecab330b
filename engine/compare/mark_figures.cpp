// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/mark_figures.h"

#include "engine/compare/compare_settings.h"
#include "engine/compare/edge.h"

namespace engine
{

AreaFigures figuresOf(const Reconstruction& image, const Reconstruction* reference, int slice, const Area& area)
{
    return figuresOf(image, reference, slice, maskOf(area));
}

AreaFigures figuresOf(const Reconstruction& image, const Reconstruction* reference, int slice, const Mask& mask)
{
    return {statisticsOf(image.image.slice(slice - image.request.place.slices().first), image.grid.width,
                         image.grid.height, mask),
            measured(&image, reference, slice, mask)};
}

std::optional<double> edgeWidthOf(const Reconstruction& image, int slice, const Mark& line)
{
    if (!std::holds_alternative<Line>(line.shape))
        return std::nullopt;
    return edgeWidth(
        profileOf(image.image.slice(slice - image.request.place.slices().first), image.grid, line.shape, line.width));
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the marks on a slice: statistics of areas, widths of edges that lines cross.
#pragma once

#include "engine/compare/marks.h"
#include "engine/compare/metrics.h"
#include "engine/compare/statistics.h"
#include "engine/reconstruct/reconstruction.h"

#include <optional>

namespace engine
{

struct AreaFigures {
    AreaStatistics statistics;      // of the image, in its unit
    std::optional<Metrics> metrics; // against the reference; nothing without one, or if the image is the reference
};

// Returns the figures of an area on a slice of a finished image. reference: may be null. Throws Error(badRequest):
// the area contains no pixel of the image.
AreaFigures figuresOf(const Reconstruction& image, const Reconstruction* reference, int slice, const Area& area);
AreaFigures figuresOf(const Reconstruction& image, const Reconstruction* reference, int slice, const Mask& mask);

// Returns the 10–90 % width of the edge that a line crosses, in pixels of the whole slice; nothing for circles, and
// unless the line crosses one clear edge.
std::optional<double> edgeWidthOf(const Reconstruction& image, int slice, const Mark& line);

} // namespace engine

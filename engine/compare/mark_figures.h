// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of what is drawn on a slice: of each area, and of the edge that a line crosses.
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
    std::optional<Metrics> metrics; // against the reference; nothing without one, or where it is the image itself
};

// Of a finished image's slice. reference: may be null. Throws Error(badRequest): the area holds no pixel of the image.
AreaFigures figuresOf(const Reconstruction& image, const Reconstruction* reference, int slice, const Area& area);
AreaFigures figuresOf(const Reconstruction& image, const Reconstruction* reference, int slice, const Mask& mask);

// The 10–90 % width of the edge that a line crosses, pixels of the whole slice; nothing unless it crosses one clear
// edge, and for circles.
std::optional<double> edgeWidthOf(const Reconstruction& image, int slice, const Mark& line);

} // namespace engine

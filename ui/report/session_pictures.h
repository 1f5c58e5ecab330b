// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a session's report: slices and differences on common scales, curves and dots as vectors.
#pragma once

#include "ui/report/page.h"
#include "ui/report/session_results.h"

namespace ui
{

// Pictures that widgets draw. Create them in the window's thread.
struct SessionDrawings {
    std::vector<Picture> profiles; // one per line
    Picture speedQuality;
};
SessionDrawings drawingsOf(const SessionResults& results);

// One window for all images and one scale for all differences, so that they can be compared. A difference that would
// look blank has its own scale.
struct PictureScales {
    static constexpr double finest = 20;   // a difference gets its own scale if the common one is this many times wider
    static constexpr double share = 0.999; // share of a difference's pixels within its scale

    double black = 0, white = 1;
    double difference = 1; // ± at the ends of the colours
    QString unit;
};
PictureScales scalesOf(const SessionResults& results);

// Returns every setting with its difference, then the references.
Gallery imagesOf(const SessionResults& results, const PictureScales& scales, const std::stop_token& stop);

} // namespace ui

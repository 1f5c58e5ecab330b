// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures of a session's report: slices and differences in one window, curves and dots as vectors.
#pragma once

#include "ui/report/page.h"
#include "ui/report/session_results.h"

namespace ui
{

// What is drawn by widgets: in the window's thread.
struct SessionDrawings {
    std::vector<Picture> profiles; // of the lines, one each
    Picture speedQuality;
};
SessionDrawings drawingsOf(const SessionResults& results);

// One window for all images and one scale for all differences, so that they can be compared; what would be blank on it
// has a scale of its own.
struct PictureScales {
    static constexpr double finest = 20;   // a difference whose scale would be so many times finer
    static constexpr double share = 0.999; // of a difference's pixels lies within its scale

    double black = 0, white = 1;
    double difference = 1; // ± at the ends of its colours
    QString unit;
};
PictureScales scalesOf(const SessionResults& results);

// Every setting with its difference, then what they are measured against.
Gallery imagesOf(const SessionResults& results, const PictureScales& scales, const std::stop_token& stop);

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The two methods of searchAxis (engine/axis/axis.h), which is used on opening a scan, as rows of the table.
#include "engine/axis/axis.h"
#include "engine/axis/method.h"
#include "engine/axis/opposite_views.h"

#include <algorithm>
#include <numbers>

namespace engine
{

const AxisMethod oppositeViewsAxis = {
    .id = "opposite-views",
    .label = "Opposite views",
    .summary = "Opposite projections are mirror images about the axis: finds where their slopes correlate best. In "
               "a scan of half a turn, only the first and the last projections are opposite.",
    .reference = "Classical registration of 0° and 180°, here of slopes over the whole detector",
    .trust = 0.95,
    .errorBins = 0.06,
    .isQuick = true,
    .unsuited = [](const AxisSearch& search) -> std::optional<std::string> {
        if (search.row.bins < 16 || !oppositeLinesOf(search.row, search.beam.anglesRad))
            return "It needs opposite projections of at least 16 bins.";
        return std::nullopt;
    },
    .find =
        [](const AxisSearch& search) {
            const auto views = matchOppositeViews(search.row, search.beam.anglesRad, search.threads, search.stop);
            return AxisGuess{views->bins, views->confidence};
        },
};

const AxisMethod centreOfMassAxis = {
    .id = "centre-of-mass",
    .label = "Centre of mass",
    .summary = "The centre of mass of the projections oscillates about the axis, if no part of the object is cut off.",
    .reference = "Azevedo et al., IEEE Trans. Nucl. Sci. 37 (1990) 1525, doi:10.1109/23.55866",
    .trust = 0.8,
    .errorBins = 0.3,
    .isQuick = true,
    .unsuited = [](const AxisSearch&) -> std::optional<std::string> { return std::nullopt; },
    .find =
        [](const AxisSearch& search) {
            const MassAxis mass = axisFromMass(search.row, search.beam.anglesRad);
            // The score is one half if 2 % of the object are cut off. It isn't 0 even if more is cut off, up to 30 %:
            // if equal parts are cut off on both sides, the centre of mass doesn't move.
            return AxisGuess{mass.bins, std::clamp(1 - 25 * mass.cutOff, std::max(0.0, 0.3 - mass.cutOff), 1.0)};
        },
};

} // namespace engine

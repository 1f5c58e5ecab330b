// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/doubt.h"

#include "engine/scan/empty_projections.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace engine
{

Text doubtText(const Scan& scan, const Doubt& doubt)
{
    const std::string some =
        std::to_string(doubt.projections.size()) + " of " + std::to_string(scan.projections()) + " projections ";
    const bool one = doubt.projections.size() == 1;
    switch (doubt.about) {
    case Doubt::About::light:
        return some + (one ? "has" : "have") + " far less light than those beside " + (one ? "it" : "them") +
               " (a blocked beam?): " + spoilingText(scan, doubt.projections);
    case Doubt::About::still:
        return some + (one ? "shows" : "show") +
               " the same as the one before, except noise (did the stage stand still?): " +
               spoilingText(scan, doubt.projections);
    case Doubt::About::repeated:
        return some + (one ? "is a copy" : "are copies") +
               " of the one before: " + spoilingText(scan, doubt.projections);
    case Doubt::About::bare:
        return some + (one ? "doesn't" : "don't") +
               " show the object (flats, or the object was moved out?): " + spoilingText(scan, doubt.projections);
    case Doubt::About::numbers:
        if (!doubt.text.empty())
            break;
        return std::to_string(doubt.count) + (doubt.count == 1 ? " number is" : " numbers are") +
               " near the largest number of " + scan.sampleType +
               " and far above the flat field: the detector was saturated, or numbers below 0 were stored as large "
               "ones. The slices may be wrong; correct the numbers where the file was written.";
    case Doubt::About::beam:
    case Doubt::About::drift:
    case Doubt::About::arc:
    case Doubt::About::unlike:
    case Doubt::About::moved:
    case Doubt::About::angles:
    case Doubt::About::direction:
    case Doubt::About::sides:
    case Doubt::About::earlier:
        break;
    }
    return doubt.text;
}

void addDoubts(std::vector<Doubt>& doubts, const std::vector<Doubt>& more)
{
    for (const Doubt& doubt : more) {
        const auto there = std::ranges::find_if(doubts, [&](const Doubt& known) {
            return known.about == doubt.about &&
                   (doubt.about != Doubt::About::earlier || known.text.plain() == doubt.text.plain());
        });
        if (there == doubts.end()) {
            doubts.push_back(doubt);
            continue;
        }
        std::vector<int> both;
        std::ranges::set_union(there->projections, doubt.projections, std::back_inserter(both));
        there->projections = std::move(both);
        there->count += doubt.count;
    }
}

} // namespace engine

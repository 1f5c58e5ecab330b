// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/examine/examine_rows.h"

#include "engine/base/error.h"
#include "engine/examine/examined_row.h"
#include "engine/scan/empty_projections.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace engine
{

std::vector<int> spreadOver(int all, int most)
{
    std::vector<int> numbers;
    for (int k = 0; k < std::min(all, most); ++k)
        numbers.push_back(static_cast<int>(static_cast<long long>(k) * all / std::min(all, most)));
    return numbers;
}

std::vector<Doubt> doubtsOf(const Scan& scan, const RawRows& raw, const std::vector<int>& empty)
{
    constexpr int fewestBins = 12;
    std::vector<Doubt> doubts;
    if (scan.path.empty() || raw.projections < fewestViews || raw.bins < fewestBins)
        return doubts;
    const ExaminedRow row(scan, raw);
    if (auto doubt = unlikeSides(row)) // without them nothing else can be judged
        return {*std::move(doubt)};
    const auto add = [&](std::optional<Doubt> doubt) {
        if (doubt)
            doubts.push_back(*std::move(doubt));
        return doubt.has_value();
    };
    bool isSpoilt = add(sidesAmong(row)) || scan.offeredSides;
    isSpoilt |= add(bareViews(row, empty));
    isSpoilt |= add(blockedViews(row, empty));
    if (!isSpoilt) { // what spoils some views hides other errors
        isSpoilt = add(changesOfBeam(row)) || add(stillViews(row, empty)) || add(unfitAngles(row)) ||
                   add(movedObject(row)) || add(unlikeOpposites(row));
    }
    if (std::ranges::find(doubts, Doubt::About::angles, &Doubt::about) == doubts.end())
        add(limitedArc(row));
    std::vector<int> known = empty; // views that are doubted already
    for (const Doubt& doubt : doubts)
        known.insert(known.end(), doubt.projections.begin(), doubt.projections.end());
    std::ranges::sort(known);
    add(repeatedViews(row, known));
    add(unlikelyNumbers(row));
    return doubts;
}

std::vector<Doubt> doubtsOf(const Scan& scan, const std::stop_token& stop)
{
    constexpr double mostBytes = 256e6;
    const double bytes =
        static_cast<double>(scan.projections()) * scan.rowsTogether * scan.bins() * scan.bytesPerSample;
    if (scan.path.empty() || !scan.read || bytes > mostBytes)
        return {};
    int row = scan.rows / 2;
    if (const auto* cone = std::get_if<ConeBeam>(&scan.geometry))
        row = std::clamp(static_cast<int>(std::lround(cone->centralRow)), 0, scan.rows - 1);
    try {
        const RawRows raw = scan.read({row, 1}, stop);
        std::vector<Doubt> doubts = doubtsOf(scan, raw, emptyProjections(scan, raw));
        if (!scan.flatPlaces.empty() && scan.flatPlaces.front() != scan.flatPlaces.back()) // interpolated by default
            std::erase_if(doubts, [](const Doubt& doubt) { return doubt.about == Doubt::About::drift; });
        return doubts;
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::cancelled)
            throw;
        return {};
    }
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/some_projections.h"

#include "engine/base/error.h"
#include "engine/scan/geometry.h"
#include "engine/scan/reduction.h"

#include <algorithm>

namespace engine
{

namespace
{

template <typename Value>
void keepSome(std::vector<Value>& values, const std::vector<int>& kept, std::size_t all)
{
    if (values.size() != all)
        return; // common to all projections, or empty
    std::vector<Value> some;
    for (const int projection : kept)
        some.push_back(values[static_cast<std::size_t>(projection)]);
    values = std::move(some);
}

} // namespace

Geometry withProjections(Geometry geometry, const std::vector<int>& kept)
{
    if (auto* parallel = std::get_if<ParallelBeam>(&geometry)) {
        const std::size_t all = parallel->anglesRad.size();
        for (auto values :
             {&ParallelBeam::anglesRad, &ParallelBeam::axisBins, &ParallelBeam::shiftBins, &ParallelBeam::shiftRows})
            keepSome(parallel->*values, kept, all);
    } else if (auto* cone = std::get_if<ConeBeam>(&geometry)) {
        const std::size_t all = cone->anglesRad.size();
        keepSome(cone->anglesRad, kept, all);
        keepSome(cone->axisBins, kept, all);
        keepSome(cone->matrices, kept, all);
    } else {
        throw Error(ErrorKind::badRequest,
                    "a scan with a " + labelOf(geometry) + " can't be read in part" +
                        aside(optionName("bin") + ", " + optionName("every") + ", " + optionName("leave-out")));
    }
    return geometry;
}

std::vector<double> placesAmong(std::vector<double> places, const std::vector<int>& kept)
{
    for (double& place : places)
        place = static_cast<double>(std::ranges::lower_bound(kept, place) - kept.begin()) - 0.5;
    return places;
}

Scan withProjections(const Scan& scan, const std::vector<int>& kept)
{
    Scan some = scan;
    some.geometry = withProjections(scan.geometry, kept);
    some.flatPlaces = placesAmong(scan.flatPlaces, kept);
    some.reduced.reset(); // it describes all projections of the scan
    return some;
}

std::shared_ptr<const Scan> everyNth(const Scan& scan, int step)
{
    if (!scan.readEvery || scan.projections() <= step)
        return nullptr;
    auto some = std::make_shared<Scan>(
        withProjections(scan, keptProjections({.every = step, .leftOut = {}}, scan.projections())));
    some->readFrames = [read = scan.readEvery, step](const FramePart& part, std::stop_token stop) {
        return read(step, part, stop);
    };
    some->framesTogether = (scan.framesTogether + step - 1) / step;
    some->read = [read = some->readFrames, all = some->projections()](RowRange rows, std::stop_token stop) {
        RawRows raw = read({{0, all}, rows, true}, stop);
        raw.scanProjections = 0; // all of this scan
        return raw;
    };
    some->readEvery = [read = scan.readEvery, step](int every, const FramePart& part, std::stop_token stop) {
        return read(step * every, part, stop);
    };
    return some;
}

std::shared_ptr<const Scan> withEvery(const Scan& scan, int step)
{
    return scan.framesTogether < step ? everyNth(scan, step) : nullptr;
}

} // namespace engine

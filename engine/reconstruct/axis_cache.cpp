// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/reconstruct/axis_cache.h"

#include "engine/axis/axis.h"
#include "engine/axis/find_axis.h"
#include "engine/base/error.h"
#include "engine/base/stopwatch.h"
#include "engine/stages/stages.h"

#include <numeric>
#include <optional>

namespace engine
{

void AxisCache::dropOthers(const Scan* scan)
{
    const std::lock_guard lock(m_shared->mutex);
    m_shared->found.dropIf([scan](const AxisKey& key) { return key.scan.get() != scan; });
}

// Searches the axis in the scan's middle row, whichever slices are requested, so that all slices of a scan have the
// same axis.
AxisCache::Found AxisCache::found(const Request& asked, RowCache& rows, const Progress& progress,
                                  const std::stop_token& stop, Timings& timings)
{
    Request request = asked;
    request.place.projections.reset();
    const std::lock_guard lock(m_shared->mutex);
    const Found* known = m_shared->found.find(axisKey(request));
    timings.axis.reused = known != nullptr;
    if (known)
        return *known;
    const Stopwatch finding;
    report(progress, Stage::axis, 0);
    const RowRange middle = axisRowOf(*request.scan);
    const PreparedKey wanted{request.scan, middle, preparationSettingsOf(request)};
    std::optional<PreparedRows> own;
    const PreparedRows* row = rows.findPrepared(wanted);
    if (!row)
        row = &own.emplace(rows.hasRecorded(wanted) ? rows.preparedAlone(request, middle, progress, stop)
                                                    : prepareAxisRow(request, stop));
    AxisFound found = findAxis(*row, middle.first, request.resources.threads, stop);
    report(progress, Stage::axis, 1);
    return m_shared->found.keep(axisKey(request), {std::move(found), finding.seconds()}, 0);
}

Geometry AxisCache::axisOf(const Request& request, RowCache& rows, const Progress& progress,
                           const std::stop_token& stop, Reconstruction& result)
{
    const AxisSettings& axis = request.setting.axis;
    const Geometry& geometry = request.scan->geometry;
    const auto use = [&](double bins, const char* source) {
        result.axisBins = bins;
        result.axisSource = source;
        return withAxis(geometry, bins);
    };
    if (const auto* cone = std::get_if<ConeBeam>(&geometry);
        cone && !cone->isCircle() && axis.mode != AxisSettings::Mode::find) {
        const ProjectionMatrix& first = cone->matrices.front(); // the matrices determine the axis
        result.axisBins = first[3] / first[11];
        result.axisSource = "scan";
        return geometry;
    }
    if (axis.mode == AxisSettings::Mode::given)
        return use(axis.bins, "given");
    if (axis.mode == AxisSettings::Mode::middle)
        return use(middleBinsOf(geometry), "middle");
    const std::vector<double>& known = axisBinsOf(geometry);
    const auto useFound = [&](const AxisFound& found, const char* source) {
        result.axisHow = found.how;
        result.axisConfidence = found.confidence;
        result.axisDoubt = found.doubt;
        return use(found.bins, source);
    };
    if (known.empty() && axis.mode != AxisSettings::Mode::find)
        if (const auto guess = guessedAxis(geometry))
            return useFound(*guess, "guess");
    if (known.empty() || axis.mode == AxisSettings::Mode::find) {
        const Found found = this->found(request, rows, progress, stop, result.timings);
        result.timings.axis.seconds = found.seconds;
        if (found.axis.isGuess() && axis.mode == AxisSettings::Mode::find)
            throw Error(ErrorKind::badRequest, request.scan->name + ": " + noAxisText(found.axis.guessedFor));
        return useFound(found.axis, found.axis.isGuess() ? "guess" : "automatic");
    }
    const std::size_t projections = anglesRadOf(geometry).size();
    if (known.size() != 1 && known.size() != projections)
        throw Error(ErrorKind::badRequest, request.scan->name + ": " + std::to_string(known.size()) +
                                               " axis positions for " + std::to_string(projections) + " projections");
    result.axisBins = std::accumulate(known.begin(), known.end(), 0.0) / known.size();
    result.axisSource = "scan";
    return known.size() == 1 ? withAxis(geometry, known.front()) : geometry;
}

} // namespace engine

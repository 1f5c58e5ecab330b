// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/exact_reference.h"

#include "engine/backends/cut_points.h"
#include "engine/base/giga_updates.h"
#include "engine/request/section.h"
#include "engine/resolve/resolve.h"
#include "engine/stages/stages.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ui
{

namespace
{

using Clock = std::chrono::steady_clock;

// Bands begin at multiples of the tile height, so that they have the same tiles as the whole image: the method counts
// detector positions from the first pixel of a tile, which affects the last bit of a sum.
constexpr int tileRows = engine::maxTileEdge;
constexpr double bandSeconds = 0.25;     // work that is lost by a stop
constexpr double measuredSeconds = 0.02; // shorter measurements are inaccurate

bool sameReference(const engine::Request& a, const engine::Request& b)
{
    return engine::imageKey(a) == engine::imageKey(b);
}

double updatesPerRow(const engine::Reconstruction& result)
{
    return static_cast<double>(result.grid.width) * result.request.scan->projections();
}

} // namespace

ExactReference::Result ExactReference::find(const engine::Request& reference)
{
    const Result* kept = m_finished.find(engine::imageKey(reference));
    return kept ? *kept : nullptr;
}

ExactReference::Result ExactReference::compute(const engine::Request& reference, const BeforeBand& before,
                                               const Progress& progress, const std::stop_token& stop)
{
    if (Result kept = find(reference))
        return kept;
    if (!m_underway || !sameReference(m_underway->result.request, reference)) {
        m_underway.reset();
        m_finished.dropIf([&](const engine::ImageKey& key) { return key.scan != reference.scan; });
        engine::validate(reference);
        m_underway.emplace();
        m_underway->result.request = reference;
        m_underway->result.grid = engine::sectionOf(reference).grid;
    }
    const int height = m_underway->result.grid.height;
    while (m_underway->rows < height) {
        before(secondsFor(height - m_underway->rows));
        computeBand(progress, stop);
    }
    engine::Reconstruction& done = m_underway->result;
    done.timings.totalSeconds = done.timings.filter.seconds + done.timings.backprojectSeconds;
    const double voxels = static_cast<double>(done.image.values.size());
    const double projections = reference.scan->projections();
    done.kernelGups = engine::gigaUpdatesPerSecond(voxels, projections, done.timings.kernelSeconds);
    done.totalGups = engine::gigaUpdatesPerSecond(voxels, projections, done.timings.totalSeconds);
    const Result made = std::make_shared<const engine::Reconstruction>(std::move(done));
    m_underway.reset();
    return m_finished.keep(engine::imageKey(reference), made, sizeof(float) * voxels);
}

double ExactReference::secondsOfBand() const
{
    return std::max(bandSeconds, 4 * m_launchSeconds); // otherwise the launches would take most of the time
}

// Returns as many whole tiles as the speed allows, or one while the speed isn't known. Planes are made as a whole: the
// engine divides them itself, if their rows take too much memory.
int ExactReference::rowsOfNextBand() const
{
    const engine::Reconstruction& result = m_underway->result;
    if (result.request.place.plane())
        return result.grid.height;
    const double affordable = std::min(m_updatesPerSecond * secondsOfBand() / updatesPerRow(result), 1e6);
    const int rows = std::max(1, static_cast<int>(affordable) / tileRows) * tileRows;
    return std::min(rows, result.grid.height - m_underway->rows);
}

std::optional<double> ExactReference::secondsFor(double rows) const
{
    if (m_updatesPerSecond <= 0)
        return std::nullopt;
    const double seconds = rows * updatesPerRow(m_underway->result) / m_updatesPerSecond;
    return seconds * (1 + m_launchSeconds / secondsOfBand());
}

void ExactReference::measure(int rows, const engine::Timings& timings)
{
    const double seconds = timings.kernelSeconds;
    const double launch = std::max(0.0, timings.backprojectSeconds - seconds);
    // The time may at most double from one band to the next, because a single delay isn't typical.
    m_launchSeconds = m_launchSeconds > 0 ? std::min(m_launchSeconds * 2, launch) : launch;
    if (seconds <= 0)
        return;
    const double now = rows * updatesPerRow(m_underway->result) / seconds;
    // A faster measurement is adopted, because few rows are slower than many. A slower one is averaged with the
    // previous speed, so that the time left doesn't jump with other load on the machine.
    if (now > m_updatesPerSecond)
        m_updatesPerSecond = now;
    else if (seconds > measuredSeconds)
        m_updatesPerSecond = (m_updatesPerSecond + now) / 2;
}

void ExactReference::computeBand(const Progress& progress, const std::stop_token& stop)
{
    Underway& underway = *m_underway;
    engine::Reconstruction& whole = underway.result;
    const int rows = rowsOfNextBand(), first = underway.rows, height = whole.grid.height;
    engine::Request band = whole.request;
    const int size = whole.grid.size;
    const engine::Region region = band.place.region().value_or(engine::Region{0, 0, size, size});
    if (!band.place.plane())
        band.place.setRegion(engine::Region{region.column, region.row + first, region.width, rows});
    const auto report = [&](engine::Stage stage, double fraction) {
        if (stage != engine::Stage::backproject)
            return progress(stage, fraction, std::nullopt);
        const double done = first + fraction * rows;
        progress(stage, done / height, secondsFor(height - done));
    };
    const auto began = Clock::now();
    engine::Reconstruction part = m_reconstructor.run(band, report, stop);
    const engine::Timings timings = part.timings;
    if (first == 0) { // copies what is the same for all bands, and the times of the earlier stages
        const engine::VolumeGrid grid = whole.grid;
        engine::Request request = std::move(whole.request);
        engine::Volume image(1, grid.height, grid.width);
        std::copy(part.image.values.begin(), part.image.values.end(), image.values.begin());
        whole = std::move(part);
        whole.request = std::move(request);
        whole.grid = grid;
        whole.image = std::move(image);
    } else {
        std::copy(part.image.values.begin(), part.image.values.end(),
                  whole.image.values.begin() + static_cast<std::ptrdiff_t>(first) * whole.grid.width);
        // Most notes are the same for all bands. A note that earlier bands don't have reports a GPU that has failed.
        for (const engine::Note& note : part.notes)
            if (std::ranges::find(whole.notes, note) == whole.notes.end())
                whole.notes.push_back(note);
        whole.timings.kernelSeconds += part.timings.kernelSeconds;
        whole.timings.backprojectSeconds += part.timings.backprojectSeconds;
        whole.timings.elapsedSeconds += std::chrono::duration<double>(Clock::now() - began).count();
    }
    underway.rows += rows;
    measure(rows, timings);
}

} // namespace ui

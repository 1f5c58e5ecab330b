#include "engine/recorded_images.h"

#include "engine/error.h"
#include "engine/parallel_for.h"
#include "engine/prepare/flat_field.h"
#include "engine/prepare/prepare.h"
#include "engine/rows.h"
#include "engine/stages.h"

#include <algorithm>
#include <cstring>

namespace engine
{

namespace
{

constexpr double bytesAtOnce = 64 << 20; // of darks and flats

RawRows readPart(const Request& request, const FramePart& part, const std::stop_token& stop)
{
    const Scan& scan = *request.scan;
    RawRows raw;
    tbb::task_arena arena = arenaOf(request.resources.threads);
    arena.execute([&] {
        if (scan.readFrames) {
            raw = scan.readFrames(part, stop);
            return;
        }
        raw = scan.read(part.rows, stop); // all projections of these rows, of which some are kept
        const std::size_t frame = static_cast<std::size_t>(raw.rows.count) * raw.bins;
        Samples some(raw.data.type(), frame * part.projections.count);
        const std::size_t bytes = raw.data.type().bytes;
        std::memcpy(some.bytes(), raw.data.bytes() + part.projections.first * frame * bytes,
                    part.projections.count * frame * bytes);
        raw.scanProjections = raw.projections;
        raw.firstProjection = part.projections.first;
        raw.projections = part.projections.count;
        raw.data = std::move(some);
    });
    return raw;
}

Volume imageOf(Values values, int height, int width)
{
    Volume image;
    image.slices = 1;
    image.height = height;
    image.width = width;
    image.values = std::move(values);
    return image;
}

Preparation preparationOfOne(const Request& request)
{
    Preparation preparation = preparationOf(request);
    for (PlannedStep& planned : preparation.steps)
        planned.on = planned.on && !planned.step->takesAllProjections;
    return preparation;
}

} // namespace

Volume sinogramOf(const Request& request, Shown how, int row, const std::stop_token& stop)
{
    const int projections = request.scan->projections(), bins = request.scan->bins();
    if (how == Shown::raw) {
        RawRows raw;
        tbb::task_arena arena = arenaOf(request.resources.threads);
        arena.execute([&] { raw = request.scan->read({row, 1}, stop); });
        return imageOf(raw.data.toFloats(), projections, bins);
    }
    PreparedRows rows = prepare(request, read(request, {row, 1}, stop), {row, 1}, 0, stop);
    return imageOf(std::move(rows.prepared.sinograms.values), projections, bins);
}

// Read in pieces, as their frames together may be more than fits into memory.
const Projections::Sides& Projections::sidesFor(const Request& request, const std::stop_token& stop)
{
    const Scan& scan = *request.scan;
    const Preparation preparation = preparationOf(request);
    const PlannedStep* flatField = preparation.find("flat-field");
    const std::string way = flatField ? flatField->way() : std::string();
    if (m_sides.scan == request.scan && m_sides.way == way)
        return m_sides;
    Sides made;
    made.scan = request.scan;
    made.way = way;
    const double row = sizeof(float) * double(scan.bins()) * (scan.darkFrames + scan.flatFrames);
    const int most = std::max(1, static_cast<int>(bytesAtOnce / std::max(row, 1.0)));
    const std::size_t bins = static_cast<std::size_t>(scan.bins());
    for (int first = 0; flatField && first < scan.rows; first += most) {
        const RowRange rows{first, std::min(most, scan.rows - first)};
        RawRows part = readPart(request, {{0, 1}, rows, true}, stop);
        joinFrames(part, *flatField);
        made.darkFrames = part.darkFrames;
        made.flatFrames = part.flatFrames;
        const auto place = [&](const Values& from, int frames, Values& to) {
            to.resize(static_cast<std::size_t>(frames) * scan.rows * bins);
            for (int frame = 0; frame < frames; ++frame)
                std::copy_n(from.data() + static_cast<std::size_t>(frame) * rows.count * bins, rows.count * bins,
                            to.data() + (static_cast<std::size_t>(frame) * scan.rows + first) * bins);
        };
        place(part.darks, part.darkFrames, made.darks);
        place(part.flats, part.flatFrames, made.flats);
    }
    m_sides = std::move(made);
    return m_sides;
}

Volume Projections::image(const Request& request, Shown how, int projection, const std::stop_token& stop)
{
    const Scan& scan = *request.scan;
    RawRows raw = readPart(request, {{projection, 1}, {0, scan.rows}, false}, stop);
    if (how == Shown::raw)
        return imageOf(raw.data.toFloats(), scan.rows, scan.bins());
    const Sides& sides = sidesFor(request, stop);
    raw.darkFrames = sides.darkFrames;
    raw.flatFrames = sides.flatFrames;
    raw.darks = sides.darks;
    raw.flats = sides.flats;
    Prepared prepared = prepareRows(raw, scan.quantity, preparationOfOne(request), request.resources.threads, stop);
    return imageOf(std::move(prepared.sinograms.values), scan.rows, scan.bins());
}

std::vector<std::string> stepsOfSinogramsAlone(const Request& request)
{
    std::vector<std::string> labels;
    for (const PlannedStep& planned : preparationOf(request).steps)
        if (planned.on && planned.step->takesAllProjections)
            labels.emplace_back(planned.step->label);
    return labels;
}

} // namespace engine

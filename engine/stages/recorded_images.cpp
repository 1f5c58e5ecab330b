// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stages/recorded_images.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/prepare/flat_field.h"
#include "engine/prepare/minus_log.h"
#include "engine/prepare/prepare.h"
#include "engine/stages/prepared_rows.h"
#include "engine/stages/stages.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace engine
{

namespace
{

constexpr double imageBytesAtOnce = 64 << 20; // of darks and flats read together

Volume imageOf(Values values, int height, int width)
{
    Volume image;
    image.slices = 1;
    image.height = height;
    image.width = width;
    image.values = std::move(values);
    return image;
}

Preparation ofOneProjection(Preparation preparation)
{
    for (PlannedStep& planned : preparation.steps)
        planned.on = planned.on && !planned.step->takesAllProjections;
    return preparation;
}

// Returns the index of the step in the preparation.
std::size_t placeOf(const Preparation& preparation, const std::string& step)
{
    const auto found = std::ranges::find_if(
        preparation.steps, [&](const PlannedStep& planned) { return planned.on && planned.step->id == step; });
    require(found != preparation.steps.end(), "the step '" + step + "' is not on, so it has no images");
    return static_cast<std::size_t>(found - preparation.steps.begin());
}

// Returns the look's values for these rows, after all steps or only the first of them.
Values lookedAt(const RawRows& raw, const Request& request, const Preparation& preparation, const Look& look,
                RowRange rows, const std::stop_token& stop)
{
    const Quantity quantity = request.scan->quantity;
    const auto after = [&](std::optional<std::size_t> taken) {
        return prepareRows(raw, quantity, preparation, request.resources.threads, stop, rows, taken).sinograms.values;
    };
    if (look.how == Shown::prepared)
        return after({});
    const std::size_t place = placeOf(preparation, look.step);
    if (look.how != Shown::difference)
        return after(look.how == Shown::before ? place : place + 1);
    const Step& step = *preparation.steps[place].step;
    if (const auto reason = noDifference(step))
        throw Error(ErrorKind::badRequest, *reason);
    const Values before = after(place);
    Values made = after(place + 1);
    const bool isLogarithm = step.to.quantity && quantityAfter(preparation, quantity, place) == Quantity::transmission;
    for (std::size_t k = 0; k < made.size(); ++k)
        made[k] -= isLogarithm && !std::isnan(before[k]) ? minusLog(before[k]) : before[k];
    return made;
}

} // namespace

std::vector<const Step*> stepsToLookAt(const Request& request)
{
    std::vector<const Step*> seen;
    for (const PlannedStep& planned : preparationOf(request).steps)
        if (planned.on && !planned.step->to.layout)
            seen.push_back(planned.step);
    return seen;
}

Quantity quantityOf(const Request& request, const Look& look)
{
    if (look.how == Shown::raw)
        return request.scan->quantity;
    if (look.how == Shown::prepared)
        return Quantity::attenuation;
    const Preparation preparation = preparationOf(request);
    const std::size_t place = placeOf(preparation, look.step);
    return quantityAfter(preparation, request.scan->quantity, look.how == Shown::before ? place : place + 1);
}

std::optional<std::string> noDifference(const Step& step)
{
    if (step.from.quantity != Quantity::counts)
        return {};
    return "'" + std::string(step.id) +
           "' converts counts to transmission, so there is no difference to show. Look before and after it.";
}

Volume sinogramOf(const Request& request, const Look& look, int row, const std::stop_token& stop)
{
    const int projections = request.scan->projections(), bins = request.scan->bins();
    if (look.how == Shown::raw) {
        RawRows raw;
        tbb::task_arena arena = arenaOf(request.resources.threads);
        arena.execute([&] { raw = request.scan->read({row, 1}, stop); });
        return imageOf(raw.data.toFloats(), projections, bins);
    }
    return imageOf(lookedAt(read(request, {row, 1}, stop), request, preparationOf(request), look, {row, 1}, stop),
                   projections, bins);
}

// Reads the rows in pieces, as all frames together may not fit into memory.
const Projections::Sides& Projections::sidesFor(const Request& request, const Preparation& preparation,
                                                const std::stop_token& stop)
{
    const Scan& scan = *request.scan;
    const PlannedStep* flatField = preparation.find("flat-field");
    const std::string way = flatField ? flatField->way() : std::string();
    if (m_sides.scan == request.scan && m_sides.way == way)
        return m_sides;
    Sides made;
    made.scan = request.scan;
    made.way = way;
    const double row = sizeof(float) * double(scan.bins()) * (scan.darkFrames + scan.flatFrames);
    const int most = std::max(1, static_cast<int>(imageBytesAtOnce / std::max(row, 1.0)));
    const std::size_t bins = static_cast<std::size_t>(scan.bins());
    for (int first = 0; flatField && first < scan.rows; first += most) {
        const RowRange rows{first, std::min(most, scan.rows - first)};
        RawRows part = readPart(request, {{0, 1}, rows, true}, stop);
        Preparation joined = preparation;
        joinFrames(part, joined);
        made.flatPlaces = joined.flatPlaces;
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

Volume Projections::image(const Request& request, const Look& look, int projection, const std::stop_token& stop)
{
    const Scan& scan = *request.scan;
    Preparation preparation = preparationOf(request);
    if (!look.step.empty()) {
        const Step& step = *preparation.steps[placeOf(preparation, look.step)].step;
        if (step.takesAllProjections)
            throw Error(ErrorKind::badRequest, "\"" + std::string(step.label) +
                                                   "\" uses all projections of a row: look at the sinogram instead.");
    }
    RawRows raw = readPart(request, {{projection, 1}, {0, scan.rows}, false}, stop);
    if (look.how == Shown::raw)
        return imageOf(raw.data.toFloats(), scan.rows, scan.bins());
    const Sides& sides = sidesFor(request, preparation, stop);
    raw.darkFrames = sides.darkFrames;
    raw.flatFrames = sides.flatFrames;
    raw.darks = sides.darks;
    raw.flats = sides.flats;
    preparation.flatPlaces = sides.flatPlaces;
    preparation.areSidesJoined = true;
    return imageOf(lookedAt(raw, request, ofOneProjection(preparation), look, {0, scan.rows}, stop), scan.rows,
                   scan.bins());
}

std::vector<std::string> stepsOfSinogramsAlone(const Request& request, const Look& look)
{
    std::vector<std::string> labels;
    if (look.how != Shown::raw)
        for (const Step* step : stepsToLookAt(request)) {
            if (step->id == look.step)
                break;
            if (step->takesAllProjections)
                labels.emplace_back(step->label);
        }
    return labels;
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Ring removal as a step of preparation.
#include "engine/prepare/rings.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/prepare/minus_log.h"
#include "engine/prepare/steps.h"

#include <algorithm>
#include <array>
#include <memory>

namespace engine
{

namespace
{

constexpr const char *ringsId = "rings", *sizeId = "ring-size", *largeId = "ring-large-size", *snrId = "ring-snr",
                     *cyclesId = "ring-sigma", *orderId = "ring-order", *levelsId = "ring-levels",
                     *alphaId = "ring-alpha", *blocksId = "ring-blocks";

struct RingWay {
    const char *id, *label, *summary;
    int (*remove)(const SinogramPlane&, const RingValues&); // returns the number of bins changed, or -1 for all
};

template <void (*remove)(const SinogramPlane&, const RingValues&)>
int everywhere(const SinogramPlane& sinogram, const RingValues& values)
{
    remove(sinogram, values);
    return -1;
}

constexpr std::array ringWays = {
    RingWay{"off", "Off", "Rings stay", nullptr},
    RingWay{"sorting", "Sorting (Vo)", "Small stripes, also partial ones; try it first (Vo 2018, algorithm 3)",
            everywhere<removeBySorting>},
    RingWay{"filtering", "Filtering (Vo)",
            "Small stripes, in the slowly varying part of each bin (Vo 2018, algorithm 2)",
            everywhere<removeByFiltering>},
    RingWay{"fitting", "Fitting (Vo)", "Weak, blurred stripes in smooth sinograms (Vo 2018, algorithm 1)",
            everywhere<removeByFitting>},
    RingWay{"large", "Large (Vo)", "Stripes wider than the window of sorting (Vo 2018, algorithm 5)", removeLarge},
    RingWay{"dead", "Dead (Vo)", "Bins that don't vary or vary too much, then large stripes (Vo 2018, algorithm 6)",
            removeDead},
    RingWay{"wavelet", "Wavelets (Münch)", "Full stripes, by damping wavelet coefficients (Münch 2009)",
            everywhere<removeByWavelets>},
    RingWay{"titarenko", "Smoothest (Titarenko)",
            "Full stripes, by minimising the roughness that remains (Titarenko 2010)",
            everywhere<removeByRegularization>},
    RingWay{"all", "All kinds (Vo)", "Dead, large and small stripes one after the other (Vo 2018, algorithms 6, 5, 3)",
            removeAll}};

std::vector<FieldChoice> ringChoices()
{
    std::vector<FieldChoice> choices;
    for (const RingWay& way : ringWays)
        choices.push_back({way.id, way.label, way.summary});
    return choices;
}

constexpr std::array sizeWays = {"sorting", "filtering", "fitting", "all"};
constexpr std::array largeWays = {"large", "dead", "all"};
constexpr std::array cyclesWays = {"filtering", "wavelet"};
constexpr std::array orderWays = {"fitting"}, levelWays = {"wavelet"}, smoothWays = {"titarenko"};

constexpr RingValues standard;
std::span<const StepField> ringParameters()
{
    static const std::vector<StepField> fields = stepFields(
        {{.id = ringsId,
          .label = "Rings",
          .summary = "Method that removes stripes of the sinogram, which are rings of the slice",
          .kind = FieldKind::choice,
          .choices = ringChoices()},
         {.id = sizeId,
          .label = "Ring width",
          .summary = "Width of the median across the stripes, or of the blur of fitting: a few times a stripe's width; "
                     "odd; default: a hundredth of the bins",
          .unit = "bins",
          .form = "BINS",
          .kind = FieldKind::whole,
          .least = 3,
          .most = 501,
          .use = {.standard = standard.size, .mayBeLeft = true, .ways = sizeWays}},
         {.id = largeId,
          .label = "Large ring width",
          .summary =
              "Width of the median across large stripes: a few times their width; odd; default: a fortieth of the bins",
          .unit = "bins",
          .form = "BINS",
          .kind = FieldKind::whole,
          .least = 3,
          .most = 1001,
          .use = {.standard = standard.largeSize, .mayBeLeft = true, .ways = largeWays}},
         {.id = snrId,
          .label = "Ring SNR",
          .summary = "Signal-to-noise ratio from which a stripe counts as large or dead; lower finds more",
          .unit = "× noise",
          .form = "S",
          .kind = FieldKind::real,
          .least = 1,
          .most = 100,
          .step = 0.5,
          .use = {.standard = standard.snr, .ways = largeWays}},
         {.id = cyclesId,
          .label = "Ring variation",
          .summary = "How fast a stripe may change over the scan: standard deviation of a Gaussian; higher removes "
                     "more; default: 3, or 0.5 with wavelets",
          .unit = "cycles per scan",
          .form = "CYCLES",
          .kind = FieldKind::real,
          .least = 1e-6,
          .most = 1000,
          .step = 0.5,
          .use = {.mayBeLeft = true, .ways = cyclesWays}},
         {.id = orderId,
          .label = "Ring order",
          .summary = "Order of the polynomial that is fitted to each bin over the projections",
          .form = "N",
          .kind = FieldKind::whole,
          .least = 0,
          .most = 8,
          .use = {.standard = standard.order, .ways = orderWays}},
         {.id = levelsId,
          .label = "Ring levels",
          .summary = "Number of wavelet levels: L levels remove stripes up to 2^L bins wide",
          .form = "L",
          .kind = FieldKind::whole,
          .least = 1,
          .most = 10,
          .use = {.standard = standard.levels, .ways = levelWays}},
         {.id = alphaId,
          .label = "Ring regularisation",
          .summary = "Regularisation weight; higher removes less",
          .form = "A",
          .kind = FieldKind::real,
          .least = 1e-6,
          .most = 100,
          .step = 0.01,
          .use = {.standard = standard.alpha, .ways = smoothWays}},
         {.id = blocksId,
          .label = "Ring blocks",
          .summary = "Number of parts of the scan, each with different stripes",
          .form = "N",
          .kind = FieldKind::whole,
          .least = 1,
          .most = 100,
          .use = {.standard = standard.blocks, .ways = smoothWays}}});
    return fields;
}

// Returns the parameters. Window widths that are not given grow with the detector, as stripes do. A window wider than
// needed mistakes isolated features, such as the path of a dense rod, for stripes.
RingValues valuesOf(const PlannedStep& planned, int bins)
{
    const auto whole = [&](const char* id) { return static_cast<int>(planned.value(id)); };
    const auto window = [&](const char* id, int part, int least) {
        return whole(id) > 0 ? whole(id) : std::max(least, bins / part) | 1;
    };
    // With wavelets, a larger σ removes more of the object's own slow variation.
    const double steady = planned.way() == "wavelet" ? 0.5 : standard.cycles;
    const double cycles = planned.value(cyclesId) > 0 ? planned.value(cyclesId) : steady;
    return {window(sizeId, 100, 5), window(largeId, 40, 13), planned.value(snrId),   cycles,
            whole(orderId),         whole(levelsId),         planned.value(alphaId), whole(blocksId)};
}

std::optional<Text> objectionToRings(const PlannedStep& planned, const Preparation&)
{
    for (const char* id : {sizeId, largeId})
        if (const auto size = static_cast<int>(planned.value(id)); size > 0 && size % 2 == 0)
            return optionName(id) + " " + std::to_string(size) + " is even: give an odd number.";
    return {};
}

std::size_t ringBytes(const RowsShape& shape)
{
    // Sorted values, the smoothed ones and their order; wavelets need less than four times the sinogram.
    return 4 * sizeof(float) * (shape.projections + 64) * (shape.bins + 64);
}

// Applies a function to each value. A stripe is a factor in the light and an offset in line integrals, so
// transmission is converted to line integrals for the removal and back.
void changeEach(const SinogramPlane& plane, float (*made)(float))
{
    parallelFor(0, plane.projections, [&](int projection) {
        float* line = plane.line(projection);
        std::transform(line, line + plane.bins, line, made);
    });
}

StepAtWork startRings(const StepArguments& arguments)
{
    const bool isLight = arguments.quantity == Quantity::transmission;
    const std::string way = arguments.planned.way();
    const auto found = std::ranges::find_if(ringWays, [&](const RingWay& one) { return one.id == way; });
    const auto slices = std::make_shared<int>(0); // number of slices with stripes
    const RingValues values = valuesOf(arguments.planned, arguments.raw.bins);
    const auto whole = [found, slices, isLight, values](const RowsAtWork& work) {
        const Sinograms& all = work.sinograms;
        for (int row = work.kept.first; row < work.kept.first + work.kept.count; ++row) {
            throwIfStopped(work.stop);
            const SinogramPlane plane{work.sinograms.values.data() +
                                          static_cast<std::size_t>(row) * all.projections * all.bins,
                                      all.projections, all.bins};
            if (isLight)
                changeEach(plane, minusLog);
            *slices += found->remove(plane, values) != 0;
            if (isLight)
                changeEach(plane, lightOf);
        }
    };
    std::string fewer; // note if there are fewer levels than requested
    if (const int levels = waveletLevels(values.levels, arguments.raw.projections, arguments.raw.bins);
        way == "wavelet" && levels < values.levels)
        fewer = "Rings: only " + std::to_string(levels) + " of the " + std::to_string(values.levels) +
                " wavelet levels requested were used; " + std::to_string(arguments.raw.projections) +
                " projections of " + std::to_string(arguments.raw.bins) + " bins allow no more.";
    const auto notes = [found, slices, fewer]() -> std::vector<Note> {
        std::vector<Note> all{
            {"rings", *slices, "slice", "slices", std::string(" had rings removed: ") + found->label + "."}};
        if (!fewer.empty())
            all.push_back(fewer);
        return all;
    };
    return {.whole = whole, .notes = notes};
}

} // namespace

extern constinit const Step ringsStep{
    .id = "rings",
    .label = "Rings",
    .summary = "Removes stripes of the sinogram, which are rings of the slice.",
    .reference = "Vo, Atwood and Drakopoulos, Optics Express 26, 28396, 2018, algorithms 1 to 6; Münch and others, "
                 "Optics Express 17, 8567, 2009; Titarenko and others, Appl. Math. Lett. 23, 1489, 2010",
    .page = "rings.md",
    .from = {.layout = Layout::sinograms, .gaps = Gaps::mended},
    .isByDefault = false,
    .takesAllProjections = true,
    .parameters = ringParameters,
    .objection = objectionToRings,
    .bytes = ringBytes,
    .start = startRings,
};

} // namespace engine

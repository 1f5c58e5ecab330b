// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/scores.h"

#include "engine/axis/curve.h"
#include "engine/axis/trial_slices.h"
#include "engine/base/error.h"
#include "engine/base/spelling.h"
#include "engine/compare/statistics.h"
#include "engine/compare/used_axis.h"
#include "engine/prepare/noise.h"
#include "engine/stages/stages.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace engine
{

namespace
{

constexpr double notMeasured = std::numeric_limits<double>::quiet_NaN();

// Gives parts of a setting the values of another one.
using Reset = void (*)(Setting& setting, const Setting& base);

void resetAxis(Setting& setting, const Setting& base)
{
    static constexpr const char* tilt = "axis-tilt";
    setting.axis = base.axis;
    setting.preparation.values.erase(tilt);
    if (const auto value = base.preparation.values.find(tilt); value != base.preparation.values.end())
        setting.preparation.values.insert(*value);
}

void resetWindow(Setting& setting, const Setting& base)
{
    const PadMode pad = setting.filter.padMode;
    setting.filter = base.filter;
    setting.filter.padMode = pad;
}

void resetKernel(Setting& setting, const Setting& base)
{
    setting.kernel = base.kernel;
}

void keepInterpolation(Setting& setting, const Setting& base)
{
    const Interpolation interpolation = setting.kernel.interpolation;
    setting = base;
    setting.kernel.interpolation = interpolation;
}

// Returns the first option that changes other parts of the setting than `reset` covers.
const Option* changesMore(const Sweep& sweep, Reset reset)
{
    for (const Variation& variation : sweep.variations)
        for (const std::string& value : variation.values) {
            Request changed = sweep.base;
            setField(*variation.option, changed, value);
            reset(changed.setting, sweep.base.setting);
            if (changed.setting != sweep.base.setting)
                return variation.option;
        }
    return nullptr;
}

auto only(Reset reset, const char* whatItJudges, const char* why)
{
    return [=](const Sweep& sweep, const std::optional<ReferenceChoice>&) -> std::optional<Text> {
        if (const Option* more = changesMore(sweep, reset))
            return std::string(whatItJudges) + ", not " + optionName(more->id) + ": " + why;
        return {};
    };
}

// With the source near by, and over a full turn, points become rings about a wrong axis, which count as sharp.
std::optional<Text> sharpnessCantJudge(const Sweep& sweep, const std::optional<ReferenceChoice>& reference)
{
    const Geometry& geometry = sweep.base.scan->geometry;
    if (!std::holds_alternative<ParallelBeam>(geometry))
        return "sharpness judges the axis of parallel beams: over a full turn a wrong axis makes rings, which are "
               "sharp";
    if (sweep.base.place.plane() && isFullTurn(anglesRadOf(geometry)))
        return "over a full turn sharpness judges slices, not planes";
    return only(resetAxis, "sharpness judges the axis and its tilt", "noise and filters change it, too")(sweep,
                                                                                                         reference);
}

std::optional<Text> differencesCantJudge(const Sweep& sweep, const std::optional<ReferenceChoice>& reference)
{
    using Kind = ReferenceChoice::Kind;
    if (!reference)
        return "it needs a reference" + hint("reference");
    if ((reference->kind == Kind::exact || reference->kind == Kind::exactOf) && changesMore(sweep, keepInterpolation))
        return "the exact image has an interpolation of its own, which wins by definition" +
               hint("reference", "phantom");
    if (reference->kind == Kind::exact)
        if (const Option* more = changesMore(sweep, resetKernel))
            return "each image is compared with the exact one of its own setting, which judges kernels only, not " +
                   optionName(more->id) + hint("reference", "phantom");
    if (reference->kind == Kind::setting)
        return Text("the reference is one of the settings, which is the best by definition");
    return {};
}

auto never(const char* why)
{
    return [why](const Sweep&, const std::optional<ReferenceChoice>&) { return std::optional<Text>(why); };
}

std::vector<Score> allScores()
{
    std::vector<Score> rows;
    for (const MetricRow& metric : metricRows())
        rows.push_back({.id = metric.id,
                        .label = metric.label,
                        .summary = std::string("Difference to the reference: ") + metric.label,
                        .unit = metric.form == MetricRow::Form::difference ? "image"
                                : metric.form == MetricRow::Form::decibels ? "dB"
                                                                           : "",
                        .isHighBest = metric.form != MetricRow::Form::difference,
                        .needsReference = true,
                        .whyNotBest = differencesCantJudge,
                        .measure = [value = metric.value](Scorer& scorer, const ScoredImage& image) {
                            const Metrics* metrics = scorer.metricsOf(image);
                            return metrics ? (*metrics).*value : notMeasured;
                        }});
    rows.insert(
        rows.end(),
        {{.id = "noise",
          .label = "noise",
          .summary = "Standard deviation of the noise, from second differences (Immerkær 1996)",
          .unit = "image",
          .whyNotBest = never("the least noise is that of the most blurred image"),
          .measure =
              [](Scorer& scorer, const ScoredImage& image) {
                  return noiseIn(scorer.pixelsOf(image.made), image.made.image.width, image.made.image.height,
                                 scorer.mask());
              }},
         {.id = "sharpness",
          .label = "sharpness",
          .summary = "Entropy of the histogram inside the slice's circle, which doubled edges and streaks of a wrong "
                     "axis increase (Donath et al. 2006); comparable within one sweep",
          .unit = "bits, least is sharpest",
          .whyNotBest = sharpnessCantJudge,
          .measure = [](Scorer& scorer, const ScoredImage& image) { return scorer.sharpnessOf(image); }},
         {.id = "residual",
          .label = "residual",
          .summary = "Difference of the reprojected slice from the projections, as a share of them",
          .isCostly = true,
          .whyNotBest = only(resetAxis, "the residual judges the axis and its tilt",
                             "an image that follows the noise has the smallest one"),
          .measure =
              [](Scorer& scorer, const ScoredImage& image) {
                  return scorer.consistencyOf(image).residual.value_or(notMeasured);
              }},
         {.id = "resolution",
          .label = "resolution",
          .summary = "Finest detail on which the images of the even and of the odd projections agree (half-bit "
                     "criterion)",
          .unit = "pixels",
          .isCostly = true,
          .whyNotBest = never("both halves have the axis, the filter and the rings in common"),
          .measure =
              [](Scorer& scorer, const ScoredImage& image) {
                  const Consistency& of = scorer.consistencyOf(image);
                  return of.halves ? of.resolutionPixels : notMeasured;
              }},
         {.id = "error",
          .label = "estimated error",
          .summary = "RMSE against the image by the ramp filter without noise, estimated from the image and the noise "
                     "of the projections",
          .unit = "image",
          .isCostly = true,
          .whyNotBest = only(resetWindow, "the estimated error judges the filter's window, cut-off and order",
                             "it compares with the ramp filter, the setting's own rows, axis and kernel"),
          .measure = [](Scorer& scorer, const ScoredImage& image) { return scorer.errorOf(image); }},
         {.id = "seconds",
          .label = "seconds",
          .summary = "Filter, back-projection and copies of this image, without reading and preparation",
          .unit = "s",
          .whyNotBest = never("a single run measures speed roughly; the command benchmark compares speeds"),
          .measure = [](Scorer&, const ScoredImage& image) { return image.made.timings.totalSeconds; }},
         {.id = "gups",
          .label = "kernel",
          .summary = "Speed of the kernel, in giga-updates per second",
          .unit = "GU/s",
          .isHighBest = true,
          .whyNotBest = never("a single run measures speed roughly; the command benchmark compares speeds"),
          .measure = [](Scorer&, const ScoredImage& image) { return image.made.kernelGups; }}});
    return rows;
}

double meanSquare(std::span<const float> a, std::span<const float> b, const MaskRows& rows, int height, int width)
{
    double sum = 0;
    long long count = 0;
    for (int row = 0; row < height; ++row)
        for (const Run& run : rows.runs(row))
            for (std::size_t k = static_cast<std::size_t>(row) * width + run.begin,
                             end = static_cast<std::size_t>(row) * width + run.end;
                 k < end; ++k) {
                const double difference = static_cast<double>(a[k]) - b[k];
                sum += difference * difference;
                ++count;
            }
    return sum / static_cast<double>(count);
}

} // namespace

std::span<const Score> scores()
{
    static const std::vector<Score> rows = allScores();
    return rows;
}

const Score& scoreNamed(const std::string& id)
{
    std::vector<std::string> known;
    for (const Score& score : scores()) {
        if (score.id == id)
            return score;
        known.push_back(score.id);
    }
    throw Error(ErrorKind::badRequest, unknownText("unknown score", id, known));
}

std::span<const float> Scorer::pixelsOf(const Reconstruction& made) const
{
    return made.image.slice(made.request.place.plane() ? 0 : m_slice - made.request.place.slices().first);
}

const Metrics* Scorer::metricsOf(const ScoredImage& image)
{
    if (!m_metrics && image.reference)
        m_metrics = compareImages(pixelsOf(image.made), pixelsOf(*image.reference), image.made.image.width,
                                  image.made.image.height, m_mask);
    return m_metrics ? &*m_metrics : nullptr;
}

const Consistency& Scorer::consistencyOf(const ScoredImage& image)
{
    if (!m_consistency)
        m_consistency = engine::consistencyOf(image.made, m_slice, image.stop);
    return *m_consistency;
}

// The histogram's range is that of the first image and half as much again, so that all images are measured alike. Over
// a full turn a wrong axis turns points into rings, which count as sharp: parallel beams are judged by half a turn,
// unless the axis is so far off that both halves are needed.
double Scorer::sharpnessOf(const ScoredImage& image)
{
    const Volume& made = image.made.image;
    if (made.width != made.height)
        return notMeasured;
    const auto entropyOf = [&](std::span<const float> pixels) {
        if (!m_range) {
            const auto [least, most] = std::ranges::minmax(pixels);
            const double more = (most - least) / 4;
            m_range.emplace(least - more, most + more);
        }
        return engine::sharpnessOf(pixels, made.width, m_range->first, m_range->second).entropy;
    };
    Request request = image.made.request;
    const Geometry& geometry = request.scan->geometry;
    const int bins = binsOf(geometry);
    if (!std::holds_alternative<ParallelBeam>(geometry) || !isFullTurn(anglesRadOf(geometry)) ||
        std::abs(image.made.axisBins - (bins - 1) / 2.0) > bins / 4.0 || request.place.plane())
        return entropyOf(pixelsOf(image.made));
    request.setting.axis = usedAxis(request.setting.axis, image.made);
    if (const RowRange rows = preparedKey(request).rows; !m_halfTurn || !(rows == m_halfTurnRows)) {
        std::vector<int> half = halfTurnOf(anglesRadOf(geometry));
        std::ranges::sort(half);
        m_halfTurn.emplace(request, read(request, rows, image.stop), half);
        m_halfTurnRows = rows;
    }
    return entropyOf(pixelsOf(m_halfTurn->imageOf(request, image.stop)));
}

const Scorer::Ramp& Scorer::rampFor(const Request& request, const std::stop_token& stop)
{
    Request ramp = request;
    resetWindow(ramp.setting, {});
    if (m_ramp && m_ramp->request == ramp)
        return *m_ramp;
    const RowRange rows = preparedKey(ramp).rows;
    PreparedRows prepared = prepare(ramp, read(ramp, rows, stop), rows, 0, stop);
    m_ramp.emplace();
    m_ramp->request = ramp;
    m_ramp->noise = prepared;
    m_ramp->noise.prepared.sinograms = noiseOf(prepared.prepared.sinograms, anglesRadOf(ramp.scan->geometry));
    m_ramp->images.take(std::move(prepared));
    m_ramp->image = m_ramp->images.run(ramp, {}, stop);
    m_ramp->noiseImage = noiseImageOf(ramp, stop);
    return *m_ramp;
}

Reconstruction Scorer::noiseImageOf(const Request& request, const std::stop_token& stop)
{
    m_ramp->ofNoise.take(PreparedRows(m_ramp->noise));
    return m_ramp->ofNoise.run(request, {}, stop);
}

// With the blur b of a filter and the noise n of its image, and the noise m of the image by the ramp filter alone, the
// mean squared difference of the two images is b² + (n − m)² in expectation, and the wanted error is b² + n². Noise
// like that of the projections, reconstructed with both filters, gives (n − m)² and n². (Stein's unbiased estimate of
// risk for a linear estimate; Stein, Annals of Statistics 9, 1981, 1135.)
double Scorer::errorOf(const ScoredImage& image)
{
    Request request = image.made.request;
    request.setting.axis = usedAxis(request.setting.axis, image.made);
    if (projectionsOf(request) < 4)
        return notMeasured;
    const Ramp& ramp = rampFor(request, image.stop);
    const Reconstruction noise = noiseImageOf(request, image.stop);
    const Volume& made = image.made.image;
    const MaskRows rows(m_mask, made.width, made.height);
    const auto difference = [&](std::span<const float> a, std::span<const float> b) {
        return meanSquare(a, b, rows, made.height, made.width);
    };
    const Values none(made.sliceSize(), 0.0F);
    const double squared = difference(pixelsOf(image.made), pixelsOf(ramp.image)) -
                           difference(pixelsOf(noise), pixelsOf(ramp.noiseImage)) + difference(pixelsOf(noise), none);
    return std::copysign(std::sqrt(std::abs(squared)), squared); // below 0 where the error is far below the noise
}

} // namespace engine

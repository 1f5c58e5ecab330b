// SPDX-License-Identifier: GPL-3.0-or-later
// Correction of a tilted rotation axis, as seen by a rolled detector. Projections are turned back about the middle of
// the detector, so that a slice is a row again. They are resampled in two passes (Catmull and Smith 1980), first down
// each bin and then along the row, with eight pixels each (Lagrange), which blur less than four.
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/parallel_for.h"
#include "engine/prepare/steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace engine
{

namespace
{

constexpr const char* tiltId = "axis-tilt";
std::span<const StepField> tiltParameters()
{
    static const std::vector<StepField> fields =
        stepFields({{.id = tiltId,
                     .label = "Axis tilt",
                     .summary = "Angle by which the rotation axis leans on the detector, its top towards higher bins; "
                                "the projections are turned back by it",
                     .unit = "°",
                     .form = "DEG",
                     .kind = FieldKind::real,
                     .least = -10,
                     .most = 10,
                     .step = 0.01,
                     .use = {.isOfScan = true}}});
    return fields;
}

double tiltRadOf(const PlannedStep& planned)
{
    return planned.value(tiltId) * std::numbers::pi / 180;
}

// Number of pixels read per pass, and how many of these lie before the one at the position.
constexpr int turnTaps = 8, turnBefore = 3;

// Returns the number of rows needed on each side. It is the sum of three lengths: by how much the ends of a tilted row
// lie above or below its middle, by how much the tilt shortens half of the axis, and the reach of the interpolation.
int tiltHalo(const PlannedStep& planned, const Preparation& preparation)
{
    const double rad = tiltRadOf(planned), cosine = std::cos(rad);
    const double most = std::abs(std::sin(rad)) * preparation.bins / 2 + (1 - cosine) * preparation.rows / 2;
    return static_cast<int>(std::ceil(most / cosine)) + turnTaps / 2;
}

// Positions and weights of the values that are read for each bin of a row: turnTaps values from `first` on.
struct TurnReading {
    std::vector<int> first;
    std::array<std::vector<float>, turnTaps> shares;

    explicit TurnReading(std::size_t bins) : first(bins)
    {
        for (std::vector<float>& each : shares)
            each.resize(bins);
    }

    // Lagrange interpolation through all values, exact for polynomials of the seventh degree.
    void set(std::size_t bin, double place)
    {
        const double floor = std::floor(place), t = place - floor;
        first[bin] = static_cast<int>(floor) - turnBefore;
        for (int k = 0; k < turnTaps; ++k) {
            double share = 1;
            for (int j = 0; j < turnTaps; ++j)
                if (j != k)
                    share *= (t + turnBefore - j) / (k - j);
            shares[static_cast<std::size_t>(k)][bin] = static_cast<float>(share);
        }
    }
};

// A point u bins and v rows from the middle of an upright detector was recorded, relative to the middle, at
//   x = u·cos t − v·sin t,  y = u·sin t + v·cos t
// where t is the tilt. If t is positive, the recorded axis (u = 0) is at lower bins further down. Eliminating u gives
// y = (x·sin t + v)/cos t: the first pass reads row v down the bins at that y, the second one reads along the row.
struct TurnedRow {
    TurnReading down, along;

    TurnedRow(double rad, const Preparation& preparation, double v, double middleRow)
        : down(static_cast<std::size_t>(preparation.bins)), along(static_cast<std::size_t>(preparation.bins))
    {
        const double cosine = std::cos(rad), sine = std::sin(rad), middle = (preparation.bins - 1) / 2.0;
        for (int bin = 0; bin < preparation.bins; ++bin) {
            const double fromMiddle = bin - middle;
            down.set(static_cast<std::size_t>(bin), middleRow + (fromMiddle * sine + v) / cosine);
            along.set(static_cast<std::size_t>(bin), middle + fromMiddle * cosine - v * sine);
        }
    }
};

// Calls work for each run of bins with the same place (the same rows, or the same offset along the row), so that the
// loop inside has no branches.
template <typename Place, typename Work>
void forEachRun(int bins, const Place& place, const Work& work)
{
    for (int first = 0; first < bins;) {
        int end = first + 1;
        while (end < bins && place(end) == place(first))
            ++end;
        work(first, end, place(first));
        first = end;
    }
}

class Turning
{
  public:
    Turning(double rad, const Preparation& preparation, int firstRow)
        : m_rad(rad), m_preparation(preparation), m_middleRow((preparation.rows - 1) / 2.0 - firstRow)
    {
    }

    void run(const RowsAtWork& work) const
    {
        std::vector<TurnedRow> rows;
        for (int k = 0; k < work.kept.count; ++k)
            rows.emplace_back(m_rad, m_preparation, work.kept.first + k - m_middleRow, m_middleRow);
        parallelFor(0, work.sinograms.projections, [&](int projection) {
            throwIfStopped(work.stop);
            const auto bins = static_cast<std::size_t>(work.sinograms.bins);
            std::vector<float> made(rows.size() * bins), read(bins + 2 * margin(work));
            for (std::size_t k = 0; k < rows.size(); ++k)
                turnRow(work, projection, rows[k], read, made.data() + k * bins);
            for (std::size_t k = 0; k < rows.size(); ++k)
                std::copy_n(made.data() + k * bins, bins,
                            lineOf(work.sinograms, work.kept.first + static_cast<int>(k), projection).begin());
        });
    }

  private:
    // Number of bins by which a row is read beyond its ends.
    std::size_t margin(const RowsAtWork& work) const
    {
        const double rows = std::max(m_preparation.rows, work.sinograms.slices);
        return static_cast<std::size_t>(std::ceil(std::abs(std::sin(m_rad)) * rows + turnTaps));
    }

    // Beyond the detector, its outermost pixels are repeated.
    void turnRow(const RowsAtWork& work, int projection, const TurnedRow& row, std::vector<float>& read,
                 float* made) const
    {
        const int bins = work.sinograms.bins, firstRow = work.rows.first,
                  lastRow = work.rows.first + work.rows.count - 1;
        const std::size_t beyond = margin(work);
        float* const line = read.data() + beyond;
        forEachRun(
            bins, [&](int bin) { return row.down.first[bin]; },
            [&](int first, int end, int place) {
                std::fill(line + first, line + end, 0.0F);
                for (int n = 0; n < turnTaps; ++n) {
                    const float* from =
                        lineOf(work.sinograms, std::clamp(place + n, firstRow, lastRow), projection).data();
                    const float* share = row.down.shares[static_cast<std::size_t>(n)].data();
                    for (int bin = first; bin < end; ++bin)
                        line[bin] += share[bin] * from[bin];
                }
            });
        std::fill(read.begin(), read.begin() + static_cast<std::ptrdiff_t>(beyond), line[0]);
        std::fill(read.end() - static_cast<std::ptrdiff_t>(beyond), read.end(), line[bins - 1]);
        forEachRun(
            bins, [&](int bin) { return row.along.first[bin] - bin; },
            [&](int first, int end, int shift) {
                std::fill(made + first, made + end, 0.0F);
                for (int n = 0; n < turnTaps; ++n) {
                    const float* share = row.along.shares[static_cast<std::size_t>(n)].data();
                    for (int bin = first; bin < end; ++bin)
                        made[bin] += share[bin] * line[bin + shift + n];
                }
            });
    }

    double m_rad;
    const Preparation& m_preparation;
    double m_middleRow; // counted from the first row read
};

StepAtWork startTilt(const StepArguments& arguments)
{
    const double degrees = arguments.planned.value(tiltId);
    const Turning turn(tiltRadOf(arguments.planned), arguments.preparation, arguments.raw.rows.first);
    return {.whole = [turn](const RowsAtWork& work) { turn.run(work); },
            .notes =
                [degrees] {
                    return std::vector<Note>{"The projections were turned by " + numberToText(degrees) +
                                             "°, so that the rotation axis stands upright."};
                }};
}

std::optional<Text> objectionToTilt(const PlannedStep&, const Preparation& preparation)
{
    if (preparation.bins > 0 && preparation.rows > 0)
        return {};
    return "The projections can't be turned upright" + hint("axis-tilt") + " without the size of the detector.";
}

std::size_t tiltBytes(const RowsShape& shape)
{
    // The positions and weights for each row, and one projection per thread (64 assumed).
    return sizeof(float) * shape.rows * shape.bins * (2 * (turnTaps + 1) + 64);
}

} // namespace

extern constinit const Step tiltStep{
    .id = "tilt",
    .label = "Tilt",
    .summary = "Turns projections of a rolled detector back, so that the rotation axis stands upright.",
    .reference = "Catmull and Smith, 3-D transformations of images in scanline order, SIGGRAPH 1980",
    .from = {.layout = Layout::sinograms, .gaps = Gaps::mended},
    .isByDefault = false,
    .otherBeams = "for cone beams, use the roll of the geometry instead; it needs no rotated projections",
    .parameters = tiltParameters,
    .halo = tiltHalo,
    .objection = objectionToTilt,
    .bytes = tiltBytes,
    .start = startTilt,
};

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the axis in several rows by the quick methods and fits a line to the rows that agree. Turns the projections
// back and repeats this until the line is upright. A row of a tilted detector also records parts of the slices above
// and below, different ones at each end. If the object changes along the axis, opposite views then seem to be
// mirrored about a position beside the axis. The error is often several times as large as the shift of the axis by the
// tilt itself. So the rows show the axis correctly only when the projections are upright. How much the slope of the
// line changes when the projections are turned can't be calculated; it is measured from one turn to the next.
#include "engine/axis/tilt.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/prepare/steps.h"
#include "engine/stages/prepared_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <utility>

namespace engine
{

namespace
{

constexpr const char* tiltOption = "axis-tilt";
constexpr double degreesPerRad = 180 / std::numbers::pi;
constexpr double mostTiltRad = 10 / degreesPerRad;
constexpr double fineTiltRad = 0.004 / degreesPerRad;                 // smaller changes are not followed up
constexpr double leastGain = 0.02, sureTiltRad = 0.1 / degreesPerRad; // standard deviation that halves the confidence
constexpr int mostRounds = 7;
// Constants determined in tests/bench/results/tilt-uncertainty.md.
constexpr double rowErrorBins = 0.01;  // error of the axis of a row without noise
constexpr double aslantShare = 0.3;    // error common to all rows: share of (scatter about the line × bins / rows)
constexpr double leastKnownGain = 0.3; // lower bound of TiltSteps::gain, which is known only roughly

// Spreads rows over the scan, away from its ends, where rows are often cut off or empty.
std::vector<int> rowsOver(int rowsOfScan, int count)
{
    std::vector<int> rows;
    for (int k = 0; k < count; ++k) {
        const int row = static_cast<int>(std::lround((k + 0.5) / count * rowsOfScan - 0.5));
        if (rows.empty() || rows.back() != row)
            rows.push_back(row);
    }
    return rows;
}

double weightOfRow(const AxisOfRow& row)
{
    return std::max(0.0, row.found.confidence.value_or(0));
}

// bins = at + slope · (row − middle)
struct AxisLine {
    double at = 0, slope = 0, middle = 0;

    double off(const AxisOfRow& row) const { return row.found.bins - at - slope * (row.row - middle); }
};

AxisLine lineThrough(const AxisOfRow& a, const AxisOfRow& b, double middle)
{
    const double slope = (b.found.bins - a.found.bins) / (b.row - a.row);
    return {a.found.bins + slope * (middle - a.row), slope, middle};
}

// Least-squares line through the rows that agree.
AxisLine lineThroughAgreeing(const std::vector<AxisOfRow>& rows, double middle)
{
    double w = 0, y = 0, x = 0;
    for (const AxisOfRow& row : rows)
        if (row.agrees) {
            w += weightOfRow(row);
            y += weightOfRow(row) * (row.row - middle);
            x += weightOfRow(row) * row.found.bins;
        }
    y /= w, x /= w;
    double yy = 0, xy = 0;
    for (const AxisOfRow& row : rows)
        if (row.agrees) {
            const double away = row.row - middle - y;
            yy += weightOfRow(row) * away * away;
            xy += weightOfRow(row) * away * (row.found.bins - x);
        }
    const double slope = yy > 0 ? xy / yy : 0;
    return {x - slope * y, slope, middle};
}

// Factor for a standard deviation with few degrees of freedom (Student's t), such that 68 % of the values lie within
// one and 99 % within three standard deviations, as for a normal distribution.
double studentsFactor(int freedom)
{
    constexpr std::array<double, 8> factors = {21, 3.3, 1.95, 1.55, 1.35, 1.25, 1.2, 1.15};
    return factors[std::clamp(freedom, 1, static_cast<int>(factors.size())) - 1];
}

// Returns the standard deviation of the line's slope. It has two parts: the random distances of the rows from the
// line, and an error that may be common to many rows, because rows record parts of other slices as long as the
// projections aren't upright. The second part grows with the ratio of the detector's bins to its rows.
double slopeErrorOf(const std::vector<AxisOfRow>& rows, double binsPerRow)
{
    double w = 0, y = 0, yy = 0, squares = 0;
    int count = 0;
    std::vector<double> off;
    for (const AxisOfRow& row : rows) {
        if (weightOfRow(row) > 0)
            off.push_back(std::abs(row.offBins));
        if (!row.agrees)
            continue;
        w += weightOfRow(row);
        y += weightOfRow(row) * row.row;
        yy += weightOfRow(row) * row.row * row.row;
        squares += weightOfRow(row) * row.offBins * row.offBins;
        ++count;
    }
    const double spread = count > 2 ? yy / w - y * y / w / w : 0; // variance of the row positions
    if (!(spread > 0))
        return 1;
    const auto middle = off.begin() + static_cast<std::ptrdiff_t>(off.size() / 2);
    std::nth_element(off.begin(), middle, off.end());
    // Rows agree only if they lie near the line, so their distances don't show strong noise. The median over all rows
    // does.
    const double robust = 1.4826 * *middle, chance = squares / w * count / (count - 2);
    const double variance = std::max(chance, robust * robust) + rowErrorBins * rowErrorBins;
    const double student = studentsFactor(count - 2), aslant = std::min(1.0, aslantShare * binsPerRow);
    return std::sqrt(variance * (student * student / count + aslant * aslant) / spread);
}

// Marks the rows within the tolerance of a line and returns the sum of their weights.
double agree(std::vector<AxisOfRow>& rows, const AxisLine& line, double tolerance)
{
    double sum = 0;
    for (AxisOfRow& row : rows) {
        row.offBins = line.off(row);
        row.agrees = std::abs(row.offBins) <= tolerance && weightOfRow(row) > 0;
        sum += row.agrees ? weightOfRow(row) : 0;
    }
    return sum;
}

// Secant iteration towards the tilt at which the fitted line is upright, by the slope through the last two steps.
struct TiltSteps {
    double tiltRad = 0;
    double gain = 1; // reduction of the remaining tilt per angle turned
    bool isSettled = false;

    void go(double restRad)
    {
        if (m_hasLast)
            if (const double seen = (m_lastRestRad - restRad) / (tiltRad - m_lastRad); std::abs(seen) > leastGain)
                gain = seen;
        const double step = restRad / (m_hasLast ? gain : 2); // a cautious first step
        isSettled = std::abs(step) < fineTiltRad;
        m_lastRad = std::exchange(tiltRad, std::clamp(tiltRad + step, -mostTiltRad, mostTiltRad));
        m_lastRestRad = restRad;
        m_hasLast = m_lastRad != tiltRad;
    }

  private:
    double m_lastRad = 0, m_lastRestRad = 0;
    bool m_hasLast = false;
};

struct FittedAxis {
    AxisLine line;
    bool isLine = false;
};

FittedAxis fitted(std::vector<AxisOfRow>& rows, double middle, double tolerance)
{
    FittedAxis made{{rows[rows.size() / 2].found.bins, 0, middle}};
    double most = 0;
    for (std::size_t a = 0; a < rows.size(); ++a)
        for (std::size_t b = a + 1; b < rows.size(); ++b) {
            const AxisLine line = lineThrough(rows[a], rows[b], middle);
            if (std::abs(line.slope) > std::tan(mostTiltRad))
                continue;
            if (const double sum = agree(rows, line, tolerance); sum > most) {
                most = sum;
                made.line = line;
            }
        }
    made.isLine = most > 0;
    agree(rows, made.line, tolerance);
    for (int round = 0; round < 2 && made.isLine; ++round) {
        made.line = lineThroughAgreeing(rows, middle);
        made.isLine = agree(rows, made.line, tolerance) > 0;
    }
    return made;
}

// Finds the axis of one row; the confidence is 0 if the row holds nothing usable.
AxisFound axisOfRow(const Request& request, RowRange row, std::vector<int>& empty, const std::stop_token& stop)
try {
    const PreparedRows rows = prepare(request, read(request, row, stop), row, 0, stop);
    empty = rows.facts.emptyProjections;
    return findAxisQuickly(rows, row.first, request.resources.threads, stop);
} catch (const Error& error) {
    if (error.kind() != ErrorKind::badFile)
        throw;
    return {.bins = request.scan->middleBins(), .how = {}, .confidence = 0.0, .doubt = error.text()};
}

std::vector<int> inBoth(const std::vector<int>& a, const std::vector<int>& b)
{
    std::vector<int> both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    return both;
}

// Returns an angle in degrees with two decimals.
std::string hundredthsOf(double angleRad)
{
    return numberToText(std::round(100 * angleRad * degreesPerRad) / 100);
}

// Returns the tolerance for rows that agree: half a bin, or more on wide detectors.
double toleranceFor(int bins)
{
    return std::max(0.5, bins / 1000.0);
}

void judge(AxisTilt& all, bool isSettled, int rowsOfScan)
{
    double agreeing = 0, everything = 0, confidence = 0;
    int count = 0, lowest = rowsOfScan, highest = 0;
    for (const AxisOfRow& row : all.rows) {
        everything += weightOfRow(row);
        if (!row.agrees)
            continue;
        agreeing += weightOfRow(row);
        confidence += weightOfRow(row);
        ++count;
        lowest = std::min(lowest, row.row);
        highest = std::max(highest, row.row);
    }
    const bool isSpread = highest - lowest >= rowsOfScan / 4;
    const double doubts = all.uncertaintyRad / sureTiltRad;
    const bool isSharp = doubts < 1;
    if (isSettled && count >= fewestTiltRows && isSpread)
        all.confidence = agreeing / everything * confidence / count / (1 + doubts * doubts);
    if (all.confidence < sureAxis)
        all.doubt = "The tilt of the rotation axis is doubtful: " + std::to_string(count) + " of " +
                    std::to_string(all.rows.size()) + " rows lie on a line" +
                    (count >= fewestTiltRows && !isSpread ? ", and these rows are close together." : ".") +
                    (isSettled ? "" : " The search doesn't converge.") +
                    (isSharp ? ""
                             : " The tilt, " + hundredthsOf(all.tiltRad) + "°, may be " +
                                   hundredthsOf(all.uncertaintyRad) + "° off.") +
                    " Look at slices near the top and the bottom.";
}

} // namespace

AxisTilt findAxisTilt(const Request& request, int count, const std::function<void(double)>& progress,
                      const std::stop_token& stop)
{
    const Scan& scan = *request.scan;
    const ParallelBeam& beam = parallelBeamOf(scan.geometry, "finding the tilt of the axis");
    require(count >= fewestTiltRows && scan.rows >= fewestTiltRows,
            "finding the tilt of the axis needs at least " + std::to_string(fewestTiltRows) + " rows; " + scan.name +
                " has " + std::to_string(scan.rows));
    require(count <= scan.rows, "the axis can't be found in " + std::to_string(count) + " rows: " + scan.name +
                                    " has " + std::to_string(scan.rows));
    AxisTilt all;
    all.toleranceBins = toleranceFor(beam.bins);
    for (const int row : rowsOver(scan.rows, count))
        all.rows.push_back({.row = row, .found = {}});
    double done = 0;
    TiltSteps steps;
    Request turned = request;
    for (int round = 0; round < mostRounds && !steps.isSettled; ++round) {
        setValue(*findParameter(tiltOption).parameter, steps.tiltRad * degreesPerRad, turned.setting.preparation);
        for (AxisOfRow& each : all.rows) {
            std::vector<int> empty;
            each.found = axisOfRow(turned, {each.row, 1}, empty, stop);
            if (round == 0)
                all.emptyProjections = &each == &all.rows.front() ? empty : inBoth(all.emptyProjections, empty);
            done += 1.0 / static_cast<double>(all.rows.size());
            if (progress)
                progress(done / (done + 1));
        }
        const FittedAxis fit = fitted(all.rows, (scan.rows - 1) / 2.0, all.toleranceBins);
        all.bins = std::clamp(fit.line.at, 0.0, beam.bins - 1.0);
        all.uncertaintyRad = mostTiltRad;
        if (!fit.isLine)
            break;
        // The slope is in bins per row, downwards. It is negative if the top of the axis leans towards higher bins.
        steps.go(-std::atan(fit.line.slope));
        const double error = std::atan(slopeErrorOf(all.rows, static_cast<double>(beam.bins) / scan.rows));
        all.uncertaintyRad = std::min(mostTiltRad, error / std::clamp(steps.gain, leastKnownGain, 1.0));
    }
    all.tiltRad = steps.tiltRad;
    judge(all, steps.isSettled, scan.rows);
    if (const AxisFound doubted = doubtedFor(scan, {.bins = all.bins, .how = {}, .confidence = all.confidence});
        !doubted.doubt.empty()) {
        all.confidence = *doubted.confidence;
        all.doubt = doubted.doubt + (all.doubt.empty() ? "" : " " + all.doubt);
    }
    if (progress)
        progress(1);
    return all;
}

} // namespace engine

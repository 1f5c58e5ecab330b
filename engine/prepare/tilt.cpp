// The rotation axis stood upright: a detector that is rolled sees it lean. Projections are turned back about the
// detector's middle, read from between the pixels recorded (Catmull-Rom, four by four), so that a slice is a row again.
#include "engine/error.h"
#include "engine/number_text.h"
#include "engine/parallel_for.h"
#include "engine/prepare/place_between.h"
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
constexpr std::array tiltParameters = {StepParameter{
    .id = tiltId,
    .label = "Axis tilt",
    .summary = "How the rotation axis leans on the detector, its top towards higher bins: projections are turned back "
               "by it; 0 for an upright axis",
    .unit = "°",
    .form = "DEG",
    .least = -10,
    .most = 10,
    .step = 0.01}};

double tiltRadOf(const PlannedStep& planned)
{
    return planned.value(tiltId) * std::numbers::pi / 180;
}

// What the ends of a row lie higher, and those of the axis lower, and what interpolation reads beyond.
int tiltHalo(const PlannedStep& planned, const Preparation& preparation)
{
    const double rad = tiltRadOf(planned);
    return static_cast<int>(
               std::ceil(std::abs(std::sin(rad)) * preparation.bins / 2 + (1 - std::cos(rad)) * preparation.rows / 2)) +
           2;
}

// A point u bins and v rows from the detector's middle, of a detector that stands upright, was recorded at
//   u·cos t − v·sin t,  u·sin t + v·cos t
// from the middle, t the tilt: the axis, along v, comes to lower bins further down.
class Turn
{
  public:
    Turn(double rad, const Preparation& preparation, int firstRow)
        : m_cos(std::cos(rad)), m_sin(std::sin(rad)), m_middleBin((preparation.bins - 1) / 2.0),
          m_middleRow((preparation.rows - 1) / 2.0 - firstRow)
    {
    }

    void run(const RowsAtWork& work) const
    {
        parallelFor(0, work.sinograms.projections, [&](int projection) {
            throwIfStopped(work.stop);
            const auto bins = static_cast<std::size_t>(work.sinograms.bins);
            std::vector<float> made(work.kept.count * bins);
            for (int k = 0; k < work.kept.count; ++k)
                turnRow(work, projection, work.kept.first + k, made.data() + k * bins);
            for (int k = 0; k < work.kept.count; ++k)
                std::copy_n(made.data() + k * bins, bins, lineOf(work, work.kept.first + k, projection));
        });
    }

  private:
    static float* lineOf(const RowsAtWork& work, int row, int projection)
    {
        return work.sinograms.values.data() +
               (static_cast<std::size_t>(row) * work.sinograms.projections + projection) * work.sinograms.bins;
    }

    // Beyond the detector its outermost pixels go on.
    void turnRow(const RowsAtWork& work, int projection, int row, float* made) const
    {
        const int firstRow = work.rows.first, lastRow = work.rows.first + work.rows.count - 1;
        const int bins = work.sinograms.bins;
        const double v = row - m_middleRow;
        for (int bin = 0; bin < bins; ++bin) {
            const double u = bin - m_middleBin;
            const PlaceBetween along = placeBetween(m_middleBin + u * m_cos - v * m_sin);
            const PlaceBetween across = placeBetween(m_middleRow + u * m_sin + v * m_cos);
            double value = 0;
            for (int n = 0; n < 4; ++n) {
                const float* line = lineOf(work, std::clamp(across.before - 1 + n, firstRow, lastRow), projection);
                double inLine = 0;
                for (int m = 0; m < 4; ++m)
                    inLine += along.weights[m] * line[std::clamp(along.before - 1 + m, 0, bins - 1)];
                value += across.weights[n] * inLine;
            }
            made[bin] = static_cast<float>(value);
        }
    }

    double m_cos, m_sin, m_middleBin, m_middleRow; // rows: of those that were read
};

StepAtWork startTilt(const StepArguments& arguments)
{
    const double degrees = arguments.planned.value(tiltId);
    const Turn turn(tiltRadOf(arguments.planned), arguments.preparation, arguments.raw.rows.first);
    return {.whole = [turn](const RowsAtWork& work) { turn.run(work); },
            .notes =
                [degrees] {
                    return std::vector{"The projections were turned by " + numberToText(degrees) +
                                       "°, so that the rotation axis stands upright."};
                }};
}

std::optional<std::string> objectionToTilt(const PlannedStep&, const Preparation& preparation)
{
    if (preparation.bins > 0 && preparation.rows > 0)
        return {};
    return "The projections can't be turned upright (--axis-tilt) without the size of the detector.";
}

std::size_t tiltBytes(const RowsShape& shape)
{
    return sizeof(float) * shape.rows * shape.bins * 64; // of one projection, for each thread
}

} // namespace

extern constinit const Step tiltStep{
    .id = "tilt",
    .label = "Tilt",
    .summary = "Turns projections of a rolled detector back, so that the rotation axis stands upright.",
    .reference = "Catmull and Rom, A class of local interpolating splines, 1974, along bins and rows",
    .from = {.layout = Layout::sinograms, .gaps = Gaps::mended},
    .isByDefault = false,
    .otherBeams = "a cone beam has its --roll, which needs no turning",
    .parameters = tiltParameters,
    .halo = tiltHalo,
    .objection = objectionToTilt,
    .bytes = tiltBytes,
    .start = startTilt,
};

} // namespace engine

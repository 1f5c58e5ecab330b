// SPDX-License-Identifier: GPL-3.0-or-later
// Logarithm: transmission to line integrals, the step and its formula for one value.
#include "engine/prepare/minus_log.h"

#include "engine/prepare/line_kernel.h"
#include "engine/prepare/steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace engine
{

float minusLog(float transmission)
{
    if (!(transmission > smallestTransmission)) // also true for NaN
        return -std::log(smallestTransmission);
    return -std::log(transmission < std::numeric_limits<float>::max() ? transmission
                                                                      : std::numeric_limits<float>::max());
}

float leastLight()
{
    return std::nextafter(smallestTransmission, 1.0F);
}

float lightOf(float lineIntegral)
{
    return std::max(leastLight(), std::exp(-lineIntegral));
}

namespace
{

constexpr const char* floorId = "log-floor";

std::span<const StepField> logarithmParameters()
{
    static const std::vector<StepField> fields =
        stepFields({{.id = floorId,
                     .label = "Minimum transmission",
                     .summary = "Minimum transmission before the logarithm: avoids streaks where counts are low",
                     .form = "T",
                     .kind = FieldKind::real,
                     .least = leastTransmission,
                     .most = 0.5,
                     .step = 0.001,
                     .use = {.standard = leastTransmission}}});
    return fields;
}

// Values at or below the dark level are marked, not clamped: the step of dead values (dead_values.cpp) decides from
// their neighbours whether they are detector faults or an object too dense to see through.
StepAtWork startMinusLog(const StepArguments& arguments)
{
    const float most = minusLog(static_cast<float>(arguments.planned.value(floorId)));
    return {.apply =
                [most](LineAtWork& line) {
                    minusLogLine(line.values.data(), line.values.size());
                    if (most < minusLog(0))
                        for (float& value : line.values)
                            if (value > most && value != noLight)
                                value = most;
                },
            .describe = [](LineProgram& program) { program.minusLog = true; }};
}

} // namespace

double smallestTransmissionOf(const Preparation& preparation)
{
    const PlannedStep* logarithm = preparation.find("logarithm");
    return logarithm ? logarithm->value(floorId) : leastTransmission;
}

extern constinit const Step logarithmStep{
    .id = "logarithm",
    .label = "Logarithm",
    .summary = "Turns transmission into line integrals of the attenuation by −log.",
    .reference = "Beer and Lambert; Kak and Slaney, Principles of Computerized Tomographic Imaging, 1988, section 4.1",
    .from = {.quantity = Quantity::transmission},
    .to = {.quantity = Quantity::attenuation},
    .parameters = logarithmParameters,
    .onDevices = [](const PlannedStep& planned,
                    const Preparation&) { return planned.value(floorId) == leastTransmission; },
    .start = startMinusLog,
};

} // namespace engine

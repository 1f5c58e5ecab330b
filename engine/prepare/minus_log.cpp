// Transmission to line integrals: the step, and its formula for one value.
#include "engine/prepare/minus_log.h"

#include "engine/prepare/line_kernel.h"
#include "engine/prepare/steps.h"

#include <cmath>
#include <limits>

namespace engine
{

float minusLog(float transmission)
{
    if (!(transmission > smallestTransmission)) // NaN too
        return -std::log(smallestTransmission);
    return -std::log(transmission < std::numeric_limits<float>::max() ? transmission
                                                                      : std::numeric_limits<float>::max());
}

namespace
{

// What is at or below the dark level is marked, not clamped: whether it is a fault of the detector or an object too
// dense to see through is judged with its neighbours (dead_values.cpp).
StepAtWork startMinusLog(const StepArguments&)
{
    return {.apply = [](LineAtWork& line) { minusLogLine(line.values.data(), line.values.size()); },
            .describe = [](LineProgram& program) { program.minusLog = true; }};
}

} // namespace

extern constinit const Step logarithmStep{
    .id = "logarithm",
    .label = "Logarithm",
    .summary = "Turns transmission into line integrals of the attenuation by −log.",
    .reference = "Beer and Lambert; Kak and Slaney, Principles of Computerized Tomographic Imaging, 1988, section 4.1",
    .from = {.quantity = Quantity::transmission},
    .to = {.quantity = Quantity::attenuation},
    .onDevices = true,
    .start = startMinusLog,
};

} // namespace engine

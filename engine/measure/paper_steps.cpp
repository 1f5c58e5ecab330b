// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/paper_steps.h"

#include "engine/backends/method.h"
#include "engine/base/json_text.h"
#include "engine/base/named_rows.h"
#include "engine/measure/resource_texts.h"

#include <algorithm>
#include <iterator>

namespace engine
{

namespace
{

PaperSequence sequenceFrom(const Json& json)
{
    PaperSequence sequence{json.at("id"),
                           json.at("label"),
                           json.at("summary"),
                           json.at("source"),
                           json.at("device"),
                           json.at("unit"),
                           json.at("cone"),
                           json.at("slicesPerPass"),
                           {},
                           {}};
    for (const Json& one : json.value("problems", Json::array()))
        sequence.problems.push_back({one.at(0), one.at(1), one.at(2), one.at(3)});
    for (const Json& one : json.at("steps"))
        sequence.steps.push_back({one.at("name"), one.at("method"), one.value("variant", ""), one.value("printed", 0.0),
                                  interpolationFromText(one.value("interpolation", "linear")),
                                  one.value("printedFor", std::vector<double>()), one.value("printedOpenMp", 0.0),
                                  one.value("printedOpenMpFor", std::vector<double>())});
    return sequence;
}

} // namespace

const std::vector<PaperSequence>& paperSequences()
{
    static const std::vector<PaperSequence> sequences = [] {
        std::vector<PaperSequence> all;
        std::ranges::transform(parsedJson(paperStepsText), std::back_inserter(all), sequenceFrom);
        return all;
    }();
    return sequences;
}

const PaperSequence& sequenceOf(const std::string& id)
{
    return rowWithId(paperSequences(), id, "steps");
}

const Method& methodOf(const PaperStep& step, const PaperSequence& sequence)
{
    return *findMethod(step.method, sequence.cone ? Geometry(ConeBeam()) : Geometry(ParallelBeam()));
}

Kernel kernelOf(const PaperStep& step, const PaperSequence& sequence, Precision precision, int slices)
{
    Kernel kernel;
    kernel.method = step.method;
    kernel.variant = step.variant;
    kernel.interpolation = step.interpolation;
    kernel.precision = precision;
    const Method& method = methodOf(step, sequence);
    const int most = sequence.cone ? std::min(slices, sequence.slicesPerPass) : sequence.slicesPerPass;
    kernel.slicesPerPass = method.slicesPerPass.front();
    for (const int offered : method.slicesPerPass)
        if (offered <= most)
            kernel.slicesPerPass = offered;
    return kernel;
}

double printedSpeed(const PaperSequence& sequence, const PaperStep& step, const std::optional<ConeProblem>& problem,
                    PaperVersion version)
{
    const bool isUsual = version == PaperVersion::usual;
    const auto found = problem ? std::ranges::find(sequence.problems, *problem) : sequence.problems.end();
    if (found == sequence.problems.end())
        return isUsual ? step.printed : step.printedOpenMp;
    const auto k = static_cast<std::size_t>(found - sequence.problems.begin());
    const std::vector<double>& speeds = isUsual ? step.printedFor : step.printedOpenMpFor;
    return k < speeds.size() ? speeds[k] : 0;
}

std::optional<double> paperFactor(const PaperSequence& sequence, const PaperStep& step,
                                  const std::optional<ConeProblem>& problem, PaperVersion version)
{
    const double first = printedSpeed(sequence, sequence.steps.front(), problem),
                 speed = printedSpeed(sequence, step, problem, version);
    if (first == 0 || speed == 0)
        return std::nullopt;
    return speed / first;
}

const PaperStep* stepOf(const PaperSequence& sequence, const Kernel& kernel)
{
    const auto found = std::ranges::find_if(sequence.steps, [&](const PaperStep& step) {
        return kernel.method == step.method && kernel.variant == step.variant &&
               kernel.interpolation == step.interpolation;
    });
    return found == sequence.steps.end() ? nullptr : &*found;
}

} // namespace engine

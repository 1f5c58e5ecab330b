// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/paper_steps.h"

#include "engine/backends/backend.h"
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/base/named_rows.h"
#include "engine/measure/benchmark_row.h"
#include "engine/measure/resource_texts.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

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
    for (const Json& one : json.at("steps")) {
        PaperStep step{one.at("name"),
                       one.at("method"),
                       one.value("variant", ""),
                       one.value("printed", 0.0),
                       interpolationFromText(one.value("interpolation", "linear")),
                       one.value("printedFor", std::vector<double>()),
                       one.value("slicesPerPass", 0),
                       {},
                       filterTransformFromText(one.value("transform", "own")),
                       one.value("printedOpenMp", 0.0),
                       one.value("printedOpenMpFor", std::vector<double>())};
        if (one.contains("precision"))
            step.precision = precisionFromText(one["precision"].get<std::string>());
        sequence.steps.push_back(std::move(step));
    }
    sequence.ofFilter = json.value("ofFilter", false);
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

const Method& methodOf(const PaperStep& step, const PaperSequence& sequence, const DeviceSettings& device)
{
    const Method* found = nullptr;
    for (const Method* method : methodsFor(sequence.cone ? Geometry(ConeBeam()) : Geometry(ParallelBeam())))
        if (familyOf(*method) == step.method && (!found || method->backend->id == device.backend))
            found = method;
    require(found != nullptr, "no method is the step `" + step.name + "`");
    return *found;
}

Kernel kernelOf(const PaperStep& step, const PaperSequence& sequence, const Method& method, Precision precision,
                int slices)
{
    Kernel kernel;
    kernel.method = method.id;
    kernel.variant = step.variant;
    kernel.interpolation = step.interpolation;
    kernel.precision = step.precision.value_or(precision);
    kernel.transform = step.transform;
    const int wanted = step.slicesPerPass > 0 ? step.slicesPerPass : sequence.slicesPerPass;
    const int most = sequence.cone ? std::min(slices, wanted) : wanted;
    kernel.slicesPerPass = method.slicesPerPass.front();
    for (const int offered : method.slicesPerPass)
        if (offered <= most)
            kernel.slicesPerPass = offered;
    return kernel;
}

std::optional<std::string> lackingVariant(const Method& method, const std::string& variant)
{
    if (hasVariant(method, variant))
        return std::nullopt;
    return "`" + std::string(method.id) + "` has no variant '" + variant + "'";
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
    const Method* method = findMethod(kernel.method);
    const std::string family = method ? familyOf(*method) : kernel.method;
    const auto found = std::ranges::find_if(sequence.steps, [&](const PaperStep& step) {
        return family == step.method && kernel.variant == step.variant && kernel.interpolation == step.interpolation &&
               kernel.transform == step.transform &&
               (step.slicesPerPass == 0 || kernel.slicesPerPass == step.slicesPerPass) &&
               kernel.precision == step.precision.value_or(kernel.precision);
    });
    return found == sequence.steps.end() ? nullptr : &*found;
}

void sortBySteps(std::vector<BenchmarkRow>& rows, const PaperSequence& sequence)
{
    const auto problem = [](const BenchmarkRow& row) {
        return std::tuple(row.bins, row.projections, row.size, row.alpha);
    };
    const auto place = [&](const BenchmarkRow& row) {
        return std::ranges::find(sequence.steps, row.step, &PaperStep::name) - sequence.steps.begin();
    };
    for (auto first = rows.begin(); first != rows.end();) {
        const auto end =
            std::find_if(first, rows.end(), [&](const BenchmarkRow& row) { return problem(row) != problem(*first); });
        std::stable_sort(first, end, [&](const BenchmarkRow& a, const BenchmarkRow& b) { return place(a) < place(b); });
        first = end;
    }
}

} // namespace engine

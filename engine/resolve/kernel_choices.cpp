// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/resolve/kernel_choices.h"

#include "engine/resolve/resolve.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace engine
{

namespace
{

// Returns the request with the same number of slices per pass, or with the nearest possible one: the largest smaller
// one, else the smallest larger one, as `tensor` takes 8 or more. Nothing if none is possible.
std::optional<Request> withSlices(const Request& request)
{
    Request tried = request;
    int& slices = tried.setting.kernel.slicesPerPass;
    std::vector<int> counts;
    for (const FieldChoice& choice : option("slices-per-pass").use.offered(request))
        counts.push_back(std::stoi(choice.id));
    const auto larger = std::ranges::upper_bound(counts, slices);
    std::reverse(counts.begin(), larger);
    counts.insert(counts.begin(), slices);
    const auto found = std::ranges::find_if(counts, [&](int count) {
        slices = count;
        return !refusalOfKernel(tried);
    });
    return found == counts.end() ? std::nullopt : std::optional(tried);
}

} // namespace

std::optional<Text> refusalOfKernel(const Request& request)
{
    const int slices = request.scan->slices();
    if (request.setting.kernel.slicesPerPass > slices)
        return slices == 1 ? "The scan has only one slice."
                           : "The scan has only " + std::to_string(slices) + " slices.";
    const std::optional<Refusal> refusal = refusalOfMethod(request);
    return refusal ? std::optional(refusal->text) : std::nullopt;
}

std::optional<Text> whyNot(const Option& option, const std::string& value, const Request& request)
{
    Request tried = request;
    option.set(tried, value);
    const std::string id = option.id;
    if (id == "method")
        tried.setting.kernel.variant.clear();
    const std::optional<Text> refusal = refusalOfKernel(tried);
    const bool mayFollow = id != "slices-per-pass" && id != "variant"; // the number of slices per pass
    return refusal && mayFollow && withSlices(tried) ? std::nullopt : refusal;
}

Request nearestPossible(const Request& request)
{
    Request tried = request;
    Kernel& kernel = tried.setting.kernel;
    if (const Method* method = findMethod(tried); !method || !hasVariant(*method, kernel.variant))
        kernel.variant.clear();
    if (const auto found = withSlices(tried))
        return *found;
    kernel.variant.clear();
    if (const auto found = withSlices(tried))
        return *found;
    kernel.method = "auto";
    if (!refusalOfKernel(tried))
        return tried;
    kernel.slicesPerPass = 1;
    if (!refusalOfKernel(tried))
        return tried;
    const Kernel usual{.batch = kernel.batch};
    kernel = usual;
    for (const Method* method : methodsFor(request.scan->geometry)) {
        if (const auto found = withSlices(tried))
            return *found;
        kernel.method = method->id;
    }
    kernel = usual; // a device without any method, as one that is missing
    return tried;
}

} // namespace engine

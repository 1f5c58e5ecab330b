// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/options/option_tables.h"

#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/backends/support.h"
#include "engine/base/error.h"

#include <algorithm>
#include <set>

namespace engine
{

namespace
{

FieldChoice automaticMethod()
{
    return {"auto", "Automatic", "The fastest method that this machine has for the request"};
}

std::vector<FieldChoice> methodChoices()
{
    std::vector<FieldChoice> choices{automaticMethod()};
    for (const Method& method : methods())
        if (std::ranges::find(choices, method.id, &FieldChoice::id) == choices.end())
            choices.push_back({method.id, method.label, method.summary});
    return choices;
}

// Methods of a backend that `auto` doesn't consider are offered only to users of its devices.
std::vector<FieldChoice> methodsOffered(const Request& request)
{
    std::vector<FieldChoice> choices{automaticMethod()};
    for (const Method* method : methodsFor(geometryOf(request)))
        if (method->backend->isAutomatic || request.resources.device.backend == method->backend->id ||
            request.setting.kernel.method == method->id)
            choices.push_back({method->id, method->label, std::string(method->summary) + "\n" + method->reference});
    return choices;
}

std::vector<FieldChoice> slicesOffered(const Request& request)
{
    std::set<int> counts{1};
    for (const Method* method : methodsFor(geometryOf(request)))
        counts.insert(method->slicesPerPass.begin(), method->slicesPerPass.end());
    std::vector<FieldChoice> choices;
    for (const int count : counts)
        choices.push_back({std::to_string(count), std::to_string(count) + (count == 1 ? " slice" : " slices"), ""});
    return choices;
}

std::vector<FieldChoice> variantsOffered(const Request& request)
{
    const Method* method = findMethod(request);
    std::vector<FieldChoice> choices{
        {"", "Fastest", method ? "The variant that was measured fastest" : "Choose a kernel to compare its variants"}};
    if (method)
        for (const Variant& variant : variantsOf(*method))
            choices.push_back({variant.id, variant.id,
                               variant.source.empty() ? variant.summary : variant.summary + "\n" + variant.source});
    return choices;
}

std::vector<FieldChoice> interpolationsOffered(const Request& request)
{
    const std::string factor = std::to_string(request.setting.kernel.oversampling);
    return {{"nearest", "Nearest", "The value of the nearest bin"},
            {"linear", "Linear", "Between the two neighbouring bins"},
            {"oversampled:" + factor, "Oversampled",
             "Each bin is first divided into K samples by linear interpolation; then the nearest sample is used"},
            {"cubic", "Cubic", "Catmull-Rom through four bins"}};
}

// Returns the summary of "method", with the methods of each geometry.
const char* methodSummary()
{
    static const std::string summary = [] {
        std::string text = "Back-projection method; auto selects the fastest on this machine";
        for (const GeometryKind& kind : geometryKinds()) {
            std::string ids;
            for (const Method* method : methodsFor(kind.example))
                ids += (ids.empty() ? ": " : ", ") + std::string(method->id);
            text += "; " + labelOf(kind.example) + ids;
        }
        return text;
    }();
    return summary.c_str();
}

constexpr const char* tunedChoice = "tuned";

std::vector<FieldChoice> tuningChoices()
{
    std::vector<FieldChoice> choices{{tunedChoice, tunedChoice, "fastest choices according to measurements"}};
    if (const Method* alu = findMethod("alu"))
        for (const Variant& variant : variantsOf(*alu))
            choices.push_back({variant.id, variant.id, variant.summary});
    return choices;
}

std::optional<Text> idleBatch(const Request& request)
{
    const Method* method = findMethod(request);
    const bool isOnGpu = method ? !method->backend->isProcessor : !isProcessor(request.resources.device);
    if ((request.scan && !std::holds_alternative<ConeBeam>(request.scan->geometry)) || !isOnGpu)
        return "only cone-beam methods on GPUs take projections in batches";
    return {};
}

std::string namesOf(const std::vector<Variant>& variants)
{
    std::string names;
    for (const Variant& variant : variants)
        names += (names.empty() ? "" : ", ") + variant.id;
    return names;
}

std::optional<Text> idleVariant(const Request& request)
{
    const std::string& variant = request.setting.kernel.variant;
    const Method* method = findMethod(request);
    if (!method)
        return {};
    const std::string known = namesOf(variantsOf(*method));
    if (known.empty() && variant.empty())
        return "`" + std::string(method->id) + "` has no variants";
    if (hasVariant(*method, variant))
        return {};
    return "`" + std::string(method->id) + "` has no variant '" + variant + "'; it has " +
           (known.empty() ? "none" : known);
}

void setVariant(Request& request, const std::string& text)
{
    std::string known;
    for (const Method& method : methods()) {
        if (hasVariant(method, text)) {
            request.setting.kernel.variant = text;
            return;
        }
        if (const std::string names = namesOf(variantsOf(method)); !names.empty())
            known += "; `" + std::string(method.id) + "` has " + names;
    }
    throw Error(ErrorKind::badRequest, "no method has a variant '" + text + "'" + known);
}

std::string interpolationText(const Request& request)
{
    std::string text = toText(request.setting.kernel.interpolation);
    if (request.setting.kernel.interpolation == Interpolation::oversampled)
        text += ":" + std::to_string(request.setting.kernel.oversampling);
    return text;
}

// Value of a shorthand option: empty, as the option that it sets has the value.
std::string saidByAnother(const Request&)
{
    return {};
}

} // namespace

std::vector<Option> methodOptions()
{
    using Kind = Option::Kind;
    return {
        {.id = "method",
         .label = "Kernel",
         .summary = methodSummary(),
         .group = methodGroup,
         .kind = Kind::choice,
         .choices = methodChoices(),
         .get = [](const Request& r) { return r.setting.kernel.method; },
         .set = [](Request& r, const std::string& text) { r.setting.kernel.method = text; },
         .use = {.stage = Stage::backproject, .line = ReportLine::none, .offered = methodsOffered, .key = 'K'}},
        {.id = "variant",
         .label = "Variant",
         .summary = "Variant of the method, for comparisons (sinoscope-cli methods lists them); default: the one "
                    "measured fastest",
         .group = methodGroup,
         .form = "NAME",
         .kind = Kind::text,
         .idle = idleVariant,
         .get = [](const Request& r) { return r.setting.kernel.variant; },
         .set = setVariant,
         .use = {.stage = Stage::backproject, .row = WindowRow::withEffect, .offered = variantsOffered, .key = 'n'}},
        {.id = "interpolation",
         .label = "Interpolation",
         .summary = "Interpolation between bins; oversampled: K samples per bin",
         .group = methodGroup,
         .form = "nearest|linear|oversampled[:K]|cubic",
         .kind = Kind::text,
         .get = interpolationText,
         .set =
             [](Request& r, const std::string& text) {
                 r.setting.kernel.interpolation = interpolationFromText(text, &r.setting.kernel.oversampling);
             },
         .jsonDetail = "oversampling",
         .use = {.stage = Stage::backproject,
                 .line = ReportLine::none,
                 .offered = interpolationsOffered,
                 .field = WindowField::samples,
                 .key = 'I'}},
        {.id = "precision",
         .label = "Precision",
         .summary = "Precision of the stored sinogram; sums are in float",
         .group = methodGroup,
         .kind = Kind::choice,
         .choices = {{"float", "Float (32 bit)", "32-bit numbers"},
                     {"half", "Half (16 bit)", "16-bit numbers: half the memory traffic"}},
         .get = [](const Request& r) { return toText(r.setting.kernel.precision); },
         .set = [](Request& r, const std::string& text) { r.setting.kernel.precision = precisionFromText(text); },
         .use = {.stage = Stage::backproject, .line = ReportLine::none, .key = 'P', .page = "half-precision.md"}},
        {.id = "slices-per-pass",
         .label = "Slices",
         .summary = "Slices that the kernel reconstructs simultaneously; default: the fastest number",
         .group = methodGroup,
         .unit = "slices",
         .form = "K",
         .kind = Kind::whole,
         .least = 1,
         .most = 1024,
         .get = [](const Request& r) { return std::to_string(r.setting.kernel.slicesPerPass); },
         .set = [](Request& r, const std::string& text) { r.setting.kernel.slicesPerPass = wholeOf(text); },
         .use = {.stage = Stage::backproject, .line = ReportLine::none, .offered = slicesOffered, .key = 'e'}},
        {.id = "texture-eighths",
         .label = "On the texture unit",
         .summary = "Method hybrid: number E of blocks, out of eight, on the texture unit; the same as the variant E/8",
         .group = methodGroup,
         .unit = "eighths",
         .form = "E",
         .kind = Kind::whole,
         .least = 0,
         .most = 8,
         .get = saidByAnother,
         .set = [](Request& r,
                   const std::string& text) { r.setting.kernel.variant = std::to_string(wholeOf(text)) + "/8"; },
         .use = {.stage = Stage::backproject, .row = WindowRow::none}},
        {.id = "alu-tuning",
         .label = "Tuning of alu",
         .summary =
             "Method alu: one change to how it caches or rounds, if the build contains it; the same as the variant "
             "of that name",
         .group = methodGroup,
         .kind = Kind::choice,
         .choices = tuningChoices(),
         .get = saidByAnother,
         .set = [](Request& r, const std::string& text) { r.setting.kernel.variant = text == tunedChoice ? "" : text; },
         .use = {.stage = Stage::backproject, .row = WindowRow::none}},
        {.id = "batch",
         .label = "Batch",
         .summary = "Cone beams on a GPU: most projections that a kernel adds in one launch, as far as they fit; 0: an "
                    "eighth of the projections, at least 16",
         .group = methodGroup,
         .unit = "projections",
         .form = "B",
         .kind = Kind::whole,
         .least = 0,
         .most = 512,
         .idle = idleBatch,
         .get = [](const Request& r) { return std::to_string(r.setting.kernel.batch); },
         .set = [](Request& r, const std::string& text) { r.setting.kernel.batch = wholeOf(text); },
         .use = {.stage = Stage::backproject, .row = WindowRow::none}}};
}

} // namespace engine

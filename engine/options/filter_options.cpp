// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/options/option_tables.h"

#include "engine/backends/backend.h"
#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/base/field_json.h"
#include "engine/filter/windows.h"

#include <algorithm>

namespace engine
{

namespace
{

std::vector<FieldChoice> windowChoices()
{
    std::vector<FieldChoice> choices;
    for (const FilterWindow& window : filterWindows())
        choices.push_back({window.id, window.label, window.summary});
    return choices;
}

std::optional<Text> idleCutoff(const Request& request)
{
    if (request.setting.filter.window == Window::none)
        return "without a filter there is no cut-off";
    return {};
}

std::optional<Text> idleWindowOrder(const Request& request)
{
    if (!filterWindow(request.setting.filter.window).hasOrder)
        return "only the Butterworth window" + hint("filter", "butterworth") + " has an order";
    return {};
}

std::optional<Text> idleTransform(const Request& request)
{
    const Method* method = findMethod(request);
    const Backend* backend = method ? method->backend : findBackend(request.resources.device.backend);
    if (backend && !backend->transformProblem)
        return "cuFFT is NVIDIA's, and filters on NVIDIA GPUs only, not on " + std::string(backend->aDevice);
    if (method && !method->filters)
        return "the processor filters for `" + std::string(method->id) + "`";
    if (request.resources.filterOn == FilterOn::processor && !idleFilterOn(request))
        return "the processor filters" + hint("filter-on", "processor");
    if (request.setting.filter.window == Window::none)
        return "without a filter nothing is transformed";
    return {};
}

std::vector<FieldChoice> transforms()
{
    return {{"own", "Own kernel", "One kernel pads, transforms two rows as one, multiplies and transforms back"},
            {"cufft", "cuFFT, complex",
             "Batches of complex transforms, two rows as the real and imaginary parts (Chilingaryan et al. 2018, "
             "section II)"},
            {"cufft-real", "cuFFT, real", "Batches of real transforms, one row each"}};
}

// A machine without a GPU for cuFFT has nothing to choose, unless a saved setting names it.
std::vector<FieldChoice> transformsOffered(const Request& request)
{
    std::vector<FieldChoice> offered = transforms();
    const auto hasGpu = [](const Backend* one) { return one->transformProblem && deviceFor(*one, {}); };
    if (request.setting.kernel.transform == FilterTransform::own && std::ranges::none_of(backends(), hasGpu))
        offered.resize(1);
    return offered;
}

constexpr const char* transformKey = "gpuFilter"; // written only if it is not the default

void setTransform(Request& request, const std::string& text)
{
    request.setting.kernel.transform = filterTransformFromText(text);
}

// Access to a filter value as a number; nothing: the default.
template <typename Value>
auto numberAt(Value FilterSettings::*member)
{
    return [member](const Request& r) { return std::optional(static_cast<double>(r.setting.filter.*member)); };
}

template <typename Value>
auto setterAt(Value FilterSettings::*member)
{
    return [member](Request& r, std::optional<double> number) {
        r.setting.filter.*member = number ? static_cast<Value>(*number) : FilterSettings().*member;
    };
}

std::optional<double> placeOfWindow(const Request& request)
{
    const auto& rows = filterWindows();
    return static_cast<double>(std::ranges::find(rows, request.setting.filter.window, &FilterWindow::window) -
                               rows.begin());
}

void setWindowAt(Request& request, std::optional<double> place)
{
    request.setting.filter.window =
        place ? filterWindows()[static_cast<std::size_t>(*place)].window : FilterSettings().window;
}

} // namespace

std::vector<Option> filterOptions()
{
    using Kind = Option::Kind;
    return {
        {.id = "filter",
         .label = "Filter",
         .summary = "Window of the ramp filter",
         .group = filterGroup,
         .kind = Kind::choice,
         .choices = windowChoices(),
         .get = [](const Request& r) { return toText(r.setting.filter.window); },
         .set = [](Request& r, const std::string& text) { r.setting.filter.window = windowFromText(text); },
         .number = placeOfWindow,
         .setNumber = setWindowAt,
         .json = "filter/window",
         .use = {.stage = Stage::filter, .key = 'l'}},
        {.id = "cutoff",
         .label = "Cut-off",
         .summary = "Frequencies above it are removed (Butterworth: halved at it); 1 is Nyquist, 0.5 cycles per bin",
         .group = filterGroup,
         .unit = "× Nyquist",
         .form = "D",
         .kind = Kind::real,
         .least = 1e-9,
         .most = 1,
         .step = 0.05,
         .idle = idleCutoff,
         .get = [](const Request& r) { return numberToText(r.setting.filter.cutoff); },
         .set = [](Request& r, const std::string& text) { r.setting.filter.cutoff = realFromText(text, "value"); },
         .number = numberAt(&FilterSettings::cutoff),
         .setNumber = setterAt(&FilterSettings::cutoff),
         .json = "filter/cutoff",
         .jsonLeftOut = "1.0",
         .use = {.stage = Stage::filter, .key = 'u'}},
        {.id = "order",
         .label = "Order",
         .summary = "Order of the Butterworth window; higher orders fall off more steeply at the cut-off",
         .group = filterGroup,
         .form = "P",
         .kind = Kind::whole,
         .least = 1,
         .most = FilterSettings::mostOrder,
         .idle = idleWindowOrder,
         .get = [](const Request& r) { return std::to_string(r.setting.filter.order); },
         .set = [](Request& r, const std::string& text) { r.setting.filter.order = wholeOf(text); },
         .number = numberAt(&FilterSettings::order),
         .setNumber = setterAt(&FilterSettings::order),
         .json = "filter/order",
         .use = {.stage = Stage::filter, .beside = "filter"}},
        {.id = "pad",
         .label = "Edges",
         .summary = "How projections are extended beyond the detector: zeros, edge value, or cylinder (for objects "
                    "wider than the detector)",
         .group = filterGroup,
         .kind = Kind::choice,
         .choices = {{"zero", "Zeros", "Nothing lies beyond the detector"},
                     {"edge", "Edge value",
                      "The edge values continue outwards: for objects much wider than the detector"},
                     {"cylinder", "Cylinder",
                      "Each projection continues like a cylinder's with the same value and slope: for objects a "
                      "little wider than the detector"}},
         .get = [](const Request& r) { return toText(r.setting.filter.padMode); },
         .set = [](Request& r, const std::string& text) { r.setting.filter.padMode = padModeFromText(text); },
         .number = numberAt(&FilterSettings::padMode), // an index into its choices
         .setNumber = setterAt(&FilterSettings::padMode),
         .json = "filter/pad",
         .use = {.stage = Stage::filter}},
        {.id = "gpu-filter",
         .label = "Filter on GPUs",
         .summary = "Transforms of the filter on NVIDIA GPUs: this program's kernel, or cuFFT of the installed CUDA "
                    "toolkit, for comparisons",
         .group = filterGroup,
         .kind = Kind::choice,
         .choices = transforms(),
         .idle = idleTransform,
         .get = [](const Request& r) { return toText(r.setting.kernel.transform); },
         .set = setTransform,
         .ownJson = FieldJson<Request>{.keys = {transformKey},
                                       .write =
                                           [](const Request& r, Json& json) {
                                               if (const FilterTransform one = r.setting.kernel.transform;
                                                   one != FilterTransform::own && !idleTransform(r))
                                                   json[transformKey] = toText(one);
                                           },
                                       .read =
                                           [](Request& r, const Json& json) {
                                               setTransform(
                                                   r, textFromJson(Kind::choice, json.at(transformKey), "gpu-filter"));
                                           }},
         .use = {.stage = Stage::filter,
                 .row = WindowRow::withEffect,
                 .line = ReportLine::unlessDefault,
                 .offered = transformsOffered}},
        {.id = "axis",
         .label = "Axis",
         .summary = "Rotation axis in bins from the centre of bin 0; or auto, find (even if the scan records it), "
                    "middle, or another program's value: tomopy:VALUE (gridrec; nabu and tomocupy count the same) "
                    "or tomopy-iterative:VALUE",
         .group = filterGroup,
         .unit = "bins",
         .form = "auto|find|middle|BINS|tomopy:VALUE",
         .kind = Kind::text,
         .get =
             [](const Request& r) {
                 return r.setting.axis.mode == AxisSettings::Mode::given ? numberToText(r.setting.axis.bins)
                                                                         : toText(r.setting.axis);
             },
         .set = [](Request& r, const std::string& text) { r.setting.axis = axisFromText(text); },
         .hasNumbers = true,
         .use = {.stage = Stage::axis,
                 .line = ReportLine::none,
                 .field = WindowField::axis,
                 .key = 'x',
                 .page = "rotation-axis.md"}}};
}

} // namespace engine

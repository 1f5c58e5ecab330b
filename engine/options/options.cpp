// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/options/options.h"

#include "engine/backproject/method.h"
#include "engine/backproject/parallel/cuda/tuning.h"
#include "engine/backproject/support.h"
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/base/number_text.h"
#include "engine/base/spelling.h"
#include "engine/base/units.h"
#include "engine/filter/windows.h"
#include "engine/prepare/step_order.h"

#include <algorithm>
#include <cctype>

namespace engine
{

namespace
{

constexpr const char* methodGroup = "Method";
constexpr const char* filterGroup = "Filter and axis";

std::vector<FieldChoice> methodChoices()
{
    std::vector<FieldChoice> choices{{"auto", "Automatic", "The fastest method that this machine has for the request"}};
    for (const Method& method : methods())
        if (std::ranges::find(choices, method.id, &FieldChoice::id) == choices.end())
            choices.push_back({method.id, method.label, method.summary});
    return choices;
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

std::vector<FieldChoice> windowChoices()
{
    std::vector<FieldChoice> choices;
    for (const FilterWindow& window : filterWindows())
        choices.push_back({window.id, window.label, window.summary});
    return choices;
}

std::vector<FieldChoice> tuningChoices()
{
    std::vector<FieldChoice> choices;
    for (const auto& variant : cuda::aluVariants)
        choices.push_back({variant.id, variant.id, variant.summary});
    return choices;
}

int wholeOf(const std::string& text)
{
    return static_cast<int>(integerFromText(text, "value"));
}

std::optional<Text> idleCutoff(const Request& request)
{
    if (request.setting.filter.window == Window::none)
        return "without a filter there is no cut-off";
    return {};
}

// A slab along the columns or rows is a region.
void setSlab(Request& request, const std::string& text)
{
    if (text.size() < 2 || text[1] != '=') {
        request.place.slab = slabFromText(text);
        return;
    }
    const std::size_t colon = text.find(':');
    require((text[0] == 'x' || text[0] == 'y') && colon != std::string::npos,
            "bad slab '" + text + "'; give x=A:B, y=A:B or C,R,ANGLE,W,T");
    constexpr int anySize = 1'000'000;
    const int size = request.scan ? request.scan->sliceSize() : anySize;
    const std::string from = text.substr(2, colon - 2), to = text.substr(colon + 1);
    const long long first = from.empty() ? 0 : integerFromText(from, "slab"),
                    end = to.empty() ? size : integerFromText(to, "slab");
    require(end > first, "the slab '" + text + "' is empty; the end of A:B is not included");
    require(first >= 0 && end <= size, "the slab '" + text + "' reaches beyond the slice" +
                                           (request.scan ? " of " + std::to_string(size) + " pixels" : ""));
    const int begin = static_cast<int>(first), count = static_cast<int>(end - first);
    request.place.region = text[0] == 'x' ? Region{begin, 0, count, size} : Region{0, begin, size, count};
}

// Without a scan, a plane whose text has no width and height stays without area.
void setPlane(Request& request, const std::string& text)
{
    const VolumeSize volume = request.scan ? volumeOf(*request.scan) : VolumeSize();
    const Plane plane = planeFromText(text, volume);
    if (request.scan)
        validate(plane, volume);
    request.place.plane = plane;
    request.place.slices = {0, 1};
}

std::optional<Text> idleOrder(const Request& request)
{
    if (!filterWindow(request.setting.filter.window).hasOrder)
        return "only the Butterworth window" + hint("filter", "butterworth") + " has an order";
    return {};
}

std::optional<Text> idleFilterOn(const Request& request)
{
    const bool isOpenCl = request.resources.device.kind == DeviceSettings::Kind::opencl;
    if (request.scan && !isOpenCl && !request.place.plane && !std::holds_alternative<ConeBeam>(request.scan->geometry))
        return "only cone-beam methods and planes on GPUs, and OpenCL devices, can leave the filter to the processor";
    return {};
}

std::optional<Text> idleBatch(const Request& request)
{
    const Method* method = findMethod(request);
    const bool isOnGpu = method ? method->device != DeviceSettings::Kind::cpu
                                : request.resources.device.kind != DeviceSettings::Kind::cpu;
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
    if (!method || hasVariant(*method, variant))
        return {};
    const std::string known = namesOf(variantsOf(*method));
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

// Returns the options of back-projection.
std::vector<Option> methodRows()
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
         .use = {.stage = Stage::backproject, .hasLine = false}},
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
         .use = {.stage = Stage::backproject, .hasLine = false}},
        {.id = "precision",
         .label = "Precision",
         .summary = "Precision of the stored sinogram; sums are in float",
         .group = methodGroup,
         .kind = Kind::choice,
         .choices = {{"float", "Float (32 bit)", "32-bit numbers"},
                     {"half", "Half (16 bit)", "16-bit numbers: half the memory traffic"}},
         .get = [](const Request& r) { return toText(r.setting.kernel.precision); },
         .set = [](Request& r, const std::string& text) { r.setting.kernel.precision = precisionFromText(text); },
         .use = {.stage = Stage::backproject, .hasLine = false}},
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
         .use = {.stage = Stage::backproject, .hasLine = false}},
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
                   const std::string& text) { r.setting.kernel.variant = cuda::eighthsToText(wholeOf(text)); },
         .use = {.stage = Stage::backproject, .hasRow = false}},
        {.id = "alu-tuning",
         .label = "Tuning of alu",
         .summary =
             "Method alu: one change to how it caches or rounds, if the build contains it; the same as the variant "
             "of that name",
         .group = methodGroup,
         .kind = Kind::choice,
         .choices = tuningChoices(),
         .get = saidByAnother,
         .set = [](Request& r, const std::string& text) { r.setting.kernel.variant = cuda::variantOfTuning(text); },
         .use = {.stage = Stage::backproject, .hasRow = false}},
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
         .use = {.stage = Stage::backproject, .hasRow = false}},
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
         .use = {.stage = Stage::backproject, .hasRow = false}}};
}

// Returns the options of devices, threads and memory.
std::vector<Option> resourceRows()
{
    using Kind = Option::Kind;
    return {
        {.id = "device",
         .label = "Device",
         .summary = "Devices that compute: auto, cpu, cuda, cuda:N or cuda:all, opencl or opencl:N; several, such as "
                    "cuda:0,cuda:2 or cuda:all,cpu, share the slices of a volume",
         .group = methodGroup,
         .form = "auto|cpu|cuda[:N|:all]|opencl[:N][,...]",
         .kind = Kind::text,
         .get = [](const Request& r) { return devicesToText(r.resources); },
         .set = [](Request& r, const std::string& text) { setDevices(r.resources, text); },
         .use = {.stage = Stage::backproject, .ofSetting = false, .hasLine = false}},
        {.id = "filter-on",
         .label = "Filter runs on",
         .summary = "Cone beams and planes on a GPU, and OpenCL devices: filter on the GPU, or on the processor; auto "
                    "selects the faster",
         .group = methodGroup,
         .kind = Kind::choice,
         .choices = {{"auto", "Automatic", "The faster one according to measurements"},
                     {"gpu", "GPU", "Between the back-projection kernels; on an OpenCL device of any kind, by VkFFT"},
                     {"processor", "Processor",
                      "While an NVIDIA GPU back-projects slices (Chen et al. 2019, section 4.1.3); before a plane "
                      "or an OpenCL device"}},
         .idle = idleFilterOn,
         .get = [](const Request& r) { return toText(r.resources.filterOn); },
         .set = [](Request& r, const std::string& text) { r.resources.filterOn = filterOnFromText(text); },
         .use = {.ofSetting = false, .hasRow = false, .hasLine = false}},
        {.id = "threads",
         .label = "Threads",
         .summary = "Processor threads; default: all cores",
         .group = methodGroup,
         .unit = "threads",
         .form = "T",
         .kind = Kind::whole,
         .least = 1,
         .most = 4096,
         .get =
             [](const Request& r) {
                 return r.resources.threads == 0 ? std::string() : std::to_string(r.resources.threads);
             },
         .set = [](Request& r, const std::string& text) { r.resources.threads = wholeOf(text); },
         .jsonLeftOut = "0",
         .use = {.stage = Stage::backproject, .ofSetting = false, .hasRow = false, .hasLine = false, .isKept = false}},
        {.id = "memory-limit",
         .label = "Memory",
         .summary = "Memory that the program may use, such as 800M, 12GB or 12GiB; default: half of the machine's",
         .group = methodGroup,
         .form = "SIZE",
         .kind = Kind::bytes,
         .get =
             [](const Request& r) {
                 return r.resources.memoryLimitBytes > 0 ? bytesToText(r.resources.memoryLimitBytes) : std::string();
             },
         .set = [](Request& r, const std::string& text) { r.resources.memoryLimitBytes = bytesFromText(text); },
         .json = "memoryLimitBytes",
         .use = {.ofSetting = false, .hasLine = false}}};
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

std::vector<Option> filterRows()
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
         .use = {.stage = Stage::filter}},
        {.id = "cutoff",
         .label = "Cut-off",
         .summary = "Frequencies above it are removed, as a fraction of the Nyquist frequency: 1 is 0.5 cycles per bin",
         .group = filterGroup,
         .unit = "× Nyquist",
         .form = "D",
         .kind = Kind::real,
         .least = 0,
         .most = 1,
         .leastIncluded = false,
         .step = 0.05,
         .idle = idleCutoff,
         .get = [](const Request& r) { return numberToText(r.setting.filter.cutoff); },
         .set = [](Request& r, const std::string& text) { r.setting.filter.cutoff = realFromText(text, "value"); },
         .number = numberAt(&FilterSettings::cutoff),
         .setNumber = setterAt(&FilterSettings::cutoff),
         .json = "filter/cutoff",
         .jsonLeftOut = "1.0",
         .use = {.stage = Stage::filter}},
        {.id = "order",
         .label = "Order",
         .summary = "Order of the Butterworth window; higher orders fall off more steeply at the cut-off",
         .group = filterGroup,
         .form = "P",
         .kind = Kind::whole,
         .least = 1,
         .most = FilterSettings::mostOrder,
         .idle = idleOrder,
         .get = [](const Request& r) { return std::to_string(r.setting.filter.order); },
         .set = [](Request& r, const std::string& text) { r.setting.filter.order = wholeOf(text); },
         .number = numberAt(&FilterSettings::order),
         .setNumber = setterAt(&FilterSettings::order),
         .json = "filter/order",
         .use = {.stage = Stage::filter}},
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
         .use = {.stage = Stage::axis, .hasLine = false}},
        {.id = "region",
         .label = "Region",
         .summary = "Reconstruct only this rectangle of each slice, in pixels",
         .unit = "pixels",
         .form = "X,Y,W,H",
         .kind = Kind::text,
         .get = [](const Request& r) { return r.place.region ? toText(*r.place.region) : std::string(); },
         .set = [](Request& r, const std::string& text) { r.place.region = regionFromText(text); },
         .jsonLeftOut = "null",
         .hasNumbers = true,
         .use = {.stage = Stage::backproject, .ofSetting = false, .hasRow = false, .isKept = false}},
        {.id = "slab",
         .label = "Slab",
         .summary = "Reconstruct only an upright slab of the volume, at the cost of its voxels: columns or rows A to B "
                    "(B excluded), or column and row of its middle, the angle of its long side (degrees, "
                    "anticlockwise from the rows), width and thickness",
         .unit = "pixels",
         .form = "x=A:B|y=A:B|C,R,ANGLE,W,T",
         .kind = Kind::text,
         .get = [](const Request& r) { return r.place.slab ? toText(*r.place.slab) : std::string(); },
         .set = setSlab,
         .jsonLeftOut = "null",
         .hasNumbers = true,
         .use = {.stage = Stage::backproject, .ofSetting = false, .hasRow = false, .isKept = false}},
        {.id = "plane",
         .label = "Plane",
         .summary = "Reconstruct one plane in any direction instead of slices: at a column, row or slice, or by its "
                    "centre and two directions (u to the right, v downwards), each as column, row and slice; also "
                    ";width=W;height=H;pixel=P in pixels and voxels",
         .form = "x=C|y=R|z=S|\"centre=C,R,S;u=C,R,S;v=C,R,S\"",
         .kind = Kind::text,
         .get = [](const Request& r) { return r.place.plane ? toText(*r.place.plane) : std::string(); },
         .set = setPlane,
         .jsonLeftOut = "null",
         .hasNumbers = true,
         .use = {.stage = Stage::backproject, .ofSetting = false, .hasRow = false, .isKept = false}}};
}

Quantity quantityOf(const Request& request)
{
    return request.scan ? request.scan->quantity : Quantity::counts;
}

// Returns the option of a preparation step's field.
Option rowOf(const Step& step, const StepField& field)
{
    const bool isSwitch = !field.choices.empty() || (!step.isByDefault && &field == &step.parameters().front());
    return {.id = field.id,
            .label = field.label,
            .summary = field.summary,
            .group = "Preparation",
            .unit = field.unit,
            .form = field.form,
            .kind = field.kind,
            .choices = field.choices,
            .least = field.least,
            .most = field.most,
            .leastIncluded = field.leastIncluded,
            .step = field.step,
            .idle =
                [&field](const Request& r) {
                    return idleReason(field, quantityOf(r), r.setting.preparation,
                                      !r.scan || std::holds_alternative<ParallelBeam>(r.scan->geometry));
                },
            .get = [&field](const Request& r) { return field.get(r.setting.preparation); },
            .set = [&field](Request& r, const std::string& text) { field.set(r.setting.preparation, text); },
            .number = [&field](const Request& r) { return field.number(r.setting.preparation); },
            .setNumber = [&field](Request& r,
                                  std::optional<double> number) { field.setNumber(r.setting.preparation, number); },
            .json = "preparation/" + jsonKey(field.id),
            .use = {.stage = Stage::prepare,
                    .saysDefault = !isSwitch && !step.isByDefault,
                    .isShownIdle = isSwitch,
                    .isShownUnset = field.use.isShownUnset,
                    .isKept = !field.use.isOfScan}};
}

Option orderRow()
{
    return {.id = "step-order",
            .label = "Order of steps",
            .summary = "Order of the preparation steps, if not the usual one: steps separated by commas, such as "
                       "zingers,flat-field, each directly before the next",
            .group = "Preparation",
            .form = "STEP,…",
            .kind = Option::Kind::text,
            .idle = [](const Request& r) { return idleOrder(r.setting.preparation, quantityOf(r)); },
            .get = [](const Request& r) { return orderToText(r.setting.preparation.order); },
            .set = [](Request& r, const std::string& text) { r.setting.preparation.order = orderFromText(text); },
            .json = "preparation/stepOrder",
            .use = {.stage = Stage::prepare}};
}

std::vector<Option> preparationRows()
{
    std::vector<Option> rows{orderRow()};
    for (const Step& step : steps())
        for (const StepField& field : step.parameters())
            rows.push_back(rowOf(step, field));
    return rows;
}

std::vector<Option> table()
{
    std::vector<Option> rows;
    for (auto part : {methodRows(), preparationRows(), filterRows(), resourceRows()})
        rows.insert(rows.end(), part.begin(), part.end());
    return rows;
}

} // namespace

std::span<const Option> options()
{
    static const std::vector<Option> rows = table();
    return rows;
}

const Option& option(const std::string& id)
{
    for (const Option& row : options())
        if (id == row.id)
            return row;
    throw Error(ErrorKind::badRequest, "there is no option '" + id + "'");
}

std::string lowerLabel(const Option& option)
{
    std::string label = option.label;
    label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
    return label;
}

std::optional<std::string> valueInWords(const Option& option, const Request& request)
{
    const std::string value = option.get(request);
    if (value.empty() || (option.idle && option.idle(request)) || (!option.use.saysDefault && value == option.get({})))
        return {};
    if (option.kind == Option::Kind::boolean)
        return value == "true" ? "on" : "off";
    const auto chosen = std::ranges::find(option.choices, value, &FieldChoice::id);
    return (chosen == option.choices.end() ? value : chosen->label) + (*option.unit ? " " : "") + option.unit;
}

std::vector<OptionLine> linesOf(Request request, const std::string& method)
{
    request.setting.kernel.method = method;
    std::vector<OptionLine> lines;
    for (const Option& row : options())
        if (const auto value = row.use.hasLine ? valueInWords(row, request) : std::nullopt)
            lines.push_back({&row, *value});
    return lines;
}

void validateOptions(const Request& request)
{
    Request copy = request;
    for (const Option& row : options()) {
        const std::string text = row.get(request);
        if (text.empty() || (row.idle && row.idle(request)))
            continue;
        try {
            setField(row, copy, text);
        } catch (const Error& error) {
            throw Error(error.kind(), lowerLabel(row) + ": " + error.text());
        }
    }
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/json/reconstruction_json.h"

#include "engine/base/number_text.h"
#include "engine/base/version.h"
#include "engine/json/request_json.h"
#include "engine/options/options.h"
#include "engine/scan/empty_projections.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace engine
{

Json warningsOf(const Scan& scan, const std::vector<int>& emptyProjections)
{
    Json warnings = Json::array();
    if (const Text text = emptyText(scan, emptyProjections); !text.empty())
        warnings.push_back(text.in(commandLineStyle()));
    return warnings;
}

namespace
{

PixelSize pixelOf(const Request& request)
{
    PixelSize pixel{.mm = request.scan->pixelSizeMm(), .bins = {}};
    if (const auto* beam = std::get_if<ParallelBeam>(&request.scan->geometry))
        pixel.bins = beam->pixelBins * (request.scan->reduced ? request.scan->reduced->by.bin : 1);
    const double pixels = request.place.previewStep * (request.place.plane ? request.place.plane->pixel : 1.0);
    for (std::optional<double>* size : {&pixel.mm, &pixel.bins})
        if (*size)
            **size *= pixels;
    return pixel;
}

} // namespace

Json reconstructionOf(const Reconstruction& made)
{
    const Request& request = made.request;
    const Timings& times = made.timings;
    Json json = {{"program", "Sinoscope"}, {"version", programVersion()}};
    json["method"] = made.method;
    json["interpolation"] = toText(request.setting.kernel.interpolation);
    if (request.setting.kernel.interpolation == Interpolation::oversampled)
        json["oversampling"] = request.setting.kernel.oversampling;
    json["precision"] = toText(request.setting.kernel.precision);
    json["slicesPerPass"] = request.setting.kernel.slicesPerPass;
    json["filter"] = toText(request.setting.filter.window);
    json["axis"] = made.axisBins;
    json["axisSource"] = made.axisSource;
    if (!made.axisHow.empty())
        json["axisHow"] = made.axisHow;
    if (made.axisConfidence)
        json["axisConfidence"] = *made.axisConfidence;
    json["axisConvention"] = axisConvention;
    json["device"] = made.device;
    for (const DeviceShare& share : made.shares)
        json["devices"].push_back({{"device", share.device},
                                   {"slices", share.slices},
                                   {"kernelSeconds", share.kernelSeconds},
                                   {"totalSeconds", share.totalSeconds},
                                   {"kernelGups", share.kernelGups},
                                   {"totalGups", share.totalGups},
                                   {"failure", share.failure}});
    json["size"] = made.grid.size;
    json["width"] = made.grid.width;
    json["height"] = made.grid.height;
    json["projections"] = request.scan ? request.scan->projections() : 0;
    json["firstSlice"] = request.place.slices.first;
    json["slices"] = request.place.slices.count;
    json["unit"] = made.unit;
    if (request.scan) {
        const PixelSize pixel = pixelOf(request);
        if (pixel.mm)
            json["pixelMm"] = *pixel.mm;
        if (pixel.bins)
            json["pixelBins"] = *pixel.bins;
    }
    json["kernelSeconds"] = times.kernelSeconds;
    json["totalSeconds"] = times.totalSeconds;
    json["kernelGups"] = made.kernelGups;
    json["totalGups"] = made.totalGups;
    json["elapsedSeconds"] = times.elapsedSeconds;
    json["overlap"] = overlapOf(times);
    json["stageSeconds"] = {
        {"read", times.read.seconds},     {"prepare", times.prepare.seconds},        {"axis", times.axis.seconds},
        {"filter", times.filter.seconds}, {"backproject", times.backprojectSeconds}, {"write", times.writeSeconds}};
    if (times.exchangeSeconds > 0)
        json["stageSeconds"]["exchange"] = times.exchangeSeconds;
    if (times.reduceSeconds > 0)
        json["stageSeconds"]["reduce"] = times.reduceSeconds;
    json["warnings"] = request.scan ? warningsOf(*request.scan, made.emptyProjections) : Json::array();
    json["notes"] = textsOf(made.notes, commandLineStyle());
    json["scanNotes"] = textsOf(request.scan ? request.scan->notes : std::vector<Note>(), commandLineStyle());
    json["request"] = requestOf(request);
    return json;
}

std::string reconstructionJson(const Reconstruction& made)
{
    return dumped(reconstructionOf(made));
}

std::string configurationJson(const Reconstruction& made, const OpenOptions& options)
{
    Json json = reconstructionOf(made);
    json["opened"] = openOptionsOf(options);
    return dumped(json);
}

namespace
{

// Returns the scan's absolute path, independent of the working folder; the name of a simulated scan.
std::string wherefrom(const Scan& scan)
{
    std::error_code gone; // the working folder may have been removed
    const std::filesystem::path whole = std::filesystem::absolute(scan.path, gone);
    return scan.path.empty() ? scan.name : gone ? scan.path : whole.lexically_normal().string();
}

// Describes where the plane lies, and the axes of its image. size: of a slice, in voxels; voxel: in description.length.
void describePlane(VolumeDescription& description, const Plane& plane, int size, double voxel)
{
    const double middle = (size - 1) / 2.0;
    const auto placeOf = [&](const VoxelPoint& at) {
        return std::array{(at[0] - middle) * voxel, (middle - at[1]) * voxel, 0 - at[2] * voxel}; // 0 - …: not -0
    };
    const auto directionOf = [](const VoxelPoint& a) { return std::array{a[0], 0 - a[1], 0 - a[2]}; };
    PlaneDescription made{.text = toText(plane),
                          .centre = placeOf(plane.centre),
                          .u = directionOf(plane.u),
                          .v = directionOf(plane.v),
                          .pixel = plane.pixel * voxel,
                          .alongU = {},
                          .alongV = {}};
    for (int i = 0; i < plane.width; ++i)
        made.alongU.push_back(made.pixel * (i - (plane.width - 1) / 2.0));
    for (int j = 0; j < plane.height; ++j)
        made.alongV.push_back(made.pixel * (j - (plane.height - 1) / 2.0));
    description.axes = {".", "v", "u"};
    if (const std::optional<PlaneAxis> across = axisOf(plane)) {
        const auto normal = static_cast<std::size_t>(*across);
        const std::size_t u = normal == 0 ? 1 : 0, v = normal == 2 ? 1 : 2;
        const std::array along{&description.x, &description.y, &description.z};
        for (int i = 0; i < plane.width; ++i)
            along[u]->push_back(placeOf(plane.at(i, 0))[u]);
        for (int j = 0; j < plane.height; ++j)
            along[v]->push_back(placeOf(plane.at(0, j))[v]);
        *along[normal] = {made.centre[normal]};
        const std::array names{"x", "y", "z"};
        description.axes = {names[normal], names[v], names[u]};
    }
    description.plane = std::move(made);
}

} // namespace

VolumeDescription volumeDescription(const Reconstruction& made, const Request& whole, const OpenOptions& options)
{
    VolumeDescription description{.configuration = configurationJson(made, options)};
    if (!whole.scan)
        return description;
    const Scan& scan = *whole.scan;
    const auto title = std::ranges::find(scan.metadata, "Title", &NamedTexts::value_type::first);
    description.title = title == scan.metadata.end() ? scan.name : title->second;
    description.scan = wherefrom(scan);
    description.scanMetadata = scan.metadata;
    const VolumeGrid grid = gridOf(whole);
    const std::optional<double> pixelMm = scan.pixelSizeMm();
    description.length = pixelMm ? "mm" : "pixel";
    const double pixel = pixelMm.value_or(1);
    description.parameters = {
        {"method_used", made.method}, {"axis_bins", numberToText(made.axisBins)}, {"device_used", made.device}};
    if (const auto& plane = whole.place.plane) {
        description.parameters.emplace_back("plane", toText(*plane));
        description.parameters.emplace_back("plane_pixel_" + description.length, numberToText(plane->pixel * pixel));
        describePlane(description, *plane, scan.sliceSize(), pixel);
    } else {
        if (whole.place.slab) // x and y are turned with it
            description.parameters.emplace_back("slab", toText(*whole.place.slab));
        for (int column = 0; column < grid.width; ++column)
            description.x.push_back(grid.x(column) * pixel);
        for (int row = 0; row < grid.height; ++row)
            description.y.push_back(grid.y(row) * pixel);
        for (int slice = 0; slice < grid.slices; ++slice)
            description.z.push_back(0 - (grid.z0 + slice * grid.dz) * pixel); // 0 - …: not -0
    }
    for (const Option& option : engine::options())
        if (option.use.ofSetting && !(option.idle && option.idle(whole)))
            description.parameters.emplace_back(option.id, option.get(whole));
    return description;
}

SliceFacts sliceFacts(const Reconstruction& made, int slice, const OpenOptions& options)
{
    const Request& request = made.request;
    const PixelSize pixel = pixelOf(request);
    SliceFacts facts{.lines = {}, .pixelMm = pixel.mm};
    Json setting = Json::object();
    addOptions(setting, request, true);
    std::vector<std::pair<std::string, std::string>> lines = {
        {"program", "Sinoscope " + programVersion()},
        {"scan", wherefrom(*request.scan)},
        {"slice", request.place.plane ? std::string() : std::to_string(slice)},
        {"slab", request.place.slab ? toText(*request.place.slab) : std::string()},
        {"plane", request.place.plane ? toText(*request.place.plane) : std::string()},
        {"axis_bins", numberToText(made.axisBins)},
        {"pixel_mm", pixel.mm ? numberToText(*pixel.mm) : std::string()},
        {"pixel_bins", pixel.bins ? numberToText(*pixel.bins) : std::string()},
        {"method", made.method},
        {"region", request.place.region ? toText(*request.place.region) : std::string()},
        {"settings", onOneLine(setting)},
        {"opened", onOneLine(openOptionsOf(options))}};
    for (auto& [key, value] : lines) {
        std::ranges::replace_if(
            value, [](unsigned char c) { return c < 0x20; }, '?'); // a name may contain control characters
        if (!value.empty())
            facts.lines += key + '=' + value + '\n';
    }
    return facts;
}

} // namespace engine

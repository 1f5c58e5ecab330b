// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/json/reconstruction_json.h"

#include "engine/base/number_text.h"
#include "engine/base/version.h"
#include "engine/json/request_json.h"
#include "engine/options/options.h"
#include "engine/request/section.h"
#include "engine/scan/empty_projections.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
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
    const Section section = sectionOf(request);
    PixelSize pixel{.mm = section.pixel.acrossMm(), .bins = {}};
    if (const auto* beam = std::get_if<ParallelBeam>(&request.scan->geometry))
        pixel.bins = beam->pixelBins * (request.scan->reduced ? request.scan->reduced->by.bin : 1) *
                     section.pixel.across / section.voxel.pixel;
    return pixel;
}

std::optional<ImageLengths> lengthsOf(const Request& request)
{
    const Section section = sectionOf(request);
    if (!section.pixel.isInMm)
        return std::nullopt;
    ImageLengths mm{.across = section.pixel.across, .down = section.pixel.down};
    if (!request.place.plane())
        mm.apart = section.voxel.slice;
    return mm;
}

std::string warningsText(const Reconstruction& made)
{
    std::string all;
    for (const Text& text : warningsOf(made))
        all += (all.empty() ? "" : " ") + text.in(commandLineStyle());
    return all;
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
    json["firstSlice"] = request.place.slices().first;
    json["slices"] = request.place.slices().count;
    json["unit"] = made.unit;
    if (request.scan) {
        const PixelSize pixel = pixelOf(request);
        if (pixel.mm)
            json["pixelMm"] = *pixel.mm;
        if (pixel.bins)
            json["pixelBins"] = *pixel.bins;
        if (const auto mm = lengthsOf(request))
            json[mm->apart ? "sliceMm" : "pixelDownMm"] = mm->apart.value_or(mm->down);
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
    json["warnings"] = Json::array();
    for (const Text& text : warningsOf(made))
        json["warnings"].push_back(text.in(commandLineStyle()));
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

// Converts a vector of voxels to lengths with y and z upwards.
std::array<double, 3> upwards(const VoxelPoint& lengths)
{
    return {lengths[0], 0 - lengths[1], 0 - lengths[2]}; // 0 - …: not -0
}

// Returns a point as x, y, z. size: of a slice, in voxels.
std::array<double, 3> placeOf(const VoxelPoint& at, int size, const VoxelSides& sides)
{
    const double middle = (size - 1) / 2.0;
    return upwards(sides.times({at[0] - middle, at[1] - middle, at[2]}));
}

// Returns where an image lies. centre, u, v: in voxels.
FrameDescription frameOf(const VoxelPoint& centre, const VoxelPoint& u, const VoxelPoint& v, int size,
                         const VoxelSides& sides)
{
    const auto directionOf = [&](const VoxelPoint& unit) {
        std::array<double, 3> direction = upwards(sides.times(unit));
        for (double& part : direction)
            part /= sides.along(unit);
        return direction;
    };
    return {.centre = placeOf(centre, size, sides), .u = directionOf(u), .v = directionOf(v)};
}

// Describes where the plane lies, and the axes of its image.
void describePlane(VolumeDescription& description, const Plane& plane, int size, const VoxelSides& sides)
{
    description.frame = frameOf(plane.centre, plane.u, plane.v, size, sides);
    FrameDescription& frame = *description.frame;
    frame.kind = "plane";
    frame.text = toText(plane);
    frame.pixel = {plane.pixel * sides.along(plane.u), plane.pixel * sides.along(plane.v)};
    for (int i = 0; i < plane.width; ++i)
        description.u.push_back(frame.pixel[0] * (i - (plane.width - 1) / 2.0));
    for (int j = 0; j < plane.height; ++j)
        description.v.push_back(frame.pixel[1] * (j - (plane.height - 1) / 2.0));
    description.axes = {".", "v", "u"};
    if (const std::optional<PlaneAxis> across = axisOf(plane)) {
        const auto normal = static_cast<std::size_t>(*across);
        const std::size_t u = normal == 0 ? 1 : 0, v = normal == 2 ? 1 : 2;
        const std::array along{&description.x, &description.y, &description.z};
        for (int i = 0; i < plane.width; ++i)
            along[u]->push_back(placeOf(plane.at(i, 0), size, sides)[u]);
        for (int j = 0; j < plane.height; ++j)
            along[v]->push_back(placeOf(plane.at(0, j), size, sides)[v]);
        *along[normal] = {frame.centre[normal]};
        const std::array names{"x", "y", "z"};
        description.axes = {names[normal], names[v], names[u]};
    }
}

// Describes where the slab lies, whose x and y are turned with it.
void describeSlab(VolumeDescription& description, const Place& place, int size, const VoxelSides& sides)
{
    const Slab slab = *place.slab();
    const double angle = slab.angleDeg * std::numbers::pi / 180, cosine = std::cos(angle), sine = std::sin(angle);
    const VoxelPoint middle{slab.column, slab.row, place.slices().first + (place.slices().count - 1) / 2.0};
    description.frame = frameOf(middle, {cosine, -sine, 0}, {sine, cosine, 0}, size, sides);
    description.frame->kind = "slab";
    description.frame->text = toText(slab);
    description.frame->pixel = {sides.pixel, sides.pixel};
    description.parameters.emplace_back("slab", toText(slab));
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
    const Section section = sectionOf(whole);
    const VolumeGrid& grid = section.grid;
    const VoxelSides& sides = section.voxel;
    description.length = sides.isInMm ? "mm" : "pixel";
    description.parameters = {
        {"method_used", made.method}, {"axis_bins", numberToText(made.axisBins)}, {"device_used", made.device}};
    if (const auto& plane = whole.place.plane()) {
        description.parameters.emplace_back("plane", toText(*plane));
        describePlane(description, *plane, scan.sliceSize(), sides);
        const std::array<double, 2>& pixel = description.frame->pixel;
        description.parameters.emplace_back("plane_pixel_" + description.length,
                                            numberToText(pixel[0]) + ',' + numberToText(pixel[1]));
    } else {
        if (whole.place.slab())
            describeSlab(description, whole.place, scan.sliceSize(), sides);
        for (int column = 0; column < grid.width; ++column)
            description.x.push_back(grid.x(column) * sides.pixel);
        for (int row = 0; row < grid.height; ++row)
            description.y.push_back(grid.y(row) * sides.pixel);
        for (int slice = 0; slice < grid.slices; ++slice)
            description.z.push_back(0 - (grid.z0 + slice * grid.dz) * sides.slice); // 0 - …: not -0
    }
    if (const std::string warnings = warningsText(made); !warnings.empty())
        description.parameters.emplace_back("warnings", warnings);
    for (const Option& option : engine::options())
        if (option.use.ofSetting && !(option.idle && option.idle(whole)))
            description.parameters.emplace_back(option.id, option.get(whole));
    return description;
}

SliceFacts sliceFacts(const Reconstruction& made, int slice, const OpenOptions& options)
{
    const Request& request = made.request;
    const PixelSize pixel = pixelOf(request);
    SliceFacts facts{.lines = {}, .mm = lengthsOf(request)};
    const auto lengthText = [](std::optional<double> mm) { return mm ? numberToText(*mm) : std::string(); };
    Json setting = Json::object();
    addOptions(setting, request, true);
    std::vector<std::pair<std::string, std::string>> lines = {
        {"program", "Sinoscope " + programVersion()},
        {"scan", wherefrom(*request.scan)},
        {"slice", request.place.plane() ? std::string() : std::to_string(slice)},
        {"slab", request.place.slab() ? toText(*request.place.slab()) : std::string()},
        {"plane", request.place.plane() ? toText(*request.place.plane()) : std::string()},
        {"axis_bins", numberToText(made.axisBins)},
        {"pixel_mm", lengthText(pixel.mm)},
        {request.place.plane() ? "pixel_down_mm" : "slice_mm",
         facts.mm ? lengthText(facts.mm->apart.value_or(facts.mm->down)) : std::string()},
        {"pixel_bins", pixel.bins ? numberToText(*pixel.bins) : std::string()},
        {"method", made.method},
        {"region", request.place.region() ? toText(*request.place.region()) : std::string()},
        {"warnings", warningsText(made)},
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

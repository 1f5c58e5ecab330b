// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/reference_image.h"

#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/base/error.h"
#include "engine/base/units.h"
#include "engine/compare/unit_guess.h"
#include "engine/compare/used_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace engine
{

namespace
{

// Returns the part of a whole slice that the grid shows.
Volume cutOut(const Volume& whole, const SliceGrid& like)
{
    if (whole.width == like.width && whole.height == like.height)
        return whole;
    Volume part(1, like.height, like.width);
    for (int row = 0; row < like.height; ++row) {
        const auto from = whole.slice(0).subspan(
            static_cast<std::size_t>(like.y0 + row) * whole.width + static_cast<std::size_t>(like.x0), like.width);
        std::ranges::copy(from, part.slice(0).begin() + static_cast<std::ptrdiff_t>(row) * like.width);
    }
    return part;
}

// Returns a reconstruction of one slice on the same grid and in the same unit, without an image.
Reconstruction besides(const Reconstruction& like, int slice, const char* method)
{
    Reconstruction made;
    made.request = like.request;
    made.request.place.setSlices({slice, 1});
    made.method = method;
    made.grid = like.grid;
    made.grid.slices = 1;
    made.unit = like.unit;
    return made;
}

// Planes may have gaps where the image that is compared has them, too.
void requireNumbers(const Volume& image, const SlicesPath& path, const Reconstruction& like, int slice)
{
    const bool hasGaps = like.request.place.plane() && like.image.values.size() == image.values.size();
    long long count = 0;
    int first = 0;
    for (int k = static_cast<int>(image.values.size()) - 1; k >= 0; --k)
        if (!std::isfinite(image.values[k]) && !(hasGaps && std::isnan(like.image.values[k]))) {
            first = k;
            ++count;
        }
    if (count == 0)
        return;
    throw Error(ErrorKind::badFile,
                "'" + toText(path) + "': " + std::to_string(count) + " pixels of slice " + std::to_string(slice) +
                    " are not numbers (NaN or infinite), the first in column " + std::to_string(first % image.width) +
                    " of row " + std::to_string(first / image.width) +
                    ". Nothing can be measured against them; write 0 there.");
}

// Converts the values, which are in `unit`, to the unit of `like`, and describes that in `from`. The values of a file
// without a known unit stay as they are.
void convert(Reconstruction& image, const std::string& unit, const SlicesPath& path, const Reconstruction& like,
             int slice)
{
    const std::optional<double> pixelSizeMm = like.request.scan->pixelSizeMm();
    const auto factor = inverseLengthFactor(unit, like.unit, pixelSizeMm);
    require(factor || path.unit.empty(), "'" + toText(path) + "' can't be converted from " + unit + " to " + like.unit +
                                             ", because the scan doesn't specify the size of its pixels. Give that "
                                             "size, or read the file as " +
                                             like.unit + ".");
    if (!path.unit.empty())
        image.from += ", read as " + unit;
    else if (!factor)
        image.from += (unit.empty() ? ", interpreted as " : ", " + unit + " interpreted as ") + like.unit;
    else if (*factor != 1)
        image.from += ", converted from " + unit;
    if (factor && *factor != 1)
        for (float& value : image.image.values)
            value = static_cast<float>(value * *factor);
    const int index = like.request.place.plane() ? 0 : slice - like.request.place.slices().first;
    if (unit.empty())
        image.likelyUnit =
            unitThatFits(image.image.slice(0), like.image.slice(index), like.unit, pixelSizeMm).value_or(std::string());
}

bool isSamePlane(const Plane& a, const Plane& b)
{
    constexpr double tolerance = 1e-6; // voxels
    const auto isNear = [](const VoxelPoint& p, const VoxelPoint& q) {
        return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) < tolerance;
    };
    return isNear(a.centre, b.centre) && isNear(a.u, b.u) && isNear(a.v, b.v) && a.width == b.width &&
           a.height == b.height && std::abs(a.pixel - b.pixel) < tolerance;
}

// Returns the image that was read from a file, on the grid of `like`, in its unit.
FileImage fileImageOf(const SlicesPath& path, StoredSlice stored, const Reconstruction& like, int slice)
{
    FileImage made{besides(like, slice, "file"), std::move(stored.files)};
    Reconstruction& image = made.image;
    image.image = std::move(stored.image);
    requireNumbers(image.image, path, like, slice);
    image.from = shortName(path);
    if (stored.recordedPlane.empty() || !like.request.place.plane())
        image.from += (stored.isOnly ? ", its only image, used for slice " : ", slice ") + std::to_string(slice);
    if (stored.recordedSlice && stored.isOnly && *stored.recordedSlice != slice)
        image.from += " although the file specifies slice " + std::to_string(*stored.recordedSlice);
    if (!stored.byName.empty())
        image.from += " by the order of the names: " + stored.byName;
    if (!stored.axes.empty())
        image.from += ", dimensions interpreted as " + stored.axes;
    convert(image, stored.unit, path, like, slice);
    return made;
}

} // namespace

Request exactRequest(const Request& request, int slice, const Reconstruction& made, Interpolation interpolation)
{
    Request reference;
    reference.scan = request.scan;
    if (request.place.plane())
        reference.place.part = request.place.part;
    else
        reference.place.part = Slices{{slice, 1}, request.place.region()};
    reference.setting = request.setting;
    reference.setting.kernel = {};
    reference.setting.kernel.interpolation = interpolation;
    reference.resources.threads = request.resources.threads;
    reference.resources.device = request.resources.device;
    reference.resources.memoryLimitBytes = request.resources.memoryLimitBytes;
    reference.resources.memoryInUseBytes = request.resources.memoryInUseBytes;
    const Method& method = referenceMethodFor(reference);
    reference.setting.kernel.method = method.id;
    if (method.backend->isProcessor) // so that requests for different devices share the image
        reference.resources.device = {};
    reference.setting.axis = usedAxis(request.setting.axis, made);
    return reference;
}

Reconstruction phantomImage(const Reconstruction& like, int slice)
{
    const Scan& scan = *like.request.scan;
    Reconstruction made = besides(like, slice, "phantom");
    const std::optional<Plane> plane = like.request.place.plane();
    made.image = plane ? scan.exactImage(*plane) : scan.exactImage(slice, like.grid);
    if (const auto pixelSizeMm = scan.pixelSizeMm(); like.unit == "1/mm" && pixelSizeMm)
        for (float& value : made.image.values)
            value = static_cast<float>(value / *pixelSizeMm);
    return made;
}

FileImage fileImage(const SlicesPath& path, const Reconstruction& like, int slice)
{
    if (like.request.place.plane())
        return filePlane(path, like);
    std::vector<SliceSize> fitting{{like.grid.width, like.grid.height}};
    if (const SliceSize whole{like.grid.size, like.grid.size}; like.grid.step == 1 && whole != fitting[0])
        fitting.push_back(whole);
    StoredSlice stored = readSlice(path, slice, fitting);
    stored.image = cutOut(stored.image, like.grid);
    return fileImageOf(path, std::move(stored), like, slice);
}

FileImage filePlane(const SlicesPath& path, const Reconstruction& like)
{
    const Plane plane = *like.request.place.plane();
    const VolumeSize volume = volumeOf(*like.request.scan);
    const auto box = boxOf(plane, volume);
    const SliceSize size{plane.width, plane.height};
    const bool isSlice = box && box->slices == 1 && size == SliceSize{volume.size, volume.size};
    const int slice = isSlice ? box->slice : 0;
    const std::string quoted = "'" + toText(path) + "'";
    const char* const needed = " Planes that are no slices need an image that was saved of the same plane.";
    StoredSlice stored;
    try {
        stored = readSlice(path, slice, std::array{size});
    } catch (const Error& error) {
        if (isSlice)
            throw;
        throw Error(error.kind(), error.text() + needed);
    }
    if (stored.recordedPlane.empty() && !isSlice)
        throw Error(ErrorKind::badRequest, quoted + " doesn't specify of which plane it is." + needed);
    if (!stored.recordedPlane.empty() && !isSamePlane(planeFromText(stored.recordedPlane, volume), plane))
        throw Error(ErrorKind::badRequest, quoted + " is of another plane, " + stored.recordedPlane + ".");
    return fileImageOf(path, std::move(stored), like, slice);
}

std::string referenceText(const ReferenceChoice& choice, const std::string& of, const Reconstruction* made)
{
    using Kind = ReferenceChoice::Kind;
    const std::string exact = "exact method, double precision";
    switch (choice.kind) {
    case Kind::phantom:
        return "exact phantom";
    case Kind::file:
        return made && !made->from.empty() ? made->from : shortName(choice.file);
    case Kind::setting:
        return of.empty() ? exact : of;
    case Kind::exactOf:
        return of.empty() ? exact : exact + ", as " + of;
    case Kind::exact:
        break;
    }
    return choice.interpolation == Interpolation::cubic ? exact + ", cubic interpolation" : exact;
}

} // namespace engine

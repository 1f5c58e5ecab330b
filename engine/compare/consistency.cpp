// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/consistency.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/compare/projection_subset.h"
#include "engine/compare/used_axis.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/detector_mapping.h"
#include "engine/scan/some_projections.h"
#include "engine/stages/prepared_rows.h"
#include "engine/stages/stages.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace engine
{

namespace
{

constexpr int mostReprojected = 180;

std::vector<int> everyOther(int projections, int first)
{
    std::vector<int> kept;
    for (int projection = first; projection < projections; projection += 2)
        kept.push_back(projection);
    return kept;
}

// Returns the slice inside the disc that is visible from all sides, and 0 outside, where back-projection leaves
// streaks. In a full turn it is enough if one of two opposite sides sees a point of the disc.
Values insideView(std::span<const float> slice, int size, const Sight& sight, const Geometry& geometry, int sliceNumber)
{
    const bool isFull = isFullTurn(anglesRadOf(geometry));
    const double middle = (size - 1) / 2.0;
    double radius = middle + 0.5;
    for (int projection = 0; projection < sight.projections(); ++projection) {
        std::array<double, 2> distances{radius, radius};
        for (const int side : {0, 1})
            if (const auto line = sight.lineAt(projection, side * binsOf(geometry) - 0.5, sliceNumber)) {
                const double columns = line->column1 - line->column0, rows = line->row1 - line->row0;
                distances[side] = std::abs(columns * (middle - line->row0) - rows * (middle - line->column0)) /
                                  std::hypot(columns, rows);
            }
        radius = std::min(radius, isFull ? std::max(distances[0], distances[1]) : std::min(distances[0], distances[1]));
    }
    Values inside(slice.begin(), slice.end());
    for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column)
            if (std::hypot(row - middle, column - middle) > radius)
                inside[static_cast<std::size_t>(row) * size + column] = 0;
    return inside;
}

// Returns the integral along the segment, in pixels, of an image that is linear between pixel centres.
double integralAlong(std::span<const float> image, int size, SliceSegment line)
{
    const bool isSteep = std::abs(line.row1 - line.row0) > std::abs(line.column1 - line.column0);
    std::size_t along = 1, across = static_cast<std::size_t>(size); // steps in memory
    if (isSteep) {
        std::swap(along, across);
        line = {line.row0, line.column0, line.row1, line.column1};
    }
    if (line.column0 > line.column1)
        line = {line.column1, line.row1, line.column0, line.row0};
    if (!(line.column1 > line.column0))
        return 0;
    const double slope = (line.row1 - line.row0) / (line.column1 - line.column0);
    const int begin = std::max(0, static_cast<int>(std::ceil(line.column0)));
    const int end = std::min(size - 1, static_cast<int>(std::floor(line.column1)));
    double sum = 0;
    for (int k = begin; k <= end; ++k) {
        const double place = line.row0 + (k - line.column0) * slope;
        const double below = std::floor(place), share = place - below;
        const auto valueAt = [&](double row) {
            return row >= 0 && row < size ? image[k * along + static_cast<std::size_t>(row) * across] : 0.0F;
        };
        sum += (1 - share) * valueAt(below) + share * valueAt(below + 1);
    }
    return sum * std::sqrt(1 + slope * slope);
}

std::string whyNotProjected(const Reconstruction& image)
{
    const Geometry& geometry = image.request.scan->geometry;
    if (const auto* cone = std::get_if<ConeBeam>(&geometry); cone && cone->rows > 1)
        return "The rays of a cone beam cross more than one slice.";
    if (image.request.place.region())
        return "Rays cross the whole slice, and only a region of it was reconstructed.";
    if (image.request.setting.filter.window == Window::none)
        return "Without a filter the slice doesn't show the attenuation, and can't be compared with the projections.";
    return {};
}

// Returns √(Σ difference² / Σ measured²); nothing if all measured values are 0.
std::optional<double> residualOf(const Reconstruction& image, const Request& request, const RawRows& raw, int slice,
                                 const std::stop_token& stop)
{
    const RowRange rows = preparedKey(request).rows;
    const PreparedRows prepared = prepare(request, raw, rows, 0, stop);
    const Sinograms& all = prepared.prepared.sinograms;
    const bool isFan = std::holds_alternative<ConeBeam>(request.scan->geometry);
    const int bins = all.bins, size = image.grid.width;
    const std::size_t first = (isFan ? 0 : static_cast<std::size_t>(slice - rows.first)) * all.projections * bins;
    const Geometry geometry =
        image.axisSource == "scan" ? request.scan->geometry : withAxis(request.scan->geometry, image.axisBins);
    const Sight sight(geometry);
    const double pixel = image.unit == "1/mm" ? request.scan->pixelSizeMm().value_or(1) : 1;
    const Values pixels =
        insideView(image.image.slice(slice - image.request.place.slices().first), size, sight, geometry, slice);
    const int count = std::min(mostReprojected, all.projections);
    std::vector<double> differences(count), measured(count);
    parallelFor(tbb::blocked_range<int>(0, count, 1), [&](const tbb::blocked_range<int>& some) {
        for (int k = some.begin(); k < some.end(); ++k) {
            throwIfStopped(stop);
            const int projection = static_cast<int>(static_cast<long long>(k) * all.projections / count);
            for (int bin = 0; bin < bins; ++bin) {
                const double value = all.values[first + static_cast<std::size_t>(projection) * bins + bin];
                const auto line = sight.lineAt(projection, bin, slice);
                const double again = line ? pixel * integralAlong(pixels, size, *line) : 0;
                differences[k] += (again - value) * (again - value);
                measured[k] += value * value;
            }
        }
    });
    double difference = 0, whole = 0;
    for (int k = 0; k < count; ++k) {
        difference += differences[k];
        whole += measured[k];
    }
    if (!(whole > 0) || !std::isfinite(difference))
        return {};
    return std::sqrt(difference / whole);
}

} // namespace

Consistency consistencyOf(const Reconstruction& image, int slice, std::stop_token stop)
{
    Consistency made;
    if (!image.request.scan || !image.request.scan->read || image.request.place.previewStep > 1) {
        made.whyNoResolution = made.whyNoResidual = "The projections of this image aren't known.";
        return made;
    }
    Request request = image.request;
    request.setting.axis = usedAxis(request.setting.axis, image);
    const RawRows raw = read(request, preparedKey(request).rows, stop);
    made.whyNoResidual = whyNotProjected(image);
    if (made.whyNoResidual.empty()) {
        made.residual = residualOf(image, request, raw, slice, stop);
        if (!made.residual)
            made.whyNoResidual = "The projections are empty, or hold values that aren't finite.";
    }
    if (raw.projections < 4) {
        made.whyNoResolution = "There are too few projections for two halves.";
        return made;
    }
    try {
        const auto half = [&](int first) {
            return ProjectionSubset(request, raw, everyOther(raw.projections, first)).imageOf(request, stop);
        };
        const Reconstruction even = half(0), odd = half(1);
        const int at = slice - request.place.slices().first;
        made.halves = compareSpectra(even.image.slice(at), odd.image.slice(at), image.grid.width, image.grid.height);
        made.resolutionPixels = resolutionPixels(*made.halves, ResolutionCriterion::halfBit);
        if (!std::isfinite(made.resolutionPixels))
            made.whyNoResolution = "The images of the even and of the odd projections agree nowhere.";
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::badRequest)
            throw;
        made.whyNoResolution = error.what();
    }
    return made;
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/reconstruct/plane_request.h"

#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/backends/cut_points.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/prepare/steps.h"
#include "engine/prepare/virtual_detector.h"
#include "engine/request/memory_limit.h"
#include "engine/resolve/resolve.h"
#include "engine/scan/some_projections.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace engine
{

namespace
{

// Returns whether the filter gets the detector as it is (VirtualDetector), as far as that is known before the axis is.
bool isSeenAsRecorded(const Request& request)
{
    const Geometry& geometry = request.scan->geometry;
    const AxisSettings& axis = request.setting.axis;
    const auto isRecorded = [](const Geometry& known) { return VirtualDetector(known).isRecorded(); };
    if (axis.mode == AxisSettings::Mode::given)
        return isRecorded(withAxis(geometry, axis.bins));
    if (axis.mode == AxisSettings::Mode::middle)
        return isRecorded(withAxis(geometry, middleBinsOf(geometry)));
    if (axis.mode == AxisSettings::Mode::automatic && !axisBinsOf(geometry).empty())
        return isRecorded(geometry);
    return takesParallelBeam(geometry) && !isFullTurn(anglesRadOf(geometry), mostGapRad);
}

// Returns the bytes of the plan's rows.
double bytesOfRows(const Plan& plan)
{
    const Scan& scan = plan.scan();
    const RowRange& rows = plan.rows;
    const double row = static_cast<double>(scan.projections()) * scan.bins(), samples = rows.count * row;
    const double prepared = sizeof(float) * samples;
    if (plan.request.place.plane() && plan.route.filtersOnDevice && isSeenAsRecorded(plan.request)) {
        const double recorded = scan.bytesPerSample * samples;
        return plan.route.mayPrepareOnDevice ? recorded : prepared + recorded;
    }
    const double recorded = scan.bytesPerSample * row * withHalo(rows, plan.preparation, scan.rows).count;
    const auto preparing = static_cast<double>(
        bytesOf(plan.preparation, {.rows = rows.count, .projections = scan.projections(), .bins = scan.bins()}));
    const bool isWide = plan.route.precision == FilterPrecision::float64;
    double filtered = (isWide ? 2 : 1) * prepared;
    if (const std::optional<int> bins = plan.route.virtualBins) // also what the virtual detector sees
        filtered = (filtered + prepared) * *bins / scan.bins();
    return std::max(recorded + preparing, prepared + filtered);
}

double bytesOf(const Region& pixels)
{
    return sizeof(float) * static_cast<double>(pixels.width) * pixels.height;
}

// Divides the pixels of a part, between two rows or two columns.
std::array<PlanePiece, 2> cut(const PlanePiece& part, bool isAcrossRows, int before)
{
    std::array<PlanePiece, 2> halves{part, part};
    int Region::*const first = isAcrossRows ? &Region::row : &Region::column;
    int Region::*const size = isAcrossRows ? &Region::height : &Region::width;
    halves[0].pixels.*size = before;
    halves[1].pixels.*first += before;
    halves[1].pixels.*size -= before;
    return halves;
}

// Divides a plane until the rows of each part fit.
class Division
{
  public:
    Division(PlannedPlane& plane, const Resources& resources)
        : m_plane(plane), m_resources(resources), m_left(memoryLeftOf(resources)),
          m_fixed(programBytes + bytesOf(Region{0, 0, plane.width, plane.height}))
    {
    }

    void add(const PlanePiece& part)
    {
        const double bytes = m_fixed + bytesOf(part.pixels) + bytesOfRows(part.plan);
        if (bytes <= m_left) {
            m_plane.bytes = std::max(m_plane.bytes, bytes);
            m_plane.parts.push_back(part);
            return;
        }
        const auto halves = part.plan.request.place.plane() ? halvesOfPlane(part) : halvesOfSlices(part);
        if (!halves)
            throw tooLarge(bytes);
        for (const PlanePiece& half : *halves) // which may lie beside the volume
            add({resolve(half.plan.request, *half.plan.method), half.pixels});
    }

  private:
    Error tooLarge(double bytes) const
    {
        const double inUse = m_resources.memoryInUseBytes;
        return {memoryLimitOf(m_resources) < programBytes ? ErrorKind::badRequest : ErrorKind::noMemory,
                "the plane takes " + sizeAtLeast(bytes) + " or more, " + sizeText(programBytes) +
                    " of it for the program itself and " + sizeText(m_fixed - programBytes) +
                    " for the image, and the memory limit is " + memoryLimitText(m_resources) +
                    (inUse > 0 ? ", of which " + sizeText(inUse) + " are in use" : "") + "; raise it to " +
                    sizeAtLeast(bytes + inUse) + " or more"};
    }

    // Returns about half of the lines, in whole passes if there are several, so that values are rounded alike.
    static int halfOf(int lines, int pass) { return lines <= pass ? lines / 2 : (lines / 2 + pass - 1) / pass * pass; }

    static std::optional<std::array<PlanePiece, 2>> halvesOfSlices(const PlanePiece& part)
    {
        const RowRange& slices = part.plan.request.place.slices();
        if (slices.count < 2)
            return std::nullopt;
        const int above = halfOf(slices.count, part.plan.request.setting.kernel.slicesPerPass),
                  rows = part.pixels.height / slices.count;
        auto halves = cut(part, true, above * rows);
        halves[0].plan.request.place.setSlices({slices.first, above});
        halves[1].plan.request.place.setSlices({slices.first + above, slices.count - above});
        return halves;
    }

    // Across the direction along which the plane meets more slices. Nothing if it meets the same ones everywhere.
    static std::optional<std::array<PlanePiece, 2>> halvesOfPlane(const PlanePiece& part)
    {
        const Plane plane = *part.plan.request.place.plane();
        const double alongRows = std::abs(plane.u[2]) * (plane.width - 1) * plane.pixel,
                     alongColumns = std::abs(plane.v[2]) * (plane.height - 1) * plane.pixel;
        if (std::max(alongRows, alongColumns) < 1e-6)
            return std::nullopt;
        const bool isAcrossRows = alongColumns >= alongRows;
        const int before = halfOf(isAcrossRows ? plane.height : plane.width, isAcrossRows ? 1 : planeRunPixels);
        auto halves = cut(part, isAcrossRows, before);
        for (PlanePiece& half : halves)
            std::get<PlanePart>(half.plan.request.place.part).plane =
                partOf(plane, half.pixels.column - part.pixels.column, half.pixels.row - part.pixels.row,
                       half.pixels.width, half.pixels.height);
        return halves;
    }

    PlannedPlane& m_plane;
    const Resources& m_resources;
    const double m_left, m_fixed;
};

// Returns the plane as one part. Throws Error(badRequest), which names the value, if it doesn't fit the volume.
PlannedPlane undividedPlane(const Request& request)
{
    const VolumeSize volume = volumeOf(*request.scan);
    const Plane plane = *request.place.plane();
    validate(plane, volume);
    require(!request.place.projections, "a plane can't be combined with a region or slab, with pairs of slices or "
                                        "with some of the projections");
    PlannedPlane planned{{}, 1, plane.width, plane.height};
    Request whole = request;
    Place& place = whole.place;
    const auto planOf = [&whole] { return resolve(whole, methodFor(whole)); };
    if (!isLaunchedAsPlane(request)) {
        const auto box = boxOf(plane, volume);
        Slices slices{{box->slice, box->slices}};
        if (box->width < volume.size || box->height < volume.size)
            slices.region = {box->column, box->row, box->width, box->height};
        place.part = slices;
        // Of a pixel's width, so that the processor is faster with several slices at a time.
        if (box->slices > 1 && planOf().method->backend->isProcessor)
            whole.setting.kernel.slicesPerPass = slicesPerPassFor(whole);
    } else {
        const int step = std::exchange(place.previewStep, 1);
        Plane& coarse = std::get<PlanePart>(place.part).plane;
        coarse.pixel *= step;
        planned.width = coarse.width = (plane.width + step - 1) / step;
        planned.height = coarse.height = (plane.height + step - 1) / step;
        planned.projectionStep = std::max(1, step / 2);
    }
    planned.parts.push_back({planOf(), {0, 0, planned.width, planned.height}});
    return planned;
}

} // namespace

double bytesForPlane(const Request& request)
{
    return bytesOfRows(undividedPlane(request).parts.front().plan);
}

KeptPlanes keptPlanesFor(const std::vector<Request>& planes, const std::shared_ptr<const Scan>& known)
{
    constexpr int mostStep = 64;
    const Scan& all = *planes.front().scan;
    double imageBytes = 0;
    const auto rowsOf = [&](const std::shared_ptr<const Scan>& scan) {
        double most = 0;
        for (Request plane : planes) {
            plane.scan = scan;
            std::get<PlanePart>(plane.place.part).othersFollow = true;
            try {
                most = std::max(most, bytesForPlane(plane));
            } catch (const Error&) {
                continue;
            }
            const VolumeGrid grid = sectionOf(plane).grid;
            imageBytes = std::max(imageBytes, bytesOf(Region{0, 0, grid.width, grid.height}));
        }
        return most;
    };
    const double left = memoryLeftOf(planes.front().resources);
    KeptPlanes kept{.scan = planes.front().scan};
    kept.bytes = rowsOf(kept.scan);
    kept.neededBytes = programBytes + imageBytes + kept.bytes;
    if (kept.neededBytes <= left)
        return kept;
    for (kept.step = 2; kept.step <= mostStep; kept.step *= 2) {
        const int projections = (all.projections() + kept.step - 1) / kept.step;
        kept.scan = known && known->projections() == projections ? known : everyNth(all, kept.step);
        if (!kept.scan)
            break;
        kept.bytes = rowsOf(kept.scan);
        if (programBytes + 2 * (imageBytes + kept.bytes) <= left)
            return kept;
    }
    kept.step = 0;
    kept.scan.reset();
    kept.bytes = 0;
    return kept;
}

PlannedPlane plannedPlane(const Request& request)
{
    PlannedPlane planned = undividedPlane(request);
    PlanePiece whole = planned.parts.front();
    const double bytes = programBytes + bytesOf(whole.pixels) + bytesOfRows(whole.plan);
    if (bytes <= memoryLeftOf(request.resources)) {
        planned.bytes = bytes;
        return planned;
    }
    if (request.place.othersFollow()) {
        Request alone = request;
        std::get<PlanePart>(alone.place.part).othersFollow = false;
        return plannedPlane(alone);
    }
    planned.parts.clear();
    Division(planned, request.resources).add(whole);
    return planned;
}

void addPart(Reconstruction part, const Region& pixels, Reconstruction& plane)
{
    Reconstruction sum = std::move(plane);
    const Volume image = std::exchange(part.image, {}); // its values are in the order of the plane's
    for (int row = 0; row < pixels.height; ++row)
        std::copy_n(image.values.begin() + static_cast<std::ptrdiff_t>(row) * pixels.width, pixels.width,
                    sum.image.values.begin() + static_cast<std::ptrdiff_t>(pixels.row + row) * sum.image.width +
                        pixels.column);
    const auto addStage = [](StageTime& to, const StageTime& of) { to.seconds += of.reused ? 0 : of.seconds; };
    Timings& times = sum.timings;
    addStage(times.read, part.timings.read);
    addStage(times.prepare, part.timings.prepare);
    addStage(times.axis, part.timings.axis);
    addStage(times.filter, part.timings.filter);
    times.kernelSeconds += part.timings.kernelSeconds;
    times.backprojectSeconds += part.timings.backprojectSeconds;
    times.totalSeconds += part.timings.totalSeconds;
    addNotes(sum.notes, part.notes);
    addNotes(sum.gaps, part.gaps);
    // Rows in which all projections are empty tell nothing about a projection.
    if (static_cast<int>(part.emptyProjections.size()) < projectionsOf(part.request)) {
        std::vector<int> empty;
        std::ranges::set_union(sum.emptyProjections, part.emptyProjections, std::back_inserter(empty));
        sum.emptyProjections = std::move(empty);
    }
    addDoubts(sum.doubts, part.doubts);
    plane = std::move(part); // for what all parts have in common
    plane.image = std::move(sum.image);
    plane.timings = times;
    plane.notes = std::move(sum.notes);
    plane.gaps = std::move(sum.gaps);
    plane.doubts = std::move(sum.doubts);
    plane.emptyProjections = std::move(sum.emptyProjections);
}

} // namespace engine

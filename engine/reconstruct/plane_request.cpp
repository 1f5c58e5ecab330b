// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/reconstruct/plane_request.h"

#include "engine/backproject/method.h"
#include "engine/base/error.h"
#include "engine/prepare/virtual_detector.h"
#include "engine/stages/prepared_rows.h"
#include "engine/stages/stages.h"

#include <algorithm>
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
    return takesParallelBeam(geometry) && !isFullTurn(anglesRadOf(geometry));
}

} // namespace

double bytesForPlane(const Request& request)
{
    const Request planned = plannedPlane(request).request;
    const Scan& scan = *planned.scan;
    const double samples = static_cast<double>(preparedKey(planned).rows.count) * scan.projections() * scan.bins();
    const double prepared = sizeof(float) * samples, recorded = scan.bytesPerSample * samples;
    const Method& method = methodFor(planned);
    if (planned.place.plane && filtersItself(method, planned) && isSeenAsRecorded(planned))
        return preparesOnDevice(planned, method) ? recorded : prepared + recorded;
    return prepared + std::max(prepared, recorded);
}

PlannedPlane plannedPlane(const Request& request)
{
    const VolumeSize volume = volumeOf(*request.scan);
    const Plane& plane = *request.place.plane;
    validate(plane, volume);
    require(!request.place.region && !request.place.slab && !request.place.pairsOf && !request.place.projections,
            "a plane can't be combined with a region or slab, with pairs of slices or with some of the projections");
    PlannedPlane planned{request, 1, plane.width, plane.height};
    Place& place = planned.request.place;
    require(place.slices == RowRange{0, 1}, "a plane is one image, not several slices");
    if (!isLaunchedAsPlane(request)) {
        const auto box = boxOf(plane, volume);
        place.plane.reset();
        place.readsAll = false;
        place.slices = {box->slice, box->slices};
        if (box->width < volume.size || box->height < volume.size)
            place.region = Region{box->column, box->row, box->width, box->height};
        // Of a pixel's width, so that the processor is faster with several slices at a time.
        if (box->slices > 1 && methodFor(planned.request).device == DeviceSettings::Kind::cpu)
            planned.request.setting.kernel.slicesPerPass = slicesPerPassFor(planned.request);
        return planned;
    }
    const int step = std::exchange(place.previewStep, 1);
    place.plane->pixel *= step;
    planned.width = place.plane->width = (plane.width + step - 1) / step;
    planned.height = place.plane->height = (plane.height + step - 1) / step;
    planned.projectionStep = std::max(1, step / 2);
    return planned;
}

void becomePlane(Volume& image, const PlannedPlane& planned)
{
    image.slices = 1; // the values are in the same order
    image.height = planned.height;
    image.width = planned.width;
}

} // namespace engine

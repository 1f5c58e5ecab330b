// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/reconstruct/plane_request.h"

#include "engine/backproject/method.h"
#include "engine/base/error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace engine
{

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

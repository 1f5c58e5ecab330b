// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/plane_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ui
{

namespace
{

using engine::VoxelPoint;

constexpr double leastReach = 1; // in voxels: shorter grips can't be dragged

double along(const VoxelPoint& a, const VoxelPoint& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

VoxelPoint shifted(const VoxelPoint& from, const VoxelPoint& direction, double by)
{
    return {from[0] + by * direction[0], from[1] + by * direction[1], from[2] + by * direction[2]};
}

// Ends of the volume along an axis: half a voxel beyond the outer centres.
double endOf(const engine::VolumeSize& volume, std::size_t axis, bool isHigh)
{
    return isHigh ? (axis == 2 ? volume.slices : volume.size) - 0.5 : -0.5;
}

// Cuts off what is beyond an end of the volume (Sutherland and Hodgman 1974).
std::vector<VoxelPoint> cutAt(const std::vector<VoxelPoint>& corners, std::size_t axis, double end, double way)
{
    std::vector<VoxelPoint> left;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const VoxelPoint &a = corners[k], &b = corners[(k + 1) % corners.size()];
        const double beyondA = way * (a[axis] - end), beyondB = way * (b[axis] - end);
        if (beyondA <= 0)
            left.push_back(a);
        if ((beyondA < 0 && beyondB > 0) || (beyondA > 0 && beyondB < 0)) {
            const double t = beyondA / (beyondA - beyondB);
            left.push_back({a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])});
        }
    }
    return left;
}

// Distance from a point in the volume to its end along a direction.
double reachAlong(const VoxelPoint& from, const VoxelPoint& direction, const engine::VolumeSize& volume)
{
    double reach = std::numeric_limits<double>::max();
    for (std::size_t k = 0; k < 3; ++k)
        if (std::abs(direction[k]) > 1e-9)
            reach = std::min(reach, (endOf(volume, k, direction[k] > 0) - from[k]) / direction[k]);
    return std::max(0.0, reach);
}

// The point of the planes, moved into the plane: planes of voxels lie beside it.
VoxelPoint pointIn(const LinkedPlanes& planes, int plane)
{
    const VoxelPoint normal = normalOf(planes, plane), &centre = planes.plane(plane).centre;
    return shifted(planes.point, normal, along(centre, normal) - along(planes.point, normal));
}

} // namespace

std::vector<VoxelPoint> outlineOf(const engine::Plane& plane, const engine::VolumeSize& volume)
{
    const double far = 2.0 * (2.0 * volume.size + volume.slices) + std::abs(plane.centre[0]) +
                       std::abs(plane.centre[1]) + std::abs(plane.centre[2]);
    std::vector<VoxelPoint> corners;
    for (const auto& [right, down] : {std::pair(-far, -far), {far, -far}, {far, far}, {-far, far}})
        corners.push_back(shifted(shifted(plane.centre, plane.u, right), plane.v, down));
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (const bool isHigh : {false, true})
            corners = cutAt(corners, axis, endOf(volume, axis, isHigh), isHigh ? 1 : -1);
    return corners.size() < 3 ? std::vector<VoxelPoint>() : corners;
}

std::vector<PlaneGrip> gripsOf(const LinkedPlanes& planes)
{
    std::vector<PlaneGrip> grips;
    for (int plane = 0; plane < LinkedPlanes::count; ++plane) {
        const engine::Plane in = planes.plane(plane);
        const VoxelPoint from = pointIn(planes, plane);
        for (const PlaneGrip::Way way : {PlaneGrip::Way::turn, PlaneGrip::Way::tilt})
            for (const double side : {-1.0, 1.0}) {
                const VoxelPoint direction = shifted({}, way == PlaneGrip::Way::turn ? in.u : in.v, side);
                const VoxelPoint& beside = way == PlaneGrip::Way::turn ? in.v : in.u;
                const double more = reachAlong(from, beside, planes.volume),
                             less = reachAlong(from, shifted({}, beside, -1), planes.volume);
                const double offset = (more >= less ? more : -less) / 2; // on the longer side
                const double reach = reachAlong(shifted(from, beside, offset), direction, planes.volume);
                if (reach >= leastReach)
                    grips.push_back({plane, way, side * reach, offset});
            }
    }
    return grips;
}

VoxelPoint placeOf(const PlaneGrip& grip, const LinkedPlanes& planes)
{
    const engine::Plane in = planes.plane(grip.plane);
    const bool isTilt = grip.way == PlaneGrip::Way::tilt;
    return shifted(shifted(pointIn(planes, grip.plane), isTilt ? in.v : in.u, grip.reach), isTilt ? in.u : in.v,
                   grip.offset);
}

VoxelPoint normalOf(const LinkedPlanes& planes, int plane)
{
    const engine::Plane in = planes.plane(plane);
    const VoxelPoint normal{in.u[1] * in.v[2] - in.u[2] * in.v[1], in.u[2] * in.v[0] - in.u[0] * in.v[2],
                            in.u[0] * in.v[1] - in.u[1] * in.v[0]};
    return normal[static_cast<std::size_t>(plane)] < 0 ? shifted({}, normal, -1) : normal;
}

std::optional<double> meets(const LinkedPlanes& planes, int plane, const VoxelPoint& from, const VoxelPoint& to)
{
    const VoxelPoint normal = normalOf(planes, plane);
    const double before = along(normal, shifted(planes.plane(plane).centre, from, -1)),
                 after = along(normal, shifted(to, from, -1));
    if (after == 0)
        return std::nullopt;
    const double t = before / after;
    if (!(t >= 0 && t <= 1))
        return std::nullopt;
    for (std::size_t k = 0; k < 3; ++k) {
        const double at = from[k] + t * (to[k] - from[k]);
        if (at < endOf(planes.volume, k, false) - 1e-9 || at > endOf(planes.volume, k, true) + 1e-9)
            return std::nullopt;
    }
    return t;
}

} // namespace ui

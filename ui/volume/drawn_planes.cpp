// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/drawn_planes.h"

#include "ui/planes/planes_panel.h"
#include "ui/volume/drawn_volume.h"

#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkProperty.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui
{

namespace
{

constexpr double frameWidth = 2, gripSize = 11, gripRoom = 9; // in pixels at a ratio of 1
constexpr double besideFace = 0.3;                            // in voxels

} // namespace

DrawnPlanes::DrawnPlanes(vtkRenderer* renderer, vtkRenderer* front)
    : m_renderer(renderer), m_front(front), m_frames{SceneLines(renderer), SceneLines(renderer), SceneLines(renderer)}
{
    for (Face& face : m_faces) {
        face.texture->SetInputData(face.pixels);
        face.texture->SetColorModeToDirectScalars();
        face.mapper->SetInputData(face.shape);
        face.actor->SetMapper(face.mapper);
        face.actor->SetTexture(face.texture);
        face.actor->GetProperty()->LightingOff();
        face.actor->ForceOpaqueOn(); // pixels are opaque or discarded
        face.actor->PickableOff();
        renderer->AddActor(face.actor);
    }
    for (int k = 0; k < LinkedPlanes::count; ++k) {
        Grips& grips = m_grips[static_cast<std::size_t>(k)];
        grips.mapper->SetInputData(grips.points);
        grips.actor->SetMapper(grips.mapper);
        grips.actor->GetProperty()->LightingOff();
        grips.actor->GetProperty()->SetColor(componentsOf(planeColour(k)).data());
        grips.actor->GetProperty()->RenderPointsAsSpheresOn();
        grips.actor->PickableOff();
        front->AddActor(grips.actor);
    }
    applyVisibility();
}

std::array<double, 3> DrawnPlanes::inScene(const engine::VoxelPoint& place) const
{
    return {place[0] * m_voxel[0], place[1] * m_voxel[1], place[2] * m_voxel[2]};
}

void DrawnPlanes::setVoxel(const std::array<double, 3>& sides)
{
    m_voxel = sides;
    setPlanes(m_planes);
    for (Face& face : m_faces)
        placeFace(face);
}

void DrawnPlanes::setLook(const VolumeLook& look)
{
    const bool isColouredAlike = look.low == m_look.low && look.high == m_look.high && look.colours == m_look.colours &&
                                 look.slicesWhole == m_look.slicesWhole && look.volumeVisible == m_look.volumeVisible &&
                                 look.clearBelow() == m_look.clearBelow();
    m_look = look;
    for (std::size_t k = 0; k < m_frames.size(); ++k) {
        m_frames[k].setLook(planeColour(static_cast<int>(k)), frameWidth * look.pixelRatio);
        m_grips[k].actor->GetProperty()->SetPointSize(static_cast<float>(gripSize * look.pixelRatio));
        if (!isColouredAlike)
            colour(m_faces[k]);
    }
}

void DrawnPlanes::setVisible(bool visible)
{
    m_isVisible = visible;
    applyVisibility();
}

void DrawnPlanes::setGripsVisible(bool visible)
{
    m_hasGrips = visible;
    applyVisibility();
}

void DrawnPlanes::setInFront(bool isInFront)
{
    if (std::exchange(m_isInFront, isInFront) == isInFront)
        return;
    vtkRenderer *const from = isInFront ? m_renderer : m_front, *const to = isInFront ? m_front : m_renderer;
    for (std::size_t k = 0; k < m_frames.size(); ++k)
        for (vtkActor* actor : {m_faces[k].actor.Get(), m_frames[k].actor()}) {
            from->RemoveActor(actor);
            to->AddActor(actor);
        }
}

void DrawnPlanes::applyVisibility()
{
    for (std::size_t k = 0; k < m_frames.size(); ++k) {
        m_faces[k].actor->SetVisibility(m_isVisible && m_faces[k].image != nullptr);
        m_frames[k].setVisible(m_isVisible);
        m_grips[k].actor->SetVisibility(m_isVisible && m_hasGrips);
    }
}

void DrawnPlanes::setPlanes(const LinkedPlanes& planes)
{
    m_planes = planes;
    std::array<vtkNew<vtkPoints>, LinkedPlanes::count> points;
    std::array<vtkNew<vtkCellArray>, LinkedPlanes::count> cells;
    if (planes.volume.size > 0)
        for (const PlaneGrip& grip : gripsOf(planes)) {
            const auto k = static_cast<std::size_t>(grip.plane);
            const vtkIdType id = points[k]->InsertNextPoint(inScene(placeOf(grip, planes)).data());
            cells[k]->InsertNextCell(1, &id);
        }
    for (int plane = 0; plane < LinkedPlanes::count; ++plane) {
        const auto k = static_cast<std::size_t>(plane);
        m_grips[k].points->SetPoints(points[k]);
        m_grips[k].points->SetVerts(cells[k]);
        std::vector<std::pair<Vector, Vector>> lines;
        if (planes.volume.size > 0) {
            const std::vector<engine::VoxelPoint> corners = outlineOf(planes.plane(plane), planes.volume);
            const engine::VoxelPoint normal = normalOf(planes, plane);
            for (const double beside : {-besideFace, besideFace}) // so that the face hides it from neither side
                for (std::size_t i = 0; i < corners.size(); ++i) {
                    engine::VoxelPoint from = corners[i], to = corners[(i + 1) % corners.size()];
                    for (std::size_t axis = 0; axis < 3; ++axis) {
                        from[axis] += beside * normal[axis];
                        to[axis] += beside * normal[axis];
                    }
                    lines.emplace_back(inScene(from), inScene(to));
                }
        }
        m_frames[k].setLines(lines);
    }
}

void DrawnPlanes::setImage(int plane, const Image& image)
{
    Face& face = m_faces[static_cast<std::size_t>(plane)];
    if (face.image == image)
        return;
    face.image = image;
    placeFace(face);
    colour(face);
    applyVisibility();
}

// Positions in the image count from its first pixel's outer corner, as VTK's do: 0 to 1.
void DrawnPlanes::placeFace(Face& face)
{
    vtkNew<vtkPoints> points;
    vtkNew<vtkFloatArray> positions;
    vtkNew<vtkCellArray> cells;
    positions->SetNumberOfComponents(2);
    if (face.image && face.image->request.place.plane() && face.image->request.scan) {
        const engine::Plane plane = *face.image->request.place.plane();
        const engine::Volume& image = face.image->image;
        const std::vector<engine::VoxelPoint> corners = outlineOf(plane, engine::volumeOf(*face.image->request.scan));
        const auto share = [&](const engine::VoxelPoint& at, const engine::VoxelPoint& direction, int pixels) {
            double from = 0;
            for (std::size_t k = 0; k < 3; ++k)
                from += (at[k] - plane.centre[k]) * direction[k];
            return static_cast<float>(0.5 + from / (face.image->grid.step * pixels));
        };
        cells->InsertNextCell(static_cast<int>(corners.size()));
        for (const engine::VoxelPoint& corner : corners) {
            cells->InsertCellPoint(points->InsertNextPoint(inScene(corner).data()));
            positions->InsertNextTuple2(share(corner, plane.u, image.width), share(corner, plane.v, image.height));
        }
    }
    face.shape->SetPoints(points);
    face.shape->SetPolys(cells);
    face.shape->GetPointData()->SetTCoords(positions);
}

void DrawnPlanes::colour(Face& face) const
{
    if (!face.image)
        return;
    const engine::Volume& image = face.image->image;
    vtkNew<vtkUnsignedCharArray> pixels;
    pixels->SetNumberOfComponents(4);
    pixels->SetNumberOfTuples(static_cast<vtkIdType>(image.values.size()));
    unsigned char* next = pixels->GetPointer(0);
    const double width = std::max(m_look.high - m_look.low, 1e-30);
    const bool isWhole = m_look.slicesWhole || !m_look.volumeVisible;
    for (const float value : image.values) {
        const bool isFinite = std::isfinite(value);
        const double share = isFinite ? std::clamp((value - m_look.low) / width, 0.0, 1.0) : 0;
        const QRgb rgb = m_look.colours[static_cast<std::size_t>(share * (notFiniteEntry - 1) + 0.5)];
        *next++ = static_cast<unsigned char>(qRed(rgb));
        *next++ = static_cast<unsigned char>(qGreen(rgb));
        *next++ = static_cast<unsigned char>(qBlue(rgb));
        *next++ = isFinite && (isWhole || value >= m_look.clearBelow()) ? 255 : 0; // nothing is drawn in gaps
    }
    face.pixels->SetDimensions(image.width, image.height, 1);
    face.pixels->GetPointData()->SetScalars(pixels);
    face.pixels->Modified();
}

QPointF DrawnPlanes::project(const engine::VoxelPoint& place) const
{
    const std::array<double, 3> at = inScene(place);
    double seen[3];
    m_renderer->SetWorldPoint(at[0], at[1], at[2], 1);
    m_renderer->WorldToDisplay();
    m_renderer->GetDisplayPoint(seen);
    return {seen[0], seen[1]};
}

std::optional<PlaneGrip> DrawnPlanes::gripAt(QPoint position) const
{
    if (!m_isVisible || m_planes.volume.size == 0)
        return std::nullopt;
    std::optional<PlaneGrip> nearest;
    double least = gripRoom * m_look.pixelRatio;
    for (const PlaneGrip& grip : gripsOf(m_planes)) {
        const QPointF apart = project(placeOf(grip, m_planes)) - position;
        if (const double distance = std::hypot(apart.x(), apart.y()); distance <= least) {
            nearest = grip;
            least = distance;
        }
    }
    return nearest;
}

std::optional<PlaneGrip> DrawnPlanes::faceAt(QPoint position) const
{
    if (!m_isVisible || m_planes.volume.size == 0)
        return std::nullopt;
    std::array<engine::VoxelPoint, 2> ends; // in front of everything and behind it
    for (int k = 0; k < 2; ++k) {
        double at[4];
        m_renderer->SetDisplayPoint(position.x(), position.y(), k);
        m_renderer->DisplayToWorld();
        m_renderer->GetWorldPoint(at);
        if (at[3] == 0)
            return std::nullopt;
        for (int axis = 0; axis < 3; ++axis)
            ends[static_cast<std::size_t>(k)][static_cast<std::size_t>(axis)] =
                at[axis] / at[3] / m_voxel[static_cast<std::size_t>(axis)];
    }
    std::optional<PlaneGrip> nearest;
    double least = 2;
    for (int plane = 0; plane < LinkedPlanes::count; ++plane)
        if (const auto t = meets(m_planes, plane, ends[0], ends[1]); t && *t < least) {
            nearest = PlaneGrip{plane, PlaneGrip::Way::move, 0};
            least = *t;
        }
    return nearest;
}

} // namespace ui

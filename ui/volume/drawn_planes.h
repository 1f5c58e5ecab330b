// SPDX-License-Identifier: GPL-3.0-or-later
// Three linked planes in a scene: their images at their true places, their frames, and the grips that turn them.
#pragma once

#include "ui/background/comparison.h"
#include "ui/volume/plane_shape.h"
#include "ui/volume/scene_lines.h"
#include "ui/volume/volume_scene.h"

#include <vtkActor.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkRenderer.h>
#include <vtkTexture.h>

#include <optional>

namespace ui
{

class DrawnPlanes
{
  public:
    // front: a renderer that is drawn over the other one, with the same camera
    DrawnPlanes(vtkRenderer* renderer, vtkRenderer* front);

    void setVoxel(const std::array<double, 3>& sides); // of the whole volume, in units of the scene
    void setLook(const VolumeLook& look);
    void setVisible(bool visible);
    void setGripsVisible(bool visible);
    void setInFront(bool isInFront); // of everything else: a volume would hide them. Grips always are
    void setPlanes(const LinkedPlanes& planes);
    void setImage(int plane, const Image& image); // at the place for which it was reconstructed; null: none

    // Positions are in pixels of the window, y upwards.
    QPointF project(const engine::VoxelPoint& place) const;
    std::optional<PlaneGrip> gripAt(QPoint position) const; // turns a plane
    std::optional<PlaneGrip> faceAt(QPoint position) const; // moves the frontmost plane

  private:
    struct Face {
        vtkNew<vtkPolyData> shape;
        vtkNew<vtkPolyDataMapper> mapper;
        vtkNew<vtkActor> actor;
        vtkNew<vtkTexture> texture;
        vtkNew<vtkImageData> pixels;
        Image image;
    };
    struct Grips {
        vtkNew<vtkPolyData> points;
        vtkNew<vtkPolyDataMapper> mapper;
        vtkNew<vtkActor> actor;
    };
    std::array<double, 3> inScene(const engine::VoxelPoint& place) const;
    void placeFace(Face& face);
    void colour(Face& face) const;
    void applyVisibility();

    vtkRenderer *m_renderer, *m_front;
    std::array<Face, LinkedPlanes::count> m_faces;
    std::array<SceneLines, LinkedPlanes::count> m_frames;
    std::array<Grips, LinkedPlanes::count> m_grips;
    std::array<double, 3> m_voxel{1, 1, 1};
    VolumeLook m_look;
    LinkedPlanes m_planes;
    bool m_isVisible = false, m_hasGrips = true, m_isInFront = false;
};

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the scene, for its own source files.
#pragma once

#include "ui/volume/axes_marker.h"
#include "ui/volume/drawn_planes.h"
#include "ui/volume/drawn_slices.h"
#include "ui/volume/drawn_volume.h"
#include "ui/volume/scale_layout.h"
#include "ui/volume/scene_lines.h"
#include "ui/volume/volume_scene.h"

#include <vtkCallbackCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>

namespace ui
{

// A renderer that is added to a window when it is created, and removed when it is destroyed. Layers are drawn one over
// the other, from 0.
class WindowRenderer
{
  public:
    WindowRenderer(vtkGenericOpenGLRenderWindow* window, int layer);
    ~WindowRenderer();

    vtkRenderer* get() const { return m_renderer; }

  private:
    vtkSmartPointer<vtkGenericOpenGLRenderWindow> m_window;
    vtkNew<vtkRenderer> m_renderer;
};

struct VolumeScene::Impl {
    explicit Impl(vtkGenericOpenGLRenderWindow* window);
    ~Impl();

    void applyVisibility();
    void applyPositions();
    void beforePicture();
    void giveTimeToVolume();
    bool canShow(Axis axis) const;
    bool hasBox() const; // there is a stack, or planes are shown without one
    bool isInMm() const;
    Vector origin() const;
    double coordinate(int axis) const;     // of the slice across that axis
    std::array<double, 6> bounds() const;  // of what the camera fits and the box surrounds
    std::array<int, 6> extent() const;     // the same in voxels
    std::array<bool, 6> seenFaces() const; // of the box
    SeenBox seenBox(const QRectF& view) const;
    SeenAxes seenAxes() const;

    WindowRenderer renderer, front; // with one camera
    SceneCamera camera;
    vtkNew<vtkImageData> image;
    DrawnVolume volume;
    DrawnSlices slices;
    DrawnPlanes planes;
    SceneLines box;
    vtkNew<vtkCallbackCommand> onStart;
    std::shared_ptr<const engine::Reconstruction> shown;
    std::shared_ptr<const engine::Scan> scan; // whose planes are shown
    std::array<int, 6> object{};              // first and last voxel of the object along each axis
    VolumeLook look;
    bool isPlaced = false; // the slices and the open corner are where `look` says
    int corner = -1;       // that faces the camera: bit k is set if it lies at the high end of axis k; -1: not set
};

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the scene, for its own source files.
#pragma once

#include "ui/volume/axes_marker.h"
#include "ui/volume/drawn_slices.h"
#include "ui/volume/drawn_volume.h"
#include "ui/volume/scale_box.h"
#include "ui/volume/volume_scene.h"

#include <vtkCallbackCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>

namespace ui
{

using Vector = std::array<double, 3>;

// A renderer that is added to a window when it is created, and removed when it is destroyed.
class WindowRenderer
{
  public:
    explicit WindowRenderer(vtkGenericOpenGLRenderWindow* window);
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
    void placeCamera();
    void followCamera();
    bool canShow(Axis axis) const;
    Vector origin() const;
    double coordinate(int axis) const; // of the slice across that axis

    WindowRenderer renderer;
    vtkNew<vtkImageData> image;
    DrawnVolume volume;
    DrawnSlices slices;
    ScaleBox box;
    AxesMarker marker;
    vtkNew<vtkCallbackCommand> beforeRender;
    std::shared_ptr<const engine::Reconstruction> shown;
    VolumeLook look;
    bool cameraIsLost = true; // the next picture places the camera, as the window's size is then known
    int corner = -1;          // open octant: bit k is set if it lies at the high end of axis k; -1: not set
};

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What the scene is made of, for its own files.
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

// A renderer that is in a window as long as it lives.
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
    double coordinate(int axis) const; // of that slice

    WindowRenderer renderer;
    vtkNew<vtkImageData> image;
    DrawnVolume volume;
    DrawnSlices slices;
    ScaleBox box;
    AxesMarker marker;
    vtkNew<vtkCallbackCommand> beforeRender;
    std::shared_ptr<const engine::Reconstruction> shown;
    VolumeLook look;
    bool cameraIsLost = true; // to be placed by the next picture, when the size of the window is known
    int corner = -1;          // octant that is open: bit k set where it lies at the high end of axis k
};

} // namespace ui

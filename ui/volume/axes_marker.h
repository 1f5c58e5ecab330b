// SPDX-License-Identifier: GPL-3.0-or-later
// The axes at the bottom left, which turn with the camera.
#pragma once

#include <QColor>

#include <vtkAxesActor.h>
#include <vtkCamera.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>

namespace ui
{

class AxesMarker
{
  public:
    explicit AxesMarker(vtkGenericOpenGLRenderWindow* window);
    ~AxesMarker();

    void setTextColour(const QColor& colour);
    void setVisible(bool visible);
    void follow(vtkCamera* camera);

  private:
    vtkSmartPointer<vtkGenericOpenGLRenderWindow> m_window;
    vtkNew<vtkRenderer> m_renderer;
    vtkNew<vtkAxesActor> m_axes;
};

} // namespace ui

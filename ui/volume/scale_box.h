// SPDX-License-Identifier: GPL-3.0-or-later
// Box around a volume, with scales. An axis that is short on screen, because the stack is flat or is seen along that
// axis, has no room for numbers: its title shows its range instead.
#pragma once

#include "ui/volume/volume_scene.h"

#include <vtkCubeAxesActor.h>
#include <vtkNew.h>
#include <vtkRenderer.h>
#include <vtkStringArray.h>

namespace ui
{

class ScaleBox
{
  public:
    explicit ScaleBox(vtkRenderer* renderer);

    void setBounds(const double* bounds, const char* unit);
    void setLook(const VolumeLook& look);
    void setVisible(bool visible);
    void showNumbers(const double* bounds); // where there is room, as the camera sees them

  private:
    bool hasRoomForNumbers(int axis, const double* bounds) const;

    vtkRenderer* m_renderer;
    vtkNew<vtkCubeAxesActor> m_box;
    vtkNew<vtkStringArray> m_noNumbers;
    double m_textHeight = 0; // pixels of the window
};

} // namespace ui

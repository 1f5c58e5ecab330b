// SPDX-License-Identifier: GPL-3.0-or-later
// The box around a volume with the scale beside it. An axis that is short on screen, since the stack is flat or seen
// along it, has no room for its numbers: there its title says its range.
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
    void showNumbers(const double* bounds); // where there is room, as the camera sees it

  private:
    bool hasRoomForNumbers(int axis, const double* bounds) const;

    vtkRenderer* m_renderer;
    vtkNew<vtkCubeAxesActor> m_box;
    vtkNew<vtkStringArray> m_noNumbers;
    double m_textHeight = 0; // pixels of the window
};

} // namespace ui

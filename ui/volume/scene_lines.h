// SPDX-License-Identifier: GPL-3.0-or-later
// Lines in a scene: the far edges of the box around the object, and the outlines of slices.
#pragma once

#include <QColor>

#include <vtkActor.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkRenderer.h>

#include <array>
#include <utility>
#include <vector>

namespace ui
{

using Vector = std::array<double, 3>;

class SceneLines
{
  public:
    explicit SceneLines(vtkRenderer* renderer);

    void setLines(const std::vector<std::pair<Vector, Vector>>& lines);
    void setLook(const QColor& colour, double width);
    void setVisible(bool visible) { m_actor->SetVisibility(visible); }
    vtkActor* actor() const { return m_actor; }

  private:
    vtkNew<vtkPolyData> m_lines;
    vtkNew<vtkPolyDataMapper> m_mapper;
    vtkNew<vtkActor> m_actor;
};

// Returns the edges of a box without those between two faces that are seen, which would be in front of what is in it.
// Face 2k is at the low end of axis k, face 2k + 1 at the high end.
std::vector<std::pair<Vector, Vector>> edgesOfBox(const std::array<double, 6>& bounds,
                                                  const std::array<bool, 6>& faceIsSeen = {});

} // namespace ui

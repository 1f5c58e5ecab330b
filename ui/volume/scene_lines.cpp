// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/scene_lines.h"

#include "ui/volume/drawn_volume.h"

#include <vtkCellArray.h>
#include <vtkPoints.h>
#include <vtkProperty.h>

namespace ui
{

SceneLines::SceneLines(vtkRenderer* renderer)
{
    m_mapper->SetInputData(m_lines);
    m_actor->SetMapper(m_mapper);
    m_actor->GetProperty()->LightingOff();
    m_actor->PickableOff();
    renderer->AddActor(m_actor);
}

void SceneLines::setLines(const std::vector<std::pair<Vector, Vector>>& lines)
{
    vtkNew<vtkPoints> points;
    vtkNew<vtkCellArray> cells;
    for (const auto& [from, to] : lines) {
        const std::array<vtkIdType, 2> ends = {points->InsertNextPoint(from.data()),
                                               points->InsertNextPoint(to.data())};
        cells->InsertNextCell(2, ends.data());
    }
    m_lines->SetPoints(points);
    m_lines->SetLines(cells);
}

void SceneLines::setLook(const QColor& colour, double width)
{
    m_actor->GetProperty()->SetColor(componentsOf(colour).data());
    m_actor->GetProperty()->SetLineWidth(static_cast<float>(width));
}

std::vector<std::pair<Vector, Vector>> edgesOfBox(const std::array<double, 6>& bounds,
                                                  const std::array<bool, 6>& faceIsSeen)
{
    std::vector<std::pair<Vector, Vector>> edges;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 4; ++side) {
            const int i = (axis + 1) % 3, j = (axis + 2) % 3;
            const int iFace = 2 * i + (side & 1), jFace = 2 * j + (side >> 1);
            if (faceIsSeen[iFace] && faceIsSeen[jFace])
                continue;
            Vector from{}, to{};
            from[i] = to[i] = bounds[iFace];
            from[j] = to[j] = bounds[jFace];
            from[axis] = bounds[2 * axis];
            to[axis] = bounds[2 * axis + 1];
            edges.emplace_back(from, to);
        }
    return edges;
}

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The three orthogonal slices of a volume, and their outlines in the colours of the axes.
#pragma once

#include "ui/volume/scene_lines.h"
#include "ui/volume/volume_scene.h"

#include <vtkImageData.h>
#include <vtkImageProperty.h>
#include <vtkImageSlice.h>
#include <vtkImageSliceMapper.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkRenderer.h>

namespace ui
{

class DrawnSlices
{
  public:
    DrawnSlices(vtkRenderer* renderer, vtkImageData* image);

    void setLook(const VolumeLook& look); // everything except the positions
    void setVisible(int axis, bool visible);
    void moveTo(vtkRenderer* renderer);
    // region: the part of the image in which slices are shown, first and last voxel along each axis. An outline shows
    // where a slice is in the volume; none is needed where the volume is cut open.
    void place(const std::array<int, 3>& position, const std::array<int, 6>& region, bool isOutlined);
    const std::array<double, 6>& bounds(int axis) const { return m_bounds[axis]; } // as placed

  private:
    vtkNew<vtkLookupTable> m_table;
    vtkNew<vtkImageProperty> m_property;
    std::array<vtkNew<vtkImageSliceMapper>, 3> m_mappers;
    std::array<vtkNew<vtkImageSlice>, 3> m_slices;
    std::array<SceneLines, 3> m_outlines;
    std::array<std::array<double, 6>, 3> m_bounds{};
    vtkRenderer* m_renderer;
    vtkImageData* m_image;
};

} // namespace ui

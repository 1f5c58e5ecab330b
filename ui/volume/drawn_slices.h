// SPDX-License-Identifier: GPL-3.0-or-later
// The three orthogonal slices of a volume.
#pragma once

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
    // Places the slices. If the octant is open, each slice ends at the other two. extent: part of the image that
    // remains, in voxels.
    void place(const std::array<int, 3>& position, bool isOpen, const std::array<int, 6>& extent);
    void getBounds(int axis, double* bounds) const { m_slices[axis]->GetBounds(bounds); }

  private:
    vtkNew<vtkLookupTable> m_table;
    vtkNew<vtkImageProperty> m_property;
    std::array<vtkNew<vtkImageSliceMapper>, 3> m_mappers;
    std::array<vtkNew<vtkImageSlice>, 3> m_slices;
};

} // namespace ui

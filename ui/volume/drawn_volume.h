// SPDX-License-Identifier: GPL-3.0-or-later
// The volume as drawn by ray casting, with one octant cut out.
#pragma once

#include "ui/volume/volume_scene.h"

#include <vtkColorTransferFunction.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPiecewiseFunction.h>
#include <vtkRenderer.h>
#include <vtkSmartVolumeMapper.h>
#include <vtkVolume.h>

namespace ui
{

class DrawnVolume
{
  public:
    DrawnVolume(vtkRenderer* renderer, vtkImageData* image);

    void setDiagonal(double length); // of the image
    void setVisible(bool visible);
    void setProcessorRendering(bool processor);
    void setLook(const VolumeLook& look);
    // Cuts out the octant that begins at that point: bit k of `corner` is set if it lies at the high end of axis k.
    void open(int corner, const std::array<double, 3>& from, vtkImageData* image);
    void close();

  private:
    vtkNew<vtkSmartVolumeMapper> m_mapper;
    vtkNew<vtkVolume> m_volume;
    vtkNew<vtkPiecewiseFunction> m_opacity;
    vtkNew<vtkColorTransferFunction> m_colours;
};

std::array<double, 3> componentsOf(const QColor& colour); // for VTK, 0…1

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/drawn_slices.h"

#include "ui/volume/axes_marker.h"
#include "ui/volume/drawn_volume.h"

#include <algorithm>

namespace ui
{

DrawnSlices::DrawnSlices(vtkRenderer* renderer, vtkImageData* image)
    : m_outlines{SceneLines(renderer), SceneLines(renderer), SceneLines(renderer)}, m_renderer(renderer), m_image(image)
{
    m_property->SetLookupTable(m_table);
    m_property->SetUseLookupTableScalarRange(0);
    m_property->SetInterpolationTypeToNearest(); // shows the pixels as they are
    for (int k = 0; k < 3; ++k) {
        m_mappers[k]->SetInputData(image);
        m_mappers[k]->SetOrientation(k);
        m_slices[k]->SetMapper(m_mappers[k]);
        m_slices[k]->SetProperty(m_property);
        renderer->AddViewProp(m_slices[k]);
    }
}

void DrawnSlices::setLook(const VolumeLook& look)
{
    const double width = std::max(look.high - look.low, 1e-30);
    m_table->SetNumberOfTableValues(notFiniteEntry);
    for (int i = 0; i < notFiniteEntry; ++i) {
        const auto c = componentsOf(QColor(look.colours[i]));
        // VTK discards pixels with an alpha of 0: what is behind them stays visible.
        const bool isSeen = look.slicesWhole || look.low + width * (i + 0.5) / notFiniteEntry >= look.clearBelow();
        m_table->SetTableValue(i, c[0], c[1], c[2], isSeen ? 1 : 0);
    }
    for (int k = 0; k < 3; ++k)
        m_outlines[k].setLook(axisColour(k), 1.5 * look.pixelRatio);
    const auto nan = componentsOf(QColor(look.colours[notFiniteEntry]));
    m_table->SetNanColor(nan[0], nan[1], nan[2], 1);
    m_table->SetRange(look.low, look.low + width);
    m_property->SetColorWindow(width);
    m_property->SetColorLevel(look.low + width / 2);
}

void DrawnSlices::setVisible(int axis, bool visible)
{
    m_slices[axis]->SetVisibility(visible);
}

void DrawnSlices::moveTo(vtkRenderer* renderer)
{
    if (renderer == m_renderer)
        return;
    for (const auto& slice : m_slices) {
        m_renderer->RemoveViewProp(slice);
        renderer->AddViewProp(slice);
    }
    m_renderer = renderer;
}

// Crops before it sets the slice number: VTK moves a slice number outside the region into it.
void DrawnSlices::place(const std::array<int, 3>& position, const std::array<int, 6>& region, bool isOutlined)
{
    for (int k = 0; k < 3; ++k) {
        std::array<int, 6> part = region;
        part[2 * k] = part[2 * k + 1] = position[k];
        m_mappers[k]->SetCropping(true);
        m_mappers[k]->SetCroppingRegion(part.data());
        m_mappers[k]->SetSliceNumber(position[k]);
        for (int end = 0; end < 6; ++end)
            m_bounds[k][end] = m_image->GetOrigin()[end / 2] + part[end] * m_image->GetSpacing()[end / 2];
        m_outlines[k].setLines(edgesOfBox(m_bounds[k]));
        m_outlines[k].setVisible(isOutlined && m_slices[k]->GetVisibility());
    }
}

} // namespace ui

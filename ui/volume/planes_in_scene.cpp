// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/planes_in_scene.h"

#include "ui/volume/drawn_planes.h"
#include "ui/volume/scene_view.h"

#include <utility>

namespace ui
{

bool PlanesInScene::setScan(const std::shared_ptr<const engine::Scan>& scan, bool keepsImages)
{
    const auto before = std::exchange(m_scan, scan);
    const bool isSameSize =
        before && scan && before->sliceSize() == scan->sliceSize() && before->slices() == scan->slices();
    if (!isSameSize || !keepsImages)
        m_images = {};
    return isSameSize;
}

void PlanesInScene::setColours(const GreyWindow& window, const ColourTable& colours)
{
    m_window = window;
    m_colours = colours;
}

void PlanesInScene::setImages(const PlaneImages& images)
{
    for (std::size_t k = 0; k < m_images.size(); ++k)
        if (images.planes[k] || !images.refusals[k].isEmpty())
            m_images[k] = images.planes[k];
}

bool PlanesInScene::isPossible() const
{
    return m_scan && m_scan->slices() > 1;
}

VolumeLook PlanesInScene::look() const
{
    VolumeLook look;
    look.low = m_window.low;
    look.high = m_window.high;
    look.colours = m_colours;
    look.volumeVisible = look.slicesVisible = false;
    look.slicesWhole = true;
    return look;
}

void PlanesInScene::showIn(SceneView& view) const
{
    view.scene().setScan(m_scan);
    view.setPlanes(m_planes);
    showImagesIn(view);
}

void PlanesInScene::showImagesIn(SceneView& view) const
{
    for (int plane = 0; plane < LinkedPlanes::count; ++plane)
        view.scene().planes().setImage(plane, m_images[static_cast<std::size_t>(plane)]);
    view.widget()->render();
}

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What a scene shows of the linked planes: the planes, their images, and the colours that they have without a stack.
#pragma once

#include "ui/image/colour_map.h"
#include "ui/image/shading.h"
#include "ui/planes/linked_planes.h"
#include "ui/planes/plane_job.h"
#include "ui/volume/volume_scene.h"

#include <array>
#include <memory>

namespace ui
{

class SceneView;

class PlanesInScene
{
  public:
    // Returns whether the volume has the same size as before, as when a scan grows. keepsImages: the images then stay,
    // and keep the previous scan in memory.
    bool setScan(const std::shared_ptr<const engine::Scan>& scan, bool keepsImages);
    void setPlanes(const LinkedPlanes& planes) { m_planes = planes; }
    void setColours(const GreyWindow& window, const ColourTable& colours);
    void setImages(const PlaneImages& images); // that became ready together

    bool isPossible() const; // there is a scan of several slices
    VolumeLook look() const; // without a stack
    void showIn(SceneView& view) const;
    void showImagesIn(SceneView& view) const;

  private:
    std::shared_ptr<const engine::Scan> m_scan;
    LinkedPlanes m_planes;
    std::array<Image, LinkedPlanes::count> m_images;
    GreyWindow m_window;
    ColourTable m_colours = colourMaps().front().colours;
};

} // namespace ui

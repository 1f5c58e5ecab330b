// SPDX-License-Identifier: GPL-3.0-or-later
// Scene that VTK draws of a stack: the volume, three orthogonal slices, the box with its scale, and the axes.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "ui/image/colour_map.h"

#include <QColor>
#include <QPoint>

#include <array>
#include <memory>
#include <optional>

class vtkGenericOpenGLRenderWindow;

namespace ui
{

enum class Axis { column, row, slice }; // x, y, z of the volume

// Appearance of a scene. Values are those of the image.
struct VolumeLook {
    double low = 0, high = 1; // grey window: ends of the colour map
    double threshold = 0.5;   // the volume is transparent below it
    double opacity = 0.5;     // of the volume, 0…1
    ColourTable colours{};
    bool volumeVisible = true;
    bool slicesVisible = true;
    bool cornerOpen = true;        // the octant between the slices and the viewer is cut out of the volume
    std::array<int, 3> position{}; // of the three slices
    QColor background, text;
    double pixelRatio = 1; // of the screen, for the size of text
};

class VolumeScene
{
  public:
    explicit VolumeScene(vtkGenericOpenGLRenderWindow* window);
    ~VolumeScene();

    // Shares the buffer and keeps it alive until the next call. Null: shows nothing.
    void setVolume(std::shared_ptr<const engine::Reconstruction> reconstruction);
    void setLook(const VolumeLook& look);
    void setProcessorRendering(bool processor); // rays on the processor: faster than OpenGL in software
    void resetCamera();

    // Positions are in pixels of the window, y upwards.
    std::optional<Axis> sliceAt(QPoint position) const; // the frontmost slice
    // Returns how many slices to move when the pointer goes from one position to the other; may be a fraction.
    double slicesMoved(Axis axis, QPoint from, QPoint to) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

// Returns the distance of neighbouring voxels along x, y, z: in mm if the pixel size is known, else in pixels.
std::array<double, 3> voxelSpacing(const engine::Reconstruction& reconstruction);
bool isInMm(const engine::Reconstruction& reconstruction);

} // namespace ui

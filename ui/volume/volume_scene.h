// SPDX-License-Identifier: GPL-3.0-or-later
// Scene of a stack: the volume, three orthogonal slices, three linked planes, the box with its scale, and the axes. VTK
// draws it, and Qt the texts.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "ui/image/colour_map.h"
#include "ui/volume/opacity_curve.h"
#include "ui/volume/scene_camera.h"

#include <QColor>
#include <QFont>
#include <QPoint>
#include <QRectF>

#include <array>
#include <memory>
#include <optional>

class QPainter;
class vtkGenericOpenGLRenderWindow;

namespace ui
{

class DrawnPlanes;

enum class Axis { column, row, slice }; // x, y, z of the volume

// Appearance of a scene. Values are those of the image.
struct VolumeLook {
    double low = 0, high = 1; // grey window: ends of the colour map
    OpacityCurve opacity = {{0.5, 0}, {1, 1}};
    std::optional<double> isosurface = {}; // the volume is drawn as the surface at this value
    ColourTable colours{};
    bool volumeVisible = true;
    bool slicesVisible = true;
    bool slicesWhole = false;      // also where the volume is transparent because of low values
    bool planesVisible = false;    // the linked planes
    bool cornerOpen = true;        // the octant between the slices and the viewer is cut out of the volume
    std::array<int, 3> position{}; // of the three slices
    QColor background, text;
    double pixelRatio = 1; // of the screen, for the width of lines

    double clearBelow() const; // values below it are transparent
};

class VolumeScene
{
  public:
    explicit VolumeScene(vtkGenericOpenGLRenderWindow* window);
    ~VolumeScene();

    // Shares the buffer and keeps it alive until the next call. Null: shows nothing. threshold: between background and
    // object.
    void setVolume(std::shared_ptr<const engine::Reconstruction> reconstruction, double threshold = 0);
    // Sets the scan whose planes are shown, also without a stack of it; null: none.
    void setScan(const std::shared_ptr<const engine::Scan>& scan);
    DrawnPlanes& planes();
    void setLook(const VolumeLook& look);
    void setBackground(const QColor& top, const QColor& bottom);
    void setProcessorRendering(bool processor); // rays on the processor: faster than OpenGL in software
    SceneCamera& camera();
    void resetCamera(); // looks from the front, or along z at a flat stack, and fits

    // Draws the scale and the axes over a picture that fills `view`.
    void drawTexts(QPainter& painter, const QRectF& view, const QColor& colour) const;

    // Positions are in pixels of the window, y upwards.
    std::optional<Axis> sliceAt(QPoint position) const; // the frontmost slice
    // Returns how many slices to move when the pointer goes from one position to the other; may be a fraction.
    double slicesMoved(Axis axis, QPoint from, QPoint to) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

// Returns the sides of a voxel of the whole volume, in mm or pixels as below.
std::array<double, 3> voxelSides(const engine::Scan& scan);
// Returns the distance of neighbouring voxels along x, y, z: in mm if the pixel size is known, else in pixels.
std::array<double, 3> voxelSpacing(const engine::Reconstruction& reconstruction);
bool isInMm(const engine::Reconstruction& reconstruction);

} // namespace ui

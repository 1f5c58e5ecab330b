// SPDX-License-Identifier: GPL-3.0-or-later
// The one table of the keys that move the camera of the 3-D view.
#pragma once

#include <QString>

#include <vector>

class QKeyEvent;

namespace ui
{

class VolumeScene;

bool isCameraKey(const QKeyEvent& event);
void moveCamera(VolumeScene& scene, const QKeyEvent& event); // does nothing for other keys

// For lists of all keys: "View along x, y, z" and "X, Y, Z".
struct CameraKeyRow {
    QString action, keys;
};
std::vector<CameraKeyRow> cameraKeyRows();

} // namespace ui

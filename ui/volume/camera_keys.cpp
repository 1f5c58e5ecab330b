// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/camera_keys.h"

#include "ui/volume/volume_scene.h"

#include <QCoreApplication>
#include <QKeyEvent>

#include <algorithm>
#include <functional>

namespace ui
{

namespace
{

constexpr double stepDeg = 10, stepPart = 0.05, stepFactor = 1.15;

struct CameraKey {
    int key;
    bool withShift;
    std::function<void(VolumeScene&)> move;
};

const std::vector<CameraKey>& cameraKeys()
{
    const auto turn = [](double right, double up) {
        return [right, up](VolumeScene& scene) { scene.camera().turn(right, up); };
    };
    const auto shift = [](double right, double up) {
        return [right, up](VolumeScene& scene) { scene.camera().move(right, up); };
    };
    const auto zoom = [](double factor) { return [factor](VolumeScene& scene) { scene.camera().zoom(factor); }; };
    const auto look = [](int axis, bool otherSide) {
        return [axis, otherSide](VolumeScene& scene) { scene.camera().lookFrom(gazeAlong(axis, otherSide)); };
    };
    static const std::vector<CameraKey> keys = {
        {Qt::Key_X, false, look(0, false)},
        {Qt::Key_Y, false, look(1, false)},
        {Qt::Key_Z, false, look(2, false)},
        {Qt::Key_X, true, look(0, true)},
        {Qt::Key_Y, true, look(1, true)},
        {Qt::Key_Z, true, look(2, true)},
        {Qt::Key_R, false, [](VolumeScene& scene) { scene.resetCamera(); }},
        {Qt::Key_F, false, [](VolumeScene& scene) { scene.camera().fit(); }},
        {Qt::Key_Left, false, turn(-stepDeg, 0)},
        {Qt::Key_Right, false, turn(stepDeg, 0)},
        {Qt::Key_Up, false, turn(0, stepDeg)},
        {Qt::Key_Down, false, turn(0, -stepDeg)},
        {Qt::Key_Left, true, shift(-stepPart, 0)},
        {Qt::Key_Right, true, shift(stepPart, 0)},
        {Qt::Key_Up, true, shift(0, stepPart)},
        {Qt::Key_Down, true, shift(0, -stepPart)},
        {Qt::Key_Plus, false, zoom(stepFactor)},
        {Qt::Key_Equal, false, zoom(stepFactor)},
        {Qt::Key_Minus, false, zoom(1 / stepFactor)},
    };
    return keys;
}

const CameraKey* cameraKey(const QKeyEvent& event)
{
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return nullptr;
    // On many keyboards + is a key with Shift.
    const bool withShift = event.modifiers().testFlag(Qt::ShiftModifier) && event.key() != Qt::Key_Plus;
    const auto found = std::ranges::find_if(
        cameraKeys(), [&](const CameraKey& one) { return one.key == event.key() && one.withShift == withShift; });
    return found == cameraKeys().end() ? nullptr : &*found;
}

QString translated(const char* text)
{
    return QCoreApplication::translate("CameraKeys", text);
}

} // namespace

bool isCameraKey(const QKeyEvent& event)
{
    return cameraKey(event);
}

void moveCamera(VolumeScene& scene, const QKeyEvent& event)
{
    if (const CameraKey* const key = cameraKey(event))
        key->move(scene);
}

std::vector<CameraKeyRow> cameraKeyRows()
{
    return {
        {translated(QT_TRANSLATE_NOOP("CameraKeys", "View along x, y, z; from the other side")),
         translated(QT_TRANSLATE_NOOP("CameraKeys", "X, Y, Z; with Shift"))},
        {translated(QT_TRANSLATE_NOOP("CameraKeys", "Fit the object; reset the view")),
         translated(QT_TRANSLATE_NOOP("CameraKeys", "F; R"))},
        {translated(QT_TRANSLATE_NOOP("CameraKeys", "Turn the object; move it")),
         translated(QT_TRANSLATE_NOOP("CameraKeys", "Arrows; with Shift"))},
        {translated(QT_TRANSLATE_NOOP("CameraKeys", "Zoom in, out")),
         translated(QT_TRANSLATE_NOOP("CameraKeys", "+, −"))},
    };
}

} // namespace ui

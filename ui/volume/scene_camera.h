// SPDX-License-Identifier: GPL-3.0-or-later
// The camera of a scene: looks along an axis, turns, and fits a box into the view.
#pragma once

#include <QSize>

#include <vtkRenderer.h>

#include <array>
#include <optional>

namespace ui
{

// Where the camera stands, seen from the middle of the object, and what is up.
struct Gaze {
    std::array<double, 3> from, up;
};

// Slice 0 is the top of the object, and rows grow towards the viewer: x, y and z make a right-handed system, and
// nothing is mirrored.
Gaze frontGaze();                             // from the front and a little from above and the right
Gaze gazeAlong(int axis, bool fromOtherSide); // 2: as in the image views, with row 0 on top

class SceneCamera
{
  public:
    explicit SceneCamera(vtkRenderer* renderer);

    // Take effect with the next picture, as the size of the view is then known.
    void lookFrom(const Gaze& gaze); // and fits
    void fit();

    void turn(double rightDeg, double upDeg); // the object follows
    void move(double right, double up);       // the object, in heights of the view
    void zoom(double factor);                 // above 1: nearer

    bool isHeld() const { return m_isHeld; } // by CameraForPicture

    // Called before each picture. Fits the box if that is due, or if it was fitted before the size of the view or the
    // box changed. margin: room beside the box, in pixels of the window.
    void update(const std::array<double, 6>& bounds, const std::array<double, 2>& margin);

  private:
    friend class CameraForPicture;
    // What the last fit was for, to tell whether the camera has been moved since.
    struct Fit {
        std::array<double, 6> bounds;
        std::array<int, 2> size;
        std::array<double, 3> focus;
        double distance;
    };
    bool isFitDue(const std::array<double, 6>& bounds) const;
    void place(const std::array<double, 6>& bounds, const std::array<double, 2>& margin);

    vtkRenderer* m_renderer;
    std::optional<Gaze> m_wanted = frontGaze();
    std::optional<Fit> m_fitted; // nothing: a fit is due
    bool m_isHeld = false;       // for a picture: not fitted to its size
};

// Places the camera for a picture of another size, with the object turned about z, until the destructor restores it.
// The picture shows what the view shows, and more along one of its sides if it has another shape.
class CameraForPicture
{
  public:
    CameraForPicture(SceneCamera& camera, const QSize& picture, const QSizeF& view, double turnedDeg);
    ~CameraForPicture();
    Q_DISABLE_COPY_MOVE(CameraForPicture)

  private:
    SceneCamera& m_camera;
    std::array<double, 3> m_position{}, m_up{}; // before
    std::array<double, 2> m_shift{};
};

} // namespace ui

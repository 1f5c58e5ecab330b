// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/scene_camera.h"

#include <vtkCamera.h>
#include <vtkMath.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace ui
{

namespace
{

constexpr double viewAngleDeg = 20; // small, so that parallel edges look nearly parallel
const double halfHeight = std::tan(viewAngleDeg * std::numbers::pi / 360); // of the view, at a distance of 1

double along(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

std::array<int, 2> sizeOf(vtkRenderer* renderer)
{
    const int* const size = renderer->GetSize();
    return {size[0], size[1]};
}

std::array<double, 3> focusOf(vtkCamera* camera)
{
    std::array<double, 3> focus;
    camera->GetFocalPoint(focus.data());
    return focus;
}

// Smallest and largest coordinate of a box on the screen, as tangents of the angle to the middle of the view.
struct SeenExtent {
    double least = 0, most = 0;
};

// right: to which side; back: towards the camera.
SeenExtent seenExtent(const std::array<double, 6>& bounds, const double* right, const double* back, double distance)
{
    SeenExtent spread{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
    for (int corner = 0; corner < 8; ++corner) {
        double from[3];
        for (int k = 0; k < 3; ++k)
            from[k] = (bounds[2 * k + 1] - bounds[2 * k]) / 2 * ((corner >> k) & 1 ? 1 : -1);
        const double seen = along(from, right) / (distance - along(from, back));
        spread = {std::min(spread.least, seen), std::max(spread.most, seen)};
    }
    return spread;
}

} // namespace

Gaze frontGaze()
{
    return {{0.55, 1, -0.62}, {0, 0, -1}};
}

Gaze gazeAlong(int axis, bool fromOtherSide)
{
    const double side = fromOtherSide ? -1 : 1;
    if (axis == 0)
        return {{side, 0, 0}, {0, 0, -1}};
    if (axis == 1)
        return {{0, side, 0}, {0, 0, -1}};
    return {{0, 0, -side}, {0, -1, 0}};
}

SceneCamera::SceneCamera(vtkRenderer* renderer) : m_renderer(renderer)
{
    renderer->GetActiveCamera()->SetViewAngle(viewAngleDeg);
}

void SceneCamera::lookFrom(const Gaze& gaze)
{
    m_wanted = gaze;
    m_fitted.reset();
}

void SceneCamera::fit()
{
    m_fitted.reset();
}

void SceneCamera::turn(double rightDeg, double upDeg)
{
    vtkCamera* const camera = m_renderer->GetActiveCamera();
    camera->Azimuth(-rightDeg);
    camera->Elevation(-upDeg);
    camera->OrthogonalizeViewUp();
}

void SceneCamera::move(double right, double up)
{
    vtkCamera* const camera = m_renderer->GetActiveCamera();
    const double height = 2 * camera->GetDistance() * halfHeight;
    double direction[3], above[3], beside[3], focus[3], position[3];
    camera->GetDirectionOfProjection(direction);
    camera->GetViewUp(above);
    vtkMath::Cross(direction, above, beside);
    camera->GetFocalPoint(focus);
    camera->GetPosition(position);
    for (int k = 0; k < 3; ++k) {
        const double by = -height * (right * beside[k] + up * above[k]);
        focus[k] += by;
        position[k] += by;
    }
    camera->SetFocalPoint(focus);
    camera->SetPosition(position);
}

void SceneCamera::zoom(double factor)
{
    m_renderer->GetActiveCamera()->Dolly(factor);
}

bool SceneCamera::isFitDue(const std::array<double, 6>& bounds) const
{
    if (m_wanted || !m_fitted)
        return true;
    vtkCamera* const camera = m_renderer->GetActiveCamera();
    const bool hasChanged = m_fitted->bounds != bounds || m_fitted->size != sizeOf(m_renderer);
    const bool isUntouched = m_fitted->focus == focusOf(camera) &&
                             std::abs(camera->GetDistance() - m_fitted->distance) <= 1e-6 * m_fitted->distance;
    return hasChanged && isUntouched;
}

void SceneCamera::update(const std::array<double, 6>& bounds, const std::array<double, 2>& margin)
{
    if (isFitDue(bounds) && !(m_isHeld && m_fitted))
        place(bounds, margin);
    m_renderer->ResetCameraClippingRange();
}

// Moves the camera as near as it can be while the corners of the box stay within the view and its margin. The middle of
// the box is the centre of turns; the picture is shifted, as perspective makes the near side larger.
void SceneCamera::place(const std::array<double, 6>& bounds, const std::array<double, 2>& margin)
{
    vtkCamera* const camera = m_renderer->GetActiveCamera();
    const std::array<int, 2> size = sizeOf(m_renderer);
    double back[3], up[3], right[3];
    camera->GetDirectionOfProjection(back);
    vtkMath::MultiplyScalar(back, -1);
    camera->GetViewUp(up);
    if (m_wanted) {
        std::copy_n(m_wanted->from.data(), 3, back);
        std::copy_n(m_wanted->up.data(), 3, up);
        vtkMath::Normalize(back);
    }
    vtkMath::Cross(up, back, right);
    vtkMath::Normalize(right);
    vtkMath::Cross(back, right, up);
    const double diagonal = std::hypot(bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4]);
    if (!(diagonal > 0) || size[0] <= 0 || size[1] <= 0)
        return;
    const std::array<double, 2> half = {halfHeight * size[0] / size[1], halfHeight};
    double distance = diagonal / 2, tooFar = 1000 * diagonal; // every corner is in front of the camera
    for (int step = 0; step < 60; ++step) {
        const double tried = std::sqrt(distance * tooFar);
        bool fits = true;
        for (int k = 0; k < 2; ++k) {
            const SeenExtent spread = seenExtent(bounds, k == 0 ? right : up, back, tried);
            fits = fits && spread.most - spread.least <= 2 * half[k] * std::max(1 - 2 * margin[k] / size[k], 0.2);
        }
        (fits ? tooFar : distance) = tried;
    }
    const SeenExtent across = seenExtent(bounds, right, back, tooFar), upwards = seenExtent(bounds, up, back, tooFar);
    const std::array<double, 3> middle = {(bounds[0] + bounds[1]) / 2, (bounds[2] + bounds[3]) / 2,
                                          (bounds[4] + bounds[5]) / 2};
    camera->SetFocalPoint(middle.data());
    camera->SetPosition(middle[0] + tooFar * back[0], middle[1] + tooFar * back[1], middle[2] + tooFar * back[2]);
    camera->SetViewUp(up);
    camera->SetWindowCenter((across.least + across.most) / 2 / half[0], (upwards.least + upwards.most) / 2 / half[1]);
    m_wanted.reset();
    m_fitted = Fit{bounds, size, middle, tooFar};
}

CameraForPicture::CameraForPicture(SceneCamera& camera, const QSize& picture, const QSizeF& view, double turnedDeg)
    : m_camera(camera)
{
    vtkCamera* const moved = camera.m_renderer->GetActiveCamera();
    moved->GetPosition(m_position.data());
    moved->GetViewUp(m_up.data());
    moved->GetWindowCenter(m_shift.data());
    camera.m_isHeld = true;
    const double part = view.width() / view.height() * picture.height() / picture.width();
    const double farther = std::max(part, 1.0); // if the picture is narrower than the view
    moved->SetViewAngle(std::atan(halfHeight * farther) * 360 / std::numbers::pi);
    moved->SetWindowCenter(m_shift[0] * part / farther, m_shift[1] / farther);
    const double angle = -turnedDeg * std::numbers::pi / 180;
    const auto turned = [angle](const std::array<double, 3>& vector) {
        return std::array{std::cos(angle) * vector[0] - std::sin(angle) * vector[1],
                          std::sin(angle) * vector[0] + std::cos(angle) * vector[1], vector[2]};
    };
    const std::array<double, 3> focus = focusOf(moved);
    const std::array<double, 3> from =
        turned({m_position[0] - focus[0], m_position[1] - focus[1], m_position[2] - focus[2]});
    moved->SetPosition(focus[0] + from[0], focus[1] + from[1], focus[2] + from[2]);
    moved->SetViewUp(turned(m_up).data());
}

CameraForPicture::~CameraForPicture()
{
    vtkCamera* const moved = m_camera.m_renderer->GetActiveCamera();
    moved->SetPosition(m_position.data());
    moved->SetViewUp(m_up.data());
    moved->SetViewAngle(viewAngleDeg);
    moved->SetWindowCenter(m_shift[0], m_shift[1]);
    m_camera.m_isHeld = false;
}

} // namespace ui

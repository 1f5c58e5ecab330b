// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/volume_scene_impl.h"
#include "ui/widgets/curve_colours.h"

#include <vtkCamera.h>
#include <vtkCommand.h>
#include <vtkFloatArray.h>
#include <vtkPointData.h>

#include <utility>

namespace ui
{

bool isInMm(const engine::Reconstruction& reconstruction)
{
    return reconstruction.request.scan && reconstruction.request.scan->pixelSizeMm().has_value();
}

std::array<double, 3> voxelSpacing(const engine::Reconstruction& reconstruction)
{
    const double pixel = isInMm(reconstruction) ? *reconstruction.request.scan->pixelSizeMm() : 1.0;
    const double step = reconstruction.grid.step;
    // A coarse stack has every slice, or leaves out slices as it leaves out pixels.
    const bool everySlice = reconstruction.image.slices == reconstruction.request.place.slices.count;
    // Slices of a parallel beam stay a row apart, whatever the size of their pixels.
    const auto* beam = reconstruction.request.scan
                           ? std::get_if<engine::ParallelBeam>(&reconstruction.request.scan->geometry)
                           : nullptr;
    const double apart = beam ? pixel / beam->pixelBins : pixel;
    return {pixel * step, pixel * step, apart * (everySlice ? 1.0 : step)};
}

WindowRenderer::WindowRenderer(vtkGenericOpenGLRenderWindow* window) : m_window(window)
{
    m_window->AddRenderer(m_renderer);
}

WindowRenderer::~WindowRenderer()
{
    m_window->RemoveRenderer(m_renderer);
}

VolumeScene::Impl::Impl(vtkGenericOpenGLRenderWindow* window)
    : renderer(window), volume(renderer.get(), image), slices(renderer.get(), image), box(renderer.get()),
      marker(window)
{
    beforeRender->SetClientData(this);
    beforeRender->SetCallback(
        [](vtkObject*, unsigned long, void* client, void*) { static_cast<Impl*>(client)->followCamera(); });
    renderer.get()->AddObserver(vtkCommand::StartEvent, beforeRender);
}

VolumeScene::Impl::~Impl()
{
    renderer.get()->RemoveObserver(beforeRender);
}

VolumeScene::VolumeScene(vtkGenericOpenGLRenderWindow* window) : m_impl(std::make_unique<Impl>(window))
{
    setVolume(nullptr);
}

VolumeScene::~VolumeScene() = default;

void VolumeScene::setVolume(std::shared_ptr<const engine::Reconstruction> reconstruction)
{
    Impl& d = *m_impl;
    vtkNew<vtkFloatArray> values;
    if (reconstruction) {
        const engine::Volume& volume = reconstruction->image;
        const std::array<double, 3> spacing = voxelSpacing(*reconstruction);
        d.image->SetDimensions(volume.width, volume.height, volume.slices);
        d.image->SetSpacing(spacing.data());
        const double pixel = spacing[0] / reconstruction->grid.step;
        d.image->SetOrigin(reconstruction->grid.x0 * pixel, reconstruction->grid.y0 * pixel,
                           reconstruction->request.place.slices.first * pixel);
        // save = 1: VTK neither frees nor changes the buffer, which `shown` keeps alive.
        values->SetArray(const_cast<float*>(volume.values.data()), static_cast<vtkIdType>(volume.values.size()), 1);
        d.image->GetPointData()->SetScalars(values);
    } else {
        d.image->SetDimensions(0, 0, 0);
        d.image->GetPointData()->SetScalars(nullptr);
    }
    d.image->Modified();
    d.shown = std::move(reconstruction); // releases the old buffer only now that nothing points to it
    d.corner = -1;
    if (d.shown) {
        double bounds[6];
        d.image->GetBounds(bounds);
        d.box.setBounds(bounds, isInMm(*d.shown) ? "mm" : "pixels");
        d.volume.setDiagonal(d.image->GetLength());
    }
    d.applyVisibility();
}

void VolumeScene::setLook(const VolumeLook& look)
{
    Impl& d = *m_impl;
    d.look = look;
    d.volume.setLook(look);
    d.slices.setLook(look);
    d.box.setLook(look);
    d.marker.setTextColour(look.text);
    // The background is greyer at the bottom, so that neither white nor black values get lost in it.
    vtkRenderer* const renderer = d.renderer.get();
    renderer->SetBackground(componentsOf(blend(look.background, QColor(92, 108, 124), 0.3)).data());
    renderer->SetBackground2(componentsOf(look.background).data());
    renderer->GradientBackgroundOn();
    d.corner = -1;
    d.applyVisibility();
}

bool VolumeScene::Impl::canShow(Axis axis) const
{
    if (!shown)
        return false;
    // If the stack is one slice thick, the other two planes are lines.
    return shown->image.slices > 1 || axis == Axis::slice;
}

void VolumeScene::Impl::applyVisibility()
{
    volume.setVisible(shown && look.volumeVisible);
    for (int k = 0; k < 3; ++k)
        slices.setVisible(k, look.slicesVisible && canShow(static_cast<Axis>(k)));
    box.setVisible(shown != nullptr);
    marker.setVisible(shown != nullptr);
}

Vector VolumeScene::Impl::origin() const
{
    Vector result;
    image->GetOrigin(result.data());
    return result;
}

double VolumeScene::Impl::coordinate(int axis) const
{
    return origin()[axis] + look.position[axis] * image->GetSpacing()[axis];
}

// Turns the axes with the camera, opens the corner that faces it, and shows numbers at the scale where there is room.
void VolumeScene::Impl::followCamera()
{
    if (!shown)
        return;
    if (std::exchange(cameraIsLost, false))
        placeCamera();
    double bounds[6], direction[3];
    image->GetBounds(bounds);
    box.showNumbers(bounds);
    vtkCamera* const camera = renderer.get()->GetActiveCamera();
    marker.follow(camera);
    camera->GetDirectionOfProjection(direction);
    int facing = 0;
    for (int k = 0; k < 3; ++k)
        facing |= (direction[k] < 0 ? 1 : 0) << k;
    if (std::exchange(corner, facing) != facing)
        applyPositions();
}

void VolumeScene::Impl::applyPositions()
{
    const bool isOpen = look.cornerOpen && look.slicesVisible && look.volumeVisible && shown->image.slices > 1;
    int dimensions[3];
    image->GetDimensions(dimensions);
    std::array<int, 6> extent;
    for (int k = 0; k < 3; ++k) {
        const bool isHigh = (corner >> k) & 1;
        extent[2 * k] = isOpen && isHigh ? look.position[k] : 0;
        extent[2 * k + 1] = isOpen && !isHigh ? look.position[k] : dimensions[k] - 1;
    }
    slices.place(look.position, isOpen, extent);
    if (isOpen)
        volume.open(corner, {coordinate(0), coordinate(1), coordinate(2)}, image);
    else
        volume.close();
}

void VolumeScene::setProcessorRendering(bool processor)
{
    m_impl->volume.setProcessorRendering(processor);
}

// Looks from the front and a little from above and the right. Slice 0 is the top of the object, rows grow towards the
// viewer: x, y and z make a right-handed system, and nothing is mirrored.
void VolumeScene::Impl::placeCamera()
{
    vtkCamera* const camera = renderer.get()->GetActiveCamera();
    camera->SetFocalPoint(0, 0, 0);
    const bool flat = shown->image.slices <= 2;
    if (flat) { // as in the image views: row 0 on top
        camera->SetPosition(0, 0, -1);
        camera->SetViewUp(0, -1, 0);
    } else {
        camera->SetPosition(0.55, 1, -0.62);
        camera->SetViewUp(0, 0, -1);
    }
    renderer.get()->ResetCamera();
    camera->Zoom(flat ? 1.1 : 0.84); // leaves room for the scale outside the box
    renderer.get()->ResetCameraClippingRange();
}

void VolumeScene::resetCamera()
{
    m_impl->cameraIsLost = true;
}

} // namespace ui

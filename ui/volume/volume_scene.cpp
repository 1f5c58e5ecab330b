// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/request/section.h"
#include "ui/volume/object_extent.h"
#include "ui/volume/volume_scene_impl.h"
#include "ui/widgets/curve_colours.h"

#include <vtkCamera.h>
#include <vtkCommand.h>
#include <vtkFloatArray.h>
#include <vtkPointData.h>
#include <vtkPropCollection.h>

#include <limits>
#include <utility>

namespace ui
{

namespace
{

// Room for the scale beside the box, in pixels at a ratio of 1.
constexpr double marginAcross = 74, marginUpwards = 42;

} // namespace

double VolumeLook::clearBelow() const
{
    return isosurface ? *isosurface : ui::clearBelow(opacity);
}

bool isInMm(const engine::Reconstruction& reconstruction)
{
    return reconstruction.request.scan && reconstruction.request.scan->pixelSizeMm().has_value();
}

std::array<double, 3> voxelSpacing(const engine::Reconstruction& reconstruction)
{
    const std::array<double, 3> sides =
        reconstruction.request.scan ? voxelSides(*reconstruction.request.scan) : std::array<double, 3>{1, 1, 1};
    const double step = reconstruction.grid.step;
    // A coarse stack has every slice, or leaves out slices as it leaves out pixels.
    const bool everySlice = reconstruction.image.slices == reconstruction.request.place.slices().count;
    return {sides[0] * step, sides[1] * step, sides[2] * (everySlice ? 1.0 : step)};
}

std::array<double, 3> voxelSides(const engine::Scan& scan)
{
    const engine::VoxelSides sides = engine::voxelSidesOf(scan);
    return {sides.pixel, sides.pixel, sides.slice};
}

WindowRenderer::WindowRenderer(vtkGenericOpenGLRenderWindow* window, int layer) : m_window(window)
{
    m_window->SetNumberOfLayers(std::max(m_window->GetNumberOfLayers(), layer + 1));
    m_renderer->SetLayer(layer);
    m_window->AddRenderer(m_renderer);
}

WindowRenderer::~WindowRenderer()
{
    m_window->RemoveRenderer(m_renderer);
}

VolumeScene::Impl::Impl(vtkGenericOpenGLRenderWindow* window)
    : renderer(window, 0), front(window, 1), camera(renderer.get()), volume(renderer.get(), image),
      slices(renderer.get(), image), planes(renderer.get(), front.get()), box(renderer.get())
{
    front.get()->SetActiveCamera(renderer.get()->GetActiveCamera());
    onStart->SetClientData(this);
    onStart->SetCallback(
        [](vtkObject*, unsigned long, void* client, void*) { static_cast<Impl*>(client)->beforePicture(); });
    renderer.get()->AddObserver(vtkCommand::StartEvent, onStart);
}

VolumeScene::Impl::~Impl()
{
    renderer.get()->RemoveObserver(onStart);
}

VolumeScene::VolumeScene(vtkGenericOpenGLRenderWindow* window) : m_impl(std::make_unique<Impl>(window))
{
    setVolume(nullptr);
}

VolumeScene::~VolumeScene() = default;

void VolumeScene::setVolume(std::shared_ptr<const engine::Reconstruction> reconstruction, double threshold)
{
    Impl& d = *m_impl;
    vtkNew<vtkFloatArray> values;
    if (reconstruction) {
        const engine::Volume& volume = reconstruction->image;
        const std::array<double, 3> spacing = voxelSpacing(*reconstruction);
        d.image->SetDimensions(volume.width, volume.height, volume.slices);
        d.image->SetSpacing(spacing.data());
        const std::array<double, 3> sides = voxelSides(*reconstruction->request.scan);
        d.image->SetOrigin(reconstruction->grid.x0 * sides[0], reconstruction->grid.y0 * sides[1],
                           reconstruction->request.place.slices().first * sides[2]);
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
        d.object = objectExtent(d.shown->image, threshold);
        d.volume.setDiagonal(d.image->GetLength());
    }
    d.applyVisibility();
}

void VolumeScene::setScan(const std::shared_ptr<const engine::Scan>& scan)
{
    m_impl->scan = scan;
    if (scan)
        m_impl->planes.setVoxel(voxelSides(*scan));
    m_impl->applyVisibility();
}

DrawnPlanes& VolumeScene::planes()
{
    return m_impl->planes;
}

void VolumeScene::setLook(const VolumeLook& look)
{
    Impl& d = *m_impl;
    d.look = look;
    d.volume.setLook(look);
    d.slices.setLook(look);
    d.planes.setLook(look);
    d.box.setLook(blend(look.text, look.background, 0.55), look.pixelRatio);
    // The background is greyer at the bottom, so that neither white nor black values get lost in it.
    setBackground(look.background, blend(look.background, QColor(92, 108, 124), 0.3));
    d.isPlaced = false;
    d.applyVisibility();
}

void VolumeScene::setBackground(const QColor& top, const QColor& bottom)
{
    vtkRenderer* const renderer = m_impl->renderer.get();
    renderer->SetBackground(componentsOf(bottom).data());
    renderer->SetBackground2(componentsOf(top).data());
    renderer->SetGradientBackground(top != bottom);
}

bool VolumeScene::Impl::canShow(Axis axis) const
{
    if (!shown)
        return false;
    // If the stack is one slice thick, the other two planes are lines.
    return shown->image.slices > 1 || axis == Axis::slice;
}

bool VolumeScene::Impl::hasBox() const
{
    return shown || (scan && look.planesVisible);
}

bool VolumeScene::Impl::isInMm() const
{
    return shown ? ui::isInMm(*shown) : scan && scan->pixelSizeMm().has_value();
}

void VolumeScene::Impl::applyVisibility()
{
    planes.setVisible(scan && look.planesVisible);
    planes.setInFront(shown && look.volumeVisible);
    volume.setVisible(shown && look.volumeVisible);
    for (int k = 0; k < 3; ++k)
        slices.setVisible(k, look.slicesVisible && canShow(static_cast<Axis>(k)));
    box.setVisible(hasBox());
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

std::array<int, 6> VolumeScene::Impl::extent() const
{
    std::array<int, 6> all;
    image->GetExtent(all.data());
    return look.slicesWhole || look.planesVisible || shown->image.slices <= 2 ? all : object;
}

std::array<double, 6> VolumeScene::Impl::bounds() const
{
    if (!shown) {
        const std::array<double, 3> sides = voxelSides(*scan);
        const double last = scan->sliceSize() - 1.0;
        return {0, last * sides[0], 0, last * sides[1], 0, (scan->slices() - 1.0) * sides[2]};
    }
    const std::array<int, 6> voxels = extent();
    std::array<double, 6> result;
    for (int k = 0; k < 6; ++k)
        result[k] = origin()[k / 2] + voxels[k] * image->GetSpacing()[k / 2];
    return result;
}

// Places the camera if that is due. Opens the corner that faces it, except in a film: the object turns with its cut.
void VolumeScene::Impl::beforePicture()
{
    if (!hasBox())
        return;
    giveTimeToVolume();
    camera.update(bounds(), {marginAcross * look.pixelRatio, marginUpwards * look.pixelRatio});
    box.setLines(edgesOfBox(bounds(), seenFaces()));
    if (!shown)
        return;
    double direction[3];
    renderer.get()->GetActiveCamera()->GetDirectionOfProjection(direction);
    int facing = 0;
    for (int k = 0; k < 3; ++k)
        facing |= (direction[k] < 0 ? 1 : 0) << k;
    const int wanted = corner >= 0 && camera.isHeld() ? corner : facing;
    if (std::exchange(corner, wanted) != wanted || !std::exchange(isPlaced, true))
        applyPositions();
}

// VTK divides the time for a picture among all visible objects, but only the volume takes long: with its share alone
// it would be drawn much coarser than that time allows.
void VolumeScene::Impl::giveTimeToVolume()
{
    vtkPropCollection* const objects = renderer.get()->GetViewProps();
    int visible = 0;
    for (int i = 0; i < objects->GetNumberOfItems(); ++i)
        visible += vtkProp::SafeDownCast(objects->GetItemAsObject(i))->GetVisibility();
    renderer.get()->SetAllocatedRenderTime(visible / renderer.get()->GetRenderWindow()->GetDesiredUpdateRate());
}

// Slices that bound an open corner have nothing in front of them. They are drawn over the volume, whose rays must not
// end at them: VTK casts fewer rays than the picture has pixels, and where the slice is transparent beside such a ray,
// the background would shine through the volume.
void VolumeScene::Impl::applyPositions()
{
    const bool isOpen = look.cornerOpen && look.slicesVisible && look.volumeVisible && shown->image.slices > 1;
    std::array<int, 6> region = extent();
    if (isOpen)
        for (int k = 0; k < 3; ++k) { // each slice ends at the other two
            const bool isHigh = (corner >> k) & 1;
            int &cut = region[2 * k + (isHigh ? 0 : 1)], &end = region[2 * k + (isHigh ? 1 : 0)];
            cut = look.position[k];
            end = isHigh ? std::max(end, cut) : std::min(end, cut);
        }
    slices.moveTo(isOpen ? front.get() : renderer.get());
    slices.place(look.position, region, !isOpen && shown->image.slices > 1);
    if (isOpen)
        volume.open(corner, {coordinate(0), coordinate(1), coordinate(2)}, image);
    else
        volume.close();
}

void VolumeScene::setProcessorRendering(bool processor)
{
    m_impl->volume.setProcessorRendering(processor);
}

SceneCamera& VolumeScene::camera()
{
    return m_impl->camera;
}

void VolumeScene::resetCamera()
{
    const bool isFlat = m_impl->shown && m_impl->shown->image.slices <= 2;
    m_impl->camera.lookFrom(isFlat ? gazeAlong(2, false) : frontGaze());
}

} // namespace ui

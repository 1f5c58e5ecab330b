#include "ui/volume/volume_scene_impl.h"
#include "ui/widgets/curve_colours.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui
{

namespace
{

std::array<double, 3> components(const QColor& colour)
{
    return {colour.redF(), colour.greenF(), colour.blueF()};
}

} // namespace

bool isInMm(const engine::Reconstruction& reconstruction)
{
    return reconstruction.request.scan && reconstruction.request.scan->pixelSizeMm().has_value();
}

std::array<double, 3> voxelSpacing(const engine::Reconstruction& reconstruction)
{
    const double pixel = isInMm(reconstruction) ? *reconstruction.request.scan->pixelSizeMm() : 1.0;
    const double step = reconstruction.grid.step;
    // A coarse stack leaves out slices as it leaves out pixels.
    const bool everySlice = reconstruction.image.slices == reconstruction.request.place.slices.count;
    // Slices of a parallel beam stay a row apart, whatever their pixels.
    const auto* beam = reconstruction.request.scan
                           ? std::get_if<engine::ParallelBeam>(&reconstruction.request.scan->geometry)
                           : nullptr;
    const double apart = beam ? pixel / beam->pixelBins : pixel;
    return {pixel * step, pixel * step, apart * (everySlice ? 1.0 : step)};
}

VolumeScene::VolumeScene(vtkGenericOpenGLRenderWindow* window) : m_impl(std::make_unique<Impl>())
{
    Impl& d = *m_impl;
    d.window = window;
    d.window->AddRenderer(d.renderer);
    d.makeVolume();
    d.makeSlices();
    d.makeBox();
    d.makeMarker();
    d.beforeRender->SetClientData(&d);
    d.beforeRender->SetCallback(
        [](vtkObject*, unsigned long, void* client, void*) { static_cast<Impl*>(client)->followCamera(); });
    d.renderer->AddObserver(vtkCommand::StartEvent, d.beforeRender);
    setVolume(nullptr);
}

VolumeScene::~VolumeScene()
{
    m_impl->renderer->RemoveObserver(m_impl->beforeRender);
    m_impl->window->RemoveRenderer(m_impl->marker);
    m_impl->window->RemoveRenderer(m_impl->renderer);
}

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
    d.shown = std::move(reconstruction); // the old buffer goes only now that nothing points to it
    d.corner = -1;
    if (d.shown) {
        double bounds[6];
        d.image->GetBounds(bounds);
        d.box->SetBounds(bounds);
        const char* const unit = isInMm(*d.shown) ? "mm" : "pixels";
        d.box->SetXUnits(unit);
        d.box->SetYUnits(unit);
        d.box->SetZUnits(unit);
        // Opacities are for a hundredth of the diagonal, whatever the resolution.
        d.volume->GetProperty()->SetScalarOpacityUnitDistance(d.image->GetLength() / 100);
    }
    d.applyVisibility();
}

void VolumeScene::setLook(const VolumeLook& look)
{
    Impl& d = *m_impl;
    d.look = look;
    d.applyColours();
    // A little of both ends below, so that neither white nor black values get lost in it.
    d.renderer->SetBackground(components(blend(look.background, QColor(92, 108, 124), 0.3)).data());
    d.renderer->SetBackground2(components(look.background).data());
    d.renderer->GradientBackgroundOn();
    d.box->SetScreenSize(scaleTextSize * look.pixelRatio);
    d.box->SetLabelOffset(8 * look.pixelRatio);
    d.box->SetTitleOffset(8 * look.pixelRatio);
    auto text = components(look.text); // VTK's vectors are not const
    for (int k = 0; k < 3; ++k) {
        d.box->GetTitleTextProperty(k)->SetColor(text.data());
        d.box->GetLabelTextProperty(k)->SetColor(text.data());
    }
    for (vtkProperty* property :
         {d.box->GetXAxesLinesProperty(), d.box->GetYAxesLinesProperty(), d.box->GetZAxesLinesProperty()})
        property->SetColor(components(blend(look.text, look.background, 0.4)).data());
    for (vtkCaptionActor2D* caption :
         {d.axes->GetXAxisCaptionActor2D(), d.axes->GetYAxisCaptionActor2D(), d.axes->GetZAxisCaptionActor2D()}) {
        caption->GetCaptionTextProperty()->SetColor(text.data());
        caption->GetCaptionTextProperty()->ShadowOff();
        caption->GetCaptionTextProperty()->ItalicOff();
        caption->GetCaptionTextProperty()->BoldOff();
    }
    d.corner = -1;
    d.applyVisibility();
}

void VolumeScene::Impl::applyColours()
{
    const double width = std::max(look.high - look.low, 1e-30);
    table->SetNumberOfTableValues(notFiniteEntry);
    colours->RemoveAllPoints();
    for (int i = 0; i < notFiniteEntry; ++i) {
        const auto c = components(QColor(look.colours[i]));
        table->SetTableValue(i, c[0], c[1], c[2], 1);
        if (i % 15 == 0) // 18 knots carry a smooth map
            colours->AddRGBPoint(look.low + width * i / (notFiniteEntry - 1), c[0], c[1], c[2]);
    }
    const auto nan = components(QColor(look.colours[notFiniteEntry]));
    table->SetNanColor(nan[0], nan[1], nan[2], 1);
    table->SetRange(look.low, look.low + width);
    sliceProperty->SetColorWindow(width);
    sliceProperty->SetColorLevel(look.low + width / 2);

    // Clear below the threshold, then a short ramp to a third, and on to the whole at the top.
    opacity->RemoveAllPoints();
    const double ramp = std::max(0.06 * width, 1e-30);
    opacity->AddPoint(look.threshold, 0);
    opacity->AddPoint(look.threshold + ramp, look.opacity / 3);
    opacity->AddPoint(std::max(look.high, look.threshold + 2 * ramp), look.opacity);
}

bool VolumeScene::Impl::canShow(Axis axis) const
{
    if (!shown)
        return false;
    // Where the stack is one slice thick, the other two planes are lines.
    return shown->image.slices > 1 || axis == Axis::slice;
}

void VolumeScene::Impl::applyVisibility()
{
    volume->SetVisibility(shown && look.volumeVisible);
    for (int k = 0; k < 3; ++k)
        slices[k]->SetVisibility(look.slicesVisible && canShow(static_cast<Axis>(k)));
    box->SetVisibility(shown != nullptr);
    marker->SetDraw(shown != nullptr);
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

// The axes turn with the camera, the open corner is the one that looks at it, and the scale has numbers where there is
// room.
void VolumeScene::Impl::followCamera()
{
    if (!shown)
        return;
    if (std::exchange(cameraIsLost, false))
        placeCamera();
    updateScale();
    double direction[3], up[3];
    renderer->GetActiveCamera()->GetDirectionOfProjection(direction);
    renderer->GetActiveCamera()->GetViewUp(up);
    vtkCamera* const follower = marker->GetActiveCamera();
    follower->SetFocalPoint(0, 0, 0);
    follower->SetPosition(-4.2 * direction[0], -4.2 * direction[1], -4.2 * direction[2]);
    follower->SetViewUp(up);
    marker->ResetCameraClippingRange();
    // Square whatever the window's shape.
    const int* const size = window->GetSize();
    const double side = markerPart * std::min(size[0], size[1]);
    if (size[0] > 0 && size[1] > 0)
        marker->SetViewport(0, 0, side / size[0], side / size[1]);

    int facing = 0;
    for (int k = 0; k < 3; ++k)
        facing |= (direction[k] < 0 ? 1 : 0) << k;
    if (facing != corner) {
        corner = facing;
        applyPositions();
    }
}

// Cropping splits the volume at two planes an axis into 27 blocks. With the planes at the slice and
// at the far end, blocks 0 and 1 of each axis are the two sides of the slice.
void VolumeScene::Impl::applyPositions()
{
    const bool open = look.cornerOpen && look.slicesVisible && look.volumeVisible && shown->image.slices > 1;
    volumeMapper->SetCropping(open);
    double bounds[6];
    image->GetBounds(bounds);
    int dimensions[3];
    image->GetDimensions(dimensions);
    int extent[6];
    for (int k = 0; k < 3; ++k) {
        const bool high = (corner >> k) & 1;
        extent[2 * k] = open && high ? look.position[k] : 0;
        extent[2 * k + 1] = open && !high ? look.position[k] : dimensions[k] - 1;
    }
    for (int k = 0; k < 3; ++k) { // in this order: a slice number outside the region is moved into it
        sliceMappers[k]->SetCropping(open);
        sliceMappers[k]->SetCroppingRegion(extent);
        sliceMappers[k]->SetSliceNumber(look.position[k]);
    }
    if (!open)
        return;
    const double margin = image->GetLength();
    std::array<double, 3> plane; // behind the slice: on it, samples of the volume shine through
    for (int k = 0; k < 3; ++k)
        plane[k] = coordinate(k) + ((corner >> k) & 1 ? -0.75 : 0.75) * image->GetSpacing()[k];
    volumeMapper->SetCroppingRegionPlanes(plane[0], bounds[1] + margin, plane[1], bounds[3] + margin, plane[2],
                                          bounds[5] + margin);
    const int block = (corner & 1) + 3 * ((corner >> 1) & 1) + 9 * ((corner >> 2) & 1);
    volumeMapper->SetCroppingRegionFlags(0x7ffffff & ~(1 << block));
}

// VTK's fixed-point ray caster took 0.45 s for a full picture of 192³ at 860 × 670, and llvmpipe with
// VTK's shaders 4.3 s (2 busy cores, Mesa 22.3, VTK 9.1, November 2026); while turning 0.07 and 0.3 s.
void VolumeScene::setProcessorRendering(bool processor)
{
    m_impl->volumeMapper->SetRequestedRenderMode(processor ? vtkSmartVolumeMapper::RayCastRenderMode
                                                           : vtkSmartVolumeMapper::DefaultRenderMode);
}

// Seen from the front and a little from above and the right. Slice 0 is the top of the object, rows
// grow towards the viewer: x, y and z make a right-handed system, and nothing is mirrored.
void VolumeScene::Impl::placeCamera()
{
    vtkCamera* const camera = renderer->GetActiveCamera();
    camera->SetFocalPoint(0, 0, 0);
    const bool flat = shown->image.slices <= 2;
    if (flat) { // as in the image views: row 0 on top
        camera->SetPosition(0, 0, -1);
        camera->SetViewUp(0, -1, 0);
    } else {
        camera->SetPosition(0.55, 1, -0.62);
        camera->SetViewUp(0, 0, -1);
    }
    renderer->ResetCamera();
    camera->Zoom(flat ? 1.1 : 0.84); // the scale stands outside the box
    renderer->ResetCameraClippingRange();
}

void VolumeScene::resetCamera()
{
    m_impl->cameraIsLost = true;
}

} // namespace ui

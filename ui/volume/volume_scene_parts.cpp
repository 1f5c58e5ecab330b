// The parts of the scene as they are made, before there is a volume.
#include "ui/volume/volume_scene_impl.h"

namespace ui
{

void VolumeScene::Impl::makeVolume()
{
    volumeMapper->SetInputData(image);
    volumeMapper->SetBlendModeToComposite();
    volumeMapper->SetAutoAdjustSampleDistances(1);
    volumeMapper->SetInteractiveAdjustSampleDistances(1);
    vtkVolumeProperty* const property = volume->GetProperty();
    property->SetColor(colours);
    property->SetScalarOpacity(opacity);
    property->SetInterpolationTypeToLinear();
    property->ShadeOn();
    property->SetAmbient(0.35);
    property->SetDiffuse(0.75);
    property->SetSpecular(0.15);
    volume->SetMapper(volumeMapper);
    renderer->AddVolume(volume);
}

void VolumeScene::Impl::makeSlices()
{
    sliceProperty->SetLookupTable(table);
    sliceProperty->SetUseLookupTableScalarRange(0);
    sliceProperty->SetInterpolationTypeToNearest(); // the pixels as they are
    for (int k = 0; k < 3; ++k) {
        sliceMappers[k]->SetInputData(image);
        sliceMappers[k]->SetOrientation(k);
        slices[k]->SetMapper(sliceMappers[k]);
        slices[k]->SetProperty(sliceProperty);
        renderer->AddViewProp(slices[k]);
    }
}

void VolumeScene::Impl::makeBox()
{
    box->SetCamera(renderer->GetActiveCamera());
    box->SetFlyModeToOuterEdges();
    box->XAxisMinorTickVisibilityOff();
    box->YAxisMinorTickVisibilityOff();
    box->ZAxisMinorTickVisibilityOff();
    box->SetXLabelFormat("%g");
    box->SetYLabelFormat("%g");
    box->SetZLabelFormat("%g");
    box->PickableOff();
    for (int k = 0; k < 2; ++k)
        noNumbers->InsertNextValue("");
    renderer->AddActor(box);
}

void VolumeScene::Impl::makeMarker()
{
    axes->SetXAxisLabelText("x");
    axes->SetYAxisLabelText("y");
    axes->SetZAxisLabelText("z");
    axes->SetTotalLength(1, 1, 1);
    marker->AddActor(axes);
    marker->SetLayer(1);
    marker->InteractiveOff();
    marker->SetViewport(0, 0, markerPart, markerPart);
    window->SetNumberOfLayers(2);
    window->AddRenderer(marker);
}

} // namespace ui

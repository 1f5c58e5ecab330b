// What the scene is made of, for its own files.
#pragma once

#include "ui/volume/volume_scene.h"

#include <vtkAxesActor.h>
#include <vtkCallbackCommand.h>
#include <vtkCamera.h>
#include <vtkCaptionActor2D.h>
#include <vtkColorTransferFunction.h>
#include <vtkCommand.h>
#include <vtkCubeAxesActor.h>
#include <vtkFloatArray.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkImageData.h>
#include <vtkImageProperty.h>
#include <vtkImageSlice.h>
#include <vtkImageSliceMapper.h>
#include <vtkLookupTable.h>
#include <vtkNew.h>
#include <vtkPiecewiseFunction.h>
#include <vtkPointData.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkSmartVolumeMapper.h>
#include <vtkStringArray.h>
#include <vtkTextProperty.h>
#include <vtkVolume.h>
#include <vtkVolumeProperty.h>

namespace ui
{

using Vector = std::array<double, 3>;

// Room at the bottom left for the axes, as a part of the window.
inline constexpr double markerPart = 0.18;
inline constexpr double scaleTextSize = 11; // pixels of a screen of ratio 1

struct VolumeScene::Impl {
    vtkSmartPointer<vtkGenericOpenGLRenderWindow> window;
    vtkNew<vtkRenderer> renderer, marker;
    vtkNew<vtkImageData> image;
    vtkNew<vtkSmartVolumeMapper> volumeMapper;
    vtkNew<vtkVolume> volume;
    vtkNew<vtkPiecewiseFunction> opacity;
    vtkNew<vtkColorTransferFunction> colours;
    vtkNew<vtkLookupTable> table;
    vtkNew<vtkImageProperty> sliceProperty;
    std::array<vtkNew<vtkImageSliceMapper>, 3> sliceMappers;
    std::array<vtkNew<vtkImageSlice>, 3> slices;
    vtkNew<vtkCubeAxesActor> box;
    vtkNew<vtkAxesActor> axes;
    vtkNew<vtkStringArray> noNumbers;
    vtkNew<vtkCallbackCommand> beforeRender;
    std::shared_ptr<const engine::Reconstruction> shown;
    VolumeLook look;
    bool cameraIsLost = true; // to be placed by the next picture, when the size of the window is known
    int corner = -1;          // octant that is open: bit k set where it lies at the high end of axis k

    void makeVolume();
    void makeSlices();
    void makeBox();
    void makeMarker();
    void applyColours();
    void applyVisibility();
    void applyPositions();
    void placeCamera();
    void followCamera();
    void updateScale();
    bool hasRoomForNumbers(int axis, const double* bounds);
    bool canShow(Axis axis) const;
    Vector origin() const;
    double coordinate(int axis) const; // of that slice
};

} // namespace ui

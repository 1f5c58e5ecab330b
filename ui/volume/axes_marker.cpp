// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/axes_marker.h"

#include "ui/volume/drawn_volume.h"

#include <vtkCaptionActor2D.h>
#include <vtkTextProperty.h>

#include <algorithm>

namespace ui
{

namespace
{

// Size of the axes' viewport, as a share of the window.
constexpr double markerPart = 0.18;

} // namespace

AxesMarker::AxesMarker(vtkGenericOpenGLRenderWindow* window) : m_window(window)
{
    m_axes->SetXAxisLabelText("x");
    m_axes->SetYAxisLabelText("y");
    m_axes->SetZAxisLabelText("z");
    m_axes->SetTotalLength(1, 1, 1);
    m_renderer->AddActor(m_axes);
    m_renderer->SetLayer(1);
    m_renderer->InteractiveOff();
    m_renderer->SetViewport(0, 0, markerPart, markerPart);
    m_window->SetNumberOfLayers(2);
    m_window->AddRenderer(m_renderer);
}

AxesMarker::~AxesMarker()
{
    m_window->RemoveRenderer(m_renderer);
}

void AxesMarker::setTextColour(const QColor& colour)
{
    auto text = componentsOf(colour); // not const: VTK's vectors aren't
    for (vtkCaptionActor2D* caption :
         {m_axes->GetXAxisCaptionActor2D(), m_axes->GetYAxisCaptionActor2D(), m_axes->GetZAxisCaptionActor2D()}) {
        caption->GetCaptionTextProperty()->SetColor(text.data());
        caption->GetCaptionTextProperty()->ShadowOff();
        caption->GetCaptionTextProperty()->ItalicOff();
        caption->GetCaptionTextProperty()->BoldOff();
    }
}

void AxesMarker::setVisible(bool visible)
{
    m_renderer->SetDraw(visible);
}

void AxesMarker::follow(vtkCamera* camera)
{
    double direction[3], up[3];
    camera->GetDirectionOfProjection(direction);
    camera->GetViewUp(up);
    vtkCamera* const follower = m_renderer->GetActiveCamera();
    follower->SetFocalPoint(0, 0, 0);
    follower->SetPosition(-4.2 * direction[0], -4.2 * direction[1], -4.2 * direction[2]);
    follower->SetViewUp(up);
    m_renderer->ResetCameraClippingRange();
    // Keeps the viewport square for any shape of the window.
    const int* const size = m_window->GetSize();
    const double side = markerPart * std::min(size[0], size[1]);
    if (size[0] > 0 && size[1] > 0)
        m_renderer->SetViewport(0, 0, side / size[0], side / size[1]);
}

} // namespace ui

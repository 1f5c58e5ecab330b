// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/scale_box.h"

#include "ui/volume/drawn_volume.h"
#include "ui/widgets/curve_colours.h"

#include <vtkCamera.h>
#include <vtkProperty.h>
#include <vtkTextProperty.h>

#include <cmath>
#include <cstdio>
#include <string>

namespace ui
{

namespace
{

constexpr double scaleTextSize = 11; // pixels at a device pixel ratio of 1

// Returns the distance of neighbouring numbers as VTK's axes choose it: it divides the range into four to ten parts.
double distanceOfNumbers(double range)
{
    const double decade = std::pow(10, std::floor(std::log10(range)));
    const double lead = range / decade;
    return lead < 2 ? decade / 5 : lead < 4 ? decade / 2 : decade;
}

// Returns "z", or "z 0 - 7"; VTK draws only ASCII.
std::string titleOf(char axis, const double* range, bool withRange)
{
    char text[48];
    if (withRange)
        std::snprintf(text, sizeof text, "%c %.4g - %.4g", axis, range[0], range[1]);
    else
        std::snprintf(text, sizeof text, "%c", axis);
    return text;
}

} // namespace

ScaleBox::ScaleBox(vtkRenderer* renderer) : m_renderer(renderer)
{
    m_box->SetCamera(renderer->GetActiveCamera());
    m_box->SetFlyModeToOuterEdges();
    m_box->XAxisMinorTickVisibilityOff();
    m_box->YAxisMinorTickVisibilityOff();
    m_box->ZAxisMinorTickVisibilityOff();
    m_box->SetXLabelFormat("%g");
    m_box->SetYLabelFormat("%g");
    m_box->SetZLabelFormat("%g");
    m_box->PickableOff();
    for (int k = 0; k < 2; ++k)
        m_noNumbers->InsertNextValue("");
    renderer->AddActor(m_box);
}

void ScaleBox::setBounds(const double* bounds, const char* unit)
{
    m_box->SetBounds(bounds);
    m_box->SetXUnits(unit);
    m_box->SetYUnits(unit);
    m_box->SetZUnits(unit);
}

void ScaleBox::setLook(const VolumeLook& look)
{
    m_textHeight = scaleTextSize * look.pixelRatio;
    m_box->SetScreenSize(m_textHeight);
    m_box->SetLabelOffset(8 * look.pixelRatio);
    m_box->SetTitleOffset(8 * look.pixelRatio);
    auto text = componentsOf(look.text); // not const: VTK's vectors aren't
    for (int k = 0; k < 3; ++k) {
        m_box->GetTitleTextProperty(k)->SetColor(text.data());
        m_box->GetLabelTextProperty(k)->SetColor(text.data());
    }
    for (vtkProperty* property :
         {m_box->GetXAxesLinesProperty(), m_box->GetYAxesLinesProperty(), m_box->GetZAxesLinesProperty()})
        property->SetColor(componentsOf(blend(look.text, look.background, 0.4)).data());
}

void ScaleBox::setVisible(bool visible)
{
    m_box->SetVisibility(visible);
}

// Measures in the middle of the box, where lengths are neither the nearest nor the farthest.
bool ScaleBox::hasRoomForNumbers(int axis, const double* bounds) const
{
    const double range = bounds[2 * axis + 1] - bounds[2 * axis];
    if (!(range > 0))
        return false;
    double ends[2][3];
    for (int k = 0; k < 2; ++k) {
        std::array<double, 3> point = {(bounds[0] + bounds[1]) / 2, (bounds[2] + bounds[3]) / 2,
                                       (bounds[4] + bounds[5]) / 2};
        point[axis] = bounds[2 * axis + k];
        m_renderer->SetWorldPoint(point[0], point[1], point[2], 1);
        m_renderer->WorldToDisplay();
        m_renderer->GetDisplayPoint(ends[k]);
    }
    const double part = distanceOfNumbers(range) / range;
    const double across = std::abs(ends[1][0] - ends[0][0]) * part, down = std::abs(ends[1][1] - ends[0][1]) * part;
    return down > 1.3 * m_textHeight || across > 2.5 * m_textHeight; // a number is some three digits wide
}

void ScaleBox::showNumbers(const double* bounds)
{
    bool numbers[3];
    for (int k = 0; k < 3; ++k)
        numbers[k] = hasRoomForNumbers(k, bounds);
    m_box->SetXTitle(titleOf('x', bounds, !numbers[0]).c_str());
    m_box->SetYTitle(titleOf('y', bounds + 2, !numbers[1]).c_str());
    m_box->SetZTitle(titleOf('z', bounds + 4, !numbers[2]).c_str());
    for (int k = 0; k < 3; ++k) // empty labels: without any, an axis would have no title either
        m_box->SetAxisLabels(k, numbers[k] ? nullptr : m_noNumbers.Get());
    m_box->SetXAxisTickVisibility(numbers[0]);
    m_box->SetYAxisTickVisibility(numbers[1]);
    m_box->SetZAxisTickVisibility(numbers[2]);
}

} // namespace ui

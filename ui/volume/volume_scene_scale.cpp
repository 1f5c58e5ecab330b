// The scale beside the box. An axis that is short on screen, since the stack is flat or seen along it, has no room for
// its numbers: there its title says its range.
#include "ui/volume/volume_scene_impl.h"

#include <cmath>
#include <cstdio>
#include <string>

namespace ui
{

namespace
{

// Between neighbouring numbers, as VTK's axes choose it: four to ten parts of a range.
double distanceOfNumbers(double range)
{
    const double decade = std::pow(10, std::floor(std::log10(range)));
    const double lead = range / decade;
    return lead < 2 ? decade / 5 : lead < 4 ? decade / 2 : decade;
}

// "z", or "z 0 - 7"; VTK draws ASCII alone.
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

// Of the middle of the box, where lengths are neither the nearest nor the farthest.
bool VolumeScene::Impl::hasRoomForNumbers(int axis, const double* bounds)
{
    const double range = bounds[2 * axis + 1] - bounds[2 * axis];
    if (!(range > 0))
        return false;
    double ends[2][3];
    for (int k = 0; k < 2; ++k) {
        Vector point = {(bounds[0] + bounds[1]) / 2, (bounds[2] + bounds[3]) / 2, (bounds[4] + bounds[5]) / 2};
        point[axis] = bounds[2 * axis + k];
        renderer->SetWorldPoint(point[0], point[1], point[2], 1);
        renderer->WorldToDisplay();
        renderer->GetDisplayPoint(ends[k]);
    }
    const double part = distanceOfNumbers(range) / range;
    const double across = std::abs(ends[1][0] - ends[0][0]) * part, down = std::abs(ends[1][1] - ends[0][1]) * part;
    const double height = scaleTextSize * look.pixelRatio;
    return down > 1.3 * height || across > 2.5 * height; // a number is some three digits wide
}

void VolumeScene::Impl::updateScale()
{
    double bounds[6];
    image->GetBounds(bounds);
    bool numbers[3];
    for (int k = 0; k < 3; ++k)
        numbers[k] = hasRoomForNumbers(k, bounds);
    box->SetXTitle(titleOf('x', bounds, !numbers[0]).c_str());
    box->SetYTitle(titleOf('y', bounds + 2, !numbers[1]).c_str());
    box->SetZTitle(titleOf('z', bounds + 4, !numbers[2]).c_str());
    for (int k = 0; k < 3; ++k) // an axis without labels would have no title either
        box->SetAxisLabels(k, numbers[k] ? nullptr : noNumbers.Get());
    box->SetXAxisTickVisibility(numbers[0]);
    box->SetYAxisTickVisibility(numbers[1]);
    box->SetZAxisTickVisibility(numbers[2]);
}

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/opacity_curve.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ui
{

namespace
{

// Values in widths of the range.
constexpr double ramp = 0.06, halfPeak = 0.04;

double widthOf(const StackValues& range)
{
    return range.high - range.low;
}

OpacityCurve objectCurve(const StackValues& range)
{
    const double foot = range.threshold, rise = ramp * widthOf(range);
    return {{foot, 0}, {foot + rise, 0.33}, {std::max(range.high, foot + 2 * rise), 1}};
}

OpacityCurve everythingCurve(const StackValues& range)
{
    return {{range.low, 0.02}, {range.threshold, 0.08}, {std::max(range.high, range.threshold), 0.3}};
}

OpacityCurve denseCurve(const StackValues& range)
{
    const double rise = ramp * widthOf(range);
    return {{range.dense, 0}, {range.dense + rise, 0.5}, {std::max(range.high, range.dense + 2 * rise), 1}};
}

OpacityCurve surfacesCurve(const StackValues& range)
{
    const double half = halfPeak * widthOf(range);
    OpacityCurve curve = {{range.threshold - half, 0}, {range.threshold, 0.4}, {range.threshold + half, 0}};
    if (range.dense - half > range.threshold + half)
        curve.insert(curve.end(), {{range.dense - half, 0}, {range.dense, 1}, {range.dense + half, 0}});
    return curve;
}

OpacityCurve softAndDenseCurve(const StackValues& range)
{
    const double rise = ramp * widthOf(range);
    const double top = std::max(range.dense, range.threshold + 2 * rise);
    return {{range.threshold, 0}, {range.threshold + rise, 0.06}, {top, 0.06}, {top + rise, 1}};
}

} // namespace

double opacityAt(const OpacityCurve& curve, double value)
{
    const auto above = std::ranges::find_if(curve, [value](const OpacityPoint& point) { return point.value > value; });
    if (above == curve.begin())
        return curve.front().opacity;
    if (above == curve.end())
        return curve.back().opacity;
    const OpacityPoint &a = *(above - 1), &b = *above;
    return a.opacity + (b.opacity - a.opacity) * (value - a.value) / (b.value - a.value);
}

double clearBelow(const OpacityCurve& curve)
{
    const auto seen = std::ranges::find_if(curve, [](const OpacityPoint& point) { return point.opacity > 0; });
    if (seen == curve.begin())
        return -std::numeric_limits<double>::infinity();
    return seen == curve.end() ? std::numeric_limits<double>::infinity() : (seen - 1)->value;
}

OpacityCurve withPointMoved(OpacityCurve curve, std::size_t point, const OpacityPoint& to)
{
    const double apart = 1e-4 * (curve.back().value - curve.front().value);
    double value = to.value;
    if (point > 0)
        value = std::max(value, curve[point - 1].value + apart);
    if (point + 1 < curve.size())
        value = std::min(value, std::max(curve[point + 1].value - apart, curve[point].value));
    curve[point] = {value, std::clamp(to.opacity, 0.0, 1.0)};
    return curve;
}

OpacityCurve withPointAdded(OpacityCurve curve, const OpacityPoint& point)
{
    const auto place = std::ranges::upper_bound(curve, point.value, {}, &OpacityPoint::value);
    if (place != curve.begin() && (place - 1)->value == point.value)
        return curve;
    curve.insert(place, {point.value, std::clamp(point.opacity, 0.0, 1.0)});
    return curve;
}

OpacityCurve withPointRemoved(OpacityCurve curve, std::size_t point)
{
    if (curve.size() > 2)
        curve.erase(curve.begin() + static_cast<std::ptrdiff_t>(point));
    return curve;
}

OpacityCurve rescaled(OpacityCurve curve, const StackValues& from, const StackValues& to)
{
    for (OpacityPoint& point : curve)
        point.value = to.low + (point.value - from.low) / widthOf(from) * widthOf(to);
    return curve;
}

QString OpacityPreset::text() const
{
    return QCoreApplication::translate("OpacityPreset", label);
}

QString OpacityPreset::description() const
{
    return QCoreApplication::translate("OpacityPreset", summary);
}

const std::array<OpacityPreset, 5>& opacityPresets()
{
    static const std::array<OpacityPreset, 5> presets = {{
        {QT_TRANSLATE_NOOP("OpacityPreset", "Object"),
         QT_TRANSLATE_NOOP("OpacityPreset", "Everything denser than the background; the background is transparent"),
         &objectCurve},
        {QT_TRANSLATE_NOOP("OpacityPreset", "Everything"),
         QT_TRANSLATE_NOOP("OpacityPreset", "The background too, as a thin fog"), &everythingCurve},
        {QT_TRANSLATE_NOOP("OpacityPreset", "Dense parts"),
         QT_TRANSLATE_NOOP("OpacityPreset", "Only the denser of the two materials of the object"), &denseCurve},
        {QT_TRANSLATE_NOOP("OpacityPreset", "Surfaces"),
         QT_TRANSLATE_NOOP("OpacityPreset",
                           "The borders of the object and of its dense parts; the rest is transparent"),
         &surfacesCurve},
        {QT_TRANSLATE_NOOP("OpacityPreset", "Soft and dense"),
         QT_TRANSLATE_NOOP("OpacityPreset", "Dense parts in a nearly transparent object"), &softAndDenseCurve},
    }};
    return presets;
}

} // namespace ui

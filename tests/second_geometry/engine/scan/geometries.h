// SPDX-License-Identifier: GPL-3.0-or-later
// Found before the engine's list of geometries with -DSINOSCOPE_SECOND_GEOMETRY=ON: one alternative more, so that what
// takes the engine's for granted doesn't compile, or fails engine/scan/second_geometry_test.
#pragma once

#define Geometry GeometryOfTheEngine
#include "../../../../engine/scan/geometries.h"
#undef Geometry

namespace engine
{

// Rays that nothing reconstructs from.
struct SecondGeometry {
    static constexpr const char* label = "second geometry";

    int bins = 0;
    std::vector<double> anglesRad, axisBins;
    std::optional<double> pixelSizeMm;

    double middleBins() const { return (bins - 1) / 2.0; }
    bool operator==(const SecondGeometry&) const = default;
};

template <typename Variant>
struct WithSecond;
template <typename... Alternatives>
struct WithSecond<std::variant<Alternatives...>> {
    using Type = std::variant<Alternatives..., SecondGeometry>;
};

using Geometry = WithSecond<GeometryOfTheEngine>::Type;

} // namespace engine

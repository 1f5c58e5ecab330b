// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces the engine's list of geometries in builds with -DSINOSCOPE_SECOND_GEOMETRY=ON (this folder is searched
// first): adds an alternative, so that code that assumes the engine's own geometries does not compile, or fails in
// engine/scan/second_geometry_test.
#pragma once

#define Geometry GeometryOfTheEngine
#include "../../../../engine/scan/geometries.h"
#undef Geometry

namespace engine
{

// A geometry that no method can reconstruct.
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

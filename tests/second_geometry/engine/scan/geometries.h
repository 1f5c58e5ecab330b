// In place of the engine's list of geometries, with -DSINOSCOPE_SECOND_GEOMETRY=ON: a second alternative, so that what
// takes the parallel beam for granted doesn't compile, or fails engine/scan/second_geometry_test.
#pragma once

#include "engine/scan/parallel_beam.h"

#include <variant>

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

using Geometry = std::variant<ParallelBeam, SecondGeometry>;

} // namespace engine

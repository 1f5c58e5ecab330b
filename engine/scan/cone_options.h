// What a user, or a file, says of a cone beam, and the geometry that follows from it.
#pragma once

#include "engine/scan/cone_beam.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// What isn't said follows from the rest.
struct ConeOptions {
    std::optional<double> sourceAxisMm, sourceDetectorMm; // must be said
    std::optional<double> pixelUMm, pixelVMm;             // of the detector; V as U, which must be said
    // How far the middle of the detector lies from the central ray, towards higher bins and higher rows; 0.
    std::optional<double> offsetUMm, offsetVMm;
    std::optional<double> tiltRad, rollRad; // as in ConeBeam; 0
    bool clockwise = false;                 // angles count clockwise
    std::optional<double> voxelMm;          // pixel at the axis
    std::optional<int> size,
        slices; // of the volume; bins, and what fills the height; slices as size where that is said
    bool operator==(const ConeOptions&) const = default;
};

// A valid geometry; anglesRad as the user counts them. Throws Error(badRequest) that names `who` and what is missing or
// wrong.
ConeBeam coneBeamFrom(const ConeOptions& options, int bins, int rows, std::vector<double> anglesRad,
                      const std::string& who);

} // namespace engine

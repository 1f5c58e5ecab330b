// SPDX-License-Identifier: GPL-3.0-or-later
// What a user, or a file, says of a cone beam, and the geometry that follows from it.
#pragma once

#include "engine/scan/cone_beam.h"
#include "engine/scan/parallel_beam.h"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace engine
{

enum class AngleDirection { anticlockwise, clockwise };

// What isn't said follows from the rest.
struct ConeOptions {
    std::optional<double> sourceAxisMm, sourceDetectorMm; // must be said
    std::optional<double> pixelUMm, pixelVMm;             // of the detector; V as U, which must be said
    // How far the middle of the detector lies from the central ray, towards higher bins and higher rows; 0.
    std::optional<double> offsetUMm, offsetVMm;
    std::optional<double> tiltRad, rollRad;  // as in ConeBeam; 0
    std::optional<AngleDirection> direction; // in which the angles count; anticlockwise
    std::optional<double> voxelMm;           // pixel at the axis
    std::optional<double> voxelBins;         // the same in pixels at the axis; of parallel beams in bins
    std::optional<double> rotateRad;         // by which slices are turned anticlockwise; 0
    std::optional<int> size,
        slices; // of the volume; bins, and what fills the height; slices as size where that is said
    bool operator==(const ConeOptions&) const = default;
};

// All of them, for what goes over all.
inline constexpr std::tuple coneMembers{&ConeOptions::sourceAxisMm, &ConeOptions::sourceDetectorMm,
                                        &ConeOptions::pixelUMm,     &ConeOptions::pixelVMm,
                                        &ConeOptions::offsetUMm,    &ConeOptions::offsetVMm,
                                        &ConeOptions::tiltRad,      &ConeOptions::rollRad,
                                        &ConeOptions::direction,    &ConeOptions::voxelMm,
                                        &ConeOptions::voxelBins,    &ConeOptions::rotateRad,
                                        &ConeOptions::size,         &ConeOptions::slices};

// What of it a parallel beam has, too: pixels of the detector and of the slices, and how these are turned.
ConeOptions ofParallelBeam(const ConeOptions& options);

// What is said, and what isn't from `rest`: a pixel or a volume that is said goes for all of it.
ConeOptions filledFrom(ConeOptions said, const ConeOptions& rest);

// The options that make the same beam; those of one whose axis isn't known say no offset across. Not the matrices.
ConeOptions optionsOf(const ConeBeam& beam);

// The pixels of a parallel beam's slices, how many, and how they are turned; as many as the bins, as large and not
// turned where it isn't said. Throws Error(badRequest) that names `who` and what is wrong.
void setSlices(ParallelBeam& beam, const ConeOptions& options, const Text& who);

// A valid geometry; anglesRad as the user counts them. Throws Error(badRequest) that names `who` and what is missing or
// wrong.
ConeBeam coneBeamFrom(const ConeOptions& options, int bins, int rows, std::vector<double> anglesRad, const Text& who);

// The same for a trajectory that isn't a circle: of the options only the volume counts. Matrices of any positive scale;
// anglesRad may be empty: those of the sources.
ConeBeam coneBeamFrom(const ConeOptions& options, int bins, int rows, std::vector<ProjectionMatrix> matrices,
                      std::vector<double> anglesRad, const Text& who);

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs for a cone beam from the user or a file, and the geometry that results.
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

// Values that aren't given are derived from the others. Defaults are given below.
struct ConeOptions {
    std::optional<double> sourceAxisMm, sourceDetectorMm; // required
    std::optional<double> pixelUMm, pixelVMm;             // of the detector; U is required, V defaults to U
    // Distance of the detector's middle from the central ray, towards higher bins and higher rows; default 0.
    std::optional<double> offsetUMm, offsetVMm;
    std::optional<double> tiltRad, rollRad;  // as in ConeBeam; default 0
    std::optional<AngleDirection> direction; // direction of increasing angle; default anticlockwise
    std::optional<double> voxelMm;           // size of a voxel, pixel at the axis by default
    std::optional<double> voxelBins;         // the same in detector pixels at the axis; for parallel beams in bins
    std::optional<double> rotateRad;         // rotation of the slices anticlockwise; default 0
    // Of the volume. By default, size is the number of bins, and there are as many slices as fill the height, or as
    // many as `size` if that is given.
    std::optional<int> size, slices;
    bool operator==(const ConeOptions&) const = default;
};

// All members, for loops over them.
inline constexpr std::tuple coneMembers{&ConeOptions::sourceAxisMm, &ConeOptions::sourceDetectorMm,
                                        &ConeOptions::pixelUMm,     &ConeOptions::pixelVMm,
                                        &ConeOptions::offsetUMm,    &ConeOptions::offsetVMm,
                                        &ConeOptions::tiltRad,      &ConeOptions::rollRad,
                                        &ConeOptions::direction,    &ConeOptions::voxelMm,
                                        &ConeOptions::voxelBins,    &ConeOptions::rotateRad,
                                        &ConeOptions::size,         &ConeOptions::slices};

// Returns the options that apply to a parallel beam too: pixel of the detector, and pixel, size and rotation of the
// slices.
ConeOptions ofParallelBeam(const ConeOptions& options);

// Fills what isn't given from `rest`. If the detector's pixel or part of the volume is given, the related values of
// `rest` are not used.
ConeOptions filledFrom(ConeOptions said, const ConeOptions& rest);

// Returns the options that make the same beam, except its matrices. If the axis isn't known, offsetUMm isn't set.
ConeOptions optionsOf(const ConeBeam& beam);

constexpr double leastPixelBins = 0.01, mostPixelBins = 1000; // of a slice, in bins

// Sets the pixels of a parallel beam's slices, their number and rotation. By default there are as many pixels as
// bins, of the same size, and no rotation. Throws Error(badRequest), which names `who` and the fault.
void setSlices(ParallelBeam& beam, const ConeOptions& options, const Text& who);

// Returns a valid geometry; anglesRad counts in the user's direction. Throws Error(badRequest), which names `who` and
// what is missing or wrong.
ConeBeam coneBeamFrom(const ConeOptions& options, int bins, int rows, std::vector<double> anglesRad, const Text& who);

// The same for a trajectory that isn't a circle: only the volume of the options is used. Matrices may have any
// positive scale. If anglesRad is empty, the angles are those of the sources.
ConeBeam coneBeamFrom(const ConeOptions& options, int bins, int rows, std::vector<ProjectionMatrix> matrices,
                      std::vector<double> anglesRad, const Text& who);

} // namespace engine

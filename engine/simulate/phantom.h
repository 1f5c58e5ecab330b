// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated scans of ellipses and ellipsoids, whose projections and images are known exactly.
#pragma once

#include "engine/scan/cone_options.h"
#include "engine/scan/scan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

enum class Phantom { sheppLogan, sheppLoganOriginal, sheppLogan3d, sheppLogan3dOriginal, resolution, disc, ball };

// What the value of a bin is.
enum class Sampling {
    ray,    // line integral through the bin's centre, as in comparisons of reconstruction programs
    binMean // parallel beams only: mean over the bin's width, as recorded by a detector; adds a blur of one bin
};

// Parameters of a simulation. They determine everything (also the noise, by the seed). A scan written to a file
// contains them, so that its exact image is known when it is opened again.
struct Simulation {
    Phantom phantom = Phantom::sheppLogan;
    int size = 512; // bins, and pixels along each side of a slice of a parallel beam
    int projections = 512;
    int slices = 1;            // rows of the detector
    double arcDeg = 180;       // evenly spread, end excluded; 180 or 360, any for cone beams
    double photons = 0;        // counts per bin without object; 0: no noise
    double rings = 0;          // relative standard deviation of the bins' gain errors; 0: none
    double axisOffsetBins = 0; // axis = (size−1)/2 + offset; for a cone beam, in addition to its detector offset
    // Of density 1, per pixel; 0: 4/(pixels of a side), so that a slice transmits like a real sample
    double attenuation = 0;
    Sampling sampling = Sampling::ray;
    bool counts = true; // false: line integrals, without darks and flats
    std::uint64_t seed = 1;
    // A cone beam. The object fills the square of its slices as with a parallel beam; the height has the same scale.
    std::optional<ConeOptions> cone = {};
    bool operator==(const Simulation&) const = default;
};

// Returns the simulated scan, whose rows are computed on reading. Throws Error(badRequest), which names the value.
std::shared_ptr<const Scan> simulate(const Simulation& simulation);

// Simulates the same object with this beam, of any trajectory. Bins, rows, angles and axis of the beam are used and
// must be filled.
std::shared_ptr<const Scan> simulate(Simulation simulation, const ConeBeam& beam);

// Returns the exact image of a simulated scan, with the pixels of its slices enlarged by `pixels` and the slices
// rotated anticlockwise.
ExactImage exactImageOf(const Simulation& simulation, const Geometry& made, double pixels = 1, double rotationRad = 0);

std::string toText(Phantom); // "shepp-logan", "shepp-logan-original", "shepp-logan-3d", …
Phantom phantomFromText(const std::string&);
std::string toText(Sampling);                  // "ray", "binMean"
Sampling samplingFromText(const std::string&); // throws Error(badRequest)
std::vector<Phantom> phantoms();
std::string toJson(const Simulation&);
Simulation simulationFromJson(const std::string&); // throws Error(badFile)

} // namespace engine

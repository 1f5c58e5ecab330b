// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated scans: ellipses and ellipsoids whose projections and images are known exactly.
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

// What a bin sees of the object.
enum class Sampling {
    ray,    // the line integral through its centre: what comparisons of reconstruction programs simulate
    binMean // parallel beams: the mean over its width, as a detector records it: blurs once more by the width of a bin
};

// What is simulated. Everything follows from these values (noise too, through the seed), and a
// scan written to a file carries them, so that its exact image is known when it is opened again.
struct Simulation {
    Phantom phantom = Phantom::sheppLogan;
    int size = 512; // bins, and pixels along each side of a slice of a parallel beam
    int projections = 512;
    int slices = 1;            // rows of the detector
    double arcDeg = 180;       // evenly spread, end excluded; 180 or 360, cone beams any
    double photons = 0;        // counts per bin without object; 0: no noise
    double rings = 0;          // relative standard deviation of the bins' gain errors; 0: none
    double axisOffsetBins = 0; // axis = (size−1)/2 + offset; that of a cone's offset besides
    double attenuation = 0;    // of density 1, per pixel; 0: 4/(pixels of a side), so that a slice transmits like a
                               // real sample
    Sampling sampling = Sampling::ray;
    bool counts = true; // false: line integrals, no counts, no darks and flats
    std::uint64_t seed = 1;
    // A cone beam. The slices' square holds the object as it does those of a parallel beam; its height is to the same
    // scale.
    std::optional<ConeOptions> cone = {};
    bool operator==(const Simulation&) const = default;
};

// Throws Error(badRequest) that names the value. Rows are made when they are read.
std::shared_ptr<const Scan> simulate(const Simulation& simulation);

// The same object with this beam, of any trajectory: its bins, rows, angles and axis count, which must be filled.
std::shared_ptr<const Scan> simulate(Simulation simulation, const ConeBeam& beam);

// Of a scan that was made of it (Scan::exactImage); with pixels of its slices so many times as large, and turned
// anticlockwise.
using ExactImage = std::function<Volume(int slice, const SliceGrid&)>;
ExactImage exactImageOf(const Simulation& simulation, const Geometry& made, double pixels = 1, double rotationRad = 0);

std::string toText(Phantom); // "shepp-logan", "shepp-logan-original", "shepp-logan-3d", …
Phantom phantomFromText(const std::string&);
std::string toText(Sampling);                  // "ray", "binMean"
Sampling samplingFromText(const std::string&); // throws Error(badRequest)
std::vector<Phantom> phantoms();
std::string toJson(const Simulation&);
Simulation simulationFromJson(const std::string&); // throws Error(badFile)

} // namespace engine

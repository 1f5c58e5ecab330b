// Simulated scans: ellipses whose projections and images are known exactly.
#pragma once

#include "engine/scan/scan.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace engine
{

enum class Phantom { sheppLogan, sheppLoganOriginal, sheppLogan3d, sheppLogan3dOriginal, resolution, disc };

// What a bin sees of the object.
enum class Sampling {
    ray,    // the line integral through its centre: what comparisons of reconstruction programs simulate
    binMean // the mean over its width, as a detector records it: blurs once more by the width of a bin
};

// What is simulated. Everything follows from these values (noise too, through the seed), and a
// scan written to a file carries them, so that its exact image is known when it is opened again.
struct Simulation {
    Phantom phantom = Phantom::sheppLogan;
    int size = 512; // bins, and pixels along each side of a slice
    int projections = 512;
    int slices = 1;
    double arcDeg = 180;       // 180 or 360, evenly spread, end excluded
    double photons = 0;        // counts per bin without object; 0: no noise
    double rings = 0;          // relative standard deviation of the bins' gain errors; 0: none
    double axisOffsetBins = 0; // axis = (size−1)/2 + offset
    double attenuation = 0;    // of density 1, per pixel; 0: 4/size, so that a slice transmits like a real sample
    Sampling sampling = Sampling::ray;
    bool counts = true; // false: line integrals, no counts, no darks and flats
    std::uint64_t seed = 1;
    bool operator==(const Simulation&) const = default;
};

// Throws Error(badRequest) that names the value. Rows are made when they are read.
std::shared_ptr<const Scan> simulate(const Simulation& simulation);

std::string toText(Phantom); // "shepp-logan", "shepp-logan-original", "shepp-logan-3d", …
Phantom phantomFromText(const std::string&);
std::string toText(Sampling);                  // "ray", "binMean"
Sampling samplingFromText(const std::string&); // throws Error(badRequest)
std::vector<Phantom> phantoms();
std::string toJson(const Simulation&);
Simulation simulationFromJson(const std::string&); // throws Error(badFile)

} // namespace engine

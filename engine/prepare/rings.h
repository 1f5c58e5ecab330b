// SPDX-License-Identifier: GPL-3.0-or-later
// Methods against stripes of a sinogram, which become rings in the slice. Each removes the stripes from a sinogram of
// line integrals in place. They use the threads of the task arena; the result doesn't depend on their number.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace engine
{

// View of a sinogram, [projection][bin], that is owned elsewhere.
struct SinogramPlane {
    float* values = nullptr;
    int projections = 0, bins = 0;

    float* line(int projection) const { return values + static_cast<std::size_t>(projection) * bins; }
    std::size_t size() const { return static_cast<std::size_t>(projections) * bins; }
};

// Parameters of the methods; each method uses some of them.
struct RingValues {
    int size = 0;       // bins of a median, or full width at half maximum of a Gaussian; odd
    int largeSize = 0;  // bins of the median for large stripes; odd
    double snr = 3;     // ratio to the surroundings from which a stripe counts as one
    double cycles = 3;  // cycles per scan: standard deviation of a Gaussian along the angle
    int order = 3;      // of a polynomial along the angle
    int levels = 3;     // of wavelets
    double alpha = 0.2; // weight of the stripes' size against the roughness that they leave
    int blocks = 1;     // of projections, each with its own stripes
};

// Vo, Atwood and Drakopoulos, Superior techniques for eliminating ring artifacts in X-ray micro-tomography, Optics
// Express 26, 28396, 2018; the comments give the numbers of the algorithms. Where the paper divides by the effect of
// a stripe, it is subtracted here: a gain error of a bin is an offset in line integrals, which are 0 in air.
void removeByFitting(const SinogramPlane& sinogram, const RingValues& values);   // algorithm 1
void removeByFiltering(const SinogramPlane& sinogram, const RingValues& values); // algorithm 2
void removeBySorting(const SinogramPlane& sinogram, const RingValues& values);   // algorithm 3
// Algorithms 5 and 6 first detect stripes by algorithm 4. They return the number of bins changed.
int removeLarge(const SinogramPlane& sinogram, const RingValues& values);
int removeDead(const SinogramPlane& sinogram, const RingValues& values);
int removeAll(const SinogramPlane& sinogram, const RingValues& values); // 6, 5 and 3, combined as in section 3.5

// Algorithm 4: marks the values of a row that stand out of its noise, and one neighbour on each side. leastNoise:
// lower bound of the estimated noise.
std::vector<char> findStripes(std::span<const double> row, double snr, double leastNoise = 0);

// Münch, Trtik, Marone and Stampanoni, Stripe and ring artifact removal with combined wavelet-Fourier filtering,
// Optics Express 17, 8567, 2009, section 2, with the changes listed in rings_wavelet.cpp. For stripes one or two bins
// wide that last through the whole scan: reduces strong ones by a factor of 15 (tests/engine/prepare/rings_test.cpp),
// weak ones by 3.5, and stripes several bins wide by 1.4. Does not remove stripes that change during the scan:
// partial, fluctuating and dead ones.
void removeByWavelets(const SinogramPlane& sinogram, const RingValues& values);
// Returns the number of levels: as requested, but no more than the size of the sinogram allows. Each level halves
// both dimensions.
int waveletLevels(int asked, int projections, int bins);

// Titarenko, Withers and Yagola, An analytical formula for ring artefact suppression in X-ray tomography, Applied
// Mathematics Letters 23, 1489, 2010.
void removeByRegularization(const SinogramPlane& sinogram, const RingValues& values);

} // namespace engine

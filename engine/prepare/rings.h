// SPDX-License-Identifier: GPL-3.0-or-later
// Ways against stripes of a sinogram, which become rings of the slice: each takes a sinogram of line integrals and
// leaves it without them. By the threads of the task arena; the same bits with any number.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace engine
{

// A sinogram, [projection][bin], of somebody else.
struct SinogramPlane {
    float* values = nullptr;
    int projections = 0, bins = 0;

    float* line(int projection) const { return values + static_cast<std::size_t>(projection) * bins; }
    std::size_t size() const { return static_cast<std::size_t>(projections) * bins; }
};

// What the ways take of it; each its own.
struct RingValues {
    int size = 0;       // bins of a median, or of a Gaussian's full width at half its height; odd
    int largeSize = 0;  // bins of the median for large stripes; odd
    double snr = 3;     // of a stripe to its surroundings, to be one
    double cycles = 3;  // a scan: standard deviation of a Gaussian along the angle
    int order = 3;      // of a polynomial along the angle
    int levels = 3;     // of wavelets
    double alpha = 0.2; // of the stripes' own size against the roughness that they leave
    int blocks = 1;     // of projections, each with stripes of its own
};

// Vo, Atwood and Drakopoulos, Superior techniques for eliminating ring artifacts in X-ray micro-tomography, Optics
// Express 26, 28396, 2018, by the number of the algorithm. Where the paper divides by what a stripe does, its
// difference is taken away here: an error of a bin's gain adds to line integrals, which are 0 in air.
void removeByFitting(const SinogramPlane& sinogram, const RingValues& values);   // 1
void removeByFiltering(const SinogramPlane& sinogram, const RingValues& values); // 2
void removeBySorting(const SinogramPlane& sinogram, const RingValues& values);   // 3
// 5 and 6 look for stripes first, by 4; how many bins they changed.
int removeLarge(const SinogramPlane& sinogram, const RingValues& values);
int removeDead(const SinogramPlane& sinogram, const RingValues& values);
int removeAll(const SinogramPlane& sinogram, const RingValues& values); // 6, 5 and 3, as section 3.5 puts them together

// 4: where a row of numbers stands out of its noise, and one beside. leastNoise: that is taken where there is less.
std::vector<char> findStripes(std::span<const double> row, double snr, double leastNoise = 0);

// Münch, Trtik, Marone and Stampanoni, Stripe and ring artifact removal with combined wavelet-Fourier filtering, Optics
// Express 17, 8567, 2009, section 2, with the changes that rings_wavelet.cpp names. For stripes of a bin or two that
// stand through the whole scan: strong ones become 15 times less (tests/engine/prepare/rings_test.cpp), weak ones 3.5
// times, those of several bins 1.4 times; not what changes on the way: partial, fluctuating and dead ones.
void removeByWavelets(const SinogramPlane& sinogram, const RingValues& values);
// As many of the levels asked for as a sinogram of that size has: one more halves both sides again.
int waveletLevels(int asked, int projections, int bins);

// Titarenko, Withers and Yagola, An analytical formula for ring artefact suppression in X-ray tomography, Applied
// Mathematics Letters 23, 1489, 2010.
void removeByRegularization(const SinogramPlane& sinogram, const RingValues& values);

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Spectral comparison of two images: Fourier ring correlation and power spectra.
#pragma once

#include "engine/compare/mask.h"

#include <optional>
#include <span>
#include <vector>

namespace engine
{

// Spectra in rings of the two-dimensional spectrum. Each ring is 1/side wide, the step of the frequencies of a square
// of that side. Frequency 0, the mean, is in no ring.
struct RingSpectra {
    Region square;                   // the pixels that were transformed
    std::vector<double> frequency;   // cycles per pixel: 1/side, 2/side … up to 0.5
    std::vector<double> samples;     // independent samples of white noise per ring; fewer than frequencies: the window
    std::vector<double> correlation; // Re Σ A·B* / √(Σ|A|² Σ|B|²), −1…1; 1 if both are 0, 0 if one is
    std::vector<double> powerImage;  // mean |A|²: white noise of standard deviation σ has σ² in every ring
    std::vector<double> powerReference;
};

// Computes the spectra of the smallest square around the mask's pixels, including pixels of the square that are not
// masked. At the image's borders the square is moved inwards. If the image is narrower than the mask is long, the
// square is as wide as the image and lies around the middle of the mask. The means are subtracted, and a Hann window
// reduces both images to 0 at the square's borders. Computes in double precision and takes 16 bytes per pixel of the
// square. The bits don't depend on the number of threads.
//
// Fourier ring correlation: Saxton and Baumeister, Journal of Microscopy 127, 1982; van Heel and Schatz, "Fourier
// shell correlation threshold criteria", Journal of Structural Biology 151, 2005.
//
// Throws Error(badRequest) when the sizes differ, the mask is empty, the square has fewer than 16 pixels a side, or
// it has pixels that aren't finite.
RingSpectra compareSpectra(std::span<const float> image, std::span<const float> reference, int width, int height,
                           const Mask& mask = {});

// As compareSpectra(); nothing where that throws Error(badRequest).
std::optional<RingSpectra> spectraIfAny(std::span<const float> image, std::span<const float> reference, int width,
                                        int height, const Mask& mask = {});

// Returns powerImage / powerReference: the squared transfer function if the image is the blurred reference. NaN or
// infinite where the reference has no power.
std::vector<double> powerRatio(const RingSpectra& spectra);

// Criteria for the frequency at which two images stop agreeing, if their noise is independent. For two methods on the
// same projections, which have the same noise, it is the frequency at which the methods differ.
enum class ResolutionCriterion {
    halfBit,  // half a bit of information per sample: van Heel and Schatz 2005, equation 17 with SNR = (√2 − 1)/2
    fixed0143 // 0.143, for two halves of the data: Rosenthal and Henderson, Journal of Molecular Biology 333, 2003
};

// Returns the threshold of the correlation for each ring, 0…1.
std::vector<double> thresholdOf(const RingSpectra& spectra, ResolutionCriterion criterion);

// Returns 1/frequency, in pixels, where the correlation falls below its threshold (linear between rings) and stays
// there for three rings or to the end: the first rings have few samples, and may be below by chance. Returns 2 pixels,
// the finest that pixels can show, if the correlation stays above the threshold, and infinity if it is below from the
// first ring on.
double resolutionPixels(const RingSpectra& spectra, ResolutionCriterion criterion);

} // namespace engine

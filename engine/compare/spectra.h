// SPDX-License-Identifier: GPL-3.0-or-later
// What two images have in common at each fineness: Fourier ring correlation and power spectra.
#pragma once

#include "engine/compare/mask.h"

#include <optional>
#include <span>
#include <vector>

namespace engine
{

// Rings of the two-dimensional spectrum, one frequency of the square (1/side) wide each; the mean is in none.
struct RingSpectra {
    Region square;                 // the pixels that were transformed
    std::vector<double> frequency; // cycles per pixel: 1/side, 2/side … up to 0.5
    std::vector<double> samples;   // independent ones of a ring, for white noise: fewer than it has, by the window
    std::vector<double> correlation; // Re Σ A·B* / √(Σ|A|² Σ|B|²), −1…1; 1 where both have nothing, 0 where one has
    std::vector<double> powerImage; // mean |A|²: white noise of standard deviation σ has σ² in every ring
    std::vector<double> powerReference;
};

// Of the smallest square around the mask's pixels that fits into the image (moved inwards at borders; in the middle of
// the mask's longer side where the image is too narrow), whatever of it the mask leaves out. From both images the mean
// is taken away, and a Hann window takes them to 0 at the square's borders. In doubles; takes 16 bytes a pixel of the
// square. The same bits whatever the number of threads.
//
// Fourier ring correlation: Saxton and Baumeister, Journal of Microscopy 127, 1982; van Heel and Schatz, "Fourier
// shell correlation threshold criteria", Journal of Structural Biology 151, 2005.
//
// Throws Error(badRequest) when the sizes differ, the mask is empty, the square has fewer than 16 pixels a side, or
// pixels of it aren't finite.
RingSpectra compareSpectra(std::span<const float> image, std::span<const float> reference, int width, int height,
                           const Mask& mask = {});

// The same; nothing where it throws Error(badRequest).
std::optional<RingSpectra> spectraIfAny(std::span<const float> image, std::span<const float> reference, int width,
                                        int height, const Mask& mask = {});

// powerImage / powerReference: the squared transfer function where the image is the blurred reference. NaN or infinite
// where the reference has nothing.
std::vector<double> powerRatio(const RingSpectra& spectra);

// Where two images with noise of their own stop saying the same. Of two methods on the same projections, whose noise
// is the same, it says where the methods part.
enum class ResolutionCriterion {
    halfBit,  // half a bit of information a sample: van Heel and Schatz 2005, equation 17 with SNR = (√2 − 1)/2
    fixed0143 // 0.143, for two halves of the data: Rosenthal and Henderson, Journal of Molecular Biology 333, 2003
};

// What the correlation of each ring is held against, 0…1.
std::vector<double> thresholdOf(const RingSpectra& spectra, ResolutionCriterion criterion);

// 1/frequency, in pixels, where the correlation falls below its threshold, straight between rings, and stays there for
// three rings or to the end: the first rings have few samples, and dip by chance. 2 when it doesn't: pixels can't show
// more. Infinite when it is below from the first ring on.
double resolutionPixels(const RingSpectra& spectra, ResolutionCriterion criterion);

} // namespace engine

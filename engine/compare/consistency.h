// SPDX-License-Identifier: GPL-3.0-or-later
// How well an image agrees with the projections that it was reconstructed from: figures that need no reference.
#pragma once

#include "engine/compare/spectra.h"
#include "engine/reconstruct/reconstruction.h"

#include <optional>
#include <stop_token>
#include <string>

namespace engine
{

// Both figures are of the whole setting: preparation, filter, axis and kernel. Neither finds every fault: the halves
// share blur, rings and a wrong axis; the residual is mostly noise where there is much of it, and then smallest for the
// image that follows the noise best.
struct Consistency {
    // The even projections (0, 2, 4, …) against the odd ones: each half read, prepared and reconstructed by the same
    // setting, with the axis of the image. Noise differs between the halves; the object doesn't.
    std::optional<RingSpectra> halves;
    double resolutionPixels = 0; // of them, by the half-bit criterion (resolutionPixels in spectra.h)
    std::string whyNoResolution; // a sentence, where there is none: the halves may agree nowhere

    // The slice projected again, against the prepared line integrals: √(Σ difference² / Σ measured²). 0 would be
    // perfect agreement. Of the slice the disc counts that all projections see. Parallel beams and fan beams alone: the
    // rays of a cone cross more than one slice.
    std::optional<double> residual;
    std::string whyNoResidual; // a sentence, where there is none
};

// Reads the rows of the image's request once; takes as long as the image itself, whose method reconstructs both halves.
// slice: of the scan, among those of the image; all of its pixels count. The residual is that of up to 180 projections,
// evenly spread, with all their bins; the slice is linear between pixel centres (Joseph, IEEE Transactions on Medical
// Imaging 1, 1982, 192). Doubles; the same bits whatever the number of threads. Throws Error(cancelled), noMemory, and
// what reading throws.
Consistency consistencyOf(const Reconstruction& image, int slice, std::stop_token stop = {});

} // namespace engine

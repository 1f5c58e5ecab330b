// SPDX-License-Identifier: GPL-3.0-or-later
// Figures without a reference: how well an image agrees with the projections that it was reconstructed from.
#pragma once

#include "engine/compare/spectra.h"
#include "engine/reconstruct/reconstruction.h"

#include <optional>
#include <stop_token>
#include <string>

namespace engine
{

// Consistency of an image with its projections. Both figures depend on the whole setting: preparation, filter, axis
// and kernel. Neither finds every fault: the halves have blur, rings and a wrong axis in common; the residual of
// noisy data is mostly noise, and is then smallest for the image that follows the noise best.
struct Consistency {
    // The even projections (0, 2, 4, …) compared with the odd ones. Each half is read, prepared and reconstructed
    // with the same setting and with the axis of the image. The halves differ in noise, but not in the object.
    std::optional<RingSpectra> halves;
    double resolutionPixels = 0; // from the halves, by the half-bit criterion (resolutionPixels in spectra.h)
    std::string whyNoResolution; // if there is no resolution: the reason, a sentence (the halves may agree nowhere)

    // The projected slice compared with the prepared line integrals: √(Σ difference² / Σ measured²); 0 is perfect
    // agreement. Uses the disc of the slice that all projections see. Parallel beams and fan beams only: rays of a
    // cone cross more than one slice.
    std::optional<double> residual;
    std::string whyNoResidual; // if there is no residual: the reason, a sentence
};

// Computes both figures. Reads the rows of the image's request once. Takes as long as the reconstruction of the image,
// because both halves are reconstructed by the same method. slice: number in the scan, one of the image's slices; all
// of its pixels are used.
// The residual uses up to 180 projections, evenly distributed, with all bins; the slice is linear between pixel
// centres (Joseph, IEEE Transactions on Medical Imaging 1, 1982, 192). Computes in double precision; the bits don't
// depend on the number of threads. Throws Error(cancelled), noMemory, and what reading throws.
Consistency consistencyOf(const Reconstruction& image, int slice, std::stop_token stop = {});

} // namespace engine

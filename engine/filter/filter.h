// SPDX-License-Identifier: GPL-3.0-or-later
// The ramp filter: prepared projections become filtered ones, by FFT.
#pragma once

#include "engine/data/sinograms.h"
#include "engine/request/setting.h"
#include "engine/scan/ray_weights.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

// Frequency response of filter and window, [padded/2 + 1] values from 0 to Nyquist: 2·FFT(h) of the
// band-limited ramp h[0] = 1/4, h[n] = −1/(πn)² (n odd), 0 (n even), times the window.
// `padded`: a power of two. Window::none: all ones.
std::vector<double> frequencyResponse(const FilterSettings& settings, int padded);

// Smallest power of two ≥ 2·bins.
int paddedLength(int bins);

// A sinogram is one row of the detector, from weights.firstRow on. threads: 0 for all. Throws Error(badRequest,
// cancelled, noMemory). Source: Kak and Slaney 1988, section 3.3; Chilingaryan et al. 2020, section 4.
FilteredSinograms filterSinograms(const Sinograms& sinograms, const FilterSettings& settings, const RayWeights& weights,
                                  FilterPrecision precision, int threads,
                                  const std::function<void(double)>& progress = {}, std::stop_token stop = {});

// The same to float, in the memory of the sinograms, which are used up.
FilteredSinograms filterInPlace(Sinograms&& sinograms, const FilterSettings& settings, const RayWeights& weights,
                                int threads, const std::function<void(double)>& progress = {},
                                std::stop_token stop = {});

// Plans the transforms of rows of `bins` ahead, for `rows` of them in all: many are worth measured plans
// (engine/filter/transform.h).
void planFilter(int bins, FilterPrecision precision, std::size_t rows);

// All plans of this process, for others that make parts of the same volume, and those of the first of them taken.
std::string filterPlans();
void takeFilterPlans(const std::string& plans);

} // namespace engine

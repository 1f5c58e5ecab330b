// SPDX-License-Identifier: GPL-3.0-or-later
// Ramp filter: turns prepared projections into filtered ones, by FFT.
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

// Computes the frequency response of filter and window, [padded/2 + 1] values from 0 to Nyquist: 2·FFT(h) of the
// band-limited ramp h[0] = 1/4, h[n] = −1/(πn)² (n odd), 0 (n even), times the window. `padded`: a power of two.
// Window::none: all ones. Throws Error(badRequest).
std::vector<double> frequencyResponse(const FilterSettings& settings, int padded);

// Returns the smallest power of two ≥ 2·bins.
int paddedLength(int bins);

// Filters sinograms, each of which is one row of the detector, from weights.firstRow on. threads: 0 for all. Throws
// Error(badRequest, cancelled, noMemory). Source: Kak and Slaney 1988, section 3.3; Chilingaryan et al. 2020, section
// 4.
FilteredSinograms filterSinograms(const Sinograms& sinograms, const FilterSettings& settings, const RayWeights& weights,
                                  FilterPrecision precision, int threads,
                                  const std::function<void(double)>& progress = {}, std::stop_token stop = {});

// Does the same in single precision, in the memory of the sinograms, which are consumed.
FilteredSinograms filterInPlace(Sinograms&& sinograms, const FilterSettings& settings, const RayWeights& weights,
                                int threads, const std::function<void(double)>& progress = {},
                                std::stop_token stop = {});

// Plans the transforms for rows of `bins` values in advance. rows: how many will be filtered in total; many rows are
// worth measured plans (engine/filter/transform.h).
void planFilter(int bins, FilterPrecision precision, std::size_t rows);

// Processes that reconstruct parts of the same volume use the plans of the first one: filterPlans returns all plans
// of this process, and takeFilterPlans replaces the plans of this process by these.
std::string filterPlans();
void takeFilterPlans(const std::string& plans);

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Differences of two stored volumes, slice by slice.
#pragma once

#include "engine/compare/metrics.h"
#include "engine/io/slices/stored_slices.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace engine
{

struct VolumeDifferences {
    struct OfSlice {
        int slice = 0; // number in the scan
        Metrics metrics;
    };
    std::vector<OfSlice> slices; // in the order of the numbers
    // Of all slices together. SSIM: the mean of the slices'.
    Metrics whole;
};

struct VolumeComparison {
    const StoredSlices& image;
    const StoredSlices& reference;
    std::vector<int> slices; // numbers that both have
    Mask mask = {};          // of each slice
    bool withSsim = false;   // takes many times as long as the rest
    double memoryBytes = 0;  // that may be used; at least one slice of each is held
    double factor = 1;       // of the reference's values
    // Called with image − reference of each slice, one call at a time, in any order.
    std::function<void(int slice, const Volume& difference)> onDifference = {};
};

// Reads and compares several slices simultaneously. progress: fraction; called by any thread, one call at a time.
// Throws what reading throws, Error(badRequest) for slices of different sizes or an empty mask, Error(cancelled).
VolumeDifferences compareVolumes(const VolumeComparison& comparison, const std::function<void(double)>& progress = {},
                                 const std::stop_token& stop = {});

} // namespace engine

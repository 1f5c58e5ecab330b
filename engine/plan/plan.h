// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of an image: what its request comes to, decided before any value is read. Whoever computes, describes or
// writes the image reads it here.
#pragma once

#include "engine/prepare/steps.h"
#include "engine/request/section.h"

#include <optional>
#include <string>

namespace engine
{

struct Method;

// Who prepares and filters. These are permissions: a run may find rows in a cache, or a GPU that fails.
struct Route {
    FilterPrecision precision = FilterPrecision::float32; // of the filtered rows
    bool mayPrepareOnDevice = false;                      // together with filter and back-projection
    bool filtersOnDevice = false;
    std::optional<std::string> whyNotOnDevice; // a sentence, if only the steps keep a device from preparing
    // Bins of the virtual detector that is filtered, as far as known before the axis is; nothing: the recorded bins
    std::optional<int> virtualBins;
};

struct Plan {
    Request request;
    const Method* method = nullptr; // that reconstructs the image; never null
    Kernel kernel;                  // as launched: without a variant that the method lacks
    bool isTuned = false;           // kernel.variant is a tuning that was measured as the fastest
    int deviceIndex = 0;            // in the list of the method's kind of devices
    Section section;
    Preparation preparation;
    Route route;
    RowRange rows; // of the detector

    const Scan& scan() const { return *request.scan; }
};

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of an image: what its request comes to, decided before any value is read. Whoever computes, describes or
// writes the image reads it here.
#pragma once

#include "engine/prepare/steps.h"
#include "engine/request/keys.h"
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
    Section section;
    Preparation preparation;
    Route route;
    FilteredKey key; // of the filtered rows; key.prepared: of the prepared ones

    const Scan& scan() const { return *request.scan; }
    const RowRange& rows() const { return key.prepared.rows; } // of the detector
};

} // namespace engine

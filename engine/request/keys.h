// SPDX-License-Identifier: GPL-3.0-or-later
// What each stage of a reconstruction depends on. A stage whose key is equal needn't be done again. Keys are made of
// whole parts of the request, so that a new field counts until it is left out in stages.cpp by name.
#pragma once

#include "engine/request/setting.h"

#include <memory>

namespace engine
{

// Rows of a scan, read and prepared.
struct PreparedKey {
    std::shared_ptr<const Scan> scan;
    RowRange rows;
    PreparationSettings preparation = {}; // without what means nothing
    std::optional<RowRange> projections = {};
    bool operator==(const PreparedKey&) const = default;

    // Whether `other` can be cut out of it.
    bool covers(const PreparedKey& other) const
    {
        return scan == other.scan && preparation == other.preparation && projections == other.projections &&
               rows.first <= other.rows.first && other.rows.first + other.rows.count <= rows.first + rows.count;
    }
};

// The axis found from the data: one for all slices of a scan.
struct AxisKey {
    std::shared_ptr<const Scan> scan;
    PreparationSettings preparation = {};
    bool operator==(const AxisKey&) const = default;
};

// Rows filtered by a processor.
struct FilteredKey {
    PreparedKey prepared;
    FilterSettings filter; // what means nothing for its window is the default's
    FilterPrecision precision = FilterPrecision::float32;
    AxisSettings axis = {}; // of cone beams, whose cosines are counted from it
    bool operator==(const FilteredKey&) const = default;
};

// Rows filtered and stored by a GPU, as a kernel reads them.
struct StoredKey {
    FilteredKey filtered;
    Precision precision = Precision::single;
    int slicesPerPass = 0;
    int layout = 0; // of the method's kernel
    bool operator==(const StoredKey&) const = default;
};

// An image: the request without what no image depends on.
using ImageKey = Request;

} // namespace engine

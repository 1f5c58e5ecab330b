// SPDX-License-Identifier: GPL-3.0-or-later
// Cache keys: what each stage of a reconstruction depends on. A stage with an equal key needn't run again. Keys
// consist of whole parts of the request, so that a new field counts unless stages.cpp excludes it by name.
#pragma once

#include "engine/request/setting.h"

#include <memory>

namespace engine
{

// Key of rows of a scan, read and prepared.
struct PreparedKey {
    std::shared_ptr<const Scan> scan;
    RowRange rows;
    PreparationSettings preparation = {}; // without settings that have no effect
    std::optional<RowRange> projections = {};
    bool operator==(const PreparedKey&) const = default;

    // Returns whether the rows of `other` are among these rows.
    bool covers(const PreparedKey& other) const
    {
        return scan == other.scan && preparation == other.preparation && projections == other.projections &&
               rows.first <= other.rows.first && other.rows.first + other.rows.count <= rows.first + rows.count;
    }
};

// Key of the axis found from the data, which is the same for all slices of a scan.
struct AxisKey {
    std::shared_ptr<const Scan> scan;
    PreparationSettings preparation = {};
    bool operator==(const AxisKey&) const = default;
};

// Key of rows filtered by a processor.
struct FilteredKey {
    PreparedKey prepared;
    FilterSettings filter; // parameters that its window doesn't use have default values
    FilterPrecision precision = FilterPrecision::float32;
    AxisSettings axis = {}; // for cone beams, whose cosine weights depend on it, and for weighted parallel rays
    FilterTransform transform = FilterTransform::own;
    bool operator==(const FilteredKey&) const = default;

    // Returns whether the rows of `other` are among these rows.
    bool covers(const FilteredKey& other) const
    {
        return filter == other.filter && precision == other.precision && axis == other.axis &&
               transform == other.transform && prepared.covers(other.prepared);
    }
};

// Key of rows that a GPU filtered and stored in the layout of a kernel.
struct StoredKey {
    FilteredKey filtered;
    Precision precision = Precision::single;
    int slicesPerPass = 0;
    int layout = 0; // of the method's kernel
    bool operator==(const StoredKey&) const = default;
};

// Key of an image: the request without fields that no image depends on.
using ImageKey = Request;

} // namespace engine

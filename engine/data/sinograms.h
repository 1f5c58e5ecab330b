// SPDX-License-Identifier: GPL-3.0-or-later
// Projections of some slices in memory: line integrals and filtered projections.
#pragma once

#include "engine/base/uninitialized.h"

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

namespace engine
{

// Line integrals of some slices, [slice][projection][bin].
struct Sinograms {
    int slices = 0;
    int projections = 0;
    int bins = 0;
    Values values;
};

// Filtered and weighted projections, [slice][projection][bin]: a slice is their plain sum along the rays. Doubles for
// methods in double precision, floats for all others.
struct FilteredSinograms {
    int slices = 0;
    int projections = 0;
    int bins = 0;
    std::variant<Values, Buffer<double>> values;
};

// View of either kind of sinograms, or of some of their slices; it does not own the values. One of the two spans is
// empty.
struct SinogramView {
    int slices = 0;
    int projections = 0;
    int bins = 0;
    std::span<const float> floats;
    std::span<const double> doubles;

    SinogramView() = default;
    SinogramView(const Sinograms& all) : SinogramView(all, 0, all.slices) {}
    SinogramView(const Sinograms& all, int first, int count)
        : slices(count), projections(all.projections), bins(all.bins),
          floats(std::span(all.values).subspan(first * sliceSize(), count * sliceSize()))
    {
    }
    SinogramView(const FilteredSinograms& all) : slices(all.slices), projections(all.projections), bins(all.bins)
    {
        if (const auto* values = std::get_if<Values>(&all.values))
            floats = *values;
        else
            doubles = std::get<Buffer<double>>(all.values);
    }
    SinogramView(const FilteredSinograms& all, int first, int count) : SinogramView(all)
    {
        slices = count;
        if (!floats.empty())
            floats = floats.subspan(first * sliceSize(), count * sliceSize());
        if (!doubles.empty())
            doubles = doubles.subspan(first * sliceSize(), count * sliceSize());
    }
    std::size_t sliceSize() const { return static_cast<std::size_t>(projections) * bins; }
};

} // namespace engine

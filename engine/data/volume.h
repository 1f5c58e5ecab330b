// SPDX-License-Identifier: GPL-3.0-or-later
// Images: a stack of slices of 32-bit floats.
#pragma once

#include "engine/base/uninitialized.h"
#include "engine/data/grid.h"

#include <cstddef>
#include <span>

namespace engine
{

// Stack of slices, [slice][row][column], column fastest, row 0 on top. A single image is a volume of one slice.
struct Volume {
    int slices = 0;
    int height = 0;
    int width = 0;
    Values values;

    Volume() = default;
    Volume(int slices_, int height_, int width_)
        : slices(slices_), height(height_), width(width_),
          values(static_cast<std::size_t>(slices_) * height_ * width_, 0.0F)
    {
    }

    std::size_t sliceSize() const { return static_cast<std::size_t>(height) * width; }
    std::span<const float> slice(int k) const { return {values.data() + k * sliceSize(), sliceSize()}; }
    std::span<float> slice(int k) { return {values.data() + k * sliceSize(), sliceSize()}; }
};

} // namespace engine

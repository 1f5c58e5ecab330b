// SPDX-License-Identifier: GPL-3.0-or-later
// Iteration over the masked values of an image.
#pragma once

#include "engine/base/error.h"
#include "engine/compare/mask.h"

#include <string>

namespace engine
{

inline void requirePixels(std::span<const float> image, int width, int height)
{
    require(width > 0 && height > 0 && image.size() == static_cast<std::size_t>(width) * height,
            "an image of " + std::to_string(image.size()) + " pixels is not " + std::to_string(width) + " × " +
                std::to_string(height));
}

// Calls take(value) for each masked pixel, row by row. rows: for an image of this width.
template <typename Take>
void eachMasked(std::span<const float> image, int width, const MaskRows& rows, const Take& take)
{
    for (int row = rows.bounds().row; row < rows.bounds().row + rows.bounds().height; ++row)
        for (const Run& run : rows.runs(row))
            for (const float value :
                 image.subspan(static_cast<std::size_t>(row) * width + run.begin, run.end - run.begin))
                take(value);
}

} // namespace engine

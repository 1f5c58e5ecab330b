// SPDX-License-Identifier: GPL-3.0-or-later
// Gaps of planes that reach beyond the volume, for tests that compare images.
#pragma once

#include "engine/data/plane.h"
#include "engine/data/volume.h"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

namespace fixtures
{

inline bool isBeyond(const engine::Plane& plane, int column, int row, int slices)
{
    const double slice = plane.at(column, row)[2];
    return slice < -0.5 - 1e-9 || slice > slices - 0.5 + 1e-9;
}

// Sets the pixels more than half a slice above or below the volume to 0. Throws std::runtime_error if one of them isn't
// a gap.
inline engine::Volume closeGaps(const engine::Plane& plane, int slices, engine::Volume image)
{
    for (int row = 0; row < plane.height; ++row)
        for (int column = 0; column < plane.width; ++column)
            if (isBeyond(plane, column, row, slices)) {
                float& value = image.values[static_cast<std::size_t>(row) * plane.width + column];
                if (!std::isnan(value))
                    throw std::runtime_error("a value beyond the volume: " + std::to_string(value));
                value = 0;
            }
    return image;
}

// Returns whether two images have the same bits, those of gaps included.
inline bool haveSameBits(const engine::Volume& a, const engine::Volume& b)
{
    return a.values.size() == b.values.size() &&
           std::memcmp(a.values.data(), b.values.data(), sizeof(float) * a.values.size()) == 0;
}

} // namespace fixtures

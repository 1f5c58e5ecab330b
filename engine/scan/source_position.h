// SPDX-License-Identifier: GPL-3.0-or-later
// Position of the source, derived from a projection matrix.
#pragma once

#include "engine/scan/cone_beam.h"
#include "engine/scan/vector3.h"

namespace engine
{

// Returns the point in mm from which all rays of a projection start: the matrix maps it to 0. Uses Cramer's rule; the
// sign of the common denominator depends on the direction in which w increases. The left part of the matrix must not
// be singular.
inline Vector3 sourceMmOf(const ProjectionMatrix& m)
{
    const auto minor = [&](int a, int b, int c) { // of three columns
        return m[a] * (m[4 + b] * m[8 + c] - m[4 + c] * m[8 + b]) - m[b] * (m[4 + a] * m[8 + c] - m[4 + c] * m[8 + a]) +
               m[c] * (m[4 + a] * m[8 + b] - m[4 + b] * m[8 + a]);
    };
    const double determinant = minor(0, 1, 2);
    return {-minor(3, 1, 2) / determinant, -minor(0, 3, 2) / determinant, -minor(0, 1, 3) / determinant};
}

} // namespace engine

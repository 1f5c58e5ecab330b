// SPDX-License-Identifier: GPL-3.0-or-later
// A projection matrix in single precision, as the kernels of GPUs take it.
#pragma once

namespace engine
{

// Projection matrix in single precision, relative to the middle of the launch's grid, x = i − (width−1)/2 and so on,
// and to the point (hc, rc) of the detector: h = hc + (hx·x + hy·y + hz·z + h0)/w, r in the same way,
// w = wx·x + wy·y + wz·z + w0. Large terms are added last, so that positions are accurate to 3·10⁻⁵ pixels at 1024.
struct ConeView {
    float hx, hy, hz, h0;
    float rx, ry, rz, r0;
    float wx, wy, wz, w0;
    float hc, rc, spare[2];
};

// Returns the number of rows of a mirrored layer.
inline int mirroredRows(int rows)
{
    return rows / 2 + 2;
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Extension of a row beyond the detector, for objects that are wider: the shadow of a cylinder, which falls to zero.
//
// A homogeneous cylinder of radius R has the line integrals p(t) = 2μ·√(R² − t²). Their square p² is a parabola,
// which is nearly a straight line close to its end. So a straight line is fitted to p² at the margin; it gives the
// value there and the distance to zero, and p is its square root. After Hsieh, Chao, Thibault and others, A novel
// reconstruction algorithm to extend the CT scan field-of-view, Med. Phys. 31, 2385, 2004, section II.B. Their
// cylinder is of water; here p² and its slope determine the cylinder.
#pragma once

#if defined(__CUDACC__)
#define SINOSCOPE_CYLINDER __host__ __device__
#else
#define SINOSCOPE_CYLINDER
#endif

#include <cmath>

namespace engine
{

template <typename Real>
struct Cylinder {
    Real square = 0; // p² in the last bin
    Real reach = 1;  // bins from the last bin to zero

    // Fits the cylinder at one end of a row of `bins` bins. margin: the last bin; step: 1 if its neighbours in the
    // row have higher addresses, else −1; room: bins of padding beyond it.
    SINOSCOPE_CYLINDER static Cylinder at(const Real* margin, int step, int bins, int room)
    {
        int count = bins / 32 > 4 ? bins / 32 : 4; // few enough for a straight line, enough to average noise
        count = count < bins ? count : bins;
        Real sum = 0, slopes = 0;
        const Real middle = static_cast<Real>(count - 1) / 2,
                   squares = middle * (middle + 1) * count / 3; // Σ(k − middle)²
        for (int k = 0; k < count; ++k) {
            const Real value = margin[k * step], q = value < 0 ? -value * value : value * value; // noise of air cancels
            sum += q;
            slopes += (k - middle) * q;
        }
        const Real slope = squares > 0 ? slopes / squares : 0; // of p², inwards
        Cylinder made;
        made.square = sum / count - slope * middle;
        made.reach = static_cast<Real>(room > 1 ? room : 1);
        if (slope > 0 && made.square < slope * made.reach)
            made.reach = made.square / slope;
        return made;
    }

    SINOSCOPE_CYLINDER Real operator()(int distance) const // distance: bins from the last bin
    {
        const Real left = reach - distance;
        return square > 0 && left > 0 ? std::sqrt(square * left / reach) : Real(0);
    }
};

} // namespace engine

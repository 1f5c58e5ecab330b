// SPDX-License-Identifier: GPL-3.0-or-later
// Transmission to line integrals.
#pragma once

namespace engine
{

struct Preparation;

constexpr double leastTransmission = 1e-6; // that is believed, unless a larger one is asked for
constexpr float smallestTransmission = static_cast<float>(leastTransmission);

// The smallest that this preparation believes.
double smallestTransmissionOf(const Preparation& preparation);

// x = 2ⁿ·(1 + f) with √½ ≤ 1 + f < √2 and log(1 + f) = f − f²/2 + f³·P(f), P of least largest error (5.8e-9 of the
// logarithm), by fused multiplications and additions. Within 0.87 units in the last place of the true one for every
// float from 1e-6 to 3 (std::log's are within 0.82), on processors and GPUs alike.
struct Logarithm {
    int rootOfHalf = 0x3f3504f3; // its bits
    // Of P, the highest power first.
    float coefficients[8] = {-0.0763449892f, 0.127615795f, -0.131601825f, 0.142017573f,
                             -0.166233569f,  0.200012267f, -0.250008196f, 0.333333313f};
    float ln2 = 0.693359375f, restOfLn2 = -2.12194440e-4f; // the first with few bits
};

// −log(t), finite for every t: above 1 negative (noise is kept), t ≤ 0 or NaN as the smallest
// transmission that is believed.
float minusLog(float transmission);

// The other way: the transmission of a line integral, more than the smallest that is believed.
float lightOf(float lineIntegral);
// The least that the logarithm doesn't take for none.
float leastLight();

} // namespace engine

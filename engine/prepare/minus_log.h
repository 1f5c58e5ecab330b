// SPDX-License-Identifier: GPL-3.0-or-later
// Transmission to line integrals.
#pragma once

namespace engine
{

struct Preparation;

constexpr double leastTransmission = 1e-6; // minimum plausible value, unless a larger one is asked for
constexpr float smallestTransmission = static_cast<float>(leastTransmission);

// Returns the minimum plausible transmission of this preparation.
double smallestTransmissionOf(const Preparation& preparation);

// Constants of the logarithm: x = 2ⁿ·(1 + f) with √½ ≤ 1 + f < √2 and log(1 + f) = f − f²/2 + f³·P(f), by fused
// multiply-add. P has the least maximum error (5.8e-9 of the logarithm). The result is within 0.87 units in the last
// place of the exact value for every float from 1e-6 to 3 (std::log: 0.82), on processors and GPUs alike.
struct Logarithm {
    int rootOfHalf = 0x3f3504f3; // bit pattern of √½
    // Of P, the highest power first.
    float coefficients[8] = {-0.0763449892f, 0.127615795f, -0.131601825f, 0.142017573f,
                             -0.166233569f,  0.200012267f, -0.250008196f, 0.333333313f};
    float ln2 = 0.693359375f, restOfLn2 = -2.12194440e-4f; // ln 2 = ln2 + restOfLn2, ln2 with few bits
};

// Returns −log(t), finite for every t: negative above 1 (noise is preserved); t ≤ 0 and NaN count as the minimum
// plausible transmission.
float minusLog(float transmission);

// Inverse of minusLog: returns the transmission of a line integral, always above the minimum plausible one.
float lightOf(float lineIntegral);
// Returns the lowest transmission above the minimum plausible one.
float leastLight();

} // namespace engine

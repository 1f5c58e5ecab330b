// Transmission to line integrals.
#pragma once

namespace engine
{

constexpr float smallestTransmission = 1e-6f; // that is believed

// −log(t), finite for every t: above 1 negative (noise is kept), t ≤ 0 or NaN as the smallest
// transmission that is believed.
float minusLog(float transmission);

} // namespace engine

// Transmission to line integrals.
#pragma once

namespace engine {

// −log(t), finite for every t: above 1 negative (noise is kept), t ≤ 0 or NaN as the smallest
// transmission that is believed (1e−6).
float minusLog(float transmission);

} // namespace engine

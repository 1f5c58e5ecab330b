// Values between samples, by four of them (Catmull-Rom).
#pragma once

#include <array>
#include <cmath>

namespace engine
{

// The sample before the place, and what those from one before it on weigh.
struct PlaceBetween {
    int before = 0;
    std::array<double, 4> weights{};
};

inline PlaceBetween placeBetween(double place)
{
    const double before = std::floor(place), t = place - before;
    return {static_cast<int>(before),
            {0.5 * t * (t * (2 - t) - 1), 0.5 * (t * t * (3 * t - 5) + 2), 0.5 * t * (t * (4 - 3 * t) + 1),
             0.5 * t * t * (t - 1)}};
}

} // namespace engine

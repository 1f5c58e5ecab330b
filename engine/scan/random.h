// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers that are the same on every machine, from a seed and a place.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace engine
{

// SplitMix64 (Steele, Lea, Flood 2014). The standard library's distributions differ between
// compilers, so the ones needed are here.
class Random
{
  public:
    // Numbers for one place (row, projection …): independent of all others, whatever their order.
    Random(std::uint64_t seed, std::initializer_list<std::uint64_t> place);

    double uniform();            // (0, 1)
    double normal();             // mean 0, standard deviation 1
    double poisson(double mean); // mean 0…1e12

  private:
    std::uint64_t next();
    std::uint64_t m_state;
};

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers that are the same on every machine, determined by a seed and a position.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace engine
{

// SplitMix64 generator (Steele, Lea, Flood 2014). The distributions of the standard library differ between compilers,
// so the required ones are implemented here.
class Random
{
  public:
    // Starts a sequence for one position (row, projection …), independent of all other sequences and of their order.
    Random(std::uint64_t seed, std::initializer_list<std::uint64_t> place);

    double uniform();            // (0, 1)
    double normal();             // mean 0, standard deviation 1
    double poisson(double mean); // mean 0…1e12

  private:
    std::uint64_t next();
    std::uint64_t m_state;
};

} // namespace engine

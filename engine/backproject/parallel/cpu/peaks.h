// SPDX-License-Identifier: GPL-3.0-or-later
// What one core of this processor can do at most, measured: what the kernels' speeds are held against.
#pragma once

#include <string>

namespace engine
{

// In 10⁹ floats a second, of vectors of the instruction set in use (processorTarget()).
struct ProcessorPeaks {
    std::string instructionSet;
    double multiplyAdds = 0; // fused where the set has it
    double shuffles = 0;     // floats chosen by index from a register (AVX-512: from two)
    double loads = 0;        // from the first-level cache
    double fixedPairs = 0;   // pairs of 16-bit products added to 32-bit sums

    // Giga-updates a second that no loop passes with linear interpolation: one slice takes two shuffles an update,
    // many take two loads and two multiply-adds, or one load and one pair of 16-bit products.
    double oneSlice() const { return shuffles / 2; }
    double manySlices() const { return loads / 2 < multiplyAdds / 2 ? loads / 2 : multiplyAdds / 2; }
    double manySlicesHalf() const { return loads < fixedPairs ? loads : fixedPairs; }
};

// Takes some 50 ms on one thread.
ProcessorPeaks processorPeaks();

} // namespace engine

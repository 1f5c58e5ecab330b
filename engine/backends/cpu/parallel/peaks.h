// SPDX-License-Identifier: GPL-3.0-or-later
// Measured peak rates of one core of this processor, with which the speeds of the kernels are compared.
#pragma once

#include <string>

namespace engine
{

// Rates in 10⁹ floats per second, for vectors of the instruction set in use (processorTarget()).
struct ProcessorPeaks {
    std::string instructionSet;
    double multiplyAdds = 0; // fused if the set has it
    double shuffles = 0;     // floats chosen by index from a register (AVX-512: from two)
    double loads = 0;        // from the first-level cache
    double gathers = 0;      // eight by eight, from different places there
    double fixedPairs = 0;   // pairs of 16-bit products added to 32-bit sums
    double shareOfEach = 1;  // of these that each thread has while all compute: about ½ if two threads share a core
};

// Takes about 70 ms.
ProcessorPeaks processorPeaks();

} // namespace engine

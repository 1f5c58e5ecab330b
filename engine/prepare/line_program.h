// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of preparation do to every line, as numbers: for a device that does all of it at once.
#pragma once

#include <atomic>
#include <memory>
#include <span>

namespace engine
{

// How many values were no good, for the user to know.
struct MendCounts {
    std::atomic<long long> notNumbers{0}; // in the data of pixels that are alive
    std::atomic<long long> faults{0};     // without light, beside bins with light: mended
    std::atomic<long long> clamped{0};    // without light over many bins
    std::atomic<long long> emptyLines{0}; // no good value in a row of a projection
};

// Longer runs of values without light are an object too dense to see through; the neutron scan of the tests has 214
// zeros, each alone.
constexpr int longestFault = 3;

// Longer lines are left to the processor: one stands in the 48 KiB of a GPU's shared memory.
constexpr int mostBinsOnDevices = 12000;

// In this order. What it points to belongs to the steps at work.
struct LineProgram {
    std::span<const double> dark, gain; // (number − dark)·gain, [row][bin]; empty: numbers as they are
    std::span<const int> deadInRow;     // pixels; empty: none
    bool minusLog = false;
    std::shared_ptr<MendCounts> mended; // dead values are mended, and counted; null: they stay
};

} // namespace engine

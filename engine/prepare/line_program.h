// SPDX-License-Identifier: GPL-3.0-or-later
// Preparation of a line as plain numbers, for a device that does all steps in one pass.
#pragma once

#include <atomic>
#include <memory>
#include <span>

namespace engine
{

// Numbers of bad values, for the notes to the user.
struct MendCounts {
    std::atomic<long long> notNumbers{0}; // non-finite data of pixels that are not dead
    std::atomic<long long> faults{0};     // without light, beside bins with light: mended
    std::atomic<long long> clamped{0};    // without light over many bins: set to the minimum
    std::atomic<long long> emptyLines{0}; // rows of a projection without a good value
};

// Longest run of values without light that counts as a detector fault; longer runs are an object too dense to see
// through. The neutron scan of the tests has 214 zeros, all isolated.
constexpr int longestFault = 3;

// Longest line that is prepared on a device: one line has to fit into the 48 KiB of a GPU's shared memory.
constexpr int mostBinsOnDevices = 12000;

// Between which groups of flats a projection lies.
struct FlatBetween {
    int first = 0;   // of the two
    double late = 0; // share of the one after it
};

// Operations on every line, in this order. The spans point into the steps at work, which must outlive them.
struct LineProgram {
    std::span<const double> dark, gain; // (number − dark)·gain, [row][bin]; empty: no correction
    // In place of `gain`, for flats that change: flat − dark of each group of flats, [group][row][bin], and the groups
    // of each projection. gain = 1/((1 − late)·light of the first group + late·light of the next one)
    std::span<const double> lights;
    std::span<const FlatBetween> between;
    std::span<const int> deadInRow; // dead pixels per row; empty: none
    bool minusLog = false;
    std::shared_ptr<MendCounts> mended; // counts of mended values; null: dead values are not mended
};

} // namespace engine

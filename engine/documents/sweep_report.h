// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps as JSON, CSV and a page for a browser.
#pragma once

#include "engine/compare/run_sweep.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// A sweep that has run, and what is known beside its figures.
struct SweepReport {
    const SweepTask& task;
    const SweptAll& all;
    std::string area;                       // of the figures: "disc 0.9"
    std::string reference;                  // in words; empty: none
    std::string command;                    // that repeats the sweep
    const Score* score = nullptr;           // by which the best is chosen, if it is
    std::optional<std::size_t> best = {};   // point
    std::string bestCommand = {};           // that reconstructs the best
    std::vector<std::string> pictures = {}; // of the points, as PNG; empty: none
};

std::string unitOf(const Score& score, const SweptAll& all); // "1/mm" for figures in the images' unit

std::string sweepJson(const SweepReport& report); // "why" of a setting: the reason why it has no image
std::string sweepCsv(const SweepReport& report);  // a line for each point; an empty cell where there is no figure
std::string sweepHtml(const SweepReport& report); // one file, without scripts

} // namespace engine

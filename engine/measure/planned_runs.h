// SPDX-License-Identifier: GPL-3.0-or-later
// The settings that a benchmark measures.
#pragma once

#include "engine/measure/benchmark.h"

#include <set>

namespace engine
{

// A method with a kernel setting that it supports.
struct PlannedRun {
    const Method* method;
    Kernel kernel;
};

struct PlannedRuns {
    std::vector<PlannedRun> runs;
    std::set<std::string> yardsticks; // that are left out
    std::vector<std::string> missing; // steps that the device lacks, and why
};

// Throws Error with the reason if there is nothing to measure.
PlannedRuns plannedRuns(const BenchmarkOptions& options);

// Returns the geometry of a problem of random numbers.
Geometry makeGeometry(const BenchmarkOptions& options);

// Returns the instruction set that the variant selects; empty if the variant is no instruction set.
std::string instructionSetOf(const Kernel& kernel);

} // namespace engine

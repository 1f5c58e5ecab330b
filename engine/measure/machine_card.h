// SPDX-License-Identifier: GPL-3.0-or-later
// What this machine does, on one page: the fastest method of each interpolation and precision, its share of the
// device's limits, and its error.
#pragma once

#include "engine/measure/tune.h"

namespace engine
{

struct CardOptions {
    DeviceSettings device; // automatic: the first GPU that can be used, else the processor
    int size = 0;          // pixels along each side of a slice, from as many projections; 0: 2048 on a GPU, else 512
    int threads = 0;
    int repeat = 5;
};

struct CardRow {
    BenchmarkRow fastest; // of all that `auto` may choose, with any number of slices per pass
    double error = 0; // RMSE against `exact` with linear interpolation, over the range of its image: Shepp-Logan, 256²
};

struct MachineCard {
    std::string device; // "NVIDIA H200", or the processor
    std::string version, date, command;
    int size = 0, projections = 0, threads = 0;
    std::vector<CardRow> rows; // of each interpolation and precision
    // 2048³ voxels from 2048 projections, linear, with filter and copies, at the highest total speed.
    double volumeSeconds = 0;
};

// Throws Error as benchmarkMethods does.
MachineCard measureCard(const CardOptions& options, const TuneProgress& progress = {}, std::stop_token stop = {});

std::string cardJson(const MachineCard& card);
// Returns "linear, half".
std::string cardLabel(const CardRow& row);

} // namespace engine

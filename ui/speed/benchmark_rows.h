// SPDX-License-Identifier: GPL-3.0-or-later
// Measured settings as bars: a setting, its speed, and the speed that another report has for it.
#pragma once

#include "engine/measure/benchmark.h"
#include "ui/speed/bar_rows.h"

#include <QString>

#include <vector>

namespace ui
{

// Returns "alu (variant) · linear · float · 4 slices"; withSize: followed by " · 2048²". Of a paper's step: its name
// and "alu".
QString benchmarkLabel(const engine::BenchmarkRow& row, bool withSize);

// Returns a bar for each row, the fastest with the longest; a diamond, and "× 1.02", where `other` has the same
// setting and problem; "within the scatter" if the middle halves of their runs overlap. Steps of a paper show their
// multiple of the first step, and a diamond at the paper's (filled: with OpenMP). What `other` has beside these follows
// as grey bars. rows: at least one, unless `other` is empty.
std::vector<BarRow> benchmarkBars(const std::vector<engine::BenchmarkRow>& rows,
                                  const std::vector<engine::BenchmarkRow>& other);

// Returns what the marks of a paper's steps mean, and whose figures they are; empty for other rows.
QString legendOfSteps(const std::vector<engine::BenchmarkRow>& rows, const std::string& steps);

// Returns the rows by size, method, interpolation, precision and slices per pass; steps of a paper stay as they are.
std::vector<engine::BenchmarkRow> inOrder(std::vector<engine::BenchmarkRow> rows);

// Returns "NVIDIA H200, 2048 × 2048 pixels from 2048 projections, 2026-11-28": the title of a picture.
QString benchmarkTitle(const std::vector<engine::BenchmarkRow>& rows);

} // namespace ui

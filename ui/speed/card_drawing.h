// SPDX-License-Identifier: GPL-3.0-or-later
// The drawing of a machine's card: speeds, shares of the limits and errors, black on white.
#pragma once

#include "engine/measure/benchmark.h"
#include "ui/widgets/drawing.h"

namespace ui
{

constexpr double cardShape = 0.49; // height over width

Drawing drawingOf(const engine::Benchmark& card);

} // namespace ui

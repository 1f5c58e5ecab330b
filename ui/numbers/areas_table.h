// SPDX-License-Identifier: GPL-3.0-or-later
// The areas of an image as a table of numbers: one row per area, with its statistics and its figures against the
// reference.
#pragma once

#include "engine/compare/mark_figures.h"
#include "ui/numbers/numbers_table.h"

namespace ui
{

// Figures of an area in the image of the chosen setting, as far as they are known.
struct LateArea {
    const engine::AreaFigures* figures = nullptr; // null while they are unknown
    QString failure;                              // why there are none
};
using AreaFiguresOf = std::function<LateArea(const engine::Mark&)>;

// Returns no rows before there is an image. background: the area that contrasts refer to, or null.
NumbersTable areasTable(const Comparison& comparison, const engine::Marks& marks, const engine::Mark* background,
                        const AreaFiguresOf& figuresOf);

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The areas of an image as a table of numbers: a row for each, with its statistics and its figures against the
// reference.
#pragma once

#include "engine/compare/mark_figures.h"
#include "ui/numbers/numbers_table.h"

namespace ui
{

// What is known of an area of the chosen setting's image.
struct LateArea {
    const engine::AreaFigures* figures = nullptr; // null while they aren't known
    QString failure;                              // why there are none
};
using AreaFiguresOf = std::function<LateArea(const engine::Mark&)>;

// background: the area that contrasts are to; null for none. No rows before there is an image.
NumbersTable areasTable(const Comparison& comparison, const engine::Marks& marks, const engine::Mark* background,
                        const AreaFiguresOf& figuresOf);

} // namespace ui

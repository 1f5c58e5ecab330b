// SPDX-License-Identifier: GPL-3.0-or-later
// The table of numbers as text for spreadsheets, notes and papers.
#pragma once

#include "ui/numbers/numbers_table.h"

namespace ui
{

// Returns CSV (RFC 4180, with line feeds): up to 9 significant digits, a decimal point, empty cells for missing values;
// after each column of runs, columns with their minimum, maximum and number. The headings name what figures are
// measured against.
QString csvText(const NumbersTable& table);
QString markdownText(const NumbersTable& table); // a pipe table under its caption; names are escaped
QString latexText(const NumbersTable& table);    // a table no wider than the text; packages: booktabs, adjustbox

// Cells of such a text: in quotes where they need them; empty for numbers that are not finite.
QString csvQuoted(const QString& cell);
QString csvNumber(double value);

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The table of numbers as text for spreadsheets, notes and papers.
#pragma once

#include "ui/numbers/numbers_table.h"

namespace ui
{

// RFC 4180 with line feeds: whole numbers with a point, nothing where there is none; runs with their least, most and
// count. What figures are against stands in their headings.
QString csvText(const NumbersTable& table);
QString markdownText(const NumbersTable& table); // a pipe table under its caption; names are taken literally
QString latexText(const NumbersTable& table);    // a table with caption, for the package booktabs

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Words, numbers and tables as the commands print them.
#pragma once

#include "engine/base/text.h"

#include <string>
#include <vector>

namespace cli
{

std::string joined(const std::vector<std::string>& parts, const std::string& separator);

// Texts of files and names of files on one line of a terminal (engine/base/printable.h).
std::string plain(const std::string& text);

// The same of a text of the engine, with its options as flags.
std::string words(const engine::Text& text);

std::string number(double value, int significantDigits = 4); // "0.0123", "1.2e-07", "nan"
std::string seconds(double value);                           // "1.23 s", "45.6 ms"

// Rows of cells, plain, padded to columns of equal width with two spaces between; the first row is the heading.
std::string table(const std::vector<std::vector<std::string>>& rows);

// "name  value" lines with the values in one column; empty values are left out.
std::string listing(const std::vector<std::pair<std::string, std::string>>& lines);

} // namespace cli

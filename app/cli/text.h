// SPDX-License-Identifier: GPL-3.0-or-later
// Text, numbers and tables as the commands print them.
#pragma once

#include "engine/base/text.h"

#include <string>
#include <vector>

namespace cli
{

std::string joined(const std::vector<std::string>& parts, const std::string& separator);

// Returns texts or names of files on one line, with control characters escaped (engine/base/printable.h).
std::string plain(const std::string& text);

// Returns a text of the engine in the same form, with options written as flags.
std::string words(const engine::Text& text);

std::string number(double value, int significantDigits = 4); // "0.0123", "1.2e-07", "nan"
std::string seconds(double value);                           // "1.23 s", "45.6 ms"
std::string about(double seconds);                           // "about 40 s", "about 3 min"

// Returns rows of cells as plain text, in columns of equal width separated by two spaces; the first row is the
// heading.
std::string table(const std::vector<std::vector<std::string>>& rows);

// Returns "name  value" lines with the values in one column; lines with empty values are left out.
std::string listing(const std::vector<std::pair<std::string, std::string>>& lines);

} // namespace cli

// SPDX-License-Identifier: GPL-3.0-or-later
// Text from file names and file contents, made safe for terminals.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace engine
{

// Escapes what a terminal would interpret or can't show: "\x1B" for a control character or a byte that is not UTF-8,
// "\u202E" for C1 controls and characters that change the direction of writing. Line feeds and tabs are escaped too,
// unless `kept` contains them.
std::string printable(std::string_view text, std::string_view kept = {});

// Returns how many bytes (0 to 3) at the end of a text may be the beginning of a character that is not complete yet.
std::size_t unfinishedCharacter(std::string_view text);

} // namespace engine

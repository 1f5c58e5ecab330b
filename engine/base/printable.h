// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that hold names and contents of files, for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace engine
{

// The text with an escape in place of what a terminal would obey or can't show: "\x1B" of a control character and of a
// byte that is no UTF-8, "\u202E" of C1 controls and of characters that turn the direction of writing. Line feeds and
// tabs are controls too, unless `kept` has them.
std::string printable(std::string_view text, std::string_view kept = {});

// How many bytes at the end of a text may be the beginning of a character whose rest follows: 0 to 3.
std::size_t unfinishedCharacter(std::string_view text);

} // namespace engine

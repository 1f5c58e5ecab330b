// SPDX-License-Identifier: GPL-3.0-or-later
// The manual page of a program with commands.
#pragma once

#include <string>

namespace CLI
{
class App;
}

namespace cli
{

// Returns the manual page of the program with all its commands, in roff (engine/documents/man_page.h).
std::string manPageOf(const CLI::App& program);

} // namespace cli

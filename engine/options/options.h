// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of options: every choice of a request described once. The command line, the window, saved settings,
// validation, "copy the command line" and reports take ids, labels, limits and texts from here.
#pragma once

#include "engine/base/field.h"
#include "engine/request/setting.h"

#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace engine
{

template <>
struct FieldUse<Request> {
    // The stage of a slice that obeys it: what comes before needn't be computed again when it changes. None: no slice
    // looks different with it.
    std::optional<Stage> stage = {};
    bool ofSetting = true;    // false: of place or resources, the same for all that are compared
    bool hasRow = true;       // in the window's settings; false: for the command line and for comparison
    bool hasLine = true;      // in what a report says of a request; false: another line of the report says it
    bool saysDefault = true;  // to people, also where it is the default
    bool isShownIdle = true;  // in the window, where it has no effect; false: its row is hidden
    bool isShownUnset = true; // in the window, where nobody has set it; false: its row is hidden
    bool isKept = true;       // for the next start; false: belongs to one scan or one start
};
using Option = Field<Request>;
static_assert(std::is_default_constructible_v<Option>); // without it GCC 12 gives up at the table

// THE table.
std::span<const Option> options();
const Option& option(const std::string& id); // throws Error(badRequest) when unknown

// As within a sentence: "cut-off".
std::string lowerLabel(const Option& option);

// As its label and unit say it; nothing where it means nothing, or is left to the program.
std::optional<std::string> valueInWords(const Option& option, const Request& request);

// What an option is, for people.
struct OptionLine {
    const Option* option; // whose label stands before it
    std::string value;    // with its unit
};

// What a report says of how an image was made, by a method that `auto` may have taken: each option of those with a line
// that means something for it and isn't left to the program.
std::vector<OptionLine> linesOf(Request request, const std::string& method);

// Throws Error(badRequest) for a value outside the table's limits, naming the option.
void validateOptions(const Request& request);

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// The table of options: each option of a request is described once. The command line, the window, saved settings,
// validation, "copy the command line" and reports take ids, labels, limits and texts from it.
#pragma once

#include "engine/base/field.h"
#include "engine/request/setting.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace engine
{

// When the window's settings show a row: always; while the option has an effect; likewise, unless the scan knows the
// value and nobody has set it; never, as it is for the command line and for comparison.
enum class WindowRow { always, withEffect, whereUnknown, none };
// The window's field of a row: by the option's kind and choices, or one of its own.
enum class WindowField { byKind, samples, steps, axis, device, memory };
enum class ReportLine { always, unlessDefault, none }; // none: another line of the report includes it

template <>
struct FieldUse<Request> {
    // The first stage of a slice that depends on the option: earlier stages needn't run again when it changes. Not
    // set: no slice depends on it.
    std::optional<Stage> stage = {};
    bool ofSetting = true; // false: of place or resources, which are the same for all settings that are compared
    WindowRow row = WindowRow::always;
    ReportLine line = ReportLine::always; // of a report of a request
    // Returns the scan's own value, which is used where the option isn't given; null: a scan has none.
    std::function<std::optional<double>(const Request&)> recorded = nullptr;
    // Returns the values among which a form lets the user choose for this request. Null: `choices`.
    std::function<std::vector<FieldChoice>(const Request&)> offered = nullptr;
    WindowField field = WindowField::byKind;
    const char* beside = "";    // id of the option in whose row the field stands, while it has an effect; empty: none
    char key = 0;               // the letter of the label that chooses the field together with Alt; 0: none
    const char* page = nullptr; // about the option, if the manual has one: "rings.md"
    bool isKept = true;         // saved for the next start; false: belongs to one scan or one start
};
using Option = Field<Request>;
static_assert(std::is_default_constructible_v<Option>); // without it GCC 12 rejects the table

// All options.
std::span<const Option> options();
const Option& option(const std::string& id); // throws Error(badRequest) for unknown ids

// Returns the label as within a sentence: "cut-off".
std::string lowerLabel(const Option& option);

// Returns the value with its unit, or the label of a choice; nothing if it has no effect, or is left to the program.
std::optional<std::string> valueInWords(const Option& option, const Request& request);

// An option's line of a report.
struct OptionLine {
    const Option* option; // its label precedes the value
    std::string value;    // with its unit
};

// Returns the lines of a report on how an image was reconstructed. method: the method used, where the request says
// `auto`. Leaves out options without a line, without effect, or left to the program.
std::vector<OptionLine> linesOf(Request request, const std::string& method);

// Throws Error(badRequest) that names the option if a value is outside the table's limits.
void validateOptions(const Request& request);

} // namespace engine

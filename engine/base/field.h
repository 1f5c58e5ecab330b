// SPDX-License-Identifier: GPL-3.0-or-later
// Fields: what users set of a value, each described once in a table. The command line, the window, files and help loop
// over the tables.
#pragma once

#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/base/spelling.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

enum class FieldKind { choice, whole, real, length, boolean, bytes, text, file };

struct FieldChoice {
    std::string id, label, summary;
};

// Limits of FieldKind::whole and real. Nothing is checked where `most` is not above `least`.
struct FieldLimits {
    double least = 0, most = 0;
    bool leastIncluded = true;
};

// How a field is written as JSON where its kind doesn't say it.
template <typename Owner>
struct FieldJson {
    std::vector<const char*> keys = {};                  // of the object around it
    std::function<void(const Owner&, Json&)> write = {}; // adds those that are given; empty: another field does
    std::function<void(Owner&, const Json&)> read = {};  // called where one of the keys is there
};

// What the users of one owner's table need to know besides.
template <typename Owner>
struct FieldUse {
};

template <typename Owner>
struct Field {
    using Kind = FieldKind;

    const char* id;           // of the command line (--id), in saved settings and recipes
    const char* label = "";   // as the window calls it
    const char* summary = ""; // for help and tooltips, one sentence without a stop
    const char* group = "";   // of the command line's help
    const char* unit = "";    // of its numbers, such as "× Nyquist"
    std::string form = {};    // of its value in the help, such as "K"; empty: its choices; booleans have none
    Kind kind = Kind::text;
    std::vector<FieldChoice> choices = {}; // Kind::choice
    double least = 0, most = 0;            // see FieldLimits
    bool leastIncluded = true;
    double step = 0;           // of the window's field, Kind::real
    const char* needs = "";    // id of the field without which it can't be given
    bool isRepeatable = false; // on the command line
    // Why it has no effect for this owner; nothing when it has one. Null: it always has.
    std::function<std::optional<Text>(const Owner&)> idle = nullptr;
    // A text that set() takes; empty: not given, or left to the program. Booleans: "true" or "false".
    std::function<std::string(const Owner&)> get = nullptr;
    // Throws Error(badRequest) that names the text. Limits and choices are checked by setField().
    std::function<void(Owner&, const std::string&)> set = nullptr;
    std::function<std::vector<std::string>(const Owner&)> getAll = nullptr; // where one text isn't enough
    // The same as a number, where the value is one: of a choice its place in the list, of a boolean 0 or 1. Nothing:
    // not given, or left to the program. Null: numberOf() and setNumber() take the text.
    std::function<std::optional<double>(const Owner&)> number = nullptr;
    std::function<void(Owner&, std::optional<double>)> setNumber = nullptr;

    std::string json = {};        // path of keys in JSON, "filter/window"; empty: its id in camel case
    const char* jsonDetail = "";  // path of what follows a colon in its text, a number
    const char* jsonLeftOut = ""; // what is written when it isn't given or has no effect; empty: nothing
    bool hasNumbers = false;      // Kind::text: a number in it, or a list of them, is one in JSON
    std::optional<FieldJson<Owner>> ownJson = {};
    FieldUse<Owner> use = {};

    FieldLimits limits() const { return {least, most, leastIncluded}; }
};

// Throws Error(badRequest) that names the text and what is possible.
void requireAllowed(FieldKind kind, const std::vector<FieldChoice>& choices, const FieldLimits& limits,
                    const char* unit, const std::string& text);

// Throws Error(badRequest) that names the text and what is possible; the owner stays as it was.
template <typename Owner>
void setField(const Field<Owner>& field, Owner& owner, const std::string& text)
{
    requireAllowed(field.kind, field.choices, field.limits(), field.unit, text);
    field.set(owner, text);
}

// A number of this kind as text, and back; nothing for an empty text.
std::string textOfNumber(FieldKind kind, const std::vector<FieldChoice>& choices, double number);
std::optional<double> numberOfText(FieldKind kind, const std::vector<FieldChoice>& choices, const std::string& text);

// Of a choice, a number or a boolean.
template <typename Owner>
std::optional<double> numberOf(const Field<Owner>& field, const Owner& owner)
{
    return field.number ? field.number(owner) : numberOfText(field.kind, field.choices, field.get(owner));
}

// The number is within the limits, as forms keep it. Nothing: left to the program; of a field without setNumber, the
// owner stays as it is.
template <typename Owner>
void setNumber(const Field<Owner>& field, Owner& owner, std::optional<double> number)
{
    if (field.setNumber)
        field.setNumber(owner, number);
    else if (number)
        field.set(owner, textOfNumber(field.kind, field.choices, *number));
}

// As often as it is to be given; empty: not given.
template <typename Owner>
std::vector<std::string> textsOf(const Field<Owner>& field, const Owner& owner)
{
    if (field.getAll)
        return field.getAll(owner);
    const std::string text = field.get(owner);
    return text.empty() ? std::vector<std::string>() : std::vector<std::string>{text};
}

template <typename Owner>
bool isGiven(const Field<Owner>& field, const Owner& owner)
{
    return !textsOf(field, owner).empty();
}

// Throws std::out_of_range for an id that the table doesn't have.
template <typename Table>
const auto& findField(const Table& table, const std::string& id)
{
    const auto found = std::ranges::find_if(table, [&](const auto& field) { return id == field.id; });
    if (found == table.end())
        throw std::out_of_range(id);
    return *found;
}

// "nearest|linear|…", or its form.
std::string formOf(const std::vector<FieldChoice>& choices, const std::string& form);
template <typename Owner>
std::string formOf(const Field<Owner>& field)
{
    return formOf(field.choices, field.form);
}

// A length or a number: "2um" where the unit is one of length.
double numberIn(const char* unit, const std::string& text);

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Fields: the options of a value, each described once in a table. The command line, the window, files and help loop
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

// Limits of FieldKind::whole, real and length (of each of its lengths, separated by commas). Not checked unless `most`
// is above `least`.
struct FieldLimits {
    double least = 0, most = 0;
    bool leastIncluded = true;
};

// Custom JSON form of a field, for values that don't follow from its kind.
template <typename Owner>
struct FieldJson {
    std::vector<const char*> keys = {};                  // of the object that contains the field
    std::function<void(const Owner&, Json&)> write = {}; // adds given values; empty: another field's `write` does
    std::function<void(Owner&, const Json&)> read = {};  // called if one of the keys is present
};

// Further properties of the fields of one kind of owner. Specialised for owners whose fields have any.
template <typename Owner>
struct FieldUse {
};

template <typename Owner>
struct Field {
    using Kind = FieldKind;

    const char* id;           // of the command line (--id), saved settings and recipes
    const char* label = "";   // in the window
    const char* summary = ""; // for help and tooltips, one sentence without a full stop
    const char* group = "";   // of the command line's help
    const char* unit = "";    // of its numbers, such as "× Nyquist"
    // Stands for the value in the help, such as "K". Empty: the help lists the choices instead; booleans have neither.
    std::string form = {};
    Kind kind = Kind::text;
    std::vector<FieldChoice> choices = {}; // Kind::choice
    double least = 0, most = 0;            // see FieldLimits
    bool leastIncluded = true;
    double step = 0;           // of the window's spin box, Kind::real
    const char* needs = "";    // id of a field that must be given too
    bool isRepeatable = false; // on the command line
    // Returns why the field has no effect for this owner, or nothing if it has an effect. Null: it always has.
    std::function<std::optional<Text>(const Owner&)> idle = nullptr;
    // Returns a text for set(); empty: not given, or left to the program. Booleans: "true" or "false".
    std::function<std::string(const Owner&)> get = nullptr;
    // Throws Error(badRequest) that names the text. Limits and choices are checked by setField().
    std::function<void(Owner&, const std::string&)> set = nullptr;
    std::function<std::vector<std::string>(const Owner&)> getAll = nullptr; // for repeatable fields
    // The value as a number: the index of a choice, 0 or 1 for a boolean. Nothing: not given, or left to the program.
    // Null: numberOf() and setNumber() convert the text.
    std::function<std::optional<double>(const Owner&)> number = nullptr;
    std::function<void(Owner&, std::optional<double>)> setNumber = nullptr;

    std::string json = {};        // path of keys in JSON, "filter/window"; empty: its id in camel case
    const char* jsonDetail = "";  // if its text may be "WORD:NUMBER": path of the number
    const char* jsonLeftOut = ""; // value to write if it isn't given or has no effect; empty: nothing
    bool hasNumbers = false;      // Kind::text: a number, or a list of numbers, is written as such in JSON
    std::optional<FieldJson<Owner>> ownJson = {};
    FieldUse<Owner> use = {};

    FieldLimits limits() const { return {least, most, leastIncluded}; }
};

// Checks a text. Throws Error(badRequest) that names the text and the valid values.
void requireAllowed(FieldKind kind, const std::vector<FieldChoice>& choices, const FieldLimits& limits,
                    const char* unit, const std::string& text);

// Sets the field. Throws Error(badRequest) that names the text and the valid values, and leaves the owner unchanged.
template <typename Owner>
void setField(const Field<Owner>& field, Owner& owner, const std::string& text)
{
    requireAllowed(field.kind, field.choices, field.limits(), field.unit, text);
    field.set(owner, text);
}

// Converts between a number of this kind and text; nothing for an empty text.
std::string textOfNumber(FieldKind kind, const std::vector<FieldChoice>& choices, double number);
std::optional<double> numberOfText(FieldKind kind, const std::vector<FieldChoice>& choices, const std::string& text);

// Returns the number of a choice, a number or a boolean.
template <typename Owner>
std::optional<double> numberOf(const Field<Owner>& field, const Owner& owner)
{
    return field.number ? field.number(owner) : numberOfText(field.kind, field.choices, field.get(owner));
}

// Sets the field to a number. The caller makes sure that it is within the limits, as a form's boxes do. If `number` has
// no value, the field is left to the program; a field without a setNumber function then stays as it is.
template <typename Owner>
void setNumber(const Field<Owner>& field, Owner& owner, std::optional<double> number)
{
    if (field.setNumber)
        field.setNumber(owner, number);
    else if (number)
        field.set(owner, textOfNumber(field.kind, field.choices, *number));
}

// Returns the value's texts, one for each time that the option would be given; empty: not given.
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

// Throws std::out_of_range for an unknown id.
template <typename Table>
const auto& findField(const Table& table, const std::string& id)
{
    const auto found = std::ranges::find_if(table, [&](const auto& field) { return id == field.id; });
    if (found == table.end())
        throw std::out_of_range(id);
    return *found;
}

// Returns "nearest|linear|…", or the form if there is one.
std::string formOf(const std::vector<FieldChoice>& choices, const std::string& form);
template <typename Owner>
std::string formOf(const Field<Owner>& field)
{
    return formOf(field.choices, field.form);
}

// Parses a length such as "2um" if the unit is a length, else a number.
double numberIn(const char* unit, const std::string& text);

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/field.h"

#include "engine/base/number_text.h"
#include "engine/base/units.h"

#include <algorithm>

namespace engine
{

namespace
{

std::string rangeText(const FieldLimits& limits)
{
    if (limits.leastIncluded)
        return "is not between " + numberToText(limits.least) + " and " + numberToText(limits.most);
    return "must be greater than " + numberToText(limits.least) + " and at most " + numberToText(limits.most);
}

} // namespace

double numberIn(const char* unit, const std::string& text)
{
    return mmPerUnit(unit) ? lengthFromText(text, "value", unit) : realFromText(text, "value");
}

void requireAllowed(FieldKind kind, const std::vector<FieldChoice>& choices, const FieldLimits& limits,
                    const char* unit, const std::string& text)
{
    if (kind == FieldKind::choice) {
        std::vector<std::string> valid;
        for (const FieldChoice& choice : choices)
            valid.push_back(choice.id);
        require(std::ranges::find(valid, text) != valid.end(), unknownText("unknown value", text, valid));
    } else if (kind == FieldKind::boolean) {
        require(text == "true" || text == "false", "unknown value '" + text + "'; choose true or false");
    } else if (kind == FieldKind::whole || kind == FieldKind::real) {
        const double value =
            kind == FieldKind::whole ? static_cast<double>(integerFromText(text, "value")) : numberIn(unit, text);
        const bool isInside =
            value <= limits.most && (limits.leastIncluded ? value >= limits.least : value > limits.least);
        require(isInside || limits.most <= limits.least, "value " + text + " " + rangeText(limits));
    }
}

std::string formOf(const std::vector<FieldChoice>& choices, const std::string& form)
{
    std::string text = form;
    if (text.empty())
        for (const FieldChoice& choice : choices)
            text += (text.empty() ? "" : "|") + choice.id;
    return text;
}

std::string textOfNumber(FieldKind kind, const std::vector<FieldChoice>& choices, double number)
{
    if (kind == FieldKind::choice)
        return choices.at(static_cast<std::size_t>(number)).id;
    if (kind == FieldKind::boolean)
        return number != 0 ? "true" : "false";
    return numberToText(number);
}

std::optional<double> numberOfText(FieldKind kind, const std::vector<FieldChoice>& choices, const std::string& text)
{
    if (text.empty())
        return {};
    if (kind == FieldKind::choice) {
        const auto chosen = std::ranges::find(choices, text, &FieldChoice::id);
        return chosen == choices.end() ? std::nullopt : std::optional<double>(chosen - choices.begin());
    }
    if (kind == FieldKind::boolean)
        return text == "true";
    return realFromText(text, "value");
}

} // namespace engine

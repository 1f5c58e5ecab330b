// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/field.h"

#include "engine/base/number_text.h"
#include "engine/base/units.h"

#include <algorithm>

namespace engine
{

namespace
{

void requireWithinLimits(double value, const FieldLimits& limits, const char* unit, const std::string& text)
{
    if (limits.most <= limits.least)
        return;
    const std::string least = numberToText(limits.least),
                      most = numberToText(limits.most) + (*unit ? std::string(" ") + unit : std::string());
    const bool isInside = value <= limits.most && (limits.leastIncluded ? value >= limits.least : value > limits.least);
    require(isInside, "value " + text +
                          (limits.leastIncluded ? " is not between " + least + " and " + most
                                                : " must be greater than " + least + " and at most " + most));
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
        requireWithinLimits(value, limits, unit, text);
    } else if (kind == FieldKind::length && limits.most > limits.least) {
        for (std::size_t first = 0; first <= text.size();) {
            const std::size_t comma = std::min(text.find(',', first), text.size());
            const std::string one = text.substr(first, comma - first);
            requireWithinLimits(numberIn(unit, one), limits, unit, one);
            first = comma + 1;
        }
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

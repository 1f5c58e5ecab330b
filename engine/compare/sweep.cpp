// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/sweep.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/spelling.h"
#include "engine/resolve/resolve.h"
#include "engine/volume/volume_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace engine
{

namespace
{

std::vector<std::string> partsOf(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    for (std::size_t first = 0; first <= text.size();) {
        const std::size_t end = std::min(text.find(separator, first), text.size());
        parts.push_back(text.substr(first, end - first));
        first = end + 1;
    }
    return parts;
}

const Option& settingOption(const std::string& id)
{
    std::vector<std::string> known;
    for (const Option& row : options()) {
        if (!row.use.ofSetting)
            continue;
        if (id == row.id)
            return row;
        known.emplace_back(row.id);
    }
    if (std::ranges::any_of(options(), [&](const Option& row) { return id == row.id; }))
        throw Error(ErrorKind::badRequest, "'" + id + "' is the same for all settings, and can't be varied");
    throw Error(ErrorKind::badRequest, unknownText("unknown option", id, known));
}

// Appends FIRST:LAST:STEP as numbers. Returns false for any other text.
bool appendRange(const std::string& text, std::vector<std::string>& values)
{
    const std::vector<std::string> parts = partsOf(text, ':');
    const auto isNumber = [](const std::string& part) {
        return !part.empty() && part.find_first_not_of("+-.0123456789eE") == std::string::npos;
    };
    require(parts.size() != 2 || !isNumber(parts[0]) || !isNumber(parts[1]),
            "'" + text + "' has no step; give FIRST:LAST:STEP");
    if (parts.size() != 3)
        return false;
    const double first = realFromText(parts[0], "first value of '" + text + "'");
    const double last = realFromText(parts[1], "last value of '" + text + "'");
    const double step = realFromText(parts[2], "step of '" + text + "'");
    require(step != 0 && (last - first) / step >= 0,
            "the range '" + text + "' is empty; give FIRST:LAST:STEP, with a step that leads from one to the other");
    const double count = std::floor((last - first) / step * (1 + 1e-12) + 1e-9) + 1;
    require(count <= static_cast<double>(mostPoints),
            "the range '" + text + "' has more than " + std::to_string(mostPoints) + " values");
    // In steps of the last digit that was given, so that 0.1 + 0.2 isn't 0.30000000000000004.
    const auto decimals = [](const std::string& number) {
        const std::size_t point = number.find('.');
        return point == std::string::npos ? 0 : static_cast<int>(number.size() - point - 1);
    };
    const bool isPlain = text.find_first_of("eE") == std::string::npos;
    const double grid = std::pow(10.0, std::clamp(std::max(decimals(parts[0]), decimals(parts[2])), 0, 15));
    for (int k = 0; k < static_cast<int>(count); ++k) {
        const double value = first + k * step;
        values.push_back(numberToText(isPlain ? std::round(value * grid) / grid : value));
    }
    return true;
}

// Returns the value in each variation for the given combination.
std::vector<std::string> valuesAt(const Sweep& sweep, long long number)
{
    std::vector<std::string> values(sweep.variations.size());
    for (std::size_t k = values.size(); k-- > 0;) {
        const std::vector<std::string>& all = sweep.variations[k].values;
        const auto count = static_cast<long long>(all.size());
        values[k] = all[static_cast<std::size_t>(sweep.isZipped ? number : number % count)];
        if (!sweep.isZipped)
            number /= count;
    }
    return values;
}

SweepPoint pointAt(const Sweep& sweep, long long number, bool passes)
{
    SweepPoint point{valuesAt(sweep, number), sweep.base, std::nullopt};
    Request& request = point.request;
    try {
        for (std::size_t k = 0; k < point.values.size(); ++k)
            setField(*sweep.variations[k].option, request, point.values[k]);
        for (const Variation& variation : sweep.variations)
            if (const Option& row = *variation.option; row.idle && row.get(request) != row.get(Request()))
                if (const std::optional<Text> idle = row.idle(request))
                    point.refusal = optionName(row.id) + ": " + *idle;
        if (passes)
            chooseSlicesPerPass(request);
        if (!point.refusal)
            if (const std::vector<Refusal> refusals = refusalsOf(request); !refusals.empty())
                point.refusal = refusals.front().text;
    } catch (const Error& error) {
        point.refusal = error.text();
    }
    return point;
}

} // namespace

Variation variationFromText(const std::string& text)
{
    const std::size_t equals = text.find('=');
    require(equals != std::string::npos && equals > 0 && equals + 1 < text.size(),
            "bad variation '" + text + "'; give " + variationForms);
    Variation variation{&settingOption(text.substr(0, equals)), {}};
    const Option& row = *variation.option;
    const bool hasNumbers = row.kind != FieldKind::choice && row.kind != FieldKind::boolean;
    const std::string list = text.substr(equals + 1);
    for (const std::string& part : partsOf(list, list.find(';') == std::string::npos ? ',' : ';'))
        if (!hasNumbers || !appendRange(part, variation.values))
            variation.values.push_back(part);
    for (auto value = variation.values.begin(); value != variation.values.end(); ++value) {
        require(!value->empty(), "an empty value in '" + text + "'");
        for (const FieldChoice& choice : row.choices)
            if (lowerCase(*value) == lowerCase(choice.id))
                *value = choice.id;
        require(std::find(variation.values.begin(), value, *value) == value,
                "'" + *value + "' is given twice in '" + text + "'");
        Request tried;
        try {
            setField(row, tried, *value);
        } catch (const Error& error) {
            throw Error(error.kind(), optionName(row.id) + ": " + error.text());
        }
    }
    return variation;
}

Sweep sweepOf(const Request& base, std::vector<Variation> variations, bool isZipped, bool passes, long long most)
{
    Sweep sweep{base, std::move(variations), isZipped, {}, {}};
    long long count = 1;
    for (auto one = sweep.variations.begin(); one != sweep.variations.end(); ++one) {
        require(std::find_if(sweep.variations.begin(), one,
                             [&](const Variation& other) { return other.option == one->option; }) == one,
                std::string("'") + one->option->id + "' is varied twice; give all its values together");
        const auto values = static_cast<long long>(one->values.size());
        if (isZipped && one != sweep.variations.begin())
            require(values == count, std::string("'") + one->option->id + "' has " + std::to_string(values) +
                                         (values == 1 ? " value, and '" : " values, and '") +
                                         sweep.variations.front().option->id + "' has " + std::to_string(count) +
                                         ": lists that belong together are equally long");
        count = isZipped ? values : std::min(count * values, 1LL << 40);
    }
    if (count > most)
        throw Error(ErrorKind::badRequest, "these are " + std::to_string(count) + " settings, more than " +
                                               std::to_string(most) + hint("most", std::to_string(count)));
    for (long long number = 0; number < count; ++number)
        sweep.points.push_back(pointAt(sweep, number, passes));
    // Options of early stages change seldom: their rows are read and prepared once.
    std::vector<std::size_t> byStage(sweep.variations.size());
    std::iota(byStage.begin(), byStage.end(), std::size_t{0});
    std::ranges::stable_sort(
        byStage, {}, [&](std::size_t k) { return sweep.variations[k].option->use.stage.value_or(Stage::backproject); });
    sweep.order.resize(sweep.points.size());
    std::iota(sweep.order.begin(), sweep.order.end(), std::size_t{0});
    std::vector<std::vector<std::size_t>> keys; // of each point: its places, those of early stages first
    for (const SweepPoint& point : sweep.points) {
        const std::vector<std::size_t> places = placesOf(sweep, point);
        std::vector<std::size_t>& key = keys.emplace_back();
        for (const std::size_t k : byStage)
            key.push_back(places[k]);
    }
    std::ranges::stable_sort(
        sweep.order, {}, [&](std::size_t point) -> const auto& { return keys[point]; });
    return sweep;
}

std::vector<std::size_t> placesOf(const Sweep& sweep, const SweepPoint& point)
{
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < point.values.size(); ++k) {
        const std::vector<std::string>& all = sweep.variations[k].values;
        places.push_back(static_cast<std::size_t>(std::ranges::find(all, point.values[k]) - all.begin()));
    }
    return places;
}

std::string pointName(const Sweep& sweep, const SweepPoint& point)
{
    std::string name;
    for (std::size_t k = 0; k < point.values.size(); ++k)
        name += (k > 0 ? ", " : "") + std::string(sweep.variations[k].option->id) + " " + point.values[k];
    return name;
}

} // namespace engine

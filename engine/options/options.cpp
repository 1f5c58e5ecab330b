// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/options/options.h"

#include "engine/base/error.h"
#include "engine/options/option_tables.h"

#include <algorithm>
#include <cctype>

namespace engine
{

namespace
{

std::vector<Option> table()
{
    std::vector<Option> rows;
    for (auto part : {methodOptions(), preparationOptions(), filterOptions(), placeOptions(), resourceOptions()})
        rows.insert(rows.end(), part.begin(), part.end());
    return rows;
}

} // namespace

std::span<const Option> options()
{
    static const std::vector<Option> rows = table();
    return rows;
}

const Option& option(const std::string& id)
{
    for (const Option& row : options())
        if (id == row.id)
            return row;
    throw Error(ErrorKind::badRequest, "there is no option '" + id + "'");
}

std::string lowerLabel(const Option& option)
{
    std::string label = option.label;
    label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
    return label;
}

std::optional<std::string> valueInWords(const Option& option, const Request& request)
{
    const std::string value = option.get(request);
    if (value.empty() || (option.idle && option.idle(request)) ||
        (option.use.line == ReportLine::unlessDefault && value == option.get({})))
        return {};
    if (option.kind == Option::Kind::boolean)
        return value == "true" ? "on" : "off";
    const auto chosen = std::ranges::find(option.choices, value, &FieldChoice::id);
    return (chosen == option.choices.end() ? value : chosen->label) + (*option.unit ? " " : "") + option.unit;
}

std::vector<OptionLine> linesOf(Request request, const std::string& method)
{
    request.setting.kernel.method = method;
    std::vector<OptionLine> lines;
    for (const Option& row : options())
        if (const auto value = row.use.line != ReportLine::none ? valueInWords(row, request) : std::nullopt)
            lines.push_back({&row, *value});
    return lines;
}

void validateOptions(const Request& request)
{
    Request copy = request;
    for (const Option& row : options()) {
        const std::string text = row.get(request);
        if (text.empty() || (row.idle && row.idle(request)))
            continue;
        try {
            setField(row, copy, text);
        } catch (const Error& error) {
            throw Error(error.kind(), lowerLabel(row) + ": " + error.text());
        }
    }
}

} // namespace engine

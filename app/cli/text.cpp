// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/text.h"

#include "engine/base/printable.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace cli
{

namespace
{

std::string printed(const char* format, int precision, double value)
{
    char text[64];
    std::snprintf(text, sizeof text, format, precision, value);
    return text;
}

// Returns the columns that UTF-8 text takes on a terminal: the number of its characters, not of its bytes.
std::size_t width(const std::string& text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](unsigned char byte) { return (byte & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t columns)
{
    return text + std::string(columns > width(text) ? columns - width(text) : 0, ' ');
}

} // namespace

std::string joined(const std::vector<std::string>& parts, const std::string& separator)
{
    std::string text;
    for (const std::string& part : parts)
        text += (text.empty() ? "" : separator) + part;
    return text;
}

std::string plain(const std::string& text)
{
    return engine::printable(text);
}

std::string words(const engine::Text& text)
{
    return plain(text.in(engine::commandLineStyle()));
}

std::string number(double value, int significantDigits)
{
    return printed("%.*g", significantDigits, value);
}

std::string seconds(double value)
{
    return value < 1 ? number(value * 1e3, 3) + " ms" : printed("%.*f", value < 100 ? 2 : 0, value) + " s";
}

std::string about(double seconds)
{
    const bool inSeconds = seconds < 90;
    const double unit = inSeconds ? 10 : 60;
    return "about " + number(std::ceil(seconds / unit) * (inSeconds ? unit : 1)) + (inSeconds ? " s" : " min");
}

std::string table(const std::vector<std::vector<std::string>>& given)
{
    std::vector<std::vector<std::string>> rows = given;
    for (auto& row : rows)
        std::ranges::transform(row, row.begin(), plain);
    std::vector<std::size_t> columns;
    for (const auto& row : rows) {
        columns.resize(std::max(columns.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            columns[i] = std::max(columns[i], width(row[i]));
    }
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += i + 1 < row.size() ? padded(row[i], columns[i] + 2) : row[i];
        text += '\n';
    }
    return text;
}

std::string listing(const std::vector<std::pair<std::string, std::string>>& lines)
{
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, value] : lines)
        if (!value.empty())
            rows.push_back({name, value});
    return table(rows);
}

} // namespace cli

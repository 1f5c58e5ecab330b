// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/formats/named_values.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace engine
{

namespace
{

std::string withoutBlanks(const std::string& text)
{
    constexpr const char* blanks = " \t\r\n\"";
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

} // namespace

NamedValues::NamedValues(const std::string& text, Text who, const std::vector<std::string>& sections)
    : m_who(std::move(who))
{
    std::istringstream lines(text);
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        line = withoutBlanks(line);
        const std::size_t equals = line.find('=');
        if (line.starts_with('['))
            inside = std::ranges::find(sections, lowerCase(line)) != sections.end();
        else if (inside && equals != std::string::npos)
            m_values.try_emplace(lowerCase(withoutBlanks(line.substr(0, equals))),
                                 withoutBlanks(line.substr(equals + 1)));
    }
}

std::string NamedValues::text(const std::string& name) const
{
    const auto found = m_values.find(lowerCase(name));
    return found == m_values.end() ? std::string() : found->second;
}

bool NamedValues::says(const std::string& name, const std::string& word) const
{
    return lowerCase(text(name)).starts_with(word);
}

std::optional<double> NamedValues::number(const std::string& name) const
{
    const std::string value = text(name);
    return value.empty() ? std::nullopt : std::optional(numberIn(name, value));
}

double NamedValues::numberIn(const std::string& name, const std::string& text) const
{
    try {
        return realFromText(text, name);
    } catch (const Error&) {
        throw Error(ErrorKind::badFile,
                    m_who + ": " + name + " is '" + this->text(name).substr(0, 40) + "', which is not a number.");
    }
}

double NamedValues::needed(const std::string& name) const
{
    const std::optional<double> value = number(name);
    if (!value)
        throw Error(ErrorKind::badFile, m_who + " doesn't specify " + name + "; is it cut off?");
    return *value;
}

double NamedValues::positive(const std::string& name) const
{
    const double value = needed(name);
    if (!(value > 0))
        throw Error(ErrorKind::badFile, m_who + ": " + name + " is " + numberToText(value) + "; it must be above 0.");
    return value;
}

int NamedValues::count(const std::string& name, double value) const
{
    if (!(value >= 1 && value <= 1e6 && value == std::floor(value)))
        throw Error(ErrorKind::badFile,
                    m_who + ": " + name + " is " + numberToText(value) + "; it must be a whole number above 0.");
    return static_cast<int>(value);
}

} // namespace engine

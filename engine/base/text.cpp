// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text.h"

#include "engine/base/error.h"

#include <utility>

namespace engine
{

Text::Text(std::string words)
{
    if (!words.empty())
        m_parts.push_back({.kind = Kind::words, .text = std::move(words), .isAside = false});
}

Text::Text(Part part)
{
    m_parts.push_back(std::move(part));
}

std::string Text::in(const TextStyle& style) const
{
    std::string text;
    for (const Part& part : m_parts)
        if (!part.isAside || style.asides)
            text += part.kind == Kind::words    ? part.text
                    : part.kind == Kind::option ? style.option(part.text)
                                                : "'" + part.text + "'";
    return text;
}

std::string Text::plain() const
{
    return in({.option = [](const std::string& id) { return id; }, .asides = true});
}

Text& Text::operator+=(const Text& more)
{
    for (const Part& part : more.m_parts) {
        Part* last = m_parts.empty() ? nullptr : &m_parts.back();
        if (last && last->kind == Kind::words && part.kind == Kind::words && last->isAside == part.isAside)
            last->text += part.text;
        else
            m_parts.push_back(part);
    }
    return *this;
}

Text optionName(std::string_view id)
{
    return Text({.kind = Text::Kind::option, .text = std::string(id), .isAside = false});
}

Text fileText(std::string path)
{
    return Text({.kind = Text::Kind::file, .text = std::move(path), .isAside = false});
}

Text aside(Text text)
{
    text = " (" + std::move(text) + ")";
    for (Text::Part& part : text.m_parts)
        part.isAside = true;
    return text;
}

Text hint(std::string_view id, const std::string& value)
{
    return aside(optionName(id) + (value.empty() ? value : ' ' + value));
}

namespace
{

constexpr std::string_view kindLetters = "wof", asideLetters = "WOF";

} // namespace

std::vector<std::string> toStrings(const Text& text)
{
    std::vector<std::string> strings;
    for (const Text::Part& part : text.parts())
        strings.push_back((part.isAside ? asideLetters : kindLetters)[static_cast<std::size_t>(part.kind)] + part.text);
    return strings;
}

Text textFrom(const std::vector<std::string>& strings)
{
    Text text;
    for (const std::string& string : strings) {
        const char letter = string.empty() ? ' ' : string.front();
        const std::size_t plain = kindLetters.find(letter), within = asideLetters.find(letter);
        if (plain == std::string_view::npos && within == std::string_view::npos)
            throw Error(ErrorKind::badFile, "a stored text has an unknown part");
        const bool isAside = plain == std::string_view::npos;
        text += Text(
            {.kind = static_cast<Text::Kind>(isAside ? within : plain), .text = string.substr(1), .isAside = isAside});
    }
    return text;
}

const TextStyle& commandLineStyle()
{
    static const TextStyle style{.option = [](const std::string& id) { return "--" + id; }, .asides = true};
    return style;
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_text.h"

#include "engine/base/printable.h"

#include <array>
#include <cstdio>

namespace engine
{

namespace
{

using TextJson = nlohmann::ordered_json;

// Escapes bytes that are not UTF-8, as JSON requires UTF-8 and file names need not be: "\xE4".
TextJson withEscapes(const TextJson& json)
{
    if (json.is_string()) {
        const auto& text = json.get_ref<const std::string&>();
        try {
            json.dump();
        } catch (const TextJson::type_error&) {
            return printable(text);
        }
        return json;
    }
    if (!json.is_structured())
        return json;
    TextJson escaped = json.is_array() ? TextJson::array() : TextJson::object();
    for (const auto& [key, value] : json.items())
        if (json.is_array())
            escaped.push_back(withEscapes(value));
        else
            escaped[printable(key)] = withEscapes(value);
    return escaped;
}

// Escapes DEL and C1 control characters, which terminals interpret; the library only escapes those below the space.
std::string withoutControls(const std::string& json)
{
    std::string text;
    text.reserve(json.size());
    for (std::size_t at = 0; at < json.size(); ++at) {
        const auto byteAt = [&](std::size_t k) { return static_cast<unsigned char>(k < json.size() ? json[k] : 0); };
        const bool isC1 = byteAt(at) == 0xC2 && byteAt(at + 1) < 0xA0;
        if (!isC1 && byteAt(at) != 0x7F) {
            text += json[at];
            continue;
        }
        std::array<char, 8> escape;
        std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(byteAt(isC1 ? ++at : at)));
        text += escape.data();
    }
    return text;
}

std::string written(const TextJson& json, int indent)
{
    try {
        return withoutControls(json.dump(indent));
    } catch (const TextJson::type_error&) {
        return withoutControls(withEscapes(json).dump(indent));
    }
}

} // namespace

std::string dumped(const nlohmann::ordered_json& json)
{
    return written(json, 2);
}

std::string onOneLine(const nlohmann::ordered_json& json)
{
    return written(json, -1);
}

} // namespace engine

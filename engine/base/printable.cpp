// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace engine
{

namespace
{

// Returns the length of a character with this first byte; 0 if it is no first byte.
std::size_t bytesOfCharacter(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first < 0xC2) // a continuation byte, or an overlong form
        return 0;
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
}

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0; // 0: not UTF-8
};

Character firstOf(std::string_view text)
{
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const std::size_t bytes = bytesOfCharacter(byte(0));
    if (bytes == 0 || bytes > text.size())
        return {};
    std::uint32_t code = bytes == 1 ? byte(0) : byte(0) & (0xFFU >> (bytes + 1));
    for (std::size_t k = 1; k < bytes; ++k) {
        if ((byte(k) & 0xC0) != 0x80)
            return {};
        code = code << 6 | (byte(k) & 0x3FU);
    }
    const bool isTooLong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    const bool isSurrogate = code >= 0xD800 && code < 0xE000;
    return isTooLong || isSurrogate || code > 0x10FFFF ? Character{} : Character{code, bytes};
}

bool isObeyed(std::uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

std::string escapeOf(const char* format, std::uint32_t code)
{
    std::array<char, 16> text;
    std::snprintf(text.data(), text.size(), format, static_cast<unsigned>(code));
    return text.data();
}

} // namespace

std::string printable(std::string_view text, std::string_view kept)
{
    std::string shown;
    shown.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Character one = firstOf(text.substr(at));
        const std::size_t bytes = std::max<std::size_t>(one.bytes, 1);
        if (one.bytes == 0)
            shown += escapeOf("\\x%02X", static_cast<unsigned char>(text[at]));
        else if (!isObeyed(one.code) || kept.find(text[at]) != kept.npos)
            shown += text.substr(at, bytes);
        else
            shown += escapeOf(one.code < 0x80 ? "\\x%02X" : "\\u%04X", one.code);
        at += bytes;
    }
    return shown;
}

std::size_t unfinishedCharacter(std::string_view text)
{
    for (std::size_t count = 1; count <= std::min<std::size_t>(3, text.size()); ++count) {
        const auto byte = static_cast<unsigned char>(text[text.size() - count]);
        if ((byte & 0xC0) != 0x80)
            return bytesOfCharacter(byte) > count ? count : 0;
    }
    return 0;
}

} // namespace engine

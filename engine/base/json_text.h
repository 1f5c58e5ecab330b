// SPDX-License-Identifier: GPL-3.0-or-later
// JSON as the program writes it, and as it reads what others may have written.
#pragma once

#include "engine/base/error.h"

#include <nlohmann/json.hpp>

#include <cctype>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace engine
{

using Json = nlohmann::ordered_json;

// Indented by two. Names of files need not be UTF-8: the bytes that aren't become escapes ("\\xE4"). No control
// character is in it as it is, so that it can be shown on a terminal.
std::string dumped(const nlohmann::ordered_json& json);
std::string onOneLine(const nlohmann::ordered_json& json);

// Discarded where it is none, is cut off, or holds lists in lists more than 64 deep: the library calls itself for each
// when it copies or writes them, until there is no stack left.
template <typename Json = engine::Json>
Json parsedJson(const std::string& text)
{
    constexpr int deepest = 64;
    bool tooDeep = false;
    Json json = Json::parse(
        text,
        [&tooDeep](int depth, typename Json::parse_event_t, Json&) {
            tooDeep = tooDeep || depth > deepest;
            return !tooDeep;
        },
        false);
    return tooDeep ? Json(Json::value_t::discarded) : json;
}

// Of an id of the command line: "ringSize" of "ring-size".
inline std::string jsonKey(const std::string& id)
{
    std::string key;
    for (std::size_t k = 0; k < id.size(); ++k)
        key += id[k] == '-' && k + 1 < id.size() ? static_cast<char>(std::toupper(static_cast<unsigned char>(id[++k])))
                                                 : id[k];
    return key;
}

// The library would wrap what doesn't fit. Throws Error(badRequest), and Json::exception where it is no number.
template <typename Number, typename Json>
Number wholeNumberIn(const Json& json)
{
    constexpr double exact = 1LL << 53;
    bool fits = false;
    if (json.is_number_unsigned())
        fits = std::in_range<Number>(json.template get<std::uint64_t>());
    else if (json.is_number_integer())
        fits = std::in_range<Number>(json.template get<std::int64_t>());
    else if (const auto value = json.template get<double>(); std::abs(value) <= exact && value == std::floor(value))
        fits = std::in_range<Number>(static_cast<std::int64_t>(value));
    require(fits, "the number " + json.dump() + " is not whole, or too large");
    return json.template get<Number>();
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Writing JSON, and reading JSON from untrusted sources.
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

// Returns JSON text indented by two. Bytes that are not UTF-8, as in file names, become escapes ("\\xE4"). All
// control characters are escaped, so that the text can be shown on a terminal.
std::string dumped(const nlohmann::ordered_json& json);
std::string onOneLine(const nlohmann::ordered_json& json);

// Parses JSON. The result is discarded if the text is not JSON, is incomplete, or nests lists more than 64 deep: the
// library copies and writes nested values recursively, and would exhaust the stack.
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

// Returns the JSON key of a command-line id: "ringSize" for "ring-size".
inline std::string jsonKey(const std::string& id)
{
    std::string key;
    for (std::size_t k = 0; k < id.size(); ++k)
        key += id[k] == '-' && k + 1 < id.size() ? static_cast<char>(std::toupper(static_cast<unsigned char>(id[++k])))
                                                 : id[k];
    return key;
}

// Returns an integer; the library would wrap numbers that don't fit. Throws Error(badRequest) if the number is not
// whole or doesn't fit, and Json::exception if the value is no number.
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
    require(fits, "the number " + json.dump() + " is not a whole number, or is too large");
    return json.template get<Number>();
}

} // namespace engine

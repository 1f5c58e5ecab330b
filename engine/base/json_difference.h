// SPDX-License-Identifier: GPL-3.0-or-later
// The first difference of two JSON values, in words.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace engine
{

struct JsonDifference {
    std::string at;         // "setting/filter/window"; "" for the whole value
    std::string one, other; // on one line, truncated
};

// Returns nothing if the values are equal.
std::optional<JsonDifference> firstDifference(const nlohmann::ordered_json& one, const nlohmann::ordered_json& other,
                                              const std::string& at = {});

} // namespace engine

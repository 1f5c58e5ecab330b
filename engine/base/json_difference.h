// SPDX-License-Identifier: GPL-3.0-or-later
// Where two JSON values differ first, in words.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace engine
{

struct JsonDifference {
    std::string at;         // "setting/filter/window"; "" of the whole
    std::string one, other; // on one line, cut short
};

// Nothing where they are the same.
std::optional<JsonDifference> firstDifference(const nlohmann::ordered_json& one, const nlohmann::ordered_json& other,
                                              const std::string& at = {});

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_difference.h"

#include "engine/base/json_text.h"

namespace engine
{

std::optional<JsonDifference> firstDifference(const nlohmann::ordered_json& one, const nlohmann::ordered_json& other,
                                              const std::string& at)
{
    constexpr std::size_t longest = 80;
    if (one == other)
        return {};
    if (one.is_object() && other.is_object()) {
        const std::string below = at + (at.empty() ? "" : "/");
        for (const auto& [key, value] : one.items())
            if (auto found =
                    firstDifference(value, other.contains(key) ? other[key] : nlohmann::ordered_json(), below + key))
                return found;
        for (const auto& [key, value] : other.items())
            if (!one.contains(key))
                return firstDifference({}, value, below + key);
    }
    return JsonDifference{at, onOneLine(one).substr(0, longest), onOneLine(other).substr(0, longest)};
}

} // namespace engine

// JSON as the program writes it.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace engine
{

// Indented by two. File names need not be UTF-8: what isn't is replaced rather than refused.
inline std::string dumped(const nlohmann::ordered_json& json)
{
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace engine

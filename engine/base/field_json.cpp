// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/field_json.h"

#include "engine/base/number_text.h"

namespace engine
{

Json::json_pointer jsonPlace(const std::string& path, const char* id)
{
    return Json::json_pointer('/' + (path.empty() ? jsonKey(id) : path));
}

Json jsonFromText(FieldKind kind, bool hasNumbers, const std::string& text, const char* id)
{
    switch (kind) {
    case FieldKind::boolean:
        return text == "true";
    case FieldKind::whole:
        return integerFromText(text, id);
    case FieldKind::real:
    case FieldKind::length:
        return realFromText(text, id);
    case FieldKind::bytes:
        return bytesFromText(text);
    default:
        break;
    }
    if (!hasNumbers)
        return text;
    if (text.find(',') != std::string::npos)
        if (Json list = Json::parse('[' + text + ']', nullptr, false); !list.is_discarded())
            return list;
    try {
        return realFromText(text, id);
    } catch (const Error&) {
        return text;
    }
}

std::string textFromJson(FieldKind kind, const Json& value, const char* id)
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_number() && kind == FieldKind::bytes)
        return bytesToText(value.get<double>());
    if (value.is_number_integer() || (value.is_boolean() && kind == FieldKind::boolean))
        return value.dump();
    if (value.is_number())
        return numberToText(value.get<double>());
    std::string list;
    for (const Json& item : value.is_array() ? value : Json::array())
        list += (list.empty() ? "" : ",") + item.dump();
    require(!list.empty(), "the value " + value.dump() + " of '" + id + "' can't be used");
    return list;
}

void eraseAt(Json& json, Json::json_pointer place)
{
    if (!json.contains(place))
        return;
    for (bool isEmpty = true; isEmpty && !place.empty();) {
        Json& around = json[place.parent_pointer()];
        around.erase(place.back());
        place.pop_back();
        isEmpty = around.empty();
    }
}

} // namespace engine

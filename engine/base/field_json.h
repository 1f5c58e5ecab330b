// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion between fields and JSON values.
#pragma once

#include "engine/base/field.h"

#include <string>
#include <vector>

namespace engine
{

// Returns a number, boolean or text, depending on the kind. With `hasNumbers`, numeric texts become numbers, and
// texts with commas become lists of numbers.
Json jsonFromText(FieldKind kind, bool hasNumbers, const std::string& text, const char* id);
// Converts back. Throws Error(badRequest) that names the id and the value.
std::string textFromJson(FieldKind kind, const Json& value, const char* id);

// Returns "/filter/window" for a path, or the pointer for an id.
Json::json_pointer jsonPlace(const std::string& path, const char* id);

// Removes a value, and enclosing objects that become empty.
void eraseAt(Json& json, Json::json_pointer place);

// Returns the paths of the field's keys: "filter/window".
template <typename Owner>
std::vector<std::string> jsonPathsOf(const Field<Owner>& field)
{
    if (field.ownJson)
        return {field.ownJson->keys.begin(), field.ownJson->keys.end()};
    std::vector<std::string> paths{jsonPlace(field.json, field.id).to_string().substr(1)};
    if (*field.jsonDetail)
        paths.push_back(field.jsonDetail);
    return paths;
}

// Adds the field to the object if it is given and has an effect.
template <typename Owner>
void addField(Json& json, const Field<Owner>& field, const Owner& owner)
{
    if (field.ownJson) {
        if (field.ownJson->write)
            field.ownJson->write(owner, json);
        return;
    }
    const std::string text = field.idle && field.idle(owner) ? std::string() : field.get(owner);
    if (text.empty()) {
        if (*field.jsonLeftOut)
            json[jsonPlace(field.json, field.id)] = Json::parse(field.jsonLeftOut);
        return;
    }
    const std::size_t colon = *field.jsonDetail ? text.find(':') : std::string::npos;
    json[jsonPlace(field.json, field.id)] = jsonFromText(field.kind, field.hasNumbers, text.substr(0, colon), field.id);
    if (colon != std::string::npos)
        json[field.jsonDetail] = jsonFromText(FieldKind::whole, false, text.substr(colon + 1), field.id);
}

// Sets the field if the JSON has it. Throws Error(badRequest) that names the id and the value.
template <typename Owner>
void takeField(const Json& json, const Field<Owner>& field, Owner& owner)
{
    if (field.ownJson) {
        const bool isThere =
            std::ranges::any_of(field.ownJson->keys, [&](const char* key) { return json.contains(key); });
        if (field.ownJson->read && isThere)
            field.ownJson->read(owner, json);
        return;
    }
    const Json::json_pointer place = jsonPlace(field.json, field.id);
    if (!json.contains(place) || json[place].is_null() ||
        (*field.jsonLeftOut && json[place] == Json::parse(field.jsonLeftOut)))
        return;
    std::string text = textFromJson(field.kind, json[place], field.id);
    if (text.empty() && (field.kind == FieldKind::text || field.kind == FieldKind::file))
        return;
    if (*field.jsonDetail && json.contains(field.jsonDetail))
        text += ':' + json[field.jsonDetail].dump();
    try {
        setField(field, owner, text);
    } catch (const Error& error) {
        throw Error(error.kind(), std::string(field.id) + ": " + error.text());
    }
}

// Removes the field's keys from the object.
template <typename Owner>
void eraseField(Json& json, const Field<Owner>& field)
{
    for (const std::string& path : jsonPathsOf(field))
        eraseAt(json, Json::json_pointer('/' + path));
}

} // namespace engine

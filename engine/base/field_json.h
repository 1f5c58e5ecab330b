// SPDX-License-Identifier: GPL-3.0-or-later
// Fields as values of JSON, in both directions.
#pragma once

#include "engine/base/field.h"

#include <string>
#include <vector>

namespace engine
{

// A number, boolean or text as the kind has it; with `hasNumbers` a number where the text is one, and a list of them
// where it has commas.
Json jsonFromText(FieldKind kind, bool hasNumbers, const std::string& text, const char* id);
// The other way. Throws Error(badRequest) that names the id and the value.
std::string textFromJson(FieldKind kind, const Json& value, const char* id);

// "/filter/window" of a path, or of an id.
Json::json_pointer jsonPlace(const std::string& path, const char* id);

// Takes it out, with the objects around it that have nothing else.
void eraseAt(Json& json, Json::json_pointer place);

// The paths of its keys: "filter/window".
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

// Adds it to the object, where it is given and has an effect.
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

// What isn't there stays as it is. Throws Error(badRequest) that names the id and the value.
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

// Takes its keys out of the object.
template <typename Owner>
void eraseField(Json& json, const Field<Owner>& field)
{
    for (const std::string& path : jsonPathsOf(field))
        eraseAt(json, Json::json_pointer('/' + path));
}

} // namespace engine

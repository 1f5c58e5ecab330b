// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/documents/opening_way.h"

#include "engine/base/number_text.h"
#include "engine/io/open/open_fields.h"
#include "engine/json/request_json.h"

#include <cctype>
#include <cmath>

namespace engine
{

namespace
{

std::string inSentence(std::string label)
{
    if (label.size() > 1 && std::islower(static_cast<unsigned char>(label[1])))
        label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(label[0])));
    return label;
}

std::string valueOf(const OpenField& field, const OpenOptions& options)
{
    std::string text;
    for (const std::string& each : textsOf(field, options))
        text += (text.empty() ? "" : " ") + each;
    if (field.kind == FieldKind::file)
        return std::filesystem::path(text).filename().string();
    return field.kind == FieldKind::boolean ? std::string() : text;
}

} // namespace

std::string openingWayJson(const OpeningWay& way)
{
    OpenOptions opened = way.opened;
    opened.allowOutside = false; // the user is asked each time
    Json json = {{"opened", openOptionsOf(opened)}};
    if (way.axisBins)
        json["axisBins"] = *way.axisBins;
    if (way.axisTiltDeg != 0)
        json["axisTiltDeg"] = way.axisTiltDeg;
    return onOneLine(json);
}

OpeningWay openingWayFromJson(const std::string& text)
{
    const Json json = parsedJson(text);
    require(json.is_object() && json.contains("opened"), "how the scan was opened can't be read");
    OpeningWay way{.opened = openOptionsFrom(json["opened"])};
    const auto numberOf = [&](const char* key) -> std::optional<double> {
        if (!json.contains(key))
            return {};
        require(json[key].is_number() && std::isfinite(json[key].get<double>()),
                "the axis of the recent scan is no number");
        return json[key].get<double>();
    };
    way.axisBins = numberOf("axisBins");
    way.axisTiltDeg = numberOf("axisTiltDeg").value_or(0);
    return way;
}

std::string inWords(const OpeningWay& way)
{
    std::string words;
    const auto add = [&words](const std::string& text) { words += (words.empty() ? "" : ", ") + text; };
    const OpenOptions usual;
    for (const OpenField& field : openFields()) {
        if (std::string(field.id) == "allow-outside" || !isOpenedWith(field, way.opened) ||
            (isOpenedWith(field, usual) && textsOf(field, way.opened) == textsOf(field, usual)))
            continue;
        const std::string value = valueOf(field, way.opened);
        add(inSentence(field.label) + (value.empty() ? "" : " " + value));
    }
    if (way.opened.cone != ConeOptions())
        add("own cone geometry");
    if (way.axisBins)
        add("axis " + numberToText(std::round(100 * *way.axisBins) / 100) + " bins");
    if (way.axisTiltDeg != 0)
        add("axis tilt " + numberToText(way.axisTiltDeg) + "°");
    return words;
}

} // namespace engine

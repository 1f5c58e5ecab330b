// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/published_speeds.h"

#include "engine/base/json_text.h"
#include "engine/base/version.h"
#include "engine/measure/resource_texts.h"

namespace engine
{

const std::vector<PublishedGroup>& publishedGroups()
{
    static const std::vector<PublishedGroup> groups = [] {
        const Json json = parsedJson(publishedSpeedsText);
        std::vector<PublishedGroup> made;
        for (const Json& group : json.at("groups")) {
            made.push_back({group.at("problem"),
                            group.at("gpu"),
                            group.at("cone"),
                            group.at("filter"),
                            group.at("device"),
                            group.at("date"),
                            group.at("source"),
                            {}});
            for (const Json& speed : group.at("speeds"))
                made.back().speeds.push_back(
                    {speed.at("program"), speed.at("what"), speed.at("gups"), speed.at("program") == "Sinoscope"});
        }
        return made;
    }();
    return groups;
}

std::string publishedJson()
{
    Json json = {{"program", "Sinoscope"}, {"version", programVersion()}};
    json.update(parsedJson(publishedSpeedsText));
    return dumped(json);
}

} // namespace engine

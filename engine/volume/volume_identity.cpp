// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/volume_identity.h"

#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/base/digest.h"
#include "engine/base/field_json.h"
#include "engine/base/json_text.h"
#include "engine/base/version.h"
#include "engine/io/open/open_fields.h"
#include "engine/json/request_json.h"
#include "engine/options/options.h"
#include "engine/resolve/resolve.h"
#include "engine/scan/cone_fields.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

// Returns number and bytes of a scan's files, and a digest of their names, sizes and times.
Json filesOf(const Scan& scan)
{
    Digest digest;
    double bytes = 0;
    for (const fs::path& file : scan.files) {
        struct stat status = {};
        ::stat(file.c_str(), &status);
        const std::string text = file.filename().string() + '\n' + std::to_string(status.st_size) + '\n' +
                                 std::to_string(status.st_mtim.tv_sec) + '.' + std::to_string(status.st_mtim.tv_nsec);
        digest.add(std::as_bytes(std::span(text)));
        bytes += static_cast<double>(status.st_size);
    }
    return {{"files", scan.files.size()}, {"bytes", bytes}, {"namesSizesAndTimes", digest.text()}};
}

// Names of a key for messages.
struct KeyWords {
    const char* key;
    const char* option = ""; // id of the option that sets it; empty: none
    const char* words = "";  // used instead of the option's name
};
constexpr std::array keyWords = {KeyWords{"method", "method"},
                                 KeyWords{"device", "device"},
                                 KeyWords{"filterOn", "filter-on"},
                                 KeyWords{"region", "region"},
                                 KeyWords{"numbers", "output-type"},
                                 KeyWords{"range", "output-range"},
                                 KeyWords{"storedRange", "output-range", "the range that is stored"},
                                 KeyWords{"compression", "compression"},
                                 KeyWords{"program", "", "the version of the program"}};

// Keys that describe how the slices are divided; several options influence them.
constexpr std::array divided = {"slicesPerGroup", "overlapped", "shortEnds"};

// Returns a JSON value as people write it.
std::string plainText(const std::string& json)
{
    const Json value = parsedJson(json);
    const std::string text = value.is_string() ? value.get<std::string>() : json;
    return text.empty() || text == "null" ? "not given" : text;
}

// Returns the option's name for a path such as "filter/window"; nothing for paths without an option, such as
// "rawLayout/rows".
template <typename Table>
std::optional<Text> optionAt(const Table& table, const std::string& at)
{
    for (const auto& field : table)
        for (const std::string& path : jsonPathsOf(field))
            if (at == path || at.starts_with(path + "/"))
                return optionName(field.id);
    return {};
}

} // namespace

Json originOf(const Request& request, const OpenOptions& opened, const OutputChoice& stored)
{
    const Plan plan = resolve(request);
    const Method& method = *plan.method;
    Json setting = Json::object();
    addOptions(setting, request, true);
    if (plan.isTuned)
        setting["measuredVariant"] = plan.kernel.variant;
    return {{"program", programVersion()},
            {"scan", filesOf(*request.scan)},
            {"opened", openOptionsOf(opened)},
            {"setting", setting},
            {"method", method.id},
            {"device", toText(DeviceSettings{method.backend->id, 0})},
            {"filterOn", toText(request.resources.filterOn)},
            {"region", request.place.region() ? toText(*request.place.region()) : ""},
            {"slab", request.place.slab() ? toText(*request.place.slab()) : ""},
            {"plane", request.place.plane() ? toText(*request.place.plane()) : ""},
            {"numbers", toText(stored.type)},
            {"range", stored.range ? toText(*stored.range) : "auto"},
            {"compression", compressionToText(stored.deflateLevel)}};
}

std::string identityOf(const Json& origin, int ranks, int columns, const Place& place, const VolumePlan& plan,
                       const OutputFormat& format)
{
    Json made = {{"ranks", ranks}};
    if (columns > 1)
        made["columns"] = columns;
    made.update(origin);
    made["storedRange"] = toText(format.range);
    made["slices"] = {place.slices().first, place.slices().count};
    if (place.pairsOf())
        made["slicesInPairs"] = {place.pairsOf()->first, place.pairsOf()->count};
    made["slicesPerGroup"] = plan.slicesPerGroup;
    made["overlapped"] = plan.overlapped;
    made["shortEnds"] = plan.shortEnds;
    return onOneLine(made);
}

Text identityDifference(const JsonDifference& difference)
{
    const std::string& at = difference.at;
    const auto changed = [&](const Text& what) {
        return what + " was " + plainText(difference.one) + " and is " + plainText(difference.other);
    };
    const auto below = [&](const std::string& key) { return at.substr(std::min(at.size(), key.size())); };
    if (at == "ranks")
        return "they were reconstructed by " + difference.one + (difference.one == "1" ? " process" : " processes") +
               ", and now there " + (difference.other == "1" ? "is 1" : "are " + difference.other);
    if (at == "columns")
        return optionName("grid") + " divides the projections differently";
    if (at.starts_with("scan"))
        return "the files of the scan have other names, sizes or times";
    if (at.starts_with("slices") && at != "slicesPerGroup")
        return optionName("slices") + " selects another part of the volume";
    if (std::ranges::find(divided, at) != divided.end())
        return "the slices are divided differently" +
               aside(optionName("memory-limit") + ", " + optionName("no-overlap") + ", " + optionName("device"));
    if (at == "setting/" + jsonKey("slices-per-pass"))
        return changed(optionName("slices-per-pass")) + ", which, unless given, depends on " +
               optionName("memory-limit") + " and the numbers of slices and ranks";
    if (at.starts_with("setting/"))
        return changed(optionAt(options(), below("setting/")).value_or(Text(below("setting/"))));
    if (at.starts_with("opened/cone/"))
        return changed(optionAt(coneFields(), below("opened/cone/")).value_or(Text("the geometry of the cone")));
    if (at.starts_with("opened/"))
        return changed(optionAt(openFields(), below("opened/"))
                           .value_or(Text("the option for opening the scan (" + below("opened/") + ")")));
    const auto known = std::ranges::find_if(keyWords, [&](const KeyWords& one) { return at == one.key; });
    if (known == keyWords.end())
        return changed(at);
    if (!*known->words)
        return changed(optionName(known->option));
    return changed(known->words + (*known->option ? hint(known->option) : Text()));
}

} // namespace engine

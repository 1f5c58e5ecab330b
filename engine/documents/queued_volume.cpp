// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/documents/queued_volume.h"

#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/io/formats/tiff_stack.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/json/request_json.h"
#include "engine/resolve/resolve.h"

namespace engine
{

bool canResume(const VolumeOutput& output)
{
    const OutputKind kind = outputKindOf(output.path);
    return !output.overwrite &&
           (kind == OutputKind::folder || (kind == OutputKind::hdf5 && output.stored.deflateLevel == 0));
}

WrittenVolume writeVolume(const QueuedVolume& volume, const VolumeProgress& progress, std::stop_token stop,
                          const std::function<void(const Text&)>& warn)
{
    Recipe recipe = volume.recipe;
    recipe.choosesPasses = false;
    OpenOptions opened = volume.opened;
    opened.sinogram = opened.sinogram || isSingleTiff(volume.scan); // a single projection would be no scan
    Request request = requestWith(recipe, openScan(volume.scan, opened, stop));
    request.resources = volume.resources;
    if (volume.recipe.choosesPasses)
        chooseSlicesPerPass(request);
    validate(request);
    VolumeOutput output = volume.output;
    output.resumes = canResume(output);
    if (output.name.empty())
        output.name = resultName(volume.scan);
    return writeVolume(request, opened, output, warn, progress, std::move(stop));
}

std::string queuedVolumeJson(const QueuedVolume& volume)
{
    Request request;
    request.resources = volume.resources;
    Json resources = Json::object();
    addOptions(resources, request, false);
    const OutputChoice& stored = volume.output.stored;
    return onOneLine({{"scan", volume.scan},
                      {"named", volume.named},
                      {"recipe", Json::parse(recipeJson(volume.recipe))},
                      {"opened", openOptionsOf(volume.opened)},
                      {"resources", resources},
                      {"output", volume.output.path.string()},
                      {"name", volume.output.name},
                      {"overwrite", volume.output.overwrite},
                      {"type", toText(stored.type)},
                      {"range", stored.range ? toText(*stored.range) : ""},
                      {"compression", compressionToText(stored.deflateLevel)},
                      {"failure", volume.failure}});
}

QueuedVolume queuedVolumeFromJson(const std::string& text)
{
    const Json one = parsedJson(text);
    require(one.is_object(), "it is not a volume of a queue");
    try {
        QueuedVolume volume{.scan = one.at("scan").get<std::string>(),
                            .named = one.at("named").get<std::string>(),
                            .recipe = recipeFromJson(one.at("recipe").dump()),
                            .opened = openOptionsFrom(one.at("opened")),
                            .resources = {},
                            .output = {.path = one.at("output").get<std::string>(),
                                       .name = one.at("name").get<std::string>(),
                                       .overwrite = one.at("overwrite").get<bool>()},
                            .failure = one.value("failure", std::string())};
        Request request;
        takeOptions(one.at("resources"), request);
        volume.resources = request.resources;
        OutputChoice& stored = volume.output.stored;
        stored.type = outputTypeFromText(one.at("type").get<std::string>());
        if (const std::string range = one.at("range").get<std::string>(); !range.empty())
            stored.range = valueRangeFromText(range);
        stored.deflateLevel = compressionFromText(one.at("compression").get<std::string>());
        return volume;
    } catch (const Json::exception& error) {
        throw Error(ErrorKind::badRequest,
                    std::string("a value is missing or has the wrong type (") + error.what() + ")");
    }
}

std::vector<std::string> queueEntriesIn(const std::string& list)
{
    const Json json = parsedJson(list);
    if (!json.is_array())
        return {list};
    std::vector<std::string> entries;
    for (const Json& one : json)
        entries.push_back(onOneLine(one));
    return entries;
}

} // namespace engine

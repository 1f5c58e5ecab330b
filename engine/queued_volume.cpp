#include "engine/queued_volume.h"

#include "engine/error.h"
#include "engine/io/write_slices.h"
#include "engine/reconstruct.h"
#include "engine/request_json.h"

namespace engine
{

bool canResume(const VolumeOutput& output)
{
    const OutputKind kind = outputKindOf(output.path);
    return !output.overwrite &&
           (kind == OutputKind::folder || (kind == OutputKind::hdf5 && output.stored.deflateLevel == 0));
}

WrittenVolume writeVolume(const QueuedVolume& volume, const VolumeProgress& progress, std::stop_token stop)
{
    Recipe recipe = volume.recipe;
    recipe.choosesPasses = false;
    Request request = requestWith(recipe, openScan(volume.scan, volume.opened, stop));
    request.resources = volume.resources;
    if (volume.recipe.choosesPasses)
        chooseSlicesPerPass(request);
    validate(request);
    VolumeOutput output = volume.output;
    output.resumes = canResume(output);
    if (output.name.empty())
        output.name = resultName(volume.scan);
    return writeVolume(request, volume.opened, output, {}, progress, std::move(stop));
}

std::string queueJson(const std::vector<QueuedVolume>& queue)
{
    Json list = Json::array();
    for (const QueuedVolume& one : queue) {
        Request request;
        request.resources = one.resources;
        Json resources = Json::object();
        addOptions(resources, request, false);
        const OutputChoice& stored = one.output.stored;
        list.push_back({{"scan", one.scan},
                        {"named", one.named},
                        {"recipe", Json::parse(recipeJson(one.recipe))},
                        {"opened", openOptionsOf(one.opened)},
                        {"resources", resources},
                        {"output", one.output.path.string()},
                        {"name", one.output.name},
                        {"overwrite", one.output.overwrite},
                        {"type", toText(stored.type)},
                        {"range", stored.range ? toText(*stored.range) : ""},
                        {"compression", compressionToText(stored.deflateLevel)}});
    }
    return dumped(list);
}

std::vector<QueuedVolume> queueFromJson(const std::string& text)
{
    const Json list = parsedJson(text);
    require(list.is_array() && list.size() <= 100'000, "this is no queue of volumes");
    std::vector<QueuedVolume> queue;
    try {
        for (const Json& one : list) {
            QueuedVolume volume{.scan = one.at("scan").get<std::string>(),
                                .named = one.at("named").get<std::string>(),
                                .recipe = recipeFromJson(one.at("recipe").dump()),
                                .opened = openOptionsFrom(one.at("opened")),
                                .resources = {},
                                .output = {.path = one.at("output").get<std::string>(),
                                           .name = one.at("name").get<std::string>(),
                                           .overwrite = one.at("overwrite").get<bool>()}};
            Request request;
            takeOptions(one.at("resources"), request);
            volume.resources = request.resources;
            OutputChoice& stored = volume.output.stored;
            stored.type = outputTypeFromText(one.at("type").get<std::string>());
            if (const std::string range = one.at("range").get<std::string>(); !range.empty())
                stored.range = valueRangeFromText(range);
            stored.deflateLevel = compressionFromText(one.at("compression").get<std::string>());
            queue.push_back(std::move(volume));
        }
    } catch (const Json::exception& error) {
        throw Error(ErrorKind::badRequest, std::string("the queue of volumes can't be read (") + error.what() + ")");
    }
    return queue;
}

} // namespace engine

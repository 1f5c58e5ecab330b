#include "engine/volume/batch.h"

#include "engine/base/json_text.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/volume/write_volume.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <string_view>

namespace engine
{

namespace fs = std::filesystem;

std::vector<BatchItem> batchOf(const std::vector<std::string>& scans, const std::string& output)
{
    const bool many = scans.size() > 1;
    const bool isNamed = output.find(scanPlaceholder) != std::string::npos;
    if (many && !isNamed && outputKindOf(output) != OutputKind::folder)
        throw Error(ErrorKind::badRequest, "'" + output + "' is one file, and there are " +
                                               std::to_string(scans.size()) +
                                               " scans: name a folder, or files after the scans, such as '{scan}" +
                                               fs::path(output).extension().string() + "'");
    std::vector<BatchItem> items;
    std::map<fs::path, std::string> taken;
    for (const std::string& scan : scans) {
        const std::string name = resultName(scan);
        std::string to = output;
        for (std::size_t at = 0; (at = to.find(scanPlaceholder, at)) != std::string::npos; at += name.size())
            to.replace(at, std::string_view(scanPlaceholder).size(), name);
        if (many && !isNamed)
            to = fs::path(to) / name;
        if (const auto [other, isFree] = taken.try_emplace(fs::path(to).lexically_normal(), scan); !isFree)
            throw Error(ErrorKind::badRequest, "'" + other->second + "' and '" + scan + "' would both go to '" + to +
                                                   "'; reconstruct one of them by itself");
        // Said once, and before any work; a folder of TIFFs is made.
        if (const fs::path folder = fs::path(to).parent_path();
            many && outputKindOf(to) != OutputKind::folder && !folder.empty() && !fs::is_directory(folder))
            throw Error(ErrorKind::output,
                        "There is no folder '" + folder.string() + "' for '" + to + "': make it first.");
        items.push_back({scan, to});
    }
    return items;
}

namespace
{

// The same for scans that fail alike: names of this one and of its output, quoted or not, become "…".
std::string withoutNames(std::string text, const BatchItem& item)
{
    constexpr std::string_view gap = "…";
    const auto isPartOfWord = [&](std::size_t place) {
        return place < text.size() && std::isalnum(static_cast<unsigned char>(text[place])) != 0;
    };
    for (const std::string& name : {item.output, item.scan, fs::path(item.scan).filename().string()})
        for (std::size_t at = 0; !name.empty() && (at = text.find(name, at)) != std::string::npos; at += gap.size()) {
            if (isPartOfWord(at + name.size()) || (at > 0 && isPartOfWord(at - 1))) // by chance
                continue;
            std::size_t end = at + name.size();
            if (at > 0 && text[at - 1] == '\'') // with what is in that folder
                end = std::min(text.find('\'', end), text.size());
            text.replace(at, end - at, gap);
        }
    return text;
}

} // namespace

std::vector<BatchFailure> failuresOf(const std::vector<BatchResult>& results)
{
    std::vector<BatchFailure> failures;
    std::map<std::string, std::size_t> known; // by what is said of all of them
    for (const BatchResult& result : results) {
        if (!result.failure)
            continue;
        const std::string common = withoutNames(result.error, result.item);
        const auto [at, isNew] = known.try_emplace(common, failures.size());
        if (isNew)
            failures.push_back({result.error, {}});
        BatchFailure& failure = failures[at->second];
        if (failure.error != result.error)
            failure.error = common;
        failure.scans.push_back(result.item.scan);
    }
    return failures;
}

std::string batchJson(const std::vector<BatchResult>& results)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const BatchResult& result : results) {
        nlohmann::ordered_json one = {{"scan", result.item.scan},
                                      {"output", result.item.output},
                                      {"seconds", result.seconds},
                                      {"done", !result.failure}};
        if (result.failure)
            one["error"] = result.error;
        else if (result.wasThere)
            one["wasThere"] = true;
        if (result.wasNamed)
            one["wasNamed"] = true;
        if (!result.failure && !result.wasThere)
            one["report"] = nlohmann::ordered_json::parse(result.report);
        list.push_back(std::move(one));
    }
    return dumped({{"results", std::move(list)}});
}

int exitStatus(const std::vector<BatchResult>& results)
{
    int status = 0;
    for (const BatchResult& result : results)
        if (result.failure)
            status = status == 0 ? exitStatus(*result.failure) : std::min(status, exitStatus(*result.failure));
    return status;
}

} // namespace engine

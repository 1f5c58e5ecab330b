// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/batch.h"

#include "engine/base/json_text.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/volume/write_volume.h"

#include <algorithm>
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
        throw Error(ErrorKind::badRequest,
                    fileText(output) + " is one file, but there are " + std::to_string(scans.size()) +
                        " scans: give a folder, or name the files after the scans, such as '{scan}" +
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
            throw Error(ErrorKind::badRequest, "'" + other->second + "' and '" + scan + "' would both be written to '" +
                                                   to + "'; reconstruct one of them separately");
        // Reports a missing folder before any work starts. Folders of TIFFs are created, so they may be missing.
        if (const fs::path folder = fs::path(to).parent_path();
            many && outputKindOf(to) != OutputKind::folder && !folder.empty() && !fs::is_directory(folder))
            throw Error(ErrorKind::output, "There is no folder " + fileText(folder.string()) + " for '" + to +
                                               "': create the folder first.");
        items.push_back({scan, to});
    }
    return items;
}

namespace
{

// Returns whether a file is the scan or the output of this item, or lies inside one of them.
bool isOf(const std::string& file, const BatchItem& item)
{
    const auto isIn = [&](const std::string& path) {
        return !path.empty() && file.starts_with(path) && (file.size() == path.size() || file[path.size()] == '/');
    };
    return isIn(item.scan) || isIn(item.output) || file == fs::path(item.scan).filename().string();
}

// Replaces the names of the item's own files by "…", so that equal failures of several scans have equal texts.
Text withoutFiles(const Text& text, const BatchItem& item)
{
    Text common;
    for (const Text::Part& part : text.parts())
        common += part.kind == Text::Kind::file && isOf(part.text, item) ? fileText("…") : Text(part);
    return common;
}

} // namespace

Text besideItsName(const Text& error, const BatchItem& item)
{
    const std::vector<Text::Part>& parts = error.parts();
    if (parts.size() < 2 || parts.front().kind != Text::Kind::file || parts.front().text != item.scan)
        return error;
    const bool isPlace = parts[1].text.starts_with(": "); // e.g. "a.h5: the data set …", which needs no "it"
    Text text(isPlace ? parts[1].text.substr(2) : "it" + parts[1].text);
    for (std::size_t k = 2; k < parts.size(); ++k)
        text += Text(parts[k]);
    return text;
}

std::vector<BatchFailure> failuresOf(const std::vector<BatchResult>& results)
{
    std::vector<BatchFailure> failures;
    std::map<std::string, std::size_t> known; // by error text without file names
    for (const BatchResult& result : results) {
        if (!result.failure)
            continue;
        const Text own = besideItsName(result.error, result.item), common = withoutFiles(own, result.item);
        const auto [at, isNew] = known.try_emplace(common.plain(), failures.size());
        if (isNew)
            failures.push_back({own, {}});
        BatchFailure& failure = failures[at->second];
        if (failure.error != own)
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
            one["error"] = result.error.in(commandLineStyle());
        else if (result.wasThere)
            one["wasThere"] = true;
        if (result.wasNamed)
            one["wasNamed"] = true;
        if (!result.failure)
            one["doubted"] = !result.doubts.empty();
        if (!result.failure && !result.wasThere)
            one["report"] = nlohmann::ordered_json::parse(result.report);
        list.push_back(std::move(one));
    }
    return dumped({{"results", std::move(list)}});
}

int exitStatus(const std::vector<BatchResult>& results, bool isStrict)
{
    int status = 0;
    for (const BatchResult& result : results)
        if (result.failure)
            status = status == 0 ? exitStatus(*result.failure) : std::min(status, exitStatus(*result.failure));
    const bool isDoubted =
        std::ranges::any_of(results, [](const BatchResult& result) { return !result.doubts.empty(); });
    return status == 0 && isStrict && isDoubted ? doubtedStatus : status;
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/slices/foreign_slices.h"

#include "engine/base/json_text.h"
#include "engine/io/files/folder_entries.h"
#include "engine/io/slices/slice_writer_impl.h"
#include "engine/io/tiff/tiff_file.h"

#include <set>
#include <system_error>

namespace engine
{

namespace fs = std::filesystem;
using nlohmann::literals::operator""_json_pointer;

namespace
{

// Returns the configuration without warnings, and without the number of slices per pass, which follows from how many
// slices were asked for.
nlohmann::ordered_json numbersOf(const std::string& configuration)
{
    auto json = parsedJson(configuration);
    if (json.is_object())
        json.erase("warnings");
    if (json.is_object() && json.contains("/madeOf/setting/slicesPerPass"_json_pointer))
        json["madeOf"]["setting"].erase("slicesPerPass");
    return json;
}

} // namespace

std::string mixedSlicesText(const fs::path& folder, const SliceNames& names, RowRange slices, const std::string& madeOf)
{
    std::set<std::string> ours, same, others;
    for (int k = 0; k < slices.count; ++k)
        ours.insert(names.of(slices.first + k));
    std::error_code unreadable;
    for (const FolderEntry& entry : entriesOf(folder, unreadable)) {
        const std::string there = entry.path.filename().string();
        if (entry.isFile() && hasTiffSuffix(entry.path) && !there.starts_with('.') && !ours.contains(there) &&
            !names.isOtherPlane(there))
            (names.numberIn(there) ? same : others).insert(there);
    }
    if (!same.empty() && !madeOf.empty()) {
        const int slice = *names.numberIn(*same.begin());
        if (numbersOf(storedConfiguration(folder, names, {slice, 1})) != numbersOf("{\"madeOf\":" + madeOf + "}"))
            others.merge(same);
    }
    if (others.empty())
        return {};
    const bool one = others.size() == 1;
    return "The folder has " + std::string(one ? "a TIFF" : std::to_string(others.size()) + " TIFFs") +
           " of other volumes or other settings: '" + *others.begin() +
           (one ? "'" : "' to '" + *others.rbegin() + "'") +
           ". Programs that read the folder merge them all into one volume; name a folder that holds nothing else.";
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/open/readers.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/open/reader_rows.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace engine
{

namespace fs = std::filesystem;

std::span<const Reader> readers()
{
    static const auto table = readerRows();
    return table;
}

const Reader* readerFor(const Candidate& candidate)
{
    for (const Reader& reader : readers())
        if (reader.asked && reader.asked(candidate.options()))
            return &reader;
    const Reader* surest = nullptr;
    Sure highest = Sure::no;
    for (const Reader& reader : readers()) {
        if (!reader.recognises || reader.surest <= highest)
            continue; // examining the groups of a large file may take long
        const Sure sure = reader.recognises(candidate);
        if (sure > highest) {
            highest = sure;
            surest = &reader;
        }
    }
    return surest;
}

namespace
{

template <typename Value>
void addOnce(std::vector<Value>& values, const Value& value)
{
    if (std::find(values.begin(), values.end(), value) == values.end())
        values.push_back(value);
}

// Returns "HDF5 file (DXchange or NXtomo)": the container, and its formats that are recognised by a mark and have
// another name.
std::string filesInWords(const Container& container)
{
    std::vector<std::string> formats;
    for (const Reader& reader : readers())
        if (reader.container == &container && reader.mark && std::string(reader.label) != container.label)
            formats.push_back(reader.label);
    return std::string(container.label) + " file" + (formats.empty() ? "" : " (" + listed(formats, " or ") + ")");
}

} // namespace

const Reader* alternativeFor(const fs::path& path, const OpenOptions& options)
{
    const std::string name = lowerCase(path.filename().string());
    for (const Reader& reader : readers()) {
        const auto hasSuffix = [&](const std::string& suffix) { return name.ends_with(suffix); };
        if (reader.ask && !reader.asked(options) && std::ranges::any_of(suffixesOf(reader), hasSuffix))
            return &reader;
    }
    return nullptr;
}

std::vector<const Container*> containers()
{
    std::vector<const Container*> found;
    for (const Reader& reader : readers())
        if (reader.container)
            addOnce(found, reader.container);
    return found;
}

const Container* containerOf(const fs::path& file)
{
    for (const Container* container : containers())
        if (container->recognises(file))
            return container;
    return nullptr;
}

std::vector<std::string> suffixesOf(const Reader& reader)
{
    std::vector<std::string> suffixes;
    if (reader.container)
        suffixes.assign(reader.container->suffixes.begin(), reader.container->suffixes.end());
    suffixes.insert(suffixes.end(), reader.suffixes.begin(), reader.suffixes.end());
    return suffixes;
}

std::vector<std::string> scanSuffixes()
{
    std::vector<std::string> suffixes;
    for (const Reader& reader : readers())
        for (const std::string& suffix : suffixesOf(reader))
            addOnce(suffixes, suffix);
    return suffixes;
}

std::string withoutSuffix(const std::string& name)
{
    for (const std::string& suffix : scanSuffixes())
        if (lowerCase(name).ends_with(suffix))
            return name.substr(0, name.size() - suffix.size());
    return name;
}

std::string scansInWords(bool layouts)
{
    std::vector<std::string> forms;
    for (const Reader& reader : readers()) {
        if (reader.container)
            addOnce(forms, filesInWords(*reader.container));
        else if (layouts || !reader.asked || reader.ask)
            forms.push_back(std::string(reader.label) + " file");
        if (reader.folders)
            forms.push_back(reader.folders);
    }
    return listed(forms, ", or ");
}

} // namespace engine

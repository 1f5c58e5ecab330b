// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/hdf5_plugins.h"

#include "engine/io/files/folder_entries.h"

#include <dlfcn.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace engine
{

namespace
{

// Numbers of filters as registered by the HDF Group.
constexpr std::array known = {307 /* bzip2 */, 32000 /* LZF */, 32001 /* Blosc */, 32026 /* Blosc2 */};

// Returns the folders in which HDF5 looks for plug-ins.
std::vector<std::filesystem::path> folders()
{
    const char* const given = std::getenv("HDF5_PLUGIN_PATH");
    std::vector<std::filesystem::path> found;
    std::istringstream all(given ? given : H5_DEFAULT_PLUGINDIR);
    for (std::string folder; std::getline(all, folder, ':');)
        if (!folder.empty())
            found.emplace_back(folder);
    return found;
}

// Loads a plug-in if it is a known filter, and leaves it loaded: HDF5 also keeps it open once it is used.
const H5Z_class2_t* filterIn(const std::filesystem::path& file)
{
    void* library = ::dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return nullptr;
    using Type = H5PL_type_t (*)();
    using Info = const void* (*)();
    const auto type = reinterpret_cast<Type>(::dlsym(library, "H5PLget_plugin_type"));
    const auto info = reinterpret_cast<Info>(::dlsym(library, "H5PLget_plugin_info"));
    if (type && info && type() == H5PL_TYPE_FILTER)
        if (const auto* filter = static_cast<const H5Z_class2_t*>(info());
            filter && filter->filter && std::ranges::find(known, filter->id) != known.end())
            return filter;
    ::dlclose(library);
    return nullptr;
}

std::map<int, PluginFilter> findAll()
{
    std::map<int, PluginFilter> found;
    for (const std::filesystem::path& folder : folders()) {
        std::error_code unreadable;
        for (const FolderEntry& entry : entriesOf(folder, unreadable))
            if (entry.path.filename().string().find(".so") != std::string::npos)
                if (const H5Z_class2_t* filter = filterIn(entry.path))
                    found.try_emplace(filter->id, filter->filter); // the first one found, as in HDF5
    }
    return found;
}

} // namespace

PluginFilter pluginFilter(int id)
{
    static const std::map<int, PluginFilter> all = findAll();
    const auto found = all.find(id);
    return found == all.end() ? nullptr : found->second;
}

std::string howToInstall(int id, const std::string& name)
{
    struct Known {
        int id;
        const char *name, *package; // package: of Debian and Ubuntu; null if there is none
    };
    static constexpr Known all[] = {{307, "bzip2", "hdf5-filter-plugin"},
                                    {32000, "LZF", "hdf5-plugin-lzf"},
                                    {32001, "Blosc", "hdf5-filter-plugin-blosc-serial"},
                                    {32004, "LZ4", "hdf5-filter-plugin"},
                                    {32008, "bitshuffle", nullptr},
                                    {32013, "ZFP", "hdf5-filter-plugin-zfp-serial"},
                                    {32015, "Zstandard", nullptr},
                                    {32017, "SZ", nullptr},
                                    {32018, "FCIDECOMP", nullptr},
                                    {32026, "Blosc2", nullptr}};
    const auto* known = std::ranges::find(all, id, &Known::id);
    const std::string number = std::to_string(id), missing = ", a filter that is not installed here. Install ";
    if (known == std::end(all))
        return (name.empty() ? "" : name + " ") + "number " + number + missing +
               "its HDF5 plug-in and set HDF5_PLUGIN_PATH to its folder.";
    std::string where = known->package ? "Debian's package " + std::string(known->package) : "";
    if (id != 32000) // the only one that is not in hdf5plugin
        where += std::string(known->package ? ", or " : "") +
                 "Python's package hdf5plugin and set HDF5_PLUGIN_PATH to its folder 'plugins'";
    return std::string(known->name) + " (" + number + ")" + missing + where + ".";
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/filter_packages.h"

#include <algorithm>
#include <iterator>

namespace engine
{

std::string howToInstall(int id, const std::string& name)
{
    struct Known {
        int id;
        const char *name, *package; // package: of Debian and Ubuntu; null if there is none
    };
    static constexpr Known all[] = {{307, "bzip2", "hdf5-filter-plugin"},
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
    where += std::string(known->package ? ", or " : "") +
             "Python's package hdf5plugin and set HDF5_PLUGIN_PATH to its folder 'plugins'";
    return std::string(known->name) + " (" + number + ")" + missing + where + ".";
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/chunk_filters.h"

#include "engine/base/error.h"
#include "engine/io/hdf5/hdf5_library.h"

#include <hdf5.h>

#include <array>
#include <utility>

namespace engine
{

namespace
{

std::string filterName(H5Z_filter_t id, const char* stored)
{
    static constexpr std::pair<H5Z_filter_t, const char*> known[] = {
        {307, "bzip2"}, {32000, "LZF"},       {32001, "Blosc"}, {32004, "LZ4"},    {32008, "bitshuffle"},
        {32013, "ZFP"}, {32015, "Zstandard"}, {32017, "SZ"},    {32026, "Blosc2"}, {32018, "FCIDECOMP"}};
    for (const auto& [number, name] : known)
        if (number == id)
            return std::string(name) + " (" + std::to_string(id) + ")";
    return (*stored ? std::string(stored) + " " : "") + "number " + std::to_string(id);
}

// Names HDF5's built-in filters that only HDF5 can reverse, and for which it reads past the end of chunks that are
// too short (1.10.8); null for other filters.
const char* uncheckedFilter(H5Z_filter_t id)
{
    switch (id) {
    case H5Z_FILTER_SZIP:
        return "szip";
    case H5Z_FILTER_NBIT:
        return "n-bit";
    case H5Z_FILTER_SCALEOFFSET:
        return "scale-offset";
    default:
        return nullptr;
    }
}

} // namespace

void requireFilters(std::int64_t plist, const std::filesystem::path& file, const std::string& path,
                    LibraryAccess& access)
{
    const int count = H5Pget_nfilters(plist);
    for (int i = 0; i < count; ++i) {
        unsigned flags = 0, config = 0;
        std::size_t values = 0;
        std::array<char, 128> name{};
        const H5Z_filter_t id = H5Pget_filter2(plist, static_cast<unsigned>(i), &flags, &values, nullptr,
                                               name.size() - 1, name.data(), &config);
        if (const char* unchecked = uncheckedFilter(id))
            throw Error(ErrorKind::badFile,
                        fileText(file.string()) + ": the data set " + path + " is compressed with the filter " +
                            unchecked +
                            ", which can't detect damaged chunks. Convert the file: 'h5repack -f GZIP=1 OLD NEW'.");
        if (id >= H5Z_FILTER_RESERVED && !access.decodes(id))
            throw Error(ErrorKind::badFile, fileText(file.string()) + ": the data set " + path +
                                                " is compressed with " + filterName(id, name.data()) +
                                                ", a filter that is not installed here. Install its HDF5 plug-in and "
                                                "set HDF5_PLUGIN_PATH to its folder.");
    }
}

std::optional<std::vector<ChunkFilter>> chunkFilters(std::int64_t dataset)
{
    const Hdf5Handle plist(H5Dget_create_plist(dataset), H5Pclose);
    if (H5Pget_layout(plist.id()) != H5D_CHUNKED)
        return {};
    std::vector<ChunkFilter> filters;
    bool isCompressed = false; // then only a checksum may follow, as the length is unknown
    for (int k = 0; k < H5Pget_nfilters(plist.id()); ++k) {
        unsigned flags = 0, config = 0;
        std::array<unsigned, 64> parameters{};
        std::size_t count = parameters.size();
        const H5Z_filter_t id = H5Pget_filter2(plist.id(), static_cast<unsigned>(k), &flags, &count, parameters.data(),
                                               0, nullptr, &config);
        if (id == H5Z_FILTER_FLETCHER32) {
            filters.push_back({ChunkFilter::Kind::checksum});
            continue;
        }
        if (isCompressed)
            return {};
        isCompressed = id != H5Z_FILTER_SHUFFLE;
        if (id == H5Z_FILTER_SHUFFLE)
            filters.push_back({ChunkFilter::Kind::shuffle});
        else if (id == H5Z_FILTER_DEFLATE)
            filters.push_back({ChunkFilter::Kind::deflate});
        else if (id >= H5Z_FILTER_RESERVED && count <= parameters.size())
            filters.push_back(
                {.kind = ChunkFilter::Kind::plugin,
                 .parameters = {parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(count)},
                 .id = id});
        else
            return {};
    }
    return filters;
}

} // namespace engine

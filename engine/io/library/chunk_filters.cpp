// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/chunk_filters.h"

#include "engine/base/error.h"
#include "engine/io/hdf5/block_filters.h"
#include "engine/io/hdf5/filter_packages.h"
#include "engine/io/hdf5/hdf5_library.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace engine
{

namespace
{

struct AppliedFilter {
    H5Z_filter_t id;
    std::string name;
    std::size_t count;                // of its parameters
    std::vector<unsigned> parameters; // the first 64
};

std::vector<AppliedFilter> filtersOf(hid_t plist)
{
    std::vector<AppliedFilter> filters;
    for (int k = 0; k < H5Pget_nfilters(plist); ++k) {
        unsigned flags = 0, config = 0;
        std::array<unsigned, 64> parameters{};
        std::array<char, 128> name{};
        std::size_t count = parameters.size();
        const H5Z_filter_t id = H5Pget_filter2(plist, static_cast<unsigned>(k), &flags, &count, parameters.data(),
                                               name.size() - 1, name.data(), &config);
        const auto known = static_cast<std::ptrdiff_t>(std::min(count, parameters.size()));
        filters.push_back({id, name.data(), count, {parameters.begin(), parameters.begin() + known}});
    }
    return filters;
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

// Returns nothing if only HDF5 can reverse the filters.
std::optional<std::vector<ChunkFilter>> decodable(const std::vector<AppliedFilter>& applied)
{
    std::vector<ChunkFilter> filters;
    bool isCompressed = false; // then only a checksum may follow, as the length is unknown
    for (const auto& [id, name, count, parameters] : applied) {
        if (id == H5Z_FILTER_FLETCHER32) {
            filters.push_back({ChunkFilter::Kind::checksum});
            continue;
        }
        if (isCompressed || count > parameters.size())
            return {};
        if (id == H5Z_FILTER_SHUFFLE)
            filters.push_back({ChunkFilter::Kind::shuffle});
        else if (id == H5Z_FILTER_DEFLATE)
            filters.push_back({ChunkFilter::Kind::deflate});
        else if (auto filter = blockFilter(id, parameters))
            filters.push_back(*std::move(filter));
        else if (id >= H5Z_FILTER_RESERVED)
            filters.push_back({.kind = ChunkFilter::Kind::plugin, .parameters = parameters, .id = id, .name = name});
        else
            return {};
        isCompressed = id != H5Z_FILTER_SHUFFLE && filters.back().kind != ChunkFilter::Kind::bitshuffle;
    }
    return filters;
}

} // namespace

std::string lackingFilter(std::int64_t dataset)
{
    const Hdf5Handle plist(H5Dget_create_plist(dataset), H5Pclose);
    for (const AppliedFilter& filter : filtersOf(plist.id()))
        if (filter.id >= H5Z_FILTER_RESERVED)
            return howToInstall(filter.id, filter.name);
    return {};
}

void requireFilters(std::int64_t dataset, const std::filesystem::path& file, const std::string& path)
{
    const Hdf5Handle plist(H5Dget_create_plist(dataset), H5Pclose), type(H5Dget_type(dataset), H5Tclose);
    const std::vector<AppliedFilter> filters = filtersOf(plist.id());
    const Text isCompressed = fileText(file.string()) + ": the data set " + path + " is compressed with ";
    for (const AppliedFilter& filter : filters)
        if (const char* unchecked = uncheckedFilter(filter.id))
            throw Error(ErrorKind::badFile, isCompressed + "the filter " + unchecked +
                                                ", which can't detect damaged chunks. Convert the file: 'h5repack -f "
                                                "GZIP=1 OLD NEW'.");
    const bool isByHdf5 = H5Tis_variable_str(type.id()) > 0 || !decodable(filters); // a text is outside the chunks
    if (const std::string lacking = isByHdf5 ? lackingFilter(dataset) : ""; !lacking.empty())
        throw Error(ErrorKind::badFile, isCompressed + lacking);
}

std::optional<std::vector<ChunkFilter>> chunkFilters(std::int64_t dataset)
{
    const Hdf5Handle plist(H5Dget_create_plist(dataset), H5Pclose);
    if (H5Pget_layout(plist.id()) != H5D_CHUNKED)
        return {};
    return decodable(filtersOf(plist.id()));
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/virtual_chunks.h"

#include "engine/base/error.h"
#include "engine/io/hdf5/hdf5_library.h"
#include "engine/io/library/library_gaps.h"
#include "engine/io/library/library_sources.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <optional>

namespace engine
{

namespace
{

// The box around a selection; nothing if it is everything, or unlimited.
std::optional<NumberBlock> boundsOf(hid_t space)
{
    const int rank = H5Sget_simple_extent_ndims(space);
    std::vector<hsize_t> first(static_cast<std::size_t>(std::max(rank, 0))), last(first);
    if (first.empty() || H5Sget_select_type(space) != H5S_SEL_HYPERSLABS ||
        H5Sget_select_bounds(space, first.data(), last.data()) < 0)
        return {};
    NumberBlock box{{first.begin(), first.end()}, {}};
    for (std::size_t d = 0; d < first.size(); ++d)
        box.count.push_back(static_cast<long long>(last[d] - first[d]) + 1);
    return box;
}

bool overlap(const NumberBlock& a, const NumberBlock& b)
{
    for (std::size_t d = 0; d < a.first.size(); ++d)
        if (a.first[d] >= b.first[d] + b.count[d] || b.first[d] >= a.first[d] + a.count[d])
            return false;
    return true;
}

// Returns whether the selection takes every step of its bounds along the slowest dimension.
bool takesEveryStep(hid_t space, long long steps)
{
    const int rank = H5Sget_simple_extent_ndims(space);
    std::vector<hsize_t> start(static_cast<std::size_t>(rank)), stride(start), count(start), block(start);
    return H5Sis_regular_hyperslab(space) > 0 &&
           H5Sget_regular_hyperslab(space, start.data(), stride.data(), count.data(), block.data()) >= 0 &&
           static_cast<long long>(count[0] * block[0]) == steps;
}

} // namespace

VirtualChunks::VirtualChunks(std::int64_t dataset, std::filesystem::path file, LibraryAccess& access)
    : m_file(std::move(file)), m_access(access)
{
    const Hdf5Handle plist = withMemory(H5Dget_create_plist(dataset), H5Pclose);
    std::size_t mappings = 0;
    if (H5Pget_layout(plist.id()) != H5D_VIRTUAL || H5Pget_virtual_count(plist.id(), &mappings) < 0)
        return;
    for (std::size_t k = 0; k < mappings; ++k) {
        Hdf5Handle to(H5Pget_virtual_vspace(plist.id(), k), H5Sclose);
        const Hdf5Handle from(H5Pget_virtual_srcspace(plist.id(), k), H5Sclose);
        std::array<char, 4096> name{}, object{};
        if (H5Pget_virtual_filename(plist.id(), k, name.data(), name.size()) <= 0 ||
            H5Pget_virtual_dsetname(plist.id(), k, object.data(), object.size()) <= 0)
            continue;
        Mapping mapping{name.data(), object.data(), boundsOf(to.id()), boundsOf(from.id()).value_or(NumberBlock())};
        if (mapping.target && !mapping.part.first.empty()) {
            const long long steps = mapping.part.count[0];
            mapping.isStepwise =
                mapping.target->count[0] == steps && takesEveryStep(to.id(), steps) && takesEveryStep(from.id(), steps);
        }
        if (mapping.file.find('%') != std::string::npos)
            mapping.space = std::move(to);
        m_mappings.push_back(std::move(mapping));
    }
}

void VirtualChunks::requireWhole(const NumberBlock& block)
{
    for (const Mapping& mapping : m_mappings) {
        const std::optional<NumberBlock>& target = mapping.target;
        if (target && target->first.size() == block.first.size() && !overlap(*target, block))
            continue;
        NumberBlock part = mapping.part;
        if (mapping.isStepwise) {
            const long long first = std::max(0LL, block.first[0] - target->first[0]);
            const long long end = std::min(part.count[0], block.first[0] + block.count[0] - target->first[0]);
            part.first[0] += first;
            part.count[0] = end - first;
        }
        for (const std::string& file : numberedSources(mapping.file, mapping.space.id(), block))
            if (file == ".")
                check(m_file, mapping.path, part);
            else if (const auto places = placesOf(file, m_file.parent_path()); !places.empty())
                check(places.front(), mapping.path, part);
    }
}

void VirtualChunks::check(const std::filesystem::path& file, const std::string& path, NumberBlock part)
{
    Source& source = sourceAt(file, path);
    const LibraryDataset& dataset = source.dataset;
    const std::vector<long long>& shape = dataset.facts().shape;
    const std::vector<long long>& edges = dataset.facts().chunk;
    if (part.first.size() != shape.size())
        part = {std::vector<long long>(shape.size()), shape};
    dataset.requireWhole(part);
    if (edges.empty() || std::ranges::any_of(part.count, [](long long count) { return count < 1; }))
        return;
    std::optional<ChunkDecoder> decoder = dataset.decoder();
    forChunks(part, edges, [&](const std::vector<long long>& chunk, const NumberBlock&) {
        if (!decoder || source.whole.contains(chunk))
            return;
        decoder->at(chunk);
        source.whole.insert(chunk); // not before: a chunk that is refused is checked again
    });
}

VirtualChunks::Source& VirtualChunks::sourceAt(const std::filesystem::path& file, const std::string& path)
{
    const auto known = m_sources.find({file, path});
    if (known != m_sources.end())
        return known->second;
    LibraryDataset dataset = LibraryFile(file, m_access).dataset(path);
    if (const std::string lacking = dataset.lackingFilter(); !lacking.empty())
        throw Error(ErrorKind::badFile, fileText(m_file.string()) +
                                            ": the virtual data set can't be read. HDF5 itself must assemble it, and " +
                                            path + ", a source of it, is compressed with " + lacking);
    return m_sources.try_emplace({file, path}, Source{std::move(dataset), {}}).first->second;
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/library_file.h"

#include "engine/base/error.h"
#include "engine/io/hdf5/chunk_decoder.h"
#include "engine/io/library/chunk_filters.h"
#include "engine/io/library/library_dataset_impl.h"
#include "engine/io/library/library_gaps.h"
#include "engine/io/library/library_nodes.h"
#include "engine/io/library/library_sources.h"
#include "engine/io/library/library_storage.h"
#include "engine/io/library/library_text.h"

#include <hdf5.h>

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <utility>

namespace engine
{

struct LibraryFile::Impl {
    std::filesystem::path path;
    std::shared_ptr<Hdf5Inputs> inputs;
    Hdf5Handle file;
    mutable std::map<int, Hdf5Nodes> nodes;    // by depth; under the guard
    mutable std::map<std::string, Node> kinds; // by path; under the guard

    Node kindOf(const std::string& at) const
    {
        std::string before = "/";
        for (const std::string& prefix : prefixes(at)) {
            const std::string parent = std::exchange(before, prefix);
            if (const auto known = kinds.find(prefix); known != kinds.end() && known->second == Node::group)
                continue;
            const int found = H5Lexists(file.id(), prefix.c_str(), H5P_DEFAULT);
            const std::string message = found < 0 ? hdf5Message() : "";
            const bool isThere = isYes(found);
            const bool leadsOn = isThere && isYes(H5Oexists_by_name(file.id(), prefix.c_str(), H5P_DEFAULT));
            requireRead();
            if (found < 0 && typeOf(parent) == H5I_GROUP)
                failDamaged(parent, message);
            if (!leadsOn)
                return isThere ? Node::broken : Node::none;
        }
        const H5I_type_t type = typeOf(at);
        return type == H5I_GROUP ? Node::group : type == H5I_DATASET ? Node::dataset : Node::none;
    }

    // Returns the type of the object at the path, following links. Throws Error(badFile).
    H5I_type_t typeOf(const std::string& at) const
    {
        const Hdf5Handle object = withMemory(H5Oopen(file.id(), at.c_str(), H5P_DEFAULT), H5Oclose);
        const std::string message = object ? "" : hdf5Message();
        requireRead();
        if (!object)
            failDamaged(at, message);
        return H5Iget_type(object.id());
    }

    [[noreturn]] void failDamaged(const std::string& at, const std::string& message) const
    {
        throw Error(ErrorKind::badFile, fileText(path.string()) + ": " + at + " can't be opened (" + message +
                                            "). The file is damaged, or still being written.");
    }

    // Throws if a read failed: what couldn't be read may be in the file all the same.
    void requireRead() const
    {
        if (inputs->noMemory)
            throw std::bad_alloc();
        if (!inputs->failure.empty())
            throw Error(ErrorKind::badFile, inputs->failure);
    }
    ~Impl()
    {
        Hdf5Guard guard;
        file.close();
    }
};

namespace
{

[[noreturn]] void fail(const std::filesystem::path& file, const Text& what)
{
    throw Error(ErrorKind::badFile, fileText(file.string()) + ": " + what);
}

// Reports a file that HDF5 can't open. For a truncated file, `refusal` is HDF5's message "truncated file: eof = 800,
// sblock->base_addr = 0, stored_eof = 2048".
[[noreturn]] void failToOpen(const std::filesystem::path& file, const std::string& refusal)
{
    const std::string mark = "stored_eof = ";
    const std::size_t at = refusal.find(mark);
    std::error_code unreadable;
    const std::uintmax_t there = std::filesystem::file_size(file, unreadable);
    if (at == std::string::npos || unreadable)
        fail(file, "HDF5 can't open this file (" + refusal + "). It may be truncated or still being written.");
    const std::string all = refusal.substr(at + mark.size());
    throw Error(ErrorKind::badFile, fileText(file.string()) + " is incomplete: " + std::to_string(there) + " of " +
                                        all.substr(0, all.find_first_not_of("0123456789")) +
                                        " bytes are there. It was cut off, or is still being written or copied.");
}

std::vector<long long> toShape(const std::vector<hsize_t>& dims)
{
    return {dims.begin(), dims.end()};
}

bool areEdgesFiltered(hid_t plist)
{
    unsigned options = 0;
    return H5Pget_chunk_opts(plist, &options) < 0 || (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) == 0;
}

double fillValueOf(hid_t plist)
{
    double value = 0;
    H5D_fill_value_t known = H5D_FILL_VALUE_UNDEFINED;
    const bool isKnown = H5Pfill_value_defined(plist, &known) >= 0 && known != H5D_FILL_VALUE_UNDEFINED &&
                         H5Pget_fill_value(plist, H5T_NATIVE_DOUBLE, &value) >= 0;
    return isKnown ? value : 0;
}

} // namespace

LibraryFile::LibraryFile(const std::filesystem::path& path, LibraryAccess& access)
{
    Hdf5Guard guard;
    auto impl = std::make_shared<Impl>();
    impl->path = path;
    impl->inputs = std::make_shared<Hdf5Inputs>(path, access);
    impl->file = openHdf5(impl->inputs, path);
    impl->requireRead();
    if (!impl->file)
        failToOpen(path, impl->inputs->refusal);
    m_impl = std::move(impl);
}

LibraryFile::Node LibraryFile::node(const std::string& path) const
{
    Hdf5Guard guard;
    const auto known = m_impl->kinds.find(path);
    return known != m_impl->kinds.end() ? known->second : m_impl->kinds[path] = m_impl->kindOf(path);
}

std::vector<std::string> LibraryFile::children(const std::string& group) const
{
    Hdf5Guard guard;
    std::vector<std::string> names;
    Hdf5Handle handle(H5Gopen2(m_impl->file.id(), group.c_str(), H5P_DEFAULT), H5Gclose);
    if (!handle)
        return names;
    const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
        static_cast<std::vector<std::string>*>(data)->push_back(name);
        return 0;
    };
    hsize_t at = 0;
    H5Literate(handle.id(), H5_INDEX_NAME, H5_ITER_INC, &at, collect, &names);
    m_impl->requireRead();
    return names;
}

const Hdf5Nodes& LibraryFile::nodes(int depth) const
{
    Hdf5Guard guard;
    const auto [found, isNew] = m_impl->nodes.try_emplace(depth);
    if (isNew)
        found->second = nodesOf(m_impl->file.id(), depth);
    m_impl->requireRead();
    for (const std::string& group : found->second.groups)
        m_impl->kinds.try_emplace(group, Node::group);
    for (const std::string& set : found->second.datasets)
        m_impl->kinds.try_emplace(set, Node::dataset);
    return found->second;
}

LibraryDataset LibraryFile::dataset(const std::string& path) const
{
    const Node kind = node(path);
    if (kind == Node::none) {
        constexpr int depth = 8;
        const auto nameOf = [](const std::string& any) { return any.substr(any.rfind('/') + 1); };
        const std::vector<std::string>& all = nodes(depth).datasets;
        const auto same = std::ranges::find(all, nameOf(path), nameOf);
        fail(m_impl->path,
             "there is no data set " + path + "." + (same == all.end() ? "" : " Did you mean " + *same + "?"));
    }
    if (kind == Node::broken)
        fail(m_impl->path, "the data set " + path + " can't be read: " + whyBroken(path));
    if (kind == Node::group)
        fail(m_impl->path, path + " is a group, not a data set.");

    Hdf5Guard guard;
    auto impl = std::make_shared<LibraryDataset::Impl>();
    impl->file = m_impl;
    impl->inputs = m_impl->inputs;
    DatasetFacts& facts = impl->facts;
    facts.file = m_impl->path;
    facts.path = path;
    impl->dataset = withMemory(H5Dopen2(m_impl->file.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
    m_impl->requireRead();
    if (!impl->dataset)
        fail(m_impl->path, "the data set " + path + " can't be opened (" + hdf5Message() + ").");
    const Hdf5Handle type = withMemory(H5Dget_type(impl->dataset.id()), H5Tclose);
    const Hdf5Handle space = withMemory(H5Dget_space(impl->dataset.id()), H5Sclose);
    const Hdf5Handle plist = withMemory(H5Dget_create_plist(impl->dataset.id()), H5Pclose);
    facts.sampleType = sampleTypeOf(type.id());
    const int rank = std::max(0, H5Sget_simple_extent_ndims(space.id()));
    std::vector<hsize_t> dims(static_cast<std::size_t>(rank)), most(dims);
    H5Sget_simple_extent_dims(space.id(), dims.data(), most.data());
    facts.shape = toShape(dims);
    facts.canGrow = rank > 0 && most[0] > dims[0];
    if (H5Pget_layout(plist.id()) == H5D_CHUNKED && H5Pget_chunk(plist.id(), rank, dims.data()) == rank)
        facts.chunk = toShape(dims);
    std::set<std::filesystem::path> files = sourcesOf(m_impl->file.id(), m_impl->inputs, path);
    m_impl->requireRead();
    facts.gaps = gapsOf(impl->dataset.id(), m_impl->path, m_impl->inputs->access);
    impl->filters = chunkFilters(impl->dataset.id());
    facts.files.assign(files.begin(), files.end());
    facts.format = chunkFormat(impl->dataset.id());
    facts.chunkFile = fileOf(impl->dataset.id());
    facts.areEdgesFiltered = areEdgesFiltered(plist.id());
    facts.fillValue = fillValueOf(plist.id());
    LibraryDataset dataset;
    dataset.m_impl = std::move(impl);
    return dataset;
}

std::optional<std::string> LibraryFile::text(const std::string& path) const
{
    if (node(path) != Node::dataset)
        return {};
    const LibraryDataset found = dataset(path); // also checks its sources and chunks
    Hdf5Guard guard;
    const hid_t id = found.m_impl->dataset.id();
    const Hdf5Handle type = withMemory(H5Dget_type(id), H5Tclose), space = withMemory(H5Dget_space(id), H5Sclose);
    const Hdf5Handle one = withMemory(H5Screate(H5S_SCALAR), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space.id());
    if (rank < 0 || H5Sget_simple_extent_npoints(space.id()) < 1)
        return {};
    if (std::ranges::any_of(found.m_impl->filters.value_or(std::vector<ChunkFilter>()),
                            [](const ChunkFilter& filter) { return filter.kind == ChunkFilter::Kind::plugin; }))
        fail(m_impl->path, "the text " + path + " can't be read: it is compressed with " + found.lackingFilter());
    std::optional<ChunkDecoder> decoder;
    const char* chunk = nullptr; // the first one, which is whole
    if (found.m_impl->filters)
        chunk = decoder.emplace(storeOf(found), *found.m_impl->filters, H5Tget_size(type.id()))
                    .at(std::vector<long long>(found.facts().shape.size()));
    const std::vector<hsize_t> first(static_cast<std::size_t>(rank), 0), count(first.size(), 1);
    if (rank > 0)
        H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr);
    const auto read = [&](std::int64_t memory, void* buffer) {
        if (!chunk || H5Tis_variable_str(type.id()) > 0) // a variable text is elsewhere in the file
            return readWithMemory(H5Dread(id, memory, one.id(), space.id(), H5P_DEFAULT, buffer));
        std::vector<char> value(std::max(H5Tget_size(type.id()), H5Tget_size(memory))); // HDF5 may lack the filter
        std::copy_n(chunk, H5Tget_size(type.id()), value.begin());
        const int converted = H5Tconvert(type.id(), memory, 1, value.data(), nullptr, H5P_DEFAULT);
        std::copy_n(value.begin(), H5Tget_size(memory), static_cast<char*>(buffer));
        return converted;
    };
    auto text = firstAsText(fileText(m_impl->path.string()) + ": " + path, type.id(), one.id(), read);
    m_impl->requireRead();
    return text;
}

std::optional<std::string> LibraryFile::attribute(const std::string& path, const std::string& name) const
{
    const Node kind = node(path);
    if (kind != Node::dataset && kind != Node::group)
        return {};
    Hdf5Guard guard;
    const bool isThere = isYes(H5Aexists_by_name(m_impl->file.id(), path.c_str(), name.c_str(), H5P_DEFAULT));
    m_impl->requireRead();
    if (!isThere)
        return {};
    const Hdf5Handle attribute =
        withMemory(H5Aopen_by_name(m_impl->file.id(), path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const Hdf5Handle type = withMemory(H5Aget_type(attribute.id()), H5Tclose);
    const Hdf5Handle space = withMemory(H5Aget_space(attribute.id()), H5Sclose);
    auto text = firstAsText(
        fileText(m_impl->path.string()) + ": " + path + "@" + name, type.id(), space.id(),
        [&](std::int64_t memory, void* buffer) { return readWithMemory(H5Aread(attribute.id(), memory, buffer)); });
    m_impl->requireRead();
    return text;
}

std::string LibraryFile::whyBroken(const std::string& path) const
{
    Hdf5Guard guard;
    return explainLink(m_impl->file.id(), m_impl->path, path);
}

} // namespace engine

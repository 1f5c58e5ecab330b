#include "engine/io/hdf5_file.h"

#include "engine/error.h"
#include "engine/io/hdf5_library.h"
#include "engine/io/hdf5_sources.h"
#include "engine/io/hdf5_storage.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace engine
{

struct Hdf5File::Impl {
    std::filesystem::path path;
    Hdf5Handle file;
    mutable std::set<std::filesystem::path> files; // that data sets are read from, this one too; under the guard
    ~Impl()
    {
        Hdf5Guard guard;
        file.close();
    }
};

struct Hdf5Dataset::Impl {
    std::shared_ptr<const void> file; // closed after the data set
    std::filesystem::path filePath;
    std::string path;
    std::vector<long long> shape, chunk;
    std::vector<std::filesystem::path> files;
    std::string sampleType;
    Hdf5Handle dataset;
    ~Impl()
    {
        Hdf5Guard guard;
        dataset.close();
    }
};

namespace
{

std::string quoted(const std::filesystem::path& path)
{
    return "'" + path.string() + "'";
}

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what)
{
    throw Error(ErrorKind::badFile, quoted(file) + ": " + what);
}

// What can't be looked at without memory is there all the same. Throws std::bad_alloc.
void requireMemory(bool worked)
{
    if (!worked && hdf5LacksMemory())
        throw std::bad_alloc();
}

bool isYes(htri_t answer)
{
    requireMemory(answer >= 0);
    return answer > 0;
}

herr_t readWithMemory(herr_t read)
{
    requireMemory(read >= 0);
    return read;
}

Hdf5Handle withMemory(hid_t id, Hdf5Handle::Close close)
{
    requireMemory(id >= 0);
    return {id, close};
}

std::string sampleTypeOf(hid_t type)
{
    const std::string bits = std::to_string(8 * H5Tget_size(type));
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
        return (H5Tget_sign(type) == H5T_SGN_NONE ? "uint" : "int") + bits;
    case H5T_FLOAT:
        return "float" + bits;
    default:
        return {};
    }
}

// First element of a data set or an attribute as text. read(memoryType, buffer) fetches all elements.
template <typename Read>
std::optional<std::string> firstAsText(hid_t type, hid_t space, Read read)
{
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count < 1 || count > (1 << 20))
        return {};
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) {
        std::vector<char*> texts(static_cast<std::size_t>(count), nullptr);
        if (read(type, texts.data()) < 0)
            return {};
        std::string first = texts[0] ? texts[0] : "";
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
        return first;
    }
    if (H5Tget_class(type) == H5T_STRING) {
        const std::size_t length = H5Tget_size(type);
        std::vector<char> text(length * static_cast<std::size_t>(count));
        if (read(type, text.data()) < 0)
            return {};
        std::string first(text.data(), std::find(text.data(), text.data() + length, '\0'));
        first.erase(first.find_last_not_of(' ') + 1);
        return first;
    }
    if (sampleTypeOf(type).empty())
        return {};
    std::vector<double> values(static_cast<std::size_t>(count));
    if (read(H5T_NATIVE_DOUBLE, values.data()) < 0)
        return {};
    std::array<char, 32> printed; // with a point, whatever the user's language
    const auto end =
        std::to_chars(printed.data(), printed.data() + printed.size(), values[0], std::chars_format::general, 9).ptr;
    return std::string(printed.data(), end);
}

std::vector<long long> toShape(const std::vector<hsize_t>& dims)
{
    return {dims.begin(), dims.end()};
}

std::string explainLink(hid_t file, const std::filesystem::path& filePath, const std::string& path, int depth)
{
    for (const std::string& prefix : prefixes(path)) {
        if (H5Lexists(file, prefix.c_str(), H5P_DEFAULT) <= 0)
            return "there is no " + prefix;
        if (H5Oexists_by_name(file, prefix.c_str(), H5P_DEFAULT) > 0)
            continue;
        H5L_info_t info;
        if (H5Lget_info(file, prefix.c_str(), &info, H5P_DEFAULT) < 0 || info.type == H5L_TYPE_HARD)
            return prefix + " can't be opened (" + hdf5Message() + ")";
        std::vector<char> value(info.u.val_size + 1, '\0');
        if (H5Lget_val(file, prefix.c_str(), value.data(), info.u.val_size, H5P_DEFAULT) < 0)
            return prefix + " is a link that can't be read";
        if (info.type == H5L_TYPE_SOFT) {
            std::string target = value.data();
            if (!target.starts_with('/'))
                target = prefix.substr(0, prefix.rfind('/') + 1) + target;
            return prefix + " is a link to " + target + ", but " +
                   (depth > 0 ? explainLink(file, filePath, target, depth - 1) : "that leads nowhere");
        }
        unsigned flags = 0;
        const char *targetFile = nullptr, *object = nullptr;
        if (H5Lunpack_elink_val(value.data(), info.u.val_size, &flags, &targetFile, &object) < 0)
            return prefix + " is a link of an unknown kind";
        const std::filesystem::path wanted = filePath.parent_path() / targetFile;
        std::error_code ignored;
        if (!std::filesystem::exists(wanted, ignored))
            return prefix + " is a link to " + object + " in the file " + quoted(wanted) +
                   ", which is missing. Put that file back at this place.";
        return prefix + " is a link to " + object + " in the file " + quoted(wanted) +
               ", which does not hold it or can't be opened.";
    }
    return path + " can't be opened";
}

} // namespace

bool Hdf5File::recognises(const std::filesystem::path& path)
{
    Hdf5Guard guard;
    return H5Fis_hdf5(path.c_str()) > 0;
}

Hdf5File::Hdf5File(const std::filesystem::path& path)
{
    Hdf5Guard guard;
    auto impl = std::make_shared<Impl>();
    impl->path = path;
    Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.id(), false, true);
    impl->file = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
    if (!impl->file)
        fail(path, "HDF5 can't open this file (" + hdf5Message() + "). It may be truncated or still being written.");
    impl->files.insert(path);
    m_impl = std::move(impl);
}

const std::filesystem::path& Hdf5File::path() const
{
    return m_impl->path;
}

Hdf5File::Node Hdf5File::node(const std::string& path) const
{
    Hdf5Guard guard;
    const hid_t file = m_impl->file.id();
    if (path != "/")
        for (const std::string& prefix : prefixes(path)) {
            if (!isYes(H5Lexists(file, prefix.c_str(), H5P_DEFAULT)))
                return Node::none;
            if (!isYes(H5Oexists_by_name(file, prefix.c_str(), H5P_DEFAULT)))
                return Node::broken;
        }
    Hdf5Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object)
        return Node::broken;
    switch (H5Iget_type(object.id())) {
    case H5I_GROUP:
        return Node::group;
    case H5I_DATASET:
        return Node::dataset;
    default:
        return Node::none;
    }
}

std::vector<std::string> Hdf5File::children(const std::string& group) const
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
    return names;
}

Hdf5Dataset Hdf5File::dataset(const std::string& path) const
{
    const Node kind = node(path);
    if (kind == Node::none)
        fail(m_impl->path, "there is no data set " + path + ".");
    if (kind == Node::broken)
        fail(m_impl->path, "the data set " + path + " can't be read: " + whyBroken(path));
    if (kind == Node::group)
        fail(m_impl->path, path + " is a group, not a data set.");

    Hdf5Guard guard;
    auto impl = std::make_shared<Hdf5Dataset::Impl>();
    impl->file = m_impl;
    impl->filePath = m_impl->path;
    impl->path = path;
    impl->dataset = withMemory(H5Dopen2(m_impl->file.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!impl->dataset)
        fail(m_impl->path, "the data set " + path + " can't be opened (" + hdf5Message() + ").");
    const Hdf5Handle type = withMemory(H5Dget_type(impl->dataset.id()), H5Tclose);
    const Hdf5Handle space = withMemory(H5Dget_space(impl->dataset.id()), H5Sclose);
    const Hdf5Handle plist = withMemory(H5Dget_create_plist(impl->dataset.id()), H5Pclose);
    impl->sampleType = sampleTypeOf(type.id());
    const int rank = std::max(0, H5Sget_simple_extent_ndims(space.id()));
    std::vector<hsize_t> dims(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space.id(), dims.data(), nullptr);
    impl->shape = toShape(dims);
    if (H5Pget_layout(plist.id()) == H5D_CHUNKED && H5Pget_chunk(plist.id(), rank, dims.data()) == rank)
        impl->chunk = toShape(dims);
    requireFilters(plist.id(), m_impl->path, path);
    requireSources(plist.id(), m_impl->path, path);
    std::set<std::filesystem::path> files = sourcesOf(m_impl->file.id(), m_impl->path, path);
    impl->files.assign(files.begin(), files.end());
    m_impl->files.merge(files);
    Hdf5Dataset dataset;
    dataset.m_impl = std::move(impl);
    return dataset;
}

std::optional<std::string> Hdf5File::text(const std::string& path) const
{
    if (node(path) != Node::dataset)
        return {};
    Hdf5Guard guard;
    const Hdf5Handle dataset = withMemory(H5Dopen2(m_impl->file.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
    const Hdf5Handle type = withMemory(H5Dget_type(dataset.id()), H5Tclose);
    const Hdf5Handle space = withMemory(H5Dget_space(dataset.id()), H5Sclose);
    return firstAsText(type.id(), space.id(), [&](hid_t memory, void* buffer) {
        return readWithMemory(H5Dread(dataset.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer));
    });
}

std::optional<std::string> Hdf5File::attribute(const std::string& path, const std::string& name) const
{
    const Node kind = node(path);
    if (kind != Node::dataset && kind != Node::group)
        return {};
    Hdf5Guard guard;
    if (!isYes(H5Aexists_by_name(m_impl->file.id(), path.c_str(), name.c_str(), H5P_DEFAULT)))
        return {};
    const Hdf5Handle attribute =
        withMemory(H5Aopen_by_name(m_impl->file.id(), path.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const Hdf5Handle type = withMemory(H5Aget_type(attribute.id()), H5Tclose);
    const Hdf5Handle space = withMemory(H5Aget_space(attribute.id()), H5Sclose);
    return firstAsText(type.id(), space.id(), [&](hid_t memory, void* buffer) {
        return readWithMemory(H5Aread(attribute.id(), memory, buffer));
    });
}

std::optional<double> Hdf5File::number(const std::string& path) const
{
    if (node(path) != Node::dataset)
        return {};
    const Hdf5Dataset found = dataset(path);
    if (found.sampleType().empty() || found.size() < 1 || found.size() > (1 << 20))
        return {};
    return found.numbers().front();
}

std::vector<std::filesystem::path> Hdf5File::files() const
{
    Hdf5Guard guard;
    return {m_impl->files.begin(), m_impl->files.end()};
}

std::string Hdf5File::whyBroken(const std::string& path) const
{
    Hdf5Guard guard;
    return explainLink(m_impl->file.id(), m_impl->path, path, 8);
}

const std::string& Hdf5Dataset::path() const
{
    return m_impl->path;
}
const std::filesystem::path& Hdf5Dataset::filePath() const
{
    return m_impl->filePath;
}
const std::vector<long long>& Hdf5Dataset::shape() const
{
    return m_impl->shape;
}
const std::vector<long long>& Hdf5Dataset::chunk() const
{
    return m_impl->chunk;
}
const std::vector<std::filesystem::path>& Hdf5Dataset::files() const
{
    return m_impl->files;
}
const std::string& Hdf5Dataset::sampleType() const
{
    return m_impl->sampleType;
}

long long Hdf5Dataset::size() const
{
    Hdf5Guard guard;
    Hdf5Handle space(H5Dget_space(m_impl->dataset.id()), H5Sclose);
    return H5Sget_simple_extent_npoints(space.id());
}

void Hdf5Dataset::read(const std::vector<long long>& start, const std::vector<long long>& count, float* out) const
{
    Hdf5Guard guard;
    const std::vector<hsize_t> from(start.begin(), start.end()), extent(count.begin(), count.end());
    Hdf5Handle space(H5Dget_space(m_impl->dataset.id()), H5Sclose);
    Hdf5Handle memory(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, from.data(), nullptr, extent.data(), nullptr) < 0 ||
        H5Dread(m_impl->dataset.id(), H5T_NATIVE_FLOAT, memory.id(), space.id(), H5P_DEFAULT, out) < 0) {
        const std::string message = hdf5Message();
        fail(m_impl->filePath, "the data set " + m_impl->path + " can't be read from position " +
                                   std::to_string(start.empty() ? 0 : start[0]) + " on (" + message +
                                   "). The file may be damaged or incomplete.");
    }
}

std::optional<StoredNumbers> Hdf5Dataset::stored() const
{
    Hdf5Guard guard;
    return storedNumbers(m_impl->dataset.id());
}

std::optional<ChunkFormat> Hdf5Dataset::chunkFormat() const
{
    Hdf5Guard guard;
    return engine::chunkFormat(m_impl->dataset.id());
}

unsigned Hdf5Dataset::readChunk(const std::vector<long long>& start, Buffer<char>& bytes) const
{
    Hdf5Guard guard;
    const std::vector<hsize_t> offset(start.begin(), start.end());
    hsize_t size = 0;
    std::uint32_t leftOut = 0;
    // The size is also that of a chunk of fill values which HDF5 has in its cache, and no file has.
    const bool known = H5Dget_chunk_storage_size(m_impl->dataset.id(), offset.data(), &size) >= 0;
    bytes.resize(known ? size : 0);
    if (!bytes.empty() && H5Dread_chunk(m_impl->dataset.id(), H5P_DEFAULT, offset.data(), &leftOut, bytes.data()) < 0)
        bytes.clear();
    return leftOut;
}

std::vector<double> Hdf5Dataset::numbers() const
{
    const long long count = size();
    if (m_impl->sampleType.empty())
        fail(m_impl->filePath, "the data set " + m_impl->path + " does not hold numbers.");
    if (count > (16LL << 20))
        fail(m_impl->filePath, "the data set " + m_impl->path + " has " + std::to_string(count) +
                                   " numbers, more than any scan has frames.");
    std::vector<double> values(static_cast<std::size_t>(std::max(0LL, count)));
    Hdf5Guard guard;
    if (!values.empty() &&
        H5Dread(m_impl->dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
        const std::string message = hdf5Message();
        fail(m_impl->filePath, "the data set " + m_impl->path + " can't be read (" + message + ").");
    }
    return values;
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/library_storage.h"

#include "engine/io/hdf5/hdf5_library.h"
#include "engine/io/library/chunk_filters.h"
#include "engine/io/library/library_sources.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace engine
{

namespace
{

constexpr int mostSources = 4; // depth of virtual data sets within virtual data sets
constexpr std::size_t mostRuns = 1 << 20;

// The type of numbers that are stored in this machine's byte order or in the other one.
struct Format {
    SampleType type;
    bool bigEndian;
};

std::optional<Format> formatOf(hid_t dataset)
{
    const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
    struct Known {
        hid_t little, big;
        const char* name;
    };
    const Hdf5Handle littleHalf = halfType(H5T_IEEE_F32LE), bigHalf = halfType(H5T_IEEE_F32BE);
    const Known known[] = {{H5T_STD_U8LE, H5T_STD_U8BE, "uint8"},      {H5T_STD_I8LE, H5T_STD_I8BE, "int8"},
                           {H5T_STD_U16LE, H5T_STD_U16BE, "uint16"},   {H5T_STD_I16LE, H5T_STD_I16BE, "int16"},
                           {H5T_STD_U32LE, H5T_STD_U32BE, "uint32"},   {H5T_STD_I32LE, H5T_STD_I32BE, "int32"},
                           {H5T_STD_U64LE, H5T_STD_U64BE, "uint64"},   {H5T_STD_I64LE, H5T_STD_I64BE, "int64"},
                           {littleHalf.id(), bigHalf.id(), "float16"}, {H5T_IEEE_F32LE, H5T_IEEE_F32BE, "float32"},
                           {H5T_IEEE_F64LE, H5T_IEEE_F64BE, "float64"}};
    for (const auto& [little, big, name] : known)
        for (const hid_t order : {little, big})
            if (H5Tequal(type.id(), order) > 0)
                return Format{*findSampleType(name), order == big};
    return {};
}

std::vector<hsize_t> shapeOf(hid_t space)
{
    std::vector<hsize_t> shape(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
    H5Sget_simple_extent_dims(space, shape.data(), nullptr);
    return shape;
}

// A selection that is one run of numbers in the row-major order of a data set. The data set's shape is given
// separately: a virtual data set may not know the shapes of its sources, so the selection in a source may have been
// stored with another extent.
struct Part {
    long long first = 0, count = 0;
};

std::optional<Part> partOf(hid_t space, const std::vector<hsize_t>& shape)
{
    std::size_t rest = 1; // numbers per step along the slowest dimension
    for (std::size_t k = 1; k < shape.size(); ++k)
        rest *= shape[k];
    if (shape.empty())
        return {};
    if (H5Sget_select_type(space) == H5S_SEL_ALL)
        return Part{0, static_cast<long long>(shape[0] * rest)};
    if (H5Sget_select_type(space) != H5S_SEL_HYPERSLABS || H5Sis_regular_hyperslab(space) <= 0 ||
        H5Sget_simple_extent_ndims(space) != static_cast<int>(shape.size()))
        return {};
    std::vector<hsize_t> start(shape.size()), stride(shape.size()), count(shape.size()), block(shape.size());
    if (H5Sget_regular_hyperslab(space, start.data(), stride.data(), count.data(), block.data()) < 0)
        return {};
    for (std::size_t k = 0; k < shape.size(); ++k) {
        if (count[k] == H5S_UNLIMITED || block[k] == H5S_UNLIMITED || (count[k] != 1 && stride[k] != block[k]))
            return {};
        if (k > 0 && (start[k] != 0 || count[k] * block[k] != shape[k])) // only part of a faster dimension
            return {};
    }
    return Part{static_cast<long long>(start[0] * rest), static_cast<long long>(count[0] * block[0] * rest)};
}

// Appends to `out` the places of `count` numbers, of which the first is number `first` in `runs` and becomes number
// `at` in `out`.
void take(const std::vector<StoredNumbers::Run>& runs, long long first, long long count, long long at, int bytes,
          std::vector<StoredNumbers::Run>& out)
{
    for (const StoredNumbers::Run& run : runs) {
        const long long begin = std::max(first, run.first), end = std::min(first + count, run.first + run.count);
        if (begin < end)
            out.push_back({run.file, run.offset + (begin - run.first) * bytes, at + begin - first, end - begin});
    }
}

class Storage
{
  public:
    explicit Storage(std::shared_ptr<Hdf5Inputs> inputs) : m_inputs(std::move(inputs)) {}

    std::optional<StoredNumbers> of(hid_t dataset, int hops)
    {
        const auto format = formatOf(dataset);
        if (!format)
            return {};
        StoredNumbers stored{format->type, format->bigEndian, {}};
        const Hdf5Handle plist(H5Dget_create_plist(dataset), H5Pclose);
        const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
        const long long size = H5Sget_simple_extent_npoints(space.id());
        const std::filesystem::path file = fileOf(dataset);
        bool known = false;
        if (size < 1 || file.empty())
            return {};
        if (H5Pget_layout(plist.id()) == H5D_VIRTUAL)
            known = hops > 0 && addSources(plist.id(), shapeOf(space.id()), file, *format, hops, stored.runs);
        else if (H5Pget_layout(plist.id()) == H5D_CONTIGUOUS && H5Pget_external_count(plist.id()) > 0)
            known = addExternal(plist.id(), file, format->type.bytes, size, stored.runs);
        else if (const haddr_t offset = H5Dget_offset(dataset);
                 H5Pget_layout(plist.id()) == H5D_CONTIGUOUS && offset != HADDR_UNDEF) {
            stored.runs.push_back({file, static_cast<long long>(offset), 0, size});
            known = true;
        }
        std::ranges::sort(stored.runs, {}, &StoredNumbers::Run::first);
        if (!known || !isWhole(stored.runs, size))
            return {};
        return stored;
    }

    // Returns the parts of a virtual data set if these are whole steps along its slowest dimension, from sources with
    // steps of the same size.
    std::vector<VirtualPart> partsOf(hid_t dataset)
    {
        const Hdf5Handle plist(H5Dget_create_plist(dataset), H5Pclose), space(H5Dget_space(dataset), H5Sclose);
        const std::vector<hsize_t> shape = shapeOf(space.id());
        std::vector<VirtualPart> parts;
        if (H5Pget_layout(plist.id()) != H5D_VIRTUAL || shape.empty())
            return parts;
        const long long step = std::accumulate(shape.begin() + 1, shape.end(), 1LL, std::multiplies<>());
        const bool areWhole =
            forMappings(plist.id(), shape, fileOf(dataset), mostSources,
                        [&](const Source& source, const Part& target, const Part& taken) {
                            if (source.shape.size() != shape.size() ||
                                !std::equal(shape.begin() + 1, shape.end(), source.shape.begin() + 1) || step < 1)
                                return false;
                            parts.push_back({source.file, source.path, target.first / step, target.count / step,
                                             taken.first / step});
                            return parts.size() <= mostRuns;
                        });
        std::ranges::sort(parts, {}, &VirtualPart::first);
        for (std::size_t k = 1; k < parts.size(); ++k) // if parts overlap, only HDF5 knows which one counts
            if (parts[k].first < parts[k - 1].first + parts[k - 1].count)
                return {};
        return areWhole ? parts : std::vector<VirtualPart>();
    }

  private:
    struct Source {
        std::filesystem::path file;
        std::string path;
        std::optional<StoredNumbers> stored;
        std::vector<hsize_t> shape;
    };

    // Returns whether the runs cover all numbers once: gaps would be fill values, and if runs overlap, only HDF5
    // knows which one counts.
    static bool isWhole(const std::vector<StoredNumbers::Run>& runs, long long size)
    {
        long long at = 0;
        for (const StoredNumbers::Run& run : runs) {
            if (run.first != at)
                return false;
            at += run.count;
        }
        return at == size;
    }

    static bool addExternal(hid_t plist, const std::filesystem::path& file, int bytes, long long size,
                            std::vector<StoredNumbers::Run>& runs)
    {
        long long at = 0;
        for (int k = 0; k < H5Pget_external_count(plist) && at < size; ++k) {
            std::array<char, 4096> name{};
            off_t offset = 0;
            hsize_t length = 0;
            if (H5Pget_external(plist, static_cast<unsigned>(k), name.size() - 1, name.data(), &offset, &length) < 0)
                return false;
            const std::filesystem::path place = externalPlace(name.data(), file);
            std::error_code ignored;
            if (!std::filesystem::exists(place, ignored) || (length != H5F_UNLIMITED && length % bytes != 0))
                return false;
            const long long count =
                length == H5F_UNLIMITED ? size - at : std::min<long long>(size - at, length / bytes);
            runs.push_back({place, static_cast<long long>(offset), at, count});
            at += count;
        }
        return true;
    }

    bool addSources(hid_t plist, const std::vector<hsize_t>& shape, const std::filesystem::path& file,
                    const Format& format, int hops, std::vector<StoredNumbers::Run>& runs)
    {
        return forMappings(plist, shape, file, hops, [&](const Source& source, const Part& target, const Part& taken) {
            const auto& stored = source.stored;
            if (!stored || std::strcmp(stored->type.name, format.type.name) != 0 ||
                stored->bigEndian != format.bigEndian)
                return false;
            take(stored->runs, taken.first, taken.count, target.first, format.type.bytes, runs);
            return runs.size() <= mostRuns;
        });
    }

    // Calls act(source, target, taken) for each mapping: its source, the numbers of this data set, and the numbers of
    // the source that they are taken from. Returns false if either isn't a single run, or if act returns false.
    template <typename Act>
    bool forMappings(hid_t plist, const std::vector<hsize_t>& shape, const std::filesystem::path& file, int hops,
                     const Act& act)
    {
        std::size_t mappings = 0;
        if (H5Pget_virtual_count(plist, &mappings) < 0)
            return false;
        for (std::size_t k = 0; k < mappings; ++k) {
            const Hdf5Handle to(H5Pget_virtual_vspace(plist, k), H5Sclose);
            const Hdf5Handle from(H5Pget_virtual_srcspace(plist, k), H5Sclose);
            std::array<char, 4096> name{}, object{};
            if (H5Pget_virtual_filename(plist, k, name.data(), name.size()) <= 0 ||
                H5Pget_virtual_dsetname(plist, k, object.data(), object.size()) <= 0)
                return false;
            const Source& source = sourceOf(name.data(), object.data(), file, hops);
            const auto target = partOf(to.id(), shape), taken = partOf(from.id(), source.shape);
            if (!target || !taken || target->count != taken->count || !act(source, *target, *taken))
                return false;
        }
        return true;
    }

    // Examines each source once, however many mappings use it.
    const Source& sourceOf(const std::string& name, const std::string& object, const std::filesystem::path& file,
                           int hops)
    {
        const auto [entry, isNew] = m_sources.try_emplace({file, name, object});
        if (!isNew)
            return entry->second;
        const std::vector<std::filesystem::path> places =
            name == "." ? std::vector{file} : placesOf(name, file.parent_path());
        if (places.empty())
            return entry->second;
        const Hdf5Handle opened = openHdf5(m_inputs, places.front());
        if (!opened)
            return entry->second;
        const Hdf5Handle dataset(H5Dopen2(opened.id(), object.c_str(), H5P_DEFAULT), H5Dclose);
        const Hdf5Handle space(dataset ? H5Dget_space(dataset.id()) : -1, H5Sclose);
        if (space)
            entry->second = {places.front(), object, of(dataset.id(), hops - 1), shapeOf(space.id())};
        return entry->second;
    }

    std::shared_ptr<Hdf5Inputs> m_inputs;
    // By naming file, source file, data set.
    std::map<std::tuple<std::filesystem::path, std::string, std::string>, Source> m_sources;
};

} // namespace

std::filesystem::path fileOf(std::int64_t dataset)
{
    const ssize_t length = H5Fget_name(dataset, nullptr, 0);
    std::string name(static_cast<std::size_t>(std::max<ssize_t>(length, 0)), '\0');
    if (length < 1 || H5Fget_name(dataset, name.data(), name.size() + 1) < 0)
        return {};
    return name;
}

namespace
{

// Returns whether the last error is about the data set itself (it has no such chunk), not about its index.
bool isDatasetsOwn()
{
    bool isOwn = true;
    const auto look = [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
        *static_cast<bool*>(data) &= error->maj_num == H5E_DATASET;
        return 0;
    };
    return H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &isOwn) >= 0 && isOwn;
}

} // namespace

ChunkPlace placeOf(std::int64_t dataset, const std::vector<long long>& start, SamplesPlace& place)
{
    const std::vector<hsize_t> offset(start.begin(), start.end());
    std::uint32_t leftOut = 0;
    char none = 0; // nothing is written there
    place.clear();
    const bool isRead = H5Dread_chunk(dataset, H5P_DEFAULT, offset.data(), &leftOut, &none) >= 0;
    if (isRead && !place.last()) // it has no bytes
        return {.state = ChunkPlace::State::stored};
    if (place.last()) {
        ChunkPlace found = *place.last();
        found.leftOut = leftOut;
        return found;
    }
    return {.state = isDatasetsOwn() ? ChunkPlace::State::absent : ChunkPlace::State::unreadable};
}

// Asks HDF5 to read the chunk, but grants no bytes: the size of the request is the answer.
std::optional<std::size_t> bytesInFile(std::int64_t dataset, const std::vector<long long>& start)
{
    const std::vector<hsize_t> offset(start.begin(), start.end());
    const SamplesLimit nothing(0);
    std::uint32_t leftOut = 0;
    char none = 0;
    const bool isRead = H5Dread_chunk(dataset, H5P_DEFAULT, offset.data(), &leftOut, &none) >= 0;
    return isRead || nothing.wanted() > 0 ? std::optional(nothing.wanted()) : std::nullopt;
}

std::optional<StoredNumbers> storedNumbers(std::int64_t dataset, const std::shared_ptr<Hdf5Inputs>& inputs)
{
    return Storage(inputs).of(dataset, mostSources);
}

std::vector<VirtualPart> virtualParts(std::int64_t dataset, const std::shared_ptr<Hdf5Inputs>& inputs)
{
    return Storage(inputs).partsOf(dataset);
}

std::optional<ChunkFormat> chunkFormat(std::int64_t dataset)
{
    const auto format = formatOf(dataset);
    auto filters = format ? chunkFilters(dataset) : std::nullopt;
    if (!filters)
        return {};
    return ChunkFormat{format->type, format->bigEndian, *std::move(filters)};
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/io/hdf5/chunk_blocks.h"
#include "engine/io/library/chunk_filters.h"
#include "engine/io/library/library_dataset_impl.h"
#include "engine/io/library/library_storage.h"
#include "engine/io/library/virtual_chunks.h"

#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace engine
{

namespace
{

// Reads a block with HDF5, converted to `type`. Returns a negative value on failure, see hdf5Message().
int readByLibrary(hid_t dataset, const NumberBlock& block, hid_t type, void* out)
{
    if (block.count.empty()) // a single number
        return H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out);
    const std::vector<hsize_t> from(block.first.begin(), block.first.end()),
        extent(block.count.begin(), block.count.end());
    const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
    const Hdf5Handle memory(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, from.data(), nullptr, extent.data(), nullptr) < 0)
        return -1;
    return H5Dread(dataset, type, memory.id(), space.id(), H5P_DEFAULT, out);
}

// Reads a block chunk by chunk, and checks that each decoded chunk is whole. Returns a negative value on failure, see
// hdf5Message().
template <typename T>
int readByChunks(const LibraryDataset& dataset, hid_t id, const std::vector<ChunkFilter>& filters,
                 const NumberBlock& block, hid_t type, T* out)
{
    Hdf5Guard guard;
    const Hdf5Handle stored = withMemory(H5Dget_type(id), H5Tclose);
    const std::size_t bytes = H5Tget_size(stored.id()), count = block.numbers();
    Buffer<char> numbers(count * std::max(bytes, sizeof(T))); // converted in place
    ChunkDecoder decoder(storeOf(dataset), filters, bytes);
    const std::vector<MissingPart> missing = readChunks(decoder, dataset.facts().chunk, block, numbers.data(), bytes);
    if (H5Tconvert(stored.id(), type, count, numbers.data(), nullptr, H5P_DEFAULT) < 0)
        return -1;
    std::memcpy(out, numbers.data(), count * sizeof(T));
    const T fill = missing.empty() ? T() : static_cast<T>(dataset.facts().fillValue);
    for (const auto& [part, wasWritten] : missing) {
        std::vector<T> filled(part.numbers(), fill);
        if (wasWritten && readByLibrary(id, part, type, filled.data()) < 0) // HDF5 reports the damage
            return -1;
        copyPart(part, reinterpret_cast<const char*>(filled.data()), part, reinterpret_cast<char*>(out), block,
                 sizeof(T));
    }
    return 0;
}

// Returns a negative value on failure, see hdf5Message().
template <typename T>
int readBlock(const LibraryDataset& dataset, hid_t id, const std::optional<std::vector<ChunkFilter>>& filters,
              const NumberBlock& block, hid_t type, T* out)
{
    const bool isAny = std::ranges::all_of(block.count, [](long long count) { return count > 0; });
    const bool areOurs = filters && std::ranges::none_of(*filters, [](const ChunkFilter& filter) {
                             return filter.kind == ChunkFilter::Kind::plugin;
                         });
    return areOurs && isAny ? readByChunks(dataset, id, *filters, block, type, out)
                            : readByLibrary(id, block, type, out);
}

[[noreturn]] void failToRead(const std::filesystem::path& file, const std::string& what)
{
    throw Error(ErrorKind::badFile, fileText(file.string()) + ": " + what);
}

} // namespace

const DatasetFacts& LibraryDataset::facts() const
{
    return m_impl->facts;
}

template <typename T>
void LibraryDataset::readAs(const std::vector<long long>& start, const std::vector<long long>& count, std::int64_t type,
                            T* out) const
{
    Hdf5Guard guard;
    requireWhole({start, count});
    if (readBlock(*this, m_impl->dataset.id(), m_impl->filters, {start, count}, type, out) < 0) {
        const std::string message = m_impl->whyUnread();
        failToRead(facts().file, "the data set " + facts().path + " can't be read from position " +
                                     std::to_string(start.empty() ? 0 : start[0]) + " on (" + message +
                                     "). The file may be damaged or incomplete.");
    }
}

void LibraryDataset::read(const std::vector<long long>& start, const std::vector<long long>& count, float* out) const
{
    readAs(start, count, H5T_NATIVE_FLOAT, out);
}

void LibraryDataset::read(const std::vector<long long>& start, const std::vector<long long>& count, double* out) const
{
    readAs(start, count, H5T_NATIVE_DOUBLE, out);
}

void LibraryDataset::requireWhole(const NumberBlock& block) const
{
    if (!m_impl->sources)
        m_impl->sources = std::make_shared<VirtualChunks>(m_impl->dataset.id(), facts().file, m_impl->inputs->access);
    m_impl->sources->requireWhole(block);
}

std::string LibraryDataset::lackingFilter() const
{
    return engine::lackingFilter(m_impl->dataset.id());
}

std::optional<ChunkDecoder> LibraryDataset::decoder() const
{
    if (!m_impl->filters)
        return {};
    const Hdf5Handle stored = withMemory(H5Dget_type(m_impl->dataset.id()), H5Tclose);
    return std::optional<ChunkDecoder>(std::in_place, storeOf(*this), *m_impl->filters, H5Tget_size(stored.id()));
}

bool LibraryDataset::hasStorage() const
{
    Hdf5Guard guard;
    const Hdf5Handle plist(H5Dget_create_plist(m_impl->dataset.id()), H5Pclose);
    return H5Pget_layout(plist.id()) == H5D_VIRTUAL || H5Dget_storage_size(m_impl->dataset.id()) > 0;
}

bool LibraryDataset::isWhole() const
{
    Hdf5Guard guard;
    hsize_t written = 0;
    double wanted = 1;
    for (std::size_t d = 0; d < facts().chunk.size(); ++d)
        wanted *= std::ceil(static_cast<double>(facts().shape[d]) / static_cast<double>(facts().chunk[d]));
    const Hdf5Handle space(H5Dget_space(m_impl->dataset.id()), H5Sclose);
    return facts().chunk.empty() || (H5Dget_num_chunks(m_impl->dataset.id(), space.id(), &written) >= 0 &&
                                     static_cast<double>(written) >= wanted);
}

std::vector<ChunkPlace> LibraryDataset::places(long long first, long long count) const
{
    Hdf5Guard guard;
    SamplesPlace place;
    std::vector<ChunkPlace> found;
    found.reserve(static_cast<std::size_t>(count));
    const std::vector<long long>& shape = facts().shape;
    const std::vector<long long>& chunk = facts().chunk;
    std::vector<long long> start(chunk.size());
    for (long long k = first; k < first + count; ++k) {
        long long rest = k;
        for (std::size_t d = start.size(); d-- > 0;) {
            const long long across = (shape[d] + chunk[d] - 1) / chunk[d];
            start[d] = rest % across * chunk[d];
            rest /= across;
        }
        found.push_back(placeOf(m_impl->dataset.id(), start, place));
    }
    return found;
}

ChunkStore storeOf(const LibraryDataset& dataset)
{
    return {dataset.facts(), [dataset](const std::vector<long long>& start, Buffer<char>& bytes) {
                return dataset.readChunk(start, bytes);
            }};
}

std::optional<StoredNumbers> LibraryDataset::stored() const
{
    Hdf5Guard guard;
    return storedNumbers(m_impl->dataset.id(), m_impl->inputs);
}

std::vector<VirtualPart> LibraryDataset::parts() const
{
    Hdf5Guard guard;
    return virtualParts(m_impl->dataset.id(), m_impl->inputs);
}

StoredChunk LibraryDataset::readChunk(const std::vector<long long>& start, Buffer<char>& bytes) const
{
    Hdf5Guard guard;
    const std::vector<hsize_t> offset(start.begin(), start.end());
    hsize_t size = 0;
    std::uint32_t leftOut = 0;
    // The size may also be that of a chunk of fill values that is in HDF5's cache only, not in a file.
    const bool known = H5Dget_chunk_storage_size(m_impl->dataset.id(), offset.data(), &size) >= 0;
    bytes.resize(known ? size : 0);
    if (bytes.empty()) {
        const bool isHollow = known && bytesInFile(m_impl->dataset.id(), start).has_value();
        return {.isWritten = !known || isHollow, .isHollow = isHollow};
    }
    const SamplesLimit limit(bytes.size());
    const bool isRead = H5Dread_chunk(m_impl->dataset.id(), H5P_DEFAULT, offset.data(), &leftOut, bytes.data()) >= 0;
    // A chunk that is shorter or longer than HDF5 reported is damaged. A longer one yields one byte more than reported,
    // so that its damage is detected. If reading fails for any other reason than the length, the chunk yields no bytes.
    bytes.resize(isRead || limit.wanted() > size ? std::min<std::size_t>(limit.wanted(), size + 1) : 0);
    return {.isWritten = true, .isHollow = isRead && bytes.empty(), .leftOut = leftOut};
}

} // namespace engine

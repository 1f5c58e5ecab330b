// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/io/files/size_limits.h"
#include "engine/io/hdf5/chunk_decoder.h"
#include "engine/io/hdf5/hdf5_dataset_impl.h"
#include "engine/io/hdf5/hdf5_storage.h"

#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace engine
{

namespace
{

// A block of numbers: first position and count along each dimension; each count is at least one.
struct Block {
    std::vector<long long> first, count;

    std::size_t numbers() const
    {
        return std::accumulate(count.begin(), count.end(), std::size_t{1},
                               [](std::size_t all, long long some) { return all * static_cast<std::size_t>(some); });
    }
    // Returns the index of the number at a position, in row-major order.
    std::size_t indexOf(const std::vector<long long>& position) const
    {
        std::size_t index = 0;
        for (std::size_t d = 0; d < first.size(); ++d)
            index = index * static_cast<std::size_t>(count[d]) + static_cast<std::size_t>(position[d] - first[d]);
        return index;
    }
};

// Calls act with the positions first, first + step, … below end in each dimension; the last dimension varies fastest.
template <typename Act>
void forPositions(const std::vector<long long>& first, const std::vector<long long>& end,
                  const std::vector<long long>& step, Act&& act)
{
    std::vector<long long> at = first;
    for (std::size_t d = at.size(); d > 0;) {
        act(at);
        for (d = at.size(); d > 0 && (at[d - 1] += step[d - 1]) >= end[d - 1]; --d)
            at[d - 1] = first[d - 1];
    }
}

std::vector<long long> endOf(const Block& block)
{
    std::vector<long long> end = block.first;
    for (std::size_t d = 0; d < end.size(); ++d)
        end[d] += block.count[d];
    return end;
}

// Copies a part that lies in both blocks, from the numbers of block `there` to those of block `here`.
void copyPart(const Block& part, const char* from, const Block& there, char* to, const Block& here, std::size_t bytes)
{
    std::vector<long long> step(part.first.size(), 1);
    step.back() = part.count.back();
    const std::size_t run = static_cast<std::size_t>(part.count.back()) * bytes;
    forPositions(part.first, endOf(part), step, [&](const std::vector<long long>& at) {
        std::memcpy(to + here.indexOf(at) * bytes, from + there.indexOf(at) * bytes, run);
    });
}

// Calls act(chunk, part) for each chunk that a block touches: the chunk's first position, and the part of the block
// in it.
template <typename Act>
void forChunks(const Block& block, const std::vector<long long>& edges, Act&& act)
{
    std::vector<long long> first = block.first;
    for (std::size_t d = 0; d < first.size(); ++d)
        first[d] -= first[d] % edges[d];
    const std::vector<long long> end = endOf(block);
    forPositions(first, end, edges, [&](const std::vector<long long>& chunk) {
        Block part = block;
        for (std::size_t d = 0; d < chunk.size(); ++d) {
            part.first[d] = std::max(block.first[d], chunk[d]);
            part.count[d] = std::min(end[d], chunk[d] + edges[d]) - part.first[d];
        }
        act(chunk, part);
    });
}

// Reads a block with HDF5, converted to `type`. Returns a negative value on failure, see hdf5Message().
int readByLibrary(hid_t dataset, const Block& block, hid_t type, void* out)
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
int readByChunks(const Hdf5Dataset& dataset, hid_t id, const std::vector<ChunkFilter>& filters, const Block& block,
                 hid_t type, T* out)
{
    Hdf5Guard guard;
    const Hdf5Handle stored = withMemory(H5Dget_type(id), H5Tclose);
    const std::size_t bytes = H5Tget_size(stored.id()), count = block.numbers();
    Buffer<char> numbers(count * std::max(bytes, sizeof(T))); // converted in place
    struct Missing {
        Block part;
        bool wasWritten;
    };
    std::vector<Missing> missing;
    ChunkDecoder undo(dataset, filters, bytes);
    forChunks(block, dataset.chunk(), [&](const std::vector<long long>& chunk, const Block& part) {
        if (const char* data = undo.at(chunk))
            copyPart(part, data, {chunk, dataset.chunk()}, numbers.data(), block, bytes);
        else
            missing.push_back({part, undo.wasWritten()});
    });
    if (H5Tconvert(stored.id(), type, count, numbers.data(), nullptr, H5P_DEFAULT) < 0)
        return -1;
    std::memcpy(out, numbers.data(), count * sizeof(T));
    const T fill = missing.empty() ? T() : static_cast<T>(dataset.fillValue());
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
int readBlock(const Hdf5Dataset& dataset, hid_t id, const std::optional<std::vector<ChunkFilter>>& filters,
              const Block& block, hid_t type, T* out)
{
    const bool isAny = std::ranges::all_of(block.count, [](long long count) { return count > 0; });
    return filters && isAny ? readByChunks(dataset, id, *filters, block, type, out)
                            : readByLibrary(id, block, type, out);
}

[[noreturn]] void failToRead(const std::filesystem::path& file, const std::string& what)
{
    throw Error(ErrorKind::badFile, fileText(file.string()) + ": " + what);
}

} // namespace

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

const VirtualGaps& Hdf5Dataset::gaps() const
{
    return m_impl->gaps;
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
    if (readBlock(*this, m_impl->dataset.id(), m_impl->filters, {start, count}, H5T_NATIVE_FLOAT, out) < 0) {
        const std::string message = m_impl->whyUnread();
        failToRead(m_impl->filePath, "the data set " + m_impl->path + " can't be read from position " +
                                         std::to_string(start.empty() ? 0 : start[0]) + " on (" + message +
                                         "). The file may be damaged or incomplete.");
    }
}

std::uintmax_t Hdf5Dataset::bytesOfFiles() const
{
    std::uintmax_t there = 0;
    std::error_code unknown;
    for (const std::filesystem::path& file : m_impl->files)
        if (const std::uintmax_t bytes = std::filesystem::file_size(file, unknown); !unknown)
            there += bytes;
    return there;
}

void Hdf5Dataset::requireWritten() const
{
    const double numbers = static_cast<double>(size());
    if (isPlausible(numbers, bytesOfFiles())) // else the storage is counted: slow for many chunks
        return;
    Hdf5Guard guard;
    const Hdf5Handle plist(H5Dget_create_plist(m_impl->dataset.id()), H5Pclose);
    if (H5Pget_layout(plist.id()) != H5D_VIRTUAL && H5Dget_storage_size(m_impl->dataset.id()) == 0)
        failToRead(m_impl->filePath, "none of the " + wholeNumber(numbers) + " numbers of the data set " +
                                         m_impl->path + " was ever written.");
}

std::optional<StoredNumbers> Hdf5Dataset::stored() const
{
    Hdf5Guard guard;
    return storedNumbers(m_impl->dataset.id(), m_impl->inputs);
}

std::vector<VirtualPart> Hdf5Dataset::parts() const
{
    Hdf5Guard guard;
    return virtualParts(m_impl->dataset.id(), m_impl->inputs);
}

std::optional<ChunkFormat> Hdf5Dataset::chunkFormat() const
{
    Hdf5Guard guard;
    return engine::chunkFormat(m_impl->dataset.id());
}

bool Hdf5Dataset::canGrow() const
{
    return m_impl->canGrow;
}

bool Hdf5Dataset::isWritten(const std::vector<long long>& position) const
{
    Hdf5Guard guard;
    if (m_impl->chunk.empty())
        return true;
    std::vector<long long> start = position;
    for (std::size_t d = 0; d < m_impl->chunk.size(); ++d)
        start[d] -= start[d] % m_impl->chunk[d];
    const std::vector<hsize_t> offset(start.begin(), start.end());
    hsize_t size = 0;
    return H5Dget_chunk_storage_size(m_impl->dataset.id(), offset.data(), &size) >= 0 &&
           (size > 0 || bytesInFile(m_impl->dataset.id(), start).has_value());
}

bool Hdf5Dataset::isWhole() const
{
    Hdf5Guard guard;
    hsize_t written = 0;
    double wanted = 1;
    for (std::size_t d = 0; d < m_impl->chunk.size(); ++d)
        wanted *= std::ceil(static_cast<double>(shape()[d]) / static_cast<double>(m_impl->chunk[d]));
    const Hdf5Handle space(H5Dget_space(m_impl->dataset.id()), H5Sclose);
    return m_impl->chunk.empty() || (H5Dget_num_chunks(m_impl->dataset.id(), space.id(), &written) >= 0 &&
                                     static_cast<double>(written) >= wanted);
}

double Hdf5Dataset::fillValue() const
{
    Hdf5Guard guard;
    const Hdf5Handle creation = withMemory(H5Dget_create_plist(m_impl->dataset.id()), H5Pclose);
    double value = 0;
    H5D_fill_value_t known = H5D_FILL_VALUE_UNDEFINED;
    const bool isKnown = H5Pfill_value_defined(creation.id(), &known) >= 0 && known != H5D_FILL_VALUE_UNDEFINED &&
                         H5Pget_fill_value(creation.id(), H5T_NATIVE_DOUBLE, &value) >= 0;
    return isKnown ? value : 0;
}

Hdf5Dataset::StoredChunk Hdf5Dataset::readChunk(const std::vector<long long>& start, Buffer<char>& bytes) const
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

std::vector<double> Hdf5Dataset::numbers() const
{
    const long long count = size();
    if (m_impl->sampleType.empty())
        failToRead(m_impl->filePath, "the data set " + m_impl->path + " does not hold numbers.");
    if (count > (16LL << 20))
        failToRead(m_impl->filePath, "the data set " + m_impl->path + " has " + std::to_string(count) +
                                         " numbers, more than any scan has frames.");
    if (m_impl->gaps.any())
        failToRead(
            m_impl->filePath,
            "some of the numbers of the virtual data set " + m_impl->path + " are not covered by any of its sources" +
                (m_impl->gaps.missing.empty() ? "" : ": '" + m_impl->gaps.missing.string() + "' is missing") + ".");
    std::vector<double> values(static_cast<std::size_t>(std::max(0LL, count)));
    Hdf5Guard guard;
    const Block all{std::vector<long long>(shape().size()), shape()};
    if (!values.empty() &&
        readBlock(*this, m_impl->dataset.id(), m_impl->filters, all, H5T_NATIVE_DOUBLE, values.data()) < 0) {
        const std::string message = m_impl->whyUnread();
        failToRead(m_impl->filePath, "the data set " + m_impl->path + " can't be read (" + message + ").");
    }
    return values;
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/io/files/size_limits.h"
#include "engine/io/hdf5/chunk_blocks.h"
#include "engine/io/hdf5/filter_packages.h"
#include "engine/io/hdf5/hdf5_dataset_impl.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <string_view>
#include <type_traits>
#include <utility>

namespace engine
{

namespace
{

constexpr long long placesTogether = 1 << 15; // chunks that are asked for at a time; takes 10 ms

[[noreturn]] void failToRead(const std::filesystem::path& file, const std::string& what)
{
    throw Error(ErrorKind::badFile, fileText(file.string()) + ": " + what);
}

long long chunksAlong(const DatasetFacts& facts, std::size_t d)
{
    return (facts.shape[d] + facts.chunk[d] - 1) / facts.chunk[d];
}

template <typename Number>
void numbersToDoubles(const char* from, std::size_t count, double* out)
{
    for (std::size_t k = 0; k < count; ++k) {
        Number number;
        std::memcpy(&number, from + k * sizeof number, sizeof number);
        out[k] = static_cast<double>(number);
    }
}

void convert(const SampleType& type, const char* from, std::size_t count, float* out)
{
    type.toFloats(from, count, out);
}

void convert(const SampleType& type, const char* from, std::size_t count, double* out)
{
    using Convert = void (*)(const char*, std::size_t, double*);
    // The other types fit a float.
    static constexpr std::pair<std::string_view, Convert> known[] = {{"uint32", numbersToDoubles<std::uint32_t>},
                                                                     {"int32", numbersToDoubles<std::int32_t>},
                                                                     {"uint64", numbersToDoubles<std::uint64_t>},
                                                                     {"int64", numbersToDoubles<std::int64_t>},
                                                                     {"float64", numbersToDoubles<double>}};
    for (const auto& [name, conversion] : known)
        if (name == type.name)
            return conversion(from, count, out);
    Values floats(count);
    type.toFloats(from, count, floats.data());
    std::ranges::copy(floats, out);
}

} // namespace

long long Hdf5Dataset::Impl::chunks() const
{
    long long all = facts.chunk.empty() ? 0 : 1;
    for (std::size_t d = 0; d < facts.chunk.size(); ++d)
        all *= chunksAlong(facts, d);
    return all;
}

long long Hdf5Dataset::Impl::numberOf(const std::vector<long long>& start) const
{
    long long number = 0;
    for (std::size_t d = 0; d < facts.chunk.size(); ++d)
        number = number * chunksAlong(facts, d) + start[d] / facts.chunk[d];
    return number;
}

ChunkPlace Hdf5Dataset::Impl::placeOf(long long chunk) const
{
    const long long range = chunk / placesTogether;
    const std::lock_guard lock(mutex);
    auto known = places.find(range);
    if (known == places.end()) // not operator[]: an error must not leave an empty entry for layout()
        known = places.emplace(range, placesOfRange(range)).first;
    return (*known->second)[static_cast<std::size_t>(chunk % placesTogether)];
}

std::shared_ptr<const std::vector<ChunkPlace>> Hdf5Dataset::Impl::placesOfRange(long long range) const
{
    const long long first = range * placesTogether, count = std::min(placesTogether, chunks() - first);
    Parcel answer = ask(HelperQuestion::places, Parcel().add(first).add(count));
    return std::make_shared<const std::vector<ChunkPlace>>(placesIn(answer, count));
}

std::vector<std::optional<FileIdentity>> Hdf5Dataset::Impl::filesNow() const
{
    std::vector<std::optional<FileIdentity>> now;
    for (const std::filesystem::path& file : facts.files)
        now.push_back(identityOf(file));
    return now;
}

// A compressed chunk moves when frames are added to it: its former place may hold another chunk by now.
long long Hdf5Dataset::Impl::layout() const
{
    const std::lock_guard lock(mutex);
    auto now = filesNow();
    if (now == filesThen)
        return moves;
    session->forgetOldFiles();
    Parcel answer = ask(HelperQuestion::dataset);
    const DatasetFacts later = factsIn(answer);
    if (later.chunk != facts.chunk || later.shape.size() != facts.shape.size() || later.shape[0] < facts.shape[0] ||
        !std::equal(facts.shape.begin() + 1, facts.shape.end(), later.shape.begin() + 1))
        failToRead(facts.file,
                   "the data set " + facts.path + " has another shape since the scan was opened. Open it again.");
    const auto isAt = [](const ChunkPlace& before, const ChunkPlace& after) {
        return before.state != ChunkPlace::State::stored || before == after;
    };
    bool haveMoved = !facts.format; // where HDF5 reads, nobody knows
    for (auto& [range, known] : places) {
        const auto found = placesOfRange(range);
        haveMoved = haveMoved || !std::ranges::equal(*known, *found, isAt);
        known = found;
    }
    filesThen = std::move(now);
    return haveMoved ? ++moves : moves;
}

// A chunk without filters that is too short, or one with filters that is empty, is found on opening.
void Hdf5Dataset::Impl::requireLengths() const
{
    constexpr long long mostLengths = 20'000;
    const long long count = chunks();
    if (!facts.format || count > mostLengths)
        return;
    const auto whole = static_cast<std::uint64_t>(std::accumulate(
        facts.chunk.begin(), facts.chunk.end(), static_cast<long long>(facts.format->type.bytes), std::multiplies<>()));
    long long perStep = 1; // chunks
    for (std::size_t d = 1; d < facts.chunk.size(); ++d)
        perStep *= chunksAlong(facts, d);
    for (long long k = 0; k < count; ++k)
        if (const ChunkPlace place = placeOf(k);
            place.state == ChunkPlace::State::stored &&
            (facts.format->filters.empty() ? place.bytes != whole : place.bytes == 0))
            failToRead(facts.file, "the data set " + facts.path + " has a chunk of " + std::to_string(place.bytes) +
                                       " bytes at position " + std::to_string(k / perStep * facts.chunk[0]) +
                                       ". It is damaged.");
}

template <typename T>
void Hdf5Dataset::Impl::readByLibrary(const NumberBlock& block, T* out) const
{
    session->askForValues(HelperQuestion::read, facts.file, facts.path,
                          Parcel().add(block.first).add(block.count).add(std::is_same_v<T, double>),
                          reinterpret_cast<char*>(out), block.numbers() * sizeof(T));
}

const StoredNumbers* Hdf5Dataset::Impl::stored() const
{
    const std::lock_guard lock(mutex);
    if (!numbers) {
        Parcel answer = ask(HelperQuestion::stored);
        numbers = storedIn(answer, std::accumulate(facts.shape.begin(), facts.shape.end(), 1LL, std::multiplies<>()));
    }
    return *numbers ? &**numbers : nullptr;
}

template <typename T>
void Hdf5Dataset::Impl::read(const NumberBlock& block, T* out) const
{
    if (block.numbers() == 0)
        return;
    if (facts.format)
        readByChunks(block, out);
    else if (const StoredNumbers* all = facts.chunk.empty() ? stored() : nullptr)
        readByRuns(*all, block, out);
    else
        readByLibrary(block, out);
}

template <typename T>
void Hdf5Dataset::Impl::readByChunks(const NumberBlock& block, T* out) const
{
    const ChunkFormat& format = *facts.format;
    const auto bytes = static_cast<std::size_t>(format.type.bytes);
    Buffer<char> decoded(block.numbers() * bytes);
    ChunkDecoder decoder(storeOf(Hdf5Dataset(shared_from_this())), format.filters, bytes);
    const std::vector<MissingPart> missing = readChunks(decoder, facts.chunk, block, decoded.data(), bytes);
    if (format.bigEndian != (std::endian::native == std::endian::big))
        format.type.swapBytes(decoded.data(), block.numbers());
    convert(format.type, decoded.data(), block.numbers(), out);
    for (const auto& [part, wasWritten] : missing) {
        std::vector<T> filled(part.numbers(), static_cast<T>(facts.fillValue));
        if (wasWritten) // the library knows no place: it reports the damage
            readByLibrary(part, filled.data());
        copyPart(part, reinterpret_cast<const char*>(filled.data()), part, reinterpret_cast<char*>(out), block,
                 sizeof(T));
    }
}

// Reads the stretches of numbers that are consecutive in the data set.
template <typename T>
void Hdf5Dataset::Impl::readByRuns(const StoredNumbers& all, const NumberBlock& block, T* out) const
{
    long long stretch = 1; // numbers
    std::size_t outer = block.count.size();
    while (outer > 0 && stretch * block.count[outer - 1] > 0) {
        stretch *= block.count[--outer];
        if (block.count[outer] != facts.shape[outer])
            break;
    }
    std::map<std::filesystem::path, std::shared_ptr<const InputFile>> files;
    std::vector<long long> at = block.first;
    for (bool isMore = true; isMore; out += stretch) {
        long long first = 0;
        for (std::size_t d = 0; d < at.size(); ++d)
            first = first * facts.shape[d] + at[d];
        readStretch(all, first, stretch, files, out);
        isMore = false;
        for (std::size_t d = outer; d > 0 && !isMore; --d) {
            isMore = ++at[d - 1] < block.first[d - 1] + block.count[d - 1];
            if (!isMore)
                at[d - 1] = block.first[d - 1];
        }
    }
}

// Reads `count` numbers from number `first` of the data set on, from the files that they are in.
template <typename T>
void Hdf5Dataset::Impl::readStretch(const StoredNumbers& all, long long first, long long count,
                                    std::map<std::filesystem::path, std::shared_ptr<const InputFile>>& files,
                                    T* out) const
{
    constexpr long long together = 1 << 20; // numbers
    const auto bytes = static_cast<long long>(all.type.bytes);
    Buffer<char> stored;
    auto run = std::ranges::upper_bound(all.runs, first, {}, &StoredNumbers::Run::first) - 1;
    for (const long long end = first + count; first < end;) {
        if (first == run->first + run->count)
            ++run;
        const long long skipped = first - run->first, some = std::min({together, end - first, run->count - skipped});
        std::shared_ptr<const InputFile>& file = files[run->file];
        if (!file)
            file = session->open(run->file);
        stored.resize(static_cast<std::size_t>(some * bytes));
        const auto offset = static_cast<std::uintmax_t>(run->offset + skipped * bytes);
        if (file->read(stored.data(), stored.size(), offset) < stored.size())
            failToRead(facts.file, "the data set " + facts.path + " can't be read: '" + run->file.string() +
                                       "' ends too early. The file may be damaged or incomplete.");
        if (all.bigEndian != (std::endian::native == std::endian::big))
            all.type.swapBytes(stored.data(), static_cast<std::size_t>(some));
        convert(all.type, stored.data(), static_cast<std::size_t>(some), out);
        out += some;
        first += some;
    }
}

// Looking up millions of chunks takes seconds and gigabytes. Nobody writes them with a few bytes each, and a stored chunk
// has at least one byte.
void requireFewTinyChunks(const Hdf5Dataset::Impl& set, long long bytes)
{
    constexpr long long always = 1 << 17, tiny = 256;
    const long long count = set.chunks();
    if (count > always && bytes < tiny && static_cast<std::uintmax_t>(count) > set.chunkFile->bytes())
        failToRead(set.facts.file, "the data set " + set.facts.path + " has " + std::to_string(count) + " chunks of " +
                                       std::to_string(bytes) + " bytes, more than the file has bytes (" +
                                       std::to_string(set.chunkFile->bytes()) +
                                       "). It is damaged, or crafted to exhaust the memory.");
}

Hdf5Dataset openDataset(const std::shared_ptr<HelperSession>& session, const std::filesystem::path& file,
                        const std::string& path)
{
    auto impl = std::make_shared<Hdf5Dataset::Impl>();
    impl->session = session;
    Parcel answer = session->ask(HelperQuestion::dataset, file, path);
    impl->facts = factsIn(answer);
    impl->facts.file = file;
    impl->facts.path = path;
    impl->filesThen = session->filesWhenOpened(impl->facts.files);
    if (impl->facts.format) {
        for (const ChunkFilter& filter : impl->facts.format->filters)
            if (filter.kind == ChunkFilter::Kind::plugin && !session->plugins()->has(filter.id))
                failToRead(file,
                           "the data set " + path + " is compressed with " + howToInstall(filter.id, filter.name));
        const long long bytes =
            std::accumulate(impl->facts.chunk.begin(), impl->facts.chunk.end(), 1LL, [](long long all, long long edge) {
                return std::min(all * std::min(edge, 1LL << 31), 1LL << 31);
            });
        impl->chunkFile = session->open(impl->facts.chunkFile);
        requirePlausible(static_cast<double>(bytes) * impl->facts.format->type.bytes, impl->chunkFile->bytes(),
                         fileText(file.string()) + ": the data set " + path + " has chunks");
        requireFewTinyChunks(*impl, bytes * impl->facts.format->type.bytes);
        impl->requireLengths();
    }
    return Hdf5Dataset(std::move(impl));
}

ChunkStore storeOf(const Hdf5Dataset& dataset)
{
    return {
        dataset.facts(),
        [dataset](const std::vector<long long>& start, Buffer<char>& bytes) { return dataset.readChunk(start, bytes); },
        dataset.plugins()};
}

const DatasetFacts& Hdf5Dataset::facts() const
{
    return m_impl->facts;
}

std::shared_ptr<PluginDecoders> Hdf5Dataset::plugins() const
{
    return m_impl->session->plugins();
}

long long Hdf5Dataset::size() const
{
    return std::accumulate(shape().begin(), shape().end(), 1LL, std::multiplies<>());
}

void Hdf5Dataset::read(const std::vector<long long>& start, const std::vector<long long>& count, float* out) const
{
    m_impl->read({start, count}, out);
}

std::uintmax_t Hdf5Dataset::bytesOfFiles() const
{
    std::uintmax_t there = 0;
    std::error_code unknown;
    for (const std::filesystem::path& file : files())
        if (const std::uintmax_t bytes = std::filesystem::file_size(file, unknown); !unknown)
            there += bytes;
    return there;
}

void Hdf5Dataset::requireWritten() const
{
    const double numbers = static_cast<double>(size());
    if (isPlausible(numbers, bytesOfFiles())) // else the storage is counted: slow for many chunks
        return;
    if (!m_impl->ask(HelperQuestion::hasStorage).take<bool>())
        failToRead(filePath(),
                   "none of the " + wholeNumber(numbers) + " numbers of the data set " + path() + " was ever written.");
}

std::optional<StoredNumbers> Hdf5Dataset::stored() const
{
    const StoredNumbers* const numbers = m_impl->stored();
    return numbers ? std::optional(*numbers) : std::nullopt;
}

std::vector<VirtualPart> Hdf5Dataset::parts() const
{
    Parcel answer = m_impl->ask(HelperQuestion::parts);
    return partsIn(answer, shape().empty() ? 0 : shape()[0]);
}

Hdf5Dataset Hdf5Dataset::source(const VirtualPart& part) const
{
    return openDataset(m_impl->session, part.file, part.path);
}

bool Hdf5Dataset::isWritten(const std::vector<long long>& position) const
{
    return chunk().empty() || m_impl->placeOf(m_impl->numberOf(position)).state == ChunkPlace::State::stored;
}

long long Hdf5Dataset::layout() const
{
    return m_impl->layout();
}

bool Hdf5Dataset::isWhole() const
{
    return chunk().empty() || m_impl->ask(HelperQuestion::isWhole).take<bool>();
}

StoredChunk Hdf5Dataset::readChunk(const std::vector<long long>& start, Buffer<char>& bytes) const
{
    const ChunkPlace place = m_impl->placeOf(m_impl->numberOf(start));
    bytes.resize(0);
    if (place.state != ChunkPlace::State::stored)
        return {.isWritten = place.state == ChunkPlace::State::unreadable};
    // No filter makes a chunk much longer; a longer one is damaged, and yields fewer bytes than it should.
    const double most = 2.0 * std::accumulate(chunk().begin(), chunk().end(), 1.0, std::multiplies<>()) *
                            m_impl->facts.format->type.bytes +
                        (1 << 20);
    const bool isPlausible = static_cast<double>(place.bytes) <= most;
    if (isPlausible) {
        bytes.resize(place.bytes);
        bytes.resize(m_impl->chunkFile->read(bytes.data(), place.bytes, place.offset));
    }
    return {.isWritten = true, .isHollow = bytes.empty(), .leftOut = place.leftOut};
}

std::vector<double> Hdf5Dataset::numbers() const
{
    const long long count = size();
    if (sampleType().empty())
        failToRead(filePath(), "the data set " + path() + " does not hold numbers.");
    if (count > (16LL << 20))
        failToRead(filePath(), "the data set " + path() + " has " + std::to_string(count) +
                                   " numbers, more than any scan has frames.");
    if (gaps().any())
        failToRead(filePath(),
                   "some of the numbers of the virtual data set " + path() + " are not covered by any of its sources" +
                       (gaps().missing.empty() ? "" : ": '" + gaps().missing.string() + "' is missing") + ".");
    std::vector<double> values(static_cast<std::size_t>(count));
    m_impl->read({std::vector<long long>(shape().size()), shape()}, values.data());
    return values;
}

} // namespace engine

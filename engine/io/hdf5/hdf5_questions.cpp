// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/hdf5_questions.h"

#include <algorithm>

namespace engine
{

namespace
{

constexpr std::size_t mostDimensions = 32; // H5S_MAX_RANK

std::vector<long long> lengthsIn(Parcel& parcel)
{
    std::vector<long long> lengths = parcel.takeList<long long>();
    parcel.require(lengths.size() <= mostDimensions &&
                   std::ranges::all_of(lengths, [](long long length) { return length >= 0; }));
    return lengths;
}

void addFormat(Parcel& parcel, const std::optional<ChunkFormat>& format)
{
    parcel.add(format.has_value());
    if (!format)
        return;
    parcel.add(std::string(format->type.name)).add(format->bigEndian).add(std::uint64_t{format->filters.size()});
    for (const ChunkFilter& filter : format->filters)
        parcel.add(static_cast<std::uint32_t>(filter.kind)).add(filter.id).add(filter.parameters).add(filter.name);
}

std::optional<ChunkFormat> formatIn(Parcel& parcel)
{
    if (!parcel.take<bool>())
        return {};
    const SampleType* const type = findSampleType(parcel.take<std::string>());
    parcel.require(type != nullptr);
    ChunkFormat format{*type, parcel.take<bool>(), {}};
    for (auto left = parcel.take<std::uint64_t>(); left > 0; --left) {
        const auto kind = parcel.take<std::uint32_t>();
        parcel.require(kind <= static_cast<std::uint32_t>(ChunkFilter::Kind::plugin));
        ChunkFilter filter{.kind = static_cast<ChunkFilter::Kind>(kind)};
        filter.id = parcel.take<int>();
        filter.parameters = parcel.takeList<unsigned>();
        filter.name = parcel.take<std::string>();
        format.filters.push_back(std::move(filter));
    }
    return format;
}

} // namespace

void addTo(Parcel& parcel, const DatasetFacts& facts)
{
    parcel.add(facts.shape).add(facts.chunk).add(facts.files).add(facts.sampleType).add(facts.canGrow);
    parcel.add(std::uint64_t{facts.gaps.untouched.size()});
    for (const auto& ranges : facts.gaps.untouched) {
        parcel.add(std::uint64_t{ranges.size()});
        for (const VirtualGaps::Range& range : ranges)
            parcel.add(range.first).add(range.count);
    }
    parcel.add(facts.gaps.isPartial).add(facts.gaps.isCut).add(facts.gaps.missing);
    addFormat(parcel, facts.format);
    parcel.add(facts.chunkFile).add(facts.areEdgesFiltered).add(facts.fillValue);
}

DatasetFacts factsIn(Parcel& parcel)
{
    DatasetFacts facts;
    facts.shape = lengthsIn(parcel);
    facts.chunk = lengthsIn(parcel);
    parcel.require(facts.chunk.empty() || facts.chunk.size() == facts.shape.size());
    parcel.require(std::ranges::all_of(facts.chunk, [](long long edge) { return edge > 0 && edge < 1LL << 32; }));
    long long numbers = 1;
    for (const long long length : facts.shape)
        parcel.require(!__builtin_mul_overflow(numbers, length, &numbers));
    facts.files = parcel.takeList<std::filesystem::path>();
    facts.sampleType = parcel.take<std::string>();
    facts.canGrow = parcel.take<bool>();
    for (auto left = parcel.take<std::uint64_t>(); left > 0; --left) {
        std::vector<VirtualGaps::Range>& ranges = facts.gaps.untouched.emplace_back();
        for (auto more = parcel.take<std::uint64_t>(); more > 0; --more) {
            VirtualGaps::Range range;
            range.first = parcel.take<long long>();
            range.count = parcel.take<long long>();
            ranges.push_back(range);
        }
    }
    parcel.require(facts.gaps.untouched.empty() || facts.gaps.untouched.size() == facts.shape.size());
    facts.gaps.isPartial = parcel.take<bool>();
    facts.gaps.isCut = parcel.take<bool>();
    facts.gaps.missing = parcel.take<std::filesystem::path>();
    facts.format = formatIn(parcel);
    facts.chunkFile = parcel.take<std::filesystem::path>();
    facts.areEdgesFiltered = parcel.take<bool>();
    facts.fillValue = parcel.take<double>();
    parcel.require(!facts.format || !facts.chunk.empty());
    return facts;
}

void addTo(Parcel& parcel, const std::optional<StoredNumbers>& stored)
{
    parcel.add(stored.has_value());
    if (!stored)
        return;
    parcel.add(std::string(stored->type.name)).add(stored->bigEndian).add(std::uint64_t{stored->runs.size()});
    for (const StoredNumbers::Run& run : stored->runs)
        parcel.add(run.file).add(run.offset).add(run.first).add(run.count);
}

std::optional<StoredNumbers> storedIn(Parcel& parcel, long long numbers)
{
    if (!parcel.take<bool>())
        return {};
    const SampleType* const type = findSampleType(parcel.take<std::string>());
    parcel.require(type != nullptr);
    StoredNumbers stored{*type, parcel.take<bool>(), {}};
    long long at = 0;
    for (auto left = parcel.take<std::uint64_t>(); left > 0; --left) {
        StoredNumbers::Run run;
        run.file = parcel.take<std::filesystem::path>();
        run.offset = parcel.take<long long>();
        run.first = parcel.take<long long>();
        run.count = parcel.take<long long>();
        constexpr long long most = 1LL << 58; // of an offset in bytes
        parcel.require(run.first == at && run.count > 0 && run.count <= numbers - at && run.offset >= 0 &&
                       run.offset <= most && run.count <= most / type->bytes);
        at += run.count;
        stored.runs.push_back(std::move(run));
    }
    parcel.require(at == numbers);
    return stored;
}

void addTo(Parcel& parcel, const std::vector<VirtualPart>& parts)
{
    parcel.add(std::uint64_t{parts.size()});
    for (const VirtualPart& part : parts)
        parcel.add(part.file).add(part.path).add(part.first).add(part.count).add(part.firstOfSource);
}

std::vector<VirtualPart> partsIn(Parcel& parcel, long long steps)
{
    std::vector<VirtualPart> parts;
    long long at = 0;
    for (auto left = parcel.take<std::uint64_t>(); left > 0; --left) {
        VirtualPart part;
        part.file = parcel.take<std::filesystem::path>();
        part.path = parcel.take<std::string>();
        part.first = parcel.take<long long>();
        part.count = parcel.take<long long>();
        part.firstOfSource = parcel.take<long long>();
        parcel.require(part.first >= at && part.count >= 0 && part.count <= steps - part.first &&
                       part.firstOfSource >= 0);
        at = part.first + part.count;
        parts.push_back(std::move(part));
    }
    return parts;
}

void addTo(Parcel& parcel, const std::vector<ChunkPlace>& places)
{
    parcel.add(std::uint64_t{places.size()});
    for (const ChunkPlace& place : places)
        parcel.add(place.offset).add(place.bytes).add(place.leftOut).add(static_cast<std::uint32_t>(place.state));
}

std::vector<ChunkPlace> placesIn(Parcel& parcel, long long count)
{
    parcel.require(parcel.take<std::uint64_t>() == static_cast<std::uint64_t>(count));
    std::vector<ChunkPlace> places;
    places.reserve(static_cast<std::size_t>(count));
    for (; count > 0; --count) {
        ChunkPlace place;
        place.offset = parcel.take<std::uint64_t>();
        place.bytes = parcel.take<std::uint64_t>();
        place.leftOut = parcel.take<std::uint32_t>();
        const auto state = parcel.take<std::uint32_t>();
        constexpr std::uint64_t most = 1ULL << 62;
        parcel.require(state <= static_cast<std::uint32_t>(ChunkPlace::State::unreadable) && place.offset < most &&
                       place.bytes < most);
        place.state = static_cast<ChunkPlace::State>(state);
        places.push_back(place);
    }
    return places;
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/chunked_frames.h"

#include "engine/io/files/size_limits.h"
#include "engine/io/hdf5/hdf5_dataset_impl.h"

#include <algorithm>
#include <bit>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

namespace engine
{

namespace
{

// Positions from `first` to `first + count` (excluded) along a dimension.
struct Span {
    long long first = 0, count = 0;
};

Span overlap(Span a, Span b)
{
    const long long first = std::max(a.first, b.first), end = std::min(a.first + a.count, b.first + b.count);
    return {first, end - first};
}

class Chunks
{
  public:
    explicit Chunks(ChunkedFrames frames)
        : m_frames(std::move(frames)), m_edge(m_frames.dataset.chunk()), m_bins(m_frames.dataset.shape()[2]),
          m_bytesOut(keptType(m_frames.format.type).bytes),
          m_fill(static_cast<float>(m_frames.dataset.facts().fillValue))
    {
    }

    void read(int first, int count, RowRange rows, char* out) const
    {
        ChunkDecoder undo(storeOf(m_frames.dataset), m_frames.format.filters,
                          static_cast<std::size_t>(m_frames.format.type.bytes));
        const auto frameSize = static_cast<std::size_t>(rows.count * m_bins * m_bytesOut);
        for (int done = 0; done < count;) {
            const std::size_t at = static_cast<std::size_t>(first) + done;
            int run = 1;
            while (done + run < count && m_frames.indices[at + run] == m_frames.indices[at] + run)
                ++run;
            readRun(undo, {m_frames.indices[at], run}, {rows.first, rows.count}, out + done * frameSize);
            done += run;
        }
    }

  private:
    // Reads consecutive frames, chunk by chunk.
    void readRun(ChunkDecoder& undo, Span frames, Span rows, char* out) const
    {
        const Span bins{0, m_bins};
        const auto firstOf = [&](Span span, int axis) { return span.first / m_edge[axis] * m_edge[axis]; };
        for (long long f = firstOf(frames, 0); f < frames.first + frames.count; f += m_edge[0])
            for (long long r = firstOf(rows, 1); r < rows.first + rows.count; r += m_edge[1])
                for (long long b = 0; b < m_bins; b += m_edge[2]) {
                    const char* chunk = inOrder(undo.at({f, r, b}));
                    place(chunk, undo.wasWritten(), {f, r, b}, frames, rows, bins, out);
                }
    }

    const char* inOrder(char* chunk) const
    {
        if (chunk && m_frames.format.bigEndian != (std::endian::native == std::endian::big))
            m_frames.format.type.swapBytes(chunk, static_cast<std::size_t>(m_edge[0] * m_edge[1] * m_edge[2]));
        return chunk;
    }

    void place(const char* chunk, bool wasWritten, const std::vector<long long>& start, Span frames, Span rows,
               Span bins, char* out) const
    {
        const Span f = overlap(frames, {start[0], m_edge[0]}), r = overlap(rows, {start[1], m_edge[1]}),
                   b = overlap(bins, {start[2], m_edge[2]});
        if (!chunk) {
            Values filled(static_cast<std::size_t>(f.count * r.count * b.count), m_fill);
            if (wasWritten) // HDF5 reports the damage
                m_frames.dataset.read({f.first, r.first, b.first}, {f.count, r.count, b.count}, filled.data());
            const float* from = filled.data();
            const auto put = keptType(m_frames.format.type).fromFloats;
            for (long long frame = f.first; frame < f.first + f.count; ++frame)
                for (long long row = r.first; row < r.first + r.count; ++row, from += b.count)
                    put(from, static_cast<std::size_t>(b.count), target(out, frame, row, b.first, frames, rows));
            return;
        }
        for (long long frame = f.first; frame < f.first + f.count; ++frame)
            for (long long row = r.first; row < r.first + r.count; ++row) {
                const long long from =
                    ((frame - start[0]) * m_edge[1] + row - start[1]) * m_edge[2] + b.first - start[2];
                const char* line = chunk + from * m_frames.format.type.bytes;
                char* to = target(out, frame, row, b.first, frames, rows);
                if (m_frames.format.type.isKept)
                    std::copy_n(line, b.count * m_bytesOut, to);
                else
                    m_frames.format.type.toFloats(line, static_cast<std::size_t>(b.count),
                                                  reinterpret_cast<float*>(to));
            }
    }

    char* target(char* out, long long frame, long long row, long long bin, Span frames, Span rows) const
    {
        return out + (((frame - frames.first) * rows.count + row - rows.first) * m_bins + bin) * m_bytesOut;
    }

    ChunkedFrames m_frames;
    std::vector<long long> m_edge;
    long long m_bins, m_bytesOut; // m_bytesOut: per number
    float m_fill;
};

} // namespace

FrameSource chunkedFrames(ChunkedFrames frames)
{
    FrameSource source;
    const long long chunkFrames = std::min<long long>(frames.dataset.chunk()[0], mostFrames);
    source.frames = static_cast<int>(frames.indices.size());
    source.files = frames.dataset.files();
    source.chunk = source.step = static_cast<int>(chunkFrames);
    if (!frames.indices.empty() && frames.indices[0] % chunkFrames != 0)
        source.firstStep = static_cast<int>(chunkFrames - frames.indices[0] % chunkFrames);
    source.type = &keptType(*findSampleType(frames.format.type.name));
    source.rowsTogether = static_cast<int>(std::min<long long>(frames.dataset.chunk()[1], mostAcross));
    source.concurrent = true;
    source.layout = [dataset = frames.dataset] { return dataset.layout(); };
    const auto chunks = std::make_shared<const Chunks>(std::move(frames));
    source.read = [chunks](int first, int count, RowRange rows, char* out) { chunks->read(first, count, rows, out); };
    return source;
}

namespace
{

constexpr std::size_t mostVirtualSources = 256; // kept open

// Consecutive frames from several sources.
struct JoinedFrames {
    std::vector<int> first; // index of each source's first frame
    std::vector<FrameSource> sources;

    long long layout() const
    {
        return std::accumulate(sources.begin(), sources.end(), 0LL,
                               [](long long all, const FrameSource& source) { return all + source.layout(); });
    }

    void read(int from, int count, RowRange rows, char* out, std::size_t frameBytes) const
    {
        while (count > 0) {
            const auto k = static_cast<std::size_t>(std::ranges::upper_bound(first, from) - first.begin() - 1);
            const int some = std::min(count, first[k] + sources[k].frames - from);
            sources[k].read(from - first[k], some, rows, out);
            from += some;
            count -= some;
            out += some * frameBytes;
        }
    }
};

// Divides frames of a virtual data set into runs that each lie in one part, as frames of the part's source. The parts
// are sorted. Nothing if a frame is in no part, if a source can't be decoded or
// has another type, or if there are too many sources.
std::optional<std::vector<ChunkedFrames>> runsOf(const Hdf5Dataset& dataset, const std::vector<VirtualPart>& parts,
                                                 const std::vector<long long>& indices)
{
    std::map<std::pair<std::filesystem::path, std::string>, ChunkedFrames> sources;
    std::vector<ChunkedFrames> runs;
    const VirtualPart* last = nullptr;
    for (const long long index : indices) {
        auto part = std::ranges::upper_bound(parts, index, {}, &VirtualPart::first);
        if (part == parts.begin() || index >= (--part)->first + part->count)
            return {};
        const auto [source, isNew] = sources.try_emplace({part->file, part->path});
        if (sources.size() > mostVirtualSources)
            return {};
        if (isNew) {
            source->second.dataset = dataset.source(*part);
            const auto format = source->second.dataset.chunkFormat();
            if (!format || format->type.name != dataset.sampleType())
                return {};
            source->second.format = *format;
        }
        if (std::exchange(last, &*part) != &*part)
            runs.push_back(source->second);
        runs.back().indices.push_back(index - part->first + part->firstOfSource);
    }
    return runs;
}

} // namespace

std::optional<FrameSource> virtualFrames(const Hdf5Dataset& dataset, const std::vector<long long>& indices)
{
    const std::vector<VirtualPart> parts = dataset.parts();
    if (parts.empty() || indices.empty())
        return {};
    auto runs = runsOf(dataset, parts, indices);
    if (!runs)
        return {};
    const long long bins = dataset.shape()[2];
    const auto joined = std::make_shared<JoinedFrames>();
    FrameSource all;
    for (ChunkedFrames& run : *runs) {
        const auto first = static_cast<int>(all.frames);
        FrameSource source = chunkedFrames(std::move(run));
        if (joined->sources.empty())
            all = source;
        else
            all.frames += source.frames;
        if (all.type != source.type)
            return {};
        joined->first.push_back(joined->sources.empty() ? 0 : first);
        joined->sources.push_back(std::move(source));
    }
    all.files = dataset.files();
    all.layout = [joined] { return joined->layout(); };
    all.read = [joined, bins, bytes = all.type->bytes](int first, int count, RowRange rows, char* out) {
        joined->read(first, count, rows, out, static_cast<std::size_t>(rows.count) * bins * bytes);
    };
    return all;
}

} // namespace engine

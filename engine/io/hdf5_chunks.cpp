#include "engine/io/hdf5_chunks.h"

#include "engine/error.h"
#include "engine/io/plausible.h"
#include "engine/uninitialized.h"

#include <hdf5.h>
#include <libdeflate.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace engine
{

namespace
{

// What a thread needs to undo a chunk.
class Undo
{
  public:
    Undo(const Hdf5Dataset& dataset, const ChunkFormat& format)
        : m_dataset(dataset), m_format(format),
          m_decompressor(libdeflate_alloc_decompressor(), libdeflate_free_decompressor),
          m_swap(format.bigEndian != (std::endian::native == std::endian::big))
    {
        m_bytes = static_cast<std::size_t>(format.type.bytes);
        for (const long long edge : dataset.chunk())
            m_bytes *= static_cast<std::size_t>(edge);
        if (!m_decompressor)
            throw std::bad_alloc();
    }

    // The numbers of the chunk that begins there; null where it was never written.
    const char* at(const std::vector<long long>& start)
    {
        const unsigned leftOut = m_dataset.readChunk(start, m_data);
        if (m_data.empty())
            return nullptr;
        for (std::size_t k = m_format.filters.size(); k-- > 0;) {
            if (leftOut >> k & 1U)
                continue;
            m_other.resize(m_bytes);
            switch (m_format.filters[k].kind) {
            case ChunkFilter::Kind::deflate:
                inflate(start);
                break;
            case ChunkFilter::Kind::shuffle:
                unshuffle(start);
                break;
            default:
                byPlugin(m_format.filters[k], start);
            }
            std::swap(m_data, m_other);
        }
        requireWhole(start, m_data.size());
        if (m_swap)
            m_format.type.swapBytes(m_data.data(), m_bytes / static_cast<std::size_t>(m_format.type.bytes));
        return m_data.data();
    }

  private:
    void inflate(const std::vector<long long>& start)
    {
        std::size_t made = 0;
        const auto result = libdeflate_zlib_decompress(m_decompressor.get(), m_data.data(), m_data.size(),
                                                       m_other.data(), m_other.size(), &made);
        requireWhole(start, result == LIBDEFLATE_SUCCESS ? made : 0);
    }

    void byPlugin(const ChunkFilter& filter, const std::vector<long long>& start)
    {
        std::size_t capacity = m_data.size();
        void* memory = std::malloc(capacity); // which the plug-in may replace
        if (!memory)
            throw std::bad_alloc();
        std::memcpy(memory, m_data.data(), m_data.size());
        const std::size_t made = filter.function(H5Z_FLAG_REVERSE, filter.parameters.size(), filter.parameters.data(),
                                                 m_data.size(), &capacity, &memory);
        const std::unique_ptr<void, decltype(&std::free)> owned(memory, std::free);
        requireWhole(start, made); // what comes before it keeps the size
        std::memcpy(m_other.data(), memory, made);
    }

    // First bytes of all numbers, then the second ones, and so on.
    void unshuffle(const std::vector<long long>& start)
    {
        requireWhole(start, m_data.size());
        const auto bytes = static_cast<std::size_t>(m_format.type.bytes), count = m_bytes / bytes;
        for (std::size_t byte = 0; byte < bytes; ++byte)
            for (std::size_t k = 0; k < count; ++k)
                m_other[k * bytes + byte] = m_data[byte * count + k];
    }

    void requireWhole(const std::vector<long long>& start, std::size_t bytes) const
    {
        if (bytes != m_bytes)
            throw Error(ErrorKind::badFile, "'" + m_dataset.filePath().string() + "': the data set " +
                                                m_dataset.path() + " can't be read from position " +
                                                std::to_string(start[0]) +
                                                " on: a chunk of it is damaged. The file may be incomplete.");
    }

    const Hdf5Dataset& m_dataset;
    const ChunkFormat& m_format;
    std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> m_decompressor;
    bool m_swap;
    std::size_t m_bytes;
    Buffer<char> m_data, m_other;
};

// Positions first … first + count along a dimension.
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
          m_bytesOut(keptType(m_frames.format.type).bytes)
    {
    }

    void read(int first, int count, RowRange rows, char* out) const
    {
        Undo undo(m_frames.dataset, m_frames.format);
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
    // Frames that follow each other, a chunk after the other.
    void readRun(Undo& undo, Span frames, Span rows, char* out) const
    {
        const Span bins{0, m_bins};
        const auto firstOf = [&](Span span, int axis) { return span.first / m_edge[axis] * m_edge[axis]; };
        for (long long f = firstOf(frames, 0); f < frames.first + frames.count; f += m_edge[0])
            for (long long r = firstOf(rows, 1); r < rows.first + rows.count; r += m_edge[1])
                for (long long b = 0; b < m_bins; b += m_edge[2])
                    place(undo.at({f, r, b}), {f, r, b}, frames, rows, bins, out);
    }

    void place(const char* chunk, const std::vector<long long>& start, Span frames, Span rows, Span bins,
               char* out) const
    {
        const Span f = overlap(frames, {start[0], m_edge[0]}), r = overlap(rows, {start[1], m_edge[1]}),
                   b = overlap(bins, {start[2], m_edge[2]});
        if (!chunk) { // fill values or damage: HDF5 knows
            Values filled(static_cast<std::size_t>(f.count * r.count * b.count));
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
    long long m_bins, m_bytesOut; // of a number
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
    const auto chunks = std::make_shared<const Chunks>(std::move(frames));
    source.read = [chunks](int first, int count, RowRange rows, char* out) { chunks->read(first, count, rows, out); };
    return source;
}

} // namespace engine

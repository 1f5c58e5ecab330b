// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/frames/reduced_frames.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

namespace engine
{

namespace
{

class ReducedReader
{
  public:
    // kept: indices of the source's frames, ascending. firstRow: the stored row that the first joined row begins
    // with.
    ReducedReader(FrameSource source, std::vector<int> kept, JoinedPixels rows, JoinedPixels bins, int firstRow)
        : m_source(std::move(source)), m_kept(std::move(kept)), m_rows(rows), m_bins(bins), m_firstRow(firstRow)
    {
    }

    void read(int first, int count, RowRange rows, char* out) const
    {
        const RowRange stored{m_firstRow + rows.first * m_rows.by, rows.count * m_rows.by};
        const std::size_t frame = static_cast<std::size_t>(stored.count) * m_bins.recorded;
        const bool joins = m_bins.by > 1 || m_rows.by > 1;
        const std::size_t outBytes = joins ? sizeof(float) * rows.count * m_bins.count()
                                           : frame * static_cast<std::size_t>(m_source.type->bytes);
        std::vector<char> buffer;
        std::vector<float> line(joins ? static_cast<std::size_t>(m_bins.recorded) : 0);
        for (int next = first; next < first + count;) {
            const int run = runFrom(next, first + count, stored.count);
            const int from = m_kept[static_cast<std::size_t>(next)];
            const int span = m_kept[static_cast<std::size_t>(next + run - 1)] - from + 1;
            if (!joins && span == run) { // needs neither joining nor leaving out
                m_source.read(from, span, stored, out);
            } else {
                buffer.resize(span * frame * m_source.type->bytes);
                m_source.read(from, span, stored, buffer.data());
                for (int k = next; k < next + run; ++k) {
                    const char* const one = buffer.data() + (m_kept[static_cast<std::size_t>(k)] - from) * frame *
                                                                static_cast<std::size_t>(m_source.type->bytes);
                    char* const to = out + static_cast<std::size_t>(k - next) * outBytes;
                    if (joins)
                        join(one, rows.count, line, reinterpret_cast<float*>(to));
                    else
                        std::memcpy(to, one, outBytes);
                }
            }
            next += run;
            out += run * outBytes;
        }
    }

  private:
    // Returns how many of the kept frames from `begin` on to read in one call. The frames that are left out between
    // them are read too, so neighbours must be at most a chunk apart, and all frames must fit into one block.
    int runFrom(int begin, int end, int rows) const
    {
        const long long most = std::max<long long>(static_cast<long long>(m_source.step) * m_source.stepRows /
                                                       std::max(rows, m_source.stepRows),
                                                   m_source.chunk);
        const auto at = [this](int k) { return m_kept[static_cast<std::size_t>(k)]; };
        int last = begin;
        while (last + 1 < end && at(last + 1) - at(last) <= m_source.chunk && at(last + 1) - at(begin) < most)
            ++last;
        return last - begin + 1;
    }

    // Joins the pixels of one frame; the result is NaN if none of the joined pixels is a number.
    void join(const char* from, int rows, std::vector<float>& line, float* out) const
    {
        const std::size_t lineBytes = line.size() * static_cast<std::size_t>(m_source.type->bytes);
        std::vector<double> sums(static_cast<std::size_t>(m_bins.count()));
        std::vector<int> counts(sums.size());
        for (int row = 0; row < rows; ++row) {
            std::ranges::fill(sums, 0.0);
            std::ranges::fill(counts, 0);
            for (int k = 0; k < m_rows.by; ++k, from += lineBytes) {
                m_source.type->toFloats(from, line.size(), line.data());
                const float* value = line.data() + m_bins.first();
                for (std::size_t bin = 0; bin < sums.size(); ++bin)
                    for (int i = 0; i < m_bins.by; ++i, ++value)
                        if (std::isfinite(*value)) {
                            sums[bin] += *value;
                            ++counts[bin];
                        }
            }
            for (std::size_t bin = 0; bin < sums.size(); ++bin)
                *out++ = counts[bin] > 0 ? static_cast<float>(sums[bin] / counts[bin])
                                         : std::numeric_limits<float>::quiet_NaN();
        }
    }

    FrameSource m_source;
    std::vector<int> m_kept;
    JoinedPixels m_rows, m_bins;
    int m_firstRow;
};

FrameSource reducedSource(FrameSource source, std::vector<int> kept, int every, const JoinedPixels& rows,
                          const JoinedPixels& bins, int firstRow)
{
    if (source.frames == 0)
        return source;
    FrameSource made = source;
    const bool joins = rows.by > 1 || bins.by > 1;
    made.frames = static_cast<int>(kept.size());
    made.step = std::max(1, source.step / rows.by);
    made.stepRows = std::max(1, source.stepRows / rows.by);
    made.rowsTogether = std::max(1, (source.rowsTogether + rows.by - 1) / rows.by);
    made.chunk = std::max(1, source.chunk / every);
    made.firstStep = 0;
    made.type = joins ? &floatSamples() : source.type;
    const auto reader = std::make_shared<const ReducedReader>(std::move(source), std::move(kept), rows, bins, firstRow);
    made.read = [reader](int first, int count, RowRange range, char* out) { reader->read(first, count, range, out); };
    return made;
}

std::vector<int> allOf(const FrameSource& source)
{
    return source.frames > 0 ? keptProjections({}, source.frames) : std::vector<int>();
}

} // namespace

FrameSource someFrames(FrameSource source, std::vector<int> which, int rows, int bins)
{
    return reducedSource(std::move(source), std::move(which), 1, JoinedPixels(rows, 1), JoinedPixels(bins, 1), 0);
}

ScanFrames reducedFrames(ScanFrames frames, const Reduction& reduction)
{
    const JoinedPixels rows(frames.rows, reduction.bin), bins(frames.bins, reduction.bin);
    const int over = frames.rows % rows.by; // rows that are cut off
    // Of these rows, rows.first() are at the top of the frame and the others at the bottom. With rowsUpwards, the
    // bottom of the frame is stored first.
    const int firstRow = frames.rowsUpwards ? over - rows.first() : rows.first();
    std::vector<int> kept = keptProjections(reduction, frames.projections.frames);
    frames.projections =
        reducedSource(std::move(frames.projections), std::move(kept), reduction.every, rows, bins, firstRow);
    for (FrameSource* side : {&frames.darks, &frames.flats}) {
        std::vector<int> all = allOf(*side);
        *side = reducedSource(std::move(*side), std::move(all), 1, rows, bins, firstRow);
    }
    frames.rows = rows.count();
    frames.bins = bins.count();
    return frames;
}

} // namespace engine

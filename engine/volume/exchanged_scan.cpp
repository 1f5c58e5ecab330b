// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/exchanged_scan.h"

#include "engine/base/error.h"
#include "engine/base/one_ahead.h"
#include "engine/base/stopwatch.h"
#include "engine/stages/prepared_rows.h"
#include "engine/stages/stages.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace engine
{

namespace
{

constexpr double exchangedTogether = 128 << 20; // bytes of all ranks of a column

RowRange projectionsOf(const Request& part, const Scan& scan)
{
    return part.place.projections.value_or(RowRange{0, scan.projections()});
}

bool contains(const RowRange& outer, const RowRange& inner)
{
    return outer.first <= inner.first && inner.first + inner.count <= outer.first + outer.count;
}

// How the projections of a column are read: by each rank its share of them, a few at a time.
struct Shares {
    Shares(const Request& whole, const Request& part, const RankGrid& grid)
        : ranks(grid.rows), projections(projectionsOf(part, *whole.scan)),
          rows(rowsToRead(whole, preparedKey(whole).rows)),
          frameBytes(std::size_t(whole.scan->bytesPerSample) * whole.scan->bins() * rows.count)
    {
        const int largest = (projections.count + ranks - 1) / ranks;
        together = std::clamp(static_cast<int>(exchangedTogether / (double(frameBytes) * ranks)), 1, largest);
        batches = (largest + together - 1) / together;
    }

    RowRange shareOf(int rank) const
    {
        const auto begin = [&](long long of) {
            return projections.first + static_cast<int>(of * projections.count / ranks);
        };
        return {begin(rank), begin(rank + 1) - begin(rank)};
    }
    // Returns the projections of a batch; none if the rank's share has fewer batches.
    RowRange batchOf(int rank, int batch) const
    {
        const RowRange share = shareOf(rank);
        const int done = std::min(batch * together, share.count);
        return {share.first + done, std::min(together, share.count - done)};
    }
    std::size_t batchBytes() const { return frameBytes * together; } // of one rank

    int ranks = 1; // of a column
    RowRange projections, rows;
    std::size_t frameBytes = 0;
    int together = 1, batches = 1; // projections of one rank in a batch; number of batches
};

// Rows of some projections in memory.
class RowsInMemory
{
  public:
    // sides: the rows' darks and flats, and the type of the samples.
    RowsInMemory(RawRows sides, const RowRange& rows, const RowRange& projections)
        : m_sides(std::move(sides)), m_rows(rows), m_projections(projections),
          m_rowBytes(std::size_t(m_sides.data.type().bytes) * m_sides.bins),
          m_data(m_sides.data.type(), std::size_t(projections.count) * rows.count * m_sides.bins)
    {
        m_sides.data = {};
    }

    // Stores these rows of a projection. frame: [row][bin], begins with detector row firstRow.
    void store(int projection, const char* frame, int firstRow)
    {
        std::memcpy(m_data.bytes() + offsetOf(projection, m_rows.first), frame + (m_rows.first - firstRow) * m_rowBytes,
                    m_rows.count * m_rowBytes);
    }

    bool has(const FramePart& part) const
    {
        return contains(m_projections, part.projections) && contains(m_rows, part.rows);
    }

    RawRows read(const FramePart& part, int scanProjections) const
    {
        RawRows read;
        read.rows = part.rows;
        read.bins = m_sides.bins;
        read.projections = part.projections.count;
        if (part.projections.count < scanProjections) {
            read.firstProjection = part.projections.first;
            read.scanProjections = scanProjections;
        }
        read.data = Samples(m_data.type(), std::size_t(part.projections.count) * part.rows.count * m_sides.bins);
        const std::size_t bytes = part.rows.count * m_rowBytes;
        for (int k = 0; k < part.projections.count; ++k)
            std::memcpy(read.data.bytes() + k * bytes,
                        m_data.bytes() + offsetOf(part.projections.first + k, part.rows.first), bytes);
        if (part.sides) {
            read.darkFrames = m_sides.darkFrames;
            read.flatFrames = m_sides.flatFrames;
            read.darks = someRows(m_sides.darks, m_sides.darkFrames, part.rows);
            read.flats = someRows(m_sides.flats, m_sides.flatFrames, part.rows);
        }
        return read;
    }

  private:
    std::size_t offsetOf(int projection, int row) const
    {
        return (std::size_t(projection - m_projections.first) * m_rows.count + (row - m_rows.first)) * m_rowBytes;
    }
    Values someRows(const Values& frames, int count, const RowRange& rows) const
    {
        Values some(std::size_t(count) * rows.count * m_sides.bins);
        float* out = some.data();
        for (int frame = 0; frame < count; ++frame) {
            const auto begin =
                frames.begin() + (std::ptrdiff_t(frame) * m_rows.count + rows.first - m_rows.first) * m_sides.bins;
            out = std::copy_n(begin, std::ptrdiff_t(rows.count) * m_sides.bins, out);
        }
        return some;
    }

    RawRows m_sides; // without data
    RowRange m_rows, m_projections;
    std::size_t m_rowBytes;
    Samples m_data; // [projection][row][bin]
};

// Returns the scan; rows that are in memory are copied from there.
std::shared_ptr<const Scan> withRowsInMemory(const std::shared_ptr<const Scan>& scan,
                                             std::shared_ptr<const RowsInMemory> rows)
{
    Scan in = *scan;
    in.read = [scan, rows](const RowRange& wanted, const std::stop_token& stop) {
        const FramePart all{{0, scan->projections()}, wanted, true};
        return rows->has(all) ? rows->read(all, scan->projections()) : scan->read(wanted, stop);
    };
    in.readFrames = [scan, rows](const FramePart& part, const std::stop_token& stop) {
        return rows->has(part) ? rows->read(part, scan->projections()) : scan->readFrames(part, stop);
    };
    in.readEvery = {};
    return std::make_shared<const Scan>(std::move(in));
}

} // namespace

double bytesOfExchange(const Request& whole, const Request& part, const RankGrid& grid)
{
    const Shares shares(whole, part, grid);
    const int rows = part.place.slices().count > 0 ? rowsToRead(part, preparedKey(part).rows).count : 0;
    const double kept =
        double(whole.scan->bytesPerSample) * whole.scan->bins() * rows * projectionsOf(part, *whole.scan).count;
    return kept + double(shares.batchBytes()) * (shares.ranks + 3); // received; sent, being read and waiting
}

ExchangedScan exchangeProjections(const Request& whole, const Request& part, const RankGrid& grid, Ensemble& ensemble,
                                  const std::stop_token& stop)
{
    const Scan& scan = *whole.scan;
    require(static_cast<bool>(scan.readFrames), "scans of the format " + scan.format +
                                                    " can't be read by projections, as exchanging them needs; use " +
                                                    optionName("loading") + " bands");
    const Stopwatch elapsed;
    const Shares shares(whole, part, grid);
    const bool hasSlices = part.place.slices().count > 0;
    const RowRange rows = hasSlices ? rowsToRead(part, preparedKey(part).rows) : RowRange{shares.rows.first, 0};
    require(contains(shares.rows, rows), "the rows of a part of the volume aren't among those of the whole volume");
    // The first projection of the column also tells the type of the samples, which a scan doesn't.
    RawRows sides = readPart(whole, {{shares.projections.first, 1}, hasSlices ? rows : shares.rows, true}, stop);
    const SampleType& type = sides.data.type();
    require(type.bytes == scan.bytesPerSample, "the type of the samples is not the scan's");
    const auto inMemory = std::make_shared<RowsInMemory>(std::move(sides), rows, shares.projections);

    const std::unique_ptr<RankColumn> column = ensemble.column(grid.columns, shares.batchBytes());
    const int rank = ensemble.rank() / grid.columns; // in its column
    OneAhead<RawRows> reader(
        shares.batches,
        [&](int batch, const std::stop_token& stopped) {
            const RowRange some = shares.batchOf(rank, batch);
            return some.count > 0 ? readPart(whole, {some, shares.rows}, stopped) : RawRows();
        },
        stop);
    ExchangedScan exchanged;
    for (int batch = 0; batch < shares.batches; ++batch) {
        const RawRows own = reader.take();
        require(own.projections == 0 || own.data.type().name == type.name, "its projections have different types");
        std::memcpy(column->own().data(), own.data.bytes(), own.data.size() * type.bytes);
        exchanged.exchangeSeconds += column->gather(stop);
        for (int from = 0; hasSlices && from < shares.ranks; ++from) {
            const RowRange projections = shares.batchOf(from, batch);
            const char* frame = column->all().data() + from * shares.batchBytes();
            for (int k = 0; k < projections.count; ++k, frame += shares.frameBytes)
                inMemory->store(projections.first + k, frame, shares.rows.first);
        }
    }
    exchanged.readSeconds = reader.seconds();
    exchanged.elapsedSeconds = elapsed.seconds();
    exchanged.scan = withRowsInMemory(whole.scan, inMemory);
    return exchanged;
}

} // namespace engine

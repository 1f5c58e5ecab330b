// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of frames are read in steps small enough to stop between them.
#include "engine/io/frames/frame_source.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

class IoFrameRowsTest : public QObject
{
    Q_OBJECT

  private slots:
    // The more rows are read, the fewer frames are read between two checks of the stop token; chunks are not divided.
    void readsAreSmallEnoughToStop()
    {
        std::vector<int> counts;
        ScanFrames frames;
        frames.rows = 100;
        frames.bins = 3;
        frames.projections.frames = 45;
        frames.projections.step = 20;
        frames.projections.read = [&](int first, int count, RowRange rows, char* out) {
            counts.push_back(count);
            std::fill_n(reinterpret_cast<float*>(out), static_cast<std::size_t>(count) * rows.count * 3,
                        static_cast<float>(first));
        };
        const auto countsFor = [&](int rows) {
            counts.clear();
            const RawRows raw = readRows(frames, {0, rows}, {});
            if (raw.data.size() != static_cast<std::size_t>(45) * rows * 3 ||
                raw.data.floats().back() != 45 - counts.back())
                counts.clear();
            return counts;
        };
        QCOMPARE(countsFor(1), (std::vector<int>{20, 20, 5}));
        QCOMPARE(countsFor(2), (std::vector<int>{10, 10, 10, 10, 5}));
        QCOMPARE(countsFor(100), std::vector<int>(45, 1));
        frames.projections.stepRows = 50;
        QCOMPARE(countsFor(50), (std::vector<int>{20, 20, 5}));
        QCOMPARE(countsFor(100), (std::vector<int>{10, 10, 10, 10, 5}));
        frames.projections.chunk = 20;
        frames.projections.firstStep = 3;
        QCOMPARE(countsFor(100), (std::vector<int>{3, 20, 20, 2}));
    }

    // Any range of frames has the same values as in a reading of all frames, for several sizes and places of the
    // chunks, for both orders of rows, and whether or not several threads may read.
    void someFrames()
    {
        constexpr int count = 23, rows = 5, bins = 2;
        ScanFrames frames;
        frames.rows = rows;
        frames.bins = bins;
        FrameSource& source = frames.projections;
        source.frames = count;
        source.read = [](int first, int some, RowRange of, char* out) {
            auto* to = reinterpret_cast<float*>(out);
            for (int frame = first; frame < first + some; ++frame)
                for (int row = of.first; row < of.first + of.count; ++row)
                    for (int bin = 0; bin < bins; ++bin)
                        *to++ = static_cast<float>(100 * frame + 10 * row + bin);
        };
        for (const int chunk : {1, 4})
            for (const int firstStep : {0, 3})
                for (const bool upwards : {false, true})
                    for (const bool concurrent : {false, true})
                        for (int first = 0; first < count; ++first)
                            for (int some = 1; some <= count - first; ++some) {
                                source.step = source.chunk = chunk;
                                source.stepRows = 2;
                                source.firstStep = firstStep;
                                source.concurrent = concurrent;
                                frames.rowsUpwards = upwards;
                                const RawRows all = readRows(frames, {1, 3}, {});
                                const RawRows part = readFrames(frames, {{first, some}, {1, 3}, false}, {});
                                const auto begin = all.data.floats().begin() + first * 3 * bins;
                                QVERIFY(std::ranges::equal(part.data.floats(), std::span(begin, some * 3 * bins)));
                                QCOMPARE(part.firstProjection, first);
                            }
    }
};

SINOSCOPE_TEST(IoFrameRowsTest, QCoreApplication)
#include "frame_source_test.moc"

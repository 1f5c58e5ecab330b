// Rows of frames are read in steps small enough to stop between them.
#include "engine/io/frame_rows.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

class IoFrameRowsTest : public QObject
{
    Q_OBJECT

  private slots:
    // The more rows are wanted, the fewer frames are read between two looks at the stop token; whole chunks stay whole.
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
};

SINOSCOPE_TEST(IoFrameRowsTest, QCoreApplication)
#include "frame_rows_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that were read for a GPU serve all other requests of the scan, with the same values as rows that are read for
// them.
#include "engine/reconstruct/row_cache.h"
#include "engine/stages/stages.h"
#include "tests/fixtures.h"

#include <utility>

using namespace engine;
using namespace fixtures;

class RowCacheTest : public QObject
{
    Q_OBJECT

    static std::shared_ptr<const Scan> counting(const Scan& scan, int& reads)
    {
        auto counted = std::make_shared<Scan>(scan);
        counted->read = [read = scan.read, &reads](RowRange rows, const std::stop_token& stop) {
            ++reads;
            return read(rows, stop);
        };
        counted->readFrames = [read = scan.readFrames, &reads](const FramePart& part, const std::stop_token& stop) {
            reads += part.sides; // once for all blocks
            return read(part, stop);
        };
        return counted;
    }

    static Request slices(const std::shared_ptr<const Scan>& scan, RowRange rows)
    {
        Request request = requestFor(scan);
        request.place.setSlices(rows);
        return request;
    }

    static bool equal(const PreparedRows& a, const PreparedRows& b)
    {
        return a.rows == b.rows && a.prepared.sinograms.values == b.prepared.sinograms.values &&
               a.facts.emptyProjections == b.facts.emptyProjections;
    }

  private slots:
    void recordedRowsServeOthers()
    {
        int reads = 0;
        const auto plain = smallScan(32, 20, 9), scan = counting(*plain, reads);
        RowCache cache, none;
        QVERIFY(!cache.findRecorded(preparedKey(slices(scan, {0, 9}))));
        RecordedRows& recorded = cache.readRecorded(slices(scan, {0, 9}), {}, {});
        QCOMPARE(reads, 1);
        QVERIFY(cache.isReadForGpu());
        QCOMPARE(cache.findRecorded(preparedKey(slices(scan, {0, 9}))), &recorded);
        QVERIFY(!cache.findRecorded(preparedKey(slices(scan, {3, 2}))));
        for (const RowRange some : {RowRange{3, 2}, {8, 1}}) {
            const auto found = cache.prepared(slices(scan, some), {}, {});
            QVERIFY(found.wereRead && !found.isReused);
            QVERIFY(equal(found.rows, none.prepared(slices(plain, some), {}, {}).rows));
            QVERIFY(cache.prepared(slices(scan, some), {}, {}).isReused);
        }
        QVERIFY(cache.isReadForGpu()); // the recorded rows are still there
        QCOMPARE(reads, 1);

        // Other settings need other prepared rows, from the same recorded ones; once all are prepared, those go.
        Request other = slices(scan, {0, 9}), same = slices(plain, {0, 9});
        other.setting.preparation.values["log-floor"] = same.setting.preparation.values["log-floor"] = 0.3;
        const auto all = cache.prepared(other, {}, {});
        QVERIFY(all.wereRead && !all.isReused);
        QVERIFY(equal(all.rows, none.prepared(same, {}, {}).rows));
        QVERIFY(!cache.isReadForGpu());
        QCOMPARE(reads, 1);
        QVERIFY(!cache.prepared(slices(scan, {4, 5}), {}, {}).wereRead);
        QCOMPARE(reads, 2);
    }

    void sliceForGpu()
    {
        const auto scan = smallScan(32, 20, 9);
        RowCache cache;
        QVERIFY(!cache.findSlice(preparedKey(slices(scan, {4, 1})), 1));
        cache.readRecorded(slices(scan, {0, 9}), {}, {});
        const RecordedRows* slice = cache.findSlice(preparedKey(slices(scan, {4, 1})), 1);
        QVERIFY(slice);
        QVERIFY(slice->raw->data == scan->read({4, 1}, {}).data);
        QCOMPARE(cache.findSlice(preparedKey(slices(scan, {4, 1})), 1), slice);
        QVERIFY(cache.findSlice(preparedKey(slices(scan, {5, 1})), 1)->raw->data == scan->read({5, 1}, {}).data);
        cache.dropOthers(nullptr);
        QVERIFY(!cache.findSlice(preparedKey(slices(scan, {5, 1})), 1));
    }

    // Rows that can't be read don't stay, and the next attempt reads them again.
    void failedReading()
    {
        bool isBroken = true;
        const auto whole = smallScan(32, 20, 9);
        auto scan = std::make_shared<Scan>(*whole);
        scan->readFrames = [read = whole->readFrames, &isBroken](const FramePart& part, const std::stop_token& stop) {
            if (isBroken && part.projections.count > 1)
                throw Error(ErrorKind::badFile, "broken");
            return read(part, stop);
        };
        RowCache cache;
        const PreparedKey all = preparedKey(slices(scan, {0, 9}));
        QVERIFY(cache.readRecorded(slices(scan, {0, 9}), {}, {}).arriving);
        QVERIFY(fails(ErrorKind::badFile, {"broken"}, [&] { cache.finishReading(); }));
        QVERIFY(!cache.findRecorded(all));
        cache.readRecorded(slices(scan, {0, 9}), {}, {});
        cache.settleReading();
        QVERIFY(!cache.findRecorded(all));
        isBroken = false;
        cache.readRecorded(slices(scan, {0, 9}), {}, {});
        cache.finishReading();
        QVERIFY(!cache.findRecorded(all)->arriving);
        QVERIFY(cache.findRecorded(all)->raw->data == whole->read({0, 9}, {}).data);
    }

    void otherScansAreDropped()
    {
        const auto first = smallScan(32, 20, 3), second = smallScan(32, 20, 3);
        RowCache cache;
        cache.readRecorded(slices(first, {0, 3}), {}, {});
        cache.prepared(slices(first, {1, 1}), {}, {});
        const long held = first.use_count();
        cache.dropOthers(first.get());
        QCOMPARE(first.use_count(), held);
        cache.dropOthers(second.get());
        QCOMPARE(first.use_count(), 1L);
        QVERIFY(!cache.isReadForGpu() && !cache.hasRecorded(preparedKey(slices(first, {0, 3}))));
    }

    // Handed over rows: recorded ones for exactly these rows, prepared ones for one use.
    void handedOverRows()
    {
        int reads = 0;
        const auto scan = counting(*smallScan(32, 20, 4), reads);
        const Request request = slices(scan, {1, 2});
        RowCache cache;
        cache.take(RecordedRows{scan, std::make_shared<const RawRows>(scan->read({1, 2}, {})), 0.25});
        QCOMPARE(std::exchange(reads, 0), 1);
        const auto found = cache.prepared(request, {}, {});
        QVERIFY(!found.wereRead);
        QCOMPARE(found.rows.readSeconds, 0.25);
        QCOMPARE(reads, 0);
        PreparedRows rows = found.rows;
        QVERIFY(!cache.areForOneUse());
        cache.take(std::move(rows));
        QVERIFY(cache.areForOneUse() && cache.prepared(request, {}, {}).isReused);
        QVERIFY(!cache.findRecorded(preparedKey(request)));
        cache.prepared(slices(scan, {0, 1}), {}, {});
        QVERIFY(!cache.areForOneUse());
        QCOMPARE(reads, 1);
    }
};

SINOSCOPE_TEST(RowCacheTest, QCoreApplication)
#include "row_cache_test.moc"

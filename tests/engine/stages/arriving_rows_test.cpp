// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that arrive block by block are those that are read at once.
#include "engine/io/open/open_fields.h"
#include "engine/io/slices/write_scan.h"
#include "engine/scan/some_projections.h"
#include "engine/stages/arriving_rows.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

class ArrivingRowsTest : public QObject
{
    Q_OBJECT

    static constexpr double smallBlock = 5 * 31 * 4 * 3; // bytes: of three projections

    static void compare(const std::shared_ptr<const Scan>& scan, RowRange rows)
    {
        const Request request = requestFor(scan);
        QVERIFY(ArrivingRows::suit(request));
        const ArrivingRows arriving(request, rows, {}, smallBlock);
        const RawRows all = scan->read(rows, {});
        const RawRows& raw = *arriving.raw();
        QVERIFY(raw.darks == all.darks && raw.flats == all.flats);
        QVERIFY(raw.rows == rows);
        QCOMPARE(raw.projections, all.projections);
        QCOMPARE(raw.scanProjections, 0);
        QCOMPARE(raw.data.size(), all.data.size());
        QCOMPARE(std::string(raw.data.type().name), std::string(all.data.type().name));
        const std::size_t each = all.data.size() / all.projections;
        for (const int count : {1, 4, 4, 11, all.projections}) {
            arriving.waitFor(count);
            for (std::size_t k = 0; k < each * count; ++k)
                QCOMPARE(raw.data[k], all.data[k]);
        }
        QVERIFY(arriving.waitForAll() > 0);
    }

    // Returns a scan whose projections from the seventh on can't be read.
    static std::shared_ptr<const Scan> broken()
    {
        auto scan = std::make_shared<Scan>(*smallScan(31, 23, 9));
        scan->readFrames = [read = scan->readFrames](const FramePart& part, const std::stop_token& stop) {
            if (part.projections.first + part.projections.count > 6)
                throw Error(ErrorKind::badFile, "broken");
            return read(part, stop);
        };
        return scan;
    }

  private slots:
    void sameAsRead()
    {
        const auto scan = smallScan(31, 23, 9);
        compare(scan, {0, 9});
        compare(scan, {2, 5});
    }

    void ofFiles()
    {
        const TemporaryFolder folder;
        writeScan(*smallScan(31, 23, 9), nullptr, ScanFormat::dxchange, folder / "s.h5", false);
        const auto scan = openScan(folder / "s.h5");
        compare(scan, {0, 9});
        compare(scan, {2, 5});
        compare(withEvery(*scan, 2), {1, 7});
    }

    void failures()
    {
        const ArrivingRows arriving(requestFor(broken()), {0, 5}, {}, smallBlock);
        arriving.waitFor(6);
        QVERIFY(fails(ErrorKind::badFile, {"broken"}, [&] { arriving.waitFor(7); }));
        QVERIFY(fails(ErrorKind::badFile, {"broken"}, [&] { arriving.waitForAll(); }));
        arriving.waitFor(6); // still there
    }

    void stops()
    {
        std::stop_source stop;
        auto scan = std::make_shared<Scan>(*smallScan(31, 23, 9));
        scan->readFrames = [read = scan->readFrames, &stop](const FramePart& part, const std::stop_token& own) {
            if (part.projections.first >= 9)
                stop.request_stop();
            return read(part, own);
        };
        QVERIFY(fails(ErrorKind::cancelled, [&] {
            ArrivingRows(requestFor(scan), {0, 5}, stop.get_token(), smallBlock).waitForAll();
        }));
    }

    void unsuitableScans()
    {
        Scan scan = *smallScan(31, 23, 9);
        const auto suits = [&] { return ArrivingRows::suit(requestFor(std::make_shared<const Scan>(scan))); };
        QVERIFY(suits());
        scan.flatFrames = 0; // the air in all projections shows the light
        QVERIFY(!suits());
        scan.quantity = Quantity::attenuation;
        QVERIFY(suits());
        scan.framesTogether = scan.projections();
        QVERIFY(!suits());
        scan.framesTogether = 1;
        scan.readFrames = {};
        QVERIFY(!suits());
    }
};

SINOSCOPE_TEST(ArrivingRowsTest, QCoreApplication)
#include "arriving_rows_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Scans are read back as they were written, in both formats, and no incomplete file remains.
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/write_scan.h"
#include "tests/engine/io/full_disk.h"
#include "tests/fixtures.h"

#include <fstream>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;
using made::FullDisk;

namespace
{

Simulation smallRecord()
{
    Simulation simulation;
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.size = 24;
    simulation.projections = 17;
    simulation.slices = 5;
    simulation.photons = 1e4;
    simulation.axisOffsetBins = 1.25;
    return simulation;
}

} // namespace

class IoWriteScanTest : public QObject
{
    Q_OBJECT

  private slots:
    void scanComesBack_data()
    {
        QTest::addColumn<int>("format");
        QTest::newRow("DXchange") << int(ScanFormat::dxchange);
        QTest::newRow("NXtomo") << int(ScanFormat::nxtomo);
    }

    void scanComesBack()
    {
        QFETCH(int, format);
        const TemporaryFolder folder;
        const fs::path path = folder / "scan.h5";
        const Simulation simulation = smallRecord();
        const auto made = simulate(simulation);
        double reached = 0;
        writeScan(*made, &simulation, ScanFormat(format), path, false, [&](double part) { reached = part; });
        QCOMPARE(reached, 1.0);
        QCOMPARE(namesIn(path.parent_path()), std::vector<std::string>{"scan.h5"});

        const auto scan = openScan(path);
        QCOMPARE(scan->format, std::string(ScanFormat(format) == ScanFormat::dxchange ? "DXchange" : "NXtomo"));
        QCOMPARE(scan->rows, 5);
        QCOMPARE(scan->bins(), 24);
        QCOMPARE(scan->projections(), 17);
        QCOMPARE(scan->darkFrames, made->darkFrames);
        QCOMPARE(scan->flatFrames, made->flatFrames);
        QVERIFY(scan->flatFrames > 0);
        for (int i = 0; i < 17; ++i)
            QVERIFY(std::abs(scan->anglesRad()[i] - made->anglesRad()[i]) < 1e-12);
        QCOMPARE(scan->axisBins(), made->axisBins());
        QCOMPARE(scan->axisBins().at(0), 11.5 + 1.25);
        for (const RowRange rows : {RowRange{0, 5}, RowRange{3, 1}, RowRange{1, 3}}) {
            const RawRows expected = made->read(rows, {}), got = scan->read(rows, {});
            QVERIFY(got.data == expected.data);
            QVERIFY(got.darks == expected.darks);
            QVERIFY(got.flats == expected.flats);
        }
        const SliceGrid grid{24, 0, 0, 24, 24, 1};
        QVERIFY(static_cast<bool>(scan->exactImage));
        QVERIFY(scan->exactImage(2, grid).values == made->exactImage(2, grid).values);
    }

    void scanOfAttenuation()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "scan.nxs";
        Simulation simulation = smallRecord();
        simulation.counts = false;
        simulation.photons = 0;
        Scan made = *simulate(simulation);
        std::get<ParallelBeam>(made.geometry).pixelSizeMm = 0.0125;
        for (const ScanFormat format : {ScanFormat::dxchange, ScanFormat::nxtomo}) {
            writeScan(made, nullptr, format, path, true); // as if it had been measured
            const auto scan = openScan(path);
            QVERIFY(scan->quantity == Quantity::attenuation);
            QVERIFY(!scan->exactImage);
            QVERIFY(scan->axisBins().empty());
            QCOMPARE(scan->pixelSizeMm().value_or(0), 0.0125);
            QVERIFY(scan->read({4, 1}, {}).data == made.read({4, 1}, {}).data);
        }
    }

    void scanCancelled()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "scan.h5";
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(fails(ErrorKind::cancelled, [&] {
            writeScan(*simulate(smallRecord()), nullptr, ScanFormat::dxchange, path, false, {}, stop.get_token());
        }));
        QVERIFY(namesIn(path.parent_path()).empty());
    }

    void scanNotOverwritten()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "scan.h5";
        std::ofstream(path) << "precious";
        QVERIFY(fails(ErrorKind::output, {path.string()},
                      [&] { writeScan(*simulate(smallRecord()), nullptr, ScanFormat::nxtomo, path, false); }));
        QCOMPARE(fs::file_size(path), std::uintmax_t(8));
        QVERIFY(fails(ErrorKind::output, {"no/scan.h5"}, [&] {
            writeScan(*simulate(smallRecord()), nullptr, ScanFormat::nxtomo, path.parent_path() / "no/scan.h5", false);
        }));
    }

    void scanOnFullDisk_data()
    {
        QTest::addColumn<int>("percent");
        for (const int percent : {0, 5, 30, 70, 99})
            QTest::addRow("%d %% of the file fits", percent) << percent;
    }

    void scanOnFullDisk()
    {
        QFETCH(int, percent);
        const TemporaryFolder folder;
        const fs::path path = folder / "scan.h5";
        const Simulation simulation = smallRecord();
        const auto made = simulate(simulation);
        writeScan(*made, &simulation, ScanFormat::nxtomo, path, false);
        const std::uintmax_t size = fs::file_size(path);
        fs::remove(path);
        {
            const FullDisk full(static_cast<rlim_t>(size * percent / 100));
            QVERIFY(fails(ErrorKind::output, {path.string()},
                          [&] { writeScan(*made, &simulation, ScanFormat::nxtomo, path, false); }));
        }
        QVERIFY(namesIn(path.parent_path()).empty());
        writeScan(*made, &simulation, ScanFormat::nxtomo, path, false); // works when there is room again
        QCOMPARE(openScan(path)->rows, 5);
    }
};

SINOSCOPE_TEST(IoWriteScanTest, QCoreApplication)
#include "write_scan_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Scans that are read with binned pixels or fewer projections, against reductions computed by hand, against simulated
// scans of such a detector, and against the phantom itself.
#include "engine/io/open/open_fields.h"
#include "engine/io/slices/write_scan.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/reinterpreted_scan.h"
#include "engine/scan/some_projections.h"
#include "tests/engine/io/files.h"

#include <QTest>

#include <numbers>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

std::vector<int> placesIn(const Reduction& reduction, int count)
{
    return keptProjections(reduction, count);
}

// Writes a scan of 11 projections, 2 flats and a dark, 7 rows × 9 bins; if chunked, in chunks of 4 frames.
fs::path numberedFile(const TemporaryFolder& folder, bool chunked)
{
    const fs::path path = folder / (chunked ? "chunked.h5" : "plain.h5");
    made::Hdf5 file(path);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk[] = {4, 3, 9};
    if (chunked)
        H5Pset_chunk(creation, 3, chunk);
    file.numbers("/exchange/data", {11, 7, 9}, made::frames(11, 7, 9), H5T_STD_U16LE, creation);
    file.numbers("/exchange/data_white", {2, 7, 9}, made::frames(2, 7, 9, 20), H5T_STD_U16LE);
    file.numbers("/exchange/data_dark", {1, 7, 9}, made::frames(1, 7, 9), H5T_STD_U16LE);
    file.numbers("/exchange/theta", {11}, made::counting(11, 10));
    H5Pclose(creation);
    return path;
}

// Computes by hand the mean of pixels [first + k·by, first + (k + 1)·by).
Values joinedByHand(const std::vector<int>& frames, RowRange rows, int by)
{
    const int firstRow = 7 % by / 2, firstBin = 9 % by / 2;
    Values values;
    for (const int f : frames)
        for (int r = rows.first; r < rows.first + rows.count; ++r)
            for (int b = 0; b < 9 / by; ++b) {
                double sum = 0;
                for (int i = 0; i < by; ++i)
                    for (int k = 0; k < by; ++k)
                        sum += made::value(f, firstRow + r * by + i, firstBin + b * by + k);
                values.push_back(static_cast<float>(sum / by / by));
            }
    return values;
}

Simulation headOf(int size)
{
    Simulation simulation;
    simulation.size = size;
    simulation.projections = 240;
    simulation.slices = 4;
    simulation.sampling = Sampling::binMean;
    simulation.axisOffsetBins = 3;
    return simulation;
}

} // namespace

class ReductionTest : public QObject
{
    Q_OBJECT
  private slots:
    void rangesInText()
    {
        QVERIFY(rangesFromText("3,7:20") == (std::vector<RowRange>{{3, 1}, {7, 14}}));
        QCOMPARE(rangesToText(rangesFromText("7:20,3,20:22,4")), std::string("3:4,7:22"));
        QCOMPARE(rangesInWords(rangesFromText("3,7:20")), std::string("3 and 7 to 20"));
        QVERIFY(rangesOf({0, 1, 2, 9}) == (std::vector<RowRange>{{0, 3}, {9, 1}}));
        for (const char* bad : {"", "x", "3:", "5:3", "-1", "1,,2", "1.5"})
            QVERIFY2(fails(ErrorKind::badRequest, {"bad projections"}, [&] { rangesFromText(bad); }), bad);
        QVERIFY(placesIn({.bin = 1, .every = 3, .leftOut = {{3, 4}}}, 11) == (std::vector<int>{0, 9}));
        QVERIFY(fails(ErrorKind::badRequest, {"no projection is left"}, [] {
            placesIn({.bin = 1, .every = 1, .leftOut = {{0, 5}}}, 5);
        }));
        QVERIFY(fails(ErrorKind::badRequest, {"--leave-out", "0 to 4"}, [] {
            placesIn({.bin = 1, .every = 1, .leftOut = {{3, 3}}}, 5);
        }));
    }

    void rowsByHand_data()
    {
        QTest::addColumn<bool>("chunked");
        QTest::addColumn<int>("bin");
        QTest::addColumn<int>("every");
        QTest::addColumn<QString>("leftOut");
        for (const bool chunked : {false, true}) {
            const char* kind = chunked ? "chunked" : "plain";
            QTest::addRow("%s, 2 × 2", kind) << chunked << 2 << 1 << "";
            QTest::addRow("%s, 3 × 3", kind) << chunked << 3 << 1 << "";
            QTest::addRow("%s, every second", kind) << chunked << 1 << 2 << "";
            QTest::addRow("%s, some left out", kind) << chunked << 1 << 1 << "0,4:6";
            QTest::addRow("%s, all of it", kind) << chunked << 2 << 3 << "3,10";
        }
    }
    void rowsByHand()
    {
        QFETCH(bool, chunked);
        QFETCH(int, bin);
        QFETCH(int, every);
        QFETCH(QString, leftOut);
        const TemporaryFolder folder;
        OpenOptions options;
        options.reduction = {.bin = bin, .every = every, .leftOut = {}};
        if (!leftOut.isEmpty())
            options.reduction.leftOut = rangesFromText(leftOut.toStdString());
        const auto scan = openScan(numberedFile(folder, chunked), options);
        const std::vector<int> kept = placesIn(options.reduction, 11);
        QCOMPARE(scan->projections(), int(kept.size()));
        QCOMPARE(scan->bins(), 9 / bin);
        QCOMPARE(scan->rows, 7 / bin);
        for (std::size_t k = 0; k < kept.size(); ++k)
            QVERIFY(std::abs(scan->anglesRad()[k] - kept[k] * 10 * degree) < 1e-12);
        for (const RowRange rows : {RowRange{0, scan->rows}, RowRange{1, 1}}) {
            const RawRows raw = scan->read(rows, {});
            QVERIFY(raw.data.toFloats() == joinedByHand(kept, rows, bin));
            QVERIFY(raw.flats == joinedByHand({20, 21}, rows, bin));
            QVERIFY(raw.darks == joinedByHand({0}, rows, bin));
        }
        const RawRows some = scan->readFrames({{1, 2}, {0, scan->rows}, false}, {});
        QVERIFY(some.data.toFloats() == joinedByHand({kept[1], kept[2]}, {0, scan->rows}, bin));
    }

    // Values that aren't numbers are left out of the mean; pixels without any number stay without a value.
    void onlyNumbersCount()
    {
        const TemporaryFolder folder;
        std::vector<double> values(3 * 2 * 4, 2);
        values[0] = notANumber;
        values[2] = values[3] = values[6] = values[7] = notANumber;
        {
            made::Hdf5 file(folder / "nan.h5");
            file.numbers("/exchange/data", {3, 2, 4}, values, H5T_IEEE_F32LE);
        }
        OpenOptions options;
        options.reduction.bin = 2;
        const RawRows raw = openScan(folder / "nan.h5", options)->read({0, 1}, {});
        QCOMPARE(raw.data[0], 2.0F);
        QVERIFY(std::isnan(raw.data[1]));
    }

    // Binned pixels have the values of a detector with pixels twice as wide; axis, pixel size and slice size are
    // adapted.
    void asADetectorOfLargerPixels()
    {
        const TemporaryFolder folder;
        const Simulation fine = headOf(256);
        const auto whole = simulate(fine);
        writeScan(*whole, &fine, ScanFormat::dxchange, folder / "fine.h5", false);
        OpenOptions options;
        options.reduction.bin = 2;
        options.cone.pixelUMm = 0.25;
        const auto joined = openScan(folder / "fine.h5", options);
        QCOMPARE(joined->bins(), 128);
        QCOMPARE(joined->rows, 2);
        QCOMPARE(*joined->pixelSizeMm(), 0.5);
        QCOMPARE(joined->axisBins().size(), std::size_t(1));
        QVERIFY(std::abs(joined->axisBins().front() - ((255 / 2.0 + 3) - 0.5) / 2) < 1e-9);

        // The truth in 1/mm: the means of 2 × 2 of the fine pixels, whose values are per pixel of 0.25 mm.
        const Volume fineTruth = whole->exactImage(1, fixtures::whole(256));
        Volume truth(1, 128, 128);
        for (int row = 0; row < 256; ++row)
            for (int column = 0; column < 256; ++column)
                truth.values[row / 2 * 128 + column / 2] += fineTruth.values[row * 256 + column] / 4 / 0.25F;
        const auto errorOf = [&](const std::shared_ptr<const Scan>& scan, std::optional<double> axis) {
            Request request = requestFor(scan);
            request.place.setSlices({0, 1});
            if (axis)
                request.setting.axis = {AxisSettings::Mode::given, *axis};
            return relativeError(Reconstructor().run(request).image, truth);
        };
        const double error = errorOf(joined, {}), direct = errorOf(
                                                      [&] {
                                                          OpenOptions coarse;
                                                          coarse.cone.pixelUMm = 0.5;
                                                          Simulation simulation = headOf(128);
                                                          simulation.axisOffsetBins = 1.5;
                                                          writeScan(*simulate(simulation), nullptr,
                                                                    ScanFormat::dxchange, folder / "coarse.h5", false);
                                                          return openScan(folder / "coarse.h5", coarse);
                                                      }(),
                                                      (127 / 2.0) + 1.5);
        qInfo("relative error %.4f, of a detector of such pixels %.4f", error, direct);
        QVERIFY(error < 0.2);
        QVERIFY(error < 1.05 * direct);
        QVERIFY(errorOf(joined, joined->axisBins().front() + 1) > 1.2 * error); // an axis one bin off is worse

        // The axis is also found in the binned scan, if it is not given.
        Request request = requestFor(joined);
        request.place.setSlices({0, 1});
        request.setting.axis.mode = AxisSettings::Mode::find;
        QVERIFY(std::abs(Reconstructor().run(request).axisBins - joined->axisBins().front()) < 0.25);
        QVERIFY(std::abs(recordedBin(*joined, joined->axisBins().front()) - (255 / 2.0 + 3)) < 1e-9);
    }

    // Reading every second projection of a scan gives a scan with half as many projections.
    void fewerProjections()
    {
        const TemporaryFolder folder;
        Simulation many = headOf(96), few = many;
        few.projections = 120;
        writeScan(*simulate(many), &many, ScanFormat::nxtomo, folder / "many.nx", false);
        OpenOptions options;
        options.reduction.every = 2;
        const auto scan = openScan(folder / "many.nx", options);
        QCOMPARE(scan->projections(), 120);
        Request half = requestFor(scan), made = requestFor(simulate(few));
        half.place.setSlices({1, 1});
        made.place.setSlices({1, 1});
        const double error = relativeError(Reconstructor().run(half).image, Reconstructor().run(made).image);
        QVERIFY2(error < 1e-3, qPrintable(QString::number(error))); // rounding to counts
    }

    // A cone beam's binned pixels: the same voxels are seen by the same rays.
    void conesOfLargerPixels()
    {
        const TemporaryFolder folder;
        Simulation fine;
        fine.phantom = Phantom::sheppLogan3d;
        fine.size = fine.slices = 96;
        fine.projections = 180;
        fine.arcDeg = 360;
        fine.counts = false;
        fine.cone.emplace();
        fine.cone->sourceAxisMm = 400;
        fine.cone->sourceDetectorMm = 600;
        fine.cone->pixelUMm = 0.5;
        writeScan(*simulate(fine), &fine, ScanFormat::dxchange, folder / "cone.h5", false);
        OpenOptions options;
        options.reduction.bin = 2;
        const auto joined = openScan(folder / "cone.h5", options);
        const auto& beam = std::get<ConeBeam>(joined->geometry);
        QCOMPARE(beam.pixelUMm, 1.0);
        QCOMPARE(beam.centralRow, 23.5);
        QCOMPARE(beam.volume.size, 48);
        QCOMPARE(joined->slices(), 48);
        Simulation coarse = fine;
        coarse.size = coarse.slices = 48;
        coarse.cone->pixelUMm = 1;
        const auto direct = simulate(coarse);
        Request a = requestFor(joined, "auto"), b = requestFor(direct, "auto");
        a.place.setSlices({20, 1});
        b.place.setSlices({20, 1});
        const Volume image = Reconstructor().run(b).image;
        const double error = relativeError(Reconstructor().run(a).image, image);
        QVERIFY2(error < 0.15, qPrintable(QString::number(error))); // means of rays against single rays
        for (double ConeBeam::*position : {&ConeBeam::centralRow, &ConeBeam::pixelUMm}) { // wrong values are worse
            auto off = std::make_shared<Scan>(*joined);
            std::get<ConeBeam>(off->geometry).*position += 1;
            a.scan = off;
            QVERIFY(relativeError(Reconstructor().run(a).image, image) > 1.2 * error);
        }
        // The options that open the scan again describe the detector as it was recorded, with pixels of 0.5 mm.
        const ConeOptions said = ofRecorded(saidOf(*joined), *joined);
        QCOMPARE(*said.pixelUMm, 0.5);
        QVERIFY(std::abs(*said.offsetUMm) < 1e-9 && std::abs(*said.offsetVMm) < 1e-9);
    }

    // A scan of every n-th projection, made from an open one, is the scan that is opened with every n-th projection.
    void everyNthOfAnOpenScan_data()
    {
        QTest::addColumn<bool>("chunked");
        QTest::addColumn<int>("bin");
        QTest::addColumn<int>("every");
        QTest::newRow("plain") << false << 1 << 3;
        QTest::newRow("chunked") << true << 1 << 5;
        QTest::newRow("binned") << false << 2 << 4;
    }
    void everyNthOfAnOpenScan()
    {
        QFETCH(bool, chunked);
        QFETCH(int, bin);
        QFETCH(int, every);
        const TemporaryFolder folder;
        const fs::path path = numberedFile(folder, chunked);
        OpenOptions options;
        options.reduction.bin = bin;
        const auto all = openScan(path, options), some = withEvery(*all, every);
        options.reduction.every = every;
        const auto opened = openScan(path, options);
        QVERIFY(some);
        QVERIFY(some->anglesRad() == opened->anglesRad());
        QCOMPARE(some->rows, opened->rows);
        const RowRange rows{1, all->rows - 1};
        const RawRows a = some->read(rows, {}), b = opened->read(rows, {});
        QCOMPARE(a.projections, some->projections());
        QVERIFY(a.data == b.data && a.flats == b.flats && a.darks == b.darks);
    }

    void notFasterThanAll()
    {
        const TemporaryFolder folder;
        const auto chunked = openScan(numberedFile(folder, true)), plain = openScan(numberedFile(folder, false));
        QVERIFY(!withEvery(*chunked, 4)); // four projections are stored together
        QVERIFY(everyNth(*chunked, 4));
        QVERIFY(!withEvery(*plain, 11));
    }

    void refusals()
    {
        const TemporaryFolder folder;
        const fs::path file = numberedFile(folder, false);
        const auto refuses = [&](const Reduction& reduction, const std::vector<std::string>& words) {
            return fails(ErrorKind::badRequest, words, [&] {
                OpenOptions options;
                options.reduction = reduction;
                openScan(file, options);
            });
        };
        QVERIFY(refuses({.bin = 5, .every = 1, .leftOut = {}}, {"9 bins", "--bin"}));
        QVERIFY(refuses({.bin = 1, .every = 1, .leftOut = {{0, 11}}}, {"no projection is left"}));
        QVERIFY(refuses({.bin = 65, .every = 1, .leftOut = {}}, {"64", "--bin"}));
    }
};

SINOSCOPE_TEST(ReductionTest, QCoreApplication)
#include "reduction_test.moc"

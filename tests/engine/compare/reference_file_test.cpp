// SPDX-License-Identifier: GPL-3.0-or-later
// An image or a volume from a file as the reference that settings are compared with.
#include "engine/compare/compare_settings.h"
#include "engine/compare/reference_image.h"
#include "engine/documents/report.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/engine/io/files.h"
#include "tests/fixtures.h"
#include "tests/plane_gaps.h"

#include <QTest>

#include <numeric>

using namespace engine;
using fixtures::fails;

namespace
{

// Returns a scan with pixels of this size, whose images are in 1/mm; 0: unknown size.
std::shared_ptr<const Scan> scanOf(double pixelSizeMm, int slices = 1)
{
    auto scan = std::make_shared<Scan>(*fixtures::smallScan(32, 40, slices));
    if (pixelSizeMm > 0)
        std::get<ParallelBeam>(scan->geometry).pixelSizeMm = pixelSizeMm;
    return scan;
}

Reconstruction imageOf(const std::shared_ptr<const Scan>& scan)
{
    return Reconstructor().run(fixtures::requestFor(scan));
}

} // namespace

class ReferenceFileTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<fixtures::TemporaryFolder> m_folder;
    std::filesystem::path at(const std::string& name) const { return *m_folder / name; }

    void volume(const std::string& name, const std::string& unit, double value, int side = 32)
    {
        made::Hdf5 file(at(name));
        file.numbers("/volume", {1, hsize_t(side), hsize_t(side)}, std::vector<double>(std::size_t(side) * side, value),
                     H5T_IEEE_F64LE);
        if (!unit.empty())
            file.attribute("/volume", "units", unit);
    }

  private slots:
    void init() { m_folder = std::make_unique<fixtures::TemporaryFolder>(); }

    void units_data()
    {
        QTest::addColumn<QByteArray>("unit");
        QTest::addColumn<double>("pixelSizeMm");
        QTest::addColumn<double>("factor");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("the same") << QByteArray("1/mm") << 0.5 << 1.0
                                  << QByteArray("v.h5, its only image, used for slice 0");
        QTest::newRow("cm") << QByteArray("1/cm") << 0.5 << 0.1
                            << QByteArray("v.h5, its only image, used for slice 0, converted from 1/cm");
        QTest::newRow("power") << QByteArray("m^-1") << 0.5 << 1e-3
                               << QByteArray("v.h5, its only image, used for slice 0, converted from m^-1");
        QTest::newRow("pixels") << QByteArray("1/pixel") << 0.5 << 2.0
                                << QByteArray("v.h5, its only image, used for slice 0, converted from 1/pixel");
        QTest::newRow("not said") << QByteArray() << 0.5 << 1.0
                                  << QByteArray("v.h5, its only image, used for slice 0, interpreted as 1/mm");
        QTest::newRow("pixels not known")
            << QByteArray("1/mm") << 0.0 << 1.0
            << QByteArray("v.h5, its only image, used for slice 0, 1/mm interpreted as 1/pixel");
        QTest::newRow("no unit of attenuation")
            << QByteArray("counts") << 0.0 << 1.0
            << QByteArray("v.h5, its only image, used for slice 0, counts interpreted as 1/pixel");
    }

    void units()
    {
        QFETCH(QByteArray, unit);
        QFETCH(double, pixelSizeMm);
        QFETCH(double, factor);
        QFETCH(QByteArray, said);
        const Reconstruction like = imageOf(scanOf(pixelSizeMm));
        volume("v.h5", unit.toStdString(), 3);
        const FileImage made = fileImage({at("v.h5")}, like, 0);
        QVERIFY(std::abs(made.image.image.values[5] / 3 - factor) < 1e-6);
        QCOMPARE(made.image.from, said.toStdString());
        QCOMPARE(made.image.unit, like.unit);
        QVERIFY(static_cast<const SliceGrid&>(made.image.grid) == static_cast<const SliceGrid&>(like.grid));
    }

    // The unit of the path takes precedence over that of the file.
    void theUnitOfThePath()
    {
        const Reconstruction like = imageOf(scanOf(0.5));
        volume("v.h5", "1/cm", 3);
        const auto valueIn = [&](const std::string& unit) {
            return fileImage(slicesPathFromText(at("v.h5").string() + unit), like, 0).image.image.values[5];
        };
        QCOMPARE(valueIn("@1/pixel"), 6.0f);
        QCOMPARE(valueIn("@1/mm"), 3.0f);
        QCOMPARE(valueIn("#/volume@1/cm"), 0.3f);
        QCOMPARE(fileImage({at("v.h5"), "", "", "1/pixel"}, like, 0).image.from,
                 std::string("v.h5, its only image, used for slice 0, read as 1/pixel"));
        const Reconstruction unsized = imageOf(scanOf(0)); // in 1/pixel
        QVERIFY(fails(ErrorKind::badRequest, {"v.h5", "1/mm", "1/pixel", "size of its pixels"}, [&] {
            fileImage({at("v.h5"), "", "", "1/mm"}, unsized, 0);
        }));
        QCOMPARE(fileImage({at("v.h5"), "", "", "1/pixel"}, unsized, 0).image.image.values[5], 3.0f);
    }

    // The likely unit is that in which the brighter pixels agree within 2 %, although the air does not.
    void theLikelyUnit_data()
    {
        QTest::addColumn<double>("factor"); // of the file's values
        QTest::addColumn<QByteArray>("unit");
        QTest::newRow("per pixel") << 0.25 << QByteArray("1/pixel");
        QTest::newRow("nearly per pixel") << 0.25 * 1.015 << QByteArray("1/pixel");
        QTest::newRow("not quite") << 0.25 * 1.03 << QByteArray();
        QTest::newRow("per cm") << 10.0 << QByteArray("1/cm");
        QTest::newRow("fits") << 1.01 << QByteArray();
        QTest::newRow("another scale") << 1000.0 << QByteArray();
    }
    void theLikelyUnit()
    {
        QFETCH(double, factor);
        QFETCH(QByteArray, unit);
        const Reconstruction like = imageOf(scanOf(0.25));
        Volume image = like.image;
        for (std::size_t k = 0; k < image.values.size(); ++k)
            image.values[k] = static_cast<float>(image.values[k] * factor + (k % 5 == 0 ? 0.7 : 0));
        {
            made::Hdf5 file(at("v.h5"));
            file.numbers("/volume", {1, 32, 32}, std::vector<double>(image.values.begin(), image.values.end()),
                         H5T_IEEE_F32LE);
        }
        QCOMPARE(fileImage({at("v.h5")}, like, 0).image.likelyUnit, unit.toStdString());
        QVERIFY(fileImage({at("v.h5"), "", "", "1/mm"}, like, 0).image.likelyUnit.empty()); // chosen by the user
    }

    // A published image of a fan-beam scan, in which only the position of the pixels and the filter differ from ours.
    void aPublishedImage()
    {
        const auto folder = fixtures::realData / "htc2022-fanbeam";
        if (!std::filesystem::exists(folder / "htc2022_01a_full.mat"))
            QSKIP("the fan-beam scan of HTC 2022 is not here");
        OpenOptions options;
        options.cone.size = 512;
        const auto scan = openScan(folder / "htc2022_01a_full.mat", options);
        const Reconstruction ours = imageOf(scan);
        const SlicesPath published{folder / "htc2022_01a_recon_fbp.mat"};
        QCOMPARE(fileImage(published, ours, 0).image.likelyUnit, std::string("1/pixel"));
        const Volume theirs = fileImage({published.file, "", "", "1/pixel"}, ours, 0).image.image;
        const auto sumOf = [](const Volume& image) {
            return std::accumulate(image.values.begin(), image.values.end(), 0.0);
        };
        const double mass = sumOf(theirs) / sumOf(ours.image);
        const Metrics metrics = compareImages(ours.image.slice(0), theirs.slice(0), 512, 512, Mask{0.9, {}, {}});
        qInfo("mass %.4f of ours, RMSE %.4g 1/mm, PSNR %.1f dB", mass, metrics.rmse, metrics.psnrDb);
        QVERIFY(std::abs(mass - 1) < 0.02);
        QVERIFY(metrics.psnrDb > 20);
    }

    void aRegionIsCutOut()
    {
        Request request = fixtures::requestFor(scanOf(0));
        request.place.setRegion(Region{3, 4, 7, 5});
        const Reconstruction like = Reconstructor().run(request);
        {
            made::Hdf5 file(at("v.h5"));
            file.numbers("/volume", {1, 32, 32}, made::counting(1024), H5T_IEEE_F32LE);
        }
        const Volume image = fileImage({at("v.h5")}, like, 0).image.image;
        QCOMPARE(image.width, 7);
        QCOMPARE(image.height, 5);
        QCOMPARE(image.values.front(), 4 * 32 + 3.0f);
        QCOMPARE(image.values.back(), 8 * 32 + 9.0f);
    }

    // A slice whose file reports another number, and files whose names have no numbers, are used, and a note reports
    // the doubt.
    void whatIsDoubtfulIsSaid()
    {
        const auto scan = scanOf(0, 6);
        const auto sliceOf = [&](int number) {
            Request request = fixtures::requestFor(scan);
            request.place.setSlices({number, 1});
            return Reconstructor().run(request);
        };
        const Reconstruction like = sliceOf(0);
        const auto slice = [&](const char* name, int number) {
            const Reconstruction made = sliceOf(number);
            SliceWriter writer(at(name), "other", {number, 1}, false, {}, {},
                               [](const Reconstruction& part, int at) { return sliceFacts(part, at, {}); });
            writer.write(made);
            writer.finish({configurationJson(made, {})});
        };
        slice("fifth.tif", 5);
        QCOMPARE(fileImage({at("fifth.tif")}, like, 5).image.from,
                 std::string("fifth.tif, its only image, used for slice 5"));
        QCOMPARE(fileImage({at("fifth.tif")}, like, 0).image.from,
                 std::string("fifth.tif, its only image, used for slice 0 although the file specifies slice 5"));
        std::filesystem::create_directory(at("folder"));
        slice("folder/b.tif", 5);
        slice("folder/a.tif", 4);
        QCOMPARE(fileImage({at("folder")}, like, 1).image.from,
                 std::string("folder, slice 1 by the order of the names: b.tif"));
    }

    void whatIsRefused()
    {
        const Reconstruction like = imageOf(scanOf(0));
        volume("small.h5", "", 1, 16);
        QVERIFY(fails(ErrorKind::badRequest, {"small.h5", "16 x 16", "32 x 32"},
                      [&] { fileImage({at("small.h5")}, like, 0); }));
        try {
            fileImage({at("small.h5")}, like, 0);
        } catch (const SizeMisfit& error) {
            QVERIFY((error.ofFile() == SliceSize{16, 16}));
        }
        Volume holes(1, 32, 32);
        holes.values[32 * 2 + 5] = fixtures::notANumber;
        holes.values[700] = std::numeric_limits<float>::infinity();
        writeTiffImage(at("holes.tif"), holes, 0, false, {});
        QVERIFY(fails(ErrorKind::badFile, {"holes.tif", "2 pixels", "column 5 of row 2"},
                      [&] { fileImage({at("holes.tif")}, like, 0); }));
    }

    // An image of a plane is the reference of that plane only; slices are for planes that are slices.
    void planes()
    {
        const auto scan = scanOf(0, 6);
        const VolumeSize volume = volumeOf(*scan);
        const auto imageIn = [&](const std::string& plane, bool isSmooth = false) {
            Request request = fixtures::requestFor(scan);
            request.place.part = PlanePart{planeFromText(plane, volume)};
            request.setting.filter.window = isSmooth ? Window::hann : Window::ramLak;
            return Reconstructor().run(request);
        };
        const auto write = [&](const std::string& name, const Reconstruction& image) {
            writeTiffImage(at(name), image.image, 0, true, {}, image.unit, sliceFacts(image, 0, {}));
        };
        const Reconstruction turned = imageIn("centre=16,15,2;u=1,0.3,0;v=0,0.2,1"), x = imageIn("x=9");
        const Reconstruction smooth = imageIn("centre=16,15,2;u=1,0.3,0;v=0,0.2,1", true),
                             smoothX = imageIn("x=9", true);
        write("turned.tif", smooth);
        write("x.tif", smoothX);
        const FileImage made = filePlane({at("turned.tif")}, turned);
        QVERIFY(fixtures::haveSameBits(made.image.image, smooth.image) &&
                !fixtures::haveSameBits(made.image.image, turned.image));
        QCOMPARE(made.image.from, std::string("turned.tif"));
        QVERIFY(std::isnan(turned.image.values.front())); // a gap of both is no reason to refuse the file
        Reconstruction holed = smooth;
        holed.image.values[holed.image.values.size() / 2] = fixtures::notANumber;
        write("holed.tif", holed);
        QVERIFY(fails(ErrorKind::badFile, {"holed.tif", "1 pixels"}, [&] { filePlane({at("holed.tif")}, turned); }));
        QVERIFY(filePlane({at("x.tif")}, x).image.image.values == smoothX.image.values);
        SliceWriter ofX(at("x.h5"), "x", {0, 1}, false, {});
        ofX.write(smoothX);
        ofX.finish(volumeDescription(smoothX, smoothX.request, {}));
        QVERIFY(filePlane({at("x.h5")}, x).image.image.values == smoothX.image.values);
        QVERIFY(fails(ErrorKind::badRequest, {"x.tif", "another plane", "centre=9,"},
                      [&] { filePlane({at("x.tif")}, imageIn("x=10")); }));
        QVERIFY(fails(ErrorKind::badRequest, {"turned.tif", "32 x 6", "saved of the same plane"},
                      [&] { filePlane({at("turned.tif")}, x); }));
        writeTiffImage(at("unknown.tif"), smoothX.image, 0, false, {});
        QVERIFY(fails(ErrorKind::badRequest, {"unknown.tif", "doesn't specify", "saved of the same plane"},
                      [&] { filePlane({at("unknown.tif")}, x); }));

        const Reconstruction all = Reconstructor().run([&] {
            Request request = fixtures::requestFor(scan);
            request.place.setSlices({0, 6});
            request.setting.filter.window = Window::hann;
            return request;
        }());
        SliceWriter writer(at("all.h5"), "all", {0, 6}, false, {});
        writer.write(all);
        writer.finish({configurationJson(all, {})});
        const FileImage slice = filePlane({at("all.h5")}, imageIn("z=4"));
        QVERIFY(std::ranges::equal(slice.image.image.values, all.image.slice(4)));
        QCOMPARE(slice.image.from, std::string("all.h5, slice 4"));
        QVERIFY(
            fails(ErrorKind::badFile, {"all.h5", "saved of the same plane"}, [&] { filePlane({at("all.h5")}, x); }));
    }

    // The figures are computed from the two images, whatever produced them; slices of a volume that the program wrote
    // are found by their numbers.
    void settingsAreMeasuredAgainstIt()
    {
        const auto scan = scanOf(0, 6);
        Request smooth = fixtures::requestFor(scan);
        smooth.place.setSlices({2, 3});
        smooth.setting.filter.window = Window::hann;
        const Reconstruction other = Reconstructor().run(smooth);
        SliceWriter writer(at("other.h5"), "other", smooth.place.slices(), false, {});
        writer.write(other);
        writer.finish({configurationJson(other, {})});
        SettingList list;
        Setting half;
        half.kernel.precision = Precision::half;
        list.add(half);
        list.reference = referenceFromText("file:" + at("other.h5").string());
        const Mask mask{0.9, {}, {}};
        const auto all = compareSettings(scan, list, {}, 3, mask);
        QCOMPARE(all.size(), std::size_t(2));
        QCOMPARE(all[0].reference, all[1].reference);
        for (const ComparedSetting& one : all) {
            const Metrics expected = compareImages(one.result->image.slice(0), other.image.slice(1), 32, 32, mask);
            QVERIFY(expected.rmse > 0);
            QCOMPARE(one.metrics->rmse, expected.rmse);
            QCOMPARE(one.metrics->ssim, expected.ssim);
        }
        QCOMPARE(referenceText(list, all[0].reference.get()), std::string("other.h5, slice 3"));
        QCOMPARE(referenceText(list, nullptr), std::string("other.h5"));
        QVERIFY(fails(ErrorKind::badFile, {"slices 2 to 4", "not slice 5"},
                      [&] { compareSettings(scan, list, {}, 5, mask); }));
    }
};

SINOSCOPE_TEST(ReferenceFileTest, QCoreApplication)
#include "reference_file_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Published scans; the expected numbers are those of the published files.
#include "engine/io/geometry/angles_file.h"
#include "engine/io/open/open_scan.h"
#include "tests/engine/io/files.h"
#include "tests/fixtures.h"

#include <cmath>
#include <filesystem>
#include <numbers>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

class IoRealScansTest : public QObject
{
    Q_OBJECT
  private slots:
    void tooth();
    void i13Stack();
    void neutronSinogram();
    void k11Links();
    void valuesOfEachForm_data();
    void valuesOfEachForm();

  private:
    TemporaryFolder m_folder;
};

#define NEEDS(path)                                                                                                    \
    if (!fs::exists(realData / path))                                                                                  \
    QSKIP("the published scan " path " is not here")

void IoRealScansTest::tooth()
{
    NEEDS("tooth-dxchange/tooth.h5");
    const auto scan = openScan(realData / "tooth-dxchange/tooth.h5");
    QCOMPARE(scan->format, std::string("DXchange"));
    QCOMPARE(scan->name, std::string("tooth.h5"));
    QCOMPARE(scan->sampleType, std::string("float32"));
    QCOMPARE(scan->rows, 2);
    QCOMPARE(scan->bins(), 640);
    QCOMPARE(scan->projections(), 181);
    QCOMPARE(scan->darkFrames, 10);
    QCOMPARE(scan->flatFrames, 10);
    QVERIFY(scan->quantity == Quantity::counts);
    QVERIFY(std::abs(scan->anglesRad()[2] / degree - 1.98895028) < 1e-7);
    QVERIFY(std::abs(scan->anglesRad()[180] / degree - 179.00552486187846) < 1e-9);
    QVERIFY(scan->axisBins().empty());
    QCOMPARE(scan->metadata.at(1).second, std::string("Tooth"));

    const RawRows both = scan->read({0, 2}, {});
    QCOMPARE(both.data.size(), std::size_t(181 * 2 * 640));
    QCOMPARE(both.data[0], 26963.25f);
    QCOMPARE(both.data[(90 * 2 + 1) * 640 + 320], 7306.5f);
    QCOMPARE(both.data[180 * 2 * 640 + 639], 27184.0f);
    QCOMPARE(both.flats[(3 * 2 + 1) * 640 + 100], 28352.0f);
    QCOMPARE(both.darks[9 * 2 * 640 + 5], 112.25f);
    const RawRows second = scan->read({1, 1}, {});
    QCOMPARE(second.data.size(), std::size_t(181 * 640));
    QCOMPARE(second.data[90 * 640 + 320], 7306.5f);
    QCOMPARE(second.flats[3 * 640 + 100], 28352.0f);
}

void IoRealScansTest::i13Stack()
{
    NEEDS("i13-24737-tiff/tiffs");
    // Opens the folder of the scan, and the folder of its projections.
    for (const fs::path& path : {realData / "i13-24737-tiff", realData / "i13-24737-tiff/tiffs/"}) {
        const auto scan = openScan(path);
        QCOMPARE(scan->format, std::string("TIFF stack"));
        QCOMPARE(scan->sampleType, std::string("uint16"));
        QCOMPARE(scan->rows, 135);
        QCOMPARE(scan->bins(), 160);
        QCOMPARE(scan->projections(), 91);
        QCOMPARE(scan->darkFrames, 1);
        QCOMPARE(scan->flatFrames, 1);
        QVERIFY(mentions(scan->notes, "111 angles for 91 projections"));
        QVERIFY(mentions(scan->notes, "--angles-lines 11:101"));
        QVERIFY(mentions(scan->notes, "without the end is assumed"));
        QVERIFY(std::abs(scan->anglesRad()[90] / degree - 180.0 * 90 / 91) < 1e-9);
        const RawRows raw = scan->read({67, 1}, {});
        QCOMPARE(raw.data[80], 3994.0f);
        QCOMPARE(raw.darks[80], 94.0f);
        QCOMPARE(raw.flats[80], 41719.0f);
        QCOMPARE(scan->read({134, 1}, {}).data[90 * 160 + 159], 21362.0f);
    }
    // Lines 11 to 101 of the original list are those of the projections.
    const std::vector<double> all = readAngles(realData / "i13-24737-tiff/angles.txt");
    QCOMPARE(all.size(), std::size_t(111));
    OpenOptions options;
    options.anglesRad.assign(all.begin() + 10, all.begin() + 101);
    const auto scan = openScan(realData / "i13-24737-tiff", options);
    QVERIFY(std::abs(scan->anglesRad().front() / degree + 88.2) < 1e-9);
    QVERIFY(std::abs(scan->anglesRad().back() / degree - 91.7999) < 1e-3);
}

void IoRealScansTest::neutronSinogram()
{
    NEEDS("neutron-360-sinogram/sinogram_360_neutron_image.tif");
    const fs::path path = realData / "neutron-360-sinogram/sinogram_360_neutron_image.tif";
    OpenOptions options;
    options.sinogram = true;
    options.angleRangeRad = {0, 2 * std::numbers::pi};
    const auto scan = openScan(path, options);
    QCOMPARE(scan->format, std::string("TIFF sinogram"));
    QCOMPARE(scan->rows, 1);
    QCOMPARE(scan->bins(), 503);
    QCOMPARE(scan->projections(), 459);
    QVERIFY(std::abs(scan->anglesRad()[458] / degree - 360) < 1e-9);
    const RawRows raw = scan->read({0, 1}, {});
    QCOMPARE(raw.data[0], 47279.0f);
    QCOMPARE(raw.data[100 * 503 + 200], 13466.0f);
    QCOMPARE(raw.data[458 * 503 + 502], 47794.0f);
    QVERIFY(fails(ErrorKind::badFile, {"--sinogram"}, [&] { openScan(path); })); // a single image is not a stack
}

void IoRealScansTest::k11Links()
{
    NEEDS("k11-nexus-links/k11-18014.nxs");
    const auto scan = openScan(realData / "k11-nexus-links/k11-18014.nxs");
    QCOMPARE(scan->format, std::string("NXtomo"));
    QCOMPARE(scan->sampleType, std::string("uint16"));
    QCOMPARE(scan->rows, 22);
    QCOMPARE(scan->bins(), 26);
    QCOMPARE(scan->projections(), 3001);
    QCOMPARE(scan->flatFrames, 100);
    QCOMPARE(scan->darkFrames, 100);
    QVERIFY(std::abs(scan->anglesRad().front() / degree - 89.99511004) < 1e-7);
    QVERIFY(std::abs(scan->anglesRad().back() / degree - 269.99462809) < 1e-7);
    QVERIFY(mentions(scan->notes, "/entry/imaging/data"));
    QVERIFY(mentions(scan->notes, "/entry/imaging/gts_theta_value"));
    // Frames 0…49 are flats, 50…99 darks, 100…3100 projections.
    QCOMPARE(scan->read({3, 1}, {}).data[4], 40156.0f);
    QCOMPARE(scan->read({21, 1}, {}).data[3000 * 26 + 25], 37259.0f);
    const RawRows raw = scan->read({5, 6}, {});
    QCOMPARE(raw.flats[6], 46576.0f);
    QCOMPARE(raw.darks[6], 105.0f);
    QCOMPARE(raw.data[(1400 * 6 + 5) * 26 + 10], 28272.0f);
}

// The middle row of each scan, in each quantity that other programs write, as a sinogram that doesn't specify the
// quantity: the guess is right, or it is doubted.
void IoRealScansTest::valuesOfEachForm_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("seesAir");
    QTest::newRow("tooth") << "tooth-dxchange/tooth.h5" << true;
    QTest::newRow("I13") << "i13-24737-tiff" << false; // the beam's shape hides the air in counts
    QTest::newRow("neutrons") << "neutron-360-sinogram/sinogram_360_neutron_image.tif" << true;
    QTest::newRow("K11") << "k11-nexus-links/k11-18014.nxs" << false;
    QTest::newRow("HTC 2022") << "htc2022-fanbeam/htc2022_01a_full.mat" << true;
}

void IoRealScansTest::valuesOfEachForm()
{
    QFETCH(QString, file);
    QFETCH(bool, seesAir);
    const fs::path path = realData / file.toStdString();
    if (!fs::exists(path))
        QSKIP(qPrintable("the published scan " + file + " is not here"));
    OpenOptions options;
    options.sinogram = file.endsWith(QStringLiteral(".tif"));
    const auto scan = openScan(path, options);
    const int bins = scan->bins(), projections = scan->projections();
    const RawRows raw = scan->read({scan->rows / 2, 1}, {});
    const auto meanAt = [&](const Values& frames, int count, int bin) {
        double sum = 0;
        for (int frame = 0; frame < count; ++frame)
            sum += frames[std::size_t(frame) * std::size_t(bins) + std::size_t(bin)];
        return count > 0 ? sum / count : 0;
    };
    std::vector<float> counts, transmission, integrals;
    for (int projection = 0; projection < projections; ++projection)
        for (int bin = 0; bin < bins; ++bin) {
            const float value = raw.data[std::size_t(projection) * std::size_t(bins) + std::size_t(bin)];
            const double dark = meanAt(raw.darks, raw.darkFrames, bin);
            const double flat = raw.flatFrames > 0 ? meanAt(raw.flats, raw.flatFrames, bin) : 47500; // neutron scan
            const bool isIntegral = scan->quantity == Quantity::attenuation;
            const double passed = isIntegral ? std::exp(-double(value)) : (value - dark) / (flat - dark);
            counts.push_back(isIntegral ? float(std::round(60000 * passed)) : value);
            transmission.push_back(float(passed)); // NaN in a dead pixel
            integrals.push_back(float(-std::log(passed)));
        }
    const std::vector<std::uint16_t> whole(counts.begin(), counts.end());
    const auto opened = [&](const char* name, const auto& values, int format) {
        const fs::path written = m_folder / (std::string(name) + ".tif");
        made::tiff(written, bins, projections, values, {format});
        OpenOptions asSinogram;
        asSinogram.sinogram = true;
        return openScan(written, asSinogram);
    };
    const auto looksAt = [&](const char* name, const std::shared_ptr<const Scan>& guessed, Quantity truth) {
        const bool isRight = guessed->quantity == truth;
        QVERIFY2(
            isRight || !guessed->quantityDoubt.empty(),
            (std::string(name) + " is taken as " + toText(guessed->quantity) + ": " + guessed->quantityReason).c_str());
        if (seesAir)
            QVERIFY2(isRight && guessed->quantityDoubt.empty(),
                     (std::string(name) + ": " + guessed->quantityDoubt.plain()).c_str());
    };
    looksAt("whole counts", opened("whole", whole, SAMPLEFORMAT_UINT), Quantity::counts);
    looksAt("counts", opened("counts", counts, SAMPLEFORMAT_IEEEFP), Quantity::counts);
    looksAt("transmission", opened("transmission", transmission, SAMPLEFORMAT_IEEEFP), Quantity::transmission);
    looksAt("line integrals", opened("integrals", integrals, SAMPLEFORMAT_IEEEFP), Quantity::attenuation);
}

SINOSCOPE_TEST(IoRealScansTest, QCoreApplication)
#include "real_scans_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Published scans: opened, corrected, and reconstructed as a user would.
#include "engine/io/geometry/angles_file.h"
#include "engine/io/open/open_scan.h"
#include "engine/prepare/prepare.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/fixtures.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <numeric>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;
using std::numbers::pi;

namespace
{

float fromHalf(std::uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float sign = bits & 0x8000 ? -1.f : 1.f;
    if (exponent == 31)
        return fraction ? NAN : sign * INFINITY;
    return exponent == 0 ? sign * std::ldexp(float(fraction), -24)
                         : sign * std::ldexp(float(1024 + fraction), exponent - 25);
}

// Reads MRC2014 files of mode 12 (float16) without extended header.
std::vector<float> readMrc(const fs::path& path, int columns, int rows, int sections)
{
    std::ifstream file(path, std::ios::binary);
    std::int32_t header[256];
    file.read(reinterpret_cast<char*>(header), sizeof header);
    if (!file || header[0] != columns || header[1] != rows || header[2] != sections || header[3] != 12 ||
        header[23] != 0)
        return {};
    std::vector<std::uint16_t> half(std::size_t(columns) * rows * sections);
    file.read(reinterpret_cast<char*>(half.data()), static_cast<std::streamsize>(half.size() * 2));
    std::vector<float> values;
    for (std::uint16_t bits : half)
        values.push_back(fromHalf(bits));
    return file ? values : std::vector<float>{};
}

std::shared_ptr<const Scan> openI13()
{
    const fs::path folder = realData / "i13-24737-tiff";
    OpenOptions options;
    // The file has one angle for each frame of the original scan: ten flats and darks before and after the
    // projections.
    const std::vector<double> angles = readAngles(folder / "angles.txt");
    if (angles.size() == 111)
        options.anglesRad.assign(angles.begin() + 10, angles.end() - 10);
    options.darks = folder / "dark_00001.tiff";
    options.flats = folder / "flat_00001.tiff";
    return openScan(folder / "tiffs", options);
}

std::shared_ptr<const Scan> openNeutron()
{
    OpenOptions options;
    options.sinogram = true;
    options.angleRangeRad = {0, 2 * pi};
    return openScan(realData / "neutron-360-sinogram/sinogram_360_neutron_image.tif", options);
}

struct Both {
    Reconstruction cpu, exact;
    double massOfProjections = 0; // mean over the projections of the sum of their bins
};

Both reconstruct(const std::shared_ptr<const Scan>& scan, int row)
{
    Request request = requestFor(scan);
    request.place.setSlices({row, 1});
    request.setting.axis.mode = AxisSettings::Mode::automatic;
    Reconstructor reconstructor;
    Both both;
    both.cpu = reconstructor.run(request);
    request.setting.kernel.method = "exact";
    both.exact = reconstructor.run(request);
    const Sinograms sinograms = prepareRows(scan->read({row, 1}, {}), scan->quantity, 0).sinograms;
    both.massOfProjections =
        std::accumulate(sinograms.values.begin(), sinograms.values.end(), 0.0) / sinograms.projections;
    return both;
}

struct Ring {
    double mean = 0, deviation = 0, sum = 0;
};

// Returns statistics of the pixels whose distance from the axis lies in [from, to) bins.
Ring between(const Reconstruction& result, double from, double to)
{
    const double pixel = result.unit == "1/mm" ? result.request.scan->pixelSizeMm().value_or(NAN) : 1;
    double count = 0, sum = 0, square = 0;
    for (int row = 0; row < result.grid.height; ++row)
        for (int column = 0; column < result.grid.width; ++column) {
            const double distance = std::hypot(result.grid.x(column), result.grid.y(row));
            if (distance < from || distance >= to)
                continue;
            const double value = result.image.values[std::size_t(row) * result.grid.width + column] * pixel;
            ++count;
            sum += value;
            square += value * value;
        }
    return {sum / count, std::sqrt(square / count - sum * sum / count / count), sum};
}

// Returns the mean over a disc of radius 15 pixels around a position in the whole slice.
double meanAround(const Reconstruction& result, int column, int row)
{
    double count = 0, sum = 0;
    for (int y = 0; y < result.grid.height; ++y)
        for (int x = 0; x < result.grid.width; ++x)
            if (std::hypot(x - column, y - row) < 15) {
                ++count;
                sum += result.image.values[std::size_t(y) * result.grid.width + x];
            }
    return sum / count;
}

double highest(const Reconstruction& result)
{
    return *std::max_element(result.image.values.begin(), result.image.values.end());
}

} // namespace

class RealDataTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase();
    void tooth_data();
    void tooth();
    void i13FlatFieldAgreesWithThePublished();
    void i13_data();
    void i13();
    void i13InSixteenBits();
    void neutron();
};

void RealDataTest::initTestCase()
{
    if (!fs::exists(realData / "tooth-dxchange/tooth.h5"))
        QSKIP("No real scans: SINOSCOPE_DATA_DIR is " SINOSCOPE_DATA_DIR);
}

void RealDataTest::tooth_data()
{
    QTest::addColumn<int>("row");
    QTest::newRow("row 0") << 0;
    if (!sanitized)
        QTest::newRow("row 1") << 1;
}

void RealDataTest::tooth()
{
    QFETCH(int, row);
    const auto scan = openScan(realData / "tooth-dxchange/tooth.h5");
    QCOMPARE(scan->bins(), 640);
    QCOMPARE(scan->projections(), 181);
    const Both both = reconstruct(scan, row);
    const Ring object = between(both.exact, 0, 100), air = between(both.exact, 270, 290);
    const double mass = between(both.exact, 0, 290).sum / both.massOfProjections;
    qInfo("axis %.3f; cpu − exact %.2g; tooth %.5f, air %.6f ± %.5f, mass %.4f of the projections'", both.cpu.axisBins,
          relativeError(both.cpu.image, both.exact.image), object.mean, air.mean, air.deviation, mass);
    QVERIFY(std::abs(both.cpu.axisBins - 295.75) < .75);
    QCOMPARE(both.cpu.axisSource, std::string("automatic"));
    QVERIFY(relativeError(both.cpu.image, both.exact.image) < 1e-5);
    QVERIFY(std::abs(air.mean) < 2e-4);
    QVERIFY(object.mean > .004 && object.mean < .007); // transmission of at least 0.14 through about 400 pixels
    QVERIFY(std::abs(mass - 1) < .01);
}

void RealDataTest::i13FlatFieldAgreesWithThePublished()
{
    const int bins = 160, rows = 135, projections = 91;
    const std::vector<float> published =
        readMrc(realData / "i13-24737-tiff/reference-flatfielded/projections.mrc", bins, rows, projections);
    QCOMPARE(published.size(), std::size_t(bins) * rows * projections);
    const auto scan = openI13();
    const Prepared prepared = prepareRows(scan->read({0, rows}, {}), scan->quantity, 0);
    QCOMPARE(prepared.sinograms.values.size(), published.size());
    std::vector<double> differences, signedDifferences;
    int deadThere = 0;
    for (int projection = 0; projection < projections; ++projection)
        for (int row = 0; row < rows; ++row)
            for (int bin = 0; bin < bins; ++bin) {
                const float ours =
                    std::exp(-prepared.sinograms.values[(std::size_t(row) * projections + projection) * bins + bin]);
                const float theirs = published[(std::size_t(projection) * rows + row) * bins + bin];
                QVERIFY(std::isfinite(ours) && ours > .01f && ours < 1.5f); // including the dead pixel
                if (std::isnan(theirs))
                    ++deadThere;
                else {
                    signedDifferences.push_back(double(ours) - theirs);
                    differences.push_back(std::abs(double(ours) - theirs));
                }
            }
    QCOMPARE(deadThere, projections); // one bin of one row
    // The published volume was corrected with other flat frames: single pixels differ by the flats' noise.
    std::sort(differences.begin(), differences.end());
    std::sort(signedDifferences.begin(), signedDifferences.end());
    const std::size_t middle = differences.size() / 2;
    qInfo("ours − published: median %.6f; |ours − published|: median %.6f, largest %.4f", signedDifferences[middle],
          differences[middle], differences.back());
    QVERIFY(std::abs(signedDifferences[middle]) <= .0005);
    QVERIFY(differences[middle] <= .003);
    QVERIFY(differences.back() <= .021);
    QVERIFY(std::any_of(prepared.notes.begin(), prepared.notes.end(), [](const Note& note) {
        return note.text().plain() == "1 dead pixel was interpolated from the neighbours in the same row.";
    }));
}

void RealDataTest::i13_data()
{
    QTest::addColumn<int>("row");
    for (int row : {67, 90, 120})
        if (row == 67 || !sanitized)
            QTest::addRow("row %d", row) << row;
}

void RealDataTest::i13()
{
    QFETCH(int, row);
    const Both both = reconstruct(openI13(), row);
    const Ring object = between(both.exact, 0, 40), outside = between(both.exact, 70, 73);
    qInfo("axis %.3f; cpu − exact %.2g; inside %.5f ± %.5f, outside %.5f, highest %.4f", both.cpu.axisBins,
          relativeError(both.cpu.image, both.exact.image), object.mean, object.deviation, outside.mean,
          highest(both.exact));
    QVERIFY(std::abs(both.cpu.axisBins - 86) < .75);
    QVERIFY(relativeError(both.cpu.image, both.exact.image) < 1e-5);
    QVERIFY(object.mean > outside.mean && object.mean < .03);
    QVERIFY(highest(both.exact) < .2);
}

// Sixteen slices per pass with half precision: 16-bit numbers on a processor.
void RealDataTest::i13InSixteenBits()
{
    if (sanitized)
        QSKIP("simulated noise goes the same way");
    Request request = requestFor(openI13());
    request.place.setSlices({60, 16});
    request.setting.kernel.slicesPerPass = 16;
    request.setting.axis.mode = AxisSettings::Mode::automatic;
    request.setting.kernel.precision = Precision::half;
    Reconstructor reconstructor;
    Both both;
    both.cpu = reconstructor.run(request);
    request.setting.kernel.precision = Precision::single;
    request.setting.kernel.slicesPerPass = 1;
    request.setting.kernel.method = "exact";
    both.exact = reconstructor.run(request);
    qInfo("cpu − exact %.2g", relativeError(both.cpu.image, both.exact.image));
    QVERIFY(relativeError(both.cpu.image, both.exact.image) > 1e-6); // not computed in floats
    QVERIFY(relativeError(both.cpu.image, both.exact.image) < 1e-3);
}

void RealDataTest::neutron()
{
    if (sanitized)
        QSKIP("as much again as the tooth's, of the same kind");
    const auto scan = openNeutron();
    QCOMPARE(scan->bins(), 503);
    QCOMPARE(scan->projections(), 459);
    const Both both = reconstruct(scan, 0);
    const Ring object = between(both.exact, 0, 200), air = between(both.exact, 225, 243);
    const double mass = between(both.exact, 0, 243).sum / both.massOfProjections;
    qInfo("axis %.3f; cpu − exact %.2g; inside %.5f, air %.6f ± %.5f, mass %.4f, highest %.4f", both.cpu.axisBins,
          relativeError(both.cpu.image, both.exact.image), object.mean, air.mean, air.deviation, mass,
          highest(both.exact));
    QVERIFY(std::abs(both.cpu.axisBins - 245) < .75);
    QVERIFY(relativeError(both.cpu.image, both.exact.image) < 1e-5);
    QVERIFY(std::abs(air.mean) < 2e-4);
    QVERIFY(std::abs(mass - 1) < .005);
    // The rods are at the positions in the published picture (rec_fbp_before_sinogram_360_neutron_image.jpg): the
    // brightest at the top, two equal ones at the left and at the lower right, one of a brightness in between at the
    // lower left, and almost nothing below them.
    const double top = meanAround(both.exact, 249, 145), left = meanAround(both.exact, 171, 193),
                 lowerLeft = meanAround(both.exact, 176, 286), lowerRight = meanAround(both.exact, 336, 279),
                 below = meanAround(both.exact, 250, 390);
    qInfo("rods %.5f %.5f %.5f %.5f, below them %.5f", top, left, lowerLeft, lowerRight, below);
    QVERIFY(top > .033 && top < .037);
    QVERIFY(lowerLeft > .014 && lowerLeft < .017);
    QVERIFY(std::abs(left - lowerRight) < .0005 && left > .008 && left < .010);
    QVERIFY(std::abs(below) < .001);
    // Bins without any light are repaired: interpreted as very dense, they would cause streaks in the whole slice.
    QVERIFY(air.deviation < .001);
}

SINOSCOPE_TEST(RealDataTest, QCoreApplication)
#include "real_data_test.moc"

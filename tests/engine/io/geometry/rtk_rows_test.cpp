// SPDX-License-Identifier: GPL-3.0-or-later
// The vertical orientation of a scan with RTK's geometry: its rows count upwards, and slice 0 is still the top.
#include "engine/io/open/open_scan.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/reinterpreted_scan.h"
#include "tests/engine/io/files.h"

#include <QTest>

#include <cmath>
#include <sstream>

using namespace engine;
using namespace fixtures;

namespace
{

constexpr int rtkProjections = 36, rtkRows = 26, rtkBins = 32;
constexpr double sourceAxis = 100, sourceDetector = 150, offsetX = 0.8, offsetY = -1.2; // of the detector's middle
// In RTK's coordinates: x across, y upwards along the axis, z towards the source at 0°.
constexpr double ballX = 3, ballY = 4.5, ballZ = -2, radius = 2;

double gantryDeg(int p)
{
    return 7 + 360.0 * p / rtkProjections;
}

// Returns projections of the ball as RTK stores them: row k lies (k − (rows − 1)/2) pixels above the detector's
// middle.
std::vector<float> ballAsRtkStoresIt()
{
    std::vector<float> values;
    for (int p = 0; p < rtkProjections; ++p) {
        const double g = gantryDeg(p) * degree;
        const double across = ballX * std::cos(g) - ballZ * std::sin(g),
                     towards = ballX * std::sin(g) + ballZ * std::cos(g);
        const double magnified = sourceDetector / (sourceAxis - towards);
        const double u = across * magnified - offsetX, v = ballY * magnified - offsetY;
        for (int row = 0; row < rtkRows; ++row)
            for (int bin = 0; bin < rtkBins; ++bin) {
                const double away =
                    std::hypot(bin - (rtkBins - 1) / 2.0 - u, row - (rtkRows - 1) / 2.0 - v) / magnified;
                values.push_back(away < radius ? float(2 * std::sqrt(radius * radius - away * away)) : 0.0f);
            }
    }
    return values;
}

std::string geometryXml(bool circle)
{
    std::ostringstream xml;
    xml << "<RTKThreeDCircularGeometry version=\"3\"><SourceToIsocenterDistance>" << sourceAxis
        << "</SourceToIsocenterDistance><SourceToDetectorDistance>" << sourceDetector
        << "</SourceToDetectorDistance><ProjectionOffsetX>" << offsetX << "</ProjectionOffsetX><ProjectionOffsetY>"
        << offsetY << "</ProjectionOffsetY>";
    for (int p = 0; p < rtkProjections; ++p)
        xml << "<Projection><GantryAngle>" << gantryDeg(p) << "</GantryAngle>"
            << (circle  ? ""
                : p % 2 ? "<SourceOffsetX>1e-9</SourceOffsetX>"
                        : "<SourceOffsetX>0</SourceOffsetX>")
            << "</Projection>";
    xml << "</RTKThreeDCircularGeometry>";
    return xml.str();
}

struct RtkScan {
    TemporaryFolder folder;
    std::filesystem::path file = folder / "ball.raw";
    OpenOptions options;

    explicit RtkScan(bool circle = true)
    {
        const std::vector<float> values = ballAsRtkStoresIt();
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * sizeof(float)));
        std::ofstream(folder / "geometry.xml") << geometryXml(circle);
        options.raw = RawLayout{rtkProjections, rtkRows, rtkBins, "float32", false, 0};
        options.values = Quantity::attenuation;
        options.geometryFile = folder / "geometry.xml";
        options.cone.pixelUMm = 1;
    }
};

} // namespace

class RtkRowsTest : public QObject
{
    Q_OBJECT
  private slots:
    void aBallAboveTheMiddleIsAboveIt_data()
    {
        QTest::addColumn<bool>("circle");
        QTest::newRow("a circle") << true;
        QTest::newRow("matrices") << false;
    }

    // The ball's centre of mass in the reconstruction, in millimetres: RTK's y points upwards, and its z is our −y.
    void aBallAboveTheMiddleIsAboveIt()
    {
        QFETCH(const bool, circle);
        const RtkScan made(circle);
        const auto scan = openScan(made.file, made.options);
        const auto& beam = std::get<ConeBeam>(scan->geometry);
        QCOMPARE(beam.isCircle(), circle);
        Request request = requestFor(scan, "exact");
        request.place.setSlices({0, scan->slices()});
        Reconstructor reconstructor;
        const Volume image = reconstructor.run(request).image;
        double sum = 0, x = 0, y = 0, z = 0;
        for (int slice = 0; slice < image.slices; ++slice)
            for (int row = 0; row < image.height; ++row)
                for (int column = 0; column < image.width; ++column) {
                    const double value = image.values[(std::size_t(slice) * image.height + row) * image.width + column];
                    if (value < 0.5)
                        continue;
                    sum += value;
                    x += value * (column - (image.width - 1) / 2.0);
                    y += value * ((image.height - 1) / 2.0 - row);
                    z += value * ((image.slices - 1) / 2.0 - slice);
                }
        const double voxel = beam.volume.voxelMm;
        QVERIFY(sum > 0);
        const QString found =
            QStringLiteral("%1, %2, %3").arg(x / sum * voxel).arg(y / sum * voxel).arg(z / sum * voxel);
        QVERIFY2(std::abs(x / sum * voxel - ballX) < 0.1, qPrintable(found));
        QVERIFY2(std::abs(y / sum * voxel + ballZ) < 0.1, qPrintable(found));
        QVERIFY2(std::abs(z / sum * voxel - ballY) < 0.15, qPrintable(found));
        QVERIFY(mentions(scan->notes, "slice 0 is the top"));
    }

    // Any range of rows, with darks and flats, is read from the opposite end of the file.
    void rowsAreTurned()
    {
        RtkScan made;
        made.options.values = Quantity::counts;
        std::vector<std::uint16_t> flat(rtkRows * rtkBins);
        for (int k = 0; k < rtkRows * rtkBins; ++k)
            flat[std::size_t(k)] = std::uint16_t(k);
        made::tiff(made.folder / "flat.tif", rtkBins, rtkRows, flat);
        made.options.flats = made.folder / "flat.tif";
        const auto scan = openScan(made.file, made.options);
        OpenOptions plain = made.options;
        plain.geometryFile.clear();
        plain.cone = {};
        plain.beam = BeamKind::parallel;
        const RawRows stored = openScan(made.file, plain)->read({0, rtkRows}, {});
        for (const RowRange wanted : {RowRange{0, rtkRows}, RowRange{3, 1}, RowRange{4, 5}}) {
            const RawRows read = scan->read(wanted, {});
            QCOMPARE(read.rows.first, wanted.first);
            for (int p = 0; p < rtkProjections; ++p)
                for (int row = 0; row < wanted.count; ++row)
                    for (int bin = 0; bin < rtkBins; ++bin) {
                        const int of = rtkRows - 1 - wanted.first - row;
                        QCOMPARE(read.data[(std::size_t(p) * wanted.count + row) * rtkBins + bin],
                                 stored.data[(std::size_t(p) * rtkRows + of) * rtkBins + bin]);
                        QCOMPARE(read.flats[std::size_t(row) * rtkBins + bin],
                                 float(flat[std::size_t(of) * rtkBins + bin]));
                    }
        }
    }

    // Interpreted as a parallel beam, the scan keeps angles and row order, whether it is opened so or changed later.
    void parallelKeepsAnglesAndOrder()
    {
        RtkScan made;
        const auto changed = takenAsParallel(*openScan(made.file, made.options));
        made.options.beam = BeamKind::parallel;
        const auto opened = openScan(made.file, made.options);
        QVERIFY(std::holds_alternative<ParallelBeam>(opened->geometry));
        QVERIFY(largestDifference(changed->anglesRad(), opened->anglesRad()) < 1e-12);
        QVERIFY(changed->read({2, 3}, {}).data == opened->read({2, 3}, {}).data);
    }
};

SINOSCOPE_TEST(RtkRowsTest, QCoreApplication)
#include "rtk_rows_test.moc"

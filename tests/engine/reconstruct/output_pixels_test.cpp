// SPDX-License-Identifier: GPL-3.0-or-later
// Slices with another pixel size and rotation: the phantom is in the right place, with every method as with the exact
// one.
#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/compare/metrics.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/write_scan.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/cone_fields.h"
#include "engine/scan/reinterpreted_scan.h"
#include "engine/stages/stages.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

namespace
{

constexpr int outputSize = 96;

Simulation simulatedOutput()
{
    Simulation simulation;
    simulation.size = outputSize;
    simulation.projections = 151;
    simulation.axisOffsetBins = 1.75;
    return simulation;
}

// A simulated scan that is written to a file and opened from it
struct OpenedOutput {
    TemporaryFolder folder;
    std::filesystem::path path = folder / "scan.h5";

    explicit OpenedOutput(const Simulation& simulation = simulatedOutput())
    {
        writeScan(*simulate(simulation), &simulation, ScanFormat::dxchange, path, false);
    }
    std::shared_ptr<const Scan> with(const ConeOptions& slices) const
    {
        OpenOptions options;
        options.cone = slices;
        return openScan(path, options);
    }
};

ConeOptions outputPixels(double bins, double degrees = 0)
{
    ConeOptions options;
    options.voxelBins = bins;
    if (degrees != 0)
        options.rotateRad = degrees * degree;
    return options;
}

Volume outputImageOf(const std::shared_ptr<const Scan>& scan, const char* method = "cpu", int previewStep = 1)
{
    Request request = requestFor(scan, method);
    request.place.previewStep = previewStep;
    return Reconstructor().run(request).image;
}

// Returns the error against the phantom, relative to the range of its values.
double outputErrorOf(const std::shared_ptr<const Scan>& scan, const char* method = "cpu")
{
    const Volume image = outputImageOf(scan, method);
    const int side = scan->sliceSize();
    Volume truth = scan->exactImage(0, whole(side));
    Mask mask;
    mask.discRadius = 0.9;
    return compareImages(image.values, truth.values, side, side, mask).rmse / *std::ranges::max_element(truth.values);
}

} // namespace

class OutputPixelsTest : public QObject
{
    Q_OBJECT

  private slots:
    void thePhantomIsWhereItIs_data()
    {
        QTest::addColumn<double>("bins");
        QTest::addColumn<double>("degrees");
        QTest::addColumn<int>("side");
        QTest::newRow("half") << 0.5 << 0.0 << 192;
        QTest::newRow("double") << 2.0 << 0.0 << 48;
        QTest::newRow("uneven") << 0.7 << 0.0 << 137;
        QTest::newRow("turned") << 1.0 << 30.0 << 96;
        QTest::newRow("both") << 1.3 << -75.5 << 74;
    }

    void thePhantomIsWhereItIs()
    {
        QFETCH(double, bins);
        QFETCH(double, degrees);
        QFETCH(int, side);
        const OpenedOutput opened;
        const auto scan = opened.with(outputPixels(bins, degrees)), plain = opened.with({});
        QCOMPARE(scan->sliceSize(), side);
        // The edges of the head are sharper than the pixels: the error may grow by the blur of one more pixel, but
        // not further.
        const double before = outputErrorOf(plain), now = outputErrorOf(scan);
        qInfo("error %.4f of the phantom's range, %.4f of slices as they come", now, before);
        QVERIFY(now < 1.7 * before);
        QVERIFY(outputErrorOf(scan, "exact") < 1.7 * outputErrorOf(plain, "exact"));
    }

    void everyMethodAgreesWithTheExactOne()
    {
        const OpenedOutput opened;
        for (const double bins : {0.6, 1.7}) {
            const auto scan = opened.with(outputPixels(bins, 20));
            const Volume truth = outputImageOf(scan, "exact");
            for (const Method& method : methods())
                if (method.backend->isProcessor && method.takes(scan->geometry)) {
                    const double error = relativeError(outputImageOf(scan, method.id), truth);
                    QVERIFY2(error < 1e-5, qPrintable(QStringLiteral("%1: %2").arg(method.id).arg(error)));
                }
        }
    }

    void finerPixelsAddUpToThoseOfBins()
    {
        const OpenedOutput opened;
        const Volume plain = outputImageOf(opened.with({}), "exact"),
                     fine = outputImageOf(opened.with(outputPixels(0.5)), "exact");
        std::vector<float> means;
        for (int row = 0; row < outputSize; ++row)
            for (int column = 0; column < outputSize; ++column) {
                const float* first = fine.values.data() + 4 * row * outputSize + 2 * column;
                // The mean of four small pixels, times 2, as their values are per pixel of half the width.
                means.push_back((first[0] + first[1] + first[2 * outputSize] + first[2 * outputSize + 1]) / 2);
            }
        const double error = relativeError(means, plain.values);
        QVERIFY2(error < 0.1, qPrintable(QString::number(error))); // the mean over a pixel against its middle
        std::vector<float> aside(means.begin() + 1, means.end());
        aside.push_back(0);
        QVERIFY(relativeError(aside, plain.values) > 3 * error);
    }

    void previewsLieOnTheirImages()
    {
        const OpenedOutput opened;
        const auto differenceOf = [](const std::shared_ptr<const Scan>& scan) {
            const int side = scan->sliceSize(), step = 4;
            const Volume image = outputImageOf(scan), coarse = outputImageOf(scan, "cpu", step);
            double difference = 0, sum = 0;
            for (int row = 0; row < coarse.height; ++row)
                for (int column = 0; column < coarse.width; ++column) {
                    double mean = 0;
                    int count = 0;
                    for (int y = row * step; y < std::min(side, (row + 1) * step); ++y)
                        for (int x = column * step; x < std::min(side, (column + 1) * step); ++x, ++count)
                            mean += image.values[y * side + x];
                    difference += std::pow(mean / count - coarse.values[row * coarse.width + column], 2);
                    sum += std::pow(mean / count, 2);
                }
            return std::sqrt(difference / sum);
        };
        const double plain = differenceOf(opened.with({}));
        for (const double bins : {0.6, 0.3, 1.7}) {
            const double now = differenceOf(opened.with(outputPixels(bins)));
            QVERIFY2(now < 1.5 * plain, qPrintable(QStringLiteral("%1, plain %2").arg(now).arg(plain)));
        }
    }

    void aQuarterTurnIsAQuarterTurn()
    {
        const OpenedOutput opened;
        const Volume plain = outputImageOf(opened.with({}), "exact"),
                     turned = outputImageOf(opened.with(outputPixels(1, 90)), "exact");
        std::vector<float> expected(plain.values.size()); // anticlockwise: the right side moves to the top
        for (int row = 0; row < outputSize; ++row)
            for (int column = 0; column < outputSize; ++column)
                expected[row * outputSize + column] = plain.values[column * outputSize + outputSize - 1 - row];
        QVERIFY(relativeError(turned.values, expected) < 1e-6);
    }

    void valuesArePerPixelOrPerMillimetre()
    {
        const OpenedOutput opened;
        const auto meanOf = [](const Volume& image) {
            return std::accumulate(image.values.begin(), image.values.end(), 0.0) / double(image.values.size());
        };
        const double plain = meanOf(outputImageOf(opened.with({})));
        QVERIFY(std::abs(meanOf(outputImageOf(opened.with(outputPixels(2)))) / plain - 2) < 0.05);
        ConeOptions known = outputPixels(2);
        known.pixelUMm = 0.01;
        const auto scan = opened.with(known);
        QCOMPARE(*scan->pixelSizeMm(), 0.02);
        QVERIFY(std::abs(meanOf(outputImageOf(scan)) / (plain / 0.01) - 1) < 0.05);
        // The same size, given as a length.
        known.voxelBins.reset();
        known.voxelMm = 0.005;
        QCOMPARE(std::get<ParallelBeam>(opened.with(known)->geometry).pixelBins, 0.5);
        known.pixelUMm.reset();
        QVERIFY(fails(ErrorKind::badRequest, {"--pixel"}, [&] { opened.with(known); }));
    }

    void conesTurnToo()
    {
        Simulation simulation = simulatedOutput();
        simulation.phantom = Phantom::sheppLogan3d;
        simulation.slices = 8;
        simulation.arcDeg = 360;
        simulation.axisOffsetBins = 0;
        simulation.cone.emplace();
        simulation.cone->sourceAxisMm = 500;
        simulation.cone->sourceDetectorMm = 700;
        simulation.cone->pixelUMm = 1;
        const OpenedOutput opened(simulation);
        const auto imageOfMiddle = [](const std::shared_ptr<const Scan>& scan) {
            Request request = requestFor(scan);
            request.place.setSlices({4, 1});
            return Reconstructor().run(request).image;
        };
        const auto scan = opened.with({});
        const Volume plain = imageOfMiddle(scan);
        ConeOptions turn;
        turn.rotateRad = 90 * degree;
        const auto turnedScan = opened.with(turn);
        std::vector<float> expected(plain.values.size());
        const int side = plain.width;
        for (int row = 0; row < side; ++row)
            for (int column = 0; column < side; ++column)
                expected[row * side + column] = plain.values[column * side + side - 1 - row];
        QVERIFY(relativeError(imageOfMiddle(turnedScan).values, expected) < 1e-4);
        // A rotation that is set in the window, and the rotation of projection matrices, give the same image.
        ConeOptions said = saidOf(*scan);
        said.rotateRad = turn.rotateRad;
        const auto corrected = takenAsCone(*scan, said);
        QVERIFY(relativeError(imageOfMiddle(corrected).values, expected) < 1e-4);
        QVERIFY(largestDifference(takenAsCone(*corrected, saidOf(*scan))->anglesRad(), scan->anglesRad()) < 1e-12);
        ConeBeam byMatrices = std::get<ConeBeam>(scan->geometry);
        byMatrices.matrices = projectionMatrices(byMatrices);
        auto taken = std::make_shared<Scan>(*scan);
        taken->geometry = turned(byMatrices, 90 * degree);
        QVERIFY(relativeError(imageOfMiddle(taken).values, expected) < 1e-4);
        // The volume's default voxel is a detector pixel scaled to the axis.
        ConeOptions finer;
        finer.voxelBins = 0.5;
        QCOMPARE(opened.with(finer)->sliceSize(), 2 * scan->sliceSize());
    }

    void wordsAndTextsSayThem()
    {
        const auto set = [](const char* id, const std::string& text) {
            ConeOptions options;
            for (const ConeField& field : coneFields())
                if (field.id == std::string(id))
                    field.set(options, text);
            return options;
        };
        QCOMPARE(*set("output-pixel", "0.5").voxelBins, 0.5);
        QCOMPARE(*set("output-pixel", "2um").voxelMm, 0.002);
        QCOMPARE(*set("output-pixel", "0.002 mm").voxelMm, 0.002);
        QCOMPARE(*set("rotate", "-30").rotateRad, -30 * degree);
        for (const char* bad : {"", "0", "-1", "um", "2 parsecs", "x"})
            QVERIFY2(fails(ErrorKind::badRequest, [&] { set("output-pixel", bad); }), bad);
        ConeOptions options = outputPixels(0.75, 12);
        auto json = coneOptionsJson(options);
        const ConeOptions again = takeConeOptions(json);
        QCOMPARE(*again.voxelBins, 0.75);
        QVERIFY(std::abs(*again.rotateRad - 12 * degree) < 1e-15);
        QVERIFY(json.empty());
    }
};

SINOSCOPE_TEST(OutputPixelsTest, QCoreApplication)
#include "output_pixels_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Reconstructions of simulated cone beams, whose truth is known: the error of `exact` in absolute numbers and
// compared with a parallel beam; and an independent implementation of the formula of Feldkamp, Davis and Kress.
#include "engine/backends/backend.h"
#include "engine/compare/metrics.h"
#include "engine/filter/filter.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/cone_options.h"
#include "engine/scan/detector_mapping.h"
#include "engine/scan/geometry_facts.h"
#include "engine/scan/ray_weights.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;
using std::numbers::pi;

namespace
{

// Returns a beam for `rows` slices of size² voxels of 1 mm, which the fan of ±halfAngle covers. The detector has `size`
// bins and `rows` rows; its pixels, scaled to the axis, are as large as the voxels.
ConeBeam beamOf(int size, int rows, std::vector<double> anglesRad, double halfAngleDeg = 5)
{
    ConeOptions options;
    options.sourceAxisMm = size / 2.0 / std::tan(halfAngleDeg * degree);
    options.sourceDetectorMm = *options.sourceAxisMm * 1.5;
    options.pixelUMm = 1.5;
    return coneBeamFrom(options, size, rows, std::move(anglesRad), "test");
}

Reconstruction reconstructed(const std::shared_ptr<const Scan>& scan, int slice)
{
    Request request = requestFor(scan, "exact");
    request.place.setSlices({slice, 1});
    return Reconstructor().run(request);
}

// Reconstructs a slice of a phantom of density 1, in units of its density: voxels are 1 mm, detector pixels 1 mm at
// the axis.
Volume imageOf(const Simulation& simulation, const ConeBeam& beam, int slice)
{
    return reconstructed(simulate(simulation, beam), slice).image;
}

double rmse(const Volume& image, const Volume& truth, double discRadius = 0.9)
{
    Mask mask;
    mask.discRadius = discRadius;
    return compareImages(image.values, truth.values, image.width, image.height, mask).rmse;
}

// Returns the mean over a disc around the middle whose radius is this fraction of the half width; NaN if any value is
// NaN.
double mean(const Volume& image, double radius)
{
    double sum = 0;
    int count = 0;
    const double middle = (image.width - 1) / 2.0;
    for (int row = 0; row < image.height; ++row)
        for (int column = 0; column < image.width; ++column)
            if (std::hypot(row - middle, column - middle) < radius * image.width / 2) {
                sum += image.values[static_cast<std::size_t>(row) * image.width + column];
                ++count;
            }
    return sum / count;
}

std::vector<double> arcOfDegrees(int count, double arcDeg, double fromDeg = 0)
{
    std::vector<double> angles;
    for (int k = 0; k < count; ++k)
        angles.push_back((fromDeg + arcDeg * k / count) * degree);
    return angles;
}

const int truthSize = sanitized ? 128 : 256;

} // namespace

class ConeTruthTest : public QObject
{
    Q_OBJECT

  private slots:
    void headAsGoodAsParallel();
    void densityOfBall();
    void densityOfDiscInFan();
    void farSourceIsParallel();
    void formulaWrittenAgain();
    void densityWhateverTheAngles_data();
    void densityWhateverTheAngles();
    void matricesAsTheCircle();
    void asideAndRolled_data();
    void asideAndRolled();
    void littleAside();
    void limitedAngleSaysSo();
    void tiltAndRoll_data();
    void tiltAndRoll();
    void volumeWhereTheDetectorLooks();
    void notANumberStaysWhereItsRaysGo();
};

// The modified 3-D Shepp-Logan phantom, cone of ±5°, in the slice beside the middle.
void ConeTruthTest::headAsGoodAsParallel()
{
    const int size = truthSize, projections = 360 * size / 256, slice = size / 2 - 1;
    Simulation simulation = densities(Phantom::sheppLogan3d);
    const auto cone = simulate(simulation, beamOf(size, size, evenAngles(projections, 2 * pi)));
    const Volume fromCone = reconstructed(cone, slice).image;
    simulation.size = simulation.slices = size;
    simulation.projections = projections;
    const auto parallel = simulate(simulation);
    const Volume fromParallel = reconstructed(parallel, slice).image, truth = parallel->exactImage(slice, whole(size));
    QVERIFY(cone->exactImage(slice, whole(size)).values == truth.values);
    const double ofCone = rmse(fromCone, truth), ofParallel = rmse(fromParallel, truth);
    qInfo("RMSE %.5f, parallel %.5f, ratio %.4f", ofCone, ofParallel, ofCone / ofParallel);
    QVERIFY(ofParallel < 0.06);
    QVERIFY(ofCone <= 1.02 * ofParallel);
}

void ConeTruthTest::densityOfBall()
{
    const int size = truthSize;
    const ConeBeam beam = beamOf(size, size, evenAngles(360 * size / 256, 2 * pi));
    const double density = mean(imageOf(densities(Phantom::ball), beam, size / 2), 0.7);
    qInfo("density %.6f", density);
    QVERIFY(std::abs(density - 1) < 0.002);
}

void ConeTruthTest::densityOfDiscInFan()
{
    for (const double halfAngleDeg : {5.0, 20.0}) {
        const ConeBeam beam = beamOf(truthSize, 1, evenAngles(360, 2 * pi), halfAngleDeg);
        QCOMPARE(beam.volume.slices, 1);
        const double density = mean(imageOf(densities(Phantom::disc), beam, 0), 0.7);
        qInfo("±%g°: density %.6f", halfAngleDeg, density);
        QVERIFY(std::abs(density - 1) < 0.001);
    }
}

// The source is 10⁴ object widths away.
void ConeTruthTest::farSourceIsParallel()
{
    const int size = 128, projections = 180;
    Simulation simulation = densities(Phantom::sheppLogan3d);
    ConeBeam beam = beamOf(size, size, evenAngles(2 * projections, 2 * pi));
    beam.sourceAxisMm = 1e4 * size;
    beam.sourceDetectorMm = 1.5 * beam.sourceAxisMm;
    simulation.size = simulation.slices = size;
    simulation.projections = projections;
    for (const int slice : {20, size / 2 - 1, 100}) {
        const Volume cone = imageOf(simulation, beam, slice);
        const Volume parallel = reconstructed(simulate(simulation), slice).image;
        const double most = *std::ranges::max_element(parallel.values);
        const double difference = largestDifference(cone.values, parallel.values);
        qInfo("slice %d: %.2g of %.2g", slice, difference, most);
        QVERIFY(difference < 1e-3 * most);
    }
}

// f(x) = ½ ∫ dβ (R/(R + s))² ∫ h(u − u') R/√(R² + u'² + v²) p(β, u', v) du', with the detector scaled to the axis, in
// millimetres; h(0) = 1/(4Δ²), h(nΔ) = −1/(πnΔ)² for odd n.
void ConeTruthTest::formulaWrittenAgain()
{
    const int size = 40, rows = 30, projections = 50;
    ConeBeam beam = beamOf(size, rows, evenAngles(projections, 2 * pi), 12);
    beam.axisBins = {beam.middleBins() + 0.19}; // too little for ray weights
    beam.centralRow += 1.3;
    beam.volume = {0.9, 40, 28};
    const auto scan = simulate(densities(Phantom::sheppLogan3d), beam);
    const RawRows raw = scan->read({0, rows}, {});
    const double R = beam.sourceAxisMm, du = beam.pixelUMm / 1.5, dv = beam.pixelVMm / 1.5;
    std::vector<double> filtered(raw.data.size());
    for (int p = 0; p < projections; ++p)
        for (int r = 0; r < rows; ++r) {
            const std::size_t line = (static_cast<std::size_t>(p) * rows + r) * size;
            for (int i = 0; i < size; ++i)
                for (int k = 0; k < size; ++k) {
                    const double u = (k - beam.axisBins[0]) * du, v = (r - beam.centralRow) * dv;
                    const double h = i == k             ? 1 / (4 * du * du)
                                     : (i - k) % 2 == 0 ? 0
                                                        : -1 / std::pow(pi * (i - k) * du, 2);
                    filtered[line + i] += h * R / std::sqrt(R * R + u * u + v * v) * raw.data[line + k] * du;
                }
        }
    for (const int slice : {0, 9, 27}) {
        std::vector<double> image;
        for (int j = 0; j < 40; ++j)
            for (int i = 0; i < 40; ++i) {
                const double x = (i - 19.5) * .9, y = (19.5 - j) * .9, z = (13.5 - slice) * .9;
                double sum = 0;
                for (int p = 0; p < projections; ++p) {
                    const double c = std::cos(beam.anglesRad[p]), s = std::sin(beam.anglesRad[p]);
                    const double far = R / (R - x * s + y * c);
                    const double h = beam.axisBins[0] + far * (x * c + y * s) / du, r = beam.centralRow - far * z / dv;
                    const auto at = [&](int row, int bin) {
                        return row >= 0 && row < rows && bin >= 0 && bin < size
                                   ? filtered[(static_cast<std::size_t>(p) * rows + row) * size + bin]
                                   : 0.0;
                    };
                    const int left = static_cast<int>(std::floor(h)), top = static_cast<int>(std::floor(r));
                    const double fh = h - left, fr = r - top;
                    sum += far * far *
                           ((1 - fr) * ((1 - fh) * at(top, left) + fh * at(top, left + 1)) +
                            fr * ((1 - fh) * at(top + 1, left) + fh * at(top + 1, left + 1)));
                }
                image.push_back(sum * pi / projections);
            }
        const Volume made = reconstructed(scan, slice).image;
        double square = 0, most = 0;
        for (std::size_t k = 0; k < image.size(); ++k) {
            square += std::pow(made.values[k] - image[k], 2) / static_cast<double>(image.size());
            most = std::max(most, std::abs(image[k]));
        }
        qInfo("slice %d: RMS %.2g of the largest value", slice, std::sqrt(square) / most);
        QVERIFY(most > 0.1 && std::sqrt(square) <= 1e-6 * most);
    }
}

void ConeTruthTest::densityWhateverTheAngles_data()
{
    QTest::addColumn<std::vector<double>>("anglesRad");
    QTest::addColumn<double>("offsetBins");
    QTest::addColumn<double>("bound");
    const auto row = [](const char* name, std::vector<double> anglesRad, double offsetBins, double bound) {
        QTest::newRow(name) << std::move(anglesRad) << offsetBins << bound;
    };
    row("circle", arcOfDegrees(360, 360), 0, 0.002);
    row("circle from −50°", arcOfDegrees(360, 360, -50), 0, 0.002);
    row("clockwise", arcOfDegrees(360, -360), 0, 0.002);
    row("short scan, as short as may be", arcOfDegrees(200, 201.5), 0, 0.002);
    row("short scan from 100°, clockwise", arcOfDegrees(210, -210, 100), 0, 0.002);
    row("between short scan and circle", arcOfDegrees(270, 270, 30), 0, 0.002);
    row("almost the circle", arcOfDegrees(340, 340, 30), 0, 0.002);
    row("a circle and a quarter", arcOfDegrees(450, 450), 0, 0.002);
    row("two circles", arcOfDegrees(720, 720), 0, 0.002);
    std::vector<double> uneven;
    for (int k = 0; k < 360; ++k)
        uneven.push_back((k + 0.4 * std::sin(k * 1.7)) * degree);
    row("uneven", uneven, 0, 0.002);
    std::vector<double> dense = arcOfDegrees(240, 180);
    for (const double angle : arcOfDegrees(120, 180, 180))
        dense.push_back(angle);
    row("one half twice as dense", dense, 0, 0.002);
    row("displaced", arcOfDegrees(360, 360), 25, 0.002);
    row("displaced the other way, far", arcOfDegrees(360, 360), -50, 0.003);
    row("a little aside", arcOfDegrees(360, 360), 4, 0.002);
}

// The density of a ball in the slice beside the middle. No ray may be counted twice on one side: each half is as
// dense as the whole.
void ConeTruthTest::densityWhateverTheAngles()
{
    QFETCH(std::vector<double>, anglesRad);
    QFETCH(double, offsetBins);
    QFETCH(double, bound);
    const int size = 128;
    ConeBeam beam = beamOf(size, 32, anglesRad, 10);
    beam.axisBins = {beam.middleBins() + offsetBins};
    Simulation simulation = densities(Phantom::ball);
    const Reconstruction made = reconstructed(simulate(simulation, beam), 15);
    const double density = mean(made.image, 0.7);
    double right = 0, top = 0;
    int count = 0;
    for (int row = 30; row < 98; ++row)
        for (int column = 64; column < 98; ++column, ++count) {
            right += made.image.values[row * size + column];
            top += made.image.values[(127 - column) * size + row];
        }
    qInfo("density %.5f, of the right half %.5f, of the upper %.5f; %s", density, right / count, top / count,
          made.notes.empty() ? "no note" : made.notes.front().text().plain().c_str());
    QVERIFY(std::abs(density - 1) < bound);
    QVERIFY(std::abs(right / count - 1) < 2 * bound);
    QVERIFY(std::abs(top / count - 1) < 2 * bound);
}

// Ray weights follow from the matrices alone: a short scan and a displaced detector, without given central rays.
void ConeTruthTest::matricesAsTheCircle()
{
    for (const bool displaced : {false, true}) {
        ConeBeam beam = beamOf(64, 16, displaced ? arcOfDegrees(180, 360) : arcOfDegrees(110, 215, 20), 10);
        beam.axisBins = {beam.middleBins() + (displaced ? 14.0 : 0.5)};
        Simulation simulation = densities(Phantom::ball);
        const Volume circle = imageOf(simulation, beam, 7);
        beam.matrices = projectionMatrices(beam);
        beam.axisBins.clear();
        const Volume matrices = imageOf(simulation, beam, 7);
        QVERIFY2(relativeError(matrices, circle) < 1e-6, qPrintable(QString::number(relativeError(matrices, circle))));
        beam.matrices.clear();
        beam.axisBins.assign(beam.anglesRad.size(), beam.middleBins() + (displaced ? 14.0 : 0.5));
        QVERIFY(relativeError(imageOf(simulation, beam, 7), circle) < 1e-6);
    }
}

void ConeTruthTest::asideAndRolled_data()
{
    QTest::addColumn<double>("offsetBins");
    QTest::addColumn<double>("rollDeg");
    QTest::addColumn<double>("arcDeg");
    QTest::addColumn<bool>("matrices");
    for (const double offsetBins : {0.0, 2.0, 4.0, 6.0, -6.0})
        QTest::addRow("%g bins aside", offsetBins) << offsetBins << 0.0 << 360.0 << false;
    for (const double rollDeg : {0.0, 0.5, 3.0, -3.0})
        for (const bool matrices : {false, true})
            QTest::addRow("25 bins aside, rolled by %g°%s", rollDeg, matrices ? ", matrices" : "")
                << 25.0 << rollDeg << 360.0 << matrices;
    QTest::newRow("the other way") << -25.0 << 3.0 << 360.0 << false;
    QTest::newRow("short scan, rolled by 3°") << 0.0 << 3.0 << 206.0 << false;
}

// A slice of a ball far from the middle has the same density inside as with a centred detector and a full circle.
void ConeTruthTest::asideAndRolled()
{
    QFETCH(double, offsetBins);
    QFETCH(double, rollDeg);
    QFETCH(double, arcDeg);
    QFETCH(bool, matrices);
    const int size = 96, slice = 24;
    const Simulation ball = densities(Phantom::ball);
    ConeBeam beam = beamOf(size, size, arcOfDegrees(240, arcDeg), 8);
    beam.axisBins = {beam.middleBins() + offsetBins};
    beam.rollRad = rollDeg * degree;
    if (matrices)
        beam.matrices = projectionMatrices(beam);
    const Reconstruction made = reconstructed(simulate(ball, beam), slice);
    double worst = 0;
    for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column) {
            if (std::hypot(row - 47.5, column - 47.5) > 24)
                continue;
            const double off = std::abs(made.image.values[row * size + column] - 1);
            worst = std::isnan(off) ? INFINITY : std::max(worst, off);
        }
    qInfo("off by %.4f at most; density %.4f", worst, mean(made.image, 0.5));
    QCOMPARE(mentions(made.notes, "turned upright"), std::abs(offsetBins) > 20 && rollDeg != 0);
    QVERIFY(worst < 0.012);
}

// The ball fills a detector that is displaced by few bins: the density is also right near the ball's edge, which only
// one side sees.
void ConeTruthTest::littleAside()
{
    const int size = 96;
    for (const double offsetBins : {0.0, 1.0, 2.5, 4.0, -4.0}) {
        ConeBeam beam = beamOf(size, 16, arcOfDegrees(240, 360), 8);
        beam.bins = 80;
        beam.axisBins = {beam.middleBins() + offsetBins};
        const Volume image = imageOf(densities(Phantom::ball), beam, 7);
        double worst = 0;
        for (int row = 0; row < size; ++row)
            for (int column = 0; column < size; ++column) {
                const double radius = std::hypot(row - 47.5, column - 47.5);
                if (radius > 35 && radius < 37) // the radius of the ball is 38.4
                    worst = std::max<double>(worst, std::abs(image.values[row * size + column] - 1));
            }
        qInfo("%g bins aside: off by %.4f at most", offsetBins, worst);
        QVERIFY(worst < 0.02);
    }
}

void ConeTruthTest::limitedAngleSaysSo()
{
    const auto scan = simulate(densities(Phantom::ball), beamOf(64, 16, arcOfDegrees(120, 120), 10));
    const Reconstruction made = reconstructed(scan, 7);
    QVERIFY(mentions(made.notes, "limited angle"));
    const double density = mean(made.image, 0.5);
    qInfo("density %.3f", density);
    QVERIFY(density > 0.5 && density < 1.2); // a third of the directions is missing; no ray counts twice
}

void ConeTruthTest::tiltAndRoll_data()
{
    QTest::addColumn<double>("tiltDeg");
    QTest::addColumn<double>("rollDeg");
    QTest::newRow("tilt") << 6.0 << 0.0;
    QTest::newRow("roll") << 0.0 << -8.0;
    QTest::newRow("both") << -5.0 << 6.0;
}

// With tilt and roll in both projection and reconstruction, the result is as good as without them; if the
// reconstruction ignores them, it is not.
void ConeTruthTest::tiltAndRoll()
{
    QFETCH(double, tiltDeg);
    QFETCH(double, rollDeg);
    const int size = 96, slice = 50;
    const ConeBeam upright = beamOf(size, size, evenAngles(180, 2 * pi));
    ConeBeam leaning = upright;
    leaning.tiltRad = tiltDeg * degree;
    leaning.rollRad = rollDeg * degree;
    const Simulation head = densities(Phantom::sheppLogan3d), ball = densities(Phantom::ball);
    const auto scan = simulate(head, leaning);
    const Volume truth = scan->exactImage(slice, whole(size));
    const double asGood = rmse(imageOf(head, upright, slice), truth);
    const double error = rmse(reconstructed(scan, slice).image, truth);
    auto unaware = std::make_shared<Scan>(*scan);
    unaware->geometry = upright;
    const double unawareError = rmse(reconstructed(unaware, slice).image, truth);
    const double density = mean(imageOf(ball, leaning, slice), 0.7);
    qInfo("RMSE %.5f, upright %.5f, unaware %.5f; density %.5f", error, asGood, unawareError, density);
    QVERIFY(error < 1.02 * asGood);
    QVERIFY(unawareError > 1.05 * error);
    QVERIFY(std::abs(density - 1) < 0.003);
}

// A detector that is the upper half of a larger one sees the upper half of its volume, and that is the default. A
// detector that is nearly in the middle keeps the volume in the middle.
void ConeTruthTest::volumeWhereTheDetectorLooks()
{
    const int size = 96, slice = 24;
    const Simulation head = densities(Phantom::sheppLogan3d);
    ConeOptions options;
    options.sourceAxisMm = 400;
    options.sourceDetectorMm = 600;
    options.pixelUMm = 1.5;
    const ConeBeam all = coneBeamFrom(options, size, size, evenAngles(90, 2 * pi), "test");
    options.offsetVMm = -24 * 1.5;
    const ConeBeam upper = coneBeamFrom(options, size, size / 2, evenAngles(90, 2 * pi), "test");
    QCOMPARE(upper.centralRow, all.centralRow);
    QCOMPARE(upper.volume, (ConeVolume{1, size, size / 2, 24}));
    QCOMPARE(heightText(upper.volume), std::string(", its middle 24 mm above the plane of the source"));
    const Volume image = imageOf(head, upper, slice), same = imageOf(head, all, slice);
    QVERIFY(relativeError(image.values, same.values) < 1e-5);
    QCOMPARE(simulate(head, upper)->exactImage(slice, whole(size)).values,
             simulate(head, all)->exactImage(slice, whole(size)).values);
    QCOMPARE(Sight(upper).placeOf(7, 40, 30, slice).row, Sight(all).placeOf(7, 40, 30, slice).row);
    options.offsetVMm = 1.5;
    QCOMPARE(coneBeamFrom(options, size, size / 2, evenAngles(90, 2 * pi), "test").volume.centreMm, 0.0);
}

// A filtered value that is NaN reaches the voxels whose rays meet its pixel or the next one, and no other voxels.
void ConeTruthTest::notANumberStaysWhereItsRaysGo()
{
    const int size = 32;
    const ConeBeam beam = beamOf(size, size, evenAngles(12, 2 * pi), 8);
    const Method& method = *findMethod("exact", beam);
    constexpr int p = 5, row = 11, bin = 20;
    Values values(static_cast<std::size_t>(size) * 12 * size, 1.0F);
    Sinograms sinograms{size, 12, size, values};
    FilteredSinograms filtered =
        filterSinograms(sinograms, {.window = Window::none}, weighRays(beam).weights, method.filterPrecision, 0);
    std::get<Buffer<double>>(filtered.values)[(static_cast<std::size_t>(row) * 12 + p) * size + bin] = NAN;
    Volume image(size, size, size);
    Workspace workspace;
    launch(method,
           {.sinograms = filtered, .geometry = beam, .grid = {whole(size), 0, 1, size}, .kernel = {}, .image = image},
           workspace);
    const ProjectionMatrix m = projectionMatrices(beam)[p];
    int met = 0;
    for (int k = 0; k < size; ++k)
        for (int j = 0; j < size; ++j)
            for (int i = 0; i < size; ++i) {
                const double x = i - 15.5, y = 15.5 - j, z = 15.5 - k, w = m[8] * x + m[9] * y + m[10] * z + m[11];
                const double h = (m[0] * x + m[1] * y + m[2] * z + m[3]) / w - bin;
                const double r = (m[4] * x + m[5] * y + m[6] * z + m[7]) / w - row;
                const double far = std::max(std::abs(h), std::abs(r));
                const bool isNan = std::isnan(image.slice(k)[j * size + i]);
                QVERIFY(far < 1.001 || !isNan);
                QVERIFY(far > 0.999 || isNan);
                met += isNan;
            }
    QVERIFY2(met > 20 && met < 500, qPrintable(QString::number(met)));
}

SINOSCOPE_TEST(ConeTruthTest, QCoreApplication)
#include "cone_truth_test.moc"

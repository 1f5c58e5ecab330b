// Simulated scans against the formulas, and against sums over their own exact images.
#include "engine/error.h"
#include "engine/scan/phantom.h"
#include "engine/scan/phantom_image.h"

#include <QtTest>

#include <cmath>
#include <numbers>
#include <numeric>

using namespace engine;
using std::numbers::pi;

namespace
{

struct TableRow {
    double a, b, x, y, angleDeg, original, modified;
};
constexpr TableRow table[] = {{.69, .92, 0, 0, 0, 2, 1},          {.6624, .874, 0, -.0184, 0, -.98, -.8},
                              {.11, .31, .22, 0, -18, -.02, -.2}, {.16, .41, -.22, 0, 18, -.02, -.2},
                              {.21, .25, 0, .35, 0, .01, .1},     {.046, .046, 0, .1, 0, .01, .1},
                              {.046, .046, 0, -.1, 0, .01, .1},   {.046, .023, -.08, -.605, 0, .01, .1},
                              {.023, .023, 0, -.606, 0, .01, .1}, {.023, .046, .06, -.605, 0, .01, .1}};

double lineIntegral(double angle, double t, bool original)
{
    double sum = 0;
    for (const TableRow& e : table) {
        const double turned = angle - e.angleDeg * pi / 180;
        const double r2 = std::pow(e.a * std::cos(turned), 2) + std::pow(e.b * std::sin(turned), 2);
        const double s = t - e.x * std::cos(angle) - e.y * std::sin(angle);
        if (s * s < r2)
            sum += 2 * (original ? e.original : e.modified) * e.a * e.b * std::sqrt(r2 - s * s) / r2;
    }
    return sum;
}

Simulation lineIntegrals(Phantom phantom, int size, int projections)
{
    Simulation simulation;
    simulation.phantom = phantom;
    simulation.size = size;
    simulation.projections = projections;
    simulation.counts = false;
    simulation.sampling = Sampling::binMean; // sums over the bins are sums over the object
    return simulation;
}

SliceGrid whole(int size)
{
    return {size, 0, 0, size, size, 1};
}

double largestDifference(std::span<const float> a, std::span<const float> b)
{
    double largest = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        largest = std::max(largest, std::isfinite(a[i] - b[i]) ? std::abs(double(a[i]) - b[i]) : INFINITY);
    return largest;
}

struct Height {
    double place, weight;
};

// Share of the pixel around (x, y) that one ellipse covers, all in pixels: lengths of horizontal chords within the
// pixel, at heights that lie closest where the ellipse begins and ends, so that thousands of them converge.
double shareByChords(const Ellipse& e, double x, double y)
{
    const double c = std::cos(e.angleRad), s = std::sin(e.angleRad);
    const double half = std::sqrt(e.a * e.a * s * s + e.b * e.b * c * c);
    const double low = std::max(y - .5, e.y - half), high = std::min(y + .5, e.y + half);
    constexpr int rows = 8192;
    static const std::vector<Height> heights = [] {
        std::vector<Height> points;
        for (int k = 0; k < rows; ++k) {
            const double phi = pi * ((k + .5) / rows - .5);
            points.push_back({std::sin(phi), std::cos(phi) * pi / 2 / rows});
        }
        return points;
    }();
    double sum = 0;
    for (int k = 0; k < rows && low < high; ++k) {
        const double dy = (low + high) / 2 + (high - low) / 2 * heights[k].place - e.y;
        // ((x·c + dy·s)/a)² + ((dy·c − x·s)/b)² = 1
        const double p = c * c / (e.a * e.a) + s * s / (e.b * e.b);
        const double q = dy * s * c * (1 / (e.a * e.a) - 1 / (e.b * e.b));
        const double r = dy * dy * (s * s / (e.a * e.a) + c * c / (e.b * e.b)) - 1;
        if (!(q * q > p * r))
            continue;
        const double root = std::sqrt(q * q - p * r);
        const double from = std::max(e.x + (-q - root) / p, x - .5), to = std::min(e.x + (-q + root) / p, x + .5);
        if (from < to)
            sum += (to - from) * (high - low) * heights[k].weight;
    }
    return sum;
}

// In pixels of a slice of `size`, from its middle, to the unit square.
Ellipse inUnits(Ellipse e, int size)
{
    for (double* length : {&e.a, &e.b, &e.x, &e.y})
        *length *= 2.0 / size;
    return e;
}

double sum(std::span<const float> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace

class PhantomTest : public QObject
{
    Q_OBJECT

  private slots:
    void projectionsFollowTheFormula_data();
    void projectionsFollowTheFormula();
    void projectionsAreSumsOfTheImage_data();
    void projectionsAreSumsOfTheImage();
    void obliqueProjectionIsTheLineIntegralOfTheImage();
    void anglesAndAxis();
    void exactImageOnAnyGrid();
    void exactImageIsTheArea_data();
    void exactImageIsTheArea();
    void exactImageHoldsTheWholeArea();
    void threeDimensionalRows();
    void countsComeFromTransmission();
    void anyRowRangeGivesTheSame();
    void noiseIsPoisson_data();
    void noiseIsPoisson();
    void ringsAreFixedPerBin();
    void jsonRoundTrip();
    void badValuesAreNamed_data();
    void badValuesAreNamed();
    void badRowsAndCancelling();
    void largeRow();
};

void PhantomTest::projectionsFollowTheFormula_data()
{
    QTest::addColumn<bool>("original");
    QTest::addColumn<double>("offset");
    QTest::addColumn<Sampling>("sampling");
    QTest::newRow("modified") << false << 0.0 << Sampling::binMean;
    QTest::newRow("original, axis off the middle") << true << 7.3 << Sampling::binMean;
    QTest::newRow("modified, rays") << false << 0.0 << Sampling::ray;
    QTest::newRow("original, rays, axis off the middle") << true << 7.3 << Sampling::ray;
}

void PhantomTest::projectionsFollowTheFormula()
{
    QFETCH(bool, original);
    QFETCH(double, offset);
    QFETCH(Sampling, sampling);
    const int size = 65, projections = 9;
    Simulation simulation =
        lineIntegrals(original ? Phantom::sheppLoganOriginal : Phantom::sheppLogan, size, projections);
    simulation.axisOffsetBins = offset;
    simulation.attenuation = .02;
    simulation.sampling = sampling;
    const RawRows raw = simulate(simulation)->read({0, 1}, {});
    // The mean over a bin by the midpoint rule, fine enough for the square root at the edges; of one part
    // it is the ray through the centre.
#ifdef SINOSCOPE_SANITIZED
    const int most = 500;
    const double bound = 2e-5;
#else
    const int most = 4000;
    const double bound = 2e-6;
#endif
    const int parts = sampling == Sampling::ray ? 1 : most;
    double largest = 0;
    for (int i = 0; i < projections; ++i)
        for (int bin = 0; bin < size; ++bin) {
            double mean = 0;
            for (int k = 0; k < parts; ++k) {
                const double t = bin - 32 - offset + (k + .5) / parts - .5;
                mean += lineIntegral(pi * i / projections, t * 2 / size, original) / parts;
            }
            const double expected = mean * size / 2 * .02;
            const double difference = std::abs(raw.data[i * size + bin] - expected);
            largest = std::max(largest, std::isnan(difference) ? INFINITY : difference);
        }
    QVERIFY2(largest < bound, qPrintable(QString::number(largest)));
}

void PhantomTest::projectionsAreSumsOfTheImage_data()
{
    QTest::addColumn<int>("phantom");
    for (Phantom phantom : phantoms())
        QTest::newRow(toText(phantom).c_str()) << static_cast<int>(phantom);
}

// Straight on, bin means are sums of columns (0°: t = x) or of rows from the bottom (90°: t = y).
void PhantomTest::projectionsAreSumsOfTheImage()
{
    QFETCH(int, phantom);
    const int size = 200;
    Simulation simulation = lineIntegrals(static_cast<Phantom>(phantom), size, 2);
    const auto scan = simulate(simulation);
    const RawRows raw = scan->read({0, 1}, {});
    const Volume image = scan->exactImage(0, whole(size));
    double largest = 0, highest = 0;
    for (int k = 0; k < size; ++k) {
        double column = 0, row = 0;
        for (int i = 0; i < size; ++i) {
            column += image.values[i * size + k];
            row += image.values[(size - 1 - k) * size + i];
        }
        largest = std::max({largest, std::abs(raw.data[k] - column), std::abs(raw.data[size + k] - row)});
        highest = std::max(highest, column);
    }
    QVERIFY2(highest > .1, qPrintable(QString::number(highest)));
    QVERIFY2(largest < 1e-5 * highest, qPrintable(QString("%1 of %2").arg(largest).arg(highest)));
    QVERIFY(std::abs(sum({raw.data.data(), size}) / sum(image.values) - 1) < 1e-6);
}

void PhantomTest::obliqueProjectionIsTheLineIntegralOfTheImage()
{
    const int size = 256, projections = 12, chosen = 2; // 30°
    const auto scan = simulate(lineIntegrals(Phantom::sheppLogan, size, projections));
    const RawRows raw = scan->read({0, 1}, {});
    const Volume image = scan->exactImage(0, whole(size));
    const double c = std::cos(pi / 6), s = std::sin(pi / 6), middle = (size - 1) / 2.0;
    double largest = 0, total = 0;
    for (int bin = 0; bin < size; ++bin) {
        double integral = 0;
        for (int part = 0; part < 8; ++part)
            for (double along = -size; along < size; along += .25) {
                const double t = bin - middle + (part - 3.5) / 8;
                const double x = t * c - along * s, y = t * s + along * c;
                const int column = static_cast<int>(std::lround(x + middle)),
                          row = static_cast<int>(std::lround(middle - y));
                if (column >= 0 && row >= 0 && column < size && row < size)
                    integral += image.values[row * size + column] * .25 / 8;
            }
        const double difference = std::abs(integral - raw.data[chosen * size + bin]);
        largest = std::max(largest, difference);
        total += difference;
    }
    // Of about 1. Nearest pixels are wrong by most where a ray runs along the skull; a wrong turn gives .3.
    QVERIFY2(largest < .05, qPrintable(QString::number(largest)));
    QVERIFY2(total / size < .005, qPrintable(QString::number(total / size)));
}

void PhantomTest::anglesAndAxis()
{
    Simulation simulation = lineIntegrals(Phantom::disc, 100, 4);
    simulation.arcDeg = 360;
    simulation.axisOffsetBins = -12.25;
    const auto scan = simulate(simulation);
    QCOMPARE(scan->projections(), 4);
    QVERIFY(std::abs(scan->anglesRad()[3] - 1.5 * pi) < 1e-12);
    QCOMPARE(scan->axisBins(), std::vector<double>{49.5 - 12.25});
    QCOMPARE(scan->bins(), 100);
    QCOMPARE(scan->quantity, Quantity::attenuation);
    // The whole of a small, centred object: its centre of mass is the axis.
    simulation.axisOffsetBins = -9.25;
    const RawRows raw = simulate(simulation)->read({0, 1}, {});
    double mass = 0, moment = 0;
    for (int bin = 0; bin < 100; ++bin) {
        mass += raw.data[300 + bin];
        moment += bin * raw.data[300 + bin];
    }
    QVERIFY(std::abs(moment / mass - (49.5 - 9.25)) < 1e-4);
    // π r² of the unit square, 50 pixels to the unit, 4/100 per pixel.
    QVERIFY(std::abs(mass / (pi * .64 * 2500 * .04) - 1) < 1e-5);
    QVERIFY(QString::fromStdString(simulate({})->name).startsWith("Shepp-Logan (modified), 512 bins, 512 projections"));
}

void PhantomTest::exactImageOnAnyGrid()
{
    const int size = 96;
    Simulation simulation = lineIntegrals(Phantom::resolution, size, 1);
    simulation.attenuation = .5;
    const auto scan = simulate(simulation);
    const Volume full = scan->exactImage(0, whole(size));
    QCOMPARE(full.values[(size / 2) * size + size / 2], .5f); // inside the disc, between the holes
    QVERIFY(std::abs(full.values[0]) < 1e-12);
    const Volume coarse = scan->exactImage(0, {size, 5, 3, 21, 30, 3});
    const Volume region = scan->exactImage(0, {size, 10, 20, 40, 33, 1});
    double largest = 0;
    for (int row = 0; row < coarse.height; ++row)
        for (int column = 0; column < coarse.width; ++column)
            largest = std::max(largest, std::abs(double(coarse.values[row * 21 + column]) -
                                                 full.values[(3 + 3 * row) * size + 5 + 3 * column]));
    for (int row = 0; row < region.height; ++row)
        for (int column = 0; column < region.width; ++column)
            largest = std::max(largest, std::abs(double(region.values[row * 40 + column]) -
                                                 full.values[(20 + row) * size + 10 + column]));
    QVERIFY(largest < 1e-6);
    // Half a pixel aside and finer than a pixel: means over overlapping pixels, still between the bounds.
    const Volume fine = scan->exactImage(0, {size, 30.5, 30.5, 64, 64, .25});
    const auto [low, high] = std::minmax_element(fine.values.begin(), fine.values.end());
    QVERIFY(*low > -1e-6f && *high < .5f + 1e-6f && *high - *low > .4f);
    QVERIFY_EXCEPTION_THROWN(scan->exactImage(0, {size, 0, 0, 0, 5, 1}), Error);
}

void PhantomTest::exactImageIsTheArea_data()
{
    QTest::addColumn<std::vector<double>>("shape"); // a, b, x, y in pixels from the middle, turn in degrees
    const auto row = [](const char* name, std::vector<double> shape) { QTest::newRow(name) << shape; };
    row("circle", {9.3, 9.3, .4, -.7, 0});
    row("turned", {11.2, 4.1, -1.3, 2.2, 33});
    row("turned the other way", {5, 12.4, 1.3, .2, 71});
    row("thin", {13, .05, .1, .3, 20});
    row("thin and straight", {.03, 12, .52, 0, 0});
    row("smaller than a pixel, within one", {.2, .1, .45, .55, 50});
    row("smaller than a pixel, across a corner", {.3, .2, .05, -.02, -40});
    row("smaller than a pixel, across an edge", {.4, .2, .5, .06, 10});
    row("much smaller than a pixel", {1e-3, 4e-4, 3.7, -2.2, 10});
    row("touching the border from within", {4, 3, 12, 0, 0});
    row("touching edges of pixels", {5, 3, 0, 0, 0});
    row("touching the border from outside", {2, 2, 18, 0, 0});
    row("crossing the border", {9, 4, 13, 9, 45});
    row("crossing all borders", {25, 18, 1, 2, 30});
    row("beyond all borders", {60, 50, 1, 2, 30});
    row("far away", {4, 3, 60, -40, 12});
}

void PhantomTest::exactImageIsTheArea()
{
    QFETCH(std::vector<double>, shape);
    const int size = 32;
    const double density = -1.7;
    const Ellipse pixels{shape[0], shape[1], shape[2], shape[3], shape[4] * pi / 180, density};
    const Ellipse units = inUnits(pixels, size);
    // Whole, a region, previews whose pixels lie between those of the slice, and pixels that overlap.
    const SliceGrid grids[] = {whole(size),
                               {size, 7, 13, 19, 11, 1},
                               {size, .5, .5, 16, 16, 2},
                               {size, 1, 1, 11, 11, 3},
                               {size, 12.25, 9.5, 9, 11, .25}};
    for (const SliceGrid& grid : grids) {
        const Volume image = areaAveraged({units}, 2.0 / size, 1, grid);
        double largest = 0;
        for (int row = 0; row < grid.height; ++row)
            for (int column = 0; column < grid.width; ++column) {
                const double expected = density * shareByChords(pixels, grid.x(column), grid.y(row));
                const double difference = std::abs(image.values[row * grid.width + column] - expected);
                largest = difference <= largest ? largest : difference; // keeps NaN
            }
        QVERIFY2(largest <= 1e-6 * std::abs(density), qPrintable(QString("step %1: %2").arg(grid.step).arg(largest)));
    }
}

void PhantomTest::exactImageHoldsTheWholeArea()
{
    const int size = 64;
    for (const double turn : {0., 17., 45., 90., 123.})
        for (const auto& [a, b] : {std::pair(20., 11.), std::pair(3., 27.), std::pair(.3, .7), std::pair(.01, .02),
                                   std::pair(25., .004), std::pair(1e-5, 1e-5)})
            for (const double place : {0., .25, .5, 1.0 / 3}) {
                const Ellipse e{a, b, place, -place / 2, turn * pi / 180, 1};
                const Volume image = areaAveraged({inUnits(e, size)}, 2.0 / size, 3, whole(size));
                const double expected = 3 * pi * a * b;
                QVERIFY2(std::abs(sum(image.values) - expected) <= 1e-6 * expected,
                         qPrintable(QString("%1 × %2 by %3°: %4 of %5")
                                        .arg(a)
                                        .arg(b)
                                        .arg(turn)
                                        .arg(sum(image.values))
                                        .arg(expected)));
            }
    // All ellipses of a phantom at once; outside them it is 0, not nearly.
    Simulation simulation = lineIntegrals(Phantom::sheppLogan, size, 1);
    simulation.attenuation = 1;
    const Volume image = simulate(simulation)->exactImage(0, whole(size));
    double expected = 0;
    for (const TableRow& e : table)
        expected += pi * e.a * e.b * e.modified * size * size / 4;
    QVERIFY(std::abs(sum(image.values) / expected - 1) <= 1e-6);
    QCOMPARE(image.values[0], 0.0f);
    QCOMPARE(image.values[size * size - 1], 0.0f);
}

void PhantomTest::threeDimensionalRows()
{
    Simulation simulation = lineIntegrals(Phantom::sheppLogan3d, 128, 1);
    simulation.attenuation = 1;
    simulation.slices = 8;
    const auto scan = simulate(simulation);
    // Row 1 lies at z = 2.5/4: only the two large ellipsoids and, .775 above its centre, none of the small ones.
    const double z = 2.5 / 4;
    const double expected =
        pi * 64 * 64 * (.69 * .92 * (1 - std::pow(z / .81, 2)) - .8 * .6624 * .874 * (1 - std::pow(z / .78, 2)));
    QVERIFY(std::abs(sum(scan->read({1, 1}, {}).data) / expected - 1) < 1e-4);
    // Row 0 lies at z = .875, above the head.
    QVERIFY(std::abs(sum(scan->read({0, 1}, {}).data)) < 1e-9);
    QVERIFY(std::abs(sum(scan->exactImage(0, whole(128)).values)) < 1e-9);
    // The ellipsoid at z0 = −.15 makes the lower half heavier: rows count downwards.
    const RawRows all = scan->read({0, 8}, {});
    QVERIFY(sum({all.data.data() + 5 * 128, 128}) > sum({all.data.data() + 2 * 128, 128}));
    simulation.slices = 1;
    const double middle = sum(simulate(simulation)->read({0, 1}, {}).data);
    simulation.slices = 9;
    QVERIFY(std::abs(sum(simulate(simulation)->read({4, 1}, {}).data) / middle - 1) < 1e-6);
}

void PhantomTest::countsComeFromTransmission()
{
    Simulation simulation = lineIntegrals(Phantom::sheppLogan, 90, 7);
    const RawRows truth = simulate(simulation)->read({0, 1}, {});
    simulation.counts = true;
    const auto scan = simulate(simulation);
    const RawRows raw = scan->read({0, 1}, {});
    QCOMPARE(scan->quantity, Quantity::counts);
    QCOMPARE(raw.darkFrames, scan->darkFrames);
    QCOMPARE(raw.flatFrames, scan->flatFrames);
    QVERIFY(raw.darkFrames > 1 && raw.flatFrames > 1);
    QCOMPARE(raw.darks.size(), std::size_t(raw.darkFrames) * 90);
    double largest = 0;
    for (std::size_t i = 0; i < raw.data.size(); ++i) {
        const double p = -std::log((raw.data[i] - raw.darks[i % 90]) / (raw.flats[i % 90] - raw.darks[i % 90]));
        largest = std::max(largest, std::isnan(p) ? INFINITY : std::abs(p - truth.data[i]));
    }
    QVERIFY2(largest < 1e-5, qPrintable(QString::number(largest)));
}

void PhantomTest::anyRowRangeGivesTheSame()
{
    Simulation simulation;
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.size = 50;
    simulation.projections = 30;
    simulation.slices = 6;
    simulation.photons = 500;
    simulation.rings = .02;
    const RawRows all = simulate(simulation)->read({0, 6}, {});
    const RawRows some = simulate(simulation)->read({3, 2}, {});
    for (int projection = 0; projection < 30; ++projection)
        QCOMPARE(largestDifference({some.data.data() + projection * 100, 100},
                                   {all.data.data() + projection * 300 + 150, 100}),
                 0.0);
    for (int frame = 0; frame < some.flatFrames; ++frame)
        QCOMPARE(largestDifference({some.flats.data() + frame * 100, 100}, {all.flats.data() + frame * 300 + 150, 100}),
                 0.0);
    // Rows and projections don't repeat each other's noise; another seed is another scan.
    QVERIFY(largestDifference({all.flats.data(), 50}, {all.flats.data() + 50, 50}) > 0);
    QVERIFY(largestDifference({all.data.data(), 50}, {all.data.data() + 300, 50}) > 0);
    simulation.seed = 2;
    QVERIFY(largestDifference(simulate(simulation)->read({0, 6}, {}).data, all.data) > 0);
}

void PhantomTest::noiseIsPoisson_data()
{
    QTest::addColumn<double>("photons");
    QTest::newRow("3") << 3.0;
    QTest::newRow("12") << 12.0;
    QTest::newRow("1000") << 1000.0;
    QTest::newRow("1e6") << 1e6;
}

void PhantomTest::noiseIsPoisson()
{
    QFETCH(double, photons);
    Simulation simulation;
    simulation.phantom = Phantom::disc;
    simulation.size = 400;
    simulation.projections = 500;
    simulation.photons = photons;
    const RawRows raw = simulate(simulation)->read({0, 1}, {});
    // The outer 10 % of the bins see air only.
    double count = 0, mean = 0, square = 0, cube = 0;
    for (int projection = 0; projection < 500; ++projection)
        for (int bin = 0; bin < 36; ++bin)
            mean += raw.data[projection * 400 + bin] - 100, ++count;
    mean /= count;
    for (int projection = 0; projection < 500; ++projection)
        for (int bin = 0; bin < 36; ++bin) {
            const double d = raw.data[projection * 400 + bin] - 100 - mean;
            square += d * d / count;
            cube += d * d * d / count;
        }
    // Mean, variance and third moment of a Poisson distribution are equal; bounds of five deviations.
    QVERIFY(std::abs(mean - photons) < 5 * std::sqrt(photons / count));
    QVERIFY(std::abs(square / photons - 1) < 5 * std::sqrt((2 + 1 / photons) / count));
    QVERIFY(std::abs(cube - photons) < 5 * std::sqrt((15 * std::pow(photons, 3) + 100 * photons * photons) / count));
}

void PhantomTest::ringsAreFixedPerBin()
{
    Simulation simulation = lineIntegrals(Phantom::disc, 2000, 3);
    const RawRows clean = simulate(simulation)->read({0, 1}, {});
    simulation.rings = .05;
    const RawRows rings = simulate(simulation)->read({0, 1}, {});
    double square = 0, change = 0;
    for (int bin = 0; bin < 2000; ++bin) {
        const double gain = std::exp(clean.data[bin] - rings.data[bin]);
        square += (gain - 1) * (gain - 1) / 2000;
        change = std::max(change, std::abs(double(rings.data[2000 + bin]) - clean.data[2000 + bin] - rings.data[bin] +
                                           clean.data[bin]));
    }
    QVERIFY(change < 1e-5);
    QVERIFY(std::abs(std::sqrt(square) / .05 - 1) < .1);
    simulation.counts = true; // the flat doesn't see them
    const RawRows counts = simulate(simulation)->read({0, 1}, {});
    QCOMPARE(*std::min_element(counts.flats.begin(), counts.flats.end()),
             *std::max_element(counts.flats.begin(), counts.flats.end()));
}

void PhantomTest::jsonRoundTrip()
{
    for (Phantom phantom : phantoms())
        QCOMPARE(phantomFromText(toText(phantom)), phantom);
    Simulation simulation;
    simulation.phantom = Phantom::sheppLogan3dOriginal;
    simulation.size = 77;
    simulation.projections = 31;
    simulation.slices = 5;
    simulation.arcDeg = 360;
    simulation.photons = 12345.678;
    simulation.rings = 1.0 / 3;
    simulation.axisOffsetBins = -3.1;
    simulation.attenuation = .0123456789;
    simulation.sampling = Sampling::binMean;
    simulation.counts = false;
    simulation.seed = 0xfedcba9876543210u;
    QVERIFY(simulationFromJson(toJson(simulation)) == simulation);
    QVERIFY(Simulation().sampling == Sampling::ray);
    QVERIFY(simulationFromJson(toJson(Simulation())) == Simulation());
    for (const char* bad :
         {"", "{", "[]", "{\"phantom\": \"disc\"}", "{\"phantom\": \"cube\", \"size\": 4, \"projections\": 4}",
          "{\"phantom\": \"disc\", \"size\": 4, \"projections\": 4, \"sampling\": \"some\"}",
          "{\"phantom\": \"disc\", \"size\": 0, \"projections\": 4}",
          "{\"phantom\": \"disc\", \"size\": 4294967300, \"projections\": 4}",
          "{\"phantom\": \"disc\", \"size\": \"4\", \"projections\": 4}"}) {
        try {
            simulationFromJson(bad);
            QFAIL(bad);
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::badFile);
        }
    }
}

void PhantomTest::badValuesAreNamed_data()
{
    QTest::addColumn<QString>("member");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("named");
    QTest::newRow("no size") << "size" << 0.0 << "size is 0";
    QTest::newRow("absurd size") << "size" << 70000.0 << "size is 70000";
    QTest::newRow("no projections") << "projections" << 0.0 << "projections is 0";
    QTest::newRow("no slices") << "slices" << -1.0 << "slices is -1";
    QTest::newRow("arc") << "arc" << 200.0 << "arc is 200";
    QTest::newRow("arc NaN") << "arc" << double(NAN) << "arc is";
    QTest::newRow("photons") << "photons" << -5.0 << "photons is -5";
    QTest::newRow("photons NaN") << "photons" << double(NAN) << "photons is";
    QTest::newRow("rings") << "rings" << -.5 << "rings is -0.5";
    QTest::newRow("axis") << "axis" << 400.0 << "offset is 400";
    QTest::newRow("attenuation") << "attenuation" << double(INFINITY) << "attenuation is inf";
}

void PhantomTest::badValuesAreNamed()
{
    QFETCH(QString, member);
    QFETCH(double, value);
    QFETCH(QString, named);
    Simulation simulation;
    if (member == "size")
        simulation.size = static_cast<int>(value);
    else if (member == "projections")
        simulation.projections = static_cast<int>(value);
    else if (member == "slices")
        simulation.slices = static_cast<int>(value);
    else if (member == "arc")
        simulation.arcDeg = value;
    else if (member == "photons")
        simulation.photons = value;
    else if (member == "rings")
        simulation.rings = value;
    else if (member == "axis")
        simulation.axisOffsetBins = value;
    else if (member == "attenuation")
        simulation.attenuation = value;
    try {
        simulate(simulation);
        QFAIL("accepted");
    } catch (const Error& error) {
        QCOMPARE(error.kind(), ErrorKind::badRequest);
        QVERIFY2(QString(error.what()).contains(named), error.what());
    }
}

void PhantomTest::badRowsAndCancelling()
{
    Simulation simulation;
    simulation.size = 64;
    simulation.slices = 3;
    const auto scan = simulate(simulation);
    for (RowRange rows : {RowRange{-1, 1}, RowRange{3, 1}, RowRange{2, 2}, RowRange{0, 0}, RowRange{1, 2147483647}}) {
        try {
            scan->read(rows, {});
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::badRequest);
        }
    }
    std::stop_source source;
    source.request_stop();
    try {
        scan->read({0, 1}, source.get_token());
        QFAIL("not cancelled");
    } catch (const Error& error) {
        QCOMPARE(error.kind(), ErrorKind::cancelled);
    }
}

// A figure to look at, and that the largest everyday size works.
void PhantomTest::largeRow()
{
    Simulation simulation;
    simulation.size = simulation.projections = 2048;
    for (Phantom phantom : {Phantom::sheppLogan, Phantom::resolution})
        for (double photons : {0.0, 1e5}) {
            simulation.phantom = phantom;
            simulation.photons = photons;
            const auto scan = simulate(simulation);
            QElapsedTimer timer;
            timer.start();
            const RawRows raw = scan->read({0, 1}, {});
            const auto readMs = timer.restart();
            const Volume image = scan->exactImage(0, whole(2048));
            qInfo("%s, photons %g: row %lld ms, exact image %lld ms", toText(phantom).c_str(), photons,
                  static_cast<long long>(readMs), static_cast<long long>(timer.elapsed()));
            QCOMPARE(raw.data.size(), std::size_t(2048) * 2048);
            QVERIFY(std::isfinite(sum(raw.data)) && std::isfinite(sum(image.values)));
        }
}

QTEST_GUILESS_MAIN(PhantomTest)
#include "phantom_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Exact images: each pixel is the mean over its area, on any grid.
#include "engine/simulate/ellipses.h"
#include "engine/simulate/phantom_image.h"
#include "tests/engine/simulate/shepp_logan.h"

using namespace engine;
using namespace fixtures;
using namespace shepp_logan;
using std::numbers::pi;

namespace
{

struct Height {
    double place, weight;
};

// Returns the area of the pixel around (x, y) that an ellipse covers, in pixels: the integral of the lengths of
// horizontal chords within the pixel. The chords are denser near the lowest and the highest one, so that the integral
// converges with thousands of chords.
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

// Converts pixels from the middle of a slice of `size` to the unit square.
Ellipse inUnits(Ellipse e, int size)
{
    for (double* length : {&e.a, &e.b, &e.x, &e.y})
        *length *= 2.0 / size;
    return e;
}

Simulation tall(Phantom phantom)
{
    Simulation simulation = lineIntegrals(phantom, 32, 1);
    simulation.slices = 24;
    simulation.attenuation = 1;
    return simulation;
}

constexpr VolumeSize tallVolume{32, 24};

// Returns the density at a point of the volume of tall(); 0 outside the volume.
double densityAt(const std::vector<Ellipsoid>& solids, const VoxelPoint& at)
{
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (at[axis] < -0.5 || at[axis] > (axis == 2 ? 23.5 : 31.5))
            return 0;
    const double x = (at[0] - 15.5) / 16, y = (15.5 - at[1]) / 16, z = (11.5 - at[2]) / 12;
    double density = 0;
    for (const Ellipsoid& solid : solids) {
        const Ellipse& e = solid.widest;
        const double c = std::cos(e.angleRad), s = std::sin(e.angleRad), dx = x - e.x, dy = y - e.y;
        const double a = (dx * c + dy * s) / e.a, b = (dy * c - dx * s) / e.b, h = (z - solid.z) / solid.c;
        density += a * a + b * b + h * h <= 1 ? e.density : 0;
    }
    return density;
}

} // namespace

class ExactImageTest : public QObject
{
    Q_OBJECT

  private slots:
    void exactImageOnAnyGrid()
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
        // Displaced by half a pixel, with a step below one pixel: means over overlapping pixels, still between the
        // bounds.
        const Volume fine = scan->exactImage(0, {size, 30.5, 30.5, 64, 64, .25});
        const auto [low, high] = std::minmax_element(fine.values.begin(), fine.values.end());
        QVERIFY(*low > -1e-6f && *high < .5f + 1e-6f && *high - *low > .4f);
        QVERIFY_EXCEPTION_THROWN(scan->exactImage(0, {size, 0, 0, 0, 5, 1}), Error);
    }

    void exactImageIsTheArea_data()
    {
        QTest::addColumn<std::vector<double>>("shape"); // a, b, x, y in pixels from the middle, rotation in degrees
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

    void exactImageIsTheArea()
    {
        QFETCH(std::vector<double>, shape);
        const int size = 32;
        const double density = -1.7;
        const Ellipse pixels{shape[0], shape[1], shape[2], shape[3], shape[4] * pi / 180, density};
        const Ellipse units = inUnits(pixels, size);
        // The whole slice, a region, previews whose pixels lie between those of the slice, and overlapping pixels.
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
            QVERIFY2(largest <= 1e-6 * std::abs(density),
                     qPrintable(QString("step %1: %2").arg(grid.step).arg(largest)));
        }
    }

    void exactImageHoldsTheWholeArea()
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
        // All ellipses of a phantom together; outside them, the image is exactly 0.
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

    void planesOfVoxelsAreThoseOfTheSlices()
    {
        const auto scan = simulate(tall(Phantom::sheppLogan3d));
        const Volume x = scan->exactImage(planeAcross(PlaneAxis::x, 19, tallVolume)),
                     y = scan->exactImage(planeAcross(PlaneAxis::y, 12, tallVolume)),
                     z = scan->exactImage(planeAcross(PlaneAxis::z, 9, tallVolume));
        QVERIFY(x.width == 32 && x.height == 24 && y.width == 32 && y.height == 24 && z.height == 32);
        for (int k = 0; k < 24; ++k) {
            const Volume slice = scan->exactImage(k, whole(32));
            QVERIFY(k != 9 || z.values == slice.values);
            for (int i = 0; i < 32; ++i) {
                QCOMPARE(x.values[k * 32 + i], slice.values[i * 32 + 19]);
                QCOMPARE(y.values[k * 32 + i], slice.values[12 * 32 + i]);
            }
        }
        QVERIFY(sum(x.values) > 20 && sum(y.values) > 20);
        QVERIFY_EXCEPTION_THROWN(scan->exactImage(planeAcross(PlaneAxis::z, 40, tallVolume)), Error);
    }

    // Those of other planes are means over their pixels, here of 12² points each.
    void turnedPlanes_data()
    {
        QTest::addColumn<int>("phantom");
        QTest::addColumn<QString>("text");
        for (const Phantom phantom : {Phantom::sheppLogan3d, Phantom::sheppLogan, Phantom::ball}) {
            const auto row = [&](const char* name, const char* text) {
                QTest::newRow(
                    qPrintable(QString::fromStdString(toText(phantom)) + QLatin1Char(' ') + QLatin1String(name)))
                    << int(phantom) << QString::fromLatin1(text);
            };
            row("upright, between voxels", "x=13.3");
            row("upright, turned", "centre=17,15,11;u=1,0.5,0;v=0,0,1");
            row("level, between slices", "z=7.75");
            row("any", "centre=16,14.5,10;u=1,0.4,-0.3;v=0.2,0.3,1");
            row("coarse", "centre=16,14.5,10;u=1,-0.4,0.1;v=0.2,1,0.7;width=20;height=13;pixel=1.75");
        }
    }
    void turnedPlanes()
    {
        QFETCH(int, phantom);
        QFETCH(QString, text);
        const Simulation simulation = tall(static_cast<Phantom>(phantom));
        const Plane plane = planeFromText(text.toStdString(), tallVolume);
        const Volume image = simulate(simulation)->exactImage(plane);
        QVERIFY(image.width == plane.width && image.height == plane.height && image.slices == 1);
        const std::vector<Ellipsoid> solids = solidsOf(simulation.phantom, 32);
        constexpr int across = 12;
        double squares = 0;
        int count = 0;
        for (int j = 0; j < plane.height; ++j)
            for (int i = 0; i < plane.width; ++i) {
                double mean = 0;
                bool isInside = true; // what lies outside the volume is cut off by whole pixels
                for (int b = 0; b < across; ++b)
                    for (int a = 0; a < across; ++a) {
                        const VoxelPoint at = plane.at(i - 0.5 + (a + 0.5) / across, j - 0.5 + (b + 0.5) / across);
                        for (std::size_t axis = 0; axis < 3; ++axis)
                            isInside = isInside && at[axis] > -0.5 && at[axis] < (axis == 2 ? 23.5 : 31.5);
                        mean += densityAt(solids, at) / across / across;
                    }
                if (!isInside)
                    continue;
                const double off = image.values[std::size_t(j) * std::size_t(plane.width) + std::size_t(i)] - mean;
                QVERIFY2(std::abs(off) < 0.2, qPrintable(QStringLiteral("%1, %2: %3").arg(i).arg(j).arg(off)));
                squares += off * off;
                ++count;
            }
        QVERIFY(count > 100);
        const double rms = std::sqrt(squares / count);
        QVERIFY2(rms < 0.02, qPrintable(QString::number(rms)));
        QVERIFY(sum(image.values) > 20);
    }
};

SINOSCOPE_TEST(ExactImageTest, QCoreApplication)
#include "exact_image_test.moc"

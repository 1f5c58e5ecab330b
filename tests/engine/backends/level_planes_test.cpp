// SPDX-License-Identifier: GPL-3.0-or-later
// Planes of parallel beams with level lines on the processor, for every instruction set: against `exact`.
#include "engine/backends/backend.h"
#include "engine/base/number_text.h"
#include "tests/engine/backends/noise.h"
#include "tests/plane_gaps.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace engine;

namespace
{

constexpr int mostLines = 19;

std::vector<double> someAngles(int count)
{
    std::vector<double> angles;
    for (int k = 0; k < count; ++k)
        angles.push_back(-1.1 + 5.9 * k / count);
    return angles;
}

// Planes through the noise, whose rows or columns are level.
std::vector<Plane> levelPlanes(const VolumeSize& volume)
{
    const VoxelPoint vertical{0, 0, 1};
    std::vector<Plane> planes;
    for (const PlaneAxis axis : {PlaneAxis::x, PlaneAxis::y}) {
        const Plane upright = planeAcross(axis, 0.3 * volume.size, volume);
        Plane partlyOutside = turned(upright, vertical, -64);
        partlyOutside.centre[0] += 0.4 * volume.size;
        partlyOutside.centre[2] += 3;
        partlyOutside.width += 9;
        Plane upsideDown = turned(upright, vertical, 23);
        upsideDown.v = {0, 0, -1};
        Plane betweenRows = upright, fine = turned(upright, vertical, 111);
        betweenRows.centre[2] += 0.3;
        fine.pixel = 0.75;
        planes.insert(planes.end(), {upright, turned(upright, vertical, 45), turned(upright, vertical, 200.5),
                                     partlyOutside, upsideDown, betweenRows, fine, turned(upright, upright.u, 40)});
        planes.push_back(turned(turned(upright, vertical, 23), turned(upright, vertical, 23).u, -77));
    }
    const Plane level = planeAcross(PlaneAxis::z, volume.slices / 2, volume);
    Plane between = planeAcross(PlaneAxis::z, 0.5, volume), outside = level;
    outside.centre[2] = volume.slices + 2;
    planes.insert(planes.end(), {between, outside, turned(level, level.u, 12)});
    for (Plane& plane : planes)
        plane.height = std::min(plane.height, mostLines);
    Plane columns = turned(level, level.v, 12); // are level, its rows are not
    columns.width = std::min(columns.width, mostLines);
    planes.push_back(columns);
    return planes;
}

Volume planeOf(const noise::Case& noise, const Method& method, const Plane& plane, Interpolation interpolation,
               const std::string& variant = "")
{
    Volume image(1, plane.height, plane.width);
    std::fill(image.values.begin(), image.values.end(), std::numeric_limits<float>::quiet_NaN());
    Workspace workspace;
    const VolumeGrid grid{noise.grid, 0, 1, noise.single.slices};
    launch(method,
           {.sinograms = noise.sinogramsFor(method),
            .geometry = noise.beam,
            .grid = grid,
            .plane = &plane,
            .kernel = {.method = method.id, .interpolation = interpolation, .variant = variant},
            .image = image},
           workspace);
    return fixtures::closeGaps(plane, grid.slices, std::move(image));
}

double largestOf(const Volume& image)
{
    double largest = 0;
    for (const float value : image.values)
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    return largest;
}

} // namespace

class LevelPlanesTest : public QObject
{
    Q_OBJECT

  private slots:
    // bins: less than a vector, some vectors, and more than a block.
    void againstExact_data()
    {
        QTest::addColumn<int>("bins");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("projections");
        QTest::newRow("small") << 5 << 3 << 7;
        QTest::newRow("odd") << 61 << 39 << 45;
        QTest::newRow("wide") << 1043 << 6 << 18;
    }

    void againstExact()
    {
        QFETCH(int, bins);
        QFETCH(int, rows);
        QFETCH(int, projections);
        const noise::Case noise(bins, someAngles(projections), rows, fixtures::whole(bins));
        for (const Plane& plane : levelPlanes({bins, rows})) {
            const Volume truth = planeOf(noise, *findMethod("exact"), plane, Interpolation::linear),
                         nearest = planeOf(noise, *findMethod("exact"), plane, Interpolation::nearest);
            const double bound = 4e-6 * std::max(largestOf(truth), 1.0);
            for (const std::string& set : processorTargets()) {
                const Volume made =
                                 planeOf(noise, *findMethod("cpu"), plane, Interpolation::linear, set),
                             near =
                                 planeOf(noise, *findMethod("cpu"), plane, Interpolation::nearest, set);
                std::size_t others = 0; // that took another bin, as near
                for (std::size_t k = 0; k < truth.values.size(); ++k) {
                    const double difference = std::abs(static_cast<double>(made.values[k]) - truth.values[k]);
                    QVERIFY2(difference <= bound,
                             qPrintable(QString("%1, %2: %3 at %4 of %5")
                                            .arg(QString::fromStdString(toText(plane)), QString::fromStdString(set))
                                            .arg(difference)
                                            .arg(k)
                                            .arg(truth.values.size())));
                    QVERIFY(std::isfinite(near.values[k]));
                    others += std::abs(near.values[k] - nearest.values[k]) > bound;
                }
                QVERIFY2(others <= 1 + truth.values.size() / 500,
                         qPrintable(QString("%1, %2: %3")
                                        .arg(QString::fromStdString(toText(plane)), QString::fromStdString(set))
                                        .arg(others)));
            }
        }
    }

    // The values of a row that is not a number stay in the lines that meet it.
    void rowsWithoutNumbers()
    {
        constexpr int bins = 61, rows = 9, bad = 4;
        noise::Case noise(bins, someAngles(20), rows, fixtures::whole(bins));
        auto& values = std::get<Values>(noise.single.values);
        const std::size_t row = values.size() / rows;
        std::fill_n(values.begin() + bad * row, row, std::numeric_limits<float>::quiet_NaN());
        const Plane upright = turned(planeAcross(PlaneAxis::x, 30, {bins, rows}), {0, 0, 1}, 30);
        const Volume made = planeOf(noise, *findMethod("cpu"), upright, Interpolation::linear);
        for (int j = 0; j < rows; ++j)
            for (int i = 25; i < 36; ++i)
                QCOMPARE(std::isnan(made.values[std::size_t(j) * upright.width + i]), j == bad);
    }
};

SINOSCOPE_TEST(LevelPlanesTest, QCoreApplication)
#include "level_planes_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Planes in any direction: against the volume where they consist of voxels, and against `exact` elsewhere.
#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/backends/cpu/plane/plane_kernel.h"
#include "engine/base/error.h"
#include "engine/data/plane.h"
#include "engine/reconstruct/plane_request.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/request/memory_limit.h"
#include "engine/request/section.h"
#include "engine/scan/cone_options.h"
#include "engine/simulate/phantom.h"
#include "tests/fixtures.h"
#include "tests/plane_gaps.h"

#include <cmath>
#include <random>

using namespace engine;
using namespace fixtures;

namespace
{

constexpr VolumeSize shortVolume{40, 30};

std::shared_ptr<const Scan> tallScan(bool isCone, int size = 41, int rows = 35, int projections = 50)
{
    Simulation simulation;
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.size = size;
    simulation.projections = projections;
    simulation.slices = rows;
    if (isCone) {
        simulation.arcDeg = 360;
        ConeOptions& cone = simulation.cone.emplace();
        cone.sourceAxisMm = 200;
        cone.sourceDetectorMm = 300;
        cone.pixelUMm = 1.5;
    }
    return simulate(simulation);
}

Request planeRequest(const std::shared_ptr<const Scan>& scan, const Plane& plane, const std::string& method)
{
    Request request = requestFor(scan, method);
    request.place.part = PlanePart{plane};
    return request;
}

// Returns the density at a point if it is the same three voxels around; none where it isn't, or outside.
std::optional<double> densityAround(const std::vector<Volume>& slices, const VoxelPoint& point)
{
    constexpr int reach = 3;
    const auto whole = [&](int axis) { return static_cast<int>(std::lround(point[axis])); };
    const int column = whole(0), row = whole(1), slice = whole(2), size = slices.front().width;
    if (std::min({column, row, slice}) < reach || std::max(column, row) >= size - reach ||
        slice >= static_cast<int>(slices.size()) - reach)
        return std::nullopt;
    const float density = slices[slice].values[std::size_t(row) * size + column];
    for (int z = slice - reach; z <= slice + reach; ++z)
        for (int y = row - reach; y <= row + reach; ++y)
            for (int x = column - reach; x <= column + reach; ++x)
                if (!(std::abs(slices[z].values[std::size_t(y) * size + x] - density) < 1e-6F))
                    return std::nullopt;
    return density;
}

// Errors of a plane where densityAround() is known, in units of the largest density of the volume.
struct Errors {
    int count = 0;
    double mean = 0, rms = 0;
};
Errors errorsOf(const std::vector<Volume>& slices, const Volume& made, const Plane& plane)
{
    float largest = 0;
    for (const Volume& slice : slices)
        largest = std::max(largest, std::ranges::max(slice.values));
    Errors errors;
    for (int j = 0; j < plane.height; ++j)
        for (int i = 0; i < plane.width; ++i)
            if (const std::optional<double> density = densityAround(slices, plane.at(i, j))) {
                const double error = (made.values[std::size_t(j) * plane.width + i] - *density) / largest;
                ++errors.count;
                errors.mean += error;
                errors.rms += error * error;
            }
    errors.mean /= errors.count;
    errors.rms = std::sqrt(errors.rms / errors.count);
    return errors;
}

Volume madeOf(const std::shared_ptr<const Scan>& scan, const Plane& plane, const std::string& method)
{
    return Reconstructor().run(planeRequest(scan, plane, method)).image;
}

} // namespace

class PlaneTest : public QObject
{
    Q_OBJECT

  private slots:
    void textsAreReadBack_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"x=3", "y=12.5", "z=0", "x=20;pixel=2", "z=3;width=5;height=4", "centre=20,19,14;u=1,1,0;v=0,0,2",
              "centre=1,2,3;u=0,3,0.1;v=1,0,0;width=7;height=9;pixel=0.5"})
            QTest::addRow("%s", text) << text;
    }
    void textsAreReadBack()
    {
        QFETCH(QString, text);
        const Plane plane = planeFromText(text.toStdString(), shortVolume);
        validate(plane, shortVolume);
        const Plane again = planeFromText(toText(plane), {});
        QCOMPARE(QString::fromStdString(toText(again)), QString::fromStdString(toText(plane)));
        QVERIFY(again == plane);
        QVERIFY(planeFromText(textForVolumes(plane, shortVolume), shortVolume) == plane);
    }

    void textsForOtherVolumesAreShort_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* text, const char* expected) { QTest::newRow(text) << text << expected; };
        row("x=3", "x=3");
        row("centre=19.5,3,14.5;u=1,0,0;v=0,0,2;width=40;height=30", "y=3");
        row("z=0.5;width=40;height=40;pixel=1", "z=0.5");
        row("x=20;pixel=2", "x=20;pixel=2");
        row("x=20;pixel=2;width=20;height=15", "x=20;pixel=2");
        row("z=3;width=5;height=4", "centre=19.5,19.5,3;u=1,0,0;v=0,1,0;width=5;height=4;pixel=1");
        row("centre=20,19.5,3;u=1,0,0;v=0,1,0", "z=3");
        row("centre=20,19,14;u=0.6,0.8,0;v=0,0,1", "centre=20.06,19.08,14.5;u=0.6,0.8,0;v=0,0,1");
        row("centre=90,-50,14;u=0.6,0.8,0;v=0,0,1;height=3",
            "centre=97.98,-39.36,14;u=0.6,0.8,0;v=0,0,1;width=56;height=3;pixel=1");
        row("z=3;width=5;height=4;pixel=1e-9", "centre=19.5,19.5,3;u=1,0,0;v=0,1,0;width=5;height=4;pixel=1e-09");
    }
    void textsForOtherVolumesAreShort()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        const Plane plane = planeFromText(text.toStdString(), shortVolume);
        const std::string shortened = textForVolumes(plane, shortVolume);
        QCOMPARE(QString::fromStdString(shortened), expected);
        QVERIFY(planeFromText(shortened, shortVolume) == plane);
    }

    void badTexts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("named");
        QTest::newRow("no plane") << "17"
                                  << "17";
        QTest::newRow("no number") << "x=left"
                                   << "left";
        QTest::newRow("infinite") << "x=inf"
                                  << "inf";
        QTest::newRow("parallel") << "centre=1,2,3;u=1,0,0;v=2,0,0"
                                  << "parallel";
        QTest::newRow("no length") << "centre=1,2,3;u=0,0,0;v=2,0,0"
                                   << "u=0,0,0";
        QTest::newRow("two numbers") << "centre=1,2;u=0,0,1;v=2,0,0"
                                     << "1,2";
        QTest::newRow("no area") << "centre=1,2,3;u=1,0,0;v=0,1,0;width=0"
                                 << "0";
        QTest::newRow("no pixel") << "centre=1,2,3;u=1,0,0;v=0,1,0;pixel=-1"
                                  << "-1";
        QTest::newRow("unknown") << "centre=1,2,3;u=1,0,0;w=0,1,0"
                                 << "w";
        QTest::newRow("incomplete") << "centre=1,2,3;u=1,0,0"
                                    << "v";
        QTest::newRow("outside") << "x=40"
                                 << "column 40 lies outside";
        QTest::newRow("above") << "z=-3"
                               << "slice -3";
        QTest::newRow("beside a corner") << "centre=-3,-3,14;u=1,-1,0;v=0,0,1;width=20;height=20"
                                         << "no pixel of the plane";
        QTest::newRow("pixels around it") << "centre=20,20,14;u=1,0,0;v=0,1,0;width=2;height=2;pixel=1000"
                                          << "no pixel of the plane";
    }
    void badTexts()
    {
        QFETCH(QString, text);
        QFETCH(QString, named);
        QVERIFY(fails(ErrorKind::badRequest, {named.toStdString()},
                      [&] { validate(planeFromText(text.toStdString(), shortVolume), shortVolume); }));
    }

    void turns()
    {
        const Plane flat = planeAcross(PlaneAxis::z, 3, shortVolume);
        const Plane upright = turned(flat, flat.u, 90);
        QVERIFY((upright.u == VoxelPoint{1, 0, 0}) && (upright.v == VoxelPoint{0, 0, 1}));
        Plane around = flat;
        for (int k = 0; k < 24; ++k)
            around = turned(around, {0, 0, 1}, 15);
        QVERIFY(std::abs(around.u[0] - 1) < 1e-12 && std::abs(around.v[1] - 1) < 1e-12);
    }

    // Planes of voxels are parts of the volume, bit for bit.
    void planesOfVoxels_data() { geometries(); }
    void planesOfVoxels()
    {
        QFETCH(bool, isCone);
        const auto scan = tallScan(isCone);
        const Volume whole = Reconstructor().run(requestFor(scan, "exact")).image;
        const Volume x = madeOf(scan, planeFromText("x=17", volumeOf(*scan)), "exact");
        const Volume y = madeOf(scan, planeFromText("y=20", volumeOf(*scan)), "exact");
        const Volume z = madeOf(scan, planeFromText("z=9", volumeOf(*scan)), "exact");
        QCOMPARE(x.slices, 1);
        QCOMPARE(x.height, whole.slices);
        QCOMPARE(x.width, whole.height);
        for (int slice = 0; slice < whole.slices; ++slice)
            for (int k = 0; k < whole.width; ++k) {
                QCOMPARE(x.values[slice * whole.height + k], whole.slice(slice)[k * whole.width + 17]);
                QCOMPARE(y.values[slice * whole.width + k], whole.slice(slice)[20 * whole.width + k]);
            }
        QVERIFY(std::ranges::equal(z.values, whole.slice(9)));
    }

    // A plane between two slices of a parallel beam is their mean.
    void betweenSlices()
    {
        const auto scan = tallScan(false);
        const Volume made = madeOf(scan, planeFromText("z=9.5", volumeOf(*scan)), "exact");
        const Volume upper = madeOf(scan, planeFromText("z=9", volumeOf(*scan)), "exact"),
                     lower = madeOf(scan, planeFromText("z=10", volumeOf(*scan)), "exact");
        for (std::size_t k = 0; k < made.values.size(); ++k)
            QVERIFY(std::abs(made.values[k] - (upper.values[k] + lower.values[k]) / 2) < 1e-8);
    }

    // Half a row beyond the outer ones a plane shows these, also with the nearest values. Level planes of cone beams.
    void outerRowsAreHeld_data() { geometries(); }
    void outerRowsAreHeld()
    {
        QFETCH(bool, isCone);
        Simulation cylinder = densities(Phantom::disc);
        cylinder.size = 41;
        cylinder.slices = 21;
        cylinder.projections = 50;
        const auto scan = isCone ? tallScan(true, 41, 21) : simulate(cylinder);
        const double last = scan->slices() - 1;
        Reconstructor reconstructor;
        for (const char* method : {"exact", "cpu"})
            for (const Interpolation interpolation : {Interpolation::linear, Interpolation::nearest})
                for (const auto& [slice, outer] :
                     {std::pair(-0.5, 0.0), {-0.3, 0.0}, {last + 0.4, last}, {last + 0.5, last}}) {
                    Plane plane = planeAcross(PlaneAxis::z, slice, volumeOf(*scan));
                    Request request = planeRequest(scan, plane, method);
                    request.setting.kernel.interpolation = interpolation;
                    const Volume made = reconstructor.run(request).image;
                    std::get<PlanePart>(request.place.part).plane.centre[2] = outer;
                    const Volume expected = reconstructor.run(request).image;
                    QVERIFY(*std::ranges::max_element(expected.values) > 0);
                    QVERIFY(relativeError(made, expected) < (interpolation == Interpolation::linear ? 1e-5 : 2e-2));
                }
    }

    // A tilted plane through a cylinder that is the same in all rows shows its density up to half a row outside, and a
    // gap beyond it: with one row, too.
    void tiltedPlanesHaveNoRim_data()
    {
        QTest::addColumn<bool>("isCone");
        QTest::addColumn<int>("rows");
        QTest::addColumn<QString>("plane");
        for (const int rows : {1, 2, 9})
            for (const char* plane : {"u=1,0,0;v=0,1,0.2", "u=1,0.2,0.1;v=-0.2,1,0.1", "u=0.6,0.8,0;v=0,0,1"})
                for (const bool isCone : {false, true})
                    if (!isCone || rows == 1)
                        QTest::addRow("%s of %d, %s", isCone ? "cone" : "parallel", rows, plane)
                            << isCone << rows << QString(plane);
    }
    void tiltedPlanesHaveNoRim()
    {
        QFETCH(bool, isCone);
        QFETCH(int, rows);
        QFETCH(QString, plane);
        Simulation simulation = densities(Phantom::disc);
        simulation.size = 64;
        simulation.projections = 100;
        simulation.slices = rows;
        if (isCone) {
            simulation.arcDeg = 360;
            ConeOptions& cone = simulation.cone.emplace();
            cone.sourceAxisMm = 400;
            cone.sourceDetectorMm = 600;
            cone.pixelUMm = 1.5;
        }
        const auto scan = simulate(simulation);
        const double middle = (scan->sliceSize() - 1) / 2.0, depth = (rows - 1) / 2.0;
        const std::string text = "centre=" + std::to_string(middle) + ',' + std::to_string(middle) + ',' +
                                 std::to_string(depth) + ';' + plane.toStdString() + ";width=40;height=40;pixel=0.5";
        const Plane asked = planeFromText(text, volumeOf(*scan));
        const Volume slice = Reconstructor().run(requestFor(scan, "exact")).image;
        const double density = slice.values[std::size_t(middle) * slice.width + std::size_t(middle)];
        for (const char* method : {"exact", "cpu"})
            for (const Interpolation interpolation : {Interpolation::linear, Interpolation::nearest}) {
                Request request = planeRequest(scan, asked, method);
                request.setting.kernel.interpolation = interpolation;
                const Volume made = Reconstructor().run(request).image;
                int beyond = 0, inRim = 0;
                for (int j = 0; j < asked.height; ++j)
                    for (int i = 0; i < asked.width; ++i) {
                        const VoxelPoint at = asked.at(i, j);
                        const float value = made.values[std::size_t(j) * asked.width + i];
                        if (isBeyond(asked, i, j, rows)) {
                            QVERIFY(std::isnan(value));
                            ++beyond;
                        } else {
                            QVERIFY(std::isfinite(value));
                            const bool isInside = std::hypot(at[0] - middle, at[1] - middle) < 0.25 * scan->sliceSize();
                            QVERIFY2(!isInside || std::abs(value / density - 1) < 0.04,
                                     qPrintable(QString("%1 at slice %2").arg(value / density).arg(at[2])));
                            inRim += isInside && (at[2] < -0.1 || at[2] > rows - 0.9);
                        }
                    }
                QVERIFY(rows == 9 || inRim > 0);
                QVERIFY(beyond > 0 || rows > 1);
            }
    }

    // Random planes, of any size, partly outside of the volume; each within the bound of single precision.
    void randomPlanes_data() { geometries(); }
    void randomPlanes()
    {
        QFETCH(bool, isCone);
        const auto scan = tallScan(isCone);
        std::mt19937 random(7);
        std::uniform_real_distribution<double> anywhere(-1, 1);
        Reconstructor precise, fast; // keep the filtered rows
        for (int k = 0; k < 12; ++k) {
            Plane plane = planeAcross(PlaneAxis::z, 17, volumeOf(*scan));
            plane.centre = {20 + 9 * anywhere(random), 20 + 9 * anywhere(random), 17 + 9 * anywhere(random)};
            plane = turned(turned(plane, {0, 0, 1}, 180 * anywhere(random)), {1, 0, 0}, 180 * anywhere(random));
            plane.width = 1 + 8 * k;
            plane.height = k % 3 == 0 ? 1 : 90 - 7 * k;
            plane.pixel = 1 + 0.4 * anywhere(random);
            Request request = planeRequest(scan, plane, "exact");
            std::get<PlanePart>(request.place.part).othersFollow = true;
            const auto closed = [&](const Volume& image) { return closeGaps(plane, scan->slices(), image); };
            const Volume truth = closed(precise.run(request).image);
            request.setting.kernel.method = "cpu";
            for (const std::string& set : processorTargets()) {
                request.setting.kernel.variant = set;
                const Volume made = closed(fast.run(request).image);
                QCOMPARE(made.width, plane.width);
                QCOMPARE(made.height, plane.height);
                double largest = 0, scale = 1e-3;
                for (std::size_t i = 0; i < made.values.size(); ++i) {
                    const double difference = std::abs(made.values[i] - truth.values[i]);
                    if (!(difference <= largest))
                        largest = difference;
                    scale = std::max(scale, std::abs(static_cast<double>(truth.values[i])));
                }
                QVERIFY2(largest < 1e-5 * scale, qPrintable(QString("%1, %2").arg(largest / scale).arg(set.c_str())));
            }
            request.setting.kernel.interpolation = Interpolation::nearest;
            QVERIFY(
                std::ranges::all_of(closed(fast.run(request).image).values, [](float v) { return std::isfinite(v); }));
        }
    }

    // Tilted planes show the densities of the 3-D Shepp-Logan phantom, which are known, wherever they are the same all
    // around.
    void analyticDensities_data() { geometries(); }
    void analyticDensities()
    {
        QFETCH(bool, isCone);
        const auto scan = tallScan(isCone, 96, 71, 200);
        const VolumeSize volume = volumeOf(*scan);
        std::vector<Volume> slices;
        for (int slice = 0; slice < volume.slices; ++slice)
            slices.push_back(scan->exactImage(slice, sectionOf(requestFor(scan, "cpu")).grid));
        const Plane level = planeAcross(PlaneAxis::z, (volume.slices - 1) / 2.0, volume);
        const Errors ofSlice = errorsOf(slices, madeOf(scan, level, "cpu"), level);
        const Plane tilted = turned(turned(level, {0, 0, 1}, 25), {1, 0, 0}, 35);
        const Errors ofTilted = errorsOf(slices, madeOf(scan, tilted, "cpu"), tilted);
        QVERIFY(ofTilted.count > 1000);
        QVERIFY2(ofTilted.rms < 0.05, qPrintable(QString::number(ofTilted.rms)));
        QVERIFY2(ofTilted.rms < 1.2 * ofSlice.rms, qPrintable(QString::number(ofTilted.rms / ofSlice.rms)));
        QVERIFY2(std::abs(ofTilted.mean) < 0.01, qPrintable(QString::number(ofTilted.mean)));
    }

    // A slab along the columns is a part of the volume; its slices at another angle are planes, on every method.
    void slabs_data() { geometries(); }
    void slabs()
    {
        QFETCH(bool, isCone);
        const auto scan = tallScan(isCone);
        for (const double angle : {0.0, 30.0, -90.0, 200.0}) {
            Request request = requestFor(scan, "exact");
            request.place.setSlices({5, 20});
            request.place.part = SlabPart{request.place.slices(), Slab{22, 17, angle, 33, 3}};
            const Volume slab = Reconstructor().run(request).image;
            QVERIFY(slab.slices == 20 && slab.height == 3 && slab.width == 33);
            // Its middle row, seen from the side.
            const double rad = angle * degree;
            Plane plane{{22, 17, 14.5}, {std::cos(rad), -std::sin(rad), 0}, {0, 0, 1}, 33, 20, 1};
            const Volume side = madeOf(scan, plane, "exact");
            double largest = 0, scale = 0;
            for (int slice = 0; slice < 20; ++slice)
                for (int i = 0; i < 33; ++i) {
                    const double difference = std::abs(slab.slice(slice)[33 + i] - side.values[slice * 33 + i]);
                    if (!(difference <= largest))
                        largest = difference;
                    scale = std::max(scale, std::abs(static_cast<double>(slab.slice(slice)[33 + i])));
                }
            QVERIFY2(scale > 0 && largest < 1e-6 * scale, qPrintable(QString::number(largest / scale)));
            request.setting.kernel.method = "cpu";
            QVERIFY(relativeError(Reconstructor().run(request).image.values, slab.values) < 1e-5);
        }
    }

    // A coarse preview has larger pixels and half of the projections, whose weights are doubled.
    void coarse()
    {
        const auto scan = tallScan(false);
        Request request = planeRequest(scan, planeFromText("y=20", volumeOf(*scan)), "cpu");
        const Volume whole = Reconstructor().run(request).image;
        request.place.previewStep = 4;
        const Volume coarse = Reconstructor().run(request).image;
        QCOMPARE(coarse.width, (whole.width + 3) / 4);
        QCOMPARE(coarse.height, (whole.height + 3) / 4);
        request.place.previewStep = 1;
        Plane& drawn = std::get<PlanePart>(request.place.part).plane;
        drawn.pixel = 4;
        drawn.width = coarse.width;
        drawn.height = coarse.height;
        const Volume all = Reconstructor().run(request).image; // from all projections
        double product = 0, square = 0;
        for (std::size_t k = 0; k < all.values.size(); ++k) {
            product += all.values[k] * coarse.values[k];
            square += all.values[k] * all.values[k];
        }
        QVERIFY2(std::abs(product / square - 1) < 0.1, qPrintable(QString::number(product / square)));
    }

    // On the processor: rows as they are prepared and filtered; of one slice, unless the plane crosses slices or others
    // will follow.
    void memory()
    {
        const auto scan = tallScan(false);
        const double slice = 41.0 * 50 * 2 * sizeof(float);
        const auto isAbout = [slice](double bytes, int slices) {
            return bytes >= slices * slice && bytes < 1.5 * slices * slice;
        };
        Request request = planeRequest(scan, planeFromText("y=20", volumeOf(*scan)), "cpu");
        QVERIFY(isAbout(bytesForPlane(request), 35));
        request.setting.kernel.method = "exact"; // filtered in double precision
        QVERIFY(isAbout(bytesForPlane(request) / 1.5, 35));
        request.setting.kernel.method = "cpu";
        request.place.part = PlanePart{planeFromText("z=20", volumeOf(*scan))};
        QVERIFY(isAbout(bytesForPlane(request), 1));
        request.place.part = PlanePart{planeFromText("z=20.5", volumeOf(*scan))};
        QVERIFY(isAbout(bytesForPlane(request), 2));
        request.place.part = PlanePart{*request.place.plane(), true};
        QVERIFY(isAbout(bytesForPlane(request), 35));
    }

    // Parts of a plane that doesn't fit into memory are read and filtered one after the other, with the bits of the
    // whole plane; except if passes of slices or runs of pixels are divided.
    void partsHaveTheBitsOfTheWhole_data()
    {
        QTest::addColumn<bool>("isCone");
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("plane");
        for (const bool isCone : {false, true})
            for (const char* method : {"cpu", "exact"})
                for (const char* plane :
                     {"x=17", "y=20.5", "centre=19,21,16;u=1,0.5,0.1;v=0.1,0,-1", "centre=20,20,17;u=0,0.1,1;v=1,0,0",
                      "centre=20,20,17;u=1,1,1.2;v=-1,1,1;width=131;height=57;pixel=0.7",
                      "centre=20,20,20;u=0.2,0.2,0.5;v=-1,1,0;width=300;height=20;pixel=0.2"})
                    QTest::addRow("%s %s %s", isCone ? "cone" : "parallel", method, plane)
                        << isCone << QString(method) << QString(plane);
    }
    void partsHaveTheBitsOfTheWhole()
    {
        QFETCH(bool, isCone);
        QFETCH(QString, method);
        QFETCH(QString, plane);
        const auto scan = tallScan(isCone);
        Request request = planeRequest(scan, planeFromText(plane.toStdString(), volumeOf(*scan)), method.toStdString());
        Reconstructor reconstructor;
        const Reconstruction whole = reconstructor.run(request);
        const double imageBytes = sizeof(float) * whole.image.values.size();
        for (const double share : {0.9, 0.5}) {
            request.resources.memoryLimitBytes = programBytes + 2 * imageBytes + share * bytesForPlane(request);
            const PlannedPlane planned = plannedPlane(request);
            QVERIFY(planned.parts.size() > 1 && planned.bytes <= request.resources.memoryLimitBytes);
            double last = 0;
            const Reconstruction made = reconstructor.run(request, [&last](Stage, double fraction) {
                QVERIFY(fraction <= 1);
                last = std::max(last, fraction);
            });
            QCOMPARE(last, 1.0);
            const bool areRunsWhole = std::ranges::all_of(planned.parts, [](const PlanePiece& part) {
                const int pass = part.plan.request.setting.kernel.slicesPerPass;
                return part.plan.request.place.plane() ? part.pixels.column % planeRunPixels == 0
                                                       : part.plan.request.place.slices().first % pass == 0;
            });
            const auto closed = [&](const Volume& image) {
                return closeGaps(*request.place.plane(), scan->slices(), image);
            };
            if (areRunsWhole || method == QLatin1String("exact"))
                QVERIFY(haveSameBits(made.image, whole.image));
            else
                QVERIFY(relativeError(closed(made.image), closed(whole.image)) < 1e-6);
            QVERIFY(made.image.width == whole.image.width && made.image.height == whole.image.height);
            QVERIFY(made.request.place == request.place);
            const std::string parts = "in " + std::to_string(planned.parts.size()) + " parts";
            QVERIFY(std::ranges::any_of(
                made.notes, [&](const Note& note) { return note.text().plain().find(parts) != std::string::npos; }));
        }
    }

    // Also with prepared lines, and with steps that use neighbouring rows.
    void partsOfPreparedRows()
    {
        Simulation simulation;
        simulation.phantom = Phantom::sheppLogan3d;
        simulation.size = 41;
        simulation.projections = 50;
        simulation.slices = 35;
        simulation.photons = 10000;
        const auto scan = simulate(simulation);
        Request request =
            planeRequest(scan, planeFromText("centre=19,21,16;u=1,0.5,0.1;v=0.1,0,-1", volumeOf(*scan)), "cpu");
        for (const double tiltDeg : {0.0, 1.0}) {
            request.setting.preparation.values["axis-tilt"] = tiltDeg;
            request.resources.memoryLimitBytes = 0;
            const Volume whole = Reconstructor().run(request).image;
            request.resources.memoryLimitBytes = programBytes + 0.6 * bytesForPlane(request);
            QVERIFY(plannedPlane(request).parts.size() > 1);
            QVERIFY(haveSameBits(Reconstructor().run(request).image, whole));
        }
    }

    // Rows that would serve other planes, too, are given up first; a coarse preview is divided, too.
    void rowsForOthersAreNotKept()
    {
        const auto scan = tallScan(false);
        Request request = planeRequest(scan, planeFromText("z=20.5", volumeOf(*scan)), "cpu");
        std::get<PlanePart>(request.place.part).othersFollow = true;
        request.resources.memoryLimitBytes = programBytes + 0.5 * bytesForPlane(request);
        QCOMPARE(plannedPlane(request).parts.size(), std::size_t(1));
        request.place.part = PlanePart{planeFromText("centre=19,21,16;u=1,0.5,0.1;v=0.1,0,-1", volumeOf(*scan)), true};
        request.place.previewStep = 4;
        const Volume divided = Reconstructor().run(request).image;
        QVERIFY(plannedPlane(request).parts.size() > 1);
        request.resources.memoryLimitBytes = 0;
        QVERIFY(haveSameBits(divided, Reconstructor().run(request).image));
    }

    void partsCanBeStopped()
    {
        const auto scan = tallScan(false);
        Request request = planeRequest(scan, planeFromText("y=20", volumeOf(*scan)), "cpu");
        request.resources.memoryLimitBytes = programBytes + 0.3 * bytesForPlane(request);
        std::stop_source stop;
        double last = 0;
        const auto stopInTheMiddle = [&](Stage, double fraction) {
            last = std::max(last, fraction);
            if (fraction > 0.4)
                stop.request_stop();
        };
        QVERIFY(
            fails(ErrorKind::cancelled, {}, [&] { Reconstructor().run(request, stopInTheMiddle, stop.get_token()); }));
        QVERIFY(last < 0.9);
    }

    // Parts whose rows can't be read are gaps, as in the whole plane.
    void unreadablePartsAreGaps()
    {
        auto scan = std::make_shared<Scan>(*tallScan(false));
        scan->read = [read = scan->read](RowRange rows, std::stop_token stop) {
            if (rows.first < 12)
                throw Error(ErrorKind::badFile, "unreadable");
            return read(rows, stop);
        };
        Request request = planeRequest(scan, planeFromText("y=20", volumeOf(*scan)), "exact");
        const Volume whole = Reconstructor().run(request).image;
        request.resources.memoryLimitBytes = programBytes + 0.3 * bytesForPlane(request);
        const Reconstruction made = Reconstructor().run(request);
        for (std::size_t k = 0; k < whole.values.size(); ++k)
            QVERIFY(std::isnan(whole.values[k]) ? std::isnan(made.image.values[k])
                                                : made.image.values[k] == whole.values[k]);
        QVERIFY(std::isnan(whole.values.front()) && std::isfinite(whole.values.back()));
        QVERIFY(std::ranges::any_of(
            made.notes, [](const Note& note) { return note.text().plain().find("unreadable") != std::string::npos; }));
    }

    void theSmallestPartHasToFit()
    {
        const auto scan = tallScan(false);
        Request request = planeRequest(scan, planeFromText("y=20", volumeOf(*scan)), "cpu");
        request.resources.memoryLimitBytes = programBytes + 1000;
        QVERIFY(fails(ErrorKind::noMemory, {"168 MB", "raise it to"}, [&] { Reconstructor().run(request); }));
        request.resources.memoryLimitBytes = 1000;
        QVERIFY(fails(ErrorKind::badRequest, {"1 kB", "raise it to"}, [&] { Reconstructor().run(request); }));
    }

    // As many projections are kept as leave half of the memory; all if they fit.
    void keptPlanes_data() { geometries(); }
    void keptPlanes()
    {
        QFETCH(bool, isCone);
        const auto scan = tallScan(isCone);
        std::vector<Request> planes;
        for (const char* plane : {"x=17", "y=20", "centre=19,21,16;u=1,0.5,0.1;v=0.1,0,-1"}) {
            planes.push_back(planeRequest(scan, planeFromText(plane, volumeOf(*scan)), "cpu"));
            std::get<PlanePart>(planes.back().place.part).othersFollow = true;
        }
        const auto keptWith = [&](double limit, const std::shared_ptr<const Scan>& known = {}) {
            for (Request& plane : planes)
                plane.resources.memoryLimitBytes = limit;
            return keptPlanesFor(planes, known);
        };
        const double all = keptWith(1e9).neededBytes, rows = bytesForPlane(planes[2]);
        QVERIFY(keptWith(all).step == 1 && keptWith(all).scan == scan && keptWith(all).bytes == rows);
        const KeptPlanes kept = keptWith(all - 1);
        QCOMPARE(kept.step, 4); // a half would leave nothing for images
        QCOMPARE(kept.neededBytes, all);
        QVERIFY(kept.bytes < 0.5 * rows);
        QCOMPARE(kept.scan->projections(), 13);
        QCOMPARE(keptWith(all - 2, kept.scan).scan, kept.scan);
        QVERIFY(keptWith(programBytes + 0.3 * rows).step > 4);
        QVERIFY(keptWith(programBytes).step == 0 && !keptWith(programBytes).scan);
        Scan undivided = *scan;
        undivided.readEvery = {};
        for (Request& plane : planes)
            plane.scan = std::make_shared<const Scan>(undivided);
        QCOMPARE(keptWith(all - 1).step, 0);
    }

    void refusals()
    {
        const auto scan = tallScan(false);
        Request request = planeRequest(scan, planeFromText("z=9.5", volumeOf(*scan)), "cpu");
        request.setting.kernel.interpolation = Interpolation::cubic;
        QVERIFY(fails(ErrorKind::badRequest, {"cubic"}, [&] { Reconstructor().run(request); }));
        request.setting.kernel.interpolation = Interpolation::linear;
        request.setting.kernel.precision = Precision::half;
        QVERIFY(fails(ErrorKind::badRequest, {"float precision"}, [&] { Reconstructor().run(request); }));
        request.setting.kernel.precision = Precision::single;
        std::get<PlanePart>(request.place.part).plane.centre[0] = std::nan("");
        QVERIFY(fails(ErrorKind::badRequest, {"finite"}, [&] { Reconstructor().run(request); }));
    }

  private:
    static void geometries()
    {
        QTest::addColumn<bool>("isCone");
        QTest::newRow("parallel") << false;
        QTest::newRow("cone") << true;
    }
};

SINOSCOPE_TEST(PlaneTest, QCoreApplication)
#include "plane_test.moc"

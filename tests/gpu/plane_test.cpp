// SPDX-License-Identifier: GPL-3.0-or-later
// Planes on a GPU against `exact`, on random data: directions, sizes, geometries, interpolations and precisions.
#include "engine/backends/backend.h"
#include "engine/backends/cuda/cuda_session.h"
#include "engine/base/error.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/simulate/phantom.h"
#include "tests/gpu/plane_cases.h"

#include <cmath>

using namespace fixtures;

class PlaneOnGpuTest : public QObject
{
    Q_OBJECT

    static void compare(const PlaneCase& c, const char* what, const std::vector<Plane>& planes)
    {
        Workspace workspace, none;
        for (const Precision precision : {Precision::single, Precision::half})
            for (const Interpolation interpolation : {Interpolation::linear, Interpolation::nearest})
                for (std::size_t k = 0; k < planes.size(); ++k) {
                    const Kernel kernel{.interpolation = interpolation, .precision = precision};
                    const Volume exact = c.run("exact", planes[k], {.interpolation = interpolation}, none);
                    const double error = relativeError(c.run("texture", planes[k], kernel, workspace), exact);
                    QVERIFY2(error <= boundOf(kernel),
                             qPrintable(QStringLiteral("%1, plane %2 (%3) %4 %5: %6")
                                            .arg(what)
                                            .arg(k)
                                            .arg(QString::fromStdString(toText(planes[k])),
                                                 toText(interpolation).c_str(), toText(precision).c_str())
                                            .arg(error)));
                }
        QCOMPARE(planesOf(workspace).uploadedProjections(), 2LL * c.single.projections); // once per precision
    }

  private slots:
    void parallelBeams()
    {
        SINOSCOPE_NEEDS_GPU();
        const PlaneCase odd(parallelOf(67, 45, 32.3), 41);
        compare(odd, "odd", planesThrough(odd.volume, 1, 8));
        const PlaneCase even(parallelOf(64, 60, 31.437), 64);
        compare(even, "even", planesThrough(even.volume, 2, 5));
        ParallelBeam wobbling = parallelOf(50, 40, 0);
        wobbling.axisBins.clear();
        for (int p = 0; p < 40; ++p)
            wobbling.axisBins.push_back(23.04 + 0.1 * (p % 17));
        const PlaneCase many(wobbling, 30);
        compare(many, "wobbling", planesThrough(many.volume, 3, 4));
    }

    void coneBeams()
    {
        SINOSCOPE_NEEDS_GPU();
        const PlaneCase odd(coneOf(67, 45, 9, 0.37));
        compare(odd, "cone", planesThrough(odd.volume, 1, 8));
        ConeBeam leaning = coneOf(48, 24, 8, 0.37);
        leaning.tiltRad = 0.02;
        leaning.rollRad = -0.03;
        const PlaneCase tilted(leaning);
        compare(tilted, "tilted detector", planesThrough(tilted.volume, 2, 4));
        ConeBeam free = leaning;
        free.matrices = projectionMatrices(leaning);
        const PlaneCase matrices(free);
        compare(matrices, "matrices", planesThrough(matrices.volume, 3, 4));
        ConeBeam wide = coneOf(33, 16, 20, 3.3);
        const PlaneCase offset(wide);
        compare(offset, "wide and offset", planesThrough(offset.volume, 4, 4));
    }

    void fewRows()
    {
        SINOSCOPE_NEEDS_GPU();
        for (const int rows : {1, 2, 3, 4}) {
            const PlaneCase c(parallelOf(40, 30, 19.3), rows);
            Plane tilted = turned(planeAcross(PlaneAxis::z, (rows - 1) / 2.0, c.volume), {1, 0, 0}, 7);
            compare(c, "few rows", {planeAcross(PlaneAxis::y, 20.4, c.volume), tilted});
        }
        ConeBeam fan = coneOf(65, 40, 8, 0.37);
        fan.rows = 1;
        fan.centralRow = 0;
        fan.volume.slices = 1;
        const PlaneCase c(fan);
        compare(c, "fan", {planeAcross(PlaneAxis::z, 0, c.volume), planeAcross(PlaneAxis::x, 30.3, c.volume)});
    }

    // More projections than a launch, or a texture's layers, have.
    void manyProjections()
    {
        SINOSCOPE_NEEDS_GPU();
        const PlaneCase c(parallelOf(31, 4211, 15.27), 9);
        compare(c, "many projections", planesThrough(c.volume, 9, 2));
        const PlaneCase cone(coneOf(31, 2100, 8, 0.37));
        compare(cone, "many cone projections", planesThrough(cone.volume, 9, 2));
    }

    // So many pixels that a thread has four of them, or four groups of rows.
    void manyPixels()
    {
        SINOSCOPE_NEEDS_GPU();
        const PlaneCase flat(parallelOf(31, 60, 15.27), 9), cone(coneOf(31, 40, 8, 0.37)),
            tall(parallelOf(31, 9, 15.27), 400);
        Plane tilted = turned(planeAcross(PlaneAxis::z, 4, flat.volume), {1, 0, 0}, 12);
        tilted.width = 1130;
        tilted.height = 1000;
        tilted.pixel = 0.027;
        compare(flat, "many pixels", {tilted});
        tilted.centre = {15, 15, 15};
        Plane inCone = planeAcross(PlaneAxis::x, 15.3, cone.volume);
        inCone.width = inCone.height = 1203;
        inCone.pixel = 0.03;
        compare(cone, "many cone pixels", {tilted, inCone});
        Plane upright = planeAcross(PlaneAxis::y, 15.2, tall.volume);
        upright.width = 6001; // most of them outside
        compare(tall, "many upright pixels", {upright});
    }

    // A detector of more rows than the layers of a texture hold.
    void tallDetector()
    {
        SINOSCOPE_NEEDS_GPU();
        const PlaneCase c(parallelOf(11, 5, 5.27), 7000);
        Plane tilted = turned(planeAcross(PlaneAxis::x, 5.3, c.volume), {0, 1, 0}, 0.05);
        compare(c, "tall", {planeAcross(PlaneAxis::x, 5.3, c.volume), tilted});
        ConeBeam beam = coneOf(11, 5, 8, 0.37);
        beam.rows = 7000;
        beam.centralRow = 3499.5;
        beam.volume.slices = 7000;
        const PlaneCase cone(beam);
        Plane low = planeAcross(PlaneAxis::x, 5.3, cone.volume);
        low.centre[2] = 6500.2; // not the middle between two rows
        low.height = 300;
        compare(cone, "tall cone", {low});
    }

    // Coarse planes sum some of the projections, with as many times their weight.
    void someProjections()
    {
        SINOSCOPE_NEEDS_GPU();
        for (const PlaneCase& c : {PlaneCase(parallelOf(40, 4100, 19.3), 20), PlaneCase(coneOf(40, 61, 8, 0.37))})
            for (const Plane& plane : planesThrough(c.volume, 11, 2)) {
                Workspace workspace, none;
                for (const int step : {2, 3, 4}) {
                    const double error = relativeError(c.run("texture", plane, {}, workspace, true, step),
                                                       c.run("cpu", plane, {}, none, true, step));
                    QVERIFY2(error < 5e-3, qPrintable(QString::number(error)));
                }
            }
    }

    // Memory for some of the projections only: more passes, the same image; and every launch uploads again.
    void littleMemory()
    {
        SINOSCOPE_NEEDS_GPU();
        for (const PlaneCase& c : {PlaneCase(parallelOf(64, 100, 31.2), 40), PlaneCase(coneOf(40, 61, 8, 0.37))})
            for (const Precision precision : {Precision::single, Precision::half}) {
                const Plane plane = planesThrough(c.volume, 12, 1).back();
                Workspace whole, part;
                const Volume all = c.run("texture", plane, {.precision = precision}, whole);
                c.run("texture", plane, {.precision = precision}, part, false);
                const long long before = planesOf(part).uploadedProjections();
                planesOf(part).limitMemory(1e5);
                const Volume made = c.run("texture", plane, {.precision = precision}, part);
                // Each upload has its own scale of halves.
                QVERIFY(relativeError(made, all) < (precision == Precision::half ? 1e-3 : 1e-6));
                c.run("texture", plane, {.precision = precision}, part);
                QCOMPARE(planesOf(part).uploadedProjections() - before, 2LL * c.single.projections);
            }
    }

    // Projections with the same key are uploaded once, those of another key or without a key again.
    void uploadsOnce()
    {
        SINOSCOPE_NEEDS_GPU();
        PlaneCase c(parallelOf(64, 50, 31.2), 40);
        Workspace workspace;
        const auto uploaded = [&] { return planesOf(workspace).uploadedProjections(); };
        for (const Plane& plane : planesThrough(c.volume, 13, 2))
            c.run("texture", plane, {}, workspace);
        QCOMPARE(uploaded(), 50LL);
        const Plane plane = planeAcross(PlaneAxis::x, 30, c.volume);
        c.run("texture", plane, {.interpolation = Interpolation::nearest}, workspace);
        QCOMPARE(uploaded(), 50LL);
        c.run("texture", plane, {.precision = Precision::half}, workspace);
        QCOMPARE(uploaded(), 100LL);
        c.scan = std::make_shared<Scan>();
        c.run("texture", plane, {.precision = Precision::half}, workspace);
        QCOMPARE(uploaded(), 150LL);
        planesOf(workspace).dropOthers(c.scan.get());
        c.run("texture", plane, {.precision = Precision::half}, workspace);
        QCOMPARE(uploaded(), 150LL);
        planesOf(workspace).dropOthers(nullptr);
        c.run("texture", plane, {.precision = Precision::half}, workspace);
        QCOMPARE(uploaded(), 200LL);
        c.run("texture", plane, {.precision = Precision::half}, workspace, false);
        c.run("texture", plane, {.precision = Precision::half}, workspace, false);
        QCOMPARE(uploaded(), 300LL);
    }

    // A value that is not a number affects only the pixels whose rays meet it.
    void notANumberStaysWithItsRays()
    {
        SINOSCOPE_NEEDS_GPU();
        for (PlaneCase c : {PlaneCase(parallelOf(64, 50, 31.2), 40), PlaneCase(coneOf(48, 30, 8, 0.37))}) {
            c.setNotANumber(c.rows.count / 2, 7, 30);
            Plane upright = planeAcross(PlaneAxis::x, 24.4, c.volume);
            upright.centre[2] += 0.2; // `exact` multiplies values without a share by 0
            for (const Plane& plane :
                 {turned(planeAcross(PlaneAxis::z, c.volume.slices / 2.0, c.volume), {0, 1, 0}, 20), upright}) {
                Workspace workspace, none;
                const Volume made = c.run("texture", plane, {}, workspace), exact = c.run("exact", plane, {}, none);
                std::size_t wrong = 0, both = 0;
                for (std::size_t k = 0; k < made.values.size(); ++k) {
                    wrong += std::isnan(made.values[k]) != std::isnan(exact.values[k]);
                    both += std::isnan(exact.values[k]);
                }
                QVERIFY2(both > 0 && wrong <= 2 + both / 4, qPrintable(QString("%1 of %2").arg(wrong).arg(both)));
            }
        }
    }

    // As in the program: `auto` takes `texture` for tilted planes, and for upright planes of voxels once others follow.
    void inTheProgram()
    {
        SINOSCOPE_NEEDS_GPU();
        Simulation simulation;
        simulation.phantom = Phantom::sheppLogan3d;
        simulation.size = 61;
        simulation.projections = 90;
        simulation.slices = 45;
        const auto scan = simulate(simulation);
        const VolumeSize volume = volumeOf(*scan);
        Request request = gpuRequestFor(scan, "auto");
        Reconstructor live, precise;
        for (const auto& [text, readsAll, method] : {std::tuple("x=30", true, "texture"),
                                                     {"y=20", true, "texture"},
                                                     {"z=20", true, "alu"},
                                                     {"x=30", false, "alu"},
                                                     {"z=20.5", true, "texture"},
                                                     {"centre=30,30,22;u=1,1,0;v=0,0.4,1", true, "texture"},
                                                     {"centre=30,30,22;u=1,1,0;v=0,0.4,1", false, "texture"}}) {
            request.place.part = engine::PlanePart{planeFromText(text, volume), readsAll};
            const Reconstruction made = live.run(request);
            QCOMPARE(made.method, std::string(method));
            Request exact = requestFor(scan, "exact");
            exact.place = request.place;
            const auto closed = [&](const Volume& image) {
                return closeGaps(*request.place.plane(), volume.slices, image);
            };
            const double error = relativeError(closed(made.image), closed(precise.run(exact).image));
            QVERIFY2(error < 8e-3, qPrintable(QString("%1: %2").arg(text).arg(error)));
        }
        request.setting.kernel.precision = Precision::half;
        QCOMPARE(live.run(request).method, std::string("texture"));
        request.place.previewStep = 4;
        std::get<engine::PlanePart>(request.place.part).othersFollow = true;
        QCOMPARE(live.run(request).image.width, (request.place.plane()->width + 3) / 4);
    }

    void stops()
    {
        SINOSCOPE_NEEDS_GPU();
        const PlaneCase c(parallelOf(64, 50, 31.2), 40);
        const Plane plane = planeAcross(PlaneAxis::x, 30, c.volume);
        Workspace workspace;
        Volume image(1, plane.height, plane.width);
        std::stop_source source;
        source.request_stop();
        const auto launch = [&](std::stop_token stop) {
            launchCudaPlaneFor(c, plane, image, workspace, std::move(stop));
        };
        QVERIFY(fails(ErrorKind::cancelled, {}, [&] { launch(source.get_token()); }));
        launch({}); // the workspace is still valid
        Workspace none;
        QVERIFY(relativeError(image, c.run("exact", plane, {}, none)) < 5e-3);
    }

  private:
    static void launchCudaPlaneFor(const PlaneCase& c, const Plane& plane, Volume& image, Workspace& workspace,
                                   std::stop_token stop)
    {
        engine::launch(*findMethod("texture", c.geometry),
                       {.sinograms = c.single,
                        .firstRow = c.rows.first,
                        .geometry = c.geometry,
                        .grid = c.grid(),
                        .plane = &plane,
                        .filteredKey = c.key(),
                        .kernel = {},
                        .image = image,
                        .stop = std::move(stop)},
                       workspace);
    }
};

SINOSCOPE_TEST(PlaneOnGpuTest, QCoreApplication)
#include "plane_test.moc"

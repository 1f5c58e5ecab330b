// SPDX-License-Identifier: GPL-3.0-or-later
// The processor's methods for cone beams against `exact`: `cpu` with the kernels of every instruction set, and every
// step of `ladder`.
#include "tests/engine/backends/cone_noise.h"
#include "tests/processor_time.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace fixtures;
using namespace conenoise;
using std::numbers::pi;

namespace
{

struct Named {
    const char* name;
    ConeCase c;
};

// Angles at which ties occur, and more angles than fit in two blocks of projections
std::vector<double> someAngles()
{
    std::vector<double> angles = {0, pi / 4, pi / 2, pi, -pi / 2, 2 * pi};
    for (int k = 0; k < 5; ++k)
        angles.push_back(0.37 + 1.19 * k);
    return angles;
}

std::vector<Named> geometries()
{
    std::vector<Named> cases;
    const ConeBeam beam = beamOf(37, 29, someAngles());
    cases.push_back({"mirrored", ConeCase(beam)});
    ConeBeam even = beamOf(24, 22, someAngles()); // an odd number of slices: the middle one lies between two rows
    even.volume.slices = 21;
    cases.push_back({"between rows", ConeCase(even)});
    ConeBeam offset = beam;
    offset.centralRow = 11.3;
    offset.axisBins = {14.7};
    cases.push_back({"offset", ConeCase(offset)});
    ConeBeam wandering = offset;
    wandering.axisBins.clear();
    for (int p = 0; p < wandering.projections(); ++p)
        wandering.axisBins.push_back(17 + 0.3 * p);
    cases.push_back({"an axis a projection", ConeCase(wandering)});
    ConeBeam tilted = offset;
    tilted.tiltRad = 0.05;
    tilted.rollRad = -0.03;
    cases.push_back({"tilted", ConeCase(tilted)});
    ConeBeam fan = beamOf(37, 1, someAngles());
    cases.push_back({"fan", ConeCase(fan)});
    fan.volume.slices = 19;
    cases.push_back({"fan, many slices", ConeCase(fan)});
    ConeCase region(beam);
    region.grid = {{37, 3, 5, 21, 18, 1}, 4, 1, 13};
    cases.push_back({"region", region});
    ConeCase preview(beam);
    preview.grid = {{37, 0, 0, 13, 12, 3}, 1, 2, 14};
    cases.push_back({"preview", preview});
    ConeCase band(beam, 6, 17);
    band.grid.z0 = 9;
    band.grid.slices = 10;
    cases.push_back({"band of rows", band});
    ConeBeam fine = beam;
    fine.volume = {0.3, 40, 61};
    cases.push_back({"small voxels", ConeCase(fine)});
    ConeBeam coarse = beam;
    coarse.volume = {1.55, 20, 23}; // 1.4 to 1.75 rows per voxel, and voxels beyond the cone
    cases.push_back({"large voxels", ConeCase(coarse)});
    ConeBeam flipped = offset;
    flipped.matrices = projectionMatrices(offset);
    for (ProjectionMatrix& m : flipped.matrices) // rows count upwards
        for (int k = 4; k < 8; ++k)
            m[k] = 28 * m[k + 4] - m[k];
    cases.push_back({"matrices, upside down", ConeCase(flipped)});
    ConeBeam tall = beamOf(19, 701, {0.2, 1.1, 2.9, 4.4, 5.9});
    tall.sourceAxisMm = 4000;
    tall.sourceDetectorMm = 6400;
    cases.push_back({"tall", ConeCase(tall)});
    tall.centralRow += 7.2;
    cases.push_back({"tall, offset", ConeCase(tall)});
    return cases;
}

QString describe(const char* name, const Kernel& kernel, double error)
{
    return QString("%1: %2 %3 ×%4 %5: %6")
        .arg(name, toText(kernel.interpolation).c_str(), toText(kernel.precision).c_str())
        .arg(kernel.slicesPerPass)
        .arg(kernel.variant.c_str())
        .arg(error);
}

double boundOf(Precision precision)
{
    return precision == Precision::half ? 1e-3 : 1e-5;
}

} // namespace

class ConeCpuTest : public QObject
{
    Q_OBJECT

  private slots:
    void everyInstructionSet()
    {
        for (const Named& named : geometries())
            for (const Interpolation interpolation : {Interpolation::nearest, Interpolation::linear}) {
                const Volume exact = named.c.run("exact", {.interpolation = interpolation});
                for (const std::string& target : processorTargets())
                    for (const Precision precision : {Precision::single, Precision::half})
                        for (const int slices : {1, 8, 16, 32, 64}) {
                            const Kernel kernel{.interpolation = interpolation,
                                                .precision = precision,
                                                .slicesPerPass = slices,
                                                .variant = target};
                            const double error = relativeError(named.c.run("cpu", kernel), exact);
                            if (!(error < boundOf(precision)))
                                QFAIL(qPrintable(describe(named.name, kernel, error)));
                        }
            }
    }

    void everyStepOfTheLadder()
    {
        const Method& ladder = *findMethod("ladder", ConeBeam{});
        const std::vector<Variant> steps = variantsOf(ladder);
        QCOMPARE(steps.size(), std::size_t(15)); // nine steps and six sizes of batches
        for (const Named& named : geometries()) {
            const Volume exact = named.c.run("exact", {});
            for (const std::string& target : processorTargets()) {
                const ForcedTarget forced(target);
                for (const Variant& step : steps)
                    for (const Precision precision : {Precision::single, Precision::half}) {
                        const Kernel kernel{.precision = precision, .variant = step.id};
                        const double error = relativeError(named.c.run("ladder", kernel), exact);
                        // Positions in single precision are off by up to 3·10⁻⁵ of a bin here, others by 10⁻⁷.
                        const double positions = step.id == "scalar" ? 3e-5 : 0;
                        if (!(error < boundOf(precision) + positions))
                            QFAIL(qPrintable(describe(named.name, kernel, error)));
                    }
            }
        }
        QVERIFY(fails(ErrorKind::badRequest, [&] { geometries()[0].c.run("ladder", {.variant = "no such step"}); }));
    }

    // Half precision rounds the stored values.
    void halvesAreRounded()
    {
        const ConeCase c(beamOf(37, 29, someAngles()));
        const Volume exact = c.run("exact", {});
        for (const char* id : {"cpu", "ladder"})
            for (const int slices : {1, 16})
                QVERIFY(relativeError(c.run(id, {.precision = Precision::half, .slicesPerPass = slices}), exact) >
                        1e-6);
    }

    // Slices wider than a tile: nothing is written beyond the last of them.
    void nothingBeyondTheVolume()
    {
        const ConeCase c(beamOf(133, 9, {0.2, 1.1, 2.9}));
        const Volume exact = c.run("exact", {});
        for (const char* id : {"cpu", "ladder"})
            for (const int slices : {1, 16}) {
                Volume image(c.grid.slices + 1, c.grid.height, c.grid.width);
                std::fill(image.values.begin(), image.values.end(), notANumber);
                --image.slices;
                c.launch(id, {.slicesPerPass = slices}, 1, image);
                QVERIFY(std::ranges::all_of(image.slice(c.grid.slices), [](float value) { return std::isnan(value); }));
                image.values.resize(exact.values.size());
                QVERIFY(relativeError(image, exact) < boundOf(Precision::single));
            }
    }

    void sameBitsForAnyThreads()
    {
        for (const Named& named : geometries())
            for (const Interpolation interpolation : {Interpolation::nearest, Interpolation::linear})
                for (const char* id : {"cpu", "ladder"})
                    for (const int slices : {1, 64}) {
                        const Kernel kernel{.interpolation = interpolation, .slicesPerPass = slices};
                        const Volume one = named.c.run(id, kernel, 1);
                        for (const int threads : {2, 3})
                            QVERIFY2(one.values == named.c.run(id, kernel, threads).values, named.name);
                    }
    }

    // A value that is not finite reaches the voxels whose rays meet it, and no other voxels.
    void notFiniteStaysWhereItIs()
    {
        const int projection = 4, row = 9, bin = 13;
        for (const Named& named : geometries()) {
            if (named.c.single.slices <= row)
                continue;
            for (const float bad : {notANumber, std::numeric_limits<float>::infinity()}) {
                ConeCase c = named.c;
                c.values()[(static_cast<std::size_t>(row) * c.beam.projections() + projection) * c.beam.bins + bin] =
                    bad;
                const Geometry geometry = c.beam;
                Volume shape(c.grid.slices, c.grid.height, c.grid.width);
                const ProjectionMatrix view = viewsOf({.sinograms = c.single,
                                                       .firstRow = c.firstRow,
                                                       .geometry = geometry,
                                                       .grid = c.grid,
                                                       .kernel = {},
                                                       .image = shape},
                                                      FilterPrecision::float32)[projection];
                for (const Interpolation interpolation : {Interpolation::nearest, Interpolation::linear})
                    for (const char* id : {"cpu", "ladder"})
                        for (const Precision precision : {Precision::single, Precision::half})
                            for (const int slices : {1, 64}) {
                                if (id == std::string("ladder") && interpolation == Interpolation::nearest)
                                    continue;
                                const Kernel kernel{
                                    .interpolation = interpolation, .precision = precision, .slicesPerPass = slices};
                                const QString wrong = strayed(c, c.run(id, kernel), view, row, bin, interpolation);
                                if (!wrong.isEmpty())
                                    QFAIL(qPrintable(describe(named.name, kernel, slices) + id + wrong));
                            }
            }
        }
    }

    // The limit is processor time of each thread, several times what it takes, so that a slow or busy machine does not
    // fail the test.
    void stopsSoon()
    {
        ConeBeam beam = beamOf(160, 160, evenAngles(400, 2 * pi));
        const ConeCase c(beam);
        std::vector<Kernel> kernels = {{.method = "cpu", .slicesPerPass = 64}, {.method = "cpu", .slicesPerPass = 1}};
        for (const Variant& step : variantsOf(*findMethod("ladder", ConeBeam{})))
            kernels.push_back({.method = "ladder", .variant = step.id});
        constexpr int threads = 2;
        for (const Kernel& kernel : kernels) {
            std::stop_source source;
            std::atomic<bool> begun = false;
            double asked = std::numeric_limits<double>::quiet_NaN();
            std::jthread asks([&] {
                while (!begun)
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                const double first = processor_time::ofThisProcess();
                while (processor_time::ofThisProcess() < first + 0.01) // in the middle of the computation
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                asked = processor_time::ofThisProcess();
                source.request_stop();
            });
            Volume image(c.grid.slices, c.grid.height, c.grid.width);
            const auto progress = [&](double) { begun = true; };
            const bool cancelled = fails(ErrorKind::cancelled, [&] {
                c.launch(kernel.method.c_str(), kernel, threads, image, progress, source.get_token());
            });
            const double ended = processor_time::ofThisProcess();
            begun = true;
            asks.join();
            QVERIFY(cancelled);
            const double seconds = (ended - asked) / threads;
            QVERIFY2(seconds < (sanitized ? 1 : 0.2), qPrintable(describe("stop", kernel, seconds)));
        }
    }

    void progressReachesTheEnd()
    {
        const ConeCase c(beamOf(37, 29, someAngles()));
        for (const char* id : {"cpu", "ladder"})
            for (const int slices : {1, 16}) {
                Volume image(c.grid.slices, c.grid.height, c.grid.width);
                std::atomic<double> last = 0;
                c.launch(id, {.slicesPerPass = slices}, 1, image, [&](double share) { last = share; });
                QCOMPARE(last.load(), 1.0);
            }
    }

    void saysWhatItFallsBackTo()
    {
        ConeBeam tilted = beamOf(20, 18, {0.1, 0.7, 2.5});
        tilted.tiltRad = 0.02;
        const ConeCase c(tilted);
        Volume image(c.grid.slices, c.grid.height, c.grid.width);
        QCOMPARE(c.launch("cpu", {.slicesPerPass = 16}, 1, image).notes.size(), std::size_t(1));
        QCOMPARE(c.launch("ladder", {.variant = "subline"}, 1, image).notes.size(), std::size_t(1));
        QVERIFY(c.launch("ladder", {.variant = "transpose"}, 1, image).notes.empty());
    }

    void whatItRefuses()
    {
        Request request;
        auto scan = std::make_shared<Scan>();
        scan->geometry = beamOf(20, 18, {0.1, 0.7, 2.5});
        request.scan = scan;
        request.resources.device.backend = "cpu";
        QCOMPARE(std::string(methodFor(request).id), std::string("cpu"));
        QVERIFY(methodFor(request).takes(scan->geometry));
        request.setting.kernel.method = "ladder";
        QVERIFY(!errorOf([&] { methodFor(request); }));
        request.setting.kernel.interpolation = Interpolation::nearest;
        QVERIFY(fails(ErrorKind::badRequest, [&] { methodFor(request); }));
        request.setting.kernel.method = "cpu";
        QVERIFY(!errorOf([&] { methodFor(request); }));
        request.setting.kernel.interpolation = Interpolation::cubic;
        QVERIFY(fails(ErrorKind::badRequest, [&] { methodFor(request); }));
    }

  private:
    // Describes the first voxel that is finite and should not be, or that is not finite and should be.
    static QString strayed(const ConeCase& c, const Volume& image, const ProjectionMatrix& view, int row, int bin,
                           Interpolation interpolation)
    {
        const double reach = interpolation == Interpolation::nearest ? 0.5 : 1;
        for (int k = 0; k < c.grid.slices; ++k)
            for (int j = 0; j < c.grid.height; ++j)
                for (int i = 0; i < c.grid.width; ++i) {
                    const Meeting at = meetingOf(view, i, j, k);
                    const double distance = std::max(std::abs(at.h - bin), std::abs(at.r - row));
                    const bool finite = std::isfinite(image.slice(k)[static_cast<std::size_t>(j) * c.grid.width + i]);
                    if ((distance > reach + 1e-5 && !finite) || (distance < reach - 1e-2 && finite))
                        return QString(": voxel %1, %2, %3, %4 from it").arg(i).arg(j).arg(k).arg(distance);
                }
        return {};
    }
};

SINOSCOPE_TEST(ConeCpuTest, QCoreApplication)
#include "cone_cpu_test.moc"

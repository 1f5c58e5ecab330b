// SPDX-License-Identifier: GPL-3.0-or-later
// Cone beams on a GPU: every method, variant, interpolation and precision against `exact`, on random data.
#include "tests/gpu/device.h"
#include "tests/gpu/hoard.h"

#include "engine/backends/backend.h"
#include "engine/backends/cone/views.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/resolve/resolve.h"
#include "engine/scan/cone_options.h"
#include "engine/simulate/phantom.h"
#include "engine/volume/rank_grid.h"
#include "engine/volume/reconstruct_volume.h"
#include "engine/volume/volume_plan.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <random>

using namespace fixtures;
using namespace engine;

namespace
{

// Random filtered rows, and the other arguments of a launch.
struct ConeCase {
    Geometry geometry;
    VolumeGrid grid;
    RowRange rows;
    FilteredSinograms single, twice;

    ConeCase(const ConeBeam& beam, RowRange slices, unsigned seed = 3) : geometry(beam)
    {
        grid = {{beam.volume.size, 0, 0, beam.volume.size, beam.volume.size, 1}, double(slices.first), 1, slices.count};
        rows = rowsFor(geometry, grid);
        std::mt19937 generator(seed);
        Values values(std::size_t(rows.count) * beam.projections() * beam.bins);
        for (float& value : values)
            value = static_cast<float>(static_cast<int>(generator() >> 8) - (1 << 23)) * 0x1p-23f;
        twice = {rows.count, beam.projections(), beam.bins, Buffer<double>(values.begin(), values.end())};
        single = {rows.count, beam.projections(), beam.bins, std::move(values)};
    }

    Volume run(const std::string& id, const Kernel& kernel) const
    {
        const Method& method = *findMethod(id, geometry);
        const bool wide = method.filterPrecision == FilterPrecision::float64;
        Volume image(grid.slices, grid.height, grid.width);
        std::fill(image.values.begin(), image.values.end(), notANumber);
        Workspace workspace;
        launch(method,
               {.sinograms = wide ? twice : single,
                .firstRow = rows.first,
                .geometry = geometry,
                .grid = grid,
                .kernel = kernel,
                .image = image},
               workspace);
        return image;
    }
};

ConeBeam beamOf(int size, int projections, double halfConeDeg, double offset = 0)
{
    ConeOptions options;
    options.sourceAxisMm = size / 2.0 / std::tan(halfConeDeg * degree);
    options.sourceDetectorMm = 1.5 * *options.sourceAxisMm;
    options.pixelUMm = 1.5;
    options.offsetUMm = 1.5 * offset;
    return coneBeamFrom(options, size, size, evenAngles(projections, 2 * std::numbers::pi), "test");
}

// Returns the error that a method may have. The filtered values are noise, so neighbouring values differ as much as
// the values are large. With interpolation, a position that is wrong by e pixels therefore changes a sample by e times
// its size. With `nearest`, either of the position's two coordinates is rounded to the wrong pixel with probability 2e.
double boundOf(const Method& method, const Kernel& kernel)
{
    constexpr double position = 2e-5; // error of positions in float, at the sizes here
    if (kernel.interpolation == Interpolation::nearest)
        return std::sqrt(2 * 4 * position) + (kernel.precision == Precision::half ? 3e-4 : 0);
    if (method.textureWeights)
        return 5e-3; // weights of 8 bits
    return kernel.precision == Precision::half ? 1e-3 : 1e-5;
}

} // namespace

class ConeOnGpuTest : public QObject
{
    Q_OBJECT

    static void compare(const ConeCase& c, const char* what,
                        const std::vector<Interpolation>& interpolations = {Interpolation::linear,
                                                                            Interpolation::nearest})
    {
        for (const Method* method : methodsFor(c.geometry)) {
            if (method->backend != &cudaBackend)
                continue;
            std::vector<std::string> variants{""};
            for (const Variant& variant : variantsOf(*method))
                variants.push_back(variant.id);
            for (const Interpolation interpolation : interpolations)
                for (const Precision precision : {Precision::single, Precision::half}) {
                    const Volume exact = c.run("exact", {.interpolation = interpolation});
                    for (const std::string& variant : variants)
                        for (const int slices : method->slicesPerPass) {
                            const Kernel kernel{.method = method->id,
                                                .interpolation = interpolation,
                                                .precision = precision,
                                                .slicesPerPass = slices,
                                                .variant = variant};
                            const double error = relativeError(c.run(method->id, kernel), exact);
                            QVERIFY2(error <= boundOf(*method, kernel),
                                     qPrintable(QStringLiteral("%1: %2 %3 %4 %5 %6 slices: %7")
                                                    .arg(what, method->id, variant.c_str(),
                                                         toText(interpolation).c_str(), toText(precision).c_str())
                                                    .arg(slices)
                                                    .arg(error)));
                        }
                }
        }
    }

  private slots:
    void everyMethodIsExact()
    {
        SINOSCOPE_NEEDS_GPU();
        compare({beamOf(64, 44, 5), {0, 64}}, "symmetric");
        compare({beamOf(67, 45, 9), {0, 67}}, "odd");
        compare({beamOf(33, 16, 20, 3.3), {0, 33}}, "wide and offset");
        compare({beamOf(96, 30, 8), {5, 21}}, "a slab");
        compare({beamOf(50, 20, 8), {49, 1}}, "the last slice");
        ConeBeam fan = beamOf(65, 40, 8);
        fan.rows = 1;
        fan.centralRow = 0;
        fan.volume.slices = 1;
        compare({fan, {0, 1}}, "fan");
        ConeBeam leaning = beamOf(48, 24, 8);
        leaning.tiltRad = 0.02;
        leaning.rollRad = -0.03;
        compare({leaning, {0, 48}}, "tilted");
        ConeBeam free = leaning;
        free.matrices = projectionMatrices(leaning);
        compare({free, {3, 40}}, "matrices");
        ConeBeam coarse = beamOf(48, 24, 8, 0.37); // no ties between two bins on diagonals at 45°
        coarse.volume = {2.7, 18, 18};
        compare({coarse, {0, 18}}, "large voxels");
        coarse.volume = {0.41, 40, 88};
        compare({coarse, {0, 90}}, "small voxels");
        coarse.volume = {7.3, 20, 20};
        compare({coarse, {0, 20}}, "mostly beyond the detector");
        ConeBeam tall = beamOf(33, 16, 5, 0.37);
        tall.volume = {0.97, 33, 300};
        // A slab that contains only the fringe of the outermost rows would have small values, so that rounding errors
        // would be relatively large: such slabs are avoided.
        for (const RowRange slab : {RowRange{0, 16}, RowRange{284, 16}, RowRange{110, 80}})
            compare({tall, slab}, "taller than the cone");
    }

    // Rows are closer together or further apart than voxels, and start anywhere in the patch that a block of voxels
    // reads.
    void voxelsOfManySizes()
    {
        SINOSCOPE_NEEDS_GPU();
        for (int k = 0; k < 14; ++k) {
            ConeBeam beam = beamOf(40, 9, 6, 0.37 + 0.11 * k);
            beam.volume = {0.62 + 0.06 * k, 24, 33};
            compare({beam, {k % 5, 28}}, "voxels", {Interpolation::linear}); // under `nearest`, many would be ties
        }
        ConeBeam smallest = beamOf(1, 7, 5, 0.125);
        smallest.rows = 17;
        smallest.centralRow = 8;
        smallest.volume.slices = 17;
        compare({smallest, {5, 11}}, "one column", {Interpolation::linear});
    }

    // Regions and previews equal the same part of the whole slice.
    void regionsAndPreviews()
    {
        SINOSCOPE_NEEDS_GPU();
        ConeCase c(beamOf(64, 44, 5), {20, 9});
        c.grid = {{64, 5, 9, 30, 21, 1}, 20, 1, 9};
        compare(c, "region");
        c.grid = {{64, 1.5, 1.5, 16, 16, 4}, 20, 1, 9};
        compare(c, "preview");
    }

    // A value that is not finite affects only the voxels whose rays meet it, whether it lies inside of the detector or
    // in a corner.
    void notANumberStaysWithItsRays_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("bin");
        QTest::newRow("inside") << 20 << 30;
        QTest::newRow("corner") << 0 << 0;
        QTest::newRow("opposite corner") << 47 << 47;
    }

    void notANumberStaysWithItsRays()
    {
        SINOSCOPE_NEEDS_GPU();
        QFETCH(const int, row);
        QFETCH(const int, bin);
        ConeBeam beam = beamOf(48, 20, 6);
        beam.volume = {0.8, 80, 80}; // also voxels beyond the detector
        ConeCase c(beam, {0, 80});
        const std::size_t place = (std::size_t(row) * 20 + 7) * 48 + bin;
        std::get<Values>(c.single.values)[place] = notANumber;
        std::get<Buffer<double>>(c.twice.values)[place] = std::nan("");
        const Volume exact = c.run("exact", {});
        for (const Method* method : methodsFor(c.geometry)) {
            if (method->backend != &cudaBackend)
                continue;
            std::vector<std::string> variants{""};
            for (const Variant& variant : variantsOf(*method))
                variants.push_back(variant.id);
            for (const std::string& variant : variants) {
                const Volume image =
                    c.run(method->id, {.slicesPerPass = method->slicesPerPass.back(), .variant = variant});
                std::size_t wrong = 0, both = 0;
                for (std::size_t k = 0; k < image.values.size(); ++k) {
                    wrong += std::isnan(image.values[k]) != std::isnan(exact.values[k]);
                    both += std::isnan(exact.values[k]);
                }
                // `wrong` counts voxels at the edge of these rays, where rounding decides.
                QVERIFY2(both > 100 && wrong <= both / 50,
                         qPrintable(
                             QStringLiteral("%1 %2: %3 of %4").arg(method->id, variant.c_str()).arg(wrong).arg(both)));
            }
        }
    }

    // As in the program: recorded rows, prepared and filtered on the GPU, compared with the processor's result.
    void fromRecordedRowsToTheVolume()
    {
        SINOSCOPE_NEEDS_GPU();
        ConeBeam beam = beamOf(70, 64, 6, 1.25);
        auto scan = std::make_shared<Scan>();
        scan->name = "noise";
        scan->rows = beam.rows;
        scan->geometry = beam;
        scan->quantity = Quantity::counts;
        scan->read = [beam](RowRange rows, std::stop_token) {
            RawRows raw;
            raw.rows = rows;
            raw.bins = beam.bins;
            raw.projections = beam.projections();
            Values values(std::size_t(rows.count) * beam.bins * beam.projections());
            for (std::size_t p = 0; p < std::size_t(beam.projections()); ++p)
                for (int r = 0; r < rows.count; ++r) {
                    std::mt19937 generator(unsigned(p * 1000 + rows.first + r));
                    for (int b = 0; b < beam.bins; ++b)
                        values[(p * rows.count + r) * beam.bins + b] = 500.0f + float(generator() % 9000);
                }
            raw.data = std::move(values);
            raw.darkFrames = raw.flatFrames = 1;
            raw.darks.assign(std::size_t(rows.count) * beam.bins, 100.0f);
            raw.flats.assign(std::size_t(rows.count) * beam.bins, 10100.0f);
            return raw;
        };
        for (const RowRange slices : {RowRange{0, 70}, RowRange{10, 7}}) {
            Request request = requestFor(scan, "exact");
            request.place.setSlices(slices);
            const Volume exact = Reconstructor().run(request).image;
            for (const char* id : {"columns", "texture", "standard", "shuffle"}) {
                Request onGpu = gpuRequestFor(scan, id);
                onGpu.place.setSlices(slices);
                const Reconstruction made = Reconstructor().run(onGpu);
                QCOMPARE(made.method, std::string(id));
                QVERIFY2(relativeError(made.image, exact) <
                             (findMethod(id, scan->geometry)->textureWeights ? 8e-3 : 2e-5),
                         qPrintable(QStringLiteral("%1: %2").arg(id).arg(relativeError(made.image, exact))));
            }
        }
    }

    // Sums over projections, filtered on the GPU or on the processor.
    void sumsOfProjections()
    {
        SINOSCOPE_NEEDS_GPU();
        Simulation simulation; // counts, which the GPU prepares when it filters
        simulation.phantom = Phantom::sheppLogan3d;
        const auto scan = simulate(simulation, beamOf(64, 61, 5, 13));
        for (const Method* method : methodsFor(scan->geometry)) {
            if (method->backend != &cudaBackend)
                continue;
            for (const FilterOn filterOn : {FilterOn::gpu, FilterOn::processor}) {
                Request request = gpuRequestFor(scan, method->id);
                request.place.setSlices({5, 40});
                request.resources.filterOn = filterOn;
                QCOMPARE(resolve(request).route.mayPrepareOnDevice, filterOn == FilterOn::gpu);
                const Volume all = Reconstructor().run(request).image;
                Volume sum;
                Reconstructor kept;
                for (int column = 0; column < 3; ++column) {
                    request.place.projections = projectionsOfColumn(61, {1, 3}, column);
                    const Volume part = kept.run(request).image;
                    if (column == 0)
                        sum = part;
                    else
                        std::ranges::transform(sum.values, part.values, sum.values.begin(), std::plus());
                }
                const double error = relativeError(sum, all);
                QVERIFY2(
                    error < 1e-6,
                    qPrintable(QString("%1, filter on %2: %3").arg(method->id, toText(filterOn).c_str()).arg(error)));
            }
        }
    }

    // A volume is planned in slabs, so that one slab is reconstructed while another is read or written. It is planned
    // as a whole if it is small, if the kernel needs mirrored pairs, or if the file stores all rows together.
    void plansOfVolumes()
    {
        SINOSCOPE_NEEDS_GPU();
        const auto small = simulate({.phantom = Phantom::sheppLogan3d}, beamOf(64, 61, 5));
        const auto scan = simulate({.phantom = Phantom::sheppLogan3d}, beamOf(640, 320, 5));
        const auto slices = [](const std::shared_ptr<const Scan>& of, const char* method) {
            Request request = gpuRequestFor(of, method);
            request.resources.memoryLimitBytes = 40e9;
            const VolumePlan plan = planVolume(request);
            return plan.overlapped ? plan.slicesPerGroup : -plan.slicesPerGroup;
        };
        QCOMPARE(slices(small, "columns"), -64);
        QCOMPARE(slices(scan, "columns"), 160);
        QCOMPARE(slices(scan, "texture"), -640);
        auto together = std::make_shared<Scan>(*scan);
        together->rowsTogether = 640;
        QCOMPARE(slices(together, "columns"), -640);

        const auto chosen = [&](Precision precision, RowRange of) {
            Request request = gpuRequestFor(scan, "auto");
            request.place.setSlices(of);
            request.setting.kernel.precision = precision;
            chooseSlicesPerPass(request);
            return std::string(methodFor(request).id);
        };
        QCOMPARE(chosen(Precision::single, {0, 640}), "columns");
        QCOMPARE(chosen(Precision::half, {0, 640}), "texture");
        QCOMPARE(chosen(Precision::half, {100, 440}), "texture");
        QCOMPARE(chosen(Precision::half, {0, 320}), "columns");

        Request shared = gpuRequestFor(scan, "auto");
        shared.place.setSlices({0, 640});
        shared.setting.kernel.precision = Precision::half;
        shared.resources.device = {"cuda", 0};
        shared.resources.others = {{"cuda", 0}};
        shared.resources.memoryLimitBytes = 40e9;
        chooseSlicesPerPass(shared);
        QCOMPARE(methodFor(shared).id, "texture");
        QVERIFY(inPairs(shared).place.pairsOf().has_value());
        QCOMPARE(planVolume(shared).slicesPerGroup, 320);
        QCOMPARE(planVolume(shared).workers, 2);
        Request slab = shared; // no pairs either
        slab.place.part = SlabPart{slab.place.slices(), Slab{320, 320, 30, 80, 20}};
        QVERIFY(inPairs(slab) == slab && planVolume(slab).slicesPerGroup > 1);
        Request tight = inPairs(shared); // too little memory for pairs, which also need the rows between them
        tight.resources.others.clear();
        tight.resources.memoryLimitBytes = 0.9 * bytesOfOnePass(tight);
        tight.place = shared.place;
        QVERIFY(!inPairs(tight).place.pairsOf().has_value());
        QVERIFY(planVolume(tight).bytes <= tight.resources.memoryLimitBytes);
        shared.setting.kernel.precision = Precision::single;
        shared.setting.kernel.slicesPerPass = 1;
        QVERIFY(!inPairs(shared).place.pairsOf().has_value()); // `columns` needs no pairs
    }

    // Devices share a volume in groups of mirrored pairs: each device has slices that mirror each other.
    void inGroupsOfPairs_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("variant");
        QTest::addColumn<bool>("half");
        QTest::addColumn<int>("slices");
        for (const int slices : {256, 199})
            for (const bool half : {false, true}) {
                for (const char* variant : {"", "single", "mirrored", "fourfold"})
                    QTest::addRow("texture %s, %s, %d slices", variant, half ? "half" : "float", slices)
                        << "texture" << variant << half << slices;
                for (const char* variant : {"", "rtk-32", "tex-tran", "bp-l1"})
                    QTest::addRow("shuffle %s, %s, %d slices", variant, half ? "half" : "float", slices)
                        << "shuffle" << variant << half << slices;
            }
    }
    void inGroupsOfPairs()
    {
        SINOSCOPE_NEEDS_GPU();
        QFETCH(const QString, method);
        QFETCH(const QString, variant);
        QFETCH(const bool, half);
        QFETCH(const int, slices);
        static const auto scan = simulate({.phantom = Phantom::sheppLogan3d}, beamOf(256, 122, 5));
        Request request = gpuRequestFor(scan, method.toStdString());
        QVERIFY(variant.isEmpty() || hasVariant(methodFor(request), variant.toStdString()));
        request.setting.kernel.variant = variant.toStdString();
        request.setting.kernel.precision = half ? Precision::half : Precision::single;
        request.resources.device = {"cuda", 0};
        request.place.setSlices({(256 - slices) / 2, slices});
        const Reconstruction whole = Reconstructor().run(request);
        for (const int group : {50, 128, 0}) { // 0: on two GPUs, if available
            const int workers = group > 0 ? 1 : 2;
            if (workers > int(cudaDevices().devices.size()))
                continue;
            if (workers == 2)
                request.resources.others = {{"cuda", 1}};
            const VolumePlan plan{.slicesPerGroup = group > 0 ? group : 64, .workers = workers, .shortEnds = false};
            Volume made(slices, 256, 256);
            std::ranges::fill(made.values, notANumber);
            const Reconstruction facts =
                reconstructVolume(request, plan, [&](Reconstruction& group, const std::stop_token&) {
                    int k = 0;
                    for (const RowRange& run : runsOf(group.request.place))
                        for (int slice = run.first; slice < run.first + run.count; ++slice)
                            std::ranges::copy(group.image.slice(k++),
                                              made.slice(slice - request.place.slices().first).begin());
                });
            const double error = relativeError(made, whole.image);
            const bool coarse = half || methodFor(request).textureWeights;
            QVERIFY2(error < (coarse ? 1e-4 : 5e-6), qPrintable(QString::number(error)));
            qInfo("%d slices at once: kernel %.2f ms, %.2f ms of all at once, error %.1e", plan.slicesPerGroup,
                  1e3 * facts.timings.kernelSeconds, 1e3 * whole.timings.kernelSeconds, error);
        }
    }

    // A volume that exceeds the memory of the GPU is computed in parts, each of mirrored pairs if the kernel needs
    // them.
    void inParts_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<bool>("half");
        QTest::addColumn<int>("slices");
        for (const int slices : {256, 199})
            for (const bool half : {false, true})
                for (const char* method : {"texture", "shuffle", "columns", "standard"})
                    QTest::addRow("%s, %s, %d slices", method, half ? "half" : "float", slices)
                        << method << half << slices;
    }
    void inParts()
    {
        SINOSCOPE_NEEDS_GPU();
        QFETCH(const QString, method);
        QFETCH(const bool, half);
        QFETCH(const int, slices);
        static const auto scan = simulate({.phantom = Phantom::sheppLogan3d}, beamOf(256, 122, 5));
        Request request = gpuRequestFor(scan, method.toStdString());
        request.setting.kernel.precision = half ? Precision::half : Precision::single;
        request.resources.device = {"cuda", 0};
        request.place.setSlices({(256 - slices) / 2, slices});
        const Reconstruction whole = Reconstructor().run(request);
        bool divided = false;
        for (const int megabytes : {480, 440, 400, 370, 350}) {
            const Hoard hoard(std::size_t(megabytes) << 20);
            std::optional<Reconstruction> made;
            if (const auto error = errorOf([&] { made = Reconstructor().run(request); })) {
                QCOMPARE(int(error->kind()), int(ErrorKind::noMemory));
                continue;
            }
            const auto saysSo = [](const Note& note) { return contains(note, " parts"); };
            if (!std::ranges::any_of(made->notes, saysSo))
                continue;
            divided = true;
            const double error = relativeError(made->image, whole.image);
            // The middle of a part is not that of the volume, so sums are rounded differently; weights of 8 bits also
            // have ties.
            const bool coarse = half || method == "texture" || method == "standard";
            QVERIFY2(error < (coarse ? 1e-4 : 5e-6), qPrintable(QString::number(error)));
            if (method == "shuffle" && slices == 256) // parts of mirrored pairs keep the middle, so all bits are equal
                QCOMPARE(made->image.values, whole.image.values);
            qInfo("%d MB: kernel %.2f ms in parts, %.2f ms at once, error %.1e", megabytes,
                  1e3 * made->timings.kernelSeconds, 1e3 * whole.timings.kernelSeconds, error);
        }
        QVERIFY(divided);
    }

    void stopsSoon()
    {
        SINOSCOPE_NEEDS_GPU();
        const ConeCase c(beamOf(256, 512, 5), {0, 256});
        Volume image(256, 256, 256);
        std::stop_source stop;
        Workspace workspace;
        const auto error = errorOf([&] {
            launch(*findMethod("shuffle", c.geometry),
                   {.sinograms = c.single,
                    .firstRow = c.rows.first,
                    .geometry = c.geometry,
                    .grid = c.grid,
                    .kernel = {},
                    .image = image,
                    .progress = [&](double) { stop.request_stop(); },
                    .stop = stop.get_token()},
                   workspace);
        });
        QVERIFY(error && error->kind() == ErrorKind::cancelled);
    }
};

SINOSCOPE_TEST(ConeOnGpuTest, QCoreApplication)
#include "cone_test.moc"

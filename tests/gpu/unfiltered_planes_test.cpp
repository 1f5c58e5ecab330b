// SPDX-License-Identifier: GPL-3.0-or-later
// Planes on a GPU that filters the projections itself, against `exact` and against a filter on the processor.
#include "engine/backends/backend.h"
#include "engine/backends/cuda/cuda_session.h"
#include "engine/reconstruct/plane_request.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/simulate/phantom.h"
#include "tests/gpu/plane_cases.h"

using namespace fixtures;

namespace
{

// Random line integrals with a filter: `raw` as they are, the projections of PlaneCase filtered by the processor.
struct UnfilteredCase : PlaneCase {
    Sinograms raw;
    FilterSettings settings;
    RayWeights weights;

    UnfilteredCase(PlaneCase of, FilterSettings with)
        : PlaneCase(std::move(of)), settings(with), weights(weighRays(geometry).weights)
    {
        raw = {single.slices, single.projections, single.bins, std::get<Values>(single.values)};
        weights.firstRow = rows.first;
        single = filterSinograms(raw, settings, weights, FilterPrecision::float32, 0);
        twice = filterSinograms(raw, settings, weights, FilterPrecision::float64, 0);
    }

    struct Made {
        Volume image;
        LaunchReport report;
    };
    // Launches `texture` with the filter. hasValues: false if the GPU should hold the projections.
    Made filtered(const Plane& plane, const Kernel& kernel, Workspace& workspace, bool hasValues = true) const
    {
        Made made{Volume(1, plane.height, plane.width), {}};
        std::fill(made.image.values.begin(), made.image.values.end(), notANumber);
        SinogramView view(raw);
        if (!hasValues)
            view.floats = {};
        made.report = launch(*findMethod("texture", geometry),
                             {.sinograms = view,
                              .firstRow = rows.first,
                              .geometry = geometry,
                              .grid = grid(),
                              .plane = &plane,
                              .filteredKey = key(),
                              .kernel = kernel,
                              .filter = OwnFilter{settings, weights, key()},
                              .image = made.image},
                             workspace);
        made.image = closeGaps(plane, volume.slices, std::move(made.image));
        return made;
    }
};

// Between images whose projections were rounded differently.
double roundingOf(Precision precision)
{
    return precision == Precision::half ? 1e-3 : 1e-5;
}

} // namespace

class UnfilteredPlanesTest : public QObject
{
    Q_OBJECT

    static void compare(const UnfilteredCase& c, const char* what, const std::vector<Plane>& planes)
    {
        Workspace here, byProcessor, none;
        for (const Precision precision : {Precision::single, Precision::half})
            for (const Plane& plane : planes) {
                const Kernel kernel{.precision = precision};
                const Volume made = c.filtered(plane, kernel, here).image;
                const double off = relativeError(made, c.run("texture", plane, kernel, byProcessor));
                const double error = relativeError(made, c.run("exact", plane, {}, none));
                QVERIFY2(off < roundingOf(precision) && error < boundOf(kernel),
                         qPrintable(QStringLiteral("%1, plane %2, %3: %4 from the processor's filter, %5 from exact")
                                        .arg(what, QString::fromStdString(toText(plane)), toText(precision).c_str())
                                        .arg(off)
                                        .arg(error)));
            }
        QCOMPARE(planesOf(here).uploadedProjections(), 2LL * c.raw.projections); // once per precision
    }

    // Returns the scan with a count of the readings of many rows.
    static std::shared_ptr<const Scan> counting(const Scan& scan, int& reads)
    {
        auto counted = std::make_shared<Scan>(scan);
        const auto counts = [most = scan.rows / 8, &reads](const RowRange& rows) { reads += rows.count > most; };
        counted->read = [read = scan.read, counts](RowRange rows, const std::stop_token& stop) {
            counts(rows);
            return read(rows, stop);
        };
        counted->readFrames = [read = scan.readFrames, counts](const FramePart& part, const std::stop_token& stop) {
            if (part.sides) // once for all projections
                counts(part.rows);
            return read(part, stop);
        };
        return counted;
    }

  private slots:
    void parallelBeams()
    {
        SINOSCOPE_NEEDS_GPU();
        const UnfilteredCase odd(PlaneCase(parallelOf(67, 45, 32.3), 41), {});
        compare(odd, "odd", planesThrough(odd.volume, 1, 3));
        const UnfilteredCase even(PlaneCase(parallelOf(64, 60, 31.437), 50),
                                  {.window = Window::hann, .cutoff = 0.7, .padMode = PadMode::edge});
        compare(even, "Hann, edge", planesThrough(even.volume, 2, 3));
        const UnfilteredCase none(PlaneCase(parallelOf(31, 40, 15.27), 9), {.window = Window::none});
        compare(none, "no window", planesThrough(none.volume, 3, 2));
    }

    // Cosines and redundancy: a full circle, a short scan, a displaced detector and matrices.
    void coneBeams()
    {
        SINOSCOPE_NEEDS_GPU();
        const UnfilteredCase circle(PlaneCase(coneOf(67, 45, 9, 0.37)), {});
        compare(circle, "circle", planesThrough(circle.volume, 1, 3));
        const UnfilteredCase arc(PlaneCase(coneOf(48, 50, 8, 0.37, 220)), {.padMode = PadMode::cylinder});
        QVERIFY(!arc.weights.redundancy.empty());
        compare(arc, "short scan", planesThrough(arc.volume, 2, 3));
        const UnfilteredCase aside(PlaneCase(coneOf(48, 50, 8, 9.3)), {});
        QVERIFY(!aside.weights.redundancy.empty());
        compare(aside, "aside", planesThrough(aside.volume, 3, 3));
        ConeBeam leaning = coneOf(48, 24, 8, 0.37);
        leaning.tiltRad = 0.02;
        ConeBeam free = leaning;
        free.matrices = projectionMatrices(leaning);
        const UnfilteredCase matrices(PlaneCase(free), {});
        compare(matrices, "matrices", planesThrough(matrices.volume, 4, 3));
    }

    // So many that they are uploaded and filtered in several blocks, with the weights of each.
    void severalBlocks()
    {
        SINOSCOPE_NEEDS_GPU();
        ParallelBeam uneven = parallelOf(400, 350, 199.3);
        for (int p = 0; p < 350; ++p)
            uneven.anglesRad[p] += 2e-3 * (p % 3);
        const UnfilteredCase c(PlaneCase(uneven, 256), {}); // 143 MB
        compare(c, "uneven angles", {planesThrough(c.volume, 5, 2).back(), planeAcross(PlaneAxis::y, 200.3, c.volume)});
        const UnfilteredCase arc(PlaneCase(coneOf(300, 400, 8, 0.37, 220)), {}); // 144 MB
        compare(arc, "short scan", {planesThrough(arc.volume, 6, 1).back()});
    }

    // Later planes need no values, and get the same bits; another key, or projections that a processor filtered, take
    // the place of the first ones.
    void filtersOnce()
    {
        SINOSCOPE_NEEDS_GPU();
        UnfilteredCase c(PlaneCase(parallelOf(64, 50, 31.2), 40), {});
        const Plane plane = planesThrough(c.volume, 7, 2).back();
        Workspace workspace;
        const auto first = c.filtered(plane, {}, workspace);
        QVERIFY(!first.report.filterReused && first.report.filterSeconds > 0);
        QVERIFY(planesOf(workspace).holds(c.key(), Precision::single));
        QVERIFY(!planesOf(workspace).holds(c.key(), Precision::half));
        const auto again = c.filtered(plane, {}, workspace, false);
        QVERIFY(again.report.filterReused);
        QCOMPARE(again.report.filterSeconds, first.report.filterSeconds);
        QVERIFY(again.image.values == first.image.values);
        QCOMPARE(planesOf(workspace).uploadedProjections(), 50LL);
        QVERIFY(fails(ErrorKind::badRequest, {"floats"},
                      [&] { c.filtered(plane, {.precision = Precision::half}, workspace, false); }));

        const auto scan = std::exchange(c.scan, std::make_shared<Scan>());
        QVERIFY(!planesOf(workspace).holds(c.key(), Precision::single));
        QVERIFY(!c.filtered(plane, {}, workspace).report.filterReused);
        c.run("texture", plane, {}, workspace);
        QVERIFY(!planesOf(workspace).holds(c.key(), Precision::single));
        QVERIFY(!c.filtered(plane, {}, workspace).report.filterReused);
    }

    // Memory for some of the projections only: every launch filters again, in passes.
    void littleMemory()
    {
        SINOSCOPE_NEEDS_GPU();
        for (const UnfilteredCase& c : {UnfilteredCase(PlaneCase(parallelOf(64, 100, 31.2), 40), {}),
                                        UnfilteredCase(PlaneCase(coneOf(40, 61, 8, 0.37, 220)), {})})
            for (const Precision precision : {Precision::single, Precision::half}) {
                const Plane plane = planesThrough(c.volume, 12, 2).back();
                const Kernel kernel{.precision = precision};
                Workspace whole, part;
                const Volume all = c.filtered(plane, kernel, whole).image;
                c.filtered(plane, {.precision = Precision::single}, part);
                planesOf(part).limitMemory(1e5);
                planesOf(part).dropOthers(nullptr);
                for (int k = 0; k < 2; ++k) {
                    const long long before = planesOf(part).uploadedProjections();
                    const auto made = c.filtered(plane, kernel, part);
                    QVERIFY(relativeError(made.image, all) < (precision == Precision::half ? 1e-3 : 1e-6));
                    QVERIFY(!made.report.filterReused && made.report.notes.size() == 1);
                    QCOMPARE(planesOf(part).uploadedProjections() - before, 1LL * c.raw.projections);
                    QVERIFY(!planesOf(part).holds(c.key(), precision));
                }
            }
    }

    // As in the program: the GPU filters once for all planes, unless the processor is asked to; a changed filter
    // counts.
    void inTheProgram_data()
    {
        QTest::addColumn<bool>("isCone");
        QTest::addColumn<double>("axisOffsetBins");
        QTest::newRow("parallel") << false << 0.3;
        QTest::newRow("half acquisition") << false << 14.3;
        QTest::newRow("cone") << true << 0.3;
    }
    void inTheProgram()
    {
        SINOSCOPE_NEEDS_GPU();
        QFETCH(bool, isCone);
        QFETCH(double, axisOffsetBins);
        Simulation simulation;
        simulation.phantom = Phantom::sheppLogan3d;
        simulation.size = 61;
        simulation.projections = 120;
        simulation.slices = 45;
        simulation.arcDeg = 360;
        simulation.axisOffsetBins = axisOffsetBins;
        if (isCone) {
            ConeOptions& cone = simulation.cone.emplace();
            cone.sourceAxisMm = 300;
            cone.sourceDetectorMm = 450;
            cone.pixelUMm = 1.5;
        }
        const auto scan = simulate(simulation);
        const VolumeSize volume = volumeOf(*scan);
        Request request = gpuRequestFor(scan, "auto");
        Reconstructor live, byProcessor, precise;
        for (const Window window : {Window::ramLak, Window::hann}) {
            request.setting.filter.window = window;
            bool isFirst = true;
            for (const char* text : {"x=30", "z=20.5", "centre=30,30,22;u=1,1,0;v=0,0.4,1"}) {
                request.place.part = engine::PlanePart{planeFromText(text, volume), true};
                request.resources.filterOn = FilterOn::automatic;
                const Reconstruction made = live.run(request);
                QCOMPARE(made.method, std::string("texture"));
                QCOMPARE(made.timings.filter.reused, !isFirst);
                QVERIFY(std::exchange(isFirst, false) || made.timings.prepare.reused);
                request.resources.filterOn = FilterOn::processor;
                const auto closed = [&](const Volume& image) {
                    return closeGaps(*request.place.plane(), volume.slices, image);
                };
                const double off = relativeError(closed(made.image), closed(byProcessor.run(request).image));
                Request exact = requestFor(scan, "exact");
                exact.place = request.place;
                exact.setting.filter = request.setting.filter;
                const double error = relativeError(closed(made.image), closed(precise.run(exact).image));
                QVERIFY2(off < 1e-5 && error < 8e-3, qPrintable(QString("%1: %2, %3").arg(text).arg(off).arg(error)));
            }
        }
    }

    // A row without light: the processor prepares the rows, and the GPU filters and adds them.
    void gaps()
    {
        SINOSCOPE_NEEDS_GPU();
        const auto whole = smallScan(33, 40, 15);
        auto scan = std::make_shared<Scan>(*whole);
        const auto darkened = [](RawRows raw) {
            for (int k = 0; k < raw.flatFrames; ++k)
                std::fill_n(raw.flats.begin() + (k * raw.rows.count + 10 - raw.rows.first) * raw.bins, raw.bins, 0.0F);
            return raw;
        };
        scan->read = [read = whole->read, darkened](RowRange rows, const std::stop_token& stop) {
            RawRows raw = read(rows, stop);
            return rows.first <= 10 && rows.first + rows.count > 10 ? darkened(std::move(raw)) : raw;
        };
        scan->readFrames = [read = whole->readFrames, darkened](const FramePart& part, const std::stop_token& stop) {
            RawRows raw = read(part, stop);
            return part.sides ? darkened(std::move(raw)) : raw;
        };
        for (const char* text : {"x=12", "centre=16,16,7;u=0.6,0.8,0;v=-0.64,0.48,0.6"}) {
            Request request = gpuRequestFor(scan, "texture");
            request.place.part = engine::PlanePart{planeFromText(text, volumeOf(*scan)), true};
            const Reconstruction made = Reconstructor().run(request);
            QVERIFY(mentions(made.notes, "row 10 of the detector, which has no light"));
            request.scan = whole;
            const Reconstruction right = Reconstructor().run(request);
            double most = 0, largest = 0;
            std::size_t missing = 0;
            for (std::size_t k = 0; k < made.image.values.size(); ++k) {
                const double value = made.image.values[k], expected = right.image.values[k];
                const int column = static_cast<int>(k) % made.image.width, row = static_cast<int>(k) / made.image.width;
                missing += std::isnan(value) && !isBeyond(*request.place.plane(), column, row, whole->slices());
                largest = std::max(largest, std::abs(expected));
                if (!std::isnan(value))
                    most = std::max(most, std::abs(value - expected));
            }
            QVERIFY(missing > 0 && missing < made.image.values.size() / 3);
            QVERIFY2(most <= 1e-4 * largest, qPrintable(QString("%1: %2 of %3").arg(text).arg(most).arg(largest)));
        }
    }

    // Recorded rows stay in memory for other settings, for slices, for the search of the axis and for the processor.
    void readsOnce()
    {
        SINOSCOPE_NEEDS_GPU();
        Simulation simulation;
        simulation.phantom = Phantom::sheppLogan3d;
        simulation.size = 61;
        simulation.projections = 90;
        simulation.slices = 45;
        int reads = 0;
        const auto plain = simulate(simulation), scan = counting(*plain, reads);
        const VolumeSize volume = volumeOf(*scan);
        Request request = gpuRequestFor(scan, "auto");
        request.setting.axis.mode = AxisSettings::Mode::find;
        Reconstructor live;
        bool isFirst = true;
        const auto run = [&](const char* text, const std::string& method) {
            request.place.part = engine::PlanePart{planeFromText(text, volume), true};
            const Reconstruction made = live.run(request);
            QCOMPARE(made.method, method);
            QCOMPARE(made.timings.read.reused, !std::exchange(isFirst, false));
            Request exact = request;
            exact.scan = plain;
            exact.setting.kernel.precision = Precision::single;
            exact.resources.device.backend = "cpu";
            exact.setting.kernel.method = "exact";
            const auto closed = [&](const Volume& image) {
                return closeGaps(*request.place.plane(), volume.slices, image);
            };
            QVERIFY(relativeError(closed(made.image), closed(Reconstructor().run(exact).image)) < 8e-3);
        };
        run("x=30", "texture");
        QCOMPARE(reads, 1);
        const double samples = 61.0 * 90 * 45;
        QCOMPARE(bytesForPlane(request), samples * scan->bytesPerSample);
        request.resources.filterOn = FilterOn::processor;
        const double onProcessor =
            bytesForPlane(request); // prepared and filtered rows, or more while they are prepared
        QVERIFY2(onProcessor >= samples * 8 && onProcessor < samples * 10, qPrintable(QString::number(onProcessor)));
        request.resources.filterOn = FilterOn::automatic;
        run("z=20", "alu");
        run("centre=30,30,22;u=1,1,0;v=0,0.4,1", "texture");
        request.setting.preparation.values["log-floor"] = 0.2;
        run("x=31", "texture");
        request.setting.kernel.precision = Precision::half;
        run("y=31", "texture");
        request.setting.kernel.precision = Precision::single;
        request.resources.device.backend = "cpu";
        run("z=20.5", "cpu");
        QCOMPARE(reads, 1);
    }
};

SINOSCOPE_TEST(UnfilteredPlanesTest, QCoreApplication)
#include "unfiltered_planes_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of planes through a scan whose projections are read and filtered already, as in a view of planes.
#include "engine/measure/benchmark_kinds.h"

#include "engine/backends/backend.h"
#include "engine/base/machine.h"
#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"
#include "engine/measure/planned_runs.h"
#include "engine/prepare/median.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/resolve/resolve.h"
#include "engine/scan/some_projections.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace engine
{

namespace
{

constexpr int fewStep = 8;     // of the projections that a first coarse plane is made from
constexpr int coarsePixel = 4; // edge of its pixels

// Line integrals that cost little, of the numbers of a detector: the speed doesn't depend on the values.
RawRows noiseRows(const Scan& scan, const FramePart& part)
{
    RawRows raw;
    raw.rows = part.rows;
    raw.bins = scan.bins();
    raw.projections = part.projections.count;
    const std::size_t projection = static_cast<std::size_t>(part.rows.count) * raw.bins;
    raw.data = Samples(*findSampleType("uint16"), projection * raw.projections);
    parallelFor(0, raw.projections, [&](int p) {
        auto* const values = reinterpret_cast<std::uint16_t*>(raw.data.bytes()) + p * projection;
        std::uint32_t state = 2654435761u * static_cast<unsigned>(p + 1);
        for (std::size_t k = 0; k < projection; ++k) {
            state = state * 1664525u + 1013904223u;
            values[k] = static_cast<std::uint16_t>(state >> 16);
        }
    });
    return raw;
}

// Its rows are simulated at once, not while others are used, so that the time is known and can be left out.
std::shared_ptr<const Scan> noiseScan(const BenchmarkOptions& options)
{
    auto scan = std::make_shared<Scan>();
    scan->name = "benchmark";
    scan->format = "simulated";
    scan->sampleType = "uint16";
    scan->bytesPerSample = 2;
    scan->rows = options.size;
    scan->geometry = makeGeometry(options);
    scan->quantity = Quantity::attenuation;
    scan->read = [shape = *scan](RowRange rows, const std::stop_token&) {
        return noiseRows(shape, {{0, shape.projections()}, rows});
    };
    scan->readEvery = [shape = *scan](int, const FramePart& part, const std::stop_token&) {
        return noiseRows(shape, part);
    };
    return scan;
}

// turned: upright, at an angle; leaning: tilted, with level rows; tilted: without.
constexpr std::array planeNames{"x", "y", "z", "turned", "leaning", "tilted"};

// Returns a plane near the middle, so many voxels further than the first one.
Plane planeAt(const std::string& name, int move, const VolumeSize& volume)
{
    const int column = volume.size / 2 + move, slice = volume.slices / 2 + move;
    const Plane upright = planeAcross(PlaneAxis::x, std::min(column, volume.size - 1), volume);
    if (name == "x")
        return upright;
    const Plane atAngle = turned(upright, {0, 0, 1}, 30);
    if (name == "turned")
        return atAngle;
    if (name == "leaning")
        return turned(atAngle, atAngle.u, 40);
    if (name == "y")
        return planeAcross(PlaneAxis::y, std::min(column, volume.size - 1), volume);
    const Plane level = planeAcross(PlaneAxis::z, std::min(slice, volume.slices - 1), volume);
    return name == "z" ? level : turned(turned(level, {0, 0, 1}, 30), {1, 0, 0}, 40);
}

class PlaneRuns
{
  public:
    PlaneRuns(const BenchmarkOptions& options, const std::stop_token& stop)
        : m_options(options), m_stop(stop), m_scan(options.scan ? options.scan : noiseScan(options)),
          m_volume(volumeOf(*m_scan))
    {
        m_request.scan = m_scan;
        m_request.setting.kernel.precision = options.precision.value_or(Precision::single);
        m_request.setting.kernel.interpolation = options.interpolation.value_or(Interpolation::linear);
        m_request.resources.device = options.device;
        m_request.resources.threads = options.threads;
    }

    Reconstruction plane(const std::string& name, int move)
    {
        m_request.place.part = PlanePart{planeAt(name, move, m_volume), true};
        return m_reconstructor.run(m_request, {}, m_stop);
    }

    // Returns the seconds that the device takes to start, with planes of a tiny scan.
    double start()
    {
        BenchmarkOptions tiny = m_options;
        tiny.size = tiny.projections = 32;
        Request request = m_request;
        request.scan = noiseScan(tiny);
        const Stopwatch watch;
        for (const char* name : {"x", "z"}) {
            request.place.part = PlanePart{planeAt(name, 0, volumeOf(*request.scan)), true};
            m_reconstructor.run(request, {}, m_stop);
        }
        return watch.seconds();
    }

    // Returns the seconds that coarse planes of some projections take; NaN if there are too few projections.
    double measureFew()
    {
        const auto divided = withEvery(*m_scan, fewStep);
        if (!divided)
            return std::numeric_limits<double>::quiet_NaN();
        auto few = std::make_shared<Scan>(*divided);
        if (!m_options.scan)
            few->readFrames = {}; // see noiseScan
        const Stopwatch watch;
        double simulating = 0;
        for (const char* name : {"x", "y", "z"}) {
            Request request = m_request;
            request.scan = few;
            request.place.part = PlanePart{planeAt(name, 0, m_volume), true};
            request.place.previewStep = coarsePixel;
            const Timings times = m_reconstructor.run(request, {}, m_stop).timings;
            simulating += times.read.reused || m_options.scan ? 0 : times.read.seconds;
        }
        return watch.seconds() - simulating;
    }

    BenchmarkRow measure(const std::string& name)
    {
        BenchmarkRow row;
        row.plane = name;
        std::vector<double> wholes;
        Reconstruction made;
        for (int k = 0; k <= m_options.repeat; ++k) {
            const Stopwatch watch;
            made = plane(name, k);
            if (k == 0) // warms up
                continue;
            wholes.push_back(watch.seconds());
            row.kernelRuns.push_back(made.timings.kernelSeconds);
            row.totalRuns.push_back(made.timings.totalSeconds);
        }
        row.method = made.method;
        row.geometry = labelOf(m_scan->geometry);
        const Plan plan = resolve(made.request);
        row.device = toText(DeviceSettings{plan.method->backend->id, plan.deviceIndex});
        row.interpolation = m_request.setting.kernel.interpolation;
        row.precision = m_request.setting.kernel.precision;
        row.size = m_options.size;
        row.bins = m_scan->bins();
        row.projections = m_scan->projections();
        row.threads = threadsOf(m_options.threads);
        row.wholeSeconds = medianOf(wholes);
        setSpeeds(row, 1.0 * static_cast<double>(made.image.values.size()) * m_scan->projections());
        return row;
    }

    double measureMoves()
    {
        std::vector<double> moves;
        for (int k = 0; k <= m_options.repeat; ++k) {
            const Stopwatch watch;
            for (const char* name : {"x", "y", "z"})
                plane(name, k + m_options.repeat);
            if (k > 0)
                moves.push_back(watch.seconds());
        }
        return medianOf(moves);
    }

  private:
    const BenchmarkOptions& m_options;
    const std::stop_token& m_stop;
    std::shared_ptr<const Scan> m_scan;
    VolumeSize m_volume;
    Request m_request;
    Reconstructor m_reconstructor;
};

} // namespace

Benchmark measurePlanes(BenchmarkOptions options, const BenchmarkWatch& watch, const std::stop_token& stop)
{
    if (const Scan* scan = options.scan.get()) {
        options.geometry = std::holds_alternative<ConeBeam>(scan->geometry) ? "cone" : "parallel";
        options.size = scan->bins();
        options.projections = scan->projections();
    }
    require(options.size >= 2 && options.projections >= 1 && options.repeat >= 1,
            "a benchmark of planes needs two bins, a projection and a run");
    const auto tell = [&](double fraction, const std::string& what) {
        if (watch.onProgress)
            watch.onProgress(fraction, what);
    };
    Benchmark made = benchmarkOf(options, {});
    made.scan = options.scan ? options.scan->name : std::string();
    const bool isMade = !options.scan;
    const auto add = [&](const char* key, const char* label, double value, Figure::Unit unit = Figure::Unit::seconds) {
        made.figures.push_back({key, label, value, unit});
    };
    PlaneRuns runs(options, stop);
    tell(0, "starting the device");
    add("startSeconds", "Starting the device, with planes of a tiny scan; not part of the other times", runs.start());
    tell(0.02, "every eighth projection");
    add("coarsePlanesSeconds",
        isMade ? "Three coarse planes from every eighth projection, without simulating the scan"
               : "Three coarse planes from every eighth projection, as a view shows first",
        runs.measureFew());
    tell(0.05, "reading and filtering");
    const Stopwatch stopwatch;
    const Reconstruction first = runs.plane("x", 0);
    // For a GPU reading, preparing and filtering run at the same time as the upload.
    add("firstPlaneSeconds", "First plane, with reading and filtering of all rows", stopwatch.seconds());
    add("readSeconds", isMade ? "  of it, simulating the scan" : "  of it, reading", first.timings.read.seconds);
    add("prepareSeconds", "  of it, preparing", first.timings.prepare.seconds);
    add("filterSeconds", "  of it, filtering", first.timings.filter.seconds);
    runs.plane("y", 0);
    runs.plane("z", 0);
    add("firstThreePlanesSeconds", "First three planes", stopwatch.seconds());
    made.device = first.device;
    for (const char* name : planeNames) {
        tell(0.2 + 0.1 * static_cast<double>(made.rows.size()), name);
        made.rows.push_back(runs.measure(name));
    }
    tell(0.8, "moves of the cross-hair");
    const double moves = runs.measureMoves();
    add("threePlanesSeconds", "Three planes (x, y, z) after a move of the cross-hair", moves);
    add("threePlanesPerSecond", "Such moves", 1 / moves, Figure::Unit::perSecond);
    return made;
}

} // namespace engine

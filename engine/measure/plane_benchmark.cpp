// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/plane_benchmark.h"

#include "engine/base/json_text.h"
#include "engine/base/machine.h"
#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"
#include "engine/base/version.h"
#include "engine/prepare/median.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/cone_options.h"
#include "engine/scan/some_projections.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

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

Geometry geometryOf(const PlaneBenchmarkOptions& options)
{
    const bool isCone = options.geometry == "cone";
    std::vector<double> angles(options.projections);
    for (int p = 0; p < options.projections; ++p)
        angles[p] = (isCone ? 2 : 1) * std::numbers::pi * p / options.projections;
    if (isCone) {
        ConeOptions cone; // a cone of 5° on either side
        cone.sourceAxisMm = options.size / 2.0 / std::tan(5 * std::numbers::pi / 180);
        cone.sourceDetectorMm = 1.5 * *cone.sourceAxisMm;
        cone.pixelUMm = 1.5;
        return coneBeamFrom(cone, options.size, options.size, angles, "benchmark");
    }
    ParallelBeam beam;
    beam.bins = options.size;
    beam.anglesRad = std::move(angles);
    beam.axisBins = {(options.size - 1) / 2.0};
    return beam;
}

// Its rows are simulated at once, not while others are used, so that the time is known and can be left out.
std::shared_ptr<const Scan> noiseScan(const PlaneBenchmarkOptions& options)
{
    auto scan = std::make_shared<Scan>();
    scan->name = "benchmark";
    scan->format = "simulated";
    scan->sampleType = "uint16";
    scan->bytesPerSample = 2;
    scan->rows = options.size;
    scan->geometry = geometryOf(options);
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
    PlaneRuns(const PlaneBenchmarkOptions& options, const std::stop_token& stop)
        : m_options(options), m_stop(stop), m_scan(options.scan ? options.scan : noiseScan(options)),
          m_volume(volumeOf(*m_scan))
    {
        m_request.scan = m_scan;
        m_request.setting.kernel.precision = options.precision;
        m_request.setting.kernel.interpolation = options.interpolation;
        m_request.resources.device = options.device;
        m_request.resources.threads = options.threads;
        m_request.place.slices = {0, 1};
        m_request.place.readsAll = true;
    }

    Reconstruction plane(const std::string& name, int move)
    {
        m_request.place.plane = planeAt(name, move, m_volume);
        return m_reconstructor.run(m_request, {}, m_stop);
    }

    // Returns the seconds that the device takes to start, with planes of a tiny scan.
    double start()
    {
        PlaneBenchmarkOptions tiny = m_options;
        tiny.geometry = std::holds_alternative<ConeBeam>(m_scan->geometry) ? "cone" : "parallel";
        tiny.size = tiny.projections = 32;
        Request request = m_request;
        request.scan = noiseScan(tiny);
        const Stopwatch watch;
        for (const char* name : {"x", "z"}) {
            request.place.plane = planeAt(name, 0, volumeOf(*request.scan));
            m_reconstructor.run(request, {}, m_stop);
        }
        return watch.seconds();
    }

    // Returns the seconds that coarse planes of some projections take; none if there are too few projections.
    std::optional<double> measureFew()
    {
        const auto divided = withEvery(*m_scan, fewStep);
        if (!divided)
            return std::nullopt;
        auto few = std::make_shared<Scan>(*divided);
        if (!m_options.scan)
            few->readFrames = {}; // see noiseScan
        const Stopwatch watch;
        double simulating = 0;
        for (const char* name : {"x", "y", "z"}) {
            Request request = m_request;
            request.scan = few;
            request.place.plane = planeAt(name, 0, m_volume);
            request.place.previewStep = coarsePixel;
            const Timings times = m_reconstructor.run(request, {}, m_stop).timings;
            simulating += times.read.reused || m_options.scan ? 0 : times.read.seconds;
        }
        return watch.seconds() - simulating;
    }

    MeasuredPlane measure(const std::string& name)
    {
        MeasuredPlane row;
        row.plane = name;
        std::vector<double> kernels, wholes;
        double updates = 0;
        for (int k = 0; k <= m_options.repeat; ++k) {
            const Stopwatch watch;
            const Reconstruction made = plane(name, k);
            if (k == 0) // warms up
                continue;
            wholes.push_back(watch.seconds());
            kernels.push_back(made.timings.kernelSeconds);
            row.method = made.method;
            updates = static_cast<double>(made.image.values.size()) * m_scan->projections();
        }
        row.kernelSeconds = medianOf(kernels);
        row.wholeSeconds = medianOf(wholes);
        row.kernelGups = 1e-9 * updates / row.kernelSeconds;
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
    const PlaneBenchmarkOptions& m_options;
    const std::stop_token& m_stop;
    std::shared_ptr<const Scan> m_scan;
    VolumeSize m_volume;
    Request m_request;
    Reconstructor m_reconstructor;
};

} // namespace

PlaneBenchmark benchmarkPlanes(const PlaneBenchmarkOptions& options,
                               const std::function<void(double, const std::string&)>& doing,
                               const std::stop_token& stop)
{
    require(options.size >= 2 && options.projections >= 1 && options.repeat >= 1,
            "a benchmark of planes needs two bins, a projection and a run");
    const auto tell = [&](double fraction, const std::string& what) {
        if (doing)
            doing(fraction, what);
    };
    PlaneBenchmark result;
    result.options = options;
    if (const Scan* scan = options.scan.get()) {
        result.options.geometry = std::holds_alternative<ConeBeam>(scan->geometry) ? "cone" : "parallel";
        result.options.size = scan->bins();
        result.options.projections = scan->projections();
    }
    PlaneRuns runs(options, stop);
    tell(0, "starting the device");
    result.startSeconds = runs.start();
    tell(0.02, "every eighth projection");
    result.coarseSeconds = runs.measureFew();
    tell(0.05, "reading and filtering");
    const Stopwatch watch;
    const Reconstruction first = runs.plane("x", 0);
    result.firstSeconds = watch.seconds();
    runs.plane("y", 0);
    runs.plane("z", 0);
    result.firstThreeSeconds = watch.seconds();
    result.device = first.device;
    result.readSeconds = first.timings.read.seconds;
    result.prepareSeconds = first.timings.prepare.seconds;
    result.filterSeconds = first.timings.filter.seconds;
    for (const char* name : planeNames) {
        tell(0.2 + 0.15 * static_cast<double>(result.planes.size()), name);
        result.planes.push_back(runs.measure(name));
    }
    tell(0.8, "moves of the cross-hair");
    result.moveSeconds = runs.measureMoves();
    return result;
}

std::string planeBenchmarkJson(const PlaneBenchmark& benchmark)
{
    const PlaneBenchmarkOptions& options = benchmark.options;
    Json rows = Json::array();
    for (const MeasuredPlane& row : benchmark.planes)
        rows.push_back({{"plane", row.plane},
                        {"method", row.method},
                        {"kernelSeconds", row.kernelSeconds},
                        {"kernelGups", row.kernelGups},
                        {"wholeSeconds", row.wholeSeconds}});
    return dumped({{"program", "Sinoscope"},
                   {"version", programVersion()},
                   {"processor", processorName()},
                   {"device", benchmark.device},
                   {"geometry", options.geometry},
                   {"size", options.size},
                   {"projections", options.projections},
                   {"precision", toText(options.precision)},
                   {"interpolation", toText(options.interpolation)},
                   {"scan", options.scan ? Json(options.scan->name) : Json()},
                   {"firstPlaneSeconds", benchmark.firstSeconds},
                   {"firstThreePlanesSeconds", benchmark.firstThreeSeconds},
                   {"startSeconds", benchmark.startSeconds},
                   {"coarsePlanesSeconds", benchmark.coarseSeconds ? Json(*benchmark.coarseSeconds) : Json()},
                   {"readSeconds", benchmark.readSeconds},
                   {"prepareSeconds", benchmark.prepareSeconds},
                   {"filterSeconds", benchmark.filterSeconds},
                   {"rows", std::move(rows)},
                   {"threePlanesSeconds", benchmark.moveSeconds},
                   {"threePlanesPerSecond", 1 / benchmark.moveSeconds}});
}

} // namespace engine

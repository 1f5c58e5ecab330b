// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/phantom.h"

#include "engine/base/error.h"
#include "engine/base/less_memory.h"
#include "engine/base/number_text.h"
#include "engine/base/parallel_for.h"
#include "engine/scan/some_projections.h"
#include "engine/simulate/cone_projection.h"
#include "engine/simulate/ellipses.h"
#include "engine/simulate/phantom_image.h"
#include "engine/simulate/random.h"

#include <tbb/blocked_range2d.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <new>
#include <numbers>
#include <span>
#include <sstream>
#include <tuple>
#include <utility>

namespace engine
{

namespace
{

constexpr double darkLevel = 100;        // counts without beam
constexpr double quietFlatLevel = 10000; // counts without object if no noise is requested
constexpr int recordedDarks = 5, recordedFlats = 10;
// Kinds of noise: no two parts of a scan share a sequence of random numbers.
enum class NoiseOf : std::uint64_t { projection = 1, flat = 2, gain = 3 };

double flatLevel(const Simulation& s)
{
    return s.photons > 0 ? s.photons : quietFlatLevel;
}
double axisOf(const Simulation& s)
{
    return (s.size - 1) / 2.0 + s.axisOffsetBins;
}
double attenuationOf(const Simulation& s, int sliceSize)
{
    return s.attenuation > 0 ? s.attenuation : 4.0 / sliceSize;
}

Random randomFor(const Simulation& s, NoiseOf part, int row, int frame)
{
    return Random(
        s.seed, {static_cast<std::uint64_t>(part), static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(frame)});
}

// Adds an ellipse to each bin. In the unit square, the ray at distance s from the centre of the ellipse has p(s) =
// 2ρab√(r²−s²)/r², r² = a²cos²(θ−φ) + b²sin²(θ−φ), whose antiderivative is ρab[s√(r²−s²)/r² + asin(s/r)]: the mean
// over a bin is the difference of two values of the antiderivative.
void addProjection(const Ellipse& e, double angleRad, const Simulation& simulation, std::span<double> line)
{
    const double pixel = 2.0 / simulation.size; // width of a bin in the unit square
    const double c = e.a * std::cos(angleRad - e.angleRad), s = e.b * std::sin(angleRad - e.angleRad);
    const double r = std::hypot(c, s);
    const double centre = e.x * std::cos(angleRad) + e.y * std::sin(angleRad);
    const double bins = simulation.size;
    const double middle = axisOf(simulation) + centre / pixel; // centre of the ellipse, in bins
    const int first = static_cast<int>(std::clamp(std::floor(middle - r / pixel - .5), 0.0, bins));
    const int last = static_cast<int>(std::clamp(std::ceil(middle + r / pixel + .5), -1.0, bins - 1));
    // The unit length is size/2 pixels.
    const double scale = e.density * e.a * e.b * (attenuationOf(simulation, simulation.size) / pixel);
    if (simulation.sampling == Sampling::ray) {
        for (int bin = first; bin <= last; ++bin) {
            const double u = (bin - middle) * pixel / r;
            if (std::abs(u) < 1)
                line[static_cast<std::size_t>(bin)] += 2 * scale * std::sqrt((1 - u) * (1 + u)) / r;
        }
        return;
    }
    const auto antiderivative = [r](double distance) {
        const double u = std::clamp(distance / r, -1.0, 1.0);
        return u * std::sqrt((1 - u) * (1 + u)) + std::asin(u);
    };
    double before = antiderivative((first - .5 - middle) * pixel);
    for (int bin = first; bin <= last; ++bin) {
        const double after = antiderivative((bin + .5 - middle) * pixel);
        line[static_cast<std::size_t>(bin)] += scale * (after - before) / pixel;
        before = after;
    }
}

// Returns the gain error of each bin, the same in all projections. Flats don't contain it, so it makes rings.
std::vector<double> gainsOfRow(const Simulation& simulation, int row)
{
    std::vector<double> gains(static_cast<std::size_t>(simulation.size), 1.0);
    if (simulation.rings > 0) {
        Random random = randomFor(simulation, NoiseOf::gain, row, 0);
        for (double& gain : gains)
            gain = std::max(.05, 1 + simulation.rings * random.normal());
    }
    return gains;
}

// Converts the line integrals of a projection to the signal of the detector.
void record(const Simulation& simulation, std::span<const double> line, std::span<const double> gains, Random random,
            std::span<float> recorded)
{
    const double flat = flatLevel(simulation);
    for (std::size_t bin = 0; bin < line.size(); ++bin) {
        if (!simulation.counts && !(simulation.photons > 0)) {
            recorded[bin] = static_cast<float>(line[bin] - std::log(gains[bin]));
            continue;
        }
        double counts = flat * std::exp(-line[bin]) * gains[bin];
        if (simulation.photons > 0)
            counts = random.poisson(counts);
        // Zero photons count as half a photon, so that the logarithm stays finite.
        recorded[bin] =
            static_cast<float>(simulation.counts ? darkLevel + counts : -std::log(std::max(counts, .5) / flat));
    }
}

void recordFlats(const Simulation& simulation, RawRows& raw)
{
    std::fill(raw.darks.begin(), raw.darks.end(), static_cast<float>(darkLevel));
    std::fill(raw.flats.begin(), raw.flats.end(), static_cast<float>(darkLevel + flatLevel(simulation)));
    if (!(simulation.photons > 0))
        return;
    for (int frame = 0; frame < raw.flatFrames; ++frame)
        for (int row = 0; row < raw.rows.count; ++row) {
            Random random = randomFor(simulation, NoiseOf::flat, raw.rows.first + row, frame);
            float* values = raw.flats.data() + (static_cast<std::size_t>(frame) * raw.rows.count + row) * raw.bins;
            std::generate_n(values, raw.bins,
                            [&] { return static_cast<float>(darkLevel + random.poisson(flatLevel(simulation))); });
        }
}

RawRows allocate(const Simulation& simulation, const FramePart& part, const std::stop_token& stop)
try {
    RawRows raw;
    raw.rows = part.rows;
    raw.bins = simulation.size;
    raw.projections = part.projections.count;
    raw.firstProjection = part.projections.first;
    raw.scanProjections = simulation.projections;
    const std::size_t frame = static_cast<std::size_t>(part.rows.count) * simulation.size;
    raw.data = Samples(floatSamples(), frame * raw.projections);
    throwIfStopped(stop);
    if (simulation.counts && part.sides) {
        raw.darkFrames = recordedDarks;
        raw.flatFrames = recordedFlats;
        raw.darks.resize(frame * recordedDarks);
        raw.flats.resize(frame * recordedFlats);
    }
    return raw;
} catch (const std::bad_alloc&) {
    throw Error(ErrorKind::noMemory, "Not enough memory for " + std::to_string(part.rows.count) +
                                         " simulated rows of " + std::to_string(simulation.size) + " bins and " +
                                         std::to_string(simulation.projections) +
                                         " projections: " + lessMemory(part.rows.count) + ".");
}

void checkRows(RowRange rows, int available)
{
    if (rows.first < 0 || rows.count < 1 || rows.first > available - rows.count)
        throw Error(ErrorKind::badRequest, "Rows " + std::to_string(rows.first) + " to " +
                                               std::to_string(static_cast<long long>(rows.first) + rows.count - 1) +
                                               " were asked for, the simulated scan has rows 0 to " +
                                               std::to_string(available - 1) + ".");
}

// Adds the projection of the object in a row to a line.
using AddRow = std::function<void(int row, int projection, std::span<double> line)>;

AddRow parallelRows(const Simulation& simulation, const ParallelBeam& beam, RowRange rows)
{
    std::vector<std::vector<Ellipse>> ellipses;
    const std::vector<Ellipsoid> solids = solidsOf(simulation.phantom, simulation.size);
    for (int row = rows.first; row < rows.first + rows.count; ++row)
        ellipses.push_back(ellipsesAt(solids, heightOfRow(row, simulation.slices)));
    return [&simulation, &beam, first = rows.first, ellipses](int row, int projection, std::span<double> line) {
        for (const Ellipse& ellipse : ellipses[static_cast<std::size_t>(row - first)])
            addProjection(ellipse, beam.anglesRad[static_cast<std::size_t>(projection)], simulation, line);
    };
}

AddRow coneRows(const Simulation& simulation, const ConeBeam& beam)
{
    const ConeVolume& volume = beam.volume;
    return [solids = solidsOf(simulation.phantom, volume.size), matrices = projectionMatrices(beam),
            unitMm = volume.size * volume.voxelMm / 2, perMm = attenuationOf(simulation, volume.size) / volume.voxelMm](
               int row, int projection, std::span<double> line) {
        addConeRow(solids, unitMm, perMm, matrices[static_cast<std::size_t>(projection)], row, line);
    };
}

RawRows readSimulated(const Simulation& simulation, const Geometry& geometry, const FramePart& part,
                      const std::stop_token& stop)
{
    const RowRange rows = part.rows, some = part.projections;
    checkRows(rows, simulation.slices);
    require(some.first >= 0 && some.count >= 1 && some.first <= simulation.projections - some.count,
            "the simulated scan has projections 0 to " + std::to_string(simulation.projections - 1));
    RawRows raw = allocate(simulation, part, stop);
    recordFlats(simulation, raw);
    const auto* cone = std::get_if<ConeBeam>(&geometry);
    const AddRow addRow =
        cone ? coneRows(simulation, *cone) : parallelRows(simulation, parallelBeamOf(geometry, "the simulation"), rows);
    std::vector<std::vector<double>> gains;
    for (int row = rows.first; row < rows.first + rows.count; ++row)
        gains.push_back(gainsOfRow(simulation, row));
    const auto block = [&](const tbb::blocked_range2d<int>& range) {
        std::vector<double> line(static_cast<std::size_t>(simulation.size));
        for (int projection = range.rows().begin(); projection < range.rows().end(); ++projection)
            for (int row = range.cols().begin(); row < range.cols().end(); ++row) {
                throwIfStopped(stop);
                std::fill(line.begin(), line.end(), 0.0);
                const std::size_t index = static_cast<std::size_t>(row);
                addRow(rows.first + row, some.first + projection, line);
                float* recorded = raw.data.floats().data() +
                                  (static_cast<std::size_t>(projection) * rows.count + index) * line.size();
                record(simulation, line, gains[index],
                       randomFor(simulation, NoiseOf::projection, rows.first + row, some.first + projection),
                       {recorded, line.size()});
            }
    };
    parallelFor(tbb::blocked_range2d<int>(0, some.count, 4, 0, rows.count, 1), block);
    return raw;
}

std::string labelOf(Phantom phantom)
{
    switch (phantom) {
    case Phantom::sheppLogan:
        return "Shepp-Logan (modified)";
    case Phantom::sheppLoganOriginal:
        return "Shepp-Logan (original)";
    case Phantom::sheppLogan3d:
        return "Shepp-Logan 3-D (modified)";
    case Phantom::sheppLogan3dOriginal:
        return "Shepp-Logan 3-D (original)";
    case Phantom::resolution:
        return "Resolution pattern";
    case Phantom::disc:
        return "Disc";
    case Phantom::ball:
        return "Ball";
    }
    return {};
}

std::string tenDigits(double value)
{
    std::ostringstream text;
    text << std::setprecision(10) << value;
    return text.str();
}

void describeScan(const Simulation& simulation, Scan& scan)
{
    const bool cone = std::holds_alternative<ConeBeam>(scan.geometry);
    std::vector<std::string> with;
    if (simulation.rings > 0)
        with.emplace_back("rings");
    if (simulation.photons > 0)
        with.emplace_back("noise");
    scan.name = labelOf(simulation.phantom) + (with.empty() ? "" : " with " + listed(with, " and ")) + ", " +
                std::to_string(simulation.size) + " bins, " + std::to_string(simulation.projections) + " projections";
    if (simulation.slices > 1)
        scan.name += ", " + std::to_string(simulation.slices) + (cone ? " rows" : " slices");
    if (cone)
        scan.name += ", " + labelOf(scan.geometry);
    const double perPixel = attenuationOf(simulation, scan.sliceSize());
    scan.metadata = {
        {"Phantom", toText(simulation.phantom)},
        {"Arc", tenDigits(simulation.arcDeg) + "°"},
        {"Attenuation of density 1",
         cone ? tenDigits(perPixel / *scan.pixelSizeMm()) + " per mm" : tenDigits(perPixel) + " per pixel"},
        {"Value of a bin",
         simulation.sampling == Sampling::ray ? "the ray through its centre" : "the mean over its width"},
        {"Photons", simulation.photons > 0 ? tenDigits(simulation.photons) + " per bin" : "no noise"},
        {"Gain errors of the bins", simulation.rings > 0 ? tenDigits(simulation.rings * 100) + " %" : "none"}};
    if (simulation.photons > 0 || simulation.rings > 0)
        scan.metadata.emplace_back("Seed", std::to_string(simulation.seed));
}

// Returns the height of a slice in the cube that the object fills.
double heightOfSlice(const Geometry& geometry, int slice, int slices)
{
    const auto* cone = std::get_if<ConeBeam>(&geometry);
    return cone ? cone->volume.heightOf(slice) / (cone->volume.size / 2.0) : heightOfRow(slice, slices);
}

std::vector<Ellipse> turned(std::vector<Ellipse> ellipses, double byRad)
{
    const double c = std::cos(byRad), s = std::sin(byRad);
    for (Ellipse& e : ellipses) {
        std::tie(e.x, e.y) = std::pair(c * e.x - s * e.y, s * e.x + c * e.y);
        e.angleRad += byRad;
    }
    return ellipses;
}

// The exact volume of a simulation.
struct PhantomVolume {
    Simulation simulation;
    Geometry geometry;
    double pixels;      // by which the pixels of slices are enlarged
    double rotationRad; // of the slices, anticlockwise

    VolumeSize size() const { return {sliceSizeOf(geometry), slicesOf(geometry, simulation.slices)}; }
    double unitsPerPixel() const { return pixels * 2 / size().size; }
    double scale() const { return pixels * attenuationOf(simulation, size().size); }
    Volume slice(int number, const SliceGrid& grid) const;
    Volume plane(const Plane& plane) const;

  private:
    Volume voxels(const PlaneBox& box, const Plane& plane) const;
    CutPlane cut(const Plane& plane) const;
};

Volume PhantomVolume::slice(int number, const SliceGrid& grid) const
{
    const auto [size, slices] = this->size();
    checkRows({number, 1}, slices);
    const auto ellipses = ellipsesAt(solidsOf(simulation.phantom, size), heightOfSlice(geometry, number, slices));
    return areaAveraged(rotationRad == 0 ? ellipses : turned(ellipses, rotationRad), unitsPerPixel(), scale(), grid);
}

// The image of a plane of voxels has the order of its slices, rows and columns.
Volume PhantomVolume::voxels(const PlaneBox& box, const Plane& plane) const
{
    Volume image(1, plane.height, plane.width);
    const SliceGrid grid{size().size, double(box.column), double(box.row), box.width, box.height, 1};
    auto next = image.values.begin();
    for (int k = 0; k < box.slices; ++k)
        next = std::ranges::copy(slice(box.slice + k, grid).values, next).out;
    return image;
}

// Returns the plane with a pixel as the unit of its coordinates. Slices are evenly spaced.
CutPlane PhantomVolume::cut(const Plane& plane) const
{
    const auto [size, slices] = this->size();
    const double across = unitsPerPixel(), top = heightOfSlice(geometry, 0, slices),
                 perSlice = heightOfSlice(geometry, 1, slices) - top, middle = (size - 1) / 2.0;
    const auto direction = [&](const VoxelPoint& a, double length) {
        return std::array{length * across * a[0], -length * across * a[1], length * perSlice * a[2]};
    };
    const VoxelPoint& at = plane.centre;
    return {{across * (at[0] - middle), across * (middle - at[1]), top + perSlice * at[2]},
            direction(plane.u, plane.pixel),
            direction(plane.v, -plane.pixel)};
}

Volume PhantomVolume::plane(const Plane& plane) const
{
    const VolumeSize all = size();
    validate(plane, all);
    if (const auto box = boxOf(plane, all))
        return voxels(*box, plane);
    std::vector<Ellipsoid> solids = solidsOf(simulation.phantom, all.size);
    for (Ellipsoid& solid : solids)
        solid.widest = turned({solid.widest}, rotationRad).front();
    const SliceGrid grid{plane.width, 0, (plane.width - plane.height) / 2.0, plane.width, plane.height, 1};
    Volume image = areaAveraged(ellipsesIn(solids, cut(plane)), 1, scale(), grid);
    const double ends[] = {all.size - 0.5, all.size - 0.5, all.slices - 0.5};
    for (int j = 0; j < plane.height; ++j)
        for (int i = 0; i < plane.width; ++i) {
            const VoxelPoint at = plane.at(i, j);
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (at[axis] < -0.5 || at[axis] > ends[axis])
                    image.values[static_cast<std::size_t>(j) * plane.width + i] = 0;
        }
    return image;
}

std::shared_ptr<const Scan> scanOf(const Simulation& simulation, Geometry geometry)
{
    auto scan = std::make_shared<Scan>();
    scan->geometry = std::move(geometry);
    describeScan(simulation, *scan);
    scan->format = "simulated";
    scan->sampleType = "float32";
    scan->rows = simulation.slices;
    scan->quantity = simulation.counts ? Quantity::counts : Quantity::attenuation;
    scan->quantitySource = QuantitySource::recorded;
    scan->darkFrames = simulation.counts ? recordedDarks : 0;
    scan->flatFrames = simulation.counts ? recordedFlats : 0;
    scan->read = [simulation, how = scan->geometry](RowRange rows, std::stop_token stop) {
        return readSimulated(simulation, how, {{0, simulation.projections}, rows, true}, stop);
    };
    scan->readFrames = [simulation, how = scan->geometry](const FramePart& part, std::stop_token stop) {
        return readSimulated(simulation, how, part, stop);
    };
    scan->readEvery = [simulation, how = scan->geometry](int step, const FramePart& part, std::stop_token stop) {
        const std::vector<int> kept = keptProjections({.every = step, .leftOut = {}}, simulation.projections);
        Simulation some = simulation; // of other noise
        some.projections = static_cast<int>(kept.size());
        return readSimulated(some, withProjections(how, kept), part, stop);
    };
    scan->exactImage = exactImageOf(simulation, scan->geometry);
    return scan;
}

} // namespace

ExactImage exactImageOf(const Simulation& simulation, const Geometry& made, double pixels, double rotationRad)
{
    const PhantomVolume volume{simulation, made, pixels, rotationRad};
    return {.ofSlice = [volume](int slice, const SliceGrid& grid) { return volume.slice(slice, grid); },
            .ofPlane = [volume](const Plane& plane) { return volume.plane(plane); }};
}

std::shared_ptr<const Scan> simulate(const Simulation& simulation)
{
    validate(simulation);
    std::vector<double> anglesRad;
    for (int i = 0; i < simulation.projections; ++i)
        anglesRad.push_back(simulation.arcDeg * std::numbers::pi / 180 * i / simulation.projections);
    if (simulation.cone) {
        ConeBeam beam = coneBeamFrom(*simulation.cone, simulation.size, simulation.slices, std::move(anglesRad),
                                     "The simulated scan");
        beam.axisBins.front() += simulation.axisOffsetBins;
        return simulate(simulation, beam);
    }
    ParallelBeam beam;
    beam.bins = simulation.size;
    beam.axisBins = {axisOf(simulation)};
    beam.anglesRad = std::move(anglesRad);
    return scanOf(simulation, std::move(beam));
}

std::shared_ptr<const Scan> simulate(Simulation simulation, const ConeBeam& beam)
{
    validate(beam, "The simulated scan");
    simulation.sampling = Sampling::ray;
    simulation.size = beam.bins;
    simulation.slices = beam.rows;
    simulation.projections = beam.projections();
    validate(simulation);
    return scanOf(simulation, beam);
}

} // namespace engine

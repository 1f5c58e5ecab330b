// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/slices/write_scan.h"

#include "engine/base/error.h"
#include "engine/io/files/pending_file.h"
#include "engine/io/formats/hdf5_scan.h"
#include "engine/io/hdf5/hdf5_output.h"

#include <algorithm>
#include <numbers>

namespace engine
{

namespace
{

constexpr double bytesAtOnce = 64 << 20; // of frames in memory at a time
constexpr int bytesPerWrite = 4 << 20;   // between two checks of the stop token

// The data set and the first index of each kind of frame.
struct Places {
    struct Place {
        std::string path;
        int first = 0;
    };
    Place data, darks, flats;
};

std::vector<double> inDegrees(const std::vector<double>& radians)
{
    std::vector<double> result = radians;
    for (double& angle : result)
        angle *= 180 / std::numbers::pi;
    return result;
}

void describeData(Hdf5Output& file, const std::string& data, const Scan& scan)
{
    file.attribute(data, "description", scan.quantity == Quantity::attenuation ? "attenuation" : "transmission");
    file.attribute(data, "units", scan.quantity == Quantity::attenuation ? "attenuation" : "counts");
}

Places layOutDxchange(Hdf5Output& file, const Scan& scan, const Simulation* simulation)
{
    const auto* cone = std::get_if<ConeBeam>(&scan.geometry);
    const ParallelBeam* parallel = cone ? nullptr : &parallelBeamOf(scan.geometry, "the DXchange writer");
    const Places places{{"/exchange/data", 0}, {"/exchange/data_dark", 0}, {"/exchange/data_white", 0}};
    file.text("/implements", simulation ? "exchange:measurement:process" : "exchange:measurement");
    file.numbers(places.data.path, {scan.projections(), scan.rows, scan.bins()}, OutputFormat::Type::float32);
    file.attribute(places.data.path, "axes", "theta:y:x");
    describeData(file, places.data.path, scan);
    if (scan.darkFrames > 0) {
        file.numbers(places.darks.path, {scan.darkFrames, scan.rows, scan.bins()}, OutputFormat::Type::float32);
        file.attribute(places.darks.path, "axes", "theta_dark:y:x");
    }
    if (scan.flatFrames > 0) {
        file.numbers(places.flats.path, {scan.flatFrames, scan.rows, scan.bins()}, OutputFormat::Type::float32);
        file.attribute(places.flats.path, "axes", "theta_white:y:x");
    }
    file.numbers("/exchange/theta", inDegrees(scan.anglesRad()));
    file.attribute("/exchange/theta", "units", "deg");
    file.text("/exchange/title", scan.name);
    file.text("/measurement/sample/name", scan.name);
    if (cone)
        file.text(writtenGeometryPath, geometryJson(*cone));
    if (parallel && parallel->pixelSizeMm) {
        const std::string resolution = "/measurement/instrument/detection_system/objective/resolution";
        file.number(resolution, *parallel->pixelSizeMm);
        file.attribute(resolution, "units", "mm");
    }
    if (simulation)
        file.text("/process/simulation/configuration", toJson(*simulation));
    return places;
}

// Writes the pixel size of the detector; for a parallel beam it is also that of a slice.
void describePixels(Hdf5Output& file, const std::string& detector, const Scan& scan)
{
    const auto* cone = std::get_if<ConeBeam>(&scan.geometry);
    const auto write = [&](const char* name, double mm) {
        file.number(detector + name, mm);
        file.attribute(detector + name, "units", "mm");
    };
    if (cone && cone->isCircle()) {
        write("/x_pixel_size", cone->pixelUMm);
        write("/y_pixel_size", cone->pixelVMm);
    } else if (!cone && parallelBeamOf(scan.geometry, "the NXtomo writer").pixelSizeMm) {
        for (const char* name : {"/x_pixel_size", "/y_pixel_size"})
            write(name, *parallelBeamOf(scan.geometry, "the NXtomo writer").pixelSizeMm);
    }
}

Places layOutNxtomo(Hdf5Output& file, const Scan& scan, const Simulation* simulation)
{
    const auto* cone = std::get_if<ConeBeam>(&scan.geometry);
    const std::string detector = "/entry/instrument/detector", data = detector + "/data";
    file.group("/entry", "NXentry");
    file.attribute("/", "default", "entry");
    file.attribute("/entry", "default", "data");
    file.text("/entry/definition", "NXtomo");
    file.text("/entry/title", scan.name);
    file.group("/entry/instrument", "NXinstrument");
    file.group(detector, "NXdetector");
    file.group("/entry/sample", "NXsample");
    file.text("/entry/sample/name", scan.name);

    // Darks, flats, projections; darks and flats get the first angle.
    const int before = scan.darkFrames + scan.flatFrames;
    std::vector<int> keys(static_cast<std::size_t>(before + scan.projections()), 0);
    std::fill_n(keys.begin(), scan.darkFrames, 2);
    std::fill_n(keys.begin() + scan.darkFrames, scan.flatFrames, 1);
    std::vector<double> angles = inDegrees(scan.anglesRad());
    angles.insert(angles.begin(), static_cast<std::size_t>(before), angles.front());
    file.numbers(data, {static_cast<long long>(keys.size()), scan.rows, scan.bins()}, OutputFormat::Type::float32);
    describeData(file, data, scan);
    file.integers(detector + "/image_key", keys);
    file.numbers("/entry/sample/rotation_angle", angles);
    file.attribute("/entry/sample/rotation_angle", "units", "degree");
    describePixels(file, detector, scan);
    if (cone)
        file.text(std::string("/entry/") + writtenGeometryInEntry, geometryJson(*cone));
    file.group("/entry/data", "NXdata");
    file.attribute("/entry/data", "signal", "data");
    file.link(data, "/entry/data/data");
    file.link("/entry/sample/rotation_angle", "/entry/data/rotation_angle");
    file.link(detector + "/image_key", "/entry/data/image_key");
    if (simulation) {
        file.group("/entry/simulation", "NXcollection");
        file.text("/entry/simulation/configuration", toJson(*simulation));
    }
    return {{data, before}, {data, 0}, {data, scan.darkFrames}};
}

void copyRows(Hdf5Output& file, const Places& places, const Scan& scan, const std::function<void(double)>& progress,
              const std::stop_token& stop)
{
    const int bins = scan.bins();
    const int frames = scan.projections() + scan.darkFrames + scan.flatFrames;
    const double rowBytes = static_cast<double>(frames) * bins * sizeof(float);
    const int step = static_cast<int>(std::clamp(bytesAtOnce / rowBytes, 1.0, static_cast<double>(scan.rows)));
    const auto put = [&](const Places::Place& place, int count, RowRange rows, const Values& values) {
        const std::size_t frame = static_cast<std::size_t>(rows.count) * bins;
        const int most = static_cast<int>(std::max<std::size_t>(1, bytesPerWrite / (frame * sizeof(float))));
        for (int done = 0; done < count; done += most) {
            throwIfStopped(stop);
            file.write(place.path, {place.first + done, rows.first, 0},
                       {std::min(most, count - done), rows.count, bins},
                       values.data() + static_cast<std::size_t>(done) * frame);
        }
    };
    for (int first = 0; first < scan.rows; first += step) {
        const RowRange rows{first, std::min(step, scan.rows - first)};
        const RawRows raw = scan.read(rows, stop);
        put(places.data, raw.projections, rows, raw.data.toFloats());
        put(places.darks, raw.darkFrames, rows, raw.darks);
        put(places.flats, raw.flatFrames, rows, raw.flats);
        if (progress)
            progress(static_cast<double>(rows.first + rows.count) / scan.rows);
    }
}

} // namespace

void writeScan(const Scan& scan, const Simulation* simulation, ScanFormat format, const std::filesystem::path& path,
               bool overwrite, const std::function<void(double)>& progress, std::stop_token stop)
{
    if (scan.projections() < 1 || scan.rows < 1 || scan.bins() < 1)
        throw Error(ErrorKind::badRequest,
                    "A scan without projections can't be written to " + fileText(path.string()) + ".");
    PendingFile pending(path, overwrite, ProtectedInputs(scan));
    Hdf5Output file(pending.temporary(), path);
    const Places places =
        format == ScanFormat::dxchange ? layOutDxchange(file, scan, simulation) : layOutNxtomo(file, scan, simulation);
    copyRows(file, places, scan, progress, stop);
    file.close();
    pending.commit();
}

} // namespace engine

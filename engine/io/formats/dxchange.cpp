// SPDX-License-Identifier: GPL-3.0-or-later
// DXchange: /exchange/data with its flats, darks and angles.
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/formats/given_sides.h"
#include "engine/io/formats/hdf5_data_sets.h"
#include "engine/io/formats/hdf5_scan_parts.h"
#include "engine/io/formats/reader.h"
#include "engine/io/geometry/scan_geometry.h"

#include <cmath>
#include <numbers>

namespace engine
{

namespace
{

const std::string dataPath = "/exchange/data", darksPath = "/exchange/data_dark", flatsPath = "/exchange/data_white";

const std::string thetaPath = "/exchange/theta";

// Returns the axes of data that doesn't name them: theta:y:x, unless only the second dimension has an angle each.
FrameAxes unnamedAxes(const Hdf5File& file, std::vector<Note>& notes)
{
    const std::vector<long long> shape = file.dataset(dataPath).shape();
    if (shape.size() != 3 || file.node(thetaPath) == Hdf5File::Node::none)
        return {};
    const std::vector<long long> angles = file.dataset(thetaPath).shape();
    if (angles.size() != 1 || angles[0] < 2 || angles[0] == shape[0] || angles[0] != shape[1])
        return {};
    notes.push_back(dataPath + " names no axes and is read as y:theta:x: " + thetaPath +
                    " has as many angles as its "
                    "second dimension, " +
                    std::to_string(angles[0]) + ", and not as its first, " + std::to_string(shape[0]) + ".");
    return {1, 0, 2};
}

FrameAxes dataAxes(const Hdf5File& file, std::vector<Note>& notes)
{
    const std::optional<std::string> text = file.attribute(dataPath, "axes");
    if (!text || text->empty())
        return unnamedAxes(file, notes);
    if (*text == "z:y:x")
        throw Error(ErrorKind::badFile, fileText(file.path().string()) + " holds reconstructed slices (" + dataPath +
                                            " has the axes z:y:x), not projections.");
    if (const std::optional<FrameAxes> axes = axesFromText(*text))
        return *axes;
    notes.push_back(dataPath + " has the unknown axes '" + *text + "'; theta:y:x is assumed.");
    return {};
}

// frames: the projections among `all`; those that have no angle yet are removed.
std::vector<double> dxchangeAngles(const Hdf5File& file, const Hdf5Dataset& data, std::vector<long long>& frames,
                                   int all, Scan& scan)
{
    using std::numbers::pi;
    const std::string rotation = "/process/acquisition/rotation/";
    if (file.node(thetaPath) != Hdf5File::Node::none) {
        scan.sources.angles.where = thetaPath;
        return anglesOfFrames(file, thetaPath, data, frames, all, scan.notes);
    }
    const std::optional<double> start = file.number(rotation + "rotation_start");
    const std::optional<double> step = file.number(rotation + "rotation_step");
    if (start && step) {
        if (const std::optional<double> count = file.number(rotation + "num_angles"); count && *count != all)
            scan.notes.push_back(rotation + "num_angles is " + numberToText(*count) + ", but there are " +
                                 std::to_string(all) + " projections.");
        scan.notes.push_back("There is no " + thetaPath + "; the angles come from " + rotation +
                             "rotation_start and _step.");
        scan.sources.angles.where = rotation + "rotation_start";
        std::vector<double> angles;
        for (const long long frame : frames)
            angles.push_back((*start + static_cast<double>(frame) * *step) * pi / 180);
        requireAngles(angles, static_cast<int>(frames.size()), file.path().string(), rotation + "rotation_step");
        return angles;
    }
    return {};
}

// Reads the pixel size at the object. Beamlines with an objective record it, others the detector's pixel, which an
// objective would magnify. Both need a unit: some write micrometres, others millimetres.
void readPixelSize(const Hdf5File& file, Scan& scan, RecordedGeometry& recorded)
{
    const std::string instrument = "/measurement/instrument/", objective = instrument + "detection_system/objective/",
                      magnified = objective + "magnification";
    scan.sources.pixelSize.where = objective + "resolution";
    recorded.pixelSizeMm = lengthInMm(file, scan.sources.pixelSize.where, scan.notes);
    const bool isMagnified = file.node(magnified) != Hdf5File::Node::none;
    const double times = isMagnified ? file.number(magnified).value_or(0) : 1;
    if (recorded.pixelSizeMm || !(times > 0) || !std::isfinite(times))
        return;
    for (const char* name : {"detector/pixel_size", "detector/pixel_size_x"})
        if (const auto mm = lengthInMm(file, instrument + name, scan.notes)) {
            scan.sources.pixelSize.where = instrument + name;
            recorded.pixelSizeMm = *mm / times;
            if (isMagnified)
                scan.notes.push_back("The pixel size is " + scan.sources.pixelSize.where + " divided by " + magnified +
                                     " (" + numberToText(times) + ").");
            return;
        }
}

Sure recognisesDxchange(const Candidate& candidate)
{
    const Hdf5File* file = candidate.hdf5();
    return file && file->node(dataPath) != Hdf5File::Node::none ? Sure::certain : Sure::no;
}

Scan openDxchange(const Candidate& candidate)
{
    const Hdf5File& file = *candidate.hdf5();
    const OpenOptions& options = candidate.options();
    Scan scan;
    scan.path = file.path().string();
    const Hdf5Dataset data = file.dataset(dataPath);
    const FrameAxes axes = dataAxes(file, scan.notes);
    const std::vector<long long>& shape = data.shape();
    if (shape.size() != 3 || data.sampleType().empty())
        throw Error(ErrorKind::badFile, fileText(scan.path) + ": " + dataPath + " is " + shapeText(shape) +
                                            (data.sampleType().empty() ? ", not numbers" : "") +
                                            "; projections by rows by bins are needed.");
    scan.sampleType = data.sampleType();
    const auto count = [&](int axis, const char* what) {
        return checkedCount(shape[static_cast<std::size_t>(axis)], scan.path,
                            std::string("the number of ") + what + " in " + dataPath,
                            axis == axes.frame ? mostFrames : mostAcross);
    };
    const int all = count(axes.frame, "projections");
    ScanFrames frames;
    frames.path = scan.path;
    frames.rows = count(axes.row, "rows");
    frames.bins = count(axes.bin, "bins");
    RecordedGeometry recorded = writtenGeometry(file, writtenGeometryPath);
    std::vector<long long> projections = writtenFrames(data, axes, allFrames(data, axes), scan.notes);
    if (!anglesGiven(options))
        recorded.anglesRad = dxchangeAngles(file, data, projections, all, scan);
    frames.projections = hdf5Frames(data, axes, std::move(projections));
    frames.darks = options.darks.empty()
                       ? sideFrames(file, darksPath, axes, frames.rows, frames.bins)
                       : givenSides(options.darks, frames.rows, frames.bins, scan.path, candidate.stop());
    frames.flats = options.flats.empty()
                       ? sideFrames(file, flatsPath, axes, frames.rows, frames.bins)
                       : givenSides(options.flats, frames.rows, frames.bins, scan.path, candidate.stop());

    scan.sources.projections.where = dataPath;
    scan.sources.darks.where = darksPath;
    scan.sources.flats.where = flatsPath;
    recorded.withoutAngles = "There is no /exchange/theta";
    recorded.bothEnds = recorded.isParallel = true;
    readPixelSize(file, scan, recorded);
    setGeometry(scan, options, frames, std::move(recorded));
    if (file.attribute(dataPath, "description") == "attenuation") {
        scan.quantity = Quantity::attenuation;
        scan.quantitySource = QuantitySource::recorded;
    }
    addMetadata(scan, file, "Title", {"/exchange/title"});
    addMetadata(scan, file, "Sample", {"/measurement/sample/name", "/measurement/sample/sample_name"});
    addMetadata(scan, file, "Instrument", {"/measurement/instrument/name", "/measurement/instrument/instrument_name"});
    const std::vector<std::string> energies = {"/measurement/instrument/monochromator/energy"};
    addMetadata(scan, file, "Energy", energies);
    scan.energyKeV = energyInKeV(file, energies);
    addMetadata(scan, file, "Start", {"/process/acquisition/start_date", "/measurement/sample/file/date"});
    attachSimulation(scan, file, "/process/simulation/configuration", frames.rows);
    addFiles(scan, file);
    setFrames(scan, std::move(frames), options);
    return scan;
}

} // namespace

extern const Reader dxchangeReader = {
    .id = "dxchange",
    .label = "DXchange",
    .summary = "HDF5 with projections, darks, flats and angles in /exchange, as written at the APS",
    .container = &hdf5Container,
    .mark = "/exchange/data (DXchange)",
    .recognises = recognisesDxchange,
    .open = openDxchange,
};

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Acquisition data of the Core Imaging Library (CIL) in NeXus: projections with the positions of source, detector and
// rotation axis. Layout and conventions: its NEXUSDataWriter and its conversion to ASTRA (Jørgensen and others, Phil.
// Trans. R. Soc. A 379, 20200192, 2021). The source is turned by −(initial angle + angle) about z.
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/formats/given_sides.h"
#include "engine/io/formats/hdf5_scan.h"
#include "engine/io/formats/hdf5_scan_parts.h"
#include "engine/io/formats/reader.h"
#include "engine/io/geometry/scan_geometry.h"
#include "engine/scan/vector3.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace engine
{

namespace
{

const std::string cilEntry = "/entry1/tomo_entry/", cilData = cilEntry + "data/data", cilConfig = cilEntry + "config/";

Sure recognisesCil(const Candidate& candidate)
{
    const Hdf5File* file = candidate.hdf5();
    return file && file->node(cilData) != Hdf5File::Node::none &&
                   file->attribute(cilData, "data_type") == "AcquisitionData"
               ? Sure::certain
               : Sure::no;
}

[[noreturn]] void refuseCil(const Hdf5File& file, const Text& why)
{
    throw Error(ErrorKind::badFile, fileText(file.path().string()) + ": " + why);
}

// Two or three numbers; z is 0 if it is missing.
Vector3 vectorIn(const Hdf5File& file, const std::string& name)
{
    const std::vector<double> numbers = file.dataset(cilConfig + name).numbers();
    if (numbers.size() < 2 || numbers.size() > 3)
        refuseCil(file, cilConfig + name + " has " + std::to_string(numbers.size()) + " numbers instead of 2 or 3.");
    return {numbers[0], numbers[1], numbers.size() > 2 ? numbers[2] : 0};
}

double lengthOf(const Hdf5File& file, const char* attribute)
{
    const std::string text = file.attribute(cilData, attribute).value_or("");
    try {
        if (const double value = realFromText(text, attribute); value > 0)
            return value;
    } catch (const Error&) { // below
    }
    refuseCil(file, cilData + " has the attribute " + attribute + " '" + text.substr(0, 40) + "'; it must be above 0.");
}

FrameAxes axesOfCil(const Hdf5File& file, const Hdf5Dataset& data)
{
    FrameAxes axes{-1, -1, -1};
    const int dimensions = static_cast<int>(data.shape().size());
    for (int k = 0; k < dimensions; ++k) {
        const std::string name = file.attribute(cilData, "dim" + std::to_string(k)).value_or("");
        if (int* axis = name == "angle"        ? &axes.frame
                        : name == "vertical"   ? &axes.row
                        : name == "horizontal" ? &axes.bin
                                               : nullptr)
            *axis = k;
        else
            refuseCil(file, "the attribute dim" + std::to_string(k) + " of " + cilData + " is '" + name.substr(0, 40) +
                                "'; only angle, vertical and horizontal can be read.");
    }
    if (axes.frame < 0 || axes.bin < 0)
        refuseCil(file, cilData + " needs the dimensions angle and horizontal.");
    return axes;
}

Vector3 minus(const Vector3& a, const Vector3& b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Vector3 ofLengthOne(const Vector3& a)
{
    const double all = length(a);
    return {a[0] / all, a[1] / all, a[2] / all};
}

// Source, detector and directions for angle 0, relative to the rotation axis. Bins count along `along`, rows along
// `up`.
struct CilSystem {
    bool isCone;
    Vector3 source{}, detector, along, up{0, 0, 1}, beam;

    CilSystem(const Hdf5File& file, bool hasRows)
        : isCone(file.attribute(cilData, "geometry") == "cone"),
          along(ofLengthOne(vectorIn(file, "detector/direction_x")))
    {
        constexpr double mostOff = 1e-3; // of directions: 0.06°
        const std::string origin = file.attribute(cilData, "panel_origin").value_or("bottom-left");
        const Vector3 axis = vectorIn(file, "rotation_axis/position");
        Vector3 turn{0, 0, 1};
        if (hasRows) {
            up = ofLengthOne(vectorIn(file, "detector/direction_y"));
            turn = ofLengthOne(vectorIn(file, "rotation_axis/direction"));
        }
        detector = minus(vectorIn(file, "detector/position"), axis);
        if (isCone)
            source = minus(vectorIn(file, "source/position"), axis);
        beam = ofLengthOne(isCone ? Vector3{-source[0], -source[1], 0} : vectorIn(file, "ray/direction"));
        for (double& part : along)
            part *= origin.find("right") != origin.npos ? -1 : 1;
        for (double& part : up)
            part *= origin.find("top") != origin.npos ? -1 : 1;
        const bool isUpright = std::hypot(turn[0], turn[1]) < mostOff && std::hypot(up[0], up[1]) < mostOff &&
                               std::abs(beam[2]) < mostOff && std::abs(along[2]) < mostOff &&
                               std::abs(dot(along, beam)) < mostOff;
        if (!isUpright)
            refuseCil(file, "its rotation axis, detector or beam is tilted, which is not read from files of CIL. Give "
                            "the geometry as matrices" +
                                hint("geometry", "FILE") + ".");
    }

    bool isMirrored() const { return along[0] * beam[1] - along[1] * beam[0] < 0; } // bins to the left, from the source
};

// Lengths have no unit; CIL's examples are in mm.
void takeSystem(const CilSystem& system, const Hdf5File& file, RecordedGeometry& recorded, Scan& scan)
{
    const double pixel = lengthOf(file, "pixel_size_h");
    recorded.rowsUpwards = system.up[2] > 0;
    if (!system.isCone) {
        recorded.isParallel = true;
        if (pixel != 1) // the number if nobody gave one
            recorded.pixelSizeMm = pixel;
        if (const double offset = dot(system.detector, system.along); offset != 0)
            scan.axisHints.push_back({cilConfig + "rotation_axis/position", "where the axis is seen",
                                      (recorded.bins - 1) / 2.0 - offset / pixel});
        return;
    }
    recorded.isCone = true;
    const Vector3 across = minus(system.detector, system.source);
    ConeOptions& cone = recorded.cone;
    cone.sourceAxisMm = std::hypot(system.source[0], system.source[1]);
    cone.sourceDetectorMm = dot(across, system.beam);
    cone.pixelUMm = pixel;
    cone.pixelVMm = recorded.rows > 1 ? lengthOf(file, "pixel_size_v") : pixel;
    cone.offsetUMm = dot(across, system.along);
    cone.offsetVMm = -across[2];
    cone.direction = system.isMirrored() ? AngleDirection::anticlockwise : AngleDirection::clockwise;
    scan.notes.push_back("Lengths of " + cilConfig + " are read as mm.");
}

void takeAngles(const CilSystem& system, const Hdf5File& file, RecordedGeometry& recorded, Scan& scan)
{
    const std::string path = cilConfig + "angles", initial = file.attribute(path, "initial_angle").value_or("0");
    const double first = std::atan2(system.along[1], system.isMirrored() ? -system.along[0] : system.along[0]);
    std::vector<double> angles = file.dataset(path).numbers();
    for (double& angle : angles)
        angle += realFromText(initial, path + " initial_angle");
    angles = anglesInRadians(std::move(angles), file.attribute(path, "angle_unit"), path, scan.notes);
    const double sense = system.isMirrored() ? 1 : -1, shown = system.isCone && !system.isMirrored() ? -1 : 1;
    for (const double angle : angles) // `shown`: a clockwise direction of a cone changes the sign again
        recorded.anglesRad.push_back(shown * (first + sense * angle));
    if (system.isMirrored())
        scan.notes.push_back("Seen from the source, bins count to the left: the slices are mirror images.");
}

Scan openCil(const Candidate& candidate)
{
    const Hdf5File& file = *candidate.hdf5();
    const OpenOptions& options = candidate.options();
    Scan scan;
    scan.path = file.path().string();
    const Hdf5Dataset data = file.dataset(cilData);
    const FrameAxes axes = axesOfCil(file, data);
    if (file.attribute(cilData, "scale"))
        refuseCil(file, "the numbers of " + cilData +
                            " are compressed with a scale and an offset. Write them without "
                            "compression.");
    scan.sampleType = data.sampleType();
    const auto count = [&](int axis, const char* what, int most) {
        return axis < 0 ? 1
                        : checkedCount(data.shape()[static_cast<std::size_t>(axis)], scan.path,
                                       std::string("the number of ") + what + " in " + cilData, most);
    };
    ScanFrames frames;
    frames.path = scan.path;
    RecordedGeometry recorded;
    recorded.projections = count(axes.frame, "projections", mostFrames);
    recorded.rows = frames.rows = count(axes.row, "rows", mostAcross);
    recorded.bins = frames.bins = count(axes.bin, "bins", mostAcross);
    const CilSystem system(file, axes.row >= 0);
    takeSystem(system, file, recorded, scan);
    takeAngles(system, file, recorded, scan);
    requireAngles(recorded.anglesRad, recorded.projections, scan.path, cilConfig + "angles");
    frames.projections = hdf5Frames(data, axes, allFrames(data, axes));
    frames.darks = givenSides(options.darks, frames.rows, frames.bins, scan.path, candidate.stop());
    frames.flats = givenSides(options.flats, frames.rows, frames.bins, scan.path, candidate.stop());
    scan.sources.projections.where = cilData;
    scan.sources.angles.where = cilConfig + "angles";
    scan.sources.pixelSize.where = cilData;
    setGeometry(scan, options, frames, std::move(recorded));
    addFiles(scan, file);
    setFrames(scan, std::move(frames), options);
    return scan;
}

} // namespace

extern const Reader cilReader = {
    .id = "cil",
    .label = "CIL NeXus",
    .summary =
        "HDF5 with projections and the positions of source, detector and axis, as CIL's NEXUSDataWriter writes it",
    .container = &hdf5Container,
    .mark = "CIL's AcquisitionData",
    .recognises = recognisesCil,
    .open = openCil,
};

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Bruker's SkyScan scanners: a .log with lines NAME=VALUE beside the TIFFs, in Latin-1.
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/files/folder_entries.h"
#include "engine/io/files/input_file.h"
#include "engine/io/formats/given_sides.h"
#include "engine/io/formats/named_values.h"
#include "engine/io/formats/reader.h"
#include "engine/io/geometry/scan_geometry.h"
#include "engine/io/tiff/tiff_frames.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <system_error>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

constexpr std::size_t mostLogBytes = 1 << 20;

bool hasLogSuffix(const fs::path& file)
{
    return lowerCase(file.extension().string()) == ".log";
}

std::string logText(const fs::path& file)
{
    return textOf(file, fileText(file.string()), mostLogBytes);
}

bool isSkyScanLog(const fs::path& file)
{
    std::error_code failed;
    if (!hasLogSuffix(file) || fs::file_size(file, failed) > mostLogBytes || failed)
        return false;
    const std::string start = lowerCase(logText(file).substr(0, 4096));
    return start.find("[system]") != std::string::npos && start.find("scanner=") != std::string::npos;
}

[[noreturn]] void refuse(const Text& who, const std::string& why)
{
    throw Error(ErrorKind::badFile, who + " describes " + why + ", which can't be reconstructed here.");
}

void refuseOtherScans(const NamedValues& log)
{
    if (log.number("Number of connected scans").value_or(1) > 1)
        refuse(log.who(), "connected scans of several heights (Number of connected scans=" +
                              log.text("Number of connected scans") + ")");
    if (log.says("Camera Offset", "on") || log.number("Number Of Horizontal Offset Positions").value_or(1) > 1)
        refuse(log.who(), "a scan with several positions of the camera (Camera Offset)");
    if (const std::string way = lowerCase(log.text("Scanning Trajectory"));
        !way.empty() && !log.says("Scanning Trajectory", "round"))
        refuse(log.who(), "the trajectory '" + way + "'");
}

// The number that Camera binning begins with, such as 4 of "4x4".
double binningOf(const NamedValues& log)
{
    const std::string text = log.text("Camera binning");
    return text.empty() ? 1 : log.numberIn("Camera binning", text.substr(0, text.find_first_not_of("0123456789")));
}

// Distances are nominal, the size of a pixel in the object is calibrated: the distance from source to detector follows
// from it.
void takeDistances(const NamedValues& log, RecordedGeometry& geometry, const std::string& name)
{
    constexpr double farMm = 10000, apart = 0.005; // a source that far is that of an optical scanner
    const double sourceAxis = log.positive("Object to Source (mm)"),
                 image = log.positive("Image Pixel Size (um)") / 1000;
    if (sourceAxis >= farMm) {
        geometry.isParallel = true;
        geometry.pixelSizeMm = image;
        return;
    }
    geometry.isCone = true;
    geometry.searchesAxis = true;
    ConeOptions& cone = geometry.cone;
    cone.sourceAxisMm = sourceAxis;
    cone.pixelUMm = log.positive("Camera Pixel Size (um)") / 1000 * binningOf(log);
    const std::optional<double> ratio = log.number("CameraXYRatio"), other = log.number("Camera X/Y Ratio");
    cone.pixelVMm = *cone.pixelUMm * (ratio ? *ratio : other.value_or(1));
    cone.sourceDetectorMm = *cone.pixelUMm * sourceAxis / image;
    if (const std::optional<double> nominal = log.number("Camera to Source (mm)");
        nominal && std::abs(*nominal / *cone.sourceDetectorMm - 1) > apart)
        geometry.notes.push_back("The distance from source to detector, " +
                                 numberToText(std::round(*cone.sourceDetectorMm * 100) / 100) +
                                 " mm, follows from the pixel sizes of " + name + "; its Camera to Source is " +
                                 numberToText(*nominal) + " mm.");
    cone.offsetVMm = 0;
    if (const std::optional<double> line = log.number("Optical Axis (line)")) {
        const double cropped = log.number("Image crop origin Y").value_or(0);
        const double row = *line < geometry.rows ? *line : *line - cropped;
        cone.offsetVMm = ((geometry.rows - 1) / 2.0 - row) * *cone.pixelVMm;
        geometry.notes.push_back("Optical Axis (line)=" + log.text("Optical Axis (line)") +
                                 " is counted from the first row of the images; that is a guess" +
                                 hint("detector-offset", "U,V") + ".");
    }
    if (log.says("Partial Width", "on") || log.number("Image crop origin X").value_or(0) > 0)
        geometry.notes.push_back("The images are cropped: the middle of the detector is assumed in their middle, where "
                                 "the axis is looked for first.");
}

void takeAngles(const NamedValues& log, RecordedGeometry& geometry)
{
    const double step = log.positive("Rotation Step (deg)");
    const bool isClockwise = log.says("Rotation Direction", "cw");
    geometry.cone.direction = isClockwise ? AngleDirection::clockwise : AngleDirection::anticlockwise;
    geometry.notes.push_back(std::string("The turn is read as ") + (isClockwise ? "clockwise" : "anticlockwise") +
                             (log.text("Rotation Direction").empty() ? "" : ", from Rotation Direction") +
                             "; that is a guess" + hint("direction", isClockwise ? "anticlockwise" : "clockwise") +
                             ".");
    for (int projection = 0; projection < geometry.projections; ++projection)
        geometry.anglesRad.push_back((geometry.isParallel && isClockwise ? -projection : projection) * step *
                                     std::numbers::pi / 180);
}

// Returns the files "scan_0000.tif", … beside "scan_.log" or "scan.log", ordered by number: not previews
// ("scan__Spr.tif") and not slices ("scan__rec0000.tif").
std::vector<fs::path> skyScanTiffs(const fs::path& log)
{
    std::string name = log.stem().string();
    std::vector<fs::path> files;
    for (const fs::path& file : tiffsIn(log.parent_path())) {
        const std::string stem = file.stem().string();
        std::string rest = stem.starts_with(name) ? stem.substr(name.size()) : std::string();
        rest.erase(0, rest.starts_with('_') ? 1 : 0);
        if (!rest.empty() && std::ranges::all_of(rest, [](unsigned char c) { return std::isdigit(c); }))
            files.push_back(file);
    }
    return files;
}

// Returns the only log of a SkyScan scan in a folder with its TIFFs; empty: none or several.
fs::path logIn(const fs::path& folder)
{
    fs::path found;
    std::error_code failed;
    for (const FolderEntry& entry : entriesOf(folder, failed))
        if (entry.isFile() && isSkyScanLog(entry.path) && !skyScanTiffs(entry.path).empty()) {
            if (!found.empty())
                return {};
            found = entry.path;
        }
    return found;
}

Sure recognisesSkyScan(const Candidate& candidate)
{
    if (candidate.isFolder())
        return logIn(candidate.path()).empty() ? Sure::no : Sure::certain;
    return isSkyScanLog(candidate.path()) ? Sure::certain : Sure::no;
}

Scan openSkyScan(const Candidate& candidate)
{
    const OpenOptions& options = candidate.options();
    const fs::path file = candidate.isFolder() ? logIn(candidate.path()) : candidate.path();
    const Text who = fileText(file.string());
    const NamedValues log(logText(file), who, {"[system]", "[acquisition]"});
    refuseOtherScans(log);
    std::vector<fs::path> files = skyScanTiffs(file);
    if (files.empty())
        throw Error(ErrorKind::badFile,
                    who + " has no projections beside it: TIFF files '" + file.stem().string() + "' with numbers.");
    RecordedGeometry geometry;
    ScanFrames frames;
    Scan scan;
    const double recorded = log.positive("Number Of Files");
    if (static_cast<double>(files.size()) == recorded + 1) { // taken again at the first angle
        geometry.notes.push_back(fileText(files.back().filename().string()) + " is one file more than " +
                                 file.filename().string() + " specifies, and is left out.");
        files.pop_back();
    }
    frames.projections.frames = static_cast<int>(files.size());
    findMissing(frames, files);
    if (static_cast<double>(files.size() + frames.missing.size()) != recorded)
        throw Error(ErrorKind::badFile, who + " specifies " + numberToText(recorded) + " files, but there are " +
                                            std::to_string(files.size()) + " beside it.");
    std::vector<TiffFrame> projections = tiffFramesIn(files, candidate.stop());
    const TiffPage page = projections.front().page;
    geometry.projections = static_cast<int>(recorded);
    geometry.rows = page.height;
    geometry.bins = page.width;
    takeDistances(log, geometry, file.filename().string());
    takeAngles(log, geometry);
    scan.sampleType = page.sampleType;
    scan.folders = {file.parent_path()};
    frames.path = candidate.path().string();
    frames.rows = page.height;
    frames.bins = page.width;
    frames.projections = tiffSource(std::move(projections));
    const std::string like = files.front().string();
    frames.darks = givenSides(options.darks, page.height, page.width, like, candidate.stop());
    frames.flats = givenSides(options.flats, page.height, page.width, like, candidate.stop());
    if (const std::optional<double> white = log.number("Reference Intensity"); options.flats.empty() && white > 0.0) {
        frames.flats = whiteFrame(*white, page.width);
        scan.sources.flats.where = "Reference Intensity of " + file.filename().string();
        scan.notes.push_back("Reference Intensity, " + numberToText(*white) + ", is used as the flat field.");
    }
    for (const char* name : {"Scanner", "Source Voltage (kV)", "Exposure (ms)", "Filter"})
        if (const std::string value = log.text(name); !value.empty())
            scan.metadata.emplace_back(lowerCase(name), value);
    scan.files.push_back(file);
    scan.sources.angles.where = scan.sources.pixelSize.where = file.filename().string();
    setGeometry(scan, options, frames, std::move(geometry));
    setFrames(scan, std::move(frames), options);
    return scan;
}

} // namespace

extern const Container skyScanContainer = {
    .label = "SkyScan",
    .withArticle = "a SkyScan .log",
    .suffixes = {".log"},
    .mimeTypes = {"application/x-skyscan-log"},
    .recognises = hasLogSuffix,
};

extern const Reader skyScanReader = {
    .id = "skyscan",
    .label = "SkyScan",
    .summary = "The .log file with the geometry of a scan, and its projections as TIFFs beside it; or their folder",
    .container = &skyScanContainer,
    .mark = "a section [System] with Scanner",
    .recognises = recognisesSkyScan,
    .open = openSkyScan,
};

} // namespace engine

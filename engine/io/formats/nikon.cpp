// SPDX-License-Identifier: GPL-3.0-or-later
// Nikon's .xtekct: lines NAME=VALUE that describe a scan, whose projections are TIFFs beside it.
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/outside_files.h"
#include "engine/io/formats/given_sides.h"
#include "engine/io/formats/named_values.h"
#include "engine/io/formats/reader.h"
#include "engine/io/geometry/geometry_file.h"
#include "engine/io/geometry/scan_geometry.h"
#include "engine/io/tiff/tiff_frames.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

constexpr const char* xtekSection = "[xtekct]";

// Reads position and inclination of the axis: from the newer names, else from the positions of the axis's two ends on
// the detector. The distance of the axis from the central ray is small compared with its distance from the source. It
// therefore makes no visible difference whether the central ray is turned towards the axis or the detector is shifted;
// a shifted detector is assumed.
void takeAxis(const NamedValues& values, ConeOptions& cone)
{
    constexpr double degree = std::numbers::pi / 180;
    const double magnification = *cone.sourceDetectorMm / *cone.sourceAxisMm;
    const double top = values.number("CentreOfRotationTop").value_or(values.number("CentreOfRotation").value_or(0));
    const double bottom = values.number("CentreOfRotationBottom").value_or(top);
    const double height = values.number("DetectorPixelsY").value_or(1) * *cone.pixelVMm;
    const double offset = values.number("ObjectOffsetX").value_or((top + bottom) / 2 / magnification);
    if (offset != 0) // otherwise nobody has measured it
        cone.offsetUMm = -offset * magnification;
    cone.offsetVMm = 0;
    const std::optional<double> roll = values.number("ObjectRoll");
    cone.rollRad = roll ? -*roll * degree : std::atan2(top - bottom, height);
    cone.tiltRad = values.number("ObjectTilt").value_or(0) * degree;
}

void takeVolume(const NamedValues& values, ConeOptions& cone)
{
    const std::optional<double> size = values.number("VoxelsX"), slices = values.number("VoxelsZ");
    const std::optional<double> voxel = values.number("VoxelSizeX");
    if (!size || !slices || !voxel || *voxel == 0)
        return;
    cone.size = values.count("VoxelsX", *size);
    cone.slices = values.count("VoxelsZ", *slices);
    cone.voxelMm = *voxel;
}

// Returns the files "scan_0001.tif", … for the name "scan", ordered by number.
std::vector<fs::path> nikonTiffs(const fs::path& folder, const std::string& name)
{
    std::vector<fs::path> files;
    for (const fs::path& file : tiffsIn(folder)) {
        const std::string stem = file.stem().string();
        if (!stem.starts_with(name) || stem.size() == name.size())
            continue;
        std::string rest = stem.substr(name.size());
        rest.erase(0, rest.find_first_of("0123456789"));
        if (!rest.empty() && std::ranges::all_of(rest, [](unsigned char c) { return std::isdigit(c); }))
            files.push_back(file);
    }
    return files;
}

bool hasNikonSuffix(const fs::path& file)
{
    return lowerCase(file.extension().string()) == ".xtekct";
}

Sure recognisesNikon(const Candidate& candidate)
{
    return !candidate.isFolder() && hasNikonSuffix(candidate.path()) ? Sure::certain : Sure::no;
}

Scan openNikon(const Candidate& candidate)
{
    const fs::path& file = candidate.path();
    OpenOptions options = candidate.options();
    const Text who = fileText(file.string());
    const std::string text = geometryText(file);
    if (!isNikon(text))
        throw Error(ErrorKind::badFile, who + " has no section [XTekCT]; it is not a Nikon scan, or it is damaged.");
    NikonScan nikon = nikonScan(text, who);
    const fs::path folder = nikon.folder.empty() ? file.parent_path() : file.parent_path() / nikon.folder;
    const std::string name = nikon.name.empty() ? file.stem().string() : nikon.name;
    if (const std::string why = whyNotLedTo(folder); !why.empty())
        throw Error(ErrorKind::badFile,
                    who + " has its projections in " + fileText(folder.string()) + ": " + why + ".");
    const std::vector<fs::path> files = nikonTiffs(folder, name);
    ScanFrames frames;
    frames.projections.frames = static_cast<int>(files.size());
    findMissing(frames, files);
    if (static_cast<int>(files.size() + frames.missing.size()) != nikon.geometry.projections)
        throw Error(ErrorKind::badFile, who + " has " + std::to_string(nikon.geometry.projections) +
                                            " projections, but there are " + std::to_string(files.size()) +
                                            " TIFF files '" + name + "…' with numbers in " + fileText(folder.string()) +
                                            ".");
    std::vector<TiffFrame> projections = tiffFramesIn(files, candidate.stop());
    const TiffPage page = projections.front().page;
    Scan scan;
    scan.sampleType = page.sampleType;
    scan.folders = {folder};
    noteOutside(scan, file, {folder / ""});
    frames.path = file.string();
    frames.rows = page.height;
    frames.bins = page.width;
    frames.projections = tiffSource(std::move(projections));
    const std::string like = files.front().string();
    frames.darks = givenSides(options.darks, page.height, page.width, like, candidate.stop());
    frames.flats = givenSides(options.flats, page.height, page.width, like, candidate.stop());
    if (options.flats.empty() && nikon.white > 0) {
        frames.flats = whiteFrame(nikon.white, page.width);
        scan.sources.flats.where = "WhiteLevel of " + file.filename().string();
        scan.notes.push_back("WhiteLevel, " + numberToText(nikon.white) + ", is used as the flat field.");
    }
    scan.files.push_back(file);
    scan.sources.angles.where = scan.sources.pixelSize.where = file.filename().string();
    setGeometry(scan, options, frames, std::move(nikon.geometry));
    setFrames(scan, std::move(frames), options);
    return scan;
}

} // namespace

bool isNikon(const std::string& text)
{
    return lowerCase(text.substr(0, 4096)).find(xtekSection) != std::string::npos;
}

// Directions are those of the Core Imaging Library: as seen from the source, bins are numbered from right to
// left, and the object turns so that the source goes anticlockwise about it from InitialAngle − 180°. We number bins
// from left to right, so we reconstruct the mirror image of the object. In a mirror image the angles are clockwise.
NikonScan nikonScan(const std::string& text, const Text& who)
{
    const NamedValues values(text, who, {xtekSection});
    NikonScan scan;
    scan.name = values.text("Name");
    scan.folder = values.text("InputFolderName");
    std::replace(scan.folder.begin(), scan.folder.end(), '\\', '/');
    scan.white = values.number("WhiteLevel").value_or(0);
    RecordedGeometry& geometry = scan.geometry;
    geometry.isCone = true;
    geometry.projections = values.count("Projections", values.needed("Projections"));
    geometry.bins = values.count("DetectorPixelsX", values.needed("DetectorPixelsX"));
    geometry.rows = values.count("DetectorPixelsY", values.number("DetectorPixelsY").value_or(1));
    ConeOptions& cone = geometry.cone;
    cone.sourceAxisMm = values.needed("SrcToObject");
    cone.sourceDetectorMm = values.needed("SrcToDetector");
    cone.pixelUMm = values.needed("DetectorPixelSizeX");
    cone.pixelVMm = values.number("DetectorPixelSizeY").value_or(*cone.pixelUMm);
    takeAxis(values, cone);
    geometry.searchesAxis = !cone.offsetUMm;
    takeVolume(values, cone);
    cone.direction = AngleDirection::clockwise;
    const double step = values.needed("AngularStep"), start = values.number("InitialAngle").value_or(0) - 180;
    for (int projection = 0; projection < geometry.projections; ++projection)
        geometry.anglesRad.push_back((start + projection * step) * std::numbers::pi / 180);
    return scan;
}

extern const Container nikonContainer = {
    .label = "Nikon",
    .withArticle = "a Nikon .xtekct",
    .suffixes = {".xtekct"},
    .mimeTypes = {"application/x-nikon-xtekct"},
    .recognises = hasNikonSuffix,
};

extern const Reader nikonReader = {
    .id = "nikon",
    .label = "Nikon",
    .summary = "The .xtekct file with the geometry of a cone-beam scan, and its projections as TIFFs beside it",
    .container = &nikonContainer,
    .mark = "a section [XTekCT]",
    .recognises = recognisesNikon,
    .open = openNikon,
};

} // namespace engine

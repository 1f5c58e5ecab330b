// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry files, which specify how a scan was taken: our JSON, RTK's geometry.xml, Nikon's .xtekct, projection
// matrices.
#pragma once

#include "engine/base/note.h"
#include "engine/scan/cone_options.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// The geometry that files specify for a scan; the user's options override it.
struct RecordedGeometry {
    bool isParallel = false;                // the format is for parallel beams only; if not, a parallel beam is a guess
    bool isCone = false;                    // specified by the file; else `cone` is used only if the user wants a cone
    ConeOptions cone;                       // as far as it is specified
    bool searchesAxis = false;              // the format specifies the axis of a cone, but this scan has none
    std::vector<ProjectionMatrix> matrices; // for trajectories that aren't circles; of any positive scale
    // Computes the matrices if the file doesn't specify the detector's pixels, which must then be given.
    std::function<std::vector<ProjectionMatrix>(const ConeOptions& pixels, int bins, int rows)> matricesFor;
    std::vector<double> anglesRad;           // empty: none
    std::optional<double> pixelSizeMm;       // for parallel beams
    int projections = 0, rows = 0, bins = 0; // of the scan that the file describes; 0: not specified
    bool rowsUpwards = false;                // the scan's rows are stored from bottom to top and must be reversed
    std::vector<Note> notes;                 // assumptions, one sentence each
    std::string withoutAngles = "No angles are known"; // how a note on assumed angles begins
    bool bothEnds = false;                             // assumed angles of a parallel beam include 180°
};

// Reads any of these formats, recognised by its contents. Throws Error(badFile) that names the file, the fault and
// its place.
RecordedGeometry readGeometryFile(const std::filesystem::path& path);

// Parses our own format. `who` names its source in messages.
RecordedGeometry geometryFromJson(const std::string& text, const Text& who);
std::string geometryJson(const ConeBeam& beam); // without angles

RecordedGeometry geometryFromRtk(const std::string& xml, const Text& who);

// Nikon's geometry, with the other facts of the file.
struct NikonScan {
    RecordedGeometry geometry;
    std::string name;   // of the TIFFs, without their number
    std::string folder; // of the TIFFs; empty: the folder of the file
    double white = 0;   // value of a ray through air alone; 0: not specified
};
bool isNikon(const std::string& text);
NikonScan nikonScan(const std::string& text, const Text& who);

// Reads a text file of at most 64 MB. Throws Error(badFile).
std::string geometryText(const std::filesystem::path& path);

// Finds the geometry file beside a scan that has no geometry of its own. Its name must be unambiguous. Empty if there
// is none.
std::filesystem::path geometryBeside(const std::filesystem::path& scan,
                                     const std::vector<std::filesystem::path>& folders);

} // namespace engine

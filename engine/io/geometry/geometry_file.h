// SPDX-License-Identifier: GPL-3.0-or-later
// How a scan was taken, as a file beside it says: our JSON, RTK's geometry.xml, Nikon's .xtekct, projection matrices.
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

// What files say of a scan's geometry; the user's options go before it.
struct RecordedGeometry {
    bool isParallel = false;                // the format is one of parallel beams; else that is a guess
    bool isCone = false;                    // it says so; else `cone` counts where the user says so
    ConeOptions cone;                       // as far as it is said
    std::vector<ProjectionMatrix> matrices; // of trajectories that aren't circles, of any positive scale
    // The same where the file doesn't know the detector's pixels: of those, which must be said.
    std::function<std::vector<ProjectionMatrix>(const ConeOptions& pixels, int bins, int rows)> matricesFor;
    std::vector<double> anglesRad;                     // empty: none
    std::optional<double> pixelSizeMm;                 // of parallel beams
    int projections = 0, rows = 0, bins = 0;           // of the scan that it is for; 0: not said
    bool rowsUpwards = false;                          // of that scan as it is stored: the rows are to be turned
    std::vector<Note> notes;                           // what was assumed, one sentence each
    std::string withoutAngles = "No angles are known"; // how an assumption about them begins
    bool bothEnds = false;                             // assumed angles of a parallel beam include 180°
};

// Any of them, known by its contents. Throws Error(badFile) that names the file, and what is wrong where in it.
RecordedGeometry readGeometryFile(const std::filesystem::path& path);

// Ours. `who` names the place in messages.
RecordedGeometry geometryFromJson(const std::string& text, const Text& who);
std::string geometryJson(const ConeBeam& beam); // without angles

RecordedGeometry geometryFromRtk(const std::string& xml, const Text& who);

// Nikon's, beside what else it says of a scan.
struct NikonScan {
    RecordedGeometry geometry;
    std::string name;   // the TIFFs' up to their number
    std::string folder; // of the TIFFs; empty: the file's
    double white = 0;   // of a bin without object; 0: not said
};
bool isNikon(const std::string& text);
NikonScan nikonScan(const std::string& text, const Text& who);

// A text file of at most 64 MB. Throws Error(badFile).
std::string geometryText(const std::filesystem::path& path);

// Beside a scan that has no geometry of its own, with a name that can mean nothing else; empty: none.
std::filesystem::path geometryBeside(const std::filesystem::path& scan,
                                     const std::vector<std::filesystem::path>& folders);

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// The user's choices for opening a scan.
#pragma once

#include "engine/scan/cone_options.h"
#include "engine/scan/scan.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

// The types of this header hold what the user specifies. It overrides what the files of the scan specify.
struct RawLayout { // for files without a header
    int projections = 0, rows = 0, bins = 0;
    std::string sampleType = "uint16"; // one of rawSampleTypes()
    bool bigEndian = false;
    long long headerBytes = 0;
    bool operator==(const RawLayout&) const = default;
};

enum class BeamKind { parallel, cone };
std::string toText(BeamKind); // "parallel", "cone"
std::optional<BeamKind> beamKindFromText(const std::string& text);

// The part of a text file that holds the angles.
struct AngleColumn {
    std::optional<int> column; // from 1; needed if lines have several columns
    bool radians = false;
    int skip = 0;                             // lines to ignore at the beginning
    std::optional<std::pair<int, int>> lines; // only these lines, numbered from 1, both included
    bool operator==(const AngleColumn&) const = default;
};

// The data sets of an HDF5 file that make up a scan, by their paths; empty: none, or found automatically.
struct DataSets {
    std::string projections; // [projection][row][bin]; [projection][bin] is one sinogram
    std::string angles, darks, flats;
    std::string key; // one number per frame: 0 projection, 1 flat, 2 dark
    // Order of the projections' dimensions, "theta:y:x"; also for matrices, TIFF sinograms and raw files.
    std::string axes;
    bool operator==(const DataSets&) const = default;
};

struct DataSetRole {
    const char* id; // on the command line and in JSON
    const char* form;
    const char* label;   // in the window
    const char* summary; // one sentence
    std::string DataSets::*text;
};
std::span<const DataSetRole> dataSetRoles(); // the table of roles; the projections first, the axes last

struct OpenOptions {
    // Angles: the list takes precedence over the range, the range over the steps, the steps over the file.
    std::vector<double> anglesRad;                          // one per projection
    std::optional<std::pair<double, double>> angleRangeRad; // first and last, evenly spaced
    bool angleEndExcluded = false;                          // the range ends one step after the last projection
    std::optional<AngleSteps> angleSteps;                   // the same step between all projections
    std::filesystem::path anglesFile;                       // that anglesRad was read from, or is to be read from
    AngleColumn angleColumn;                                // the part of that file to read
    std::filesystem::path shiftsFile;                       // shift of each projection, in bins and rows
    std::filesystem::path darks, flats;                     // TIFF files or folders
    std::vector<RowRange> darkFrames, flatFrames;           // frames among the projections, counted from 0
    std::optional<Quantity> values; // kind of numbers; if not given, from the file, else guessed
    Reduction reduction;            // of projections and pixels
    bool sinogram = false;          // the TIFF is one sinogram [projection][bin]
    bool allowOutside = false;      // data may lie in files outside the scan's folder
    std::optional<RawLayout> raw;
    DataSets dataSets;
    std::optional<BeamKind> beam;       // if not given, as the files specify, else parallel
    std::filesystem::path geometryFile; // geometry_file.h; a parallel beam uses only its angles and row order
    ConeOptions cone; // overrides the files; a distance alone makes the beam a cone. Its pixel size is also used for
                      // parallel beams

    bool operator==(const OpenOptions&) const = default;
};

// Returns the options that open the scan with these angles: those assumed in Scan::assumedTurn, or their alternative.
OpenOptions withSpread(OpenOptions options, const AngleSpread& spread);

// Returns the options with the axes of scan.exchangedAxes. The list of projections to leave out is cleared, as its
// numbers refer to the dimension that is now read as bins or rows.
OpenOptions withExchangedAxes(OpenOptions options, const Scan& scan);

} // namespace engine

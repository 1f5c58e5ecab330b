// SPDX-License-Identifier: GPL-3.0-or-later
// How a scan is to be opened, as the user wants it.
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

// Values of the user that go before what the file says.
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

// Which numbers of a text are the angles.
struct AngleColumn {
    std::optional<int> column; // from 1; needed where lines have several
    bool radians = false;
    int skip = 0;                             // lines at the beginning that are left out
    std::optional<std::pair<int, int>> lines; // only those, from 1 as an editor counts, both included
    bool operator==(const AngleColumn&) const = default;
};

// Which data sets of an HDF5 file are a scan's, by their paths; empty: none, or as it is plain to see.
struct DataSets {
    std::string projections; // [projection][row][bin]; [projection][bin] is one sinogram
    std::string angles, darks, flats;
    std::string key;  // of frames of all kinds: 0 projections, 1 flats, 2 darks, a number a frame
    std::string axes; // what the dimensions of the projections are, "theta:y:x"; of matrices, TIFF sinograms and raw
                      // files, too
    bool operator==(const DataSets&) const = default;
};

struct DataSetRole {
    const char* id; // of the command line and of JSON
    const char* form;
    const char* label;   // of the window
    const char* summary; // one sentence
    std::string DataSets::*text;
};
std::span<const DataSetRole> dataSetRoles(); // THE table; the projections first, the axes last

struct OpenOptions {
    // Of the angles one: those of a list, else a range, else steps, else a file.
    std::vector<double> anglesRad;                          // one per projection
    std::optional<std::pair<double, double>> angleRangeRad; // first and last, evenly spread
    bool angleEndExcluded = false;                          // the last is where the next projection would be
    std::optional<AngleSteps> angleSteps;                   // the same from each to the next
    std::filesystem::path anglesFile;                       // that anglesRad was read from, or is to be
    AngleColumn angleColumn;                                // of that file
    std::filesystem::path shiftsFile;                       // how far each projection is off, in bins and rows
    std::filesystem::path darks, flats;                     // TIFF files or folders
    std::vector<RowRange> darkFrames, flatFrames;           // those among the projections, counted from 0
    std::optional<Quantity> values;                         // what the numbers are; guessed when the file doesn't say
    Reduction reduction;                                    // of projections and pixels
    bool sinogram = false;                                  // the TIFF is one sinogram [projection][bin]
    bool allowOutside = false;                              // numbers from files outside the scan's folder
    std::optional<RawLayout> raw;
    DataSets dataSets;
    std::optional<BeamKind> beam; // as the files say, else parallel
    std::filesystem::path
        geometryFile; // engine/io/geometry/geometry_file.h; of a parallel beam only angles and rows count
    ConeOptions cone; // goes before what the files say; a distance alone makes the scan a cone's. Its pixel is that of
                      // parallel beams too

    bool operator==(const OpenOptions&) const = default;
};

// The options that open the scan with these angles: of Scan::assumedTurn, what is assumed or its alternative.
OpenOptions withSpread(OpenOptions options, const AngleSpread& spread);

// The same with projections and bins exchanged: none are left out, as their numbers were those of bins.
OpenOptions withExchangedAxes(OpenOptions options, const Scan& scan);

} // namespace engine

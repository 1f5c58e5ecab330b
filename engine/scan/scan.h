// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded scan: facts known when it is opened, and its rows on demand.
#pragma once

#include "engine/base/note.h"
#include "engine/data/volume.h"
#include "engine/scan/assumptions.h"
#include "engine/scan/exact_image.h"
#include "engine/scan/geometry.h"
#include "engine/scan/reduction.h"
#include "engine/scan/samples.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

// Recorded frames, restricted to some rows. All arrays are [frame][row][bin].
struct RawRows {
    RowRange rows;
    int bins = 0;
    int projections = 0;
    int darkFrames = 0; // 0: none recorded, dark is taken as 0
    int flatFrames = 0; // 0: none recorded
    Samples data;       // as stored
    Values darks;
    Values flats;
    // If `data` holds only some projections: the index of the first one, and the scan's number of projections. 0:
    // all.
    int firstProjection = 0, scanProjections = 0;
};

// Some rows of some projections; darks and flats are read only with `sides`.
struct FramePart {
    RowRange projections, rows;
    bool sides = false;
    // Where to write the projections' numbers, with room for them; null: into the result. Scans that aren't read from
    // files ignore it, so check whether the result has them.
    char* to = nullptr;
};

// Meaning of the values of a scan.
enum class Quantity {
    counts,             // of the detector: need flat and dark correction, then −log
    transmission,       // flat-field corrected: need only −log
    attenuation,        // line integrals: used as they are
    negatedAttenuation, // only in files: line integrals of the opposite sign, which are read as attenuation
};
std::string toText(Quantity);                  // "counts", "transmission", "line-integrals"
Quantity quantityFromText(const std::string&); // throws Error(badRequest)
std::vector<Quantity> quantities();            // those possible for preparation
std::vector<Quantity> storedQuantities();      // those possible in files

enum class QuantitySource { given, recorded, guessed }; // by the user, in the scan, or from type and values
std::string toText(QuantitySource);                     // "given", "recorded", "guessed"

// A position of the axis according to the file, shown to the user. Never applied silently.
struct AxisHint {
    std::string source;  // data set path
    std::string reading; // how the number was read, such as "relative to the middle"
    double axisBins = 0;
};

// A range of lines in a file of angles that was found beside a scan without angles. The file has more lines than there
// are projections, but the lines of this range may be the projections' angles.
struct OfferedAngles {
    std::filesystem::path file;
    int firstLine = 0, lastLine = 0; // from 1
};

// Where a part of a scan was found.
struct PartSource {
    std::string where;  // a data set, a file, or in words; empty: not found
    bool given = false; // by the user
    bool guessed = false;
};
struct PartSources {
    PartSource projections, angles, flats, darks, key, pixelSize, geometry;
};

// A scan. It is a plain value, cheap to copy. `read` and `exactImage` may be called from any thread.
struct Scan {
    std::string name;       // shown to the user
    std::string path;       // empty for a simulated scan
    std::string format;     // its reader's label (engine/io/open/readers.h), such as "DXchange"; "simulated"
    std::string sampleType; // type of the stored numbers, such as "uint16"
    int bytesPerSample = 4; // of the rows returned by `read`
    int rowsTogether = 1;   // rows stored, and so read, together: chunks, compressed strips
    int framesTogether = 1; // projections stored together
    Geometry geometry;
    int rows = 0;                         // of the detector
    Quantity quantity = Quantity::counts; // of the values returned by `read`
    bool signTurned = false;              // `read` changes the sign: the stored values are negatedAttenuation
    QuantitySource quantitySource = QuantitySource::guessed;
    std::string quantityReason;                  // basis of a guess, such as "integers with flat fields"; may be empty
    Text quantityDoubt;                          // a sentence about doubts about it; else empty
    std::optional<Quantity> quantityAlternative; // if in doubt: the other possibility, if known
    int darkFrames = 0;
    int flatFrames = 0;
    // When each flat was taken, as a place in the sequence of projections, ascending: −0.5 before the first one, 9.5
    // between the projections 9 and 10. Empty: unknown.
    std::vector<double> flatPlaces;
    bool anglesAssumed = false;           // no angles were recorded or given: an even spread is assumed
    std::optional<TurnGuess> assumedTurn; // for a parallel beam: the assumed angles, their certainty and an alternative
    std::optional<TurnGuess> likelierTurn; // fits the projections better than the angles given by the user
    std::optional<OfferedAngles> offeredAngles;
    std::optional<SideFrames> offeredSides; // possible darks and flats among counts without flats
    bool anglesReversed = false;            // angles are clockwise in their source: the geometry has them negated
    std::filesystem::path geometryFile;     // separate file from which the geometry was read; may be empty
    // Value of DataSets::axes that exchanges projections and bins, or projections and rows, in a file that doesn't
    // name its dimensions; empty for other files.
    std::string exchangedAxes;
    std::string exchangeSign; // evidence in the data for such an exchange, a sentence without its end; else empty
    PartSources sources;
    std::optional<ReducedFrom> reduced; // nothing: not reduced
    std::vector<AxisHint> axisHints;
    std::vector<Note> notes; // assumptions and omissions of the reader
    Text axisAssumption;     // assumption about the axis of the geometry, for slices that use it; may be empty
    std::vector<std::pair<std::string, std::string>> metadata; // other information from the file
    // Energy of the beam, and distance from the sample to the detector, as recorded with a unit; for phase retrieval.
    std::optional<double> energyKeV, detectorDistanceMm;

    // Sources of the scan, which no output may replace: files (also behind links), and folders in which every TIFF
    // belongs to the scan. Empty for a simulated scan.
    std::vector<std::filesystem::path> files, folders;
    // The ones of `files` that lie outside the scan's folder and are referred to by the scan's own file.
    std::vector<std::filesystem::path> outside;

    // Reads only the requested rows. Throws Error (badFile, badRequest, noMemory, cancelled).
    std::function<RawRows(RowRange, std::stop_token)> read;
    // Reads some rows of some projections, for display; empty: not supported.
    std::function<RawRows(const FramePart&, std::stop_token)> readFrames;
    // The same for a scan of the projections 0, step, 2·step, … only; empty: not supported.
    std::function<RawRows(int step, const FramePart&, std::stop_token)> readEvery;

    ExactImage exactImage; // empty unless the scan is simulated

    bool axesLookExchanged() const { return !exchangeSign.empty(); }
    Quantity storedQuantity() const { return signTurned ? Quantity::negatedAttenuation : quantity; }
    int bins() const { return binsOf(geometry); }
    int sliceSize() const { return sliceSizeOf(geometry); } // pixels along each side of a slice
    int slices() const { return slicesOf(geometry, rows); } // number that can be reconstructed
    double middleBins() const { return middleBinsOf(geometry); }
    const std::vector<double>& anglesRad() const { return anglesRadOf(geometry); }
    int projections() const { return static_cast<int>(anglesRad().size()); }
    const std::vector<double>& axisBins() const { return axisBinsOf(geometry); }
    std::optional<double> pixelSizeMm() const { return pixelSizeMmOf(geometry); }
};

} // namespace engine

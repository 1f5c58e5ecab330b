// SPDX-License-Identifier: GPL-3.0-or-later
// What was recorded: facts known when a scan is opened, and its rows on demand.
#pragma once

#include "engine/base/note.h"
#include "engine/data/volume.h"
#include "engine/scan/frame_contents.h"
#include "engine/scan/geometry.h"
#include "engine/scan/reduction.h"
#include "engine/scan/samples.h"
#include "engine/scan/turn_guess.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

// Frames as they were recorded, restricted to some rows. All arrays are [frame][row][bin].
struct RawRows {
    RowRange rows;
    int bins = 0;
    int projections = 0;
    int darkFrames = 0; // 0: none recorded, dark is taken as 0
    int flatFrames = 0; // 0: none recorded
    Samples data;       // as stored
    Values darks;
    Values flats;
    // Where `data` holds some projections alone: which of the scan's the first is, and how many that has; 0: all of it.
    int firstProjection = 0, scanProjections = 0;
};

// Some rows of some projections; darks and flats are read only with `sides`.
struct FramePart {
    RowRange projections, rows;
    bool sides = false;
};

// What the numbers of a scan are.
enum class Quantity {
    counts,             // of the detector: flat and dark are applied, then −log
    transmission,       // of a flat-field correction done before: −log alone
    attenuation,        // line integrals: used as they are
    negatedAttenuation, // in files alone: line integrals of the opposite sign, which are read as attenuation
};
std::string toText(Quantity);                  // "counts", "transmission", "line-integrals"
Quantity quantityFromText(const std::string&); // throws Error(badRequest)
std::vector<Quantity> quantities();            // what is prepared may be
std::vector<Quantity> storedQuantities();      // and what files may hold

enum class QuantitySource { given, recorded, guessed }; // by the user, in the scan, or from type and values
std::string toText(QuantitySource);                     // "given", "recorded", "guessed"

// A position of the axis that the file claims, for the user to see. Never applied silently.
struct AxisHint {
    std::string source;  // data set path
    std::string reading; // how the number was read, such as "relative to the middle"
    double axisBins = 0;
};

// Lines of a file beside a scan without angles that has more of them than there are projections: these fit.
struct OfferedAngles {
    std::filesystem::path file;
    int firstLine = 0, lastLine = 0; // from 1
};

// Where a part of a scan was found.
struct PartSource {
    std::string where;  // a data set, a file, or in words; empty: nowhere
    bool given = false; // by the user
    bool guessed = false;
};
struct PartSources {
    PartSource projections, angles, flats, darks, key, pixelSize, geometry;
};

// A plain value, cheap to copy. `read` and `exactImage` may be called from any thread.
struct Scan {
    std::string name;       // shown to the user
    std::string path;       // empty for a simulated scan
    std::string format;     // its reader's label (engine/io/open/readers.h), such as "DXchange"; "simulated"
    std::string sampleType; // type of the stored numbers, such as "uint16"
    int bytesPerSample = 4; // of the rows that `read` gives
    int rowsTogether = 1;   // rows that are stored, and so read, together: chunks, compressed strips
    int framesTogether = 1; // likewise projections
    Geometry geometry;
    int rows = 0;                         // of the detector
    Quantity quantity = Quantity::counts; // of what `read` gives
    bool signTurned = false;              // by reading: the stored ones are negatedAttenuation
    QuantitySource quantitySource = QuantitySource::guessed;
    std::string quantityReason; // what a guess rests on, such as "integers with flat fields"; may be empty
    Text quantityDoubt;         // what speaks against it, a sentence for the user; else empty
    std::optional<Quantity> quantityAlternative; // with a doubt: what they are otherwise, if that is known
    int darkFrames = 0;
    int flatFrames = 0;
    bool anglesAssumed = false;            // none were recorded or given: an even spread is assumed
    std::optional<TurnGuess> assumedTurn;  // likewise, of a parallel beam: which, how certain, and what else it may be
    std::optional<TurnGuess> likelierTurn; // fits the projections, as the angles that the user gives don't
    std::optional<OfferedAngles> offeredAngles;
    std::optional<SideFrames> offeredSides; // of counts without flats: they may be darks and flats
    bool anglesReversed = false;            // they count clockwise where they come from: the geometry's are negated
    std::filesystem::path geometryFile; // that the geometry was read from, beside the scan's own files; may be empty
    // The axes (DataSets::axes) that exchange projections and bins, or projections and rows, of a file that doesn't
    // name its dimensions; empty for others.
    std::string exchangedAxes;
    std::string exchangeSign; // likewise: how its numbers speak for that, a sentence without its end; else empty
    PartSources sources;
    std::optional<ReducedFrom> reduced; // nothing: all of what was recorded
    std::vector<AxisHint> axisHints;
    std::vector<Note> notes; // what the reader assumed or left out
    Text axisAssumption;     // likewise, of slices whose axis is the geometry's; may be empty
    std::vector<std::pair<std::string, std::string>> metadata; // what else the file says

    // What it is read from, and no output may replace: files (also behind links), and folders of which
    // every TIFF belongs to the scan. Empty for a simulated scan.
    std::vector<std::filesystem::path> files, folders;
    std::vector<std::filesystem::path>
        outside; // of the files, those that the scan's own file led to, out of its folder

    // Reads only the rows asked for. Throws Error (badFile, badRequest, noMemory, cancelled).
    std::function<RawRows(RowRange, std::stop_token)> read;
    // The same of some projections alone, for looking at them; empty: it can't.
    std::function<RawRows(const FramePart&, std::stop_token)> readFrames;

    // Truth of one slice on a grid, averaged over the area of each pixel, attenuation per pixel;
    // empty unless the scan is simulated.
    std::function<Volume(int slice, const SliceGrid&)> exactImage;

    bool axesLookExchanged() const { return !exchangeSign.empty(); }
    Quantity storedQuantity() const { return signTurned ? Quantity::negatedAttenuation : quantity; }
    int bins() const { return binsOf(geometry); }
    int sliceSize() const { return sliceSizeOf(geometry); } // pixels along each side of a slice
    int slices() const { return slicesOf(geometry, rows); } // that can be reconstructed
    double middleBins() const { return middleBinsOf(geometry); }
    const std::vector<double>& anglesRad() const { return anglesRadOf(geometry); }
    int projections() const { return static_cast<int>(anglesRad().size()); }
    const std::vector<double>& axisBins() const { return axisBinsOf(geometry); }
    std::optional<double> pixelSizeMm() const { return pixelSizeMmOf(geometry); }
};

} // namespace engine

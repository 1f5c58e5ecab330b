// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of frames, read on demand from any format.
#pragma once

#include "engine/base/note.h"
#include "engine/io/files/file_states.h"
#include "engine/io/files/size_limits.h"
#include "engine/io/frames/open_options.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

// Frames of one kind: projections, darks or flats.
struct FrameSource {
    int frames = 0;
    int step = 1;         // frames per read of stepRows rows: enough to be fast, few enough to be cancelled soon
    int stepRows = 1;     // with more rows, fewer frames are read at a time
    int rowsTogether = 1; // rows that are stored, and so read, together
    int chunk = 1;        // frames that are stored, and so read, together
    int firstStep = 0;    // frames before the first whole chunk; 0: none
    std::vector<std::filesystem::path> files; // that the frames are read from
    bool filesMayGrow = true;                 // appended data doesn't change these frames
    std::vector<double> places;               // of flats: as Scan::flatPlaces; empty: unknown
    std::vector<Note> notes;                  // what is missing in the frames, one sentence each
    bool concurrent = false;                  // reading with several threads simultaneously is faster
    const SampleType* type = &floatSamples(); // type of the numbers that are read
    // Fills out[frame][row][bin] with frames [first, first + count), as numbers of `type`. May be called from any
    // thread; throws Error.
    std::function<void(int first, int count, RowRange rows, char* out)> read;
    // Looks up anew where the frames are stored, if their file has been written to. Returns a number that grows
    // whenever they have moved. May be called from any thread; throws Error.
    std::function<long long()> layout = [] { return 0LL; };
};

struct ScanFrames {
    std::string path; // for messages
    int rows = 0;
    int bins = 0;
    FrameSource projections, darks, flats;
    // Rows are stored from bottom to top; they are reversed when read, so that row 0 is the top.
    bool rowsUpwards = false;
    // If the files are evenly numbered: the missing frames, counted from 0 in the sequence without gaps. A list of
    // angles may include angles of these frames.
    std::vector<int> missing;
    std::string missingText; // names the missing frames; the first part of a sentence for a note
    FileStates files;        // of all three kinds when the scan was opened
};

// Reads rows of all frames, with the threads of the current task arena. Throws Error(badRequest) for rows outside the
// scan, noMemory, cancelled, badFile, also if the files have changed since the scan was opened.
RawRows readRows(const ScanFrames& frames, RowRange rows, std::stop_token stop);

// Reads rows of some projections; otherwise as readRows().
RawRows readFrames(const ScanFrames& frames, const FramePart& part, std::stop_token stop);

// Sets the scan's read functions and its path, rows, frame counts and files. Decides what the numbers are
// (quantity_guess.h); scan.quantitySource is `guessed` unless the file has specified it. To be called last, when
// everything that the file specifies is known.
void setFrames(Scan& scan, ScanFrames frames, const OpenOptions& options);

// Converts a dimension or a count of a file to int; throws Error(badFile) naming file, what and value if it is below
// 1 or above `most` (mostFrames or mostAcross).
int checkedCount(long long value, const std::string& path, const std::string& what, int most);

// Throws Error(badFile) for NaN or infinity, and for a count that differs from the projections'.
void requireAngles(const std::vector<double>& anglesRad, int projections, const std::string& path,
                   const std::string& source);

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of frames on demand, whatever format the frames are stored in.
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
    int step = 1;         // frames a read of stepRows rows: enough to be fast, few enough to stop soon
    int stepRows = 1;     // reads of more rows take fewer frames
    int rowsTogether = 1; // rows that are stored, and so read, together
    int chunk = 1;        // frames that are stored, and so read, together
    int firstStep = 0;    // frames until the first whole chunk; 0: none
    std::vector<std::filesystem::path> files; // that they are read from
    bool filesMayGrow = true;                 // what is added to them is no part of these frames
    std::vector<Note> notes;                  // what they lack, a sentence each
    bool concurrent = false;                  // several threads reading at once are faster than one
    const SampleType* type = &floatSamples(); // of what is read
    // Fills out[frame][row][bin] with frames [first, first + count), numbers of that type. From any thread; throws
    // Error.
    std::function<void(int first, int count, RowRange rows, char* out)> read;
};

struct ScanFrames {
    std::string path; // for messages
    int rows = 0;
    int bins = 0;
    FrameSource projections, darks, flats;
    bool rowsUpwards = false; // as stored; they are turned when they are read, so that row 0 is the top
    // Of evenly numbered frames those that aren't there, counted among all: theirs are angles that nothing belongs to.
    std::vector<int> missing;
    std::string missingText; // which, a sentence without its end
    FileStates files;        // of all three when the scan was opened
};

// By the threads of the task arena that it is called in. Throws Error(badRequest) for rows outside the scan, noMemory,
// cancelled, badFile, also where the files are no longer what they were.
RawRows readRows(const ScanFrames& frames, RowRange rows, std::stop_token stop);

// The same of some projections.
RawRows readFrames(const ScanFrames& frames, const FramePart& part, std::stop_token stop);

// Makes the scan's read functions from its frames; path, rows, frame counts and files are taken over. What its
// numbers are is decided here (quantity_guess.h): scan.quantitySource is `guessed` until the file has said it.
// Comes last, after all that the file says is known.
void setFrames(Scan& scan, ScanFrames frames, const OpenOptions& options);

// A dimension or a count of a file as int; throws Error(badFile) naming file, what and value. most: mostFrames or
// mostAcross.
int checkedCount(long long value, const std::string& path, const std::string& what, int most);

// Throws Error(badFile) for NaN or infinity, and for a count that differs from the projections'.
void requireAngles(const std::vector<double>& anglesRad, int projections, const std::string& path,
                   const std::string& source);

} // namespace engine

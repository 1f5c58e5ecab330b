// SPDX-License-Identifier: GPL-3.0-or-later
// Less of a scan than was recorded, where all of it would be too much: fewer projections, and pixels joined.
#pragma once

#include "engine/scan/cone_options.h"
#include "engine/scan/geometry.h"

#include <string>
#include <vector>

namespace engine
{

struct Scan;

// Of projections as they were recorded, counted from 0.
struct Reduction {
    int bin = 1;                   // so many bins, and rows, become one: the mean of those that are numbers
    int every = 1;                 // projections 0, every, 2·every, …
    std::vector<RowRange> leftOut; // and of those not these; in order, apart
    static constexpr int mostBin = 64, mostEvery = 10000;

    bool any() const { return bin > 1 || every > 1 || !leftOut.empty(); }
    bool operator==(const Reduction&) const = default;
};

// What a scan is of, where it was reduced.
struct ReducedFrom {
    Reduction by;
    int projections = 0, rows = 0, bins = 0; // as recorded
    bool operator==(const ReducedFrom&) const = default;
};

// "3,7:20": both ends are included. Throws Error(badRequest).
std::vector<RowRange> rangesFromText(const std::string& text);
std::string rangesToText(const std::vector<RowRange>& ranges);
std::string rangesInWords(const std::vector<RowRange>& ranges); // "3 and 7 to 20"
std::vector<RowRange> rangesOf(const std::vector<int>& inOrder);
std::vector<RowRange> joinedRanges(const std::vector<RowRange>& some, const std::vector<RowRange>& others);

// Which of so many projections stay. Throws Error(badRequest) where none does, or some that aren't there are left out.
std::vector<int> keptProjections(const Reduction& reduction, int projections);

// Pixels along one side of the detector that become fewer; what is left over is cut off at both ends.
struct JoinedPixels {
    int recorded = 1, by = 1;

    JoinedPixels(int recorded_, int bin);
    int count() const { return recorded / by; }
    int first() const { return recorded % by / 2; } // of those recorded that are in the first one
    // Positions, from the centre of the first pixel.
    double there(double position) const { return (position - first() - (by - 1) / 2.0) / by; }
    double back(double position) const { return position * by + first() + (by - 1) / 2.0; }
};

// All of a scan but its functions that read: geometry, counts, hints and a note of what was done. Pixels become larger,
// positions are counted in them; slices that were to have a size or pixels of one keep it.
// Throws Error(badRequest) where nothing would be left.
void reduceFacts(Scan& scan, const Reduction& reduction);

// What is said of a reduced scan's cone or slices, as it is to be said when it is opened: of the detector as recorded.
ConeOptions ofRecorded(ConeOptions options, const Scan& scan);
// Bins of the detector as recorded, and of the scan as it is.
double recordedBin(const Scan& scan, double bins);
double reducedBin(const Scan& scan, double recordedBins);

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a scan in reduced form, if the whole would be too large: fewer projections, and joined pixels.
#pragma once

#include "engine/scan/cone_options.h"
#include "engine/scan/geometry.h"

#include <string>
#include <vector>

namespace engine
{

struct Scan;

// Reduction to be applied; projections are counted as recorded, from 0.
struct Reduction {
    int bin = 1;                   // bins and rows joined to one: the mean of the finite values
    int every = 1;                 // projections 0, every, 2·every, …
    std::vector<RowRange> leftOut; // excluded from these projections; sorted, without overlap
    static constexpr int mostBin = 64, mostEvery = 10000;

    bool any() const { return bin > 1 || every > 1 || !leftOut.empty(); }
    bool operator==(const Reduction&) const = default;
};

// Reduction of a scan, and its original size.
struct ReducedFrom {
    Reduction by;
    int projections = 0, rows = 0, bins = 0; // as recorded
    bool operator==(const ReducedFrom&) const = default;
};

// Parses ranges such as "3,7:20", both ends included. Throws Error(badRequest).
std::vector<RowRange> rangesFromText(const std::string& text);
std::string rangesToText(const std::vector<RowRange>& ranges);
std::string rangesInWords(const std::vector<RowRange>& ranges); // "3 and 7 to 20"
std::vector<RowRange> rangesOf(const std::vector<int>& inOrder);
std::vector<RowRange> joinedRanges(const std::vector<RowRange>& some, const std::vector<RowRange>& others);

// Returns which of `projections` projections remain. Throws Error(badRequest) if none remains, or if projections that
// don't exist are left out.
std::vector<int> keptProjections(const Reduction& reduction, int projections);

// Pixels along one side of the detector that are joined; surplus pixels are cut off at both ends.
struct JoinedPixels {
    int recorded = 1, by = 1;

    JoinedPixels(int recorded_, int bin);
    int count() const { return recorded / by; }
    int first() const { return recorded % by / 2; } // first recorded pixel that belongs to a joined one
    // Convert positions, counted from the centre of the first pixel, to joined pixels and back.
    double there(double position) const { return (position - first() - (by - 1) / 2.0) / by; }
    double back(double position) const { return position * by + first() + (by - 1) / 2.0; }
};

// Reduces everything of a scan except its read functions: geometry, counts and hints; adds a note about it. Pixels
// become larger, and positions are counted in them; slices with a requested size or pixel size keep it.
// Throws Error(badRequest) if nothing would be left.
void reduceFacts(Scan& scan, const Reduction& reduction);

// Converts options for the cone or the slices of a reduced scan, which refer to joined pixels, to the options with
// which the scan is to be opened, which refer to recorded pixels.
ConeOptions ofRecorded(ConeOptions options, const Scan& scan);
// Convert bins of the reduced scan to bins of the recorded detector, and back.
double recordedBin(const Scan& scan, double bins);
double reducedBin(const Scan& scan, double recordedBins);

} // namespace engine

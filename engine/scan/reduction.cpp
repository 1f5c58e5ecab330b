// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/reduction.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/scan/scan.h"
#include "engine/scan/some_projections.h"

#include <algorithm>
#include <utility>

namespace engine
{

namespace
{

int projectionFrom(const std::string& text, const std::string& all)
{
    try {
        const long long value = integerFromText(text, "projection");
        if (value >= 0 && value <= 1'000'000'000)
            return static_cast<int>(value);
    } catch (const Error&) {
    }
    throw Error(ErrorKind::badRequest,
                "bad projections '" + all + "'; give numbers from 0 on and ranges, such as 3,7:20");
}

void joinParallel(ParallelBeam& beam, const JoinedPixels& bins, const JoinedPixels& rows)
{
    beam.bins = bins.count();
    for (double& axis : beam.axisBins)
        axis = bins.there(axis);
    for (double& shift : beam.shiftBins)
        shift /= bins.by;
    for (double& shift : beam.shiftRows)
        shift /= rows.by;
    if (beam.pixelSizeMm)
        *beam.pixelSizeMm *= bins.by;
    if (beam.pixelBins != 1)
        beam.pixelBins /= bins.by;
}

void joinCone(ConeBeam& beam, const JoinedPixels& bins, const JoinedPixels& rows)
{
    const ConeVolume standard = standardVolume(beam);
    beam.bins = bins.count();
    beam.rows = rows.count();
    for (double& axis : beam.axisBins)
        axis = bins.there(axis);
    beam.centralRow = rows.there(beam.centralRow);
    beam.pixelUMm *= bins.by;
    beam.pixelVMm *= rows.by;
    for (ProjectionMatrix& matrix : beam.matrices)
        for (std::size_t k = 0; k < 4; ++k) { // (h, r)·w of recorded pixels → of joined pixels
            matrix[k] = (matrix[k] + bins.there(0) * bins.by * matrix[8 + k]) / bins.by;
            matrix[4 + k] = (matrix[4 + k] + rows.there(0) * rows.by * matrix[8 + k]) / rows.by;
        }
    const ConeVolume now = standardVolume(beam); // replaces values that were the defaults for the recorded pixels
    if (beam.volume.voxelMm == standard.voxelMm)
        beam.volume.voxelMm = now.voxelMm;
    if (beam.volume.size == standard.size)
        beam.volume.size = now.size;
    if (beam.volume.slices == standard.slices)
        beam.volume.slices = now.slices;
    if (beam.volume.centreMm == standard.centreMm)
        beam.volume.centreMm = now.centreMm;
}

std::string joinedText(int by, int from, const std::string& what)
{
    return std::to_string(from / by) + " " + what + " of " + std::to_string(from);
}

void noteReduction(Scan& scan, const ReducedFrom& from)
{
    const Reduction& by = from.by;
    if (by.bin > 1)
        scan.notes.push_back("Detector pixels are averaged, " + std::to_string(by.bin) + " × " +
                             std::to_string(std::min(by.bin, from.rows)) + " into one" + hint("bin") + ": " +
                             joinedText(by.bin, from.bins, "bins") + ", " +
                             joinedText(std::min(by.bin, from.rows), from.rows, from.rows == 1 ? "row" : "rows") +
                             ". Positions, including the axis, count the averaged pixels.");
    if (by.every > 1)
        scan.notes.push_back("One projection in " + std::to_string(by.every) + " is read" + hint("every") + ": " +
                             std::to_string(scan.projections()) + " of " + std::to_string(from.projections) + ".");
    if (!by.leftOut.empty())
        scan.notes.push_back("Left out as requested" + hint("leave-out") + ": projections " +
                             rangesInWords(by.leftOut) + " of " + std::to_string(from.projections) +
                             ", counted from 0.");
}

} // namespace

std::vector<RowRange> rangesFromText(const std::string& text)
{
    std::vector<RowRange> ranges;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        const std::size_t colon = part.find(':');
        const int first = projectionFrom(part.substr(0, colon), text);
        const int last = colon == std::string::npos ? first : projectionFrom(part.substr(colon + 1), text);
        require(first <= last, "bad projections '" + text + "'; the last of " + part + " comes before the first");
        ranges = joinedRanges(ranges, {{first, last - first + 1}});
        begin = end + 1;
    }
    return ranges;
}

std::string rangesToText(const std::vector<RowRange>& ranges)
{
    std::string text;
    for (const RowRange& range : ranges)
        text += (text.empty() ? "" : ",") + std::to_string(range.first) +
                (range.count > 1 ? ":" + std::to_string(range.first + range.count - 1) : std::string());
    return text;
}

std::string rangesInWords(const std::vector<RowRange>& ranges)
{
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t k = 0; k < ranges.size() && k < most; ++k) {
        const RowRange& range = ranges[k];
        const bool isLast = k + 1 == ranges.size();
        text += (k == 0 ? "" : isLast ? " and " : ", ") + std::to_string(range.first);
        if (range.count > 1)
            text += (range.count == 2 ? ", " : " to ") + std::to_string(range.first + range.count - 1);
    }
    return ranges.size() > most ? text + " and more" : text;
}

std::vector<RowRange> rangesOf(const std::vector<int>& inOrder)
{
    std::vector<RowRange> ranges;
    for (const int each : inOrder)
        if (!ranges.empty() && ranges.back().first + ranges.back().count == each)
            ++ranges.back().count;
        else
            ranges.push_back({each, 1});
    return ranges;
}

std::vector<RowRange> joinedRanges(const std::vector<RowRange>& some, const std::vector<RowRange>& others)
{
    std::vector<RowRange> all = some;
    all.insert(all.end(), others.begin(), others.end());
    std::ranges::sort(all, {}, &RowRange::first);
    std::vector<RowRange> apart;
    for (const RowRange& range : all) {
        if (apart.empty() || apart.back().first + apart.back().count < range.first)
            apart.push_back(range);
        else
            apart.back().count =
                std::max(apart.back().first + apart.back().count, range.first + range.count) - apart.back().first;
    }
    return apart;
}

std::vector<int> keptProjections(const Reduction& reduction, int projections)
{
    if (!reduction.leftOut.empty()) {
        const RowRange& last = reduction.leftOut.back();
        require(last.first + last.count <= projections,
                "projections " + rangesToText(reduction.leftOut) + " were to be left out" + hint("leave-out") +
                    ", but the scan has 0 to " + std::to_string(projections - 1));
    }
    std::vector<int> kept;
    auto range = reduction.leftOut.begin();
    for (int projection = 0; projection < projections; projection += reduction.every) {
        while (range != reduction.leftOut.end() && range->first + range->count <= projection)
            ++range;
        if (range == reduction.leftOut.end() || projection < range->first)
            kept.push_back(projection);
    }
    require(!kept.empty(), "no projection is left: all of " + std::to_string(projections) + " are left out" +
                               hint("leave-out") + "; leave out fewer");
    return kept;
}

JoinedPixels::JoinedPixels(int recorded_, int bin) : recorded(recorded_), by(std::min(bin, recorded_)) {}

void reduceFacts(Scan& scan, const Reduction& reduction)
{
    require(reduction.bin >= 1 && reduction.bin <= Reduction::mostBin,
            "pixels can be averaged 2 × 2 to " + std::to_string(Reduction::mostBin) + " × " +
                std::to_string(Reduction::mostBin) + hint("bin") + "; " + std::to_string(reduction.bin) +
                " was asked for");
    require(reduction.every >= 1 && reduction.every <= Reduction::mostEvery,
            "one projection in 1 to " + std::to_string(Reduction::mostEvery) + " can be read" + hint("every") + "; " +
                std::to_string(reduction.every) + " was asked for");
    require(reduction.bin <= scan.bins() / 2 || reduction.bin == 1,
            fileText(scan.path) + " has " + std::to_string(scan.bins()) + " bins; after averaging by " +
                std::to_string(reduction.bin) + hint("bin") + " too few are left for an image");
    const ReducedFrom from{reduction, scan.projections(), scan.rows, scan.bins()};
    const std::vector<int> kept = keptProjections(reduction, from.projections);
    const JoinedPixels bins(from.bins, reduction.bin), rows(from.rows, reduction.bin);
    scan.geometry = withProjections(scan.geometry, kept);
    scan.flatPlaces = placesAmong(scan.flatPlaces, kept);
    if (auto* parallel = std::get_if<ParallelBeam>(&scan.geometry); parallel && reduction.bin > 1)
        joinParallel(*parallel, bins, rows);
    if (auto* cone = std::get_if<ConeBeam>(&scan.geometry); cone && reduction.bin > 1)
        joinCone(*cone, bins, rows);
    scan.rows = rows.count();
    if (reduction.bin > 1) {
        scan.bytesPerSample = sizeof(float);
        scan.rowsTogether = std::max(1, (scan.rowsTogether + rows.by - 1) / rows.by);
        scan.exactImage = {}; // it is for the recorded pixels
        for (AxisHint& hint : scan.axisHints)
            hint.axisBins = bins.there(hint.axisBins);
    }
    scan.reduced = from;
    noteReduction(scan, from);
}

ConeOptions ofRecorded(ConeOptions options, const Scan& scan)
{
    if (!scan.reduced || scan.reduced->by.bin == 1)
        return options;
    const JoinedPixels bins(scan.reduced->bins, scan.reduced->by.bin), rows(scan.reduced->rows, scan.reduced->by.bin);
    // If pixels are cut off unevenly at the ends, the middle moves by half a recorded pixel.
    const auto middle = [](const JoinedPixels& along) {
        return along.back((along.count() - 1) / 2.0) - (along.recorded - 1) / 2.0;
    };
    if (options.pixelUMm)
        *options.pixelUMm /= bins.by;
    if (options.pixelVMm)
        *options.pixelVMm /= rows.by;
    if (options.offsetUMm && options.pixelUMm)
        *options.offsetUMm -= middle(bins) * *options.pixelUMm;
    if (options.offsetVMm && options.pixelUMm)
        *options.offsetVMm -= middle(rows) * options.pixelVMm.value_or(*options.pixelUMm);
    if (options.voxelBins)
        *options.voxelBins *= bins.by;
    return options;
}

double recordedBin(const Scan& scan, double bins)
{
    return scan.reduced ? JoinedPixels(scan.reduced->bins, scan.reduced->by.bin).back(bins) : bins;
}

double reducedBin(const Scan& scan, double recordedBins)
{
    return scan.reduced ? JoinedPixels(scan.reduced->bins, scan.reduced->by.bin).there(recordedBins) : recordedBins;
}

} // namespace engine

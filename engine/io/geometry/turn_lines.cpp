// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/geometry/turn_lines.h"

#include "engine/base/error.h"
#include "engine/guess/exchanged_axes.h"
#include "engine/guess/frame_contents.h"
#include "engine/guess/line_integrals.h"
#include "engine/io/frames/frame_axes.h"
#include "engine/io/frames/quantity_guess.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace engine
{

namespace
{

constexpr int mostLines = 400; // all of a small scan; otherwise some spread over the scan, and runs of neighbours
constexpr double fewestLines = 32;
constexpr double mostValues = 4e6;
constexpr int spreadLines = 200;        // of these, the number spread over the scan
constexpr int runLines = 24;            // per run: at the beginning, in the middle, at the end
constexpr double mostLineBytes = 256e6; // read for the lines, if rows are stored together

// Chooses the projections to look at, counted among the existing ones.
std::vector<int> chosenOf(const ScanFrames& frames)
{
    const FrameSource& source = frames.projections;
    // To read a line, all rows that are stored together with it are read. Unless all lines are read, all frames that
    // are stored together (source.chunk) are read for each line, too.
    const double together = static_cast<double>(source.rowsTogether) * frames.bins * source.type->bytes;
    const double most = std::min<double>(mostLines, std::max(mostValues / frames.bins, fewestLines));
    std::vector<int> all(static_cast<std::size_t>(source.frames));
    std::iota(all.begin(), all.end(), 0);
    if (source.frames <= most && source.frames * together <= mostLineBytes)
        return all;
    const int lines = static_cast<int>(std::clamp(mostLineBytes / (together * source.chunk), fewestLines, most));
    if (source.frames <= lines)
        return all;
    std::set<int> chosen;
    const int spread = lines * spreadLines / mostLines, run = std::min(runLines, lines / 8);
    for (int k = 0; k < spread; ++k)
        chosen.insert(static_cast<int>(static_cast<long long>(k) * source.frames / spread));
    for (const int first : {0, source.frames / 2 - run / 2, source.frames - run})
        for (int k = 0; k < run; ++k)
            chosen.insert(first + k);
    return {chosen.begin(), chosen.end()};
}

// Returns the numbers of the existing projections, counted among all.
std::vector<int> numbersOfThere(const ScanFrames& frames, int all)
{
    std::vector<int> numbers;
    for (int k = 0; k < all; ++k)
        if (std::ranges::find(frames.missing, k) == frames.missing.end())
            numbers.push_back(k);
    return numbers;
}

// Reads the middle row of each of these frames.
Values middleRow(const ScanFrames& frames, const FrameSource& source, const std::vector<int>& which)
{
    const RowRange row{frames.rowsUpwards ? frames.rows - 1 - frames.rows / 2 : frames.rows / 2, 1};
    const auto bins = static_cast<std::size_t>(frames.bins);
    Values values(which.size() * bins);
    for (std::size_t k = 0; k < which.size();) {
        std::size_t count = 1;
        while (k + count < which.size() && which[k + count] == which[k] + static_cast<int>(count) && count < 64)
            ++count;
        Samples lines(*source.type, count * bins);
        source.read(which[k], static_cast<int>(count), row, lines.bytes());
        const Values floats = lines.toFloats();
        std::copy(floats.begin(), floats.end(), values.begin() + k * bins);
        k += count;
    }
    return values;
}

// Returns the mean of up to 32 dark or flat frames; empty if there are none.
std::vector<double> meanOf(const ScanFrames& frames, const FrameSource& source)
{
    if (source.frames == 0)
        return {};
    std::vector<int> all(static_cast<std::size_t>(std::min(source.frames, 32)));
    std::iota(all.begin(), all.end(), 0);
    const Values values = middleRow(frames, source, all);
    std::vector<double> mean(static_cast<std::size_t>(frames.bins));
    for (std::size_t k = 0; k < values.size(); ++k)
        mean[k % mean.size()] += values[k] / static_cast<double>(all.size());
    return mean;
}

// Returns whether the axes that the scan is read with, or those offered, begin with y.
bool exchangesRows(const Scan& scan, const OpenOptions& options)
{
    const auto given = axesFromText(options.dataSets.axes, 3);
    return scan.exchangedAxes.starts_with("y:") || (given && given->row == 0);
}

// A classification of the projections by their middle row, with boundaries refined to single frames.
class FrameContents
{
  public:
    FrameContents(const ScanFrames& frames, const TurnLines& lines, const Values& recorded)
        : m_frames(frames), m_which(lines.which)
    {
        const auto bins = static_cast<std::size_t>(frames.bins);
        std::vector<LineFacts> facts;
        for (std::size_t k = 0; k < m_which.size(); ++k)
            facts.push_back(factsOf({recorded.data() + k * bins, bins}));
        m_groups = groupsOf(facts, {recorded.data(), recorded.size()});
        if (m_groups.any)
            for (const LineFacts& each : facts)
                m_contents.push_back(contentOf(each, m_groups));
    }

    // Returns the frames with a content. Frames that weren't looked at have the content of their neighbours; if these
    // differ, frames between them are looked at to find the boundary.
    std::vector<RowRange> framesOf(FrameContent content) const
    {
        std::vector<int> numbers;
        for (std::size_t k = 0; k < m_contents.size(); ++k) {
            if (m_contents[k] == content)
                numbers.push_back(m_which[k]);
            if (k + 1 == m_contents.size() || (m_contents[k] != content && m_contents[k + 1] != content))
                continue;
            const int edge = m_contents[k] == m_contents[k + 1] ? m_which[k + 1] : edgeBetween(k);
            for (int between = m_which[k] + 1; between < m_which[k + 1]; ++between)
                if (m_contents[between < edge ? k : k + 1] == content)
                    numbers.push_back(between);
        }
        return rangesOf(numbers);
    }

  private:
    // Returns the first frame after line k that has the next line's content.
    int edgeBetween(std::size_t k) const
    {
        int before = m_which[k], after = m_which[k + 1];
        while (after - before > 1) {
            const int middle = before + (after - before) / 2;
            const Values line = middleRow(m_frames, m_frames.projections, {middle});
            (contentOf(factsOf({line.data(), line.size()}), m_groups) == m_contents[k] ? before : after) = middle;
        }
        return after;
    }

    const ScanFrames& m_frames;
    const std::vector<int>& m_which;
    FrameGroups m_groups;
    std::vector<FrameContent> m_contents; // of m_which; empty if all are projections
};

int countOf(const std::vector<RowRange>& ranges)
{
    return std::accumulate(ranges.begin(), ranges.end(), 0,
                           [](int sum, const RowRange& range) { return sum + range.count; });
}

void leaveOutSides(Scan& scan, const ScanFrames& frames, const Values& recorded, TurnLines& lines)
{
    const FrameContents contents(frames, lines, recorded);
    const SideFrames sides{contents.framesOf(FrameContent::nothing), contents.framesOf(FrameContent::air)};
    const std::vector<RowRange> all = joinedRanges(sides.darks, sides.flats);
    if (all.empty())
        return;
    scan.offeredSides = sides;
    TurnLines rest{.projections = lines.projections - countOf(all),
                   .bins = lines.bins,
                   .which = {},
                   .values = {},
                   .hasUnevenBeam = lines.hasUnevenBeam};
    const auto bins = static_cast<std::size_t>(lines.bins);
    for (std::size_t k = 0; k < lines.which.size(); ++k) {
        int before = 0;
        bool isSide = false;
        for (const RowRange& range : all) {
            before += std::clamp(lines.which[k] - range.first, 0, range.count);
            isSide |= lines.which[k] >= range.first && lines.which[k] < range.first + range.count;
        }
        if (isSide)
            continue;
        rest.which.push_back(lines.which[k] - before);
        rest.values.insert(rest.values.end(), lines.values.begin() + static_cast<std::ptrdiff_t>(k * bins),
                           lines.values.begin() + static_cast<std::ptrdiff_t>((k + 1) * bins));
        if (!lines.givenRad.empty())
            rest.givenRad.push_back(lines.givenRad[k]);
    }
    lines = std::move(rest);
}

// Decides what the numbers are, for use here. setFrames() decides finally, when everything in the file is known.
Quantity quantityOf(const Scan& scan, const ScanFrames& frames, const OpenOptions& options)
{
    Scan quantities;
    quantities.sampleType = scan.sampleType;
    quantities.flatFrames = frames.flats.frames;
    quantities.quantity = scan.quantity;
    quantities.quantitySource = scan.quantitySource;
    decideQuantity(quantities, frames, options.values);
    return quantities.quantity;
}

// Returns indices spread over a dimension, both ends included.
std::vector<int> spreadOver(int size, int most)
{
    const int count = std::min(size, most);
    std::vector<int> numbers;
    for (int k = 0; k < count; ++k)
        numbers.push_back(count == 1 ? 0 : static_cast<int>(static_cast<long long>(k) * (size - 1) / (count - 1)));
    return numbers;
}

// Line integrals at sampled bins, rows and frames: [frame][row][bin].
struct SampledStack {
    std::array<int, 3> sizes{};
    Values integrals;
};

SampledStack sampledStack(const Scan& scan, const ScanFrames& frames, const OpenOptions& options)
{
    constexpr int mostFrames = 48, mostRows = 48, mostBins = 256;
    const FrameSource& source = frames.projections;
    const double frameBytes = static_cast<double>(frames.rows) * frames.bins * source.type->bytes;
    const bool readsWhole = source.rowsTogether > 1 || source.chunk > 1;
    const int few =
        readsWhole ? static_cast<int>(std::clamp(mostLineBytes / frameBytes, 12.0, 1.0 * mostFrames)) : mostFrames;
    const std::vector<int> which = spreadOver(source.frames, few), rows = spreadOver(frames.rows, mostRows),
                           bins = spreadOver(frames.bins, mostBins);
    SampledStack stack{{static_cast<int>(which.size()), static_cast<int>(rows.size()), static_cast<int>(bins.size())},
                       Values(which.size() * rows.size() * bins.size())};
    float* out = stack.integrals.data();
    const int together = readsWhole ? frames.rows : 1;
    Samples read(*source.type, static_cast<std::size_t>(together) * static_cast<std::size_t>(frames.bins));
    for (const int frame : which) {
        Values values;
        for (const int row : rows) {
            if (values.empty() || !readsWhole) {
                source.read(frame, 1, {readsWhole ? 0 : row, together}, read.bytes());
                values = read.toFloats();
            }
            const std::size_t line =
                readsWhole ? static_cast<std::size_t>(row) * static_cast<std::size_t>(frames.bins) : 0;
            for (const int bin : bins)
                *out++ = values[line + static_cast<std::size_t>(bin)];
        }
    }
    const Quantity quantity = quantityOf(scan, frames, options);
    if (quantity != Quantity::attenuation) { // with wrong axes a single line may hold no air
        const float bright = brightOf({stack.integrals.data(), stack.integrals.size()});
        for (float& value : stack.integrals)
            value = bright > 0 && value > 0 ? -std::log(value / bright) : 0;
    }
    for (float& value : stack.integrals)
        value = std::isfinite(value) ? value : 0;
    if (std::accumulate(stack.integrals.begin(), stack.integrals.end(), 0.0) < 0) // of the opposite sign
        for (float& value : stack.integrals)
            value = -value;
    return stack;
}

// Returns the axes that a file's three dimensions are read with. If scan.exchangedAxes has only two words, the
// images of the stack are read as sinograms. The words are then the dimensions of an image with projections and bins
// exchanged: "x:theta" if its lines are now read as projections.
FrameAxes axesRead(const Scan& scan, const OpenOptions& options)
{
    if (const auto given = axesFromText(options.dataSets.axes, 3))
        return *given;
    if (std::ranges::count(scan.exchangedAxes, ':') == 2)
        return {};
    return scan.exchangedAxes == "x:theta" ? FrameAxes{1, 0, 2} : FrameAxes{2, 0, 1};
}

// Returns the corrected axes of a file. read: the axes that it is read with. dimensions: the dimensions that really
// count projections, rows and bins, in this order; 0, 1 and 2 mean what is now read as projections, rows and bins.
std::string axesInstead(const FrameAxes& read, const std::array<int, 3>& dimensions)
{
    constexpr std::array names = {"theta", "y", "x"};
    const std::array stored = {read.frame, read.row, read.bin};
    std::array<std::string, 3> words;
    for (std::size_t k = 0; k < names.size(); ++k)
        words[static_cast<std::size_t>(stored[static_cast<std::size_t>(dimensions[k])])] = names[k];
    return words[0] + ':' + words[1] + ':' + words[2];
}

} // namespace

bool mayHaveExchangedBins(const Scan& scan, const OpenOptions& options)
{
    return !scan.exchangedAxes.empty() && !exchangesRows(scan, options);
}

std::string likelierAxes(const Scan& scan, const ScanFrames& frames, const OpenOptions& options)
{
    if (scan.exchangedAxes.empty() || frames.rows < 2 || frames.flats.frames > 0)
        return {};
    try {
        const SampledStack stack = sampledStack(scan, frames, options);
        const auto dimensions = likelierDimensions(stack.sizes, stack.integrals);
        return dimensions ? axesInstead(axesRead(scan, options), *dimensions) : std::string();
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::cancelled)
            throw;
        return {};
    }
}

std::optional<TurnLines> turnLinesOf(Scan& scan, const ScanFrames& frames, const OpenOptions& options, int all,
                                     std::span<const double> givenRad)
{
    try {
        const Quantity quantity = quantityOf(scan, frames, options);
        const std::vector<int> which = chosenOf(frames);
        const bool isCounts = quantity == Quantity::counts;
        TurnLines lines{.projections = all, .bins = frames.bins, .which = {}, .values = {}};
        lines.hasUnevenBeam = isCounts && frames.flats.frames == 0;
        const Values recorded = middleRow(frames, frames.projections, which);
        if (mayHaveExchangedBins(scan, options) &&
            lookExchanged(which, {recorded.data(), recorded.size()}, frames.bins))
            scan.exchangeSign =
                "projections and bins seem to be exchanged: the sum of each bin is the same, as that of each "
                "projection should be, but the projections' sums differ";
        lines.values = integralsOf(recorded, quantity, isCounts ? meanOf(frames, frames.darks) : std::vector<double>(),
                                   isCounts ? meanOf(frames, frames.flats) : std::vector<double>(),
                                   static_cast<std::size_t>(frames.bins));
        if (std::accumulate(lines.values.begin(), lines.values.end(), 0.0) < 0) // of the opposite sign
            for (float& value : lines.values)
                value = -value;
        const std::vector<int> numbers = numbersOfThere(frames, all);
        for (const int k : which) {
            lines.which.push_back(numbers[static_cast<std::size_t>(k)]);
            if (!givenRad.empty())
                lines.givenRad.push_back(givenRad[static_cast<std::size_t>(k)]);
        }
        if (isCounts && frames.flats.frames + frames.darks.frames == 0 && frames.missing.empty() &&
            !scan.axesLookExchanged())
            leaveOutSides(scan, frames, recorded, lines);
        return lines;
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::cancelled)
            throw;
        return {};
    }
}

} // namespace engine

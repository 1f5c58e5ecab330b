#include "engine/io/geometry/assumed_angles.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/check/file_check.h"
#include "engine/io/frames/quantity_guess.h"
#include "engine/scan/exchanged_axes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>

namespace engine
{

namespace
{

constexpr int mostLines = 400; // all of a small scan; else some over the scan, and runs of them
constexpr double fewestLines = 32;
constexpr double mostValues = 4e6;
constexpr int spreadLines = 200;    // of these, those over the scan
constexpr int runLines = 24;        // and those in runs: at the beginning, in the middle, at the end
constexpr double mostBytes = 256e6; // read for them, where rows are stored together

// Which projections to look at, counted among those that are there.
std::vector<int> chosenOf(const ScanFrames& frames)
{
    const FrameSource& source = frames.projections;
    // A line costs as many rows as are stored together; one by itself as many frames as well.
    const double together = static_cast<double>(source.rowsTogether) * frames.bins * source.type->bytes;
    const double most = std::min<double>(mostLines, std::max(mostValues / frames.bins, fewestLines));
    std::vector<int> all(static_cast<std::size_t>(source.frames));
    std::iota(all.begin(), all.end(), 0);
    if (source.frames <= most && source.frames * together <= mostBytes)
        return all;
    const int lines = static_cast<int>(std::clamp(mostBytes / (together * source.chunk), fewestLines, most));
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

// Number k of those that are there, counted among all.
std::vector<int> numbersOfThere(const ScanFrames& frames, int all)
{
    std::vector<int> numbers;
    for (int k = 0; k < all; ++k)
        if (std::ranges::find(frames.missing, k) == frames.missing.end())
            numbers.push_back(k);
    return numbers;
}

// The middle row of frames, one after the other.
Values middleRow(const ScanFrames& frames, const FrameSource& source, const std::vector<int>& which)
{
    Values values;
    const RowRange row{frames.rowsUpwards ? frames.rows - 1 - frames.rows / 2 : frames.rows / 2, 1};
    const auto bins = static_cast<std::size_t>(frames.bins);
    for (std::size_t k = 0; k < which.size();) {
        std::size_t count = 1;
        while (k + count < which.size() && which[k + count] == which[k] + static_cast<int>(count) && count < 64)
            ++count;
        Samples lines(*source.type, count * bins);
        source.read(which[k], static_cast<int>(count), row, lines.bytes());
        const Values floats = lines.toFloats();
        values.insert(values.end(), floats.begin(), floats.end());
        k += count;
    }
    return values;
}

// The mean of all frames of a side; nothing where there are none.
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

// What the beam is without the object, of one line: the brighter of both sides.
double airOf(std::span<const double> line)
{
    const std::size_t outer = std::max<std::size_t>(1, line.size() / 20);
    const auto mean = [&](std::size_t first) {
        return std::accumulate(line.begin() + static_cast<std::ptrdiff_t>(first),
                               line.begin() + static_cast<std::ptrdiff_t>(first + outer), 0.0) /
               static_cast<double>(outer);
    };
    return std::max(mean(0), mean(line.size() - outer));
}

// Line integrals of values as they were recorded; each projection's own air is 0.
std::vector<float> integralsOf(const Values& values, Quantity quantity, const std::vector<double>& darks,
                               const std::vector<double>& flats, std::size_t bins)
{
    constexpr double least = 1e-4; // of transmission, which noise can't be told below
    std::vector<float> made;
    made.reserve(values.size());
    std::vector<double> line(bins);
    for (std::size_t first = 0; first < values.size(); first += bins) {
        for (std::size_t bin = 0; bin < bins; ++bin) {
            line[bin] = values[first + bin];
            if (quantity != Quantity::counts)
                continue;
            const double dark = darks.empty() ? 0 : darks[bin];
            line[bin] -= dark;
            if (!flats.empty())
                line[bin] /= flats[bin] > dark ? flats[bin] - dark : 1;
        }
        if (quantity != Quantity::attenuation) {
            const double air = airOf(line);
            for (double& value : line)
                value = -std::log(air > 0 ? std::max(value / air, least) : 1.0);
        }
        for (std::size_t bin = 0; bin < bins; ++bin) {
            const bool isNumber = std::isfinite(line[bin]) && std::abs(line[bin]) < 1e30;
            made.push_back(isNumber ? static_cast<float>(line[bin]) : bin > 0 ? made.back() : 0.0F);
        }
    }
    return made;
}

bool mayBeExchanged(const Scan& scan, const OpenOptions& options)
{
    return !scan.exchangedAxes.empty() && options.dataSets.axes.empty();
}

bool mayHaveExchangedBins(const Scan& scan, const OpenOptions& options)
{
    return mayBeExchanged(scan, options) && !scan.exchangedAxes.starts_with("y:");
}

// What the numbers are, decided again, and for good, once all that the file says is known.
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

// Line integrals of some rows of some frames over the scan: [frame][row][bin].
struct MiddleRows {
    int frames = 0, rows = 0;
    std::vector<float> integrals;
};

MiddleRows middleRows(const Scan& scan, const ScanFrames& frames, const OpenOptions& options)
{
    constexpr int mostFrames = 32, mostRows = 64;
    const FrameSource& source = frames.projections;
    MiddleRows block{std::min(source.frames, mostFrames), std::min(frames.rows, mostRows), {}};
    const RowRange rows{(frames.rows - block.rows) / 2, block.rows};
    const auto size = static_cast<std::size_t>(block.rows) * static_cast<std::size_t>(frames.bins);
    Values recorded;
    for (int k = 0; k < block.frames; ++k) {
        Samples numbers(*source.type, size);
        source.read(static_cast<int>(static_cast<long long>(k) * source.frames / block.frames), 1, rows,
                    numbers.bytes());
        const Values floats = numbers.toFloats();
        recorded.insert(recorded.end(), floats.begin(), floats.end());
    }
    block.integrals =
        integralsOf(recorded, quantityOf(scan, frames, options), {}, {}, static_cast<std::size_t>(frames.bins));
    return block;
}

// Whether each frame is the sinogram of a row, and no projection. Flats have the size of a projection: a scan with
// flats isn't asked.
bool areSinograms(const Scan& scan, const ScanFrames& frames, const OpenOptions& options)
{
    if (!mayBeExchanged(scan, options) || frames.rows < 2 || frames.flats.frames > 0)
        return false;
    try {
        const MiddleRows block = middleRows(scan, frames, options);
        return lookLikeSinograms(block.frames, block.rows, block.integrals);
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::cancelled)
            throw;
        return false;
    }
}

// Nothing where a frame can't be read: that is said when the rows are.
std::optional<TurnLines> linesOf(Scan& scan, const ScanFrames& frames, const OpenOptions& options, int all)
{
    try {
        const Quantity quantity = quantityOf(scan, frames, options);
        const std::vector<int> which = chosenOf(frames);
        const bool isCounts = quantity == Quantity::counts;
        TurnLines lines{.projections = all, .bins = frames.bins, .which = {}, .values = {}};
        const Values recorded = middleRow(frames, frames.projections, which);
        if (mayHaveExchangedBins(scan, options) &&
            lookExchanged(which, {recorded.data(), recorded.size()}, frames.bins))
            scan.exchangeSign = "projections and bins seem to be exchanged: the columns hold the same mass, and the "
                                "lines don't";
        lines.values = integralsOf(recorded, quantity, isCounts ? meanOf(frames, frames.darks) : std::vector<double>(),
                                   isCounts ? meanOf(frames, frames.flats) : std::vector<double>(),
                                   static_cast<std::size_t>(frames.bins));
        if (std::accumulate(lines.values.begin(), lines.values.end(), 0.0) < 0) // of the opposite sign
            for (float& value : lines.values)
                value = -value;
        const std::vector<int> numbers = numbersOfThere(frames, all);
        for (const int k : which)
            lines.which.push_back(numbers[static_cast<std::size_t>(k)]);
        return lines;
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::cancelled)
            throw;
        return {};
    }
}

// Two sentences on what no projection tells.
std::string directionText(const AngleSpread& spread)
{
    AngleSpread other{-spread.firstRad, -spread.lastRad, spread.endExcluded, spread.steps};
    if (other.steps) {
        other.steps->firstRad *= -1;
        other.steps->stepRad *= -1;
    }
    return " The direction can't be told: if the scan turned clockwise, its slices are mirror images (" +
           optionText(other) + ").";
}

std::string noteOf(const Scan& scan, const std::string& withoutAngles)
{
    const TurnGuess& guess = *scan.assumedTurn;
    const std::string how = guess.alternative ? optionText(*guess.alternative) : std::string();
    std::string text = withoutAngles + "; " + toText(guess.spread) + (guess.spread.steps ? " are" : " is") +
                       " assumed (" + certaintyText(guess) + "): " + guess.reason + ".";
    if (scan.axesLookExchanged())
        return text + " Exchange them (--data-axes " + scan.exchangedAxes + ").";
    if (guess.isUneven)
        return text + " Give the angles (--angles FILE, one a line, or FIRST::STEP)." + directionText(guess.spread);
    if (guess.spread.steps)
        return text + " Others can be given (--angles)." + directionText(guess.spread);
    if (!guess.isSure())
        return text + " If it is " + toText(*guess.alternative) + ", give these angles (" + how +
               "); otherwise give the right ones (--angles FIRST:LAST, FIRST::STEP for steps such as the golden "
               "angle, or a file)." +
               directionText(guess.spread);
    if (!guess.isSureOfEnd())
        return text + " Whether the end is included can't be told from the projections (" + how + " takes the other)." +
               directionText(guess.spread);
    return text + " Others can be given (--angles)." + directionText(guess.spread);
}

} // namespace

std::vector<double> assumeTurn(Scan& scan, const ScanFrames& frames, const OpenOptions& options,
                               const AngleSpread& fallback, int all, const std::string& withoutAngles)
{
    // The helper, which reads untrusted files first, has little memory and time, and its angles serve nobody.
    const std::optional<TurnLines> lines = isHelper() ? std::nullopt : linesOf(scan, frames, options, all);
    scan.anglesAssumed = true;
    scan.assumedTurn = guessTurn(lines.value_or(TurnLines{.projections = all, .which = {}, .values = {}}), fallback);
    // Of an object that is seen whole, the masses would tell.
    if (mayHaveExchangedBins(scan, options) && all == frames.bins && scan.assumedTurn->isCut) {
        scan.assumedTurn->certainty = std::min(scan.assumedTurn->certainty, 0.7);
        scan.assumedTurn->reason +=
            "; as the matrix is square, projections and bins may be exchanged too (--data-axes " + scan.exchangedAxes +
            ")";
    }
    if (lines && !scan.axesLookExchanged() && !scan.assumedTurn->isSure() && areSinograms(scan, frames, options)) {
        scan.exchangedAxes = "y:theta:x";
        scan.exchangeSign = "each frame seems to be a sinogram: its lines hold the same mass, and the same line of "
                            "other frames doesn't";
    }
    if (scan.axesLookExchanged()) {
        scan.assumedTurn->certainty = scan.assumedTurn->endCertainty = 0.5;
        scan.assumedTurn->reason = scan.exchangeSign;
    }
    scan.notes.push_back(noteOf(scan, withoutAngles));
    return anglesOf(scan.assumedTurn->spread, all);
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/frames/frame_source.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/parallel_for.h"
#include "engine/io/frames/quantity_guess.h"
#include "engine/io/frames/reduced_frames.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

namespace engine
{

namespace
{

// The system grants more memory than it has, so a successful allocation proves nothing.
unsigned long long physicalMemory()
{
    const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? static_cast<unsigned long long>(pages) * static_cast<unsigned long long>(size)
                                 : std::numeric_limits<long long>::max();
}

// Allocates memory for the frames without touching it, as touching takes time and can't be cancelled.
Samples roomFor(const ScanFrames& frames, const FrameSource& source, int count, int rows)
{
    unsigned long long values = 0;
    const bool tooMuch = __builtin_mul_overflow(static_cast<unsigned long long>(count),
                                                static_cast<unsigned long long>(rows), &values) ||
                         __builtin_mul_overflow(values, static_cast<unsigned long long>(frames.bins), &values) ||
                         values > physicalMemory() / source.type->bytes;
    try {
        if (!tooMuch)
            return Samples(*source.type, values);
    } catch (const std::bad_alloc&) {
    } catch (const std::length_error&) {
    }
    const double bytes = static_cast<double>(count) * rows * frames.bins * source.type->bytes;
    throw Error(ErrorKind::noMemory, fileText(frames.path) + ": " + std::to_string(rows) + " rows of " +
                                         std::to_string(count) + " frames need " + sizeText(bytes) +
                                         " of memory, more than there is. Ask for fewer rows.");
}

// Reverses the order of the rows of each frame.
void turnRows(char* frames, int count, int rows, std::size_t rowBytes)
{
    for (int frame = 0; frame < count; ++frame, frames += rows * rowBytes)
        for (int row = 0; row < rows / 2; ++row)
            std::swap_ranges(frames + row * rowBytes, frames + (row + 1) * rowBytes,
                             frames + (rows - 1 - row) * rowBytes);
}

// Reads some of the frames, block by block.
void readSome(const ScanFrames& frames, const FrameSource& source, RowRange some, RowRange rows, char* to,
              const std::stop_token& stop)
{
    if (some.count == 0)
        return;
    const std::size_t rowBytes = static_cast<std::size_t>(frames.bins) * source.type->bytes;
    const std::size_t frameBytes = rows.count * rowBytes;
    if (frames.rowsUpwards)
        rows.first = frames.rows - rows.first - rows.count;
    const long long most =
        static_cast<long long>(source.step) * source.stepRows / std::max(rows.count, source.stepRows);
    const int whole = static_cast<int>(std::max<long long>(most / source.chunk, 1) * source.chunk);
    // Block 0 begins at frame 0, block k at early + (k − 1)·whole.
    const int early = source.firstStep > 0 ? source.firstStep : whole;
    const auto blockOf = [&](int frame) { return frame < early ? 0 : 1 + (frame - early) / whole; };
    const int end = some.first + some.count;
    const auto begin = [&](int block) {
        return static_cast<int>(std::clamp<long long>(early + (block - 1LL) * whole, some.first, end));
    };
    const auto readBlock = [&](int block) {
        throwIfStopped(stop);
        const int first = block == 0 ? some.first : begin(block), count = begin(block + 1) - first;
        char* const out = to + (first - some.first) * frameBytes;
        source.read(first, count, rows, out);
        if (frames.rowsUpwards)
            turnRows(out, count, rows.count, rowBytes);
    };
    const tbb::blocked_range<int> blocks(blockOf(some.first), blockOf(end - 1) + 1);
    const auto readBlocks = [&](const tbb::blocked_range<int>& part) {
        for (int block = part.begin(); block < part.end(); ++block)
            readBlock(block);
    };
    if (source.concurrent)
        parallelFor(blocks, readBlocks);
    else
        readBlocks(blocks);
}

// Calls `read`, and once more if frames have moved meanwhile, as a program still writes to the file.
void readInPlace(const ScanFrames& frames, const std::function<void()>& read)
{
    const auto layout = [&frames] {
        return frames.projections.layout() + frames.darks.layout() + frames.flats.layout();
    };
    for (int attempt = 0; attempt < 2; ++attempt) {
        const long long before = layout();
        try {
            read();
            frames.files.requireUnchanged();
            if (layout() == before)
                return;
        } catch (const Error& error) { // also of what has taken a frame's place
            if (error.kind() != ErrorKind::badFile || layout() == before)
                throw;
        }
    }
    throw Error(ErrorKind::badFile, fileText(frames.path) +
                                        " can't be read: its frames are moved within the file while they are read. "
                                        "Wait until it is written, and open it again.");
}

Samples readAll(const ScanFrames& frames, const FrameSource& source, RowRange rows, const std::stop_token& stop)
{
    Samples values = roomFor(frames, source, source.frames, rows.count);
    readSome(frames, source, {0, source.frames}, rows, values.bytes(), stop);
    return values;
}

void requireRows(const ScanFrames& frames, RowRange rows)
{
    if (rows.count < 1 || rows.first < 0 || rows.first >= frames.rows || rows.count > frames.rows - rows.first)
        throw Error(ErrorKind::badRequest, fileText(frames.path) + " has rows 0 to " + std::to_string(frames.rows - 1) +
                                               "; rows " + std::to_string(rows.first) + " to " +
                                               std::to_string(static_cast<long long>(rows.first) + rows.count - 1) +
                                               " were asked for.");
}

// Sets where the frames come from, as far as the reader hasn't done so.
void setSides(Scan& scan, const OpenOptions& options, const ScanFrames& frames)
{
    // Frames in another folder than the projections are named with their folder.
    const auto nameOf = [&frames](const std::filesystem::path& file) {
        const auto& beside = frames.projections.files;
        const bool isBeside = beside.empty() || beside.front().parent_path() == file.parent_path();
        return isBeside ? file.filename().string() : file.lexically_relative(beside.front().parent_path()).string();
    };
    const auto set = [&nameOf](PartSource& source, const std::filesystem::path& given,
                               const std::vector<RowRange>& among, const FrameSource& of) {
        if (of.frames == 0)
            source = {};
        else if (!among.empty())
            source = {"frames " + rangesInWords(among), true};
        else if (!given.empty())
            source = {given.string(), true};
        else if (source.where.empty() && !of.files.empty())
            source.where = nameOf(of.files.front()) +
                           (of.files.size() > 1 ? " and " + std::to_string(of.files.size() - 1) + " more" : "");
    };
    set(scan.sources.projections, {}, {}, frames.projections);
    set(scan.sources.darks, options.darks, options.darkFrames, frames.darks);
    set(scan.sources.flats, options.flats, options.flatFrames, frames.flats);
}

} // namespace

RawRows readRows(const ScanFrames& frames, RowRange rows, std::stop_token stop)
{
    requireRows(frames, rows);
    RawRows raw;
    raw.rows = rows;
    raw.bins = frames.bins;
    raw.projections = frames.projections.frames;
    raw.darkFrames = frames.darks.frames;
    raw.flatFrames = frames.flats.frames;
    readInPlace(frames, [&] {
        raw.data = readAll(frames, frames.projections, rows, stop);
        raw.darks = readAll(frames, frames.darks, rows, stop).toFloats();
        raw.flats = readAll(frames, frames.flats, rows, stop).toFloats();
    });
    return raw;
}

RawRows readFrames(const ScanFrames& frames, const FramePart& part, std::stop_token stop)
{
    requireRows(frames, part.rows);
    const RowRange some = part.projections;
    const int all = frames.projections.frames;
    require(some.count >= 1 && some.first >= 0 && some.first < all && some.count <= all - some.first,
            fileText(frames.path) + " has projections 0 to " + std::to_string(all - 1) + "; projection " +
                std::to_string(some.first) + " was asked for");
    RawRows raw;
    raw.rows = part.rows;
    raw.bins = frames.bins;
    raw.projections = some.count;
    raw.firstProjection = some.first;
    raw.scanProjections = all;
    if (!part.to)
        raw.data = roomFor(frames, frames.projections, some.count, part.rows.count);
    if (part.sides) {
        raw.darkFrames = frames.darks.frames;
        raw.flatFrames = frames.flats.frames;
    }
    readInPlace(frames, [&] {
        readSome(frames, frames.projections, some, part.rows, part.to ? part.to : raw.data.bytes(), stop);
        if (part.sides) {
            raw.darks = readAll(frames, frames.darks, part.rows, stop).toFloats();
            raw.flats = readAll(frames, frames.flats, part.rows, stop).toFloats();
        }
    });
    return raw;
}

namespace
{

// Returns frames whose numbers have the opposite sign, as floats.
FrameSource negatedFrames(FrameSource stored, int bins)
{
    FrameSource negated = stored;
    negated.type = &floatSamples();
    negated.read = [stored = std::move(stored), bins](int first, int count, RowRange rows, char* out) {
        Samples numbers(*stored.type, static_cast<std::size_t>(count) * rows.count * bins);
        stored.read(first, count, rows, numbers.bytes());
        auto* const to = reinterpret_cast<float*>(out);
        std::ranges::transform(numbers.toFloats(), to, std::negate<>());
    };
    return negated;
}

} // namespace

void setFrames(Scan& scan, ScanFrames frames, const OpenOptions& options)
{
    scan.path = frames.path;
    scan.rows = frames.rows;
    scan.bytesPerSample = frames.projections.type->bytes;
    scan.rowsTogether = frames.projections.rowsTogether;
    scan.darkFrames = frames.darks.frames;
    scan.flatFrames = frames.flats.frames;
    scan.flatPlaces = frames.flats.places;
    for (const FrameSource* source : {&frames.projections, &frames.darks, &frames.flats}) {
        scan.files.insert(scan.files.end(), source->files.begin(), source->files.end());
        addNotes(scan.notes, source->notes); // merged, as frames of one data set have the same notes
    }
    std::error_code unreadable;
    for (const std::filesystem::path& side : {options.darks, options.flats})
        if (std::filesystem::is_directory(side, unreadable))
            scan.folders.push_back(side);
    if (!options.anglesFile.empty())
        scan.files.push_back(options.anglesFile);
    setSides(scan, options, frames);
    if (frames.rowsUpwards) // the exact image has the row order of the file
        scan.exactImage = {};
    scan.framesTogether = frames.projections.chunk;
    if (options.reduction.any()) {
        reduceFacts(scan, options.reduction);
        frames = reducedFrames(std::move(frames), options.reduction);
    }
    decideQuantity(scan, frames, options.values);
    if (scan.quantity != Quantity::counts) // darks and flats correct only counts
        frames.darks = frames.flats = {};
    if (scan.signTurned) {
        frames.projections = negatedFrames(std::move(frames.projections), frames.bins);
        scan.bytesPerSample = frames.projections.type->bytes;
    }
    for (const FrameSource* source : {&frames.projections, &frames.darks, &frames.flats})
        frames.files.add(source->files, source->filesMayGrow);
    const auto shared = std::make_shared<const ScanFrames>(std::move(frames));
    scan.read = [shared](RowRange rows, std::stop_token stop) { return readRows(*shared, rows, stop); };
    scan.readFrames = [shared](const FramePart& part, std::stop_token stop) { return readFrames(*shared, part, stop); };
    scan.readEvery = [shared](int step, const FramePart& part, std::stop_token stop) {
        ScanFrames some = *shared;
        FrameSource& from = some.projections;
        std::vector<int> kept = keptProjections({.every = step, .leftOut = {}}, from.frames);
        from = someFrames(std::move(from), std::move(kept), some.rows, some.bins);
        return readFrames(some, part, stop);
    };
}

int checkedCount(long long value, const std::string& path, const std::string& what, int most)
{
    if (value < 1)
        throw Error(ErrorKind::badFile,
                    fileText(path) + " holds no scan: " + what + " is " + std::to_string(value) + ".");
    if (value > most)
        throw Error(ErrorKind::badFile, fileText(path) + ": " + what + " is " + std::to_string(value) +
                                            ", more than the limit of " + std::to_string(most) +
                                            ". The file may be damaged.");
    return static_cast<int>(value);
}

void requireAngles(const std::vector<double>& anglesRad, int projections, const std::string& path,
                   const std::string& source)
{
    if (static_cast<int>(anglesRad.size()) != projections)
        throw Error(ErrorKind::badFile, fileText(path) + ": " + source + " has " + std::to_string(anglesRad.size()) +
                                            " angles for " + std::to_string(projections) +
                                            " projections. Give the angles yourself.");
    for (std::size_t i = 0; i < anglesRad.size(); ++i)
        if (!std::isfinite(anglesRad[i]))
            throw Error(ErrorKind::badFile, fileText(path) + ": angle " + std::to_string(i) + " of " + source + " is " +
                                                (std::isnan(anglesRad[i]) ? "not a number" : "infinite") +
                                                ". Give the angles yourself.");
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/formats/hdf5_scan.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/units.h"
#include "engine/io/files/outside_files.h"
#include "engine/io/formats/reader.h"
#include "engine/io/frames/stored_frames.h"
#include "engine/io/geometry/angle_units.h"
#include "engine/io/hdf5/chunked_frames.h"
#include "engine/simulate/phantom.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

namespace engine
{

namespace
{

constexpr long long bytesPerRead = 8 << 20; // read between two checks of the stop token

long long along(const std::vector<long long>& shape, int axis)
{
    return axis < 0 ? 1 : shape[static_cast<std::size_t>(axis)];
}

// Reads consecutive frames into out[frame][row][bin], whatever the order of the file.
void readRun(const Hdf5Dataset& dataset, FrameAxes axes, long long first, int count, RowRange rows, int bins,
             float* out)
{
    const std::size_t rank = dataset.shape().size();
    std::vector<long long> start(rank, 0), extent(rank, 1);
    const auto set = [&](int axis, long long from, long long length) {
        if (axis < 0)
            return;
        start[static_cast<std::size_t>(axis)] = from;
        extent[static_cast<std::size_t>(axis)] = length;
    };
    set(axes.frame, first, count);
    set(axes.row, rows.first, rows.count);
    set(axes.bin, 0, bins);
    const bool frameFirst = count == 1 || rows.count == 1 || axes.frame < axes.row;
    if (frameFirst && axes.row < axes.bin && axes.frame < axes.bin) {
        dataset.read(start, extent, out);
        return;
    }
    std::vector<float> block(static_cast<std::size_t>(count) * rows.count * bins);
    dataset.read(start, extent, block.data());
    std::array<std::size_t, 3> stride{}; // of frame, row and bin in the block
    const std::array<int, 3> axis = {axes.frame, axes.row, axes.bin};
    for (std::size_t i = 0; i < 3; ++i) {
        stride[i] = 1;
        for (std::size_t d = static_cast<std::size_t>(axis[i]) + 1; axis[i] >= 0 && d < rank; ++d)
            stride[i] *= static_cast<std::size_t>(extent[d]);
    }
    for (int frame = 0; frame < count; ++frame)
        for (int row = 0; row < rows.count; ++row)
            for (int bin = 0; bin < bins; ++bin)
                *out++ = block[frame * stride[0] + row * stride[1] + bin * stride[2]];
}

Text contents(const Candidate& candidate)
{
    constexpr std::size_t most = 12;
    const std::vector<std::string> names = candidate.hdf5()->children("/");
    std::string found;
    for (std::size_t k = 0; k < std::min(most, names.size()); ++k)
        (found += found.empty() ? "" : ", ") += names[k].substr(0, 60);
    if (names.size() > most)
        found += " and " + std::to_string(names.size() - most) + " more";
    return "At the top level: " +
           (found.empty() ? Text("nothing.")
                          : found + ". Name the data sets of the scan" +
                                aside(optionName("data") + "; info " + optionName("data-sets") + " lists them") + ".");
}

} // namespace

const Container hdf5Container = {
    .label = "HDF5",
    .withArticle = "an HDF5",
    .suffixes = {".h5", ".hdf5", ".hdf"},
    .mimeTypes = {"application/x-hdf5", "application/x-hdf"},
    .recognises = Hdf5File::recognises,
    .contents = contents,
};

std::vector<long long> allFrames(const Hdf5Dataset& dataset, FrameAxes axes)
{
    std::vector<long long> indices(static_cast<std::size_t>(along(dataset.shape(), axes.frame)));
    std::iota(indices.begin(), indices.end(), 0LL);
    return indices;
}

namespace
{

// Returns the frames as the files store them, if they are uncompressed with consecutive rows.
std::optional<StoredFrames> storedOf(const Hdf5Dataset& dataset, FrameAxes axes, const std::vector<long long>& indices)
{
    if (axes.frame > axes.row || axes.row > axes.bin || indices.empty())
        return {};
    const auto numbers = dataset.stored();
    if (!numbers)
        return {};
    StoredFrames stored{.type = numbers->type,
                        .bigEndian = numbers->bigEndian,
                        .bins = static_cast<int>(along(dataset.shape(), axes.bin)),
                        .files = {},
                        .frames = {}};
    const long long size = along(dataset.shape(), axes.row) * along(dataset.shape(), axes.bin);
    const auto& runs = numbers->runs;
    std::map<std::filesystem::path, int> files;
    for (const long long index : indices) {
        const long long first = index * size;
        auto run = std::ranges::upper_bound(runs, first, {}, &StoredNumbers::Run::first);
        if (run == runs.begin() || (--run)->first + run->count < first + size)
            return {};
        const auto [file, isNew] = files.try_emplace(run->file, static_cast<int>(files.size()));
        if (isNew)
            stored.files.push_back(run->file);
        stored.frames.push_back({file->second, run->offset + (first - run->first) * stored.type.bytes});
    }
    return stored;
}

// Throws if some of these frames are in no source of a virtual data set. Returns notes on rows, bins and parts of
// frames (such as those between the modules of a detector) that are in no source.
std::vector<Note> gapNotes(const Hdf5Dataset& dataset, FrameAxes axes, const std::vector<long long>& indices)
{
    using Range = VirtualGaps::Range;
    const VirtualGaps& gaps = dataset.gaps();
    if (!gaps.any())
        return {};
    const std::string what = "the virtual data set " + dataset.path();
    if (gaps.isCut)
        throw Error(ErrorKind::badFile, fileText(dataset.filePath().string()) + ": " + what + " ends where " +
                                            fileText(gaps.missing.string()) +
                                            " is missing, although later files exist. Put that file back.");
    if (axes.frame >= 0) {
        const std::vector<Range>& ranges = gaps.untouched[static_cast<std::size_t>(axes.frame)];
        std::vector<bool> isUsed(ranges.size());
        for (const long long index : indices)
            if (const auto behind = std::ranges::upper_bound(ranges, index, {}, &Range::first);
                behind != ranges.begin() && index < std::prev(behind)->first + std::prev(behind)->count)
                isUsed[static_cast<std::size_t>(behind - ranges.begin() - 1)] = true;
        std::vector<Range> used;
        for (std::size_t k = 0; k < ranges.size(); ++k)
            if (isUsed[k])
                used.push_back(ranges[k]);
        if (!used.empty())
            throw Error(ErrorKind::badFile,
                        fileText(dataset.filePath().string()) + ": frames " + toText(used) + " of " + what +
                            " are not covered by any of its sources" +
                            (gaps.missing.empty() ? std::string(". The scan may not have been finished")
                                                  : ": " + fileText(gaps.missing.string()) + " is missing") +
                            ".");
    }
    std::vector<Note> notes;
    for (const auto& [axis, name] : {std::pair(axes.row, "Rows "), std::pair(axes.bin, "Bins ")})
        if (const auto& ranges = gaps.untouched[static_cast<std::size_t>(axis)]; !ranges.empty())
            notes.push_back(name + toText(ranges) + " of " + what +
                            " are not covered by any of its sources; they have its fill value.");
    if (gaps.isPartial)
        notes.push_back("Parts of the frames of " + what +
                        " are not covered by any of its sources; they have its fill value.");
    return notes;
}

} // namespace

FrameSource hdf5Frames(const Hdf5Dataset& dataset, FrameAxes axes, std::vector<long long> indices)
{
    dataset.requireWritten();
    std::vector<Note> notes = gapNotes(dataset, axes, indices);
    if (auto stored = storedOf(dataset, axes, indices)) {
        FrameSource source = storedFrames(*std::move(stored));
        source.files = dataset.files();
        return source;
    }
    if (dataset.shape().size() == 3 && axes.frame == 0 && axes.row == 1 && axes.bin == 2) {
        std::optional<FrameSource> source = virtualFrames(dataset, indices);
        if (const auto format = source ? std::nullopt : dataset.chunkFormat())
            source = chunkedFrames({dataset, *format, std::move(indices)});
        if (source) {
            source->notes = std::move(notes);
            return *std::move(source);
        }
    }
    const std::vector<long long>& stored = dataset.chunk();
    const long long chunkFrames = stored.empty() ? 1 : std::max(1LL, along(stored, axes.frame));
    const long long chunkRows = stored.empty() ? 1 : along(stored, axes.row);
    const int bins = static_cast<int>(along(dataset.shape(), axes.bin));
    const long long perFrame = std::max<long long>(1, chunkRows * bins * 4);
    long long step = std::clamp(bytesPerRead / perFrame, 1LL, 256LL);
    step = (step + chunkFrames - 1) / chunkFrames * chunkFrames;

    FrameSource source;
    source.frames = static_cast<int>(indices.size());
    source.files = dataset.files();
    source.notes = std::move(notes);
    source.step = static_cast<int>(step);
    source.stepRows = static_cast<int>(std::clamp<long long>(chunkRows, 1, std::numeric_limits<int>::max()));
    source.rowsTogether = source.stepRows;
    source.chunk = static_cast<int>(std::min<long long>(chunkFrames, step));
    if (!indices.empty() && indices[0] % chunkFrames != 0)
        source.firstStep = static_cast<int>(chunkFrames - indices[0] % chunkFrames);
    source.read = [dataset, axes, bins, indices = std::move(indices)](int first, int count, RowRange rows, char* out) {
        const std::size_t frameSize = static_cast<std::size_t>(rows.count) * bins;
        for (int done = 0; done < count;) {
            const std::size_t at = static_cast<std::size_t>(first) + done;
            int run = 1;
            while (done + run < count && indices[at + run] == indices[at] + run)
                ++run;
            readRun(dataset, axes, indices[at], run, rows, bins, reinterpret_cast<float*>(out) + done * frameSize);
            done += run;
        }
    };
    source.layout = [dataset] { return dataset.layout(); };
    return source;
}

std::vector<double> anglesInRadians(std::vector<double> values, const std::optional<std::string>& unit,
                                    const std::string& source, std::vector<Note>& notes)
{
    const AngleUnit* known = angleUnit(unit.value_or(""));
    const AngleUnit& its = known ? *known : likelyAngleUnit(values);
    if (!known)
        notes.push_back(source + " has " +
                        (unit.value_or("").empty() ? "no unit" : "the unknown unit '" + *unit + "'") + "; " + its.name +
                        " are assumed from its range.");
    return inRadians(std::move(values), its);
}

std::optional<double> lengthInMm(const Hdf5File& file, const std::string& path, std::vector<Note>& notes, bool anySign)
{
    std::optional<double> value = file.number(path);
    if (value && anySign)
        value = std::abs(*value);
    if (!value || !(*value > 0) || !std::isfinite(*value))
        return {};
    const std::optional<std::string> unit = file.attribute(path, "units");
    if (const std::optional<double> mm = mmPerUnit(unit.value_or("")))
        return *value * *mm;
    notes.push_back(path + " has " + (unit ? "the unknown unit '" + *unit + "'" : "no unit") +
                    "; the pixel size is left out.");
    return {};
}

std::optional<double> energyInKeV(const Hdf5File& file, const std::vector<std::string>& paths)
{
    for (const std::string& path : paths) {
        const std::optional<double> value = file.number(path);
        const std::optional<double> keV = keVPerUnit(file.attribute(path, "units").value_or(""));
        if (value && keV && *value > 0 && std::isfinite(*value))
            return *value * *keV;
    }
    return {};
}

RecordedGeometry writtenGeometry(const Hdf5File& file, const std::string& path)
{
    if (file.node(path) != Hdf5File::Node::dataset)
        return {};
    const std::optional<std::string> json = file.text(path);
    return json ? geometryFromJson(*json, fileText(file.path().string()) + ": " + path) : RecordedGeometry();
}

void addMetadata(Scan& scan, const Hdf5File& file, const std::string& label, const std::vector<std::string>& paths)
{
    for (const std::string& path : paths) {
        const std::optional<std::string> text = file.text(path);
        if (!text || text->empty())
            continue;
        const std::optional<std::string> unit = file.attribute(path, "units");
        scan.metadata.emplace_back(label, unit && !unit->empty() ? *text + " " + *unit : *text);
        return;
    }
}

void addFiles(Scan& scan, const Hdf5File& file)
{
    const std::vector<std::filesystem::path> files = file.files();
    scan.files.insert(scan.files.end(), files.begin(), files.end());
    noteOutside(scan, file.path(), files);
}

void attachSimulation(Scan& scan, const Hdf5File& file, const std::string& path, int rows)
{
    const std::optional<std::string> json = file.text(path);
    if (!json)
        return;
    try {
        const std::shared_ptr<const Scan> simulated = simulate(simulationFromJson(*json));
        if (simulated->bins() != scan.bins() || simulated->rows != rows ||
            simulated->projections() != scan.projections()) {
            scan.notes.push_back("The simulation described in " + path +
                                 " has another size than the data, so its exact image is not used.");
            return;
        }
        const auto* beam = std::get_if<ParallelBeam>(&scan.geometry);
        scan.exactImage = exactImageOf(simulationFromJson(*json), simulated->geometry, beam ? beam->pixelBins : 1,
                                       rotationRadOf(scan.geometry));
        scan.quantity = simulated->quantity;
        scan.quantitySource = QuantitySource::recorded;
        std::visit([&](auto& alternative) { alternative.axisBins = simulated->axisBins(); }, scan.geometry);
        scan.notes.push_back("Simulated: the exact image and the rotation axis are known (" + path + ").");
    } catch (const Error& error) {
        scan.notes.push_back("The simulation described in " + path + " can't be used: " + error.text());
    }
}

} // namespace engine

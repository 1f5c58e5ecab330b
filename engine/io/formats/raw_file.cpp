// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/formats/raw_file.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/formats/given_sides.h"
#include "engine/io/formats/reader.h"
#include "engine/io/frames/stored_frames.h"
#include "engine/io/frames/turned_frames.h"
#include "engine/io/geometry/scan_geometry.h"

#include <limits>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

namespace engine
{

namespace
{

const SampleType& rawSampleType(const RawLayout& layout)
{
    if (const SampleType* type = findSampleType(layout.sampleType))
        return *type;
    std::string valid;
    for (const SampleType& type : sampleTypes())
        valid += (valid.empty() ? "" : ", ") + std::string(type.name);
    throw Error(ErrorKind::badRequest,
                "Raw numbers of the type '" + layout.sampleType + "' can't be read. Types are " + valid + ".");
}

} // namespace

std::vector<std::string> rawSampleTypes()
{
    std::vector<std::string> names;
    for (const SampleType& type : sampleTypes())
        names.push_back(type.name);
    return names;
}

RawLayout rawLayoutFromText(const std::string& shape)
{
    std::vector<int> sizes;
    for (std::size_t first = 0; first <= shape.size();) {
        const std::size_t cross = std::min(shape.find('x', first), shape.size());
        const long long size = integerFromText(shape.substr(first, cross - first), "raw shape");
        sizes.push_back(size >= 1 && size <= std::numeric_limits<int>::max() ? static_cast<int>(size) : 0);
        first = cross + 1;
    }
    require(sizes.size() == 3 && sizes[0] >= 1 && sizes[1] >= 1 && sizes[2] >= 1,
            "bad raw shape '" + shape + "'; give projections x rows x bins, as 720x512x640" +
                (sizes.size() == 2 ? ", a sinogram as " + std::to_string(sizes[0]) + "x1x" + std::to_string(sizes[1])
                                   : std::string()));
    return {.projections = sizes[0], .rows = sizes[1], .bins = sizes[2]};
}

std::string shapeOf(const RawLayout& layout)
{
    return std::to_string(layout.projections) + "x" + std::to_string(layout.rows) + "x" + std::to_string(layout.bins);
}

std::optional<long long> bytesOf(const RawLayout& layout)
{
    long long bytes = rawSampleType(layout).bytes;
    if (layout.projections < 1 || layout.rows < 1 || layout.bins < 1 || layout.headerBytes < 0)
        throw Error(ErrorKind::badRequest, "A raw file needs at least one projection, row and bin and a header of 0 or "
                                           "more bytes; given were " +
                                               std::to_string(layout.projections) + " x " +
                                               std::to_string(layout.rows) + " x " + std::to_string(layout.bins) +
                                               " and " + std::to_string(layout.headerBytes) + " bytes.");
    const bool overflow = __builtin_mul_overflow(bytes, layout.bins, &bytes) ||
                          __builtin_mul_overflow(bytes, layout.rows, &bytes) ||
                          __builtin_mul_overflow(bytes, layout.projections, &bytes) ||
                          __builtin_add_overflow(bytes, layout.headerBytes, &bytes);
    return overflow ? std::nullopt : std::optional(bytes);
}

FrameSource rawFrames(const std::filesystem::path& file, const RawLayout& layout, bool exact)
{
    const SampleType& type = rawSampleType(layout);
    const std::optional<long long> bytes = bytesOf(layout);
    const long long size = static_cast<long long>(std::filesystem::file_size(file));
    if (!bytes || size < *bytes || (exact && size != *bytes))
        throw Error(ErrorKind::badFile, fileText(file.string()) + " has " + std::to_string(size) + " bytes, but " +
                                            std::to_string(layout.projections) + " x " + std::to_string(layout.rows) +
                                            " x " + std::to_string(layout.bins) + " numbers of " + layout.sampleType +
                                            " after a header of " + std::to_string(layout.headerBytes) +
                                            " bytes need " +
                                            (bytes ? std::to_string(*bytes) : "more than any file has") +
                                            ". Check shape, type and header.");

    if (layout.projections > mostFrames || layout.rows > mostAcross || layout.bins > mostAcross)
        throw Error(ErrorKind::badFile,
                    fileText(file.string()) + " was specified to have " + std::to_string(layout.projections) + " x " +
                        std::to_string(layout.rows) + " x " + std::to_string(layout.bins) + " numbers; at most " +
                        std::to_string(mostFrames) + " projections of " + std::to_string(mostAcross) + " rows and " +
                        std::to_string(mostAcross) + " bins are supported.");
    StoredFrames stored{
        .type = type, .bigEndian = layout.bigEndian, .bins = layout.bins, .files = {file}, .frames = {}};
    const long long frameBytes = static_cast<long long>(layout.rows) * layout.bins * type.bytes;
    for (int frame = 0; frame < layout.projections; ++frame)
        stored.frames.push_back({0, layout.headerBytes + frame * frameBytes});
    return storedFrames(std::move(stored));
}

namespace
{

// Statistics of the numbers, as read in one byte order.
struct OrderLook {
    double jumps = 0, spread = 0; // mean differences: of neighbouring bins, and from the mean of all
    double odd = 0;               // the share of floats that no detector yields
    double zeros = 0;             // the share of zeros, including doubles that are too small for a float
    double largest = 0;

    double roughness() const { return spread > 0 ? jumps / spread : 0; } // 0 for images, 1 for noise
};

OrderLook lookAtOrder(std::span<const float> values, int bins)
{
    OrderLook look;
    const auto isOdd = [](float value) {
        const double size = std::abs(static_cast<double>(value));
        return !std::isfinite(size) || size > 1e20 || (size > 0 && size < 1e-20);
    };
    const auto count = static_cast<double>(values.size());
    look.odd = static_cast<double>(std::ranges::count_if(values, isOdd)) / count;
    look.zeros = static_cast<double>(std::ranges::count(values, 0.0F)) / count;
    if (look.odd > 0)
        return look;
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    for (std::size_t k = 0; k < values.size(); ++k) {
        look.largest = std::max(look.largest, std::abs(static_cast<double>(values[k])));
        look.spread += std::abs(values[k] - mean) / count;
        if (k % static_cast<std::size_t>(bins) > 0)
            look.jumps += std::abs(static_cast<double>(values[k]) - values[k - 1]) / count;
    }
    return look;
}

// Reads the middle row of a few projections, in the other byte order if `swapped`.
Values linesIn(const std::filesystem::path& file, RawLayout layout, bool swapped)
{
    const std::string name = layout.sampleType;
    const long long frameBytes = static_cast<long long>(layout.rows) * layout.bins * findSampleType(name)->bytes;
    const int projections = layout.projections, lines = std::min(projections, 7);
    const long long begin = layout.headerBytes;
    layout.projections = 1;
    layout.bigEndian = layout.bigEndian != swapped;
    const auto bins = static_cast<std::size_t>(layout.bins);
    Values values(static_cast<std::size_t>(lines) * bins);
    for (int k = 0; k < lines; ++k) {
        layout.headerBytes = begin + (2LL * k + 1) * projections / (2 * lines) * frameBytes;
        const FrameSource source = rawFrames(file, layout, false);
        Samples line(*source.type, bins);
        source.read(0, 1, {layout.rows / 2, 1}, line.bytes());
        const Values floats = line.toFloats();
        std::copy(floats.begin(), floats.end(), values.begin() + static_cast<std::size_t>(k) * bins);
    }
    return values;
}

// Returns a doubt about the byte order, or "" if the other order isn't much better. In the wrong order an image
// becomes noise, small numbers become large, and floats take any magnitude. Data that is noise in the right order too
// raises no doubt: its roughness is about the same in both orders, 1.1 to 1.4.
Text orderDoubt(const std::filesystem::path& file, const RawLayout& layout)
{
    if (findSampleType(layout.sampleType)->bytes < 2)
        return {};
    const OrderLook read = lookAtOrder(linesIn(file, layout, false), layout.bins);
    const OrderLook other = lookAtOrder(linesIn(file, layout, true), layout.bins);
    const char* better = "";
    const bool isFloat = layout.sampleType.starts_with("float");
    if (other.odd < 0.01 && (read.odd > 0.05 || (isFloat && read.zeros > other.zeros + 0.1)))
        better = "vary wildly in size";
    else if (read.odd > 0 || other.odd > 0)
        return {};
    else if (read.roughness() > 0.3 && read.roughness() > 3 * other.roughness() && other.spread > 0)
        better = "jump from bin to bin";
    else if (read.largest > 200 * other.largest && other.largest > 0)
        better = "are hundreds of times larger than expected";
    if (!*better)
        return {};
    return std::string("The numbers ") + better + " in this byte order, but not in the other. Is " +
           optionName("big-endian") + (layout.bigEndian ? " wrong?" : " missing?");
}

bool rawAsked(const OpenOptions& options)
{
    return options.raw.has_value();
}

Scan openRaw(const Candidate& candidate)
{
    const std::filesystem::path& file = candidate.path();
    const OpenOptions& options = candidate.options();
    const RawLayout& layout = *options.raw;
    if (candidate.isFolder())
        throw Error(ErrorKind::badRequest, fileText(file.string()) + " is a folder; a raw scan is a single file.");
    ScanFrames frames;
    frames.path = file.string();
    frames.projections = rawFrames(file, layout, true);
    const std::array sizes = {layout.projections, layout.rows, layout.bins}; // as they are stored
    const std::string named = options.dataSets.axes.empty() ? "theta:y:x" : options.dataSets.axes;
    const FrameAxes axes = axesOfStored(named, fileText(file.string()));
    frames.projections = turnedFrames(std::move(frames.projections), sizes, axes, frames.path);
    frames.rows = sizesAlong(axes, sizes)[1];
    frames.bins = sizesAlong(axes, sizes)[2];
    frames.darks = givenSides(options.darks, frames.rows, frames.bins, file.string(), candidate.stop());
    frames.flats = givenSides(options.flats, frames.rows, frames.bins, file.string(), candidate.stop());

    Scan scan;
    scan.sampleType = layout.sampleType;
    scan.sources.projections = {.where = file.filename().string(), .given = true};
    scan.exchangedAxes = axes.frame == 0 ? "x:y:theta" : "theta:y:x";
    setGeometry(scan, options, frames, {}, {file.parent_path()});
    setFrames(scan, std::move(frames), options);
    if (scan.axesLookExchanged() && scan.exchangedAxes.starts_with('y'))
        scan.notes.push_back("With other axes, the sizes in " + optionName("raw") +
                             " stay in the order of the file: rows x projections x bins for y:theta:x.");
    if (const Text doubt = orderDoubt(file, layout); !doubt.empty()) {
        scan.notes.push_back(doubt);
        scan.quantityDoubt = doubt + (scan.quantityDoubt.empty() ? Text() : " " + scan.quantityDoubt);
    }
    return scan;
}

} // namespace

extern const Reader rawReader = {
    .id = "raw",
    .label = "raw",
    .summary = "A file of plain numbers, whose shape and type the user gives",
    .takesAxes = true,
    .asked = rawAsked,
    .option = "raw",
    .hint = "For raw data without a header, give the shape and type" +
            aside(optionName("raw") + " PROJECTIONSxROWSxBINS " + optionName("type") + " TYPE") + ".",
    .open = openRaw,
};

} // namespace engine

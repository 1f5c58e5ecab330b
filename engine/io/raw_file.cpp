#include "engine/io/raw_file.h"

#include "engine/error.h"
#include "engine/io/scan_geometry.h"
#include "engine/io/stored_frames.h"
#include "engine/io/tiff_frames.h"
#include "engine/number_text.h"

#include <limits>

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
            "bad raw shape '" + shape + "'; give projections x rows x bins, as 720x512x640");
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
        throw Error(ErrorKind::badFile, "'" + file.string() + "' has " + std::to_string(size) + " bytes, but " +
                                            std::to_string(layout.projections) + " x " + std::to_string(layout.rows) +
                                            " x " + std::to_string(layout.bins) + " numbers of " + layout.sampleType +
                                            " after a header of " + std::to_string(layout.headerBytes) +
                                            " bytes need " +
                                            (bytes ? std::to_string(*bytes) : "more than any file has") +
                                            ". Check shape, type and header.");

    if (layout.projections > mostFrames || layout.rows > mostAcross || layout.bins > mostAcross)
        throw Error(ErrorKind::badFile,
                    "'" + file.string() + "' is said to have " + std::to_string(layout.projections) + " x " +
                        std::to_string(layout.rows) + " x " + std::to_string(layout.bins) + " numbers; at most " +
                        std::to_string(mostFrames) + " projections of " + std::to_string(mostAcross) + " rows and " +
                        std::to_string(mostAcross) + " bins are taken.");
    StoredFrames stored{
        .type = type, .bigEndian = layout.bigEndian, .bins = layout.bins, .files = {file}, .frames = {}};
    const long long frameBytes = static_cast<long long>(layout.rows) * layout.bins * type.bytes;
    for (int frame = 0; frame < layout.projections; ++frame)
        stored.frames.push_back({0, layout.headerBytes + frame * frameBytes});
    return storedFrames(std::move(stored));
}

namespace
{

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
        throw Error(ErrorKind::badRequest, "'" + file.string() + "' is a folder; a raw scan is a single file.");
    ScanFrames frames;
    frames.path = file.string();
    frames.rows = layout.rows;
    frames.bins = layout.bins;
    frames.projections = rawFrames(file, layout, true);
    frames.darks = tiffFrames(options.darks, layout.rows, layout.bins, file.string(), candidate.stop());
    frames.flats = tiffFrames(options.flats, layout.rows, layout.bins, file.string(), candidate.stop());

    Scan scan;
    scan.sampleType = layout.sampleType;
    setGeometry(scan, options, frames, {}, {file.parent_path()});
    setFrames(scan, std::move(frames), options);
    return scan;
}

} // namespace

extern const Reader rawReader = {
    .id = "raw",
    .label = "raw",
    .summary = "Numbers behind one another, in a shape and a type that the user gives",
    .asked = rawAsked,
    .option = "--raw",
    .hint = "For numbers without a header, give their shape and type.",
    .open = openRaw,
};

} // namespace engine

#include "engine/io/raw_file.h"

#include "engine/error.h"
#include "engine/io/scan_geometry.h"
#include "engine/io/stored_frames.h"
#include "engine/io/tiff_frames.h"

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

FrameSource rawFrames(const std::filesystem::path& file, const RawLayout& layout, bool exact)
{
    const SampleType& type = rawSampleType(layout);
    if (layout.projections < 1 || layout.rows < 1 || layout.bins < 1 || layout.headerBytes < 0)
        throw Error(ErrorKind::badRequest, "A raw file needs at least one projection, row and bin and a header of 0 or "
                                           "more bytes; given were " +
                                               std::to_string(layout.projections) + " x " +
                                               std::to_string(layout.rows) + " x " + std::to_string(layout.bins) +
                                               " and " + std::to_string(layout.headerBytes) + " bytes.");
    long long bytes = type.bytes;
    const bool overflow = __builtin_mul_overflow(bytes, layout.bins, &bytes) ||
                          __builtin_mul_overflow(bytes, layout.rows, &bytes) ||
                          __builtin_mul_overflow(bytes, layout.projections, &bytes) ||
                          __builtin_add_overflow(bytes, layout.headerBytes, &bytes);
    const long long size = static_cast<long long>(std::filesystem::file_size(file));
    if (overflow || size < bytes || (exact && size != bytes))
        throw Error(ErrorKind::badFile, "'" + file.string() + "' has " + std::to_string(size) + " bytes, but " +
                                            std::to_string(layout.projections) + " x " + std::to_string(layout.rows) +
                                            " x " + std::to_string(layout.bins) + " numbers of " + layout.sampleType +
                                            " after a header of " + std::to_string(layout.headerBytes) +
                                            " bytes need " +
                                            (overflow ? "more than any file has" : std::to_string(bytes)) +
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

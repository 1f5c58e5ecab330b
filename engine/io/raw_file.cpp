#include "engine/io/raw_file.h"

#include "engine/error.h"
#include "engine/io/readers.h"
#include "engine/io/tiff_frames.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>

namespace engine
{

namespace
{

using Convert = void (*)(const char* from, std::size_t count, bool swap, float* out);

template <typename Sample>
void convertRaw(const char* from, std::size_t count, bool swap, float* out)
{
    for (std::size_t i = 0; i < count; ++i) {
        char bytes[sizeof(Sample)];
        std::memcpy(bytes, from + i * sizeof(Sample), sizeof(Sample));
        if (swap)
            std::reverse(bytes, bytes + sizeof(Sample));
        Sample value;
        std::memcpy(&value, bytes, sizeof(Sample));
        out[i] = static_cast<float>(value);
    }
}

struct SampleType {
    const char* name;
    int bytes;
    Convert convert;
};

constexpr SampleType sampleTypes[] = {{"uint8", 1, convertRaw<std::uint8_t>},   {"int8", 1, convertRaw<std::int8_t>},
                                      {"uint16", 2, convertRaw<std::uint16_t>}, {"int16", 2, convertRaw<std::int16_t>},
                                      {"uint32", 4, convertRaw<std::uint32_t>}, {"int32", 4, convertRaw<std::int32_t>},
                                      {"float32", 4, convertRaw<float>},        {"float64", 8, convertRaw<double>}};

const SampleType& rawSampleType(const RawLayout& layout)
{
    std::string valid;
    for (const SampleType& type : sampleTypes) {
        if (layout.sampleType == type.name)
            return type;
        valid += (valid.empty() ? "" : ", ") + std::string(type.name);
    }
    throw Error(ErrorKind::badRequest,
                "Raw numbers of the type '" + layout.sampleType + "' can't be read. Types are " + valid + ".");
}

} // namespace

std::vector<std::string> rawSampleTypes()
{
    std::vector<std::string> names;
    for (const SampleType& type : sampleTypes)
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

    FrameSource source;
    source.frames = layout.projections;
    source.step = 64;
    source.stepRows = 16;
    source.files = {file};
    source.read = [file, layout, type](int first, int count, RowRange rows, float* out) {
        std::ifstream in(file, std::ios::binary);
        const long long rowBytes = static_cast<long long>(layout.bins) * type.bytes;
        const std::size_t values = static_cast<std::size_t>(rows.count) * layout.bins;
        std::vector<char> buffer(values * static_cast<std::size_t>(type.bytes));
        for (int frame = first; frame < first + count; ++frame, out += values) {
            const long long row = static_cast<long long>(frame) * layout.rows + rows.first;
            in.seekg(layout.headerBytes + row * rowBytes);
            if (!in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())))
                throw Error(ErrorKind::badFile,
                            "'" + file.string() + "': projection " + std::to_string(frame) + " can't be read.");
            type.convert(buffer.data(), values, layout.bigEndian != (std::endian::native == std::endian::big), out);
        }
    };
    return source;
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
    frames.darks = tiffFrames(options.darks, layout.rows, layout.bins, file.string());
    frames.flats = tiffFrames(options.flats, layout.rows, layout.bins, file.string());

    Scan scan;
    scan.sampleType = layout.sampleType;
    setParallelBeam(scan, options, layout.bins, layout.projections, file.string(), {file.parent_path()});
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

// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays of NumPy (.npy): a sinogram, or a stack of projections.
// Source: Kern 2007 (NumPy Enhancement Proposal 1, A Simple File Format for NumPy Arrays), versions 1.0 to 3.0.
#include "engine/base/error.h"
#include "engine/base/printable.h"
#include "engine/io/files/input_file.h"
#include "engine/io/formats/given_sides.h"
#include "engine/io/formats/raw_file.h"
#include "engine/io/formats/reader.h"
#include "engine/io/frames/turned_frames.h"
#include "engine/io/geometry/matrix_axes.h"
#include "engine/io/geometry/scan_geometry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

constexpr std::string_view npyMark = "\x93NUMPY";

[[noreturn]] void refuseNpy(const fs::path& file, const std::string& why)
{
    throw Error(ErrorKind::badFile, fileText(file.string()) + " can't be read as a NumPy array: " + why + ".");
}

// The header of a file, which describes its numbers.
struct NpyHeader {
    std::string sampleType;
    bool bigEndian = false;
    bool firstIsFastest = false; // Fortran's order: the first dimension is contiguous
    std::vector<int> shape;
    long long bytes = 0; // of the header; the numbers follow it
};

// The place of the header's text.
struct HeaderPlace {
    std::size_t first = 0, length = 0;
};

HeaderPlace placeOfHeader(std::string_view start, const fs::path& file)
{
    constexpr std::size_t most = 65535; // longer headers are of types with many named fields
    const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(start[at])); };
    const std::size_t version = byte(6);
    if (version < 1 || version > 3)
        refuseNpy(file, "its format version is " + std::to_string(version) + ", and versions 1 to 3 are supported");
    const HeaderPlace place = version == 1 ? HeaderPlace{10, byte(8) | byte(9) << 8}
                                           : HeaderPlace{12, byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24};
    if (place.length > most)
        refuseNpy(file, "its header has " + std::to_string(place.length) + " bytes, and at most " +
                            std::to_string(most) + " are read");
    return place;
}

// Returns what follows a key of the header's dictionary.
std::string_view valueOf(std::string_view header, const std::string& key, const fs::path& file)
{
    const std::size_t at = header.find("'" + key + "'");
    const std::size_t colon = at == std::string_view::npos ? at : header.find(':', at + key.size() + 2);
    const std::size_t value = colon == std::string_view::npos ? colon : header.find_first_not_of(' ', colon + 1);
    if (value == std::string_view::npos)
        refuseNpy(file, "its header doesn't specify its " + key);
    return header.substr(value);
}

void takeType(NpyHeader& header, std::string_view value, const fs::path& file)
{
    static constexpr std::pair<std::string_view, const char*> types[] = {
        {"u1", "uint8"}, {"i1", "int8"},    {"u2", "uint16"},  {"i2", "int16"},  {"u4", "uint32"},
        {"i4", "int32"}, {"f2", "float16"}, {"f4", "float32"}, {"f8", "float64"}};
    const std::size_t end = value.starts_with('\'') ? value.find('\'', 1) : std::string_view::npos;
    const std::string descr(end == std::string_view::npos ? std::string_view() : value.substr(1, end - 1));
    if (descr.size() >= 3 && (descr[0] == '<' || descr[0] == '>' || descr[0] == '|' || descr[0] == '='))
        for (const auto& [code, name] : types)
            if (descr.substr(1) == code) {
                header.sampleType = name;
                header.bigEndian = descr[0] == '>';
                return;
            }
    refuseNpy(file, "its numbers are of the type " +
                        (descr.empty() ? std::string("of several fields") : "'" + printable(descr) + "'") +
                        "; store them as float32 (array.astype('float32'))");
}

void takeShape(NpyHeader& header, std::string_view value, const fs::path& file)
{
    const std::size_t end = value.starts_with('(') ? value.find(')') : std::string_view::npos;
    if (end == std::string_view::npos)
        refuseNpy(file, "its header doesn't specify its shape");
    const char *at = value.data() + 1, *last = value.data() + end;
    while (at < last) {
        if (*at == ' ' || *at == ',') {
            ++at;
            continue;
        }
        int size = 0;
        const auto [next, failure] = std::from_chars(at, last, size);
        if (failure != std::errc() || size < 1 || header.shape.size() > 32)
            refuseNpy(file, "its shape " + printable(std::string(value.substr(0, end + 1))) +
                                " isn't one of numbers from 1 to " + std::to_string(std::numeric_limits<int>::max()));
        header.shape.push_back(size);
        at = next;
    }
}

NpyHeader headerOf(const fs::path& file)
{
    constexpr std::size_t lengths = 12; // bytes up to and including the header's length
    const std::string start = beginningOf(file, lengths);
    if (start.size() < lengths)
        refuseNpy(file, "it ends in its header");
    const HeaderPlace place = placeOfHeader(start, file);
    const std::string all = beginningOf(file, place.first + place.length);
    if (all.size() < place.first + place.length)
        refuseNpy(file, "it ends in its header");
    const std::string_view text = std::string_view(all).substr(place.first);
    NpyHeader header{.sampleType = {}, .shape = {}, .bytes = static_cast<long long>(all.size())};
    takeType(header, valueOf(text, "descr", file), file);
    header.firstIsFastest = valueOf(text, "fortran_order", file).starts_with("True");
    takeShape(header, valueOf(text, "shape", file), file);
    if (header.shape.size() != 2 && header.shape.size() != 3)
        refuseNpy(file, "it has " + std::to_string(header.shape.size()) +
                            (header.shape.size() == 1 ? " dimension" : " dimensions") +
                            ", and a scan has two (a sinogram) or three (projections, rows, bins)");
    return header;
}

Sure recognisesNpy(const Candidate& candidate)
{
    return !candidate.isFolder() && isNpy(candidate.path()) ? Sure::certain : Sure::no;
}

// Returns which dimensions of the array count projections, rows and bins.
FrameAxes axesOfArray(const NpyHeader& header, const OpenOptions& options, const fs::path& file, Scan& scan)
{
    const Text who = fileText(file.string());
    const std::string& asked = options.dataSets.axes;
    if (header.shape.size() == 3) {
        const auto axes = asked.empty() ? FrameAxes() : axesFromText(asked, 3);
        require(axes.has_value(), "the axes '" + asked + "' don't fit " + who +
                                      ", which has three dimensions; give theta:y:x in their order" +
                                      hint("data-axes"));
        scan.exchangedAxes = axes->frame == 0 && axes->row == 1 ? "y:theta:x" : "theta:y:x";
        return *axes;
    }
    const MatrixAxes axes = axesOfMatrix(header.shape[0], header.shape[1], {}, options, who);
    scan.exchangedAxes = axes.isTransposed ? "theta:x" : "x:theta";
    scan.sources.projections.guessed = axes.isGuess;
    scan.notes.push_back("The array is interpreted as a sinogram, one projection per " +
                         std::string(axes.isTransposed ? "column" : "row") +
                         (axes.isGuess
                              ? ", which is a guess" + aside(optionName("data-axes") + " x:theta transposes it") + "."
                              : ": " + axes.reason + "."));
    return axes.isTransposed ? FrameAxes{1, -1, 0} : FrameAxes{0, -1, 1};
}

Scan openNpy(const Candidate& candidate)
{
    const fs::path& file = candidate.path();
    const OpenOptions& options = candidate.options();
    const NpyHeader header = headerOf(file);
    const int rank = static_cast<int>(header.shape.size());
    Scan scan;
    scan.sources.projections = {.where = file.filename().string()};
    const FrameAxes axes = axesOfArray(header, options, file, scan);
    // Maps a dimension of the array to its place in the stored order of three dimensions, the last of which is
    // contiguous.
    const auto stored = [&](int dimension) {
        const int of = header.firstIsFastest ? rank - 1 - dimension : dimension;
        return rank == 2 ? 2 * of : of;
    };
    std::array<int, 3> sizes = {1, 1, 1};
    for (int dimension = 0; dimension < rank; ++dimension)
        sizes[static_cast<std::size_t>(stored(dimension))] = header.shape[static_cast<std::size_t>(dimension)];
    const FrameAxes storedAxes{stored(axes.frame), rank == 2 ? 1 : stored(axes.row), stored(axes.bin)};
    ScanFrames frames;
    frames.path = file.string();
    frames.projections = turnedFrames(
        rawFrames(file, {sizes[0], sizes[1], sizes[2], header.sampleType, header.bigEndian, header.bytes}, true), sizes,
        storedAxes, frames.path);
    frames.rows = sizesAlong(storedAxes, sizes)[1];
    frames.bins = sizesAlong(storedAxes, sizes)[2];
    frames.darks = givenSides(options.darks, frames.rows, frames.bins, frames.path, candidate.stop());
    frames.flats = givenSides(options.flats, frames.rows, frames.bins, frames.path, candidate.stop());
    scan.sampleType = header.sampleType;
    setGeometry(scan, options, frames, {}, {file.parent_path()});
    setFrames(scan, std::move(frames), options);
    return scan;
}

} // namespace

bool isNpy(const fs::path& file)
{
    return beginningOf(file, npyMark.size()) == npyMark;
}

FrameSource npySides(const fs::path& file, int rows, int bins, const std::string& like)
{
    const NpyHeader header = headerOf(file);
    const std::vector<int>& shape = header.shape;
    const std::size_t rank = shape.size();
    if (shape[rank - 1] != bins || shape[rank - 2] != rows || header.firstIsFastest)
        throw Error(ErrorKind::badFile, fileText(file.string()) + " has frames of " + std::to_string(shape[rank - 1]) +
                                            " x " + std::to_string(shape[rank - 2]) + " pixels" +
                                            (header.firstIsFastest ? " in Fortran's order" : "") + ", but '" + like +
                                            "' has " + std::to_string(bins) + " x " + std::to_string(rows) + ".");
    return rawFrames(file, {rank == 3 ? shape[0] : 1, rows, bins, header.sampleType, header.bigEndian, header.bytes},
                     true);
}

extern const Container npyContainer = {
    .label = "NumPy",
    .withArticle = "a NumPy",
    .suffixes = {".npy"},
    .mimeTypes = {"application/x-numpy-array"},
    .recognises = isNpy,
};

extern const Reader npyReader = {
    .id = "npy",
    .label = "NumPy",
    .summary = "A .npy file with a two-dimensional array (a sinogram) or a three-dimensional one (projections)",
    .container = &npyContainer,
    .mark = "an array of two or three dimensions",
    .recognises = recognisesNpy,
    .takesAxes = true,
    .open = openNpy,
};

} // namespace engine

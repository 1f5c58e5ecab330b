// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/targets.h"

#include "engine/base/error.h"
#include "engine/documents/recipe.h"
#include "engine/documents/session.h"
#include "engine/io/check/mat_contents.h"
#include "engine/io/formats/raw_file.h"
#include "engine/io/geometry/angles_file.h"
#include "engine/io/geometry/geometry_file.h"
#include "engine/io/hdf5/hdf5_file.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/stored_slices.h"
#include "tests/fuzz/hdf5_checksums.h"
#include "tests/fuzz/made_hdf5.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>

namespace fuzz
{

namespace
{

using namespace engine;
namespace fs = std::filesystem;

void write(Bytes bytes, const fs::path& file)
{
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
    if (!out.flush())
        throw std::logic_error("'" + file.string() + "' can't be written");
}

std::string textOf(Bytes bytes)
{
    return {bytes.begin(), bytes.end()};
}

template <typename Call>
void answered(const Call& call)
{
    try {
        call();
    } catch (const Error& error) {
        if (!*error.what())
            throw std::logic_error("an Error without a word");
    } catch (const std::bad_alloc&) { // thrown by HDF5 if run.sh denies the memory that a damaged header asks for
    }
}

// Reads the last row and the first, and checks that each has as many numbers as the scan specifies.
void readRows(const Scan& scan)
{
    for (const int row : {scan.rows - 1, 0}) {
        const RawRows read = scan.read({row, 1}, {});
        if (read.data.size() != std::size_t(scan.projections()) * scan.bins())
            throw std::logic_error("a row has other numbers than the scan says");
    }
}

void openAndRead(const fs::path& file, const OpenOptions& options = {})
{
    answered([&] { readRows(*openScan(file, options)); });
}

void readSlices(const fs::path& file)
{
    answered([&] { readSlice({file}); });
    answered([&] { readSlice({file}, 1); });
    answered([&] { datasetsThatFit(file, {}); });
}

void tiff(Bytes bytes, const fs::path& file)
{
    write(bytes, file);
    openAndRead(file);
    OpenOptions sinogram;
    sinogram.sinogram = true;
    openAndRead(file, sinogram);
    readSlices(file);
}

// Reads the file with correct checksums, since HDF5 rejects changed metadata otherwise.
void hdf5(Bytes bytes, const fs::path& file)
{
    std::vector<std::uint8_t> corrected(bytes.begin(), bytes.end());
    correctChecksums(corrected);
    write(corrected, file);
    openAndRead(file);
    readSlices(file);
}

void hdf5Made(Bytes bytes, const fs::path& file)
{
    makeHdf5(bytes, file);
    openAndRead(file);
    readSlices(file);
}

void npy(Bytes bytes, const fs::path& file)
{
    write(bytes, file);
    openAndRead(file);
}

void mat(Bytes bytes, const fs::path& file)
{
    write(bytes, file);
    openAndRead(file);
}

// Reads all that a file has, as far as its description is sound and small.
void readAll(const Hdf5File& file)
{
    constexpr double most = 1e6; // numbers
    for (const std::string& path : file.nodes(8).datasets)
        answered([&] {
            file.text(path);
            file.attribute(path, "units");
            const Hdf5Dataset data = file.dataset(path);
            double count = 1;
            for (const long long length : data.shape())
                count *= static_cast<double>(length);
            if (count > most)
                return;
            std::vector<float> values(static_cast<std::size_t>(data.size()));
            data.read(std::vector<long long>(data.shape().size()), data.shape(), values.data());
            data.numbers();
            data.parts();
            data.isWhole();
            data.requireWritten();
        });
}

// The first byte chooses a file; the others are lies that the helper tells about it (liar.cpp).
void answers(Bytes bytes, const fs::path& file)
{
    const fs::path seeds = fs::path(SINOSCOPE_SOURCE_DIR) / "tests/fuzz/seeds";
    static const char* const sources[] = {"hdf5/bitshuffle-lz4", "hdf5/cone",  "hdf5/dxchange",  "hdf5/nxtomo",
                                          "hdf5/slices",         "mat/matrix", "mat/compressed", "mat/scan"};
    if (bytes.empty())
        return;
    const fs::path source = seeds / sources[bytes[0] % std::size(sources)];
    write(bytes.subspan(1), file);
    ::setenv("SINOSCOPE_LIES", file.c_str(), 1);
    answered([&] {
        if (source.parent_path().filename() == "hdf5") {
            readAll(Hdf5File(std::make_shared<HelperSession>(source, std::stop_token(), fs::path(SINOSCOPE_LIAR))));
            return;
        }
        MatContents contents(source, {}, SINOSCOPE_LIAR);
        for (const MatVariable& variable : contents.variables())
            if (variable.isWhole && variable.count() < 1'000'000)
                answered([&] { contents.doubles(variable); });
    });
}

// The first bytes choose the layout; the others are the file.
void raw(Bytes bytes, const fs::path& file)
{
    struct Beginning {
        std::int32_t projections, rows, bins;
        std::int64_t headerBytes;
        std::uint8_t type, bigEndian, darks;
    } beginning{};
    std::memcpy(&beginning, bytes.data(), std::min(bytes.size(), sizeof beginning));
    write(bytes.subspan(std::min(bytes.size(), sizeof beginning)), file);
    const std::vector<std::string> types = rawSampleTypes();
    OpenOptions options;
    options.raw = {.projections = beginning.projections,
                   .rows = beginning.rows,
                   .bins = beginning.bins,
                   .sampleType = types[beginning.type % types.size()],
                   .bigEndian = (beginning.bigEndian & 1) != 0,
                   .headerBytes = beginning.headerBytes};
    if (beginning.darks & 1)
        options.darks = file;
    if (beginning.darks & 2)
        options.flats = file;
    openAndRead(file, options);
}

void angles(Bytes bytes, const fs::path& file)
{
    write(bytes, file);
    answered([&] { readAngles(file); });
    answered([&] { readAngles(file, {.column = 2, .radians = true, .skip = 1, .lines = std::pair(2, 5)}); });
}

// Reads a geometry file alone, beside a scan of 4 projections of 3 x 5, and as a file that names a scan.
void geometry(Bytes bytes, const fs::path& file)
{
    write(bytes, file);
    answered([&] {
        const RecordedGeometry geometry = readGeometryFile(file);
        if (geometry.matricesFor)
            geometry.matricesFor(geometry.cone, 5, 3);
    });
    const fs::path scan = fs::path(file) += ".raw";
    write(std::vector<std::uint8_t>(60, 1), scan);
    OpenOptions options;
    options.raw = {.projections = 4, .rows = 3, .bins = 5, .sampleType = "uint8"};
    options.geometryFile = file;
    openAndRead(scan, options);
    openAndRead(file);
}

// A session that can be read is written and read again, with the same result.
void session(Bytes bytes, const fs::path& file)
{
    write(bytes, file);
    answered([&] {
        const std::string once = sessionJson(readSession(file), file);
        write({reinterpret_cast<const std::uint8_t*>(once.data()), once.size()}, file);
        std::string twice;
        try {
            twice = sessionJson(readSession(file), file);
        } catch (const Error& error) {
            throw std::logic_error(std::string("a session is written that can't be read: ") + error.what());
        }
        if (once != twice)
            throw std::logic_error("a session is another when it is read again");
    });
}

void recipe(Bytes bytes, const fs::path& file)
{
    write(bytes, file);
    answered([&] {
        const Recipe once = readRecipe(file);
        const std::string text = recipeJson(once);
        write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, file);
        std::string twice;
        try {
            twice = recipeJson(readRecipe(file));
        } catch (const Error& error) {
            throw std::logic_error(std::string("a recipe is written that can't be read: ") + error.what());
        }
        if (twice != text)
            throw std::logic_error("a recipe is another when it is read again");
    });
}

void simulation(Bytes bytes, const fs::path&)
{
    answered([&] {
        Simulation simulation = simulationFromJson(textOf(bytes));
        if (simulationFromJson(toJson(simulation)) != simulation)
            throw std::logic_error("a simulation is another when it is read again");
        if (double(simulation.size) * simulation.projections * simulation.slices < 1e4)
            readRows(*simulate(simulation));
    });
}

} // namespace

std::span<const Target> targets()
{
    static const Target all[] = {{"angles", angles},
                                 {"answers", answers},
                                 {"geometry", geometry},
                                 {"hdf5", hdf5},
                                 {"hdf5_made", hdf5Made},
                                 {"mat", mat},
                                 {"npy", npy},
                                 {"raw", raw},
                                 {"recipe", recipe},
                                 {"session", session},
                                 {"simulation", simulation},
                                 {"tiff", tiff}};
    return all;
}

} // namespace fuzz

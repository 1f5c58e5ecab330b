// Opens what users bring: the surest reader of the table (engine/io/readers.h) reads it.
#pragma once

#include "engine/scan/cone_options.h"
#include "engine/scan/scan.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

// Values of the user that go before what the file says.
struct RawLayout { // for files without a header
    int projections = 0, rows = 0, bins = 0;
    std::string sampleType = "uint16"; // one of rawSampleTypes()
    bool bigEndian = false;
    long long headerBytes = 0;
};

std::vector<std::string> rawSampleTypes(); // "uint8", "int8", …

enum class BeamKind { parallel, cone };
std::string toText(BeamKind); // "parallel", "cone"
std::optional<BeamKind> beamKindFromText(const std::string& text);

struct OpenOptions {
    std::vector<double> anglesRad;                          // one per projection
    std::optional<std::pair<double, double>> angleRangeRad; // first and last, evenly spread, both included
    std::filesystem::path anglesFile;                       // that anglesRad was read from, if any
    std::filesystem::path darks, flats;                     // TIFF files or folders
    std::optional<Quantity> values;                         // what the numbers are; guessed when the file doesn't say
    bool sinogram = false;                                  // the TIFF is one sinogram [projection][bin]
    std::optional<RawLayout> raw;
    std::optional<BeamKind> beam;       // as the files say, else parallel
    std::filesystem::path geometryFile; // of a cone beam: engine/io/geometry_file.h
    ConeOptions cone;                   // goes before what the files say; a distance alone makes the scan a cone's
};

// A file or folder of any format of the table. Reads no frames, but one row of a few of them where it is to be guessed
// what their numbers are.
// Throws Error(badFile) with the path, the data set and the value; badRequest for impossible options; cancelled.
std::shared_ptr<const Scan> openScan(const std::filesystem::path& path, const OpenOptions& options = {},
                                     std::stop_token stop = {});

// One per line, degrees; throws Error(badFile) with the line's number. Result in radians.
std::vector<double> readAngles(const std::filesystem::path& path);

} // namespace engine

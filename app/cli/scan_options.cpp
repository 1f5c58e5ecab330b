#include "app/cli/scan_options.h"

#include "app/cli/cone_options.h"
#include "app/cli/options.h"
#include "engine/error.h"
#include "engine/io/readers.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <limits>
#include <numbers>

namespace cli
{

using engine::Error;
using engine::ErrorKind;

namespace
{

engine::RawLayout layoutFromText(const std::string& shape)
{
    const std::vector<std::string> parts = CLI::detail::split(shape, 'x');
    std::vector<int> sizes;
    for (const std::string& part : parts) {
        const long long size = integerFromText(part, "raw shape");
        sizes.push_back(size >= 1 && size <= std::numeric_limits<int>::max() ? static_cast<int>(size) : 0);
    }
    if (sizes.size() != 3 || sizes[0] < 1 || sizes[1] < 1 || sizes[2] < 1)
        throw Error(ErrorKind::badRequest,
                    "bad raw shape '" + shape + "'; give projections x rows x bins, as 720x512x640");
    engine::RawLayout layout;
    layout.projections = sizes[0];
    layout.rows = sizes[1];
    layout.bins = sizes[2];
    return layout;
}

// FIRST:LAST, where both are numbers; a file otherwise.
std::optional<std::pair<double, double>> angleRangeRad(const std::string& text)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
        return std::nullopt;
    try {
        constexpr double radians = std::numbers::pi / 180;
        return std::pair(realFromText(text.substr(0, colon), "first angle") * radians,
                         realFromText(text.substr(colon + 1), "last angle") * radians);
    } catch (const Error&) {
        return std::nullopt;
    }
}

} // namespace

void addScanOptions(CLI::App& command, ScanOptions& options)
{
    command.add_option("SCAN", options.path, engine::scansInWords(true))->required()->type_name("PATH");
    const std::string group = "Reading the scan";
    command
        .add_option("--angles", options.angles,
                    "Angles in degrees: a file with one a line, or FIRST:LAST, evenly spread with both ends included")
        ->type_name("FILE|FIRST:LAST")
        ->check(notEmpty())
        ->group(group);
    command.add_option("--darks", options.darks, "Dark fields: TIFF file or folder")
        ->type_name("PATH")
        ->check(notEmpty())
        ->group(group);
    command.add_option("--flats", options.flats, "Flat fields: TIFF file or folder")
        ->type_name("PATH")
        ->check(notEmpty())
        ->group(group);
    std::vector<std::string> kinds;
    for (const engine::Quantity quantity : engine::quantities())
        kinds.push_back(engine::toText(quantity));
    command
        .add_option("--values", options.values,
                    "What the numbers are: counts of the detector, transmission (flat-fielded, 1 in air) or line "
                    "integrals (0 in air); as the file says, or guessed, when left out")
        ->type_name(choices(kinds))
        ->check(takenBy(engine::quantityFromText))
        ->group(group);
    command.add_flag("--sinogram", options.sinogram, "The TIFF is one sinogram, a projection a line")->group(group);
    CLI::Option* raw =
        command.add_option("--raw", options.rawShape, "A file without a header: projections x rows x bins")
            ->type_name("PxRxB")
            ->check(takenBy(layoutFromText))
            ->group(group);
    const std::vector<std::string> types = engine::rawSampleTypes();
    command.add_option("--type", options.sampleType, "Type of the numbers in a raw file")
        ->type_name(choices(types))
        ->check(oneOf(types))
        ->capture_default_str()
        ->needs(raw)
        ->group(group);
    command.add_flag("--big-endian", options.bigEndian, "Most significant byte first in a raw file")
        ->needs(raw)
        ->group(group);
    command.add_option("--header", options.headerBytes, "Bytes to skip at the beginning of a raw file")
        ->type_name("BYTES")
        ->check(wholeNumber(0, std::numeric_limits<long long>::max()))
        ->needs(raw)
        ->group(group);
    const std::string ofGeometry = "Geometry";
    command
        .add_option(
            "--geometry", options.geometry,
            "parallel, cone, or a file that describes a cone beam: RTK's geometry.xml, Nikon's .xtekct, JSON, or "
            "12 numbers a line, a projection matrix each; as the scan says, or what lies beside it, when left "
            "out")
        ->type_name("parallel|cone|FILE")
        ->check(notEmpty())
        ->group(ofGeometry);
    addConeOptions(command, options.cone, true, ofGeometry);
}

std::string valuesText(const engine::Scan& scan)
{
    std::string text = engine::toText(scan.quantity);
    if (scan.quantitySource == engine::QuantitySource::guessed && !scan.quantityReason.empty())
        text += " (a guess: " + scan.quantityReason + ")";
    return text;
}

engine::OpenOptions openOptions(const ScanOptions& options)
{
    engine::OpenOptions open;
    if (!options.angles.empty()) {
        open.angleRangeRad = angleRangeRad(options.angles);
        std::error_code ignored;
        if (!open.angleRangeRad && options.angles.find(':') != std::string::npos &&
            !std::filesystem::exists(options.angles, ignored))
            throw Error(ErrorKind::badRequest,
                        "--angles: '" + options.angles + "' is neither FIRST:LAST, two numbers of degrees, nor a file");
        if (!open.angleRangeRad) {
            open.anglesRad = engine::readAngles(options.angles);
            open.anglesFile = options.angles;
        }
    }
    open.darks = options.darks;
    open.flats = options.flats;
    open.sinogram = options.sinogram;
    if (!options.values.empty())
        open.values = engine::quantityFromText(options.values);
    if (!options.rawShape.empty()) {
        open.raw = layoutFromText(options.rawShape);
        open.raw->sampleType = options.sampleType;
        open.raw->bigEndian = options.bigEndian;
        open.raw->headerBytes = options.headerBytes;
    }
    open.cone = options.cone;
    open.beam = engine::beamKindFromText(options.geometry);
    if (!open.beam)
        open.geometryFile = options.geometry;
    return open;
}

} // namespace cli

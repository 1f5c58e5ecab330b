#include "engine/io/scan_geometry.h"

#include "engine/error.h"
#include "engine/number_text.h"
#include "engine/scan/cone_words.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

using std::numbers::pi;

std::string inQuotes(const fs::path& path)
{
    return "'" + path.string() + "'";
}

// The user's angles, where given. Throws Error(badRequest) when their count differs from the projections'.
std::vector<double> anglesFromOptions(const OpenOptions& options, int projections, const std::string& path)
{
    if (!options.anglesRad.empty()) {
        if (static_cast<int>(options.anglesRad.size()) != projections)
            throw Error(ErrorKind::badRequest, "'" + path + "' has " + std::to_string(projections) +
                                                   " projections, but " + std::to_string(options.anglesRad.size()) +
                                                   " angles were given. Give one angle per projection.");
        for (const double angle : options.anglesRad)
            if (!std::isfinite(angle))
                throw Error(ErrorKind::badRequest, "The angles given for '" + path + "' are not all numbers.");
        return options.anglesRad;
    }
    if (options.angleRangeRad) {
        const auto [first, last] = *options.angleRangeRad;
        if (!std::isfinite(first) || !std::isfinite(last))
            throw Error(ErrorKind::badRequest,
                        "The first and the last angle given for '" + path + "' must be numbers.");
        return evenAngles(first, last, projections);
    }
    return {};
}

// angles.txt in one of the folders when it has one angle per projection; a note of the scan says which.
std::vector<double> anglesBeside(const std::vector<fs::path>& folders, int projections, Scan& scan)
{
    for (const fs::path& folder : folders) {
        const fs::path file = folder / "angles.txt";
        std::error_code unreadable;
        if (!fs::is_regular_file(file, unreadable))
            continue;
        try {
            std::vector<double> angles = readAngles(file);
            if (static_cast<int>(angles.size()) == projections) {
                scan.notes.push_back("The angles come from '" + file.string() + "'.");
                scan.files.push_back(file);
                return angles;
            }
            scan.notes.push_back("'" + file.string() + "' is not used: it has " + std::to_string(angles.size()) +
                                 " angles for " + std::to_string(projections) + " projections.");
        } catch (const Error& error) {
            scan.notes.push_back(std::string("The angles beside the scan are not used: ") + error.what());
        }
    }
    return {};
}

// What a geometry file says goes before what the scan's own does.
void takeFile(RecordedGeometry& recorded, RecordedGeometry file)
{
    file.cone = filledFrom(file.cone, file.matrices.empty() && !file.matricesFor ? recorded.cone : ConeOptions());
    if (file.anglesRad.empty() && file.matrices.empty() && !file.matricesFor)
        file.anglesRad = std::move(recorded.anglesRad);
    file.withoutAngles = recorded.withoutAngles;
    recorded = std::move(file);
}

// Why a geometry isn't that of the scan; empty: it may be.
std::string mismatch(const RecordedGeometry& geometry, const ScanFrames& frames)
{
    const auto differs = [](int said, int is, const char* what) {
        return said != 0 && said != is ? "it is of a scan of " + std::to_string(said) + " " + what +
                                             ", and this one has " + std::to_string(is)
                                       : std::string();
    };
    const std::size_t matrices = geometry.matrices.size(), angles = geometry.anglesRad.size();
    for (const std::string& why :
         {differs(geometry.projections, frames.projections.frames, "projections"),
          differs(static_cast<int>(matrices), frames.projections.frames, "projection matrices"),
          differs(static_cast<int>(angles), frames.projections.frames, "angles"),
          differs(geometry.bins, frames.bins, "bins"), differs(geometry.rows, frames.rows, "rows")})
        if (!why.empty())
            return why;
    return {};
}

void takeGivenFile(RecordedGeometry& recorded, const OpenOptions& options, const ScanFrames& frames, Scan& scan)
{
    RecordedGeometry file = readGeometryFile(options.geometryFile);
    if (anglesGiven(options))
        file.anglesRad.clear();
    if (const std::string why = mismatch(file, frames); !why.empty())
        throw Error(ErrorKind::badFile, "The geometry file " + inQuotes(options.geometryFile) + " doesn't fit " +
                                            inQuotes(frames.path) + ": " + why + ".");
    scan.files.push_back(options.geometryFile);
    takeFile(recorded, std::move(file));
}

// A file beside the scan is a find, not a request: what is wrong with it is said, and it isn't used.
fs::path takeFileBeside(RecordedGeometry& recorded, const ScanFrames& frames, const std::vector<fs::path>& folders,
                        Scan& scan)
{
    const fs::path path = geometryBeside(frames.path, folders);
    if (path.empty())
        return {};
    try {
        RecordedGeometry file = readGeometryFile(path);
        if (const std::string why = mismatch(file, frames); !why.empty()) {
            scan.notes.push_back("The geometry file " + inQuotes(path) + " beside the scan is not used: " + why + ".");
            return {};
        }
        takeFile(recorded, std::move(file));
    } catch (const Error& error) {
        scan.notes.push_back(std::string("The geometry beside the scan is not used. ") + error.what());
        return {};
    }
    scan.files.push_back(path);
    scan.notes.push_back("The geometry comes from " + inQuotes(path) +
                         " beside the scan; --geometry parallel or another file says otherwise.");
    return path;
}

bool saysCone(const OpenOptions& options)
{
    return options.beam == BeamKind::cone || !options.geometryFile.empty() || options.cone.sourceAxisMm ||
           options.cone.sourceDetectorMm;
}

// The first option of a cone beam that is given, of how the scan was taken or any: "--voxel"; else empty.
std::string coneOptionGiven(const ConeOptions& cone, bool volumeToo)
{
    for (const ConeWord& word : coneWords())
        if ((volumeToo || !word.ofVolume) && !word.get(cone).empty())
            return std::string("--") + word.id;
    return {};
}

void assumeAngles(std::vector<double>& angles, const RecordedGeometry& recorded, bool cone, int projections, Scan& scan)
{
    scan.anglesAssumed = true;
    const double arc = cone ? 2 * pi : pi;
    const bool bothEnds = recorded.bothEnds && !cone;
    angles = evenAngles(0, bothEnds ? arc : arc * (projections - 1) / projections, projections);
    scan.notes.push_back(recorded.withoutAngles + "; 0 to " + (cone ? "360" : "180") + "° " +
                         (bothEnds ? "with both ends" : "without the end") + " is assumed.");
}

void noteCentralRay(const ConeOptions& cone, const ConeBeam& beam, Scan& scan)
{
    const bool across = !cone.offsetUMm, along = !cone.offsetVMm && beam.rows > 1;
    if (!across && !along)
        return;
    scan.notes.push_back(
        "The central ray is taken to meet the middle of the detector" +
        std::string(across && along ? ""
                    : across        ? " across"
                                    : " along the axis") +
        " (" + (across ? "bin " + numberToText(beam.axisBins.front()) : std::string()) + (across && along ? ", " : "") +
        (along ? "row " + numberToText(beam.centralRow) : std::string()) + "); --detector-offset says otherwise.");
}

ConeBeam coneOf(const OpenOptions& options, const RecordedGeometry& recorded, const ScanFrames& frames,
                std::vector<double> angles, const std::string& who, Scan& scan)
{
    const ConeOptions cone = filledFrom(options.cone, recorded.cone);
    if (recorded.matrices.empty() && !recorded.matricesFor) {
        ConeBeam beam = coneBeamFrom(cone, frames.bins, frames.rows, std::move(angles), who);
        scan.anglesReversed = cone.direction == AngleDirection::clockwise;
        noteCentralRay(cone, beam, scan);
        return beam;
    }
    ConeOptions beside = options.cone; // what must be said where the file doesn't
    if (recorded.matricesFor) {
        require(cone.pixelUMm.has_value(), who + ": the size of the detector's pixels (--pixel, in mm) is not known");
        require(*cone.pixelUMm > 0 && cone.pixelVMm.value_or(*cone.pixelUMm) > 0,
                who + ": the pixel of the detector is " +
                    numberToText(std::min(*cone.pixelUMm, cone.pixelVMm.value_or(*cone.pixelUMm))) +
                    " mm; a cone beam needs one above 0");
        beside.pixelUMm = beside.pixelVMm = {};
    }
    const std::string given = coneOptionGiven(beside, false);
    require(given.empty(),
            who + ": " + given + " means nothing, as the geometry is a projection matrix for each projection");
    return coneBeamFrom(cone, frames.bins, frames.rows,
                        recorded.matricesFor ? recorded.matricesFor(cone, frames.bins, frames.rows) : recorded.matrices,
                        std::move(angles), who);
}

} // namespace

bool anglesGiven(const OpenOptions& options)
{
    return !options.anglesRad.empty() || options.angleRangeRad.has_value();
}

void setGeometry(Scan& scan, const OpenOptions& options, const ScanFrames& frames, RecordedGeometry recorded,
                 const std::vector<fs::path>& folders)
{
    const int projections = frames.projections.frames;
    std::string who = inQuotes(frames.path);
    if (anglesGiven(options))
        recorded.anglesRad.clear();
    if (const std::string why = mismatch(recorded, frames); !why.empty())
        throw Error(ErrorKind::badFile, who + " has a geometry that doesn't fit its projections: " + why + ".");
    if (!options.geometryFile.empty()) {
        takeGivenFile(recorded, options, frames, scan);
        who += " with the geometry of " + inQuotes(options.geometryFile);
    } else if (options.beam != BeamKind::parallel && !recorded.isCone) {
        if (const fs::path found = takeFileBeside(recorded, frames, folders, scan); !found.empty())
            who += " with the geometry of " + inQuotes(found) + " beside it (or --geometry parallel)";
    }
    const bool cone = options.beam != BeamKind::parallel && (recorded.isCone || saysCone(options));
    if (const std::string given = coneOptionGiven(options.cone, true); !cone && !given.empty())
        throw Error(ErrorKind::badRequest, given + " is of cone beams, and " + who + " has a parallel beam" +
                                               (options.beam ? ", as --geometry says" : "") +
                                               "; add --geometry cone, or leave it out.");

    std::vector<double> angles = anglesFromOptions(options, projections, frames.path);
    const bool ofMatrices = cone && (!recorded.matrices.empty() || recorded.matricesFor);
    if (angles.empty())
        angles = std::move(recorded.anglesRad);
    if (angles.empty() && !ofMatrices)
        angles = anglesBeside(folders, projections, scan);
    if (angles.empty() && !ofMatrices)
        assumeAngles(angles, recorded, cone, projections, scan);
    if (cone) {
        scan.geometry = coneOf(options, recorded, frames, std::move(angles), who, scan);
        scan.notes.insert(scan.notes.end(), recorded.notes.begin(), recorded.notes.end());
        return;
    }
    ParallelBeam beam;
    beam.bins = frames.bins;
    beam.anglesRad = std::move(angles);
    beam.pixelSizeMm = recorded.pixelSizeMm;
    scan.geometry = std::move(beam);
}

} // namespace engine

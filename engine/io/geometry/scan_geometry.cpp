// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/geometry/scan_geometry.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/frames/side_frames.h"
#include "engine/io/geometry/angles_file.h"
#include "engine/io/geometry/assumed_angles.h"
#include "engine/io/geometry/given_angles.h"
#include "engine/scan/cone_fields.h"
#include "engine/scan/geometry_facts.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

using std::numbers::pi;

// Removes the values of missing frames, if there is a value for each numbered frame. Returns whether it did.
template <typename Value>
bool leaveOutMissing(std::vector<Value>& values, const ScanFrames& frames)
{
    if (frames.missing.empty() || static_cast<int>(values.size()) != numberedFrames(frames))
        return false;
    for (auto place = frames.missing.rbegin(); place != frames.missing.rend(); ++place)
        values.erase(values.begin() + *place);
    return true;
}

// Selects the values of the projections, if there is a value for each frame that was read.
template <typename Value>
void takeSome(std::vector<Value>& values, const std::vector<int>& kept, const ScanFrames& frames)
{
    const auto all = static_cast<std::size_t>(kept.back()) + 1;
    if (values.size() < all || values.size() == static_cast<std::size_t>(frames.projections.frames))
        return;
    std::vector<Value> some;
    for (const int k : kept)
        some.push_back(values[static_cast<std::size_t>(k)]);
    values = std::move(some);
}

// The values of a geometry file override those of the scan's own file.
void takeFile(RecordedGeometry& recorded, RecordedGeometry file)
{
    file.cone = filledFrom(file.cone, file.matrices.empty() && !file.matricesFor ? recorded.cone : ConeOptions());
    if (file.anglesRad.empty() && file.matrices.empty() && !file.matricesFor)
        file.anglesRad = std::move(recorded.anglesRad);
    file.withoutAngles = recorded.withoutAngles;
    file.isParallel = recorded.isParallel;
    file.searchesAxis = recorded.searchesAxis;
    recorded = std::move(file);
}

// Explains why a geometry can't be that of the scan; empty if it may be.
std::string mismatch(const RecordedGeometry& geometry, const ScanFrames& frames)
{
    const auto differs = [](int said, int is, const char* what, int also = 0) {
        return said != 0 && said != is && said != also ? "it belongs to a scan with " + std::to_string(said) + " " +
                                                             what + ", but this one has " + std::to_string(is)
                                                       : std::string();
    };
    const std::size_t matrices = geometry.matrices.size(), angles = geometry.anglesRad.size();
    const int all = numberedFrames(frames);
    for (const std::string& why :
         {differs(geometry.projections, frames.projections.frames, "projections", all),
          differs(static_cast<int>(matrices), frames.projections.frames, "projection matrices", all),
          differs(static_cast<int>(angles), frames.projections.frames, "angles", all),
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
        throw Error(ErrorKind::badFile, "The geometry file " + fileText(options.geometryFile.string()) +
                                            " doesn't fit " + fileText(frames.path) + ": " + why + ".");
    scan.files.push_back(options.geometryFile);
    scan.geometryFile = options.geometryFile;
    takeFile(recorded, std::move(file));
}

// A file beside the scan was found, not asked for: if something is wrong with it, a note says so and it isn't used.
fs::path takeFileBeside(RecordedGeometry& recorded, const ScanFrames& frames, const std::vector<fs::path>& folders,
                        Scan& scan)
{
    const fs::path path = geometryBeside(frames.path, folders);
    if (path.empty())
        return {};
    try {
        RecordedGeometry file = readGeometryFile(path);
        if (const std::string why = mismatch(file, frames); !why.empty()) {
            scan.notes.push_back("The geometry file " + fileText(path.string()) +
                                 " beside the scan is not used: " + why + ".");
            return {};
        }
        takeFile(recorded, std::move(file));
    } catch (const Error& error) {
        scan.notes.push_back("The geometry beside the scan is not used. " + error.text());
        return {};
    }
    scan.files.push_back(path);
    scan.geometryFile = path;
    scan.notes.push_back("The geometry comes from " + fileText(path.string()) + " beside the scan" +
                         aside(optionName("geometry") + " parallel or another file overrides it") + ".");
    return path;
}

bool saysCone(const OpenOptions& options)
{
    return options.beam == BeamKind::cone || !options.geometryFile.empty() || options.cone.sourceAxisMm ||
           options.cone.sourceDetectorMm;
}

// Returns the first cone-beam option that is given, such as "voxel"; empty if none is. ofParallelToo: includes
// options that parallel beams have too. volumeToo: includes options of the volume, not only of how the scan was
// taken.
std::string coneOptionGiven(ConeOptions cone, bool ofParallelToo, bool volumeToo)
{
    if (!ofParallelToo)
        cone.pixelUMm = cone.pixelVMm = cone.voxelMm = cone.voxelBins = cone.rotateRad = {};
    if (!ofParallelToo && !cone.slices)
        cone.size.reset();
    for (const ConeField& field : coneFields())
        if ((volumeToo || !field.use.isOfVolume) && isGiven(field, cone))
            return field.id;
    return {};
}

// Returns assumed angles for all numbered frames.
std::vector<double> assumedAngles(const RecordedGeometry& recorded, bool cone, const OpenOptions& options,
                                  const ScanFrames& frames, Scan& scan)
{
    const int all = numberedFrames(frames);
    if (!cone)
        return assumeTurn(scan, frames, options, {0, pi, !recorded.bothEnds}, all, recorded.withoutAngles);
    scan.anglesAssumed = true;
    scan.notes.push_back(recorded.withoutAngles + "; 0 to 360° without the end is assumed.");
    return anglesOf(AngleSpread{0, 2 * pi, true}, all);
}

void noteCentralRay(const ConeOptions& cone, const ConeBeam& beam, Scan& scan)
{
    const auto sentence = [](const char* way, const std::string& where, const Text& otherwise) {
        return std::string("The central ray is assumed to meet the middle of the detector ") + way + ", " + where +
               aside(optionName("detector-offset") + otherwise + " overrides this") + ".";
    };
    if (!cone.offsetUMm && !beam.axisBins.empty())
        scan.axisAssumption =
            sentence("across", "bin " + numberToText(beam.axisBins.front()), " or " + optionName("axis") + " find");
    if (!cone.offsetVMm && beam.rows > 1)
        scan.notes.push_back(sentence("along the axis", "row " + numberToText(beam.centralRow), ""));
}

// Adds a note if the volume, which lies about the central ray, doesn't reach rows of the detector.
void noteUnusedRows(const ConeBeam& beam, Scan& scan)
{
    constexpr double fewRows = 0.05; // of the detector
    const double perMm = beam.magnification() / beam.pixelVMm, seen = beam.centralRow - beam.volume.centreMm * perMm,
                 reach = beam.volume.slices / 2.0 * beam.volume.voxelMm * perMm;
    const int first = std::max(0, static_cast<int>(std::ceil(seen - reach))),
              last = std::min(beam.rows - 1, static_cast<int>(std::floor(seen + reach)));
    if (std::max(first, beam.rows - 1 - last) <= std::max(1.0, fewRows * beam.rows))
        return;
    std::vector<RowRange> unused;
    if (first > 0)
        unused.push_back({0, first});
    if (last < beam.rows - 1)
        unused.push_back({last + 1, beam.rows - 1 - last});
    const double farthest = std::max(seen, beam.rows - 1 - seen) + 0.5;
    const auto slices = static_cast<int>(std::ceil(2 * farthest / reach * beam.volume.slices / 2.0));
    scan.notes.push_back("Rows " + rangesInWords(unused) +
                         " of the detector aren't used: the volume lies about the "
                         "central ray, which meets row " +
                         numberToText(std::round(10 * beam.centralRow) / 10) + ". With more slices it reaches them" +
                         hint("size", std::to_string(beam.volume.size) + "x" + std::to_string(slices)) + ".");
}

ConeBeam coneOf(const OpenOptions& options, const RecordedGeometry& recorded, const ScanFrames& frames,
                std::vector<double> angles, const Text& who, Scan& scan)
{
    const ConeOptions cone = filledFrom(options.cone, recorded.cone);
    if (recorded.matrices.empty() && !recorded.matricesFor) {
        ConeBeam beam = coneBeamFrom(cone, frames.bins, frames.rows, std::move(angles), who);
        scan.anglesReversed = cone.direction == AngleDirection::clockwise;
        if (recorded.searchesAxis && !cone.offsetUMm)
            beam.axisBins.clear();
        noteCentralRay(cone, beam, scan);
        if (!cone.size && !cone.slices)
            noteUnusedRows(beam, scan);
        if (beam.volume.centreMm != 0)
            scan.notes.push_back("The volume lies where the detector looks" + heightText(beam.volume) + ".");
        return beam;
    }
    ConeOptions beside = options.cone; // options that the matrices make meaningless
    if (recorded.matricesFor) {
        require(cone.pixelUMm.has_value(),
                who + ": the size of the detector's pixels" + aside(optionName("pixel") + ", in mm") + " is not known");
        require(*cone.pixelUMm > 0 && cone.pixelVMm.value_or(*cone.pixelUMm) > 0,
                who + ": the pixel of the detector is " +
                    numberToText(std::min(*cone.pixelUMm, cone.pixelVMm.value_or(*cone.pixelUMm))) +
                    " mm; a cone beam needs one above 0");
        beside.pixelUMm = beside.pixelVMm = {};
    }
    const std::string given = coneOptionGiven(beside, true, false);
    require(given.empty(), who + ": " + optionName(given) +
                               " can't be used, as the geometry has one projection matrix per projection");
    std::vector<ProjectionMatrix> matrices =
        recorded.matricesFor ? recorded.matricesFor(cone, frames.bins, frames.rows) : recorded.matrices;
    leaveOutMissing(matrices, frames);
    return coneBeamFrom(cone, frames.bins, frames.rows, std::move(matrices), std::move(angles), who);
}

ParallelBeam parallelOf(const OpenOptions& options, const RecordedGeometry& recorded, const ScanFrames& frames,
                        std::vector<double> angles, const Text& who)
{
    ParallelBeam beam;
    beam.bins = frames.bins;
    beam.anglesRad = std::move(angles);
    beam.pixelSizeMm = options.cone.pixelUMm ? options.cone.pixelUMm : recorded.pixelSizeMm;
    const double pixel = options.cone.pixelUMm.value_or(1);
    require(pixel > 0 && options.cone.pixelVMm.value_or(pixel) == pixel,
            who + ": a parallel beam needs one pixel size above 0, not " + numberToText(pixel) + " x " +
                numberToText(options.cone.pixelVMm.value_or(pixel)) + " mm" + hint("pixel") + ".");
    setSlices(beam, options.cone, who);
    return beam;
}

// Adds a note if the pixel is wide. Pixels of parallel beams are micrometres wide: a wider one is mostly a number of
// micrometres read as millimetres.
void doubtPixel(const ParallelBeam& beam, Scan& scan)
{
    constexpr double widestMm = 0.5;
    if (!beam.pixelSizeMm || *beam.pixelSizeMm <= widestMm)
        return;
    const std::string number = numberToText(*beam.pixelSizeMm);
    scan.notes.push_back("The detector's pixel is " + number +
                         " mm wide, which is rare for a parallel beam. If it is " + number + " µm, correct it" +
                         hint("pixel", number + "um") + ".");
}

// Reads the shifts: one per numbered frame or one per existing frame.
void takeShifts(ParallelBeam& beam, const fs::path& path, const ScanFrames& frames, Scan& scan)
{
    ShiftsInFile shifts = readShifts(path);
    leaveOutMissing(shifts.bins, frames);
    leaveOutMissing(shifts.rows, frames);
    const int projections = frames.projections.frames;
    if (static_cast<int>(shifts.bins.size()) != projections)
        throw Error(ErrorKind::badRequest, fileText(frames.path) + " has " + std::to_string(projections) +
                                               " projections, but " + fileText(path.string()) + " has " +
                                               std::to_string(shifts.bins.size()) +
                                               " shifts. Give one line per projection.");
    require(shifts.rows.empty() || frames.rows > 1,
            fileText(path.string()) + " has row shifts, but " + fileText(frames.path) + " has one row: leave them out");
    const double up = frames.rowsUpwards ? -1 : 1;
    for (double& rows : shifts.rows)
        rows *= up;
    beam.shiftBins = std::move(shifts.bins);
    beam.shiftRows = std::move(shifts.rows);
    scan.files.push_back(path);
}

// A parallel beam is a guess unless the user, the format or a file specifies it.
PartSource sourceOfGeometry(const Scan& scan, const OpenOptions& options, const RecordedGeometry& recorded, bool cone)
{
    const bool isGiven =
        options.beam || !options.geometryFile.empty() || (cone && !recorded.isCone && saysCone(options));
    return {.where = scan.geometryFile.filename().string(),
            .given = isGiven,
            .guessed = !isGiven && !cone && !recorded.isParallel};
}

// Sets where angles and pixel size come from, as far as the reader hasn't done so.
void takeSources(Scan& scan, const OpenOptions& options, const RecordedGeometry& recorded, bool givenAngles)
{
    PartSources& sources = scan.sources;
    const std::string file = scan.geometryFile.filename().string();
    if (givenAngles)
        sources.angles = {options.anglesFile.empty() ? std::string() : options.anglesFile.string(), true};
    else if (recorded.anglesRad.empty() && recorded.matrices.empty() && !recorded.matricesFor)
        sources.angles = {};
    else if (!file.empty())
        sources.angles = {file, !options.geometryFile.empty()};
    if (options.cone.pixelUMm)
        sources.pixelSize = {{}, true};
    else if (!recorded.pixelSizeMm && !recorded.cone.pixelUMm)
        sources.pixelSize = {};
    else if (!file.empty())
        sources.pixelSize = {file, !options.geometryFile.empty()};
}

} // namespace

void setGeometry(Scan& scan, const OpenOptions& options, ScanFrames& frames, RecordedGeometry recorded,
                 const std::vector<fs::path>& folders)
{
    Text who = fileText(frames.path);
    if (const std::vector<int> kept = separateSides(frames, options); !kept.empty()) {
        takeSome(recorded.anglesRad, kept, frames);
        takeSome(recorded.matrices, kept, frames);
        if (recorded.projections != 0)
            recorded.projections = frames.projections.frames;
    }
    if (anglesGiven(options))
        recorded.anglesRad.clear();
    if (const std::string why = mismatch(recorded, frames); !why.empty())
        throw Error(ErrorKind::badFile, who + " has a geometry that doesn't fit its projections: " + why + ".");
    if (!options.geometryFile.empty()) {
        takeGivenFile(recorded, options, frames, scan);
        who += " with the geometry of " + fileText(options.geometryFile.string());
    } else if (options.beam != BeamKind::parallel && !recorded.isCone) {
        if (const fs::path found = takeFileBeside(recorded, frames, folders, scan); !found.empty())
            who += " with the geometry of " + fileText(found.string()) + " beside it" +
                   aside("or " + optionName("geometry") + " parallel");
    }
    frames.rowsUpwards = recorded.rowsUpwards;
    const bool cone = options.beam != BeamKind::parallel && (recorded.isCone || saysCone(options));
    if (const std::string given = coneOptionGiven(options.cone, false, true); !cone && !given.empty())
        throw Error(ErrorKind::badRequest,
                    optionName(given) + " is for cone beams, but " + who + " has a parallel beam" +
                        (options.beam ? ", as " + optionName("geometry") + " specifies" : Text()) + "; add " +
                        optionName("geometry") + " cone, or leave it out.");

    std::vector<double> angles = anglesFromOptions(options, frames, scan);
    const bool isGiven = !angles.empty();
    takeSources(scan, options, recorded, isGiven);
    const bool ofMatrices = cone && (!recorded.matrices.empty() || recorded.matricesFor);
    if (angles.empty())
        angles = std::move(recorded.anglesRad);
    if (angles.empty() && !ofMatrices)
        angles = anglesBeside(folders, frames, scan);
    if (angles.empty() && !ofMatrices)
        angles = assumedAngles(recorded, cone, options, frames, scan);
    const bool leftOut = leaveOutMissing(angles, frames) || ofMatrices;
    if (!frames.missing.empty())
        scan.notes.push_back(
            frames.missingText +
            (leftOut ? (frames.missing.size() == 1 ? ": its angle is left out." : ": their angles are left out.")
                     : "; there are as many angles as existing frames."));
    scan.sources.geometry = sourceOfGeometry(scan, options, recorded, cone);
    require(!cone || options.shiftsFile.empty(), optionName("shifts") + " is for parallel beams, but " + who +
                                                     " has a cone beam: describe shifts by projection matrices" +
                                                     hint("geometry", "FILE"));
    if (cone) {
        scan.geometry = coneOf(options, recorded, frames, std::move(angles), who, scan);
        scan.notes.insert(scan.notes.end(), recorded.notes.begin(), recorded.notes.end());
        return;
    }
    ParallelBeam beam = parallelOf(options, recorded, frames, std::move(angles), who);
    doubtPixel(beam, scan);
    if (isGiven || (!scan.anglesAssumed && (scan.sources.angles.given || scan.sources.angles.guessed)))
        checkGivenAngles(scan, frames, options, numberedFrames(frames), beam.anglesRad);
    if (!options.shiftsFile.empty())
        takeShifts(beam, options.shiftsFile, frames, scan);
    scan.geometry = std::move(beam);
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/reconstruct/image_notes.h"

#include "engine/base/number_text.h"
#include "engine/prepare/flat_field.h"
#include "engine/scan/cone_coverage.h"
#include "engine/scan/geometry_facts.h"

#include <algorithm>
#include <cmath>

namespace engine
{

namespace
{

// Returns whether the axis is near the middle of the detector. Otherwise the object is cut off on one side by intent.
bool isNearMiddle(double axisBins, const Geometry& geometry)
{
    return std::abs(axisBins - middleBinsOf(geometry)) < 0.1 * binsOf(geometry);
}

// Returns a note if the axis is so far from the middle of the detector that projections without a full turn can't show
// the object around it, as when the offset from the middle was given instead of the position; otherwise nothing.
std::string farAxisText(const Geometry& geometry, double axisBins)
{
    const double middle = middleBinsOf(geometry), off = std::abs(axisBins - middle);
    if (!std::holds_alternative<ParallelBeam>(geometry) || off <= binsOf(geometry) / 4.0 ||
        isFullTurn(anglesRadOf(geometry), mostGapRad))
        return {};
    return "The given axis, " + numberToText(axisBins) + " bins, is " + numberToText(off) +
           " bins from the middle of the detector (" + numberToText(middle) +
           "); positions count from the centre of the first bin.";
}

} // namespace

bool hasNoNumbers(const Volume& image)
{
    constexpr std::size_t looked = 301;
    const std::size_t count = image.values.size(), step = std::max<std::size_t>(1, count / looked);
    for (std::size_t k = 0; k < count; k += step)
        if (std::isfinite(image.values[k]))
            return false;
    return count > 0;
}

Error noValuesIn(const Scan& scan, const std::vector<Note>& gaps)
{
    Text text = fileText(scan.path.empty() ? scan.name : scan.path) + ": the plane has no value. ";
    if (gaps.empty())
        return {ErrorKind::badFile, text +
                                        "All sampled numbers are infinite or not a number. Are their type and byte "
                                        "order right" +
                                        aside(optionName("type") + ", " + optionName("big-endian")) + "?"};
    for (const Note& gap : gaps)
        text = text + gap.text() + " ";
    return {ErrorKind::badFile, text + "Choose another place."};
}

std::vector<Note> notesOn(const Reconstruction& result, const Plan& plan, bool isOfPlane, bool isWide,
                          const Geometry& whole, const VirtualDetector& detector)
{
    const Request& request = plan.request;
    std::vector<Note> notes;
    if (const Text& assumed = request.scan->axisAssumption; result.axisSource == "scan" && !assumed.empty())
        notes.push_back(assumed);
    if (result.axisSource == "given")
        if (const std::string far = farAxisText(whole, result.axisBins); !far.empty())
            notes.push_back(far);
    for (Note& doubt : geometryDoubts(request.scan->geometry))
        notes.push_back(std::move(doubt));
    const bool isAirKept =
        request.setting.filter.padMode == PadMode::zero && !request.setting.preparation.values.contains("air");
    const auto* beam = std::get_if<ParallelBeam>(&whole);
    if (beam && beam->pixelBins != 1 && isOfPlane)
        notes.push_back("The voxels of this scan are " + numberToText(beam->pixelBins) +
                        " bins wide and one row high: right angles of the plane are those of voxels, and its pixels "
                        "have different sides if it crosses rows.");
    if (detector.note())
        notes.push_back(*detector.note());
    else if (isAirKept && isNearMiddle(result.axisBins, detector.geometry()) && isWide)
        notes.push_back("All projections show something at the ends of the detector. If the object is wider, values "
                        "near the rim of the slice are too high; padding with rounded edges lowers them" +
                        hint("pad", "cylinder") + ". If it is only air, set the air to 0" + hint("air", "both") + ".");
    // Only the first part adds coverage notes, for all parts.
    const bool isFirstPart = !request.place.projections || request.place.projections->first == 0;
    // They speak of slices, and take longer than a plane.
    if (const auto* cone = std::get_if<ConeBeam>(&whole); cone && isFirstPart && !isOfPlane)
        for (Note& note : coverageNotes(*cone, plan.section.grid))
            notes.push_back(std::move(note));
    return notes;
}

std::vector<Doubt> doubtsLeft(std::vector<Doubt> doubts, const Preparation& preparation)
{
    const bool levelsAir = preparation.find("air"), followsDrift = levelsAir || interpolatesFlats(preparation);
    std::erase_if(doubts, [=](const Doubt& doubt) {
        return (levelsAir && doubt.about == Doubt::About::beam) || (followsDrift && doubt.about == Doubt::About::drift);
    });
    return doubts;
}

} // namespace engine

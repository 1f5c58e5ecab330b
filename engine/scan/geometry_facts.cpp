// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/geometry_facts.h"

#include "engine/base/number_text.h"
#include "engine/scan/ray_weights.h"
#include "engine/scan/source_position.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace engine
{

namespace
{

// Rounds to four significant digits, which fit on a line of facts.
std::string roughly(double value)
{
    if (value == 0 || !std::isfinite(value))
        return numberToText(value);
    const double unit = std::pow(10.0, 3 - std::floor(std::log10(std::abs(value))));
    return numberToText(std::round(value * unit) / unit);
}

std::string lengthText(double mm)
{
    return std::abs(mm) < 1 && mm != 0 ? roughly(mm * 1000) + " µm" : roughly(mm) + " mm";
}

// Rounds to a millionth of a millimetre, which hides the rounding errors of sums.
std::string exactMm(double mm)
{
    return numberToText(std::round(mm * 1e6) / 1e6) + " mm";
}

std::string degreesOf(double angleRad)
{
    return numberToText(std::round(angleRad * 180 / std::numbers::pi * 1e6) / 1e6) + "°";
}

std::string rangeText(const std::vector<double>& values)
{
    const auto [least, most] = std::ranges::minmax(values);
    return numberToText(least) + " to " + numberToText(most);
}

std::vector<GeometryFact> parallelFacts(const ParallelBeam& beam)
{
    std::vector<GeometryFact> facts;
    if (beam.pixelBins != 1)
        facts.push_back({"Slice pixel", numberToText(beam.pixelBins) + " bins"});
    if (!beam.shiftBins.empty())
        facts.push_back({"Shifts of the projections",
                         rangeText(beam.shiftBins) + " bins" +
                             (beam.shiftRows.empty() ? std::string() : ", " + rangeText(beam.shiftRows) + " rows")});
    return facts;
}

// Returns a doubt if the source doesn't move on a circle about the axis, as FDK assumes; else empty.
std::string pathDoubt(const std::vector<ProjectionMatrix>& matrices)
{
    constexpr double mostOff = 0.01; // relative to the radius
    std::vector<double> radii, heights;
    for (const ProjectionMatrix& matrix : matrices) {
        const Vector3 source = sourceMmOf(matrix);
        radii.push_back(std::hypot(source[0], source[1]));
        heights.push_back(source[2]);
    }
    const auto [nearest, farthest] = std::ranges::minmax(radii);
    const auto [lowest, highest] = std::ranges::minmax(heights);
    const bool isOff = farthest - nearest > mostOff * farthest, rises = highest - lowest > mostOff * farthest;
    if (!isOff && !rises)
        return {};
    return "The source leaves the circle that FDK assumes: " +
           (rises ? "it moves " + lengthText(highest - lowest) + " along the axis" : std::string()) +
           (rises && isOff ? ", and " : "") +
           (isOff ? "it is " + lengthText(nearest) + " to " + lengthText(farthest) + " from the axis" : std::string()) +
           ". Slices are approximate.";
}

} // namespace

std::vector<double> recordedAnglesRad(const Geometry& geometry)
{
    std::vector<double> angles = anglesRadOf(geometry);
    for (double& angle : angles)
        angle -= rotationRadOf(geometry);
    return angles;
}

std::vector<GeometryFact> geometryFacts(const Geometry& geometry)
{
    const auto* beam = std::get_if<ConeBeam>(&geometry);
    std::vector<GeometryFact> facts;
    if (const auto* parallel = std::get_if<ParallelBeam>(&geometry))
        facts = parallelFacts(*parallel);
    if (const double turn = rotationRadOf(geometry); turn != 0)
        facts.push_back({"Slice rotation", degreesOf(turn)});
    if (!beam)
        return facts;
    facts.insert(facts.begin(), {"Geometry", labelOf(geometry)});
    if (!beam->isCircle()) {
        facts.front().value += ", one projection matrix per projection";
    } else {
        facts.push_back({"Source to axis", exactMm(beam->sourceAxisMm)});
        facts.push_back({"Source to detector",
                         exactMm(beam->sourceDetectorMm) + ", magnified " + roughly(beam->magnification()) + " times"});
        facts.push_back({"Detector pixel",
                         exactMm(beam->pixelUMm) +
                             (beam->pixelVMm == beam->pixelUMm ? std::string() : " × " + exactMm(beam->pixelVMm))});
        const double axis = beam->axisBins.size() == 1 ? beam->axisBins.front() : beam->middleBins();
        const double u = (beam->middleBins() - axis) * beam->pixelUMm,
                     v = (beam->middleRow() - beam->centralRow) * beam->pixelVMm;
        if (u != 0 || v != 0)
            facts.push_back({"Detector offset", exactMm(u) + " along the bins, " + exactMm(v) + " along the rows"});
        if (beam->tiltRad != 0 || beam->rollRad != 0)
            facts.push_back({"Tilt and roll", degreesOf(beam->tiltRad) + ", " + degreesOf(beam->rollRad)});
    }
    facts.push_back({"Volume", std::to_string(beam->volume.size) + "² × " + std::to_string(beam->volume.slices) +
                                   " voxels of " + lengthText(beam->volume.voxelMm) + heightText(beam->volume)});
    return facts;
}

std::string heightText(const ConeVolume& volume)
{
    return volume.centreMm == 0 ? std::string()
                                : ", its middle " + lengthText(std::abs(volume.centreMm)) +
                                      (volume.centreMm > 0 ? " above" : " below") + " the plane of the source";
}

std::string geometryLine(const Geometry& geometry)
{
    const auto* beam = std::get_if<ConeBeam>(&geometry);
    if (!beam)
        return {};
    std::string line = labelOf(geometry);
    if (beam->isCircle())
        line += " · source " + lengthText(beam->sourceAxisMm) + " from axis, " + lengthText(beam->sourceDetectorMm) +
                " from detector";
    return line + " · voxel " + lengthText(beam->volume.voxelMm);
}

std::vector<Note> geometryDoubts(const Geometry& geometry)
{
    std::vector<Note> doubts;
    if (const std::vector<double>& angles = anglesRadOf(geometry); angles.size() >= 30) {
        const auto [low, high] = std::ranges::minmax(angles);
        const double span = (high - low) * 180 / std::numbers::pi, count = static_cast<double>(angles.size());
        const double turns = span / std::numbers::pi, whole = turns * count / (count - 1); // with the next step
        const auto isHalfTurns = [](double value) { return std::abs(value - 1) < 0.005 || std::abs(value - 2) < 0.01; };
        if (isHalfTurns(turns) || isHalfTurns(whole))
            doubts.push_back("The angles cover " + roughly(span) + "° in all, " + (turns < 1.5 ? "π" : "2π") +
                             ": are they radians, read as degrees?");
    }
    const auto* beam = std::get_if<ConeBeam>(&geometry);
    if (!beam)
        return doubts;
    if (!beam->isCircle()) {
        if (const std::string doubt = pathDoubt(beam->matrices); !doubt.empty())
            doubts.push_back(doubt);
        return doubts;
    }
    constexpr double nearestMm = 10, mostMagnified = 1000, leastPixelMm = 0.0003, mostDegrees = 120;
    const double width = beam->bins * beam->pixelUMm, away = beam->sourceDetectorMm;
    const double seenDegrees = 2 * std::atan(width / 2 / away) * 180 / std::numbers::pi;
    if (away < nearestMm)
        doubts.push_back("The detector is " + lengthText(away) + " from the source: are the distances in metres?");
    else if (beam->magnification() > mostMagnified)
        doubts.push_back("The axis is " + lengthText(beam->sourceAxisMm) + " from the source and the detector " +
                         lengthText(away) + ", a magnification of " + roughly(beam->magnification()) +
                         ": is one of them in metres?");
    else if (beam->pixelUMm < leastPixelMm)
        doubts.push_back("The detector's pixels are " + lengthText(beam->pixelUMm) + " wide: is that metres?");
    else if (seenDegrees > mostDegrees)
        doubts.push_back("The detector, " + lengthText(width) + " wide and " + lengthText(away) +
                         " from the source, subtends " + roughly(seenDegrees) +
                         "°: is the pixel in micrometres, or the distance in metres?");
    return doubts;
}

std::vector<Note> openingNotes(const Scan& scan)
{
    std::vector<Note> notes = scan.notes;
    const auto add = [&](const std::vector<Note>& more) { notes.insert(notes.end(), more.begin(), more.end()); };
    if (!scan.axisAssumption.empty())
        notes.push_back(scan.axisAssumption);
    add(geometryDoubts(scan.geometry));
    add(angleNotes(scan.geometry));
    return notes;
}

} // namespace engine

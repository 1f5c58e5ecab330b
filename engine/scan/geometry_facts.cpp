#include "engine/scan/geometry_facts.h"

#include "engine/number_text.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace engine
{

namespace
{

// Four significant digits: what a line of facts has room for.
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

// To a micrometre, and without the rounding of sums.
std::string exactMm(double mm)
{
    return numberToText(std::round(mm * 1e6) / 1e6) + " mm";
}

std::string degreesOf(double angleRad)
{
    return numberToText(std::round(angleRad * 180 / std::numbers::pi * 1e6) / 1e6) + "°";
}

} // namespace

std::vector<GeometryFact> geometryFacts(const Geometry& geometry)
{
    const auto* beam = std::get_if<ConeBeam>(&geometry);
    if (!beam)
        return {};
    std::vector<GeometryFact> facts{{"Geometry", labelOf(geometry)}};
    if (!beam->isCircle()) {
        facts.back().value += ", a projection matrix for each projection";
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
                                   " voxels of " + lengthText(beam->volume.voxelMm)});
    return facts;
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

} // namespace engine

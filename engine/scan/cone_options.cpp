// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/cone_options.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/scan/cone_fields.h"
#include "engine/scan/source_position.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace engine
{

namespace
{

constexpr int mostOfSlice = 65536; // pixels along each side

void setVolume(ConeBeam& beam, const ConeOptions& options, const Text& who)
{
    beam.volume = standardVolume(beam);
    if (options.voxelMm || options.voxelBins) {
        // Keeps the extent of the volume unless the size is given too.
        const double voxelMm = options.voxelMm ? *options.voxelMm : *options.voxelBins * beam.volume.voxelMm;
        const double ratio = beam.volume.voxelMm / voxelMm;
        const double leastMm = beam.volume.voxelMm * std::max(beam.bins, beam.volume.slices) / 1e6,
                     mostMm = beam.volume.voxelMm * mostPixelBins;
        require(voxelMm > leastMm && voxelMm <= mostMm,
                who + ": a voxel of " + numberToText(voxelMm) + " mm gives no valid volume; the limits are " +
                    numberToText(leastMm) + " and " + numberToText(mostMm) + " mm");
        beam.volume.voxelMm = voxelMm;
        beam.volume.size = std::max(1, static_cast<int>(beam.volume.size * ratio + 0.5));
        if (beam.rows > 1)
            beam.volume.slices = std::max(1, static_cast<int>(beam.volume.slices * ratio + 0.5));
    }
    if (options.size) {
        beam.volume.size = *options.size;
        if (beam.rows > 1)
            beam.volume.slices = *options.size;
    }
    if (options.slices)
        beam.volume.slices = *options.slices;
    validate(beam, who);
}

// Throws an error that names all missing inputs that a cone beam requires.
void requireSaid(const ConeOptions& options, const Text& who)
{
    std::vector<Text> missing;
    for (const ConeField& field : coneFields())
        if (*field.use.needed && !(options.*field.use.numbers.front().real))
            missing.push_back(field.use.needed + aside(optionName(field.id) + ", in mm"));
    Text all;
    for (std::size_t k = 0; k < missing.size(); ++k)
        all += (k == 0 ? "" : k + 1 < missing.size() ? ", " : " and ") + missing[k];
    require(missing.empty(), who + ": a cone beam needs " + all);
}

double sourceAngleRad(const ProjectionMatrix& matrix)
{
    const Vector3 source = sourceMmOf(matrix);
    const double angle = std::atan2(source[0], -source[1]);
    return angle < -1e-12 ? angle + 2 * std::numbers::pi : std::abs(angle);
}

} // namespace

ConeOptions ofParallelBeam(const ConeOptions& options)
{
    ConeOptions kept;
    kept.pixelUMm = options.pixelUMm;
    kept.voxelMm = options.voxelMm;
    kept.voxelBins = options.voxelBins;
    kept.size = options.size;
    kept.rotateRad = options.rotateRad;
    return kept;
}

ConeOptions filledFrom(ConeOptions said, const ConeOptions& rest)
{
    ConeOptions taken = rest;
    if (said.pixelUMm) {
        taken.pixelVMm.reset();
        taken.voxelMm.reset(); // follows from the pixel
    }
    const bool isVoxelSaid = said.voxelMm || said.voxelBins;
    if (isVoxelSaid || said.size)
        taken.slices.reset();
    if (isVoxelSaid) {
        taken.size.reset();
        taken.voxelMm.reset();
        taken.voxelBins.reset();
    }
    const auto fill = [&](auto member) {
        if (!(said.*member))
            said.*member = taken.*member;
    };
    std::apply([&](auto... member) { (fill(member), ...); }, coneMembers);
    return said;
}

ConeOptions optionsOf(const ConeBeam& beam)
{
    ConeOptions options;
    options.voxelMm = beam.volume.voxelMm;
    options.size = beam.volume.size;
    options.slices = beam.volume.slices;
    if (beam.rotationRad != 0)
        options.rotateRad = beam.rotationRad;
    if (!beam.isCircle())
        return options;
    options.sourceAxisMm = beam.sourceAxisMm;
    options.sourceDetectorMm = beam.sourceDetectorMm;
    options.pixelUMm = beam.pixelUMm;
    options.pixelVMm = beam.pixelVMm;
    if (beam.axisBins.size() == 1)
        options.offsetUMm = (beam.middleBins() - beam.axisBins.front()) * beam.pixelUMm;
    options.offsetVMm = (beam.middleRow() - beam.centralRow) * beam.pixelVMm;
    options.tiltRad = beam.tiltRad;
    options.rollRad = beam.rollRad;
    return options;
}

void setSlices(ParallelBeam& beam, const ConeOptions& options, const Text& who)
{
    require(!options.voxelMm || beam.pixelSizeMm,
            who + ": slices of a parallel beam with pixels of " + numberToText(options.voxelMm.value_or(0)) +
                " mm need the pixel size of the detector" + hint("pixel") + ", which isn't known");
    const double bins = options.voxelMm ? *options.voxelMm / *beam.pixelSizeMm : options.voxelBins.value_or(1);
    require(bins >= leastPixelBins && bins <= mostPixelBins, // false for NaN
            who + ": pixels of " + numberToText(bins) + " bins are out of range; the limits are " +
                numberToText(leastPixelBins) + " and " + numberToText(mostPixelBins) + " bins");
    beam.pixelBins = bins;
    beam.sliceSize = options.size.value_or(0);
    require(beam.sliceSize > 0 || beam.bins / bins <= mostOfSlice,
            who + ": slices of " + numberToText(std::round(beam.bins / bins)) +
                " pixels along each side exceed the limit of " + std::to_string(mostOfSlice) + "; give fewer" +
                hint("size"));
    const double turn = options.rotateRad.value_or(0);
    require(std::isfinite(turn), who + ": the rotation of the slices isn't a number");
    for (double& angle : beam.anglesRad)
        angle += turn - beam.rotationRad;
    beam.rotationRad = turn;
}

ConeBeam coneBeamFrom(const ConeOptions& options, int bins, int rows, std::vector<double> anglesRad, const Text& who)
{
    requireSaid(options, who);
    ConeBeam beam;
    beam.bins = bins;
    beam.rows = rows;
    beam.anglesRad = std::move(anglesRad);
    if (options.direction == AngleDirection::clockwise)
        for (double& angle : beam.anglesRad)
            angle = -angle;
    beam.sourceAxisMm = *options.sourceAxisMm;
    beam.sourceDetectorMm = *options.sourceDetectorMm;
    beam.pixelUMm = *options.pixelUMm;
    beam.pixelVMm = options.pixelVMm.value_or(beam.pixelUMm);
    beam.axisBins = {beam.middleBins() - options.offsetUMm.value_or(0) / beam.pixelUMm};
    beam.centralRow = beam.middleRow() - options.offsetVMm.value_or(0) / beam.pixelVMm;
    beam.tiltRad = options.tiltRad.value_or(0);
    beam.rollRad = options.rollRad.value_or(0);
    beam.volume = {1, 1, 1};
    validate(beam, who); // before any division by its lengths
    setVolume(beam, options, who);
    return turned(std::move(beam), options.rotateRad.value_or(0));
}

ConeBeam coneBeamFrom(const ConeOptions& options, int bins, int rows, std::vector<ProjectionMatrix> matrices,
                      std::vector<double> anglesRad, const Text& who)
{
    ConeBeam beam;
    beam.bins = bins;
    beam.rows = rows;
    beam.matrices = std::move(matrices);
    // Their scale doesn't affect rays, but the weights require w = 1 in the middle of the volume.
    for (ProjectionMatrix& matrix : beam.matrices)
        if (const double scale = matrix[11]; scale > 0 && std::isfinite(scale))
            for (double& value : matrix)
                value /= scale;
    beam.anglesRad = std::move(anglesRad);
    if (beam.anglesRad.empty())
        for (const ProjectionMatrix& matrix : beam.matrices)
            beam.anglesRad.push_back(sourceAngleRad(matrix));
    beam.volume = {1, 1, 1};
    validate(beam, who); // before any division by their values
    const auto sum = [](double total, const ProjectionMatrix& matrix) { return total + matrix[3]; };
    beam.axisBins = {std::accumulate(beam.matrices.begin(), beam.matrices.end(), 0.0, sum) / beam.projections()};
    setVolume(beam, options, who);
    return turned(std::move(beam), options.rotateRad.value_or(0));
}

} // namespace engine

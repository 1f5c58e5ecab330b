#include "engine/scan/cone_options.h"

#include "engine/error.h"

#include <algorithm>
#include <utility>

namespace engine
{

ConeBeam coneBeamFrom(const ConeOptions& options, int bins, int rows, std::vector<double> anglesRad,
                      const std::string& who)
{
    const auto said = [&](const std::optional<double>& value, const char* what) {
        require(value.has_value(), who + ": a cone beam needs " + what);
        return *value;
    };
    ConeBeam beam;
    beam.bins = bins;
    beam.rows = rows;
    beam.anglesRad = std::move(anglesRad);
    if (options.clockwise)
        for (double& angle : beam.anglesRad)
            angle = -angle;
    beam.sourceAxisMm = said(options.sourceAxisMm, "the distance from source to axis (--source-axis, in mm)");
    beam.sourceDetectorMm =
        said(options.sourceDetectorMm, "the distance from source to detector (--source-detector, in mm)");
    beam.pixelUMm = said(options.pixelUMm, "the size of the detector's pixels (--pixel, in mm)");
    beam.pixelVMm = options.pixelVMm.value_or(beam.pixelUMm);
    beam.axisBins = {beam.middleBins() - options.offsetUMm.value_or(0) / beam.pixelUMm};
    beam.centralRow = beam.middleRow() - options.offsetVMm.value_or(0) / beam.pixelVMm;
    beam.tiltRad = options.tiltRad.value_or(0);
    beam.rollRad = options.rollRad.value_or(0);
    beam.volume = {1, 1, 1};
    validate(beam, who); // before anything is divided by its lengths
    beam.volume = standardVolume(beam);
    if (options.voxelMm) {
        // As much of the object as before, unless the size is said too.
        const double ratio = beam.volume.voxelMm / *options.voxelMm;
        require(*options.voxelMm > 0 && ratio * beam.bins < 1e6 && ratio * beam.volume.slices < 1e6,
                who + ": a voxel of " + std::to_string(*options.voxelMm) + " mm makes no volume");
        beam.volume.voxelMm = *options.voxelMm;
        beam.volume.size = std::max(1, static_cast<int>(beam.volume.size * ratio + 0.5));
        if (rows > 1)
            beam.volume.slices = std::max(1, static_cast<int>(beam.volume.slices * ratio + 0.5));
    }
    if (options.size) {
        beam.volume.size = *options.size;
        if (rows > 1)
            beam.volume.slices = *options.size;
    }
    if (options.slices)
        beam.volume.slices = *options.slices;
    validate(beam, who);
    return beam;
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/frames/open_options.h"

#include <algorithm>
#include <array>

namespace engine
{

std::string toText(BeamKind kind)
{
    return kind == BeamKind::cone ? "cone" : "parallel";
}

std::optional<BeamKind> beamKindFromText(const std::string& text)
{
    for (const BeamKind kind : {BeamKind::parallel, BeamKind::cone})
        if (text == toText(kind))
            return kind;
    return {};
}

OpenOptions withExchangedAxes(OpenOptions options, const Scan& scan)
{
    options.dataSets.axes = scan.exchangedAxes;
    if (std::ranges::count(scan.exchangedAxes, ':') == 2)
        options.sinogram = false; // the images may be projections instead
    options.reduction.leftOut.clear();
    return options;
}

OpenOptions withSpread(OpenOptions options, const AngleSpread& spread)
{
    options.anglesRad.clear();
    options.anglesFile.clear();
    options.angleColumn = {};
    options.angleSteps = spread.steps;
    options.angleRangeRad.reset();
    if (!spread.steps)
        options.angleRangeRad = {spread.firstRad, spread.lastRad};
    options.angleEndExcluded = spread.endExcluded;
    return options;
}

std::span<const DataSetRole> dataSetRoles()
{
    static constexpr std::array roles = {
        DataSetRole{"data", "PATH", "Projections",
                    "HDF5 data set of the projections: projections x rows x bins, or projections x bins for a sinogram",
                    &DataSets::projections},
        DataSetRole{"data-angles", "PATH", "Angles",
                    "HDF5 data set of the angles, in its own unit, one per projection or per frame", &DataSets::angles},
        DataSetRole{"data-flats", "PATH", "Flats", "HDF5 data set of the flat fields", &DataSets::flats},
        DataSetRole{"data-darks", "PATH", "Darks", "HDF5 data set of the dark fields", &DataSets::darks},
        DataSetRole{"data-key", "PATH", "Image key",
                    "HDF5 data set with the kind of each frame: 0 projection, 1 flat, 2 dark", &DataSets::key},
        DataSetRole{"data-axes", "theta:y:x", "Axes",
                    "Order of the dimensions of a data set, .mat matrix, TIFFs or raw file (theta: projections, y: "
                    "rows, x: bins), if not theta:y:x, or theta:x for a sinogram; x:theta transposes a sinogram",
                    &DataSets::axes}};
    return roles;
}

} // namespace engine

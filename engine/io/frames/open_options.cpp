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
                    "Data set of an HDF5 file that has the projections: projections x rows x bins, or projections x "
                    "bins for a sinogram",
                    &DataSets::projections},
        DataSetRole{"data-angles", "PATH", "Angles",
                    "Data set of its angles, in the unit it says, one a projection or one a frame", &DataSets::angles},
        DataSetRole{"data-flats", "PATH", "Flats", "Data set of its flat fields", &DataSets::flats},
        DataSetRole{"data-darks", "PATH", "Darks", "Data set of its dark fields", &DataSets::darks},
        DataSetRole{"data-key", "PATH", "Image key",
                    "Data set that says what each frame is: 0 a projection, 1 a flat, 2 a dark", &DataSets::key},
        DataSetRole{"data-axes", "theta:y:x", "Axes",
                    "Order of the dimensions (theta: projections, y: rows, x: bins), where it is another one than "
                    "theta:y:x, or theta:x of a sinogram, which x:theta exchanges: of a data set, a matrix of a .mat, "
                    "TIFFs or a raw file",
                    &DataSets::axes}};
    return roles;
}

} // namespace engine

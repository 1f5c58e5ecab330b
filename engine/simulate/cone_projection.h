// SPDX-License-Identifier: GPL-3.0-or-later
// Cone-beam projections of ellipsoids.
#pragma once

#include "engine/scan/cone_beam.h"
#include "engine/simulate/ellipses.h"

#include <span>
#include <vector>

namespace engine
{

// Adds to each bin of a detector row the exact integral along the ray from the source to the centre of the pixel:
// density × perMm × length. The ellipsoids are given in the cube −1…1, which is 2·unitMm wide and centred on the
// origin of the matrix. The source must lie outside the ellipsoids, and all of them in front of it.
void addConeRow(const std::vector<Ellipsoid>& solids, double unitMm, double perMm, const ProjectionMatrix& matrix,
                int row, std::span<double> line);

} // namespace engine

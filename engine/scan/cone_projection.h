// SPDX-License-Identifier: GPL-3.0-or-later
// What the rays of a cone beam see of ellipsoids.
#pragma once

#include "engine/scan/cone_beam.h"
#include "engine/scan/ellipses.h"

#include <span>
#include <vector>

namespace engine
{

// Adds to each bin of a row of the detector the exact integral along the ray from the source to the pixel's middle:
// density × perMm × length. The cube −1…1 that the ellipsoids are given in is 2·unitMm wide, its middle the origin of
// the matrix. The source lies outside the ellipsoids, which lie before it.
void addConeRow(const std::vector<Ellipsoid>& solids, double unitMm, double perMm, const ProjectionMatrix& matrix,
                int row, std::span<double> line);

} // namespace engine

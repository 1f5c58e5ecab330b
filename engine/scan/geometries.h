// SPDX-License-Identifier: GPL-3.0-or-later
// The alternatives of a scan's geometry, in a header of its own, because the tests replace it by another list
// (tests/second_geometry).
#pragma once

#include "engine/scan/cone_beam.h"
#include "engine/scan/parallel_beam.h"

#include <variant>

namespace engine
{

using Geometry = std::variant<ParallelBeam, ConeBeam>;

} // namespace engine

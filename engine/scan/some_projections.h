// SPDX-License-Identifier: GPL-3.0-or-later
// Subsets of the projections of a scan.
#pragma once

#include "engine/scan/geometries.h"
#include "engine/scan/scan.h"

#include <memory>
#include <vector>

namespace engine
{

// Returns the geometry of the projections in `kept`, in that order. Throws Error(badRequest) for a geometry that
// can't be divided.
Geometry withProjections(Geometry geometry, const std::vector<int>& kept);

// Returns the places of flats (Scan::flatPlaces) in the sequence of the projections in `kept`, which is ascending.
std::vector<double> placesAmong(std::vector<double> places, const std::vector<int>& kept);

// Returns the scan with what it records of the projections in `kept`, ascending; its functions that read are the
// caller's to replace.
Scan withProjections(const Scan& scan, const std::vector<int>& kept);

// Returns a scan of the projections 0, step, 2·step, … of this one. Null if the scan can't be divided.
std::shared_ptr<const Scan> everyNth(const Scan& scan, int step);

// As above, for first coarse images: null also if reading it takes as long as reading all, because the projections are
// stored together.
std::shared_ptr<const Scan> withEvery(const Scan& scan, int step);

} // namespace engine

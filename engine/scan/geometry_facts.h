// SPDX-License-Identifier: GPL-3.0-or-later
// Descriptions of a geometry for the user: lengths and angles with units.
#pragma once

#include "engine/base/note.h"
#include "engine/scan/scan.h"

#include <string>
#include <vector>

namespace engine
{

struct GeometryFact {
    std::string name, value; // "Source to axis", "410.66 mm"
};

// Returns the facts that other lines of a report don't contain. Cone beams: distances, pixels, offset, tilt and volume.
// Parallel beams: only what was specified about the pixels and the rotation of slices and the shifts of projections.
std::vector<GeometryFact> geometryFacts(const Geometry& geometry);

// Returns the angles as recorded, without the rotation of the slices.
std::vector<double> recordedAnglesRad(const Geometry& geometry);

// Returns ", its middle 3 mm above the plane of the source"; empty if it lies about that plane.
std::string heightText(const ConeVolume& volume);

// Returns one line: "cone beam · source 410.7 mm from axis, 553.7 mm from detector · voxel 148.3 µm"; empty for
// parallel beams.
std::string geometryLine(const Geometry& geometry);

// Returns doubts about implausible but possible values, one sentence each: lengths in metres or micrometres, radians
// interpreted as degrees.
std::vector<Note> geometryDoubts(const Geometry& geometry);

// Returns everything to be reported about a scan before a slice is reconstructed: its notes, assumptions about its
// axis, doubts, and the weighting of uneven angles; one sentence each.
std::vector<Note> openingNotes(const Scan& scan);

} // namespace engine

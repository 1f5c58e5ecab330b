// SPDX-License-Identifier: GPL-3.0-or-later
// What a geometry is, for people: lengths and angles with their units.
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

// What is worth a line beside bins, angles and pixel: of parallel beams what was said of their slices and projections.
std::vector<GeometryFact> geometryFacts(const Geometry& geometry);

// As the projections were recorded, whatever the slices are turned by.
std::vector<double> recordedAnglesRad(const Geometry& geometry);

// On one line: "cone beam · source 410.7 mm from axis, 553.7 mm from detector · voxel 148.3 µm"; empty for parallel
// beams.
std::string geometryLine(const Geometry& geometry);

// What can hardly be so and is possible all the same, a sentence each: lengths in metres or micrometres, radians taken
// for degrees.
std::vector<Note> geometryDoubts(const Geometry& geometry);

// All there is to say of a scan before a slice of it is made: its notes, what is assumed of its axis, doubts, and how
// uneven angles are weighted; a sentence each.
std::vector<Note> openingNotes(const Scan& scan);

} // namespace engine

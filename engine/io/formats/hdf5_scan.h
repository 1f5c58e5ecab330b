// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of the readers of scans in HDF5.
#pragma once

#include "engine/base/note.h"
#include "engine/io/formats/reader.h"
#include "engine/io/frames/frame_axes.h"
#include "engine/io/frames/frame_source.h"
#include "engine/io/geometry/geometry_file.h"
#include "engine/io/hdf5/hdf5_file.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

extern const Container hdf5Container;

// Returns frames `indices` of a data set of numbers. Throws Error(badFile) if its shape does not fit the axes.
FrameSource hdf5Frames(const Hdf5Dataset& dataset, FrameAxes axes, std::vector<long long> indices);
std::vector<long long> allFrames(const Hdf5Dataset& dataset, FrameAxes axes);

// Converts angles with a unit to radians. Without a known unit, likelyAngleUnit() decides by their range, and a note
// says so.
std::vector<double> anglesInRadians(std::vector<double> values, const std::optional<std::string>& unit,
                                    const std::string& source, std::vector<Note>& notes);

// Reads a pixel size in mm from a data set with @units; without a known unit a note is added instead.
// anySign: takes the absolute value, for a position.
std::optional<double> lengthInMm(const Hdf5File& file, const std::string& path, std::vector<Note>& notes,
                                 bool anySign = false);

// Reads an energy in keV from the first of the paths that has a number above 0 with a known @units.
std::optional<double> energyInKeV(const Hdf5File& file, const std::vector<std::string>& paths);

// Reads the geometry of a cone beam that we wrote beside the data, as a text (engine/io/geometry/geometry_file.h); {}
// if there is none.
inline constexpr const char *writtenGeometryPath = "/measurement/geometry", *writtenGeometryInEntry = "geometry";
RecordedGeometry writtenGeometry(const Hdf5File& file, const std::string& path);

// Adds an entry to the metadata: the first of the paths that holds text, with its unit.
void addMetadata(Scan& scan, const Hdf5File& file, const std::string& label, const std::vector<std::string>& paths);

// Adds the files that were read to the scan; a note names those outside the file's folder.
void addFiles(Scan& scan, const Hdf5File& file);

// Takes the exact image and the true axis of a simulated scan from its configuration (JSON).
void attachSimulation(Scan& scan, const Hdf5File& file, const std::string& path, int rows);

} // namespace engine

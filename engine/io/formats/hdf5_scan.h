// SPDX-License-Identifier: GPL-3.0-or-later
// What the readers of DXchange and NXtomo share.
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

// Frames `indices` of a data set of numbers. Throws Error(badFile) when its shape does not fit the axes.
FrameSource hdf5Frames(const Hdf5Dataset& dataset, FrameAxes axes, std::vector<long long> indices);
std::vector<long long> allFrames(const Hdf5Dataset& dataset, FrameAxes axes);

// Angles in radians from numbers with a unit; without one, degrees if any is beyond 2π (a note says so).
std::vector<double> anglesInRadians(std::vector<double> values, const std::optional<std::string>& unit,
                                    const std::string& source, std::vector<Note>& notes);

// Pixel size in mm from a data set with @units; without a known unit a note is left instead.
// anySign: its amount, where it is a position.
std::optional<double> lengthInMm(const Hdf5File& file, const std::string& path, std::vector<Note>& notes,
                                 bool anySign = false);

// The geometry of a cone beam that we wrote beside the data, as a text (engine/io/geometry/geometry_file.h); nothing:
// {}.
inline constexpr const char *writtenGeometryPath = "/measurement/geometry", *writtenGeometryInEntry = "geometry";
RecordedGeometry writtenGeometry(const Hdf5File& file, const std::string& path);

// The first of the paths that holds text, with its unit, becomes an entry of the metadata.
void addMetadata(Scan& scan, const Hdf5File& file, const std::string& label, const std::vector<std::string>& paths);

// What the file is read from; a note of the scan says which of it lies outside of the file's folder.
void addFiles(Scan& scan, const Hdf5File& file);

// A scan that was simulated carries its configuration (JSON): exact image and true axis come from it.
void attachSimulation(Scan& scan, const Hdf5File& file, const std::string& path, int rows);

} // namespace engine

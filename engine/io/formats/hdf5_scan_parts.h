// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a scan that are data sets of an HDF5 file, whatever their names: shared by the readers of HDF5.
#pragma once

#include "engine/base/note.h"
#include "engine/io/formats/hdf5_scan.h"

#include <string>
#include <vector>

namespace engine
{

std::string join(const std::string& group, const std::string& name); // "/entry/data"
std::string lastName(const std::string& path);

// The frames of a data set, sorted by an image key.
struct KeyedFrames {
    std::vector<long long> projections, flats, darks; // their indices
};

// key: a data set with a number per frame: 0 projections, 1 flats, 2 darks; other frames are left out, with a note.
// Without a key all frames are projections. Throws Error(badFile).
KeyedFrames sortFrames(const Hdf5File& file, const std::string& key, const std::string& data, long long count,
                       std::vector<Note>& notes);

// Removes frames that were not, or not completely, written, and adds a note: the scan is still being written, was
// stopped, or is damaged. If no frame is complete, all are returned, also with a note. In data sets of more than a
// million chunks only the end is examined.
std::vector<long long> writtenFrames(const Hdf5Dataset& dataset, FrameAxes axes, std::vector<long long> indices,
                                     std::vector<Note>& notes);

// Reads the flats of a data set that holds the projections, too.
FrameSource flatsAmong(const Hdf5Dataset& dataset, FrameAxes axes, const KeyedFrames& sorted, std::vector<Note>& notes);

// Returns the angles of the projections among `count` frames; the data set has an angle per frame or per projection.
// An empty path means no angles. If frames can still be added and some angles don't exist yet, the projections
// without angles are removed. Throws Error(badFile).
std::vector<double> anglesOfFrames(const Hdf5File& file, const std::string& path, const Hdf5Dataset& frames,
                                   std::vector<long long>& projections, long long count, std::vector<Note>& notes);

// Reads darks or flats, one frame or several; none if the data set is missing. axes: those of the projections, used
// unless the data set specifies others. Throws Error(badFile) for other numbers of rows or bins.
FrameSource sideFrames(const Hdf5File& file, const std::string& path, FrameAxes axes, int rows, int bins);

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a scan that are data sets of an HDF5 file, whatever they are called: what its readers share.
#pragma once

#include "engine/base/note.h"
#include "engine/io/formats/hdf5_scan.h"

#include <string>
#include <vector>

namespace engine
{

std::string join(const std::string& group, const std::string& name); // "/entry/data"
std::string lastName(const std::string& path);

// What an image key says of the frames of a data set.
struct KeyedFrames {
    std::vector<long long> projections, flats, darks; // by their places
};

// key: 0 projections, 1 flats, 2 darks, a number a frame; others are left out, with a note. Without a key all are
// projections. Throws Error(badFile).
KeyedFrames sortFrames(const Hdf5File& file, const std::string& key, const std::string& data, long long count,
                       std::vector<Note>& notes);

// Without those that were never written, or not all of them, with a note: of a scan that is still being written, was
// stopped, or is damaged. All of them where none is whole, with a note, too. Of data sets of more than a million chunks
// the end alone is looked at.
std::vector<long long> writtenFrames(const Hdf5Dataset& dataset, FrameAxes axes, std::vector<long long> indices,
                                     std::vector<Note>& notes);

// Of the projections among `count` frames; the data set has one for each of either. No data set: none. Where frames can
// still be added and it hasn't their angles yet, the projections without are taken away. Throws Error(badFile).
std::vector<double> anglesOfFrames(const Hdf5File& file, const std::string& path, const Hdf5Dataset& frames,
                                   std::vector<long long>& projections, long long count, std::vector<Note>& notes);

// Darks or flats, a frame of them or several; none when the data set is missing. axes: of the projections, unless it
// says its own. Throws Error(badFile) for other rows or bins.
FrameSource sideFrames(const Hdf5File& file, const std::string& path, FrameAxes axes, int rows, int bins);

} // namespace engine

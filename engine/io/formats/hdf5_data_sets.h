// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files of no known format: lists of their data sets, and guesses which of these are a scan's.
#pragma once

#include "engine/io/frames/open_options.h"

#include <filesystem>
#include <string>
#include <vector>

namespace engine
{

std::string shapeText(const std::vector<long long>& shape); // "181 x 2 x 640"

struct DataSetFound {
    std::string path;
    std::vector<long long> shape;
    std::string sampleType; // "uint16"; empty: not numbers
    std::string problem;    // why it can't be read; empty if it can
};

struct DataSetList {
    std::vector<DataSetFound> found; // in the order of their paths
    int more = 0;                    // data sets that were not examined
    DataSets guess;                  // the projections and everything else that names and shapes suggest
};

bool hasDataSets(const std::filesystem::path& path); // whether it is an HDF5 file

// Lists the data sets of an HDF5 file. Throws Error(badFile), cancelled.
DataSetList dataSetsIn(const std::filesystem::path& file, std::stop_token stop = {});

// Returns whether the scan's data sets were guessed, so that others can be chosen.
bool isGuessOfDataSets(const Scan& scan, const OpenOptions& openedWith);

// Returns whether every named data set is in the list, with as many dimensions as its role requires.
bool isIn(const DataSets& sets, const DataSetList& list);

// A preview of a data set. If the data set has three dimensions, the preview shows a single frame: the middle one along
// the dimension that counts frames. If the data set has one or two dimensions, the preview shows all of it. The preview
// has only every n-th number in each direction, so that it is at most `most` wide and high.
struct DataSetPicture {
    int width = 0, height = 0;
    std::vector<float> values; // [height][width]
    long long frame = -1;      // which of `frames`; −1: everything
    long long frames = 0;
};
// Reads a preview. frameAxis: the dimension that counts frames; below 0: the first one. Throws Error(badFile).
DataSetPicture pictureOf(const std::filesystem::path& file, const std::string& path, int frameAxis, int most);

} // namespace engine

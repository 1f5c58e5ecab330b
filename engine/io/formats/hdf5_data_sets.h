// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files of no known format: what is in them, and which of it a scan may be.
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
    std::string problem;    // why it can't be read; empty: it can
};

struct DataSetList {
    std::vector<DataSetFound> found; // in the order of their paths
    int more = 0;                    // that weren't looked at
    DataSets guess;                  // projections and what else of them is plain by names and shapes; none of it sure
};

bool hasDataSets(const std::filesystem::path& path); // is it a file, and HDF5?

// Of a file that is HDF5. Throws Error(badFile), cancelled.
DataSetList dataSetsIn(const std::filesystem::path& file, std::stop_token stop = {});

// Whether its data sets were guessed, where others could have been named.
bool isGuessOfDataSets(const Scan& scan, const OpenOptions& openedWith);

// Whether every data set that is named is there, with as many dimensions as its role has.
bool isIn(const DataSets& sets, const DataSetList& list);

// A frame of a data set as a picture: of three dimensions the middle along the first, or along the one that counts
// frames; of two, or one, all of it; every n-th number of each, so that it is at most `most` wide and high.
struct DataSetPicture {
    int width = 0, height = 0;
    std::vector<float> values; // [height][width]
    long long frame = -1;      // of so many; −1: all of it
    long long frames = 0;
};
// Throws Error(badFile).
DataSetPicture pictureOf(const std::filesystem::path& file, const std::string& path, int frameAxis, int most);

} // namespace engine

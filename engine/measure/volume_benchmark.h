// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of a whole volume from disk to disk, compared with the speeds of disk and device.
#pragma once

#include "engine/reconstruct/reconstruction.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

struct VolumeBenchmarkOptions {
    std::shared_ptr<const Scan> scan; // null: a scan of `size` bins is created, counts of the Shepp-Logan phantom
    int size = 512, projections = 512, slices = 512;
    std::string sampleType = "uint16"; // or "float32"
    std::filesystem::path folder;      // everything is written to a temporary folder in it
    DeviceSettings device;
    int threads = 0;
    double memoryLimitBytes = 0; // 0: half of the machine's
    Precision precision = Precision::half;
};

struct MeasuredVolume {
    std::string output;  // "hdf5" or "tiffs"
    Reconstruction made; // without its image
    int slicesPerGroup = 0;
    double bytesIn = 0, bytesOut = 0;
    // Bytes per second of reading, preparing and writing while nothing else runs; and their ratios to the machine's
    // rates.
    double readAlone = 0, prepareAlone = 0, writeAlone = 0;
    double readOverMachine = 0, writeOverMachine = 0;
    // Elapsed seconds over the longest of three times: reading and writing at the machine's rates, and computing.
    // Hardly ever below 1.
    double wholeOverSlowest = 0;
};

struct VolumeBenchmark {
    std::string scan;
    double machineRead = 0, machineWriteFile = 0, machineWriteFiles = 0; // bytes per second, see disk_rates.h
    std::vector<MeasuredVolume> runs;                                    // to one HDF5 file, and to TIFFs
};

// doing: receives the progress, for a progress bar. Throws Error.
VolumeBenchmark benchmarkVolume(const VolumeBenchmarkOptions& options,
                                const std::function<void(double fraction, const std::string& doing)>& doing,
                                std::stop_token stop);

} // namespace engine

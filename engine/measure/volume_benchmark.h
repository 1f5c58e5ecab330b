// SPDX-License-Identifier: GPL-3.0-or-later
// A whole volume from disk to disk, beside what the disk and the device could do.
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
    std::shared_ptr<const Scan> scan; // null: one of `size` bins is made, counts of the Shepp-Logan phantom
    int size = 512, projections = 512, slices = 512;
    std::string sampleType = "uint16"; // or "float32"
    std::filesystem::path folder;      // where everything is written, in a folder of its own that is removed
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
    // Bytes a second of reading, preparing and writing where nothing else goes on; and of what the machine gives and
    // takes.
    double readAlone = 0, prepareAlone = 0, writeAlone = 0;
    double readOverMachine = 0, writeOverMachine = 0;
    double wholeOverSlowest = 0; // ≥ 1 or nearly: seconds, over those of the slowest that it has to wait for
};

struct VolumeBenchmark {
    std::string scan;
    double machineRead = 0, machineWriteFile = 0, machineWriteFiles = 0; // bytes a second, see disk_rates.h
    std::vector<MeasuredVolume> runs;                                    // to one HDF5 file, and to TIFFs
};

// `doing`: what is going on, for a progress bar. Throws Error.
VolumeBenchmark benchmarkVolume(const VolumeBenchmarkOptions& options,
                                const std::function<void(double fraction, const std::string& doing)>& doing,
                                std::stop_token stop);

} // namespace engine

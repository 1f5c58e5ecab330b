// Many slices of a scan, one group after the other: for a file, and for the view in three dimensions.
#pragma once

#include "engine/io/open_scan.h"
#include "engine/reconstruction.h"
#include "engine/stored_values.h"

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace ui
{

// Voxels along x, y and z of a scan's stack of every step-th pixel and slice.
std::array<int, 3> sizeOfStack(const std::shared_ptr<const engine::Scan>& scan, int step);

// Every pixel and slice (1) of a stack that is small, else every second.
int proposedStep(const std::shared_ptr<const engine::Scan>& scan);

// Every step-th row and every step-th pixel, as one volume in memory. Throws engine::Error.
std::shared_ptr<const engine::Reconstruction> reconstructStack(const engine::Request& request, int step,
                                                               const std::function<void(double)>& progress,
                                                               std::stop_token stop);

// Where a volume is written, and how its values are stored.
struct VolumeFile {
    std::filesystem::path path; // .h5, or a folder of TIFFs
    bool overwrite = false;     // the user wants what is there replaced
    engine::OutputChoice stored;
};

struct WrittenVolume {
    engine::Reconstruction made; // without an image
    engine::StorageNote note;    // among its notes too
};

// All rows, group by group; nothing is left when it is stopped. opened: how the scan was opened, stored with the
// request. name: the TIFFs' in a folder. Throws engine::Error.
WrittenVolume writeStack(const engine::Request& request, const engine::OpenOptions& opened, const VolumeFile& file,
                         const std::string& name, const std::function<void(double)>& progress, std::stop_token stop);

} // namespace ui

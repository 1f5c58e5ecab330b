// Slices of a scan from the request to files: what the command line, the window and its queue do alike.
#pragma once

#include "engine/io/open_scan.h"
#include "engine/reconstruct_volume.h"
#include "engine/stored_values.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

namespace engine
{

struct VolumeOutput {
    std::filesystem::path path; // F.tif for one slice, F.h5, or a folder of TIFFs
    std::string name = {};      // of those, before their numbers
    bool overwrite = false;     // what is there is to be replaced
    OutputChoice stored = {};
    bool overlap = true; // of the stages; false: takes less memory
};

struct WrittenVolume {
    Reconstruction made; // without an image
    VolumePlan plan;
    OutputFormat format;
    StorageNote note; // among its notes too
};

// What the files of a scan's slices are called: its name without suffix.
std::string resultName(const std::filesystem::path& scan);

// request.place.slices, group by group; nothing is left when it is stopped. opened: how the scan was opened, stored
// with the request. warn: of what the user should see at once, a sentence; may be empty. Throws Error.
WrittenVolume writeVolume(const Request& request, const OpenOptions& opened, const VolumeOutput& output,
                          const std::function<void(const std::string&)>& warn, const VolumeProgress& progress,
                          std::stop_token stop);

} // namespace engine

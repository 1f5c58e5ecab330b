// Many slices of a scan, one group after the other: for a file, and for the view in three dimensions.
#pragma once

#include "engine/io/open_scan.h"
#include "engine/reconstruction.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>

namespace ui
{

// Every step-th row and every step-th pixel, as one volume in memory. Throws engine::Error.
std::shared_ptr<const engine::Reconstruction> reconstructStack(const engine::Request& request, int step,
                                                               const std::function<void(double)>& progress,
                                                               std::stop_token stop);

// All rows, group by group, to FILE.h5 or a folder of TIFFs; nothing is left when it is stopped.
// opened: how the scan was opened, stored with the request. What comes back has no image. Throws engine::Error.
engine::Reconstruction writeStack(const engine::Request& request, const engine::OpenOptions& opened,
                                  const std::filesystem::path& path, bool overwrite,
                                  const std::function<void(double)>& progress, std::stop_token stop);

} // namespace ui

// What `reconstruct` says of what it made.
#pragma once

#include "app/cli/reconstruct_options.h"
#include "engine/write_volume.h"

#include <stop_token>
#include <string>

namespace cli
{

// output: as the user calls it; what the disk takes is measured where the volume waited for it.
// What it would take, measured by a few slices; whether it is possible.
bool printPlan(const engine::Request& request, const engine::VolumeOutput& output, const std::stop_token& stop);

void print(const std::string& output, const engine::WrittenVolume& written, const std::stop_token& stop);

} // namespace cli

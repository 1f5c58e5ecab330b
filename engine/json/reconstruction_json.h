// SPDX-License-Identifier: GPL-3.0-or-later
// Reconstructions as JSON, as reports and volumes store them.
#pragma once

#include "engine/base/json_text.h"
#include "engine/io/files/output_format.h"
#include "engine/io/frames/open_options.h"
#include "engine/io/slices/volume_description.h"
#include "engine/reconstruct/reconstruction.h"

#include <string>
#include <vector>

namespace engine
{

inline constexpr const char* axisConvention = "bins from the centre of bin 0";

// Returns method, interpolation, precision, slicesPerPass, filter, axis, device, size, projections, kernelSeconds,
// totalSeconds, kernelGups, totalGups and the seconds of each stage.
std::string reconstructionJson(const Reconstruction&);
// As above, with the options by which the scan was opened: stored with a result so that it can be repeated.
std::string configurationJson(const Reconstruction&, const OpenOptions&);
// Returns the facts of one slice for its TIFF tags: scan, slice, axis, pixel size, settings, and how the scan was
// opened. They don't depend on how the volume was divided.
SliceFacts sliceFacts(const Reconstruction&, int slice, const OpenOptions&);

// Returns what an HDF5 file says about a volume. whole: the request for all of its slices.
VolumeDescription volumeDescription(const Reconstruction&, const Request& whole, const OpenOptions&);

// Returns the contents of reconstructionJson() as a JSON value.
Json reconstructionOf(const Reconstruction&);
// Returns a list with the warning about empty projections, or without it if there are none.
Json warningsOf(const Scan& scan, const std::vector<int>& emptyProjections);

} // namespace engine

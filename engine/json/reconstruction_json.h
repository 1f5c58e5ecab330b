// SPDX-License-Identifier: GPL-3.0-or-later
// Reconstructions as JSON, as reports and volumes store them.
#pragma once

#include "engine/base/json_text.h"
#include "engine/io/files/output_format.h"
#include "engine/io/frames/open_options.h"
#include "engine/reconstruct/reconstruction.h"

#include <string>
#include <vector>

namespace engine
{

inline constexpr const char* axisConvention = "bins from the centre of bin 0";

// method, interpolation, precision, slicesPerPass, filter, axis, device, size, projections,
// kernelSeconds, totalSeconds, kernelGups, totalGups and the seconds of each stage.
std::string reconstructionJson(const Reconstruction&);
// The same with how the scan was opened: stored with a result so that it can be repeated.
std::string configurationJson(const Reconstruction&, const OpenOptions&);
// Of one slice, as the tags of its TIFF say it: scan, slice, axis, pixel size, settings and ways to open; the same
// however the volume that it is of was divided.
SliceFacts sliceFacts(const Reconstruction&, int slice, const OpenOptions&);

// As values. warningsOf: of projections that are empty.
Json reconstructionOf(const Reconstruction&);
Json warningsOf(const Scan& scan, const std::vector<int>& emptyProjections);

} // namespace engine

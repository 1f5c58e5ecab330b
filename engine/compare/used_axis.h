// SPDX-License-Identifier: GPL-3.0-or-later
// The rotation axis of an image, for other requests that need the same axis.
#pragma once

#include "engine/reconstruct/reconstruction.h"

namespace engine
{

// Returns the axis as the image used it, however it was chosen, so that it isn't searched again. asked: from the
// image's request; returned if the axis is that of the scan, as that may differ from projection to projection.
inline AxisSettings usedAxis(const AxisSettings& asked, const Reconstruction& image)
{
    return image.axisSource == "scan" ? asked : AxisSettings{AxisSettings::Mode::given, image.axisBins};
}

} // namespace engine

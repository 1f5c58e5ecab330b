// SPDX-License-Identifier: GPL-3.0-or-later
// The rotation axis of an image, for other requests that need the same axis.
#pragma once

#include "engine/reconstruct/reconstruction.h"

namespace engine
{

// Returns the axis that the image used, however it was chosen, as a given axis, so that it isn't searched again. asked:
// the axis settings of the image's request. They are returned if the image used the axis stored in the scan, which may
// differ from projection to projection.
inline AxisSettings usedAxis(const AxisSettings& asked, const Reconstruction& image)
{
    return image.axisSource == "scan" ? asked : AxisSettings{AxisSettings::Mode::given, image.axisBins};
}

} // namespace engine

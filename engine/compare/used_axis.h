// SPDX-License-Identifier: GPL-3.0-or-later
// The rotation axis of an image, for another request that is to have the same.
#pragma once

#include "engine/reconstruct/reconstruction.h"

namespace engine
{

// As it was used, however it was chosen, so that it isn't looked for again. asked: of the image's request; that of the
// scan stays the scan's, as it may differ from projection to projection.
inline AxisSettings usedAxis(const AxisSettings& asked, const Reconstruction& image)
{
    return image.axisSource == "scan" ? asked : AxisSettings{AxisSettings::Mode::given, image.axisBins};
}

} // namespace engine

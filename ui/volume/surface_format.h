// SPDX-License-Identifier: GPL-3.0-or-later
// The OpenGL that VTK needs inside Qt.
#pragma once

#include <QSurfaceFormat>

namespace ui
{

// OpenGL 3.2 core, no samples: multisampling is left to VTK's own buffers, which are not used, as volumes
// have no edges to smooth.
QSurfaceFormat openGlFormat();

} // namespace ui

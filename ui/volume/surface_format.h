// SPDX-License-Identifier: GPL-3.0-or-later
// The OpenGL format that VTK needs inside Qt.
#pragma once

#include <QSurfaceFormat>

namespace ui
{

// Returns OpenGL 3.2 core without multisampling. VTK draws into its own buffers, which don't use it either, because
// volumes have no edges to smooth.
QSurfaceFormat openGlFormat();

} // namespace ui

// What has to be set before QApplication, for VTK inside Qt.
#pragma once

namespace ui
{

// OpenGL 3.2 core, no samples, contexts shared.
void prepareOpenGl();

} // namespace ui

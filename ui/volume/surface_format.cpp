// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/surface_format.h"

namespace ui
{

QSurfaceFormat openGlFormat()
{
    QSurfaceFormat format;
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    format.setAlphaBufferSize(8);
    format.setSamples(0);
    return format;
}

} // namespace ui

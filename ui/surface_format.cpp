#include "ui/surface_format.h"

#include <QCoreApplication>

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

void prepareOpenGl()
{
    QSurfaceFormat::setDefaultFormat(openGlFormat());
    QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
}

} // namespace ui

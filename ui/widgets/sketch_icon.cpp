// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/sketch_icon.h"

#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace ui
{

QIcon sketchIcon(const char* path, const QPalette& palette)
{
    const QString drawing =
        QStringLiteral("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %1 %2'><path d='%3' "
                       "fill='none' stroke='%4' stroke-width='1.3' stroke-linejoin='round'/></svg>");
    QPixmap picture(2 * sketchSize);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    QSvgRenderer(drawing.arg(sketchSize.width())
                     .arg(sketchSize.height())
                     .arg(QLatin1String(path), palette.color(QPalette::WindowText).name())
                     .toUtf8())
        .render(&painter);
    painter.end();
    picture.setDevicePixelRatio(2);
    return picture;
}

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dropped.h"

#include "ui/opening/is_session.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>

#include <algorithm>

namespace ui
{

namespace
{

QString dropText(const char* text)
{
    return QCoreApplication::translate("ui::Dropped", text);
}

bool isTiff(const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    return suffix == QLatin1String("tif") || suffix == QLatin1String("tiff");
}

Dropped refused(const QString& why)
{
    return {.kind = Dropped::Kind::nothing, .path = {}, .refusal = why};
}

} // namespace

Dropped droppedOf(const QMimeData& data)
{
    QStringList paths;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile())
            paths << QDir::cleanPath(url.toLocalFile());
    if (paths.isEmpty())
        return refused(dropText("Only files and folders of this computer can be opened: save it first, then drop it."));
    if (paths.size() > 1)
        return refused((std::ranges::all_of(paths, isTiff)
                            ? dropText("%1 images were dropped: drop the folder with the scan's images instead.")
                            : dropText("%1 things were dropped: drop one scan, session or recipe at a time."))
                           .arg(paths.size()));
    const QString& path = paths.front();
    if (isSession(path))
        return {.kind = Dropped::Kind::session, .path = path, .refusal = {}};
    if (path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive))
        return {.kind = Dropped::Kind::recipe, .path = path, .refusal = {}};
    return {.kind = Dropped::Kind::scan, .path = path, .refusal = {}};
}

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/scan_names.h"

#include "engine/io/open/readers.h"

#include <QRegularExpression>

namespace ui
{

QString forFileName(const QString& text)
{
    static const QRegularExpression others(QStringLiteral("[^\\w.+-]+"));
    return QString(text).replace(others, QStringLiteral("_"));
}

QString nameOf(const engine::Scan& scan)
{
    QString name = QString::fromStdString(engine::withoutSuffix(scan.name));
    if (scan.path.empty()) // "Shepp-Logan (modified), 512 bins, …"
        name = name.section(QLatin1Char(','), 0, 0).remove(QLatin1Char('(')).remove(QLatin1Char(')'));
    return forFileName(name);
}

QString defaultName(const engine::Scan& scan, int slice)
{
    return QStringLiteral("%1_slice_%2").arg(nameOf(scan)).arg(slice, 5, 10, QLatin1Char('0'));
}

} // namespace ui

// Which files are sessions.
#pragma once

#include <QString>

namespace ui
{

inline bool isSession(const QString& path)
{
    return path.endsWith(QLatin1String(".sinoscope"), Qt::CaseInsensitive);
}

} // namespace ui

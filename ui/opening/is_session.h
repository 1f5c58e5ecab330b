// SPDX-License-Identifier: GPL-3.0-or-later
// A test whether a file is a session, by its name.
#pragma once

#include <QString>

namespace ui
{

inline bool isSession(const QString& path)
{
    return path.endsWith(QLatin1String(".sinoscope"), Qt::CaseInsensitive);
}

} // namespace ui

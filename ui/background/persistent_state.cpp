// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/persistent_state.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace ui
{

namespace
{
constexpr int keptScans = 10;
} // namespace

QString PersistentState::userFile()
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation))
        .filePath(QStringLiteral("sinoscope/sinoscope.ini"));
}

void PersistentState::load()
{
    if (m_settings)
        m_recent = m_settings->value(QStringLiteral("recent")).toStringList().mid(0, keptScans);
}

void PersistentState::addRecent(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    m_recent.removeAll(absolute);
    m_recent.prepend(absolute);
    m_recent = m_recent.mid(0, keptScans);
    store();
}

void PersistentState::forgetRecent()
{
    m_recent.clear();
    store();
}

void PersistentState::store()
{
    if (m_settings)
        m_settings->setValue(QStringLiteral("recent"), m_recent);
}

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/persistent_state.h"

#include "engine/base/error.h"
#include "engine/base/own_file.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace ui
{

namespace
{
constexpr int keptScans = 10;
const QString recentKey = QStringLiteral("recent"), waysKey = QStringLiteral("recentWays");
} // namespace

PersistentState::PersistentState(const QString& file)
{
    constexpr std::size_t mostBytes = 16 << 20;
    for (const QString& path : {file, file + QStringLiteral(".lock")}) // QSettings opens both, whatever they are
        if (m_problem.empty())
            m_problem = engine::readOwnFile(path.toStdString(), mostBytes).problem;
    if (m_problem.empty())
        m_settings = std::make_unique<QSettings>(file, QSettings::IniFormat);
}

QString PersistentState::userFile()
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation))
        .filePath(QStringLiteral("sinoscope/sinoscope.ini"));
}

void PersistentState::load()
{
    if (!m_settings)
        return;
    m_recent.clear();
    const QStringList paths = m_settings->value(recentKey).toStringList().mid(0, keptScans);
    const QStringList ways = m_settings->value(waysKey).toStringList();
    for (qsizetype k = 0; k < paths.size(); ++k)
        m_recent << Recent{paths[k], ways.value(k)};
}

QStringList PersistentState::recentScans() const
{
    QStringList paths;
    for (const Recent& recent : m_recent)
        paths << recent.path;
    return paths;
}

void PersistentState::addRecent(const QString& path)
{
    Recent added{QFileInfo(path).absoluteFilePath(), {}};
    for (qsizetype k = m_recent.size() - 1; k >= 0; --k)
        if (m_recent[k].path == added.path)
            added = m_recent.takeAt(k);
    m_recent.prepend(added);
    m_recent = m_recent.mid(0, keptScans);
    store();
}

std::optional<engine::OpeningWay> PersistentState::wayOf(const QString& path) const
{
    const auto found = std::ranges::find(m_recent, path, &Recent::path);
    if (found == m_recent.end() || found->way.isEmpty())
        return {};
    try {
        return engine::openingWayFromJson(found->way.toStdString());
    } catch (const engine::Error&) {
        return {}; // stored by an incompatible version
    }
}

void PersistentState::setWay(const QString& path, const engine::OpeningWay& way)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    const auto found = std::ranges::find(m_recent, absolute, &Recent::path);
    const QString text = QString::fromStdString(engine::openingWayJson(way));
    if (found == m_recent.end() || found->way == text)
        return;
    found->way = text;
    store();
}

void PersistentState::forgetRecent()
{
    m_recent.clear();
    store();
}

void PersistentState::store()
{
    if (!m_settings)
        return;
    QStringList ways;
    for (const Recent& recent : m_recent)
        ways << recent.way;
    m_settings->setValue(recentKey, recentScans());
    m_settings->setValue(waysKey, ways);
}

} // namespace ui

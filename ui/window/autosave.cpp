// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/autosave.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>

namespace ui
{

namespace
{

const QString autosaveSuffix = QStringLiteral(".sinoscope");
const QString runningPrefix = QStringLiteral("autosave-"), endedPrefix = QStringLiteral("ended-");

std::unique_ptr<QLockFile> lockOf(const QString& file)
{
    auto lock = std::make_unique<QLockFile>(file + QStringLiteral(".lock"));
    lock->setStaleLockTime(0); // never stale, however long the program runs
    return lock;
}

} // namespace

Autosave::Autosave() = default;
Autosave::Autosave(Autosave&&) noexcept = default;
Autosave& Autosave::operator=(Autosave&&) noexcept = default;

Autosave::Autosave(const QString& folder)
{
    const QDir place(folder);
    if (!place.mkpath(QStringLiteral(".")))
        return;
    const QString own = QString::number(QCoreApplication::applicationPid());
    for (const QFileInfo& other : place.entryInfoList(
             {runningPrefix + QLatin1Char('*') + autosaveSuffix, endedPrefix + QLatin1Char('*') + autosaveSuffix},
             QDir::Files, QDir::Time)) {
        const auto lock = lockOf(other.filePath());
        if (!lock->tryLock())
            continue;                    // its program is still running
        m_leftBehind = other.filePath(); // the newest; the others are offered at later starts
        break;
    }
    m_file = place.filePath(runningPrefix + own + autosaveSuffix);
    if (m_leftBehind == m_file || m_leftBehind == endedFile()) { // an earlier program had the same process id
        const QString left = m_leftBehind + QStringLiteral(".left");
        QFile::remove(left);
        QFile::rename(m_leftBehind, left);
        m_leftBehind = left;
    }
    m_lock = lockOf(m_file);
    if (!m_lock->tryLock()) {
        m_file.clear();
        return;
    }
    for (const QString& older : {m_file, endedFile()}) // also of that process, but not the newest
        if (QFile::exists(older))
            QFile::rename(older, place.filePath(runningPrefix + own + QLatin1Char('-') +
                                                QString::number(QDateTime::currentMSecsSinceEpoch()) + autosaveSuffix));
}

Autosave::~Autosave()
{
    if (!m_file.isEmpty())
        QFile::remove(m_file);
}

void Autosave::keep(const engine::Session& session) noexcept
{
    if (m_file.isEmpty())
        return;
    QFile::remove(endedFile());
    try {
        engine::writeSession(session, m_file.toStdString(), true);
    } catch (...) {
        m_file.clear(); // don't try again
    }
}

// Writes the file and a copy. If the user cancels the log-out, the program goes on, and keep() removes the copy.
void Autosave::keepForNextStart(const engine::Session& session) noexcept
{
    keep(session);
    if (!m_file.isEmpty())
        QFile::copy(m_file, endedFile());
}

QString Autosave::endedFile() const
{
    const QFileInfo file(m_file);
    return file.dir().filePath(endedPrefix + file.fileName().mid(runningPrefix.size()));
}

bool Autosave::wasAskedToEnd() const
{
    return QFileInfo(m_leftBehind).fileName().startsWith(endedPrefix);
}

void Autosave::forgetLeftBehind()
{
    if (!m_leftBehind.isEmpty())
        QFile::remove(m_leftBehind);
    m_leftBehind.clear();
}

} // namespace ui

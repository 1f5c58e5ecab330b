// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/autosave.h"

#include "engine/base/own_file.h"
#include "engine/base/remove_file.h"

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

// Returns the lock of a file; null if another program has it, or if something else lies in its place.
std::unique_ptr<QLockFile> lockedOf(const QString& file)
{
    constexpr std::size_t mostBytes = 1 << 16;
    const QString path = file + QStringLiteral(".lock");
    if (!engine::readOwnFile(path.toStdString(), mostBytes).problem.empty())
        return {};
    auto lock = std::make_unique<QLockFile>(path);
    lock->setStaleLockTime(0); // never stale, however long the program runs
    return lock->tryLock() ? std::move(lock) : nullptr;
}

void removeFile(const QString& file)
{
    engine::removeFile(QFile::encodeName(file).constData());
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
    QStringList left;
    for (const QFileInfo& other : place.entryInfoList(
             {runningPrefix + QLatin1Char('*') + autosaveSuffix, endedPrefix + QLatin1Char('*') + autosaveSuffix},
             QDir::Files, QDir::Time)) {
        if (lockedOf(other.filePath())) // its program isn't running any more
            left << other.filePath();
    }
    m_file = place.filePath(runningPrefix + own + autosaveSuffix);
    m_lock = lockedOf(m_file);
    if (!m_lock) {
        m_file.clear();
        m_left = left;
        return;
    }
    for (const QString& other : std::as_const(left)) {
        QString kept = other;
        if (other == m_file || other == endedFile()) { // an earlier program had the same process id
            const bool isEnded = other == endedFile();
            kept = place.filePath((isEnded ? endedPrefix : runningPrefix) + own + QLatin1Char('-') +
                                  QString::number(QDateTime::currentMSecsSinceEpoch()) + autosaveSuffix);
            QFile::rename(other, kept);
        }
        m_left << kept;
    }
}

Autosave::~Autosave()
{
    if (!m_file.isEmpty())
        removeFile(m_file);
}

void Autosave::keep(const engine::Session& session) noexcept
{
    if (m_file.isEmpty())
        return;
    removeFile(endedFile());
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
    return QFileInfo(leftBehind()).fileName().startsWith(endedPrefix);
}

void Autosave::forgetLeftBehind()
{
    if (!m_left.isEmpty())
        removeFile(m_left.takeFirst());
}

} // namespace ui

#include "ui/autosave.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QLockFile>

namespace ui
{

namespace
{

const QString autosaveSuffix = QStringLiteral(".sinoscope");

std::unique_ptr<QLockFile> lockOf(const QString& file)
{
    auto lock = std::make_unique<QLockFile>(file + QStringLiteral(".lock"));
    lock->setStaleLockTime(0); // however long it runs
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
    const QString own = QStringLiteral("autosave-%1").arg(QCoreApplication::applicationPid());
    for (const QFileInfo& other :
         place.entryInfoList({QStringLiteral("autosave-*") + autosaveSuffix}, QDir::Files, QDir::Time)) {
        const auto lock = lockOf(other.filePath());
        if (!lock->tryLock())
            continue; // it runs
        if (m_leftBehind.isEmpty())
            m_leftBehind = other.filePath();
        else
            QFile::remove(other.filePath()); // older
    }
    m_file = place.filePath(own + autosaveSuffix);
    if (m_file == m_leftBehind) { // the number of a process came again
        m_leftBehind += QStringLiteral(".left");
        QFile::rename(m_file, m_leftBehind);
    }
    m_lock = lockOf(m_file);
    if (!m_lock->tryLock())
        m_file.clear();
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
    try {
        engine::writeSession(session, m_file.toStdString(), true);
    } catch (...) {
        m_file.clear(); // and not tried again
    }
}

void Autosave::forgetLeftBehind()
{
    if (!m_leftBehind.isEmpty())
        QFile::remove(m_leftBehind);
    m_leftBehind.clear();
}

} // namespace ui

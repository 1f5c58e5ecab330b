// SPDX-License-Identifier: GPL-3.0-or-later
// Holds a program at a place of its work, so that a test that sends a signal or kills doesn't depend on when: hold.cpp.
#pragma once

#include "tests/fixtures.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStringList>

namespace program
{

// It is let go when this goes.
class Hold
{
  public:
    enum class Until {
        askedToStop, // by a signal
        letGo,       // whatever signals come
    };
    // At the n-th time that the program creates or writes a file whose path contains `name`.
    explicit Hold(const QString& name, int times = 1, Until until = Until::askedToStop)
        : m_name(name), m_times(times), m_until(until)
    {
    }

    // As "NAME=VALUE", for the program to be started with.
    QStringList variables() const
    {
        QStringList all{QStringLiteral("LD_PRELOAD=" SINOSCOPE_HOLD), "SINOSCOPE_HOLD_AT=" + m_name,
                        QString("SINOSCOPE_HOLD_TIMES=%1").arg(m_times), "SINOSCOPE_HOLD_FILE=" + file()};
        if (m_until == Until::letGo)
            all << QStringLiteral("SINOSCOPE_HOLD_FIRMLY=1");
        if (fixtures::sanitized) // which wants to be loaded first
            all << "ASAN_OPTIONS=" + qEnvironmentVariable("ASAN_OPTIONS") + ":verify_asan_link_order=0";
        return all;
    }
    void prepare(QProcess& process) const
    {
        QProcessEnvironment environment = process.processEnvironment();
        if (environment.isEmpty())
            environment = QProcessEnvironment::systemEnvironment();
        for (const QString& each : variables())
            environment.insert(each.section('=', 0, 0), each.section('=', 1));
        process.setProcessEnvironment(environment);
    }

    // Waits until it is held there. False where it ended before, or never comes there.
    bool isReached(const QProcess& process) const
    {
        return fixtures::comes([&] { return QFile::exists(file()) || process.state() == QProcess::NotRunning; }) &&
               QFile::exists(file());
    }
    pid_t pid() const // of the process that is held
    {
        QFile told(file());
        return told.open(QIODevice::ReadOnly) ? pid_t(told.readLine().trimmed().toLong()) : -1;
    }
    void letGo() const { QFile::remove(file()); }

  private:
    QString file() const { return m_folder.file(QStringLiteral("held")); }

    fixtures::TemporaryFolder m_folder;
    QString m_name;
    int m_times;
    Until m_until;
};

} // namespace program

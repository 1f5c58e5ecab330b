// SPDX-License-Identifier: GPL-3.0-or-later
// Stops a program at a defined place (hold.cpp), so that tests that send signals or kill it do not depend on timing.
#pragma once

#include "tests/fixtures.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStringList>

namespace program
{

// Holds the program for its own lifetime.
class Hold
{
  public:
    enum class Until {
        askedToStop, // continue when a signal requests a stop
        letGo,       // ignore signals
    };
    // Stops the program when it creates or writes a file whose path contains `name` for the n-th time.
    explicit Hold(const QString& name, int times = 1, Until until = Until::askedToStop)
        : m_name(name), m_times(times), m_until(until)
    {
    }

    // Returns the environment variables for the program, as "NAME=VALUE".
    QStringList variables() const
    {
        QStringList all{QStringLiteral("LD_PRELOAD=" SINOSCOPE_HOLD), "SINOSCOPE_HOLD_AT=" + m_name,
                        QString("SINOSCOPE_HOLD_TIMES=%1").arg(m_times), "SINOSCOPE_HOLD_FILE=" + file()};
        if (m_until == Until::letGo)
            all << QStringLiteral("SINOSCOPE_HOLD_FIRMLY=1");
        if (fixtures::sanitized) // the sanitizer's library wants to be loaded first
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

    // Waits until the program is held. Returns false if it ended before.
    bool isReached(const QProcess& process) const
    {
        return fixtures::comes([&] { return QFile::exists(file()) || process.state() == QProcess::NotRunning; }) &&
               QFile::exists(file());
    }
    pid_t pid() const // of the held process
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

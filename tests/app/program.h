// SPDX-License-Identifier: GPL-3.0-or-later
// The command-line program, run in a temporary folder as a user would: tests see its status, output and files.
#pragma once

#include "tests/app/hold.h"
#include "tests/fixtures.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <csignal>

namespace program
{

inline const QString path = QStringLiteral(SINOSCOPE_BIN_DIR "/sinoscope-cli");

struct Result {
    int status = -1; // −1 when it crashed or hung
    QByteArray out, err;

    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    QJsonArray list() const { return QJsonDocument::fromJson(out).array(); }
};

inline Result finished(QProcess& process)
{
    Result result;
    if (!process.waitForFinished(600000)) // it hangs
        process.kill();
    else if (process.exitStatus() == QProcess::NormalExit)
        result.status = process.exitCode();
    result.out = process.readAllStandardOutput();
    result.err = process.readAllStandardError();
    return result;
}

// A temporary folder, and the program run in it.
class Folder
{
  public:
    Folder()
    {
        // A shell may have set these signals to be ignored, which child processes inherit.
        std::signal(SIGINT, SIG_DFL);
        std::signal(SIGHUP, SIG_DFL);
    }

    Result run(const QStringList& arguments) const
    {
        QProcess process;
        start(process, arguments);
        return finished(process);
    }
    void start(QProcess& process, const QStringList& arguments) const
    {
        process.setWorkingDirectory(folder());
        process.start(program::path, arguments);
    }
    // Waits until the program is held as `hold` specifies. Returns false if it ended before.
    bool startHeld(QProcess& process, const QStringList& arguments, const Hold& hold) const
    {
        hold.prepare(process);
        start(process, arguments);
        return hold.isReached(process);
    }
    bool startHeld(QProcess&, const QStringList&, Hold&&) const = delete; // would release it immediately

    // head.h5: 96 bins, 151 projections, 5 slices, axis 2.5 bins off; head.tif: the exact middle slice.
    Result makeHead() const
    {
        return run({"phantom", "shepp-logan-3d", "--size", "96", "--projections", "151", "--slices", "5",
                    "--axis-offset", "2.5", "--output", "head.h5", "--exact", "head.tif", "--json", "-"});
    }

    QString folder() const { return file({}); }
    QString file(const QString& name) const { return m_folder.file(name); }
    std::filesystem::path path(const QString& name) const { return file(name).toStdString(); }
    QStringList files(const QString& below = {}) const
    {
        return QDir(file(below)).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
    }
    QByteArray contents(const QString& name) const
    {
        QFile from(file(name));
        return from.open(QIODevice::ReadOnly) ? from.readAll() : "There is no " + name.toUtf8();
    }

  private:
    fixtures::TemporaryFolder m_folder;
};

} // namespace program

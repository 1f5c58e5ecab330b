// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/session_report.h"

#include "engine/base/error.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/pending_file.h"
#include "ui/report/report_formats.h"
#include "ui/report/session_page.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace ui
{

namespace
{

engine::ProtectedInputs inputsOf(const engine::Session& session, const engine::Scan& scan, const QString& file)
{
    engine::ProtectedInputs inputs(scan);
    if (!file.isEmpty())
        inputs.add({file.toStdString(), "the session"});
    inputs.add({session.list.reference.file.file, "the reference"});
    return inputs;
}

void writeAll(const QByteArray& bytes, const engine::PendingFile& pending)
{
    QFile file(QString::fromStdString(pending.temporary().string()));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.flush())
        throw engine::Error(engine::ErrorKind::output,
                            "'" + pending.path().string() + "' can't be written; is the disk full?");
}

} // namespace

void writeSessionReport(const QString& path, SessionResults results, const SessionDrawings& drawings, bool overwrite,
                        const BackgroundTask::Progress& progress, const std::stop_token& stop)
{
    const ReportFormat* format = reportFormatOf(path);
    if (!format)
        throw engine::Error(engine::ErrorKind::output, "'" + path.toStdString() +
                                                           "' has an unknown report format; end its name in " +
                                                           reportSuffixes().toStdString() + ".");
    engine::PendingFile pending(path.toStdString(), overwrite, inputsOf(results.session, *results.scan, results.file));
    measureRest(results, stop);
    progress(0.2);
    if (!format->isPage) {
        writeAll(sessionReportJson(results), pending);
    } else {
        const Page page = sessionPage(results, drawings, stop);
        progress(0.6);
        writeAll(format->suffix == QStringLiteral(".pdf") ? pdfOf(page, stop) : htmlOf(page), pending);
    }
    progress(1);
    pending.commit();
}

void runSessionReport(const StartOptions& options, const std::function<void(const QString&)>& line,
                      const std::stop_token& stop)
{
    const QString path = options.report;
    engine::Session session = engine::readSession(options.scan.toStdString());
    session.slice = options.slice.value_or(session.slice);
    session.opened.allowOutside = options.open.allowOutside;
    {
        // Reports a file that can't be written before any long work.
        const engine::PendingFile possible(path.toStdString(), options.overwrite,
                                           inputsOf(session, *engine::openScan(session), options.scan));
    }
    ComputeOptions compute;
    compute.line = line;
    compute.stop = stop;
    SessionResults results = computedResults(session, compute);
    results.file = QFileInfo(options.scan).absoluteFilePath();
    const SessionDrawings drawings = drawingsOf(results);
    writeSessionReport(
        path, results, drawings, options.overwrite, [](double) {}, stop);
    line(QStringLiteral("The report: ") + path);
}

} // namespace ui

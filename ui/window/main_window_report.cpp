// MainWindow's report of what is compared.
#include "engine/base/error.h"
#include "ui/report/report_formats.h"
#include "ui/report/session_report.h"
#include "ui/window/main_window_impl.h"

#include <QDesktopServices>
#include <QUrl>

namespace ui
{

void MainWindow::saveReport(const QString& path)
{
    const ReportFormat* format = reportFormatOf(path);
    if (!format)
        return m_impl->messages->fail(
            tr("%1 says no kind of report; end its name in %2.").arg(QDir::toNativeSeparators(path), reportSuffixes()));
    if (!m_impl->shown.hasResult() || busy())
        return m_impl->messages->fail(tr("Not everything is computed yet; wait for it, then save the report again."));
    try {
        const engine::Session session = m_impl->sessionNow();
        SessionResults results = resultsOf(session, m_impl->scan, m_impl->shown, m_impl->numbers->tried());
        const SessionDrawings drawings = format->isPage ? drawingsOf(results) : SessionDrawings{};
        m_impl->saveInBackground(
            path, tr("the report"),
            [path, results, drawings](std::stop_token stop, const BackgroundTask::Progress& progress) mutable {
                writeSessionReport(path, std::move(results), drawings, true, progress, stop);
            },
            [path]() -> Impl::Said {
                return {{}, false, tr("Open it"), [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }};
            });
    } catch (...) {
        m_impl->messages->fail(messageOfCurrentException());
    }
}

} // namespace ui

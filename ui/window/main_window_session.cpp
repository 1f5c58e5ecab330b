// MainWindow's sessions: what is compared as a file, and what is left of a program that didn't end by itself.
#include "engine/base/error.h"
#include "engine/documents/session.h"
#include "ui/window/main_window_impl.h"

#include <QFileDialog>
#include <QFileInfo>

namespace ui
{

engine::Session MainWindow::Impl::sessionNow() const
{
    return sessionOf(scans.opened(), layout.inputs(), layout.results());
}

// A little after the last change: dragging writes nothing.
void MainWindow::Impl::keepSoon()
{
    if (scan)
        keeping.start();
}

void MainWindow::Impl::offerWhatWasLeft()
{
    const QString left = autosave.leftBehind();
    if (left.isEmpty() || std::exchange(leftOffered, true) || !messages->text().isEmpty())
        return;
    messages->showHint(autosave.wasAskedToEnd()
                           ? tr("Sinoscope was ended from outside the last time, as by a log-out. What was compared "
                                "was saved.")
                           : tr("Sinoscope didn't end by itself the last time. What was compared is still there."),
                       tr("Open it"), [this, left] { window->openSession(left); });
}

// As the window's own close, but what is compared is kept for the next start.
void MainWindow::endFromOutside()
{
    keepForNextStart();
    close();
}

void MainWindow::keepForNextStart()
{
    m_impl->keeping.stop();
    if (m_impl->scan)
        m_impl->autosave.keepForNextStart(m_impl->sessionNow());
    m_impl->save();
}

void MainWindow::openSession(const QString& path)
{
    try {
        engine::Session session = engine::readSession(path.toStdString());
        session.opened.allowOutside = m_impl->opening.start().allowsOutside();
        if (path == m_impl->autosave.leftBehind())
            m_impl->autosave.forgetLeftBehind();
        else
            m_impl->state.addRecent(path);
        m_impl->actions->showRecent();
        m_impl->openSession(session,
                            session.simulation ? QString::fromStdString(session.label) : QFileInfo(path).fileName());
    } catch (...) {
        m_impl->messages->fail(messageOfCurrentException());
    }
}

void MainWindow::Impl::openSession(const engine::Session& wanted, const QString& name)
{
    const bool isGone = !wanted.simulation && !QFileInfo::exists(QString::fromStdString(wanted.scan.string()));
    const QString path = wanted.simulation ? QString() : QString::fromStdString(wanted.scan.string());
    WantedScan scanOfIt{
        .name = name, .path = path, .options = wanted.opened, .open = [wanted](std::stop_token stop) {
            return OpenedScan{engine::openScan(wanted, std::move(stop)), wanted.opened, wanted.simulation};
        }};
    if (isGone)
        scanOfIt.refused = [this, wanted, name](const QString& message) {
            messages->showError(message, tr("Find it…"), [this, wanted, name] { askForScanOf(wanted, name); });
        };
    else
        scanOfIt.allow = [this, wanted, name] {
            engine::Session allowed = wanted;
            allowed.opened.allowOutside = true;
            openSession(allowed, name);
        };
    opening.start().setSession(wanted);
    opening.openNew(scanOfIt);
}

// Where the scan of a session has gone.
void MainWindow::Impl::askForScanOf(const engine::Session& wanted, const QString& name)
{
    const QString was = QString::fromStdString(wanted.scan.string());
    const QString path = QFileDialog::getOpenFileName(window, tr("Find %1").arg(QFileInfo(was).fileName()),
                                                      QFileInfo(was).absolutePath());
    if (path.isEmpty())
        return;
    engine::Session found = wanted;
    found.scan = path.toStdString();
    openSession(found, name);
}

void MainWindow::saveSession(const QString& path)
{
    if (!m_impl->scan)
        return m_impl->messages->fail(tr("There is nothing to save yet; open a scan first."));
    try {
        m_impl->inputs().refuse(path.toStdString());
        engine::writeSession(m_impl->sessionNow(), path.toStdString(), true);
        m_impl->messages->showInformation(tr("Saved %1").arg(QDir::toNativeSeparators(path)));
        m_impl->state.addRecent(path);
        m_impl->actions->showRecent();
        emit saved(path);
    } catch (...) {
        m_impl->messages->fail(messageOfCurrentException());
    }
}

} // namespace ui

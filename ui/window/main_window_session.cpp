// MainWindow's sessions: what is compared as a file, and what is left of a program that didn't end by itself.
#include "engine/base/error.h"
#include "engine/documents/session.h"
#include "ui/window/main_window_impl.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace ui
{

namespace
{

const QString tabKey = QStringLiteral("tab"); // under the images

} // namespace

void MainWindow::Impl::recordAct(Workbench before, bool continues)
{
    before.trialStep = trialStep;
    history.record(std::move(before), continues && !trialStep); // taking a trial slice is an act of its own
    showSteps();
}

MainWindow::Impl::Workbench MainWindow::Impl::workbench() const
{
    return {settings->list(), images->marks(), scan, openedWith, sliceBar->slice(), trials->stepBins()};
}

// Back or forward, through settings, lines, areas and geometries alike.
void MainWindow::Impl::step(std::optional<Workbench> next)
{
    if (!next)
        return;
    if (next->scan != scan)
        change(next->scan, next->opened, next->marks, next->slice);
    settings->showList(next->list);
    if (next->trialStep)
        trials->setStep(*next->trialStep);
    images->setMarks(next->marks);
    showSteps();
    reconstruction.showMarks();
    reconstruction.reconstruct();
}

void MainWindow::Impl::showSteps()
{
    settings->setSteps(history.canGoBack(), history.canGoForward());
}

engine::Session MainWindow::Impl::sessionNow() const
{
    engine::Session now;
    now.simulation = simulation;
    now.label = scan->name;
    now.scan = scan->path;
    now.opened = openedWith;
    now.slice = sliceBar->slice();
    now.list = settings->list();
    now.resources = settings->request(0).resources;
    now.resources.threads = 0; // the machine's own
    now.marks = images->marks();
    QJsonObject looks = images->looks();
    looks[tabKey] = numbers->currentIndex();
    now.window = QJsonDocument(looks).toJson(QJsonDocument::Compact).toStdString();
    return now;
}

// Of the scan that has been opened.
void MainWindow::Impl::takeSession(const engine::Session& session)
{
    settings->setResources(session.resources);
    settings->setList(session.list);
    if (session.slice < scan->slices())
        sliceBar->setSlice(session.slice);
    else
        messages->fail(tr("Slice %1 of the session is not in the scan, which has slices 0 to %2.")
                           .arg(session.slice)
                           .arg(scan->slices() - 1));
    images->setMarks(session.marks);
    const QJsonObject looks = QJsonDocument::fromJson(QByteArray::fromStdString(session.window)).object();
    images->setLooks(looks);
    numbers->setCurrentIndex(std::clamp(looks[tabKey].toInt(), 0, numbers->count() - 1));
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
        session.opened.allowOutside = m_impl->start.open.allowOutside;
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
    start = {};
    start.session = wanted;
    openInBackground(
        name, [wanted](std::stop_token stop) { return engine::openScan(wanted, std::move(stop)); },
        wanted.simulation ? QString() : QString::fromStdString(wanted.scan.string()), wanted.opened,
        takeNew(wanted.simulation ? QString() : QString::fromStdString(wanted.scan.string()), wanted.opened,
                wanted.simulation),
        {},
        [this, wanted, name] {
            engine::Session allowed = wanted;
            allowed.opened.allowOutside = true;
            openSession(allowed, name);
        });
    if (isGone)
        connect(&opening, &BackgroundTask::failed, window, [this, wanted, name](const QString& message) {
            messages->showError(message, tr("Find it…"), [this, wanted, name] { askForScanOf(wanted, name); });
        });
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

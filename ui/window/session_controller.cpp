// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session_controller.h"

#include "engine/base/error.h"
#include "engine/documents/session.h"
#include "ui/background/background_task.h"
#include "ui/background/persistent_state.h"
#include "ui/widgets/engine_text.h"
#include "ui/window/message_bar.h"
#include "ui/window/opening_controller.h"
#include "ui/window/session_panels.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>

#include <utility>

namespace ui
{

namespace
{

constexpr int keepAfterMs = 2000; // since the last change

// Returns what a session's file compares: " of tooth.h5"; empty if that can't be read.
QString scanText(const QString& file)
{
    try {
        const engine::Session session = engine::readSession(file.toStdString());
        const QString name = session.simulation ? QString::fromStdString(session.label)
                                                : QFileInfo(QString::fromStdString(session.scan.string())).fileName();
        return name.isEmpty() ? QString() : SessionController::tr(" of %1").arg(name);
    } catch (...) {
        return {};
    }
}

} // namespace

SessionController::SessionController(QWidget& window, PersistentState& state, const InputPanels& inputs,
                                     const ResultPanels& results, MessageBar& messages, const ScanController& scan,
                                     OpeningController& opening)
    : m_window(window), m_state(state), m_inputs(inputs), m_results(results), m_messages(messages), m_scan(scan),
      m_opening(opening)
{
    // After a scan that can't be opened, there is no other moment to offer what was left.
    connect(&m_messages, &MessageBar::dismissed, this, [this] {
        if (!m_scan.scan() && !m_opening.busy())
            offerWhatWasLeft();
    });
    m_keeping.setSingleShot(true);
    m_keeping.setInterval(keepAfterMs);
    connect(&m_keeping, &QTimer::timeout, this, [this] {
        m_autosave.keep(sessionOf(m_scan.opened(), m_inputs, m_results));
        m_opening.rememberWay();
    });
}

void SessionController::keepIn(const QString& folder)
{
    m_autosave = Autosave(folder);
}

void SessionController::keepSoon()
{
    if (m_scan.scan())
        m_keeping.start();
}

void SessionController::keepForNextStart()
{
    m_keeping.stop();
    if (m_scan.scan())
        m_autosave.keepForNextStart(sessionOf(m_scan.opened(), m_inputs, m_results));
}

void SessionController::offerWhatWasLeft()
{
    const QString left = m_autosave.leftBehind();
    const engine::Text& problem = m_state.problem();
    if ((left.isEmpty() && problem.empty()) || !m_messages.text().isEmpty() || std::exchange(m_isLeftOffered, true))
        return;
    if (!problem.empty()) // nothing was left, as nothing is kept
        return m_messages.showHint(tr("%1 Nothing is kept until the next start.").arg(inWindow(problem)), {}, {});
    const QString why = m_autosave.wasAskedToEnd() ? tr("Sinoscope was closed by the system, for example at log-out.")
                                                   : tr("Sinoscope did not close properly last time.");
    const QString scan = scanText(left),
                  when = QLocale().toString(QFileInfo(left).lastModified(), QLocale::ShortFormat);
    m_messages.showHint(tr("%1 Your comparison%2 was saved: %3.").arg(why, scan, when), tr("Open it"),
                        [this, left] { open(left); });
    m_messages.addAction(tr("Discard it"), [this, scan, when] {
        if (QMessageBox::question(
                &m_window, tr("Discard the comparison?"),
                tr("Discard the comparison%1 that was saved %2? It can't be brought back then.").arg(scan, when),
                QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel) == QMessageBox::Discard)
            m_autosave.forgetLeftBehind();
        m_isLeftOffered = m_autosave.leftBehind().isEmpty();
        offerWhatWasLeft();
    });
}

void SessionController::open(const QString& path)
{
    try {
        engine::Session session = engine::readSession(path.toStdString());
        session.opened.allowOutside = m_opening.start().allowsOutside();
        const bool wasLeft = path == m_autosave.leftBehind();
        if (!wasLeft)
            m_state.addRecent(path);
        emit recentChanged();
        openScanOf(session, session.simulation ? QString::fromStdString(session.label) : QFileInfo(path).fileName(), {},
                   wasLeft ? Then([this] { m_autosave.forgetLeftBehind(); }) : Then());
    } catch (...) {
        m_messages.fail(messageOfCurrentException());
    }
}

std::optional<engine::Session> SessionController::current() const
{
    if (!m_scan.scan())
        return {};
    return sessionOf(m_scan.opened(), m_inputs, m_results);
}

void SessionController::bringBack(const engine::Session& session, std::optional<HistoryWay> way)
{
    openScanOf(session,
               session.simulation ? QString::fromStdString(session.label)
                                  : QFileInfo(QString::fromStdString(session.scan.string())).fileName(),
               way);
}

void SessionController::openScanOf(const engine::Session& session, const QString& name, std::optional<HistoryWay> way,
                                   const Then& then)
{
    const QString scanPath = QString::fromStdString(session.scan.string());
    WantedScan wanted{.name = name,
                      .path = session.simulation ? QString() : scanPath,
                      .options = session.opened,
                      .open = [session](std::stop_token stop) -> OpenedScan {
                          return {engine::openScan(session, std::move(stop)), session.opened, session.simulation};
                      },
                      .way = way,
                      .then = then};
    if (!session.simulation && !QFileInfo::exists(scanPath))
        wanted.refused = [this, session, name, then](const QString& message) {
            m_messages.showError(message, tr("Find it…"),
                                 [this, session, name, then] { askForScanOf(session, name, then); });
        };
    else
        wanted.allow = [this, session, name, way, then] {
            engine::Session allowed = session;
            allowed.opened.allowOutside = true;
            openScanOf(allowed, name, way, then);
        };
    m_opening.start().setSession(session);
    m_opening.openNew(wanted);
}

void SessionController::askForScanOf(const engine::Session& session, const QString& name, const Then& then)
{
    const QString was = QString::fromStdString(session.scan.string());
    const QString path = QFileDialog::getOpenFileName(&m_window, tr("Find %1").arg(QFileInfo(was).fileName()),
                                                      QFileInfo(was).absolutePath());
    if (path.isEmpty())
        return;
    engine::Session found = session;
    found.scan = path.toStdString();
    openScanOf(found, name, {}, then);
}

void SessionController::save(const QString& path)
{
    if (!m_scan.scan())
        return m_messages.fail(tr("There is nothing to save yet; open a scan first."));
    try {
        m_scan.inputFiles().refuse(path.toStdString());
        engine::writeSession(sessionOf(m_scan.opened(), m_inputs, m_results), path.toStdString(), true);
        m_messages.showInformation(tr("Saved %1").arg(QDir::toNativeSeparators(path)));
        m_state.addRecent(path);
        emit recentChanged();
        emit saved(path);
    } catch (...) {
        m_messages.fail(messageOfCurrentException());
    }
}

} // namespace ui

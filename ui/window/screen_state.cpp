// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/screen_state.h"

#include "ui/widgets/fold_out.h"
#include "ui/window/actions.h"
#include "ui/window/window_layout.h"

#include <QEvent>
#include <QGuiApplication>
#include <QMainWindow>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QScreen>
#include <QSettings>

#include <algorithm>

namespace ui
{

namespace
{

constexpr int stillMs = 1000, othersMs = 500;
constexpr int titleHeight = 30, leastTitle = 100; // of a title bar that can be reached
const QString geometryKey = QStringLiteral("geometry"), unfoldedKey = QStringLiteral("unfolded");

QString keyOfScreens()
{
    QList<ConnectedScreen> screens;
    for (const QScreen* screen : QGuiApplication::screens())
        screens << ConnectedScreen{screen->name(), screen->size()};
    return screensKey(screens);
}

} // namespace

QString screensKey(const QList<ConnectedScreen>& screens)
{
    QStringList parts;
    for (const ConnectedScreen& screen : screens)
        parts << QStringLiteral("%1 %2x%3").arg(screen.name).arg(screen.size.width()).arg(screen.size.height());
    parts.sort();
    // A slash would be a level of the settings.
    return parts.join(QStringLiteral(", ")).replace(QRegularExpression(QStringLiteral("[/\\\\]")), QStringLiteral("_"));
}

QRect placedOn(const QRect& frame, const QList<QRect>& screens)
{
    const QRect title(frame.topLeft(), QSize(frame.width(), titleHeight));
    const auto isReached = [&title](const QRect& screen) {
        const QRect seen = title & screen;
        return seen.width() >= std::min(leastTitle, title.width()) && 2 * seen.height() >= titleHeight;
    };
    if (screens.isEmpty() || std::ranges::any_of(screens, isReached))
        return frame;
    const QRect& room = screens.front();
    QRect placed(QPoint(), frame.size().boundedTo(room.size()));
    placed.moveCenter(room.center());
    return placed;
}

ScreenState::ScreenState(QMainWindow& window, WindowLayout& layout, Actions& actions)
    : m_window(window), m_layout(layout), m_actions(actions)
{
    for (const auto& [timer, ms] : {std::pair(&m_still, stillMs), {&m_others, othersMs}}) {
        timer->setSingleShot(true);
        timer->setInterval(ms);
    }
    connect(&m_still, &QTimer::timeout, this, &ScreenState::save);
    connect(&m_others, &QTimer::timeout, this, &ScreenState::follow);
}

void ScreenState::keepIn(QSettings& stored)
{
    m_stored = &stored;
    m_key = keyOfScreens();
    if (!restore())
        fitScreen();
    comeIntoView();
    const auto change = [this] {
        m_still.stop(); // the desktop moves the window, not the user
        m_others.start();
    };
    const auto watch = [this, change](const QScreen* screen) {
        connect(screen, &QScreen::geometryChanged, this, change);
        change();
    };
    for (const QScreen* screen : QGuiApplication::screens())
        connect(screen, &QScreen::geometryChanged, this, change);
    connect(qGuiApp, &QGuiApplication::screenAdded, this, watch);
    connect(qGuiApp, &QGuiApplication::screenRemoved, this, change);
    m_window.installEventFilter(this);
}

// A state of an older version, which is the same for all screens, counts for these until it is saved.
bool ScreenState::restore()
{
    m_stored->beginGroup(QStringLiteral("screens/") + m_key);
    const bool isKnown = m_stored->contains(geometryKey);
    if (!isKnown)
        m_stored->endGroup();
    const auto end = qScopeGuard([this, isKnown] {
        if (isKnown)
            m_stored->endGroup();
    });
    const bool isThere = m_window.restoreGeometry(m_stored->value(geometryKey).toByteArray());
    if (!isKnown && !isThere)
        return false;
    m_layout.restoreState(*m_stored);
    m_actions.restoreSidePanels(*m_stored);
    const QStringList unfolded = m_stored->value(unfoldedKey).toStringList();
    for (FoldOut* section : m_window.findChildren<FoldOut*>())
        section->unfold(unfolded.contains(section->name()));
    return isThere;
}

void ScreenState::saveFolds()
{
    m_stored->beginGroup(QStringLiteral("screens/") + m_key);
    m_layout.saveState(*m_stored);
    m_actions.saveSidePanels(*m_stored);
    QStringList unfolded;
    for (const FoldOut* section : m_window.findChildren<FoldOut*>())
        if (section->isUnfolded())
            unfolded << section->name();
    m_stored->setValue(unfoldedKey, unfolded);
    m_stored->endGroup();
}

void ScreenState::save()
{
    if (!m_stored)
        return;
    saveFolds();
    m_stored->setValue(QStringLiteral("screens/") + m_key + u'/' + geometryKey, m_window.saveGeometry());
    m_stored->remove(geometryKey); // of an older version
}

// Sets the size at the first start: most of a large screen, or all of a small one.
void ScreenState::fitScreen()
{
    constexpr double share = 0.85;
    const QSize room = m_window.screen()->availableSize();
    const QSize wanted = (room * share).expandedTo(m_window.size());
    m_window.resize(wanted.boundedTo(room));
    // With its frame, the window would exceed the screen.
    if (wanted.width() >= room.width() || wanted.height() >= room.height())
        m_window.setWindowState(Qt::WindowMaximized);
}

void ScreenState::comeIntoView()
{
    if (m_window.windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen))
        return;
    QList<QRect> screens{QGuiApplication::primaryScreen()->availableGeometry()};
    for (const QScreen* screen : QGuiApplication::screens())
        screens << screen->availableGeometry();
    const QRect frame = m_window.frameGeometry(), placed = placedOn(frame, screens);
    if (placed == frame)
        return;
    m_window.resize(m_window.size() - (frame.size() - placed.size()));
    m_window.move(placed.topLeft());
}

void ScreenState::follow()
{
    if (const QString now = keyOfScreens(); now != m_key) {
        saveFolds(); // the geometry was saved when the window was last moved
        m_key = now;
        restore();
    }
    comeIntoView();
}

bool ScreenState::eventFilter(QObject* watched, QEvent* event)
{
    if ((event->type() == QEvent::Move || event->type() == QEvent::Resize) && !m_others.isActive())
        m_still.start();
    return QObject::eventFilter(watched, event);
}

} // namespace ui

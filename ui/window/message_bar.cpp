// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/message_bar.h"

#include "ui/background/background_task.h"
#include "ui/background/task_row.h"
#include "ui/widgets/boxes.h"

#include <QEvent>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace ui
{

MessageBar::MessageBar(QWidget* parent, int top)
    : QFrame(parent), m_message(new QWidget), m_mark(new QLabel), m_text(new QLabel), m_button(new QPushButton),
      m_other(new QPushButton), m_close(new QToolButton), m_timer(new QTimer(this)), m_top(top)
{
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    setForegroundRole(QPalette::ToolTipText);
    setObjectName(QStringLiteral("messageBar"));
    setAccessibleName(tr("Message"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setForegroundRole(QPalette::ToolTipText);
    m_mark->setForegroundRole(QPalette::ToolTipText);
    m_mark->setObjectName(QStringLiteral("messageMark"));
    m_close->setText(QStringLiteral("×"));
    m_close->setAutoRaise(true);
    m_close->setAccessibleName(tr("Dismiss the message"));
    m_close->setToolTip(tr("Dismiss"));
    m_line = filled(new QHBoxLayout, {m_mark, {m_text, 1}, m_button, m_other, m_close}, {QMargins()});
    m_pictures = filled(new QHBoxLayout, {}, {QMargins()});
    filled(new QVBoxLayout(m_message), {m_line, m_pictures}, {QMargins()});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 6, 6);
    layout->addWidget(m_message);
    m_message->hide();
    m_timer->setSingleShot(true);
    connect(m_timer, &QTimer::timeout, this, &MessageBar::dismiss);
    connect(m_close, &QToolButton::clicked, this, &MessageBar::dismiss);
    for (QPushButton* button : {m_button, m_other})
        connect(button, &QPushButton::clicked, this, [this, button] { actOn(button); });
    parent->installEventFilter(this);
    hide();
}

void MessageBar::keepLeftOf(QWidget* seen)
{
    m_seen.push_back(seen);
    seen->installEventFilter(this);
}

void MessageBar::showError(const QString& text)
{
    showError(text, {}, {});
}

void MessageBar::showError(const QString& text, const QString& action, std::function<void()> act)
{
    offer(text, Kind::error, action, std::move(act));
}

void MessageBar::showHint(const QString& text, const QString& action, std::function<void()> act)
{
    offer(text, Kind::hint, action, std::move(act));
}

void MessageBar::showSuccess(const QString& text, const QString& action, std::function<void()> act)
{
    offer(text, Kind::success, action, std::move(act));
}

void MessageBar::offer(const QString& text, Kind kind, const QString& action, std::function<void()> act)
{
    m_acts[m_button] = std::move(act);
    m_button->setText(action);
    m_button->setVisible(!action.isEmpty());
    m_other->hide();
    for (QPushButton* one : {m_button, m_other})
        if (!one->icon().isNull()) {
            one->setIcon({});
            m_line->insertWidget(m_line->count() - 1, one);
        }
    present(text, kind);
}

void MessageBar::addAction(const QString& action, std::function<void()> act)
{
    m_acts[m_other] = std::move(act);
    m_other->setText(action);
    m_other->show();
    showParts();
}

void MessageBar::setPicture(int button, const QImage& picture)
{
    constexpr int side = 160;
    QPushButton* shown = button == 0 ? m_button : m_other;
    if (shown->icon().isNull())
        m_pictures->addWidget(shown, 0, Qt::AlignLeft);
    shown->setIcon(QPixmap::fromImage(picture));
    shown->setIconSize({side, side});
    showParts();
}

void MessageBar::actOn(QPushButton* button)
{
    const auto act = m_acts[button];
    dismiss();
    if (act)
        act();
}

void MessageBar::showInformation(const QString& text)
{
    offer(text, Kind::success, {}, {});
    m_timer->start(6000);
}

void MessageBar::showProgress(BackgroundTask& task, const QString& text, std::function<void()> cancel)
{
    dismiss();
    TaskRow*& row = m_tasks[&task];
    if (!row) {
        auto* label = new QLabel;
        label->setForegroundRole(QPalette::ToolTipText);
        label->setTextFormat(Qt::PlainText);
        row = new TaskRow(task, tr("Stops it"), label);
        layout()->addWidget(row);
        for (const auto ended : {&BackgroundTask::succeeded, &BackgroundTask::cancelled})
            connect(&task, ended, this, &MessageBar::showParts);
        connect(&task, &BackgroundTask::failed, this, &MessageBar::showParts);
    }
    row->begin(text, std::move(cancel));
    row->showNow();
    showParts();
}

void MessageBar::dismiss()
{
    m_timer->stop();
    m_kind = Kind::hint;
    const bool wasShown = !m_message->isHidden();
    m_message->hide();
    showParts();
    if (wasShown)
        emit dismissed();
}

void MessageBar::showParts()
{
    const bool isBusy = std::ranges::any_of(m_tasks, [](const auto& task) { return task.second->isBusy(); });
    setVisible(isBusy || !m_message->isHidden());
    if (isHidden())
        return;
    place();
    raise();
}

void MessageBar::fail(const QString& message)
{
    m_isOfRequest = false;
    showError(message);
    emit failed(message);
}

// The same error may occur each time the window is painted, and showing the message repaints the window.
void MessageBar::failOnce(const QString& message)
{
    if (!isError() || text() != message)
        fail(message);
}

void MessageBar::failRequest(const QString& message)
{
    fail(message);
    m_isOfRequest = true;
}

void MessageBar::endRequestFailure()
{
    if (std::exchange(m_isOfRequest, false))
        dismiss();
}

void MessageBar::keepNextError()
{
    m_isOfRequest = false;
}

QString MessageBar::text() const
{
    if (!m_message->isHidden())
        return m_text->text();
    const auto busy = std::ranges::find_if(m_tasks, [](const auto& task) { return task.second->isBusy(); });
    return busy == m_tasks.end() ? QString() : busy->second->text();
}

void MessageBar::present(const QString& text, Kind kind)
{
    m_timer->stop();
    m_kind = kind;
    showMark();
    setAccessibleName(kind == Kind::error ? tr("Error") : tr("Message"));
    m_text->setText(text);
    m_text->setAccessibleDescription(text);
    m_message->show();
    showParts();
}

void MessageBar::showMark()
{
    const bool dark = palette().color(QPalette::ToolTipBase).lightness() < 128;
    const auto mark = [&](const QString& sign, QRgb light, QRgb onDark) {
        m_mark->setText(sign);
        QPalette colours;
        colours.setColor(QPalette::ToolTipText, QColor(dark ? onDark : light));
        m_mark->setPalette(colours);
    };
    if (m_kind == Kind::error)
        mark(QStringLiteral("✕"), 0xffb3261e, 0xffff9b91);
    else if (m_kind == Kind::success)
        mark(QStringLiteral("✓"), 0xff1a6b3c, 0xff7bd88f);
    m_mark->setVisible(m_kind == Kind::error || m_kind == Kind::success);
}

// A longer text changes the height that its line needs only when its layout is done.
bool MessageBar::event(QEvent* event)
{
    const bool isHandled = QFrame::event(event);
    if (event->type() == QEvent::LayoutRequest && isVisible())
        place();
    return isHandled;
}

void MessageBar::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showMark();
}

void MessageBar::place()
{
    constexpr int gap = 12, least = 260, most = 900;
    int right = parentWidget()->width();
    for (const QWidget* seen : m_seen)
        if (const int left = seen->isVisible() ? seen->mapTo(parentWidget(), QPoint()).x() : right;
            left - 2 * gap >= least)
            right = std::min(right, left);
    const int width = std::min(right - 2 * gap, most);
    const int height =
        std::max(layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width) : 0, minimumSizeHint().height());
    setGeometry((right - width) / 2, m_top, width, height);
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event)
{
    const auto type = event->type();
    if (type == QEvent::Resize || (std::ranges::find(m_seen, watched) != m_seen.end() &&
                                   (type == QEvent::Show || type == QEvent::Hide || type == QEvent::Move)))
        place();
    return QFrame::eventFilter(watched, event);
}

} // namespace ui

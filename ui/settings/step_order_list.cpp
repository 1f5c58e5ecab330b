// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/step_order_list.h"

#include "engine/prepare/step_order.h"
#include "engine/stages/recorded_images.h"
#include "engine/stages/stages.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/flat_button.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QListWidget>
#include <QSignalBlocker>

#include <algorithm>

namespace ui
{

namespace
{

QString translatedStep(const char* text)
{
    return QCoreApplication::translate("engine", text);
}

// Replaces the ids of steps in a text by their labels in the list.
QString withTitles(QString text)
{
    for (const engine::Step& step : engine::steps())
        text.replace(u'\'' + QLatin1String(step.id) + u'\'', u'"' + translatedStep(step.label) + u'"');
    return text;
}

// Disables the button and shows the reason as tooltip; without a reason, enables it with its usual tooltip.
void setPossible(QToolButton* button, const std::string& reason)
{
    button->setEnabled(reason.empty());
    button->setToolTip(reason.empty() ? button->accessibleName() : withTitles(translatedStep(reason.c_str())));
}

} // namespace

StepOrderList::StepOrderList(QWidget* parent) : QWidget(parent), m_rows(new QListWidget)
{
    setObjectName(QStringLiteral("step-order"));
    m_rows->setObjectName(QStringLiteral("stepRows"));
    m_rows->setAccessibleName(tr("Steps of preparation, in their order"));
    m_rows->setAccessibleDescription(tr("Ctrl+Up and Ctrl+Down move the chosen one"));
    m_rows->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_rows->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_rows->setTextElideMode(Qt::ElideRight);
    m_rows->installEventFilter(this);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(1);
    const auto button = [&](const char* name, const QString& text, const QString& tip, auto act) {
        QToolButton* made = flatButton(QLatin1String(name), text, tip);
        connect(made, &QToolButton::clicked, this, act);
        buttons->addWidget(made);
        return made;
    };
    m_earlier = button("stepEarlier", QStringLiteral("↑"), tr("Move the chosen step earlier (Ctrl+Up)"),
                       [this] { move(true); });
    m_later =
        button("stepLater", QStringLiteral("↓"), tr("Move the chosen step later (Ctrl+Down)"), [this] { move(false); });
    m_usual = button("usualOrder", tr("Usual order"), tr("Put all steps in their usual order"), [this] {
        m_order.clear();
        emit changed();
    });
    buttons->addStretch(1);
    m_look = button("lookAtStep", tr("Before and after…"),
                    tr("See the scan before and after the chosen step, and their difference (Image | scan)"),
                    [this] { emit lookWanted(QString::fromStdString(chosen())); });
    filled(new QVBoxLayout(this), {m_rows, buttons}, {QMargins(), 2});
    connect(m_rows, &QListWidget::currentRowChanged, this, [this] {
        offer();
        emit stepChosen(QString::fromStdString(chosen()));
    });
    connect(m_rows, &QListWidget::itemActivated, this, [this] { emit lookWanted(QString::fromStdString(chosen())); });
}

std::string StepOrderList::chosen() const
{
    const QListWidgetItem* row = m_rows->currentItem();
    return row ? row->data(Qt::UserRole).toString().toStdString() : std::string();
}

void StepOrderList::show(const engine::Request& asked)
{
    m_asked = asked;
    std::vector<const engine::Step*> steps;
    if (asked.scan)
        steps = engine::stepsToLookAt(asked);
    {
        const QSignalBlocker blocker(m_rows);
        const std::string before = chosen();
        m_rows->clear();
        for (const engine::Step* step : steps) {
            auto* row = new QListWidgetItem(translatedStep(step->label), m_rows);
            row->setData(Qt::UserRole, QString::fromLatin1(step->id));
            row->setToolTip(translatedStep(step->summary));
            if (step->id == before)
                m_rows->setCurrentItem(row);
        }
    }
    const int height = m_rows->count() > 0 ? m_rows->sizeHintForRow(0) : fontMetrics().height();
    m_rows->setFixedHeight(std::max(1, m_rows->count()) * height + 2 * m_rows->frameWidth());
    offer();
}

void StepOrderList::offer()
{
    const std::string step = chosen();
    const auto reasonAgainst = [&](bool earlier) {
        if (step.empty())
            return tr("Choose a step of the list.").toStdString();
        return inWindow(engine::moved(m_asked.setting.preparation, *m_asked.scan, step, earlier).objection)
            .toStdString();
    };
    setPossible(m_earlier, reasonAgainst(true));
    setPossible(m_later, reasonAgainst(false));
    setPossible(m_usual, m_order.empty() ? tr("The steps are in their usual order.").toStdString() : std::string());
    setPossible(m_look, step.empty() ? tr("Choose a step of the list.").toStdString() : std::string());
}

void StepOrderList::move(bool earlier)
{
    if (chosen().empty() || !m_asked.scan)
        return;
    engine::StepMove made = engine::moved(m_asked.setting.preparation, *m_asked.scan, chosen(), earlier);
    if (!made.objection.empty())
        return;
    m_order = std::move(made.order);
    emit changed();
}

bool StepOrderList::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_rows && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::ControlModifier && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
            move(key->key() == Qt::Key_Up);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace ui

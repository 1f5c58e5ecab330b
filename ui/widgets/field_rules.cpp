// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/field_rules.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSlider>
#include <QTabBar>
#include <QTimer>
#include <QToolTip>

namespace ui
{

namespace
{

bool isField(const QObject* object)
{
    return qobject_cast<const QAbstractSpinBox*>(object) || qobject_cast<const QComboBox*>(object) ||
           qobject_cast<const QSlider*>(object) || qobject_cast<const QTabBar*>(object);
}

// Returns the watched box, or the box of the watched line edit.
QAbstractSpinBox* boxOf(QObject* watched)
{
    auto* const line = qobject_cast<QLineEdit*>(watched);
    return qobject_cast<QAbstractSpinBox*>(line ? line->parentWidget() : watched);
}

// Returns whether the event ends the editing of a field.
bool isEntered(const QEvent& event)
{
    if (event.type() != QEvent::KeyPress)
        return event.type() == QEvent::FocusOut;
    const int key = static_cast<const QKeyEvent&>(event).key();
    return key == Qt::Key_Return || key == Qt::Key_Enter;
}

} // namespace

FieldRules::FieldRules(QObject* parent) : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool FieldRules::eventFilter(QObject* watched, QEvent* event)
{
    if (isEntered(*event))
        if (auto* const box = boxOf(watched); box && !box->hasAcceptableInput())
            sayRefused(box);
    if ((event->type() != QEvent::Wheel && event->type() != QEvent::Show) || !isField(watched))
        return false;
    auto* const field = static_cast<QWidget*>(watched);
    if (event->type() == QEvent::Show && field->focusPolicy() == Qt::WheelFocus)
        field->setFocusPolicy(Qt::StrongFocus); // so that the wheel doesn't focus it
    if (event->type() == QEvent::Show || field->hasFocus())
        return false;
    event->ignore(); // so that the panel behind it scrolls
    return true;
}

void FieldRules::sayRefused(QAbstractSpinBox* box)
{
    const QString typed = box->text().trimmed();
    // Delayed until the field has restored its value, and the focus has changed, which would hide the tooltip.
    QTimer::singleShot(0, box, [box, typed] {
        if (box->isVisible() && box->text().trimmed() != typed)
            QToolTip::showText(box->mapToGlobal(QPoint(0, box->height())),
                               typed.isEmpty()
                                   ? tr("Nothing was typed; %1 stays.").arg(box->text().trimmed())
                                   : tr("“%1” can't be used here; %2 stays.").arg(typed, box->text().trimmed()),
                               box, {}, 8000);
    });
}

} // namespace ui

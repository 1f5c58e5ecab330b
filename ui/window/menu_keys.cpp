// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menu_keys.h"

#include "ui/window/actions.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMainWindow>
#include <QSpinBox>

namespace ui
{

namespace
{

// Returns the text that a box shows for its current value.
template <typename Box>
QString textOfValue(const Box& box)
{
    struct Opened : Box {
        using Box::textFromValue; // not public in every box
    };
    if (!box.specialValueText().isEmpty() && box.value() == box.minimum())
        return box.specialValueText();
    return box.prefix() + (box.*(&Opened::textFromValue))(box.value()) + box.suffix();
}

// Returns whether the field has text that is neither accepted nor discarded yet.
bool isEdited(const QObject* field)
{
    if (const auto* const box = qobject_cast<const QSpinBox*>(field))
        return box->text() != textOfValue(*box);
    if (const auto* const box = qobject_cast<const QDoubleSpinBox*>(field))
        return box->text() != textOfValue(*box);
    return true;
}

} // namespace

MenuKeys::MenuKeys(const QMainWindow& window, Actions& actions)
    : QObject(&actions), m_window(window), m_actions(actions)
{
    qApp->installEventFilter(this);
}

bool MenuKeys::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return false;
    // Otherwise fields interpret Ctrl+E as "end of line", for example.
    const bool isField = (qobject_cast<QLineEdit*>(watched) || qobject_cast<QAbstractSpinBox*>(watched)) &&
                         static_cast<QWidget*>(watched)->window() == &m_window;
    const auto keys = QKeySequence(static_cast<QKeyEvent*>(event)->keyCombination());
    if (!isField || !m_actions.goBeforeFields(keys, isEdited(watched)))
        return false;
    event->ignore();
    return true;
}

} // namespace ui

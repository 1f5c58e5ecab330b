// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menu_keys.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QSpinBox>

#include <algorithm>
#include <initializer_list>

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

// Returns whether the keys are a menu's shortcut that overrides the focused field: shortcuts with Ctrl, except cut,
// copy, paste and select all. Undo and redo belong to the field only while it is being edited.
bool goBeforeFields(const QMainWindow& window, const QKeySequence& keys, bool isEdited)
{
    if (keys.isEmpty() || !(keys[0].keyboardModifiers() & Qt::ControlModifier))
        return false;
    const auto isOneOf = [&keys](std::initializer_list<QKeySequence::StandardKey> standard) {
        return std::ranges::any_of(standard, [&](auto key) { return QKeySequence::keyBindings(key).contains(keys); });
    };
    if (isOneOf({QKeySequence::Cut, QKeySequence::Copy, QKeySequence::Paste, QKeySequence::SelectAll}) ||
        (isEdited && isOneOf({QKeySequence::Undo, QKeySequence::Redo})))
        return false;
    for (const QAction* menu : window.menuWidget()->actions())
        for (const QAction* action : menu->menu()->actions())
            if (action->shortcuts().contains(keys))
                return true;
    return false;
}

} // namespace

MenuKeys::MenuKeys(QMainWindow& window) : QObject(&window), m_window(window)
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
    if (!isField || !goBeforeFields(m_window, keys, isEdited(watched)))
        return false;
    event->ignore();
    return true;
}

} // namespace ui

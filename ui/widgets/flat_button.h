// SPDX-License-Identifier: GPL-3.0-or-later
// A button of a bar, with a text or a symbol and no frame.
#pragma once

#include <QToolButton>

namespace ui
{

// tip: the tooltip, and the name for screen readers.
inline QToolButton* flatButton(const QString& name, const QString& text, const QString& tip)
{
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    return button;
}

// Shows a control only where it is possible. A hidden one keeps its room, so that nothing else moves.
inline void showIfPossible(QWidget* control, bool possible)
{
    QSizePolicy policy = control->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    control->setSizePolicy(policy);
    control->setEnabled(possible);
    control->setVisible(possible);
}

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// A button of a bar: a text or a sign, without a frame of its own.
#pragma once

#include <QToolButton>

namespace ui
{

// tip: for the pointer, and for those who hear it.
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

} // namespace ui

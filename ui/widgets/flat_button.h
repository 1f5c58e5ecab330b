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

} // namespace ui

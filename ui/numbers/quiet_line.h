// SPDX-License-Identifier: GPL-3.0-or-later
// Description line above the numbers of a tab.
#pragma once

#include <QLabel>

namespace ui
{

// Creates the line. A long text is cut, and never widens the window.
inline QLabel* quietLine()
{
    auto* line = new QLabel;
    line->setForegroundRole(QPalette::PlaceholderText);
    line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    line->setContentsMargins(8, 3, 4, 3);
    return line;
}

inline void sayQuietly(QLabel* line, const QString& text)
{
    line->setText(text);
    line->setToolTip(text); // the whole text
}

} // namespace ui

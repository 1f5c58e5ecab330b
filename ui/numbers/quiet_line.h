// SPDX-License-Identifier: GPL-3.0-or-later
// Description line above the numbers of a tab.
#pragma once

#include <QLabel>

namespace ui
{

// Creates the line. A long text never widens the window: it is wrapped, or else cut.
inline QLabel* quietLine(bool isWrapped = false)
{
    auto* line = new QLabel;
    line->setWordWrap(isWrapped);
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

// SPDX-License-Identifier: GPL-3.0-or-later
// The line over a tab's numbers that says what they are.
#pragma once

#include <QLabel>

namespace ui
{

// A long one is cut, and never widens the window.
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
    line->setToolTip(text); // in full
}

} // namespace ui

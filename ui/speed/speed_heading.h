// SPDX-License-Identifier: GPL-3.0-or-later
// A heading of the speed panel.
#pragma once

#include <QLabel>

#include <algorithm>

namespace ui
{

inline QLabel* speedHeading(const QString& text)
{
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setBold(true);
    font.setPointSizeF(std::max(7.0, font.pointSizeF() * 0.9));
    label->setFont(font);
    return label;
}

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// A quiet line between groups of controls.
#pragma once

#include <QFrame>

namespace ui
{

inline QFrame* separator(QFrame::Shape shape) // HLine or VLine
{
    auto* line = new QFrame;
    line->setFrameShape(shape);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Midlight);
    return line;
}

} // namespace ui

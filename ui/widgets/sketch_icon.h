// SPDX-License-Identifier: GPL-3.0-or-later
// Icons drawn with a line, in the colour of the theme's text.
#pragma once

#include <QIcon>
#include <QPalette>
#include <QSize>

namespace ui
{

inline constexpr QSize sketchSize(20, 16);

// path: of an SVG, within that size. Twice as fine as that for screens of high density.
QIcon sketchIcon(const char* path, const QPalette& palette);

} // namespace ui

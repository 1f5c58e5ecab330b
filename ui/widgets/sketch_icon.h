// SPDX-License-Identifier: GPL-3.0-or-later
// Icons drawn as lines in the text colour of the theme.
#pragma once

#include <QIcon>
#include <QPalette>
#include <QSize>

namespace ui
{

inline constexpr QSize sketchSize(20, 16);

// path: of an SVG, within this size. Drawn at twice the size for screens of high density.
QIcon sketchIcon(const char* path, const QPalette& palette);

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// A panel beside the images that scrolls when the window is low.
#pragma once

class QScrollArea;
class QWidget;

namespace ui
{

// Creates a scroll area whose scroll bar takes the place of the content's right margin, so that the bar covers
// nothing and nothing moves when it appears. The content must already have a layout with a right margin of at least
// `besideScrollBar`.
QScrollArea* sideArea(QWidget* content);
int besideScrollBar(const QWidget* content);

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// A panel beside the images that scrolls when the window is low.
#pragma once

class QScrollArea;
class QWidget;

namespace ui
{

// Its scroll bar takes the content's right margin, so that it covers nothing and nothing moves when it comes: give the
// content a layout first, with a right margin of `besideScrollBar` at least.
QScrollArea* sideArea(QWidget* content);
int besideScrollBar(const QWidget* content);

} // namespace ui

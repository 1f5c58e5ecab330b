// SPDX-License-Identifier: GPL-3.0-or-later
// The dialogs of the Help menu.
#pragma once

class QMainWindow;
class QWidget;

namespace ui
{

// A window of its own with the manual of the resources. Only one is open at a time.
void showManual(QWidget& window);
void showShortcuts(QMainWindow& window); // read from its menus, so that they are never out of date
void showAbout(QWidget& window);

} // namespace ui

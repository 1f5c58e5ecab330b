// SPDX-License-Identifier: GPL-3.0-or-later
// The dialogs of the Help menu.
#pragma once

#include <QString>

class QMainWindow;
class QWidget;

namespace ui
{

// Shows the manual from the resources in a window, which is opened only once. page: "rings.md"; empty: the first one.
void showManual(QWidget& window, const QString& page = {});
void showShortcuts(QMainWindow& window); // generated from the window's menus, so always up to date
void showAbout(QWidget& window);

} // namespace ui

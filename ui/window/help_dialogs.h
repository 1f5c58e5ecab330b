// The dialogs of the Help menu.
#pragma once

class QMainWindow;
class QWidget;

namespace ui
{

void showShortcuts(QMainWindow& window); // read from its menus, so that they are never out of date
void showAbout(QWidget& window);

} // namespace ui

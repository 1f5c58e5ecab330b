// SPDX-License-Identifier: GPL-3.0-or-later
// A picture of the real window, for documentation and tests.
#pragma once

#include <QString>

namespace ui
{

class MainWindow;

// When everything that was asked for is shown: saves the picture and quits the application with 0;
// with 2 and a message on stderr when something failed.
void takeScreenshot(MainWindow& window, const QString& path);

} // namespace ui

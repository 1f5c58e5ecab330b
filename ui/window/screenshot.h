// SPDX-License-Identifier: GPL-3.0-or-later
// A screenshot of the real window, for documentation and tests.
#pragma once

#include <QString>

namespace ui
{

class MainWindow;

// Saves the screenshot when all results are shown, then quits the application with exit code 0. If something fails,
// writes a message to stderr and quits with exit code 2.
void takeScreenshot(MainWindow& window, const QString& path);

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/screenshot.h"

#include "engine/base/error.h"
#include "engine/base/printable.h"
#include "engine/io/files/input_file.h"
#include "ui/widgets/save_file.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QFileInfo>
#include <QPixmap>
#include <QTimer>

#include <cstdio>

namespace ui
{

namespace
{
void quitWith(const QString& message)
{
    std::fprintf(stderr, "sinoscope: %s\n", engine::printable(message.toStdString()).c_str());
    QApplication::exit(2);
}
} // namespace

void takeScreenshot(MainWindow& window, const QString& path)
{
    // After a failure, both failed() and settled() are emitted; the first one determines the exit code.
    QObject::connect(&window, &MainWindow::failed, qApp, quitWith);
    QObject::connect(&window, &MainWindow::settled, qApp, [&window, path] {
        // Waits for delayed updates of the panels (layout, plots).
        QTimer::singleShot(200, &window, [&window, path] {
            if (window.busy() || !window.shown().hasResult())
                return;
            try {
                const std::string begin =
                    QFileInfo::exists(path) ? engine::beginningOf(path.toStdString(), 4) : std::string();
                if (!begin.empty() && begin != "\x89PNG")
                    return quitWith(QStringLiteral("%1 exists and is no picture; name another file").arg(path));
            } catch (const engine::Error& error) { // path is a pipe or a folder, for example
                return quitWith(QString::fromStdString(error.text().in(engine::commandLineStyle())));
            }
            if (const QString why = saveFile(path, pngOf(window.grab().toImage())); !why.isEmpty())
                return quitWith(QStringLiteral("can't write the picture to %1: %2").arg(path, why));
            QApplication::exit(0);
        });
    });
}

} // namespace ui

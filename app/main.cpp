// SPDX-License-Identifier: GPL-3.0-or-later
// The program with the graphical window.
#include "app/cli/last_words.h"
#include "engine/base/error.h"
#include "ui/background/application.h"
#include "ui/report/report_command.h"
#include "ui/window/end_signals.h"
#include "ui/window/main_window.h"
#include "ui/window/screenshot.h"
#include "ui/window/window_reference.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

int main(int argc, char** argv)
try {
    app::setLastWords("sinoscope");
    std::signal(SIGXFSZ, SIG_IGN); // exceeding a file size limit then fails like a full disk: with an error message
    // Help and invalid options need no display.
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    const auto options = ui::parseCommandLine(arguments);
    if (!options)
        return 0;

    if (!options->report.isEmpty() || options->reference) {
        if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
            qputenv("QT_QPA_PLATFORM", "offscreen");
        ui::Application application(argc, argv);
        if (options->reference) {
            ui::PersistentState none;
            std::fputs(qPrintable(ui::windowReference(ui::MainWindow(none, nullptr))), stdout);
        } else {
            ui::runReport(*options);
        }
        return 0;
    }

    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") &&
        qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        ui::requireScan(*options);
        std::fputs("sinoscope: there is no display; use sinoscope-cli, or run it as: xvfb-run -a sinoscope …\n",
                   stderr);
        return 1;
    }

    ui::Application application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("sinoscope"));
    QApplication::setDesktopFileName(QStringLiteral("org.sinoscope.Sinoscope"));
    ui::ThemeFollower theme;
    const bool picture = !options->screenshot.isEmpty();
    ui::PersistentState state = picture ? ui::PersistentState() : ui::PersistentState(ui::PersistentState::userFile());
    ui::MainWindow window(state, &theme);
    window.begin(*options);
    if (!picture)
        window.runAgainWhenIdle();
    window.show();
    const ui::EndSignals endSignals;
    QObject::connect(&endSignals, &ui::EndSignals::asked, &window, [&window] {
        ui::guarded([&window] { window.endFromOutside(); })();
        QCoreApplication::exit(); // even while a dialog is open
    });
    QObject::connect(&application, &QGuiApplication::commitDataRequest, &window,
                     ui::guarded([&window] { window.keepForNextStart(); }), Qt::DirectConnection);
    if (picture)
        ui::takeScreenshot(window, options->screenshot);
    return QApplication::exec();
} catch (const engine::Error& error) {
    app::sayText(error.text());
    return engine::exitStatus(error.kind());
} catch (const std::bad_alloc&) {
    app::say(app::notEnoughMemory);
    return 1;
} catch (const std::exception& error) {
    std::fprintf(stderr, "sinoscope: %s\n", error.what());
    return 1;
}

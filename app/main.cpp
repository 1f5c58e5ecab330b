// SPDX-License-Identifier: GPL-3.0-or-later
// The program with the graphical window.
#include "app/cli/interruption.h"
#include "app/cli/last_words.h"
#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/io/hdf5/hdf5_library.h"
#include "ui/background/application.h"
#include "ui/report/report_command.h"
#include "ui/window/end_signals.h"
#include "ui/window/main_window.h"
#include "ui/window/screenshot.h"
#include "ui/window/window_reference.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <malloc.h>
#include <new>
#include <string>

namespace
{

// If the address space is limited (ulimit -v), starts the libraries while there is room for them and ensures that
// `bytes` are left: without memory, Qt crashes. Throws engine::Error.
void startWithinLimit(std::size_t bytes)
{
    rlimit limit = {};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return;
    ::mallopt(M_ARENA_MAX, 2); // by default each thread may reserve 64 MB of addresses
    void* const left = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (left != MAP_FAILED)
        try {
            const engine::Hdf5Guard starting;
            engine::startWorkers(); // as many threads as fit
            ::munmap(left, bytes);
            return;
        } catch (const std::bad_alloc&) {
        }
    throw engine::Error(engine::ErrorKind::noMemory,
                        "the memory limit (ulimit -v) of " + std::to_string(limit.rlim_cur >> 20) +
                            " MB is too low for this program; raise it, or use sinoscope-cli");
}

constexpr std::size_t bytesOfReport = 64 << 20, bytesOfWindow = 256 << 20;

} // namespace

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
        const cli::Interruption interruption; // before other threads, which take over the blocked signals
        startWithinLimit(bytesOfReport);
        ui::Application application(argc, argv);
        if (options->reference) {
            ui::PersistentState none;
            std::fputs(qPrintable(ui::windowReference(ui::MainWindow(none, nullptr))), stdout);
        } else {
            ui::runReport(*options, interruption.token());
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

    startWithinLimit(bytesOfWindow);
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

// SPDX-License-Identifier: GPL-3.0-or-later
// Each call of the engine by the window fails once, with an error or for lack of memory: the window continues, and
// reports the failure. The window is linked so that its calls go through engineCalled() (throwing_calls.sh).
#include "engine/base/error.h"
#include "tests/ui/fixtures.h"
#include "tests/ui/window/soak_acts.h"
#include "ui/background/application.h"
#include "ui/opening/found_dialog.h"
#include "ui/queue/volume_queue.h"
#include "ui/window/message_bar.h"

#include <QDesktopServices>
#include <QSignalSpy>
#include <QTextEdit>

#include <atomic>
#include <cxxabi.h>
#include <mutex>
#include <set>

using namespace fixtures;

namespace
{

// Decides which call fails next: the first call from a place in the code where none has failed yet. Thread-safe.
struct Failures {
    std::mutex mutex;
    bool isArmed = false, isMemory = false;
    std::set<const void*> places; // addresses at which a call has failed
    std::string function;         // function that failed since it was armed, or empty

    // Returns the message of the next failure. The window shows the same message for every lack of memory.
    QString message() const
    {
        return isMemory ? QStringLiteral("Not enough memory")
                        : QStringLiteral("Failure %1 is the test's.").arg(places.size() + 1);
    }
};
Failures failures;

std::string nameOf(const char* symbol)
{
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(symbol, nullptr, nullptr, nullptr),
                                                           &std::free);
    return text ? text.get() : symbol;
}

} // namespace

extern "C" void engineCalled(const char* symbol, const void* from)
{
    bool isMemory = false;
    std::string message;
    {
        const std::lock_guard lock(failures.mutex);
        if (!failures.isArmed || failures.places.contains(from))
            return;
        message = failures.message().toStdString();
        failures.places.insert(from);
        failures.isArmed = false;
        failures.function = nameOf(symbol);
        isMemory = failures.isMemory;
    }
    if (isMemory)
        throw std::bad_alloc();
    throw engine::Error(engine::ErrorKind::badFile, message);
}

class EveryCallTest : public QObject
{
    Q_OBJECT

  public slots:
    void swallow(const QUrl&) {} // replaces opening a URL with another program

  private slots:
    void initTestCase()
    {
        for (const char* scheme : {"file", "http", "https"})
            QDesktopServices::setUrlHandler(QLatin1String(scheme), this, "swallow");
    }
    void cleanupTestCase()
    {
        for (const char* scheme : {"file", "http", "https"})
            QDesktopServices::unsetUrlHandler(QLatin1String(scheme));
    }

    void fails_data()
    {
        QTest::addColumn<bool>("isMemory");
        QTest::newRow("error") << false;
        QTest::newRow("memory") << true;
    }

    void fails()
    {
        QFETCH(const bool, isMemory);
        const QString before = QDir::currentPath();
        const auto back = qScopeGuard([&] { QDir::setCurrent(before); });
        const TemporaryFolder folder;
        QDir::setCurrent(folder.file({})); // the window saves files here
        Window window;
        QVERIFY(window.opensSmall());
        failures.places.clear();
        failures.isMemory = isMemory;
        soak::Log log(1);
        soak::Acts user(window, folder, 1, log);
        int failed = 0, said = 0;
        const int acts = thorough ? 400 : 200;
        constexpr int mostAgain = 100;
        for (int k = 0; k < acts; ++k)
            for (int again = 0; again < mostAgain; ++again) {
                const auto [function, isSaid] = watched(window, [&] { user.act(k); });
                if (function.empty())
                    break;
                ++failed;
                said += isSaid ? 1 : 0;
            }
        qInfo("%d calls failed, %d of them were told", failed, said);
        QVERIFY(failed > (thorough ? 200 : 150)); // of some 300, or 230, that these acts lead to
        QVERIFY(5 * said > 4 * failed); // the busier the machine, the more failed calls are replaced by newer requests
        // The window still works. Its settings may not suit the next scan, so they are reset.
        QVERIFY(comes([&] { return !window.busy(); }));
        window.settings().reset();
        QVERIFY2(window.opensSmall(), qPrintable(window.message()));
    }

  private:
    struct Outcome {
        std::string function; // function that failed; empty: none
        bool isSaid = false;
    };

    // Returns the call that fails from the beginning of the act until all work is done, and whether the window
    // reports it.
    static Outcome watched(Window& window, const std::function<void()>& act)
    {
        const QString wanted = arm(true);
        bool isSaid = false, isDone = false;
        const auto listen = [&](const QString& text) { isSaid = isSaid || text.contains(wanted); };
        const auto connection = connect(&window, &ui::MainWindow::failed, &window, listen);
        const auto look = [&] {
            for (const QWidget* top : QApplication::topLevelWidgets()) {
                for (const QLabel* label : top->findChildren<QLabel*>())
                    listen(label->text());
                for (const ui::ImageView* view : top->findChildren<ui::ImageView*>())
                    listen(view->message());
            }
        };
        QMetaObject::invokeMethod(
            &window,
            [&] {
                const auto done = qScopeGuard([&] { isDone = true; });
                act();
            },
            Qt::QueuedConnection);
        while (!isDone || window.busy()) {
            QApplication::processEvents(QEventLoop::WaitForMoreEvents, 10);
            look();
        }
        arm(false);
        const std::string function = failedFunction();
        // Figures are computed while the window is not busy. Two kinds of failures are not reported: those of figures
        // that newer ones have replaced, and those from which the window draws a conclusion instead (a file that cannot
        // be read does not count as a file of this program; a method that fails is not offered).
        constexpr int figuresMs = 500;
        const auto isTold = [&] {
            look();
            return isSaid;
        };
        if (!function.empty())
            (void)QTest::qWaitFor(isTold, figuresMs);
        disconnect(connection);
        return {function, isSaid};
    }

    static std::string failedFunction()
    {
        const std::lock_guard lock(failures.mutex);
        return std::exchange(failures.function, {});
    }

    // Switches failing on or off; returns the message of the next failure.
    static QString arm(bool isArmed)
    {
        const std::lock_guard lock(failures.mutex);
        failures.isArmed = isArmed;
        return failures.message();
    }
};

SINOSCOPE_TEST(EveryCallTest, ui::Application)
#include "every_call_test.moc"

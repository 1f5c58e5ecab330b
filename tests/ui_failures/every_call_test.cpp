// Each call of the engine that the window makes fails once, with an error or without memory: the window says so, and
// goes on. The window is linked so that its calls go through engineCalled() (throwing_calls.sh).
#include "engine/error.h"
#include "tests/ui/fixtures.h"
#include "tests/ui/window/soak_acts.h"
#include "ui/application.h"
#include "ui/message_bar.h"
#include "ui/opening/found_dialog.h"
#include "ui/queue/volume_queue.h"

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

// Which call fails next: the first one from a place that none has failed at. Calls come from any thread.
struct Failures {
    std::mutex mutex;
    bool isArmed = false, isMemory = false;
    std::set<const void*> places; // that have failed
    std::string function;         // of the one that failed since it was armed, or empty
};
Failures failures;

constexpr const char* injected = "This failure is a test's.";

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
    {
        const std::lock_guard lock(failures.mutex);
        if (!failures.isArmed || !failures.places.insert(from).second)
            return;
        failures.isArmed = false;
        failures.function = nameOf(symbol);
        isMemory = failures.isMemory;
    }
    if (isMemory)
        throw std::bad_alloc();
    throw engine::Error(engine::ErrorKind::badFile, injected);
}

class EveryCallTest : public QObject
{
    Q_OBJECT

  public slots:
    void swallow(const QUrl&) {} // what would be opened with another program

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
        QTest::newRow("with an error") << false;
        QTest::newRow("without memory") << true;
    }

    void fails()
    {
        QFETCH(const bool, isMemory);
        const QString before = QDir::currentPath();
        const auto back = qScopeGuard([&] { QDir::setCurrent(before); });
        const TemporaryFolder folder;
        QDir::setCurrent(folder.file({})); // where it saves
        Window window;
        QVERIFY(window.opensSmall());
        failures.places.clear();
        failures.isMemory = isMemory;
        soak::Log log(1);
        soak::Acts user(window, folder, 1, log);
        int failed = 0;
        std::map<std::string, int> silent, warned;
        qsizetype heard = 0;
        const int acts = qEnvironmentVariableIsSet("SINOSCOPE_ACTS") ? qEnvironmentVariableIntValue("SINOSCOPE_ACTS") : 400;
        for (int k = 0; k < acts; ++k) {
            for (int again = 0; again < 100; ++again) {
                const auto [function, isSaid] = watched(window, [&] { user.act(k); });
                if (function.empty())
                    break;
                ++failed;
                if (!isSaid)
                    ++silent[function];
                if (const qsizetype now = NoWarnings::heard().size(); now > heard) {
                    ++warned[function];
                    heard = now;
                }
            }
        }
        qInfo("%d calls failed", failed);
        for (const auto& [function, count] : silent)
            qInfo("%d times silent: %s", count, function.c_str());
        for (const auto& [function, count] : warned)
            qInfo("%d times with a warning: %s", count, function.c_str());
    }

  private:
    struct Outcome {
        std::string function; // that failed; empty: none
        bool isSaid = false;
    };

    // What fails while the act is done, and whether it is said before all is at rest again.
    static Outcome watched(Window& window, const std::function<void()>& act)
    {
        const QString wanted = failures.isMemory ? QStringLiteral("Not enough memory") : QLatin1String(injected);
        bool isSaid = false, isDone = false;
        const auto listen = [&](const QString& text) { isSaid = isSaid || text.contains(wanted); };
        const auto connection = connect(&window, &ui::MainWindow::failed, &window, listen);
        const auto look = [&] {
            for (const QWidget* top : QApplication::topLevelWidgets())
                for (const QLabel* label : top->findChildren<QLabel*>())
                    listen(label->text());
        };
        arm(true);
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
        QApplication::processEvents();
        look();
        disconnect(connection);
        const std::lock_guard lock(failures.mutex);
        return {std::exchange(failures.function, {}), isSaid};
    }

    static void arm(bool isArmed)
    {
        const std::lock_guard lock(failures.mutex);
        failures.isArmed = isArmed;
    }
};

SINOSCOPE_TEST(EveryCallTest, ui::Application)
#include "every_call_test.moc"

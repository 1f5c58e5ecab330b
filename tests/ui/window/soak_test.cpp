// SPDX-License-Identifier: GPL-3.0-or-later
// A user doing random things for a long time in the real window. It must not crash, warn, throw, hang or grow, and
// finally show the results of a fresh computation.
//     SINOSCOPE_SOAK_SEED=7 SINOSCOPE_SOAK_MINUTES=60 build/release/tests/ui_tests ui/window/soak_test
// SINOSCOPE_SOAK_OPENCL=1 offers OpenCL devices too. Their drivers keep memory for each program (PoCL up to 50 MB), so
// that growth isn't checked then.
#include "engine/compare/compare_settings.h"
#include "engine/json/reconstruction_json.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/processor_time.h"
#include "tests/ui/window/soak_acts.h"
#include "ui/widgets/theme.h"

#include <QDesktopServices>

#include <bit>

using namespace ui;
using namespace fixtures;

namespace
{

constexpr double mostGrowthBytes = 50e6; // from the maximum in the first quarter to the minimum in the last one
constexpr double mostSeconds = 10;       // of an action: its processor time divided by the number of processors
constexpr int mostFiles = 60;            // open files of any kind
constexpr int actsBetweenLooks = 100;

bool sameBits(const engine::Values& a, const engine::Values& b)
{
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](float x, float y) {
               return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
           });
}

QString difference(const engine::Reconstruction& shown, const engine::Reconstruction& fresh)
{
    const engine::Volume &a = shown.image, &b = fresh.image;
    if (a.width != b.width || a.values.size() != b.values.size())
        return QStringLiteral("%1 x %2 pixels instead of %3 x %4")
            .arg(a.width)
            .arg(a.height)
            .arg(b.width)
            .arg(b.height);
    std::size_t count = 0;
    double most = 0;
    for (std::size_t k = 0; k < a.values.size(); ++k) {
        count += std::bit_cast<std::uint32_t>(a.values[k]) != std::bit_cast<std::uint32_t>(b.values[k]);
        most = std::max(most, std::abs(double(a.values[k]) - double(b.values[k])));
    }
    return QStringLiteral("%1 of %2 pixels, by up to %3; shown:\n%4\nfresh:\n%5\n")
        .arg(count)
        .arg(a.values.size())
        .arg(most)
        .arg(QString::fromStdString(engine::reconstructionJson(shown)),
             QString::fromStdString(engine::reconstructionJson(fresh)));
}

// Returns a description of shown results that a fresh computation would not give; empty if there are none.
QString stale(Window& window)
{
    const Comparison wanted = window.settings().comparison(window.slice());
    const Comparison& shown = window.shown();
    std::vector<std::optional<engine::Reconstruction>> fresh;
    for (std::size_t k = 0; k < wanted.compared.size(); ++k) {
        fresh.emplace_back();
        if (!wanted.compared[k].visible && k != wanted.chosen)
            continue;
        try {
            fresh.back() = engine::Reconstructor().run(wanted.compared[k].request);
        } catch (const engine::Error& error) {
            // The window must report the error.
            return window.message().isEmpty() ? QStringLiteral("silent about: ") + error.what() : QString();
        }
    }
    if (shown.compared.size() != wanted.compared.size())
        return QStringLiteral("%1 settings are shown instead of %2; it says '%3'")
            .arg(shown.compared.size())
            .arg(wanted.compared.size())
            .arg(window.message());
    for (std::size_t k = 0; k < wanted.compared.size(); ++k) {
        const Compared& one = shown.compared[k];
        if (one.name != wanted.compared[k].name)
            return one.name + QStringLiteral(" is shown instead of ") + wanted.compared[k].name;
        if (!fresh[k])
            continue;
        if (!one.result)
            return one.name + QStringLiteral(" has no image; it says '%1'").arg(window.message());
        if (!sameBits(one.result->image.values, fresh[k]->image.values))
            return one.name + QStringLiteral(" is another image than a fresh one: %1; it says '%2'")
                                  .arg(difference(*one.result, *fresh[k]), window.message());
        if (!one.metrics)
            continue;
        std::optional<engine::Metrics> again;
        try {
            again =
                engine::measured(one.result.get(), one.reference.get(), window.slice(), window.images().marks().mask());
        } catch (const engine::Error& error) { // an area outside a smaller image
            if (window.message().isEmpty())
                return QStringLiteral("silent about: ") + error.what();
            continue;
        }
        if (!again || std::bit_cast<std::uint64_t>(again->rmse) != std::bit_cast<std::uint64_t>(one.metrics->rmse) ||
            again->pixels != one.metrics->pixels)
            return QStringLiteral("%1 has an RMSE of %2 of %3 pixels instead of %4 of %5")
                .arg(one.name)
                .arg(one.metrics->rmse)
                .arg(one.metrics->pixels)
                .arg(again ? again->rmse : 0)
                .arg(again ? again->pixels : 0);
    }
    return {};
}

const QString memoryGrew = QStringLiteral("memory grew");

int fromEnvironment(const char* name, int otherwise)
{
    bool given = false;
    const int value = qEnvironmentVariableIntValue(name, &given);
    return given ? value : otherwise;
}

} // namespace

class SoakTest : public QObject
{
    Q_OBJECT

  public slots:
    void swallow(const QUrl&) {} // replaces opening a URL with another program

  private slots:
    void initTestCase()
    {
        if (!m_withOpenCl)
            qputenv("OCL_ICD_VENDORS", "/nowhere"); // read when the window first asks for OpenCL devices
        for (const char* scheme : {"file", "http", "https"})
            QDesktopServices::setUrlHandler(QLatin1String(scheme), this, "swallow");
    }
    void cleanupTestCase()
    {
        for (const char* scheme : {"file", "http", "https"})
            QDesktopServices::unsetUrlHandler(QLatin1String(scheme));
    }

    void anythingForLong()
    {
        const auto seed = unsigned(fromEnvironment("SINOSCOPE_SOAK_SEED", 16));
        const double minutes = fromEnvironment("SINOSCOPE_SOAK_MINUTES", 0);
        const int acts = fromEnvironment("SINOSCOPE_SOAK_ACTS", minutes > 0 ? std::numeric_limits<int>::max()
                                                                : sanitized ? 200
                                                                : thorough  ? 4000
                                                                            : 2000);
        const QString before = QDir::currentPath();
        const auto back = qScopeGuard([&] { QDir::setCurrent(before); });
        soak::Log log(seed);
        QString wrong;
        const auto soakFor = [&](int count) {
            const TemporaryFolder folder;
            QDir::setCurrent(folder.file({})); // the window saves files here
            soak::Watchdog watchdog{std::chrono::milliseconds(patienceMs)};
            ThemeFollower theme;
            Window window({1100, 720}, &theme);
            wrong = soaked(window, folder, seed, count, minutes, log, watchdog);
            watchdog.begin(); // it also watches the end
        };
        soakFor(acts);
        // On a busy machine more actions are cancelled, and in 1 of 10 runs caches fill so late that memory seems to
        // grow. In a longer run caches stop growing, while a leak continues to grow.
        if (wrong.startsWith(memoryGrew) && minutes == 0)
            soakFor(2 * acts);
        if (!wrong.isEmpty())
            log.print();
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    }

  private:
    // Returns a description of the error; empty if all is well.
    QString soaked(Window& window, const TemporaryFolder& folder, unsigned seed, int acts, double minutes,
                   soak::Log& log, soak::Watchdog& watchdog)
    {
        soak::Acts user(window, folder, seed, log);
        QElapsedTimer sinceStart;
        sinceStart.start();
        int done = 0;
        const auto partDone = [&] {
            return minutes > 0 ? double(sinceStart.elapsed()) / (60e3 * minutes) : double(done) / acts;
        };
        double most = 0, least = 0, bytes = 0;
        double slowest = 0;
        for (int k = 0; k < acts && partDone() < 1; ++k) {
            const double before = processor_time::ofThisProcess();
            watchdog.begin();
            try {
                user.act(k);
            } catch (const std::exception& error) {
                return QStringLiteral("act %1 throws %2").arg(k).arg(error.what());
            }
            watchdog.end();
            done = k + 1;
            const double seconds = (processor_time::ofThisProcess() - before) / processor_time::perSecond();
            slowest = std::max(slowest, seconds);
            if (seconds > (sanitized ? 20 : 1) * mostSeconds)
                return QStringLiteral("act %1 took %2 s").arg(k).arg(seconds);
            if (const QStringList warnings = NoWarnings::heard(); !warnings.isEmpty())
                return QStringLiteral("act %1: Qt warned: %2").arg(k).arg(warnings.join('\n'));
            if ((k + 1) % actsBetweenLooks != 0 && k + 1 != acts)
                continue;
            if (user.cancelled())
                user.computeAgain();
            if (!settles(window))
                return QStringLiteral("it doesn't end after act %1").arg(k);
            if (const QString what = window.scan() ? stale(window) : QString(); !what.isEmpty())
                return QStringLiteral("after act %1 %2").arg(k).arg(what);
            bytes = soak::heldBytes();
            if (partDone() <= 0.25 || most == 0)
                most = std::max(most, bytes);
            else if (partDone() >= 0.75)
                least = least == 0 ? bytes : std::min(least, bytes);
            if (minutes > 0 || qEnvironmentVariableIsSet("SINOSCOPE_SOAK_ACTS"))
                qInfo("%d acts, %.0f MB, slowest %.1f s", k + 1, bytes / 1e6, slowest);
            if (soak::openFiles() > mostFiles)
                return QStringLiteral("%1 files are open").arg(soak::openFiles());
        }
        const double growth = least - most;
        qInfo(
            "seed %u, %d acts: at least %.1f MB more in their last quarter than in the first; the slowest took %.1f s",
            seed, done, growth / 1e6, slowest);
        if (!sanitized && !m_withOpenCl && growth > mostGrowthBytes)
            return memoryGrew + QStringLiteral(" by %1 MB").arg(growth / 1e6);
        window.openSample(QStringLiteral("cone")); // the window is destroyed while it computes
        return {};
    }

    const bool m_withOpenCl = fromEnvironment("SINOSCOPE_SOAK_OPENCL", 0) != 0;
};

SINOSCOPE_TEST(SoakTest, QApplication)
#include "soak_test.moc"

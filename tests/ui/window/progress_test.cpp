// SPDX-License-Identifier: GPL-3.0-or-later
// The real window during computations: the newest request wins, Escape stops, and the window never blocks.
#include "tests/ui/fixtures.h"
#include "ui/image/image_view.h"

#include <QDoubleSpinBox>
#include <QTimer>

#include <ctime>

using namespace ui;
using namespace fixtures;

namespace
{

// An application that measures the longest handler of the window's thread, in processor time: unlike the wall clock,
// it is the same on a busy machine.
class TimedApplication : public QApplication
{
  public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_inside)
            return QApplication::notify(receiver, event);
        m_inside = true;
        // Event and receiver may no longer exist afterwards.
        const QString what =
            QStringLiteral("%1 in %2").arg(event->type()).arg(QString::fromLatin1(receiver->metaObject()->className()));
        const double began = seconds();
        const bool result = QApplication::notify(receiver, event);
        const double took = seconds() - began;
        m_inside = false;
        if (took > longestSeconds) {
            longestSeconds = took;
            longest = what;
        }
        return result;
    }

    double longestSeconds = 0;
    QString longest; // event type and receiver

  private:
    static double seconds()
    {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
    }

    bool m_inside = false;
};

} // namespace

class ProgressTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_window = std::make_unique<Window>(); }
    void cleanup() { m_window.reset(); }

    void newestOfTwentyChangesIsShown()
    {
        QVERIFY(m_window->opensSmall());
        auto* cutoff = child<QDoubleSpinBox>(*m_window, "cutoff");
        for (int k = 1; k <= 20; ++k) {
            cutoff->setValue(k / 20.0 == 1 ? 0.33 : k / 20.0);
            if (k % 4 == 0) // another image has come
                QVERIFY(comes([&, before = m_window->shown().a().result] {
                    return m_window->shown().a().result != before || !m_window->busy();
                }));
        }
        QVERIFY(settles(*m_window));
        QCOMPARE(m_window->shown().a().result->request.setting.filter.cutoff, 0.33);
        QCOMPARE(m_window->shown().a().reference->request.setting.filter.cutoff, 0.33);
        QVERIFY(m_window->shown().a().metrics);
    }

    void cancelsWithEscape()
    {
        QVERIFY(m_window->opensSmall());
        m_window->setSlow("exact");
        m_window->openSample(QStringLiteral("off-axis"));
        QVERIFY(comes([&] { return m_window->scan() && m_window->scan()->bins() == 512; }));
        QVERIFY(m_window->busy());
        trigger(*m_window, Qt::Key_Escape);
        QVERIFY(!m_window->busy()); // the window does not wait for the work to end
        QVERIFY2(m_window->message().isEmpty(), qPrintable(m_window->message()));
    }

    // Opening a scan is cancelled: the window again shows why the current image is impossible.
    void cancelledOpeningLeavesTheMessageOfTheImage()
    {
        QVERIFY(m_window->opensSmall());
        chooseValue(child<QComboBox>(*m_window, "phase"), QStringLiteral("paganin"));
        QVERIFY(settles(*m_window));
        const QString message = m_window->message();
        QVERIFY2(message.contains(QStringLiteral("pixel")), qPrintable(message));
        m_window->openSimulation(simulationOf(engine::Phantom::disc, 1024, 1000), QStringLiteral("large"));
        m_window->cancel();
        QCOMPARE(m_window->message(), QString());
        m_window->computeAgain();
        QVERIFY(settles(*m_window));
        QCOMPARE(m_window->message(), message);
    }

    // After Escape the missing image shows that it was cancelled, and F5 computes it.
    void cancelledReferenceSaysSo()
    {
        m_window->setSlow(); // some seconds for the reference
        m_window->openSimulation(simulationOf(engine::Phantom::disc, 1448, 1200), QStringLiteral("large"));
        QVERIFY(comes([&] { return m_window->shown().a().result && !m_window->shown().a().isPreview(); }));
        auto* b = child<ImageView>(*m_window, "imageB");
        QVERIFY(comes([&] { return b->message().contains(QStringLiteral("left")) || !m_window->busy(); }));
        if (!m_window->busy())
            QSKIP("this machine is too fast to be stopped");
        trigger(*m_window, Qt::Key_Escape);
        QVERIFY(!m_window->busy());
        QVERIFY2(b->message().contains(QStringLiteral("Cancelled")), qPrintable(b->message()));
        QVERIFY(b->message().contains(QStringLiteral("F5")));
        QVERIFY(comes([&] { return !hasPendingTimer(m_window->images()); })); // nothing replaces the message
        QVERIFY(b->message().contains(QStringLiteral("Cancelled")));
        QVERIFY(!m_window->shown().a().reference);
        trigger(*m_window, Qt::Key_F5);
        QVERIFY2(b->message().contains(QStringLiteral("computing")), qPrintable(b->message()));
        QVERIFY(settles(*m_window));
        QVERIFY(m_window->shown().a().reference);
        QVERIFY(b->message().isEmpty());
    }

    // During computations the window remains responsive: no handler waits for requested or stopped work.
    void neverBlocks()
    {
        int turns = 0; // of the event loop
        QTimer turning;
        connect(&turning, &QTimer::timeout, this, [&turns] { ++turns; });
        turning.start(0);
        m_window->setSlow("exact"); // a second or more
        m_window->openSimulation(simulationOf(engine::Phantom::disc, 1024, 1000), QStringLiteral("large"));
        QVERIFY(!m_window->scan()); // opened in the background
        QVERIFY(comes([&] { return m_window->shown().a().result && m_window->shown().a().isPreview(); }));
        auto* cutoff = child<QDoubleSpinBox>(*m_window, "cutoff");
        for (const double value : {0.5, 0.25}) { // each stops the previous one
            cutoff->setValue(value);
            turns = 0;
            QVERIFY(comes([&] { return turns > 20; }));
            QVERIFY(m_window->busy());
            QVERIFY(m_window->shown().a().isPreview()); // no earlier request was completed
        }
        trigger(*m_window, Qt::Key_Escape);
        QVERIFY(!m_window->busy());
        QVERIFY(m_window->shown().a().isPreview());
    }

    void noHandlerTakesLong()
    {
        m_window->resize(1280, 800);
        // The window's share of the time does not depend on the projections.
        QVERIFY(m_window->opensSimulation(simulationOf(engine::Phantom::disc, 2048, 6)));
        auto* application = static_cast<TimedApplication*>(qApp);
        application->longestSeconds = 0;
        for (const int index : {0, 3, 1}) {
            choose(child<QComboBox>(*m_window, "interpolation"), index);
            QVERIFY(settles(*m_window));
            QVERIFY(isLaidOut(*m_window)); // and painted
        }
        for (const Qt::Key key : {Qt::Key_0, Qt::Key_2, Qt::Key_3, Qt::Key_4, Qt::Key_1, Qt::Key_F}) {
            trigger(*m_window, key);
            QVERIFY(isLaidOut(*m_window));
        }
        // The aim is 50 ms on the processor of a desktop computer.
        QVERIFY2(application->longestSeconds < 0.1,
                 qPrintable(QStringLiteral("%1 s: %2").arg(application->longestSeconds).arg(application->longest)));
    }

  private:
    std::unique_ptr<Window> m_window;
};

SINOSCOPE_TEST(ProgressTest, TimedApplication)
#include "progress_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Closing by a signal works like the window's close button; the comparison is offered at the next start, which does not
// report a crash.
#include "tests/ui/fixtures.h"
#include "ui/window/autosave.h"
#include "ui/window/end_signals.h"

#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>

#include <csignal>

using namespace ui;
using namespace fixtures;

class EndSignalsTest : public QObject
{
    Q_OBJECT

  private slots:
    void everyOneIsTold()
    {
        for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
            std::signal(signal, SIG_DFL); // a shell may have set it to be ignored
            EndSignals told;
            QSignalSpy asked(&told, &EndSignals::asked);
            ::raise(signal);
            QVERIFY(comes([&] { return asked.count() == 1; }));
        }
        std::signal(SIGHUP, SIG_IGN); // as nohup does
        {
            EndSignals told;
            QSignalSpy asked(&told, &EndSignals::asked);
            ::raise(SIGHUP);
            ::raise(SIGTERM); // the first one that is told
            QVERIFY(comes([&] { return asked.count() > 0; }));
            QCOMPARE(asked.count(), 1);
        }
        std::signal(SIGHUP, SIG_DFL);
    }

    void sessionIsThereAtTheNextStart()
    {
        const TemporaryFolder folder;
        PersistentState state(folder.file(QStringLiteral("sinoscope.ini")));
        {
            MainWindow window(state);
            window.show();
            window.openSimulation(simulationOf(engine::Phantom::disc, 48, 30), QStringLiteral("disc"));
            QVERIFY(showsImage(window));
            window.settings().addSetting();
            QVERIFY(settles(window));
            EndSignals told;
            connect(&told, &EndSignals::asked, &window, &MainWindow::endFromOutside);
            ::raise(SIGTERM);
            QVERIFY(comes([&] { return !window.isVisible(); }));
        }
        const QDir place(folder.file({}));
        QCOMPARE(place.entryList({QStringLiteral("autosave-*")}), QStringList());
        QCOMPARE(place.entryList({QStringLiteral("ended-*.sinoscope")}).size(), 1);
        QVERIFY(QSettings(folder.file(QStringLiteral("sinoscope.ini")), QSettings::IniFormat)
                    .childGroups()
                    .contains("screens"));
        {
            MainWindow window(state);
            window.show();
            window.openSimulation(simulationOf(engine::Phantom::disc, 48, 31), QStringLiteral("disc"));
            QVERIFY(showsImage(window));
            QVERIFY(comes([&] { return window.message().contains(QStringLiteral("closed by the system")); }));
            for (QPushButton* button : window.findChildren<QPushButton*>())
                if (button->text() == QStringLiteral("Open it"))
                    button->click();
            QVERIFY(comes([&] { return window.settings().list().settings.size() == 2; }));
            QVERIFY(settles(window));
            QCOMPARE(window.scan()->projections(), 30);
        }
        for (const char* pattern : {"autosave-*", "ended-*"}) // the window was closed normally, not by a signal
            QCOMPARE(place.entryList({QLatin1String(pattern)}), QStringList());
    }

    // A log-out may be cancelled. Then a session saved later replaces the one saved at the log-out, and a later crash
    // is reported as a crash.
    void goingOnAfterAll()
    {
        const TemporaryFolder folder;
        engine::Session session;
        session.simulation = engine::Simulation{};
        {
            Autosave autosave(folder.file({}));
            autosave.keepForNextStart(session);
            QCOMPARE(QDir(folder.file({})).entryList({QStringLiteral("ended-*.sinoscope")}).size(), 1);
            autosave.keep(session);
            QCOMPARE(QDir(folder.file({})).entryList({QStringLiteral("ended-*.sinoscope")}).size(), 0);
        }
        QVERIFY(Autosave(folder.file({})).leftBehind().isEmpty());
        engine::writeSession(session, folder / "autosave-999999.sinoscope", false);
        QVERIFY(!Autosave(folder.file({})).wasAskedToEnd());
    }
};

SINOSCOPE_TEST(EndSignalsTest, QApplication)
#include "end_signals_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// A session in the real window: saved, opened again, or left behind by a program that crashed.
#include "engine/compare/compare_settings.h"
#include "tests/ui/fixtures.h"
#include "ui/image/image_panel.h"
#include "ui/image/value_spin_box.h"
#include "ui/window/autosave.h"

#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTabWidget>
#include <QTimer>

#include <sys/stat.h>

using namespace ui;
using namespace fixtures;

class SessionFileTest : public QObject
{
    Q_OBJECT

  private slots:
    void opensAsItWasSaved()
    {
        const TemporaryFolder folder;
        const QString file = folder.file(QStringLiteral("head.sinoscope"));
        std::optional<engine::Metrics> figures;
        SettingList list;
        engine::Marks marks;
        QJsonObject looks;
        {
            Window window;
            QVERIFY(window.opensSmall());
            child<QToolButton>(window, "addSetting")->click();
            chooseValue(child<QComboBox>(window, "interpolation"), "nearest");
            child<QDoubleSpinBox>(window, "axisBins")->setValue(23.25);
            chooseValue(child<QComboBox>(window, "reference"), "exact:1");
            window.setSlice(11);
            marks = window.images().marks();
            marks.add(engine::Area(engine::Region{8, 9, 20, 22}));
            marks.find(marks.lineId)->shape = engine::Line{1, 2, 30, 40.5};
            window.images().editMarks(marks);
            window.images().setView(*findView(QStringLiteral("lens")));
            QVERIFY(settles(window));
            child<ValueSpinBox>(window, "windowLow")->setValue(0.0125);
            child<QTabWidget>(window, "numberTabs")->setCurrentIndex(2);
            window.images().setColourMap(QStringLiteral("Viridis"));
            looks = window.images().looks();
            figures = window.shown().a().metrics;
            list = window.settings().list();
            window.saveSession(file);
            QVERIFY2(!window.message().contains(QStringLiteral("can't")), qPrintable(window.message()));
        }
        QVERIFY(figures && figures->pixels == 440);
        for (int turn = 0; turn < 2; ++turn) { // into an empty window, and over another scan
            Window window;
            if (turn == 1)
                QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::disc, 64, 30)));
            window.open(file);
            QVERIFY(settles(window));
            QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
            QVERIFY(window.settings().list() == list);
            QCOMPARE(window.slice(), 11);
            QVERIFY(window.images().marks() == marks);
            QCOMPARE(window.images().view().id, std::string_view("lens"));
            QCOMPARE(window.images().looks(), looks);
            QCOMPARE(child<QTabWidget>(window, "numberTabs")->currentIndex(), 2);
            QVERIFY(window.shown().a().metrics);
            QCOMPARE(window.shown().a().metrics->rmse, figures->rmse);
            QCOMPARE(window.shown().a().metrics->ssim, figures->ssim);
        }
        // The same numbers without a window.
        const engine::Session session = engine::readSession(file.toStdString());
        const auto all = engine::compareSettings(engine::openScan(session), session.list, session.resources,
                                                 session.slice, session.marks.mask());
        QCOMPARE(all[1].metrics->rmse, figures->rmse);
    }

    void refusesWhatIsNone()
    {
        const TemporaryFolder folder;
        const QString path = folder.file(QStringLiteral("bad.sinoscope"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) &&
                file.write("{\"format\": \"Sinoscope session\", \"version\": 9}") > 0);
        file.close();
        Window window;
        QVERIFY(window.opensSmall());
        const auto before = window.shown().a().result;
        window.open(path);
        QVERIFY2(window.message().contains(QStringLiteral("newer")), qPrintable(window.message()));
        QVERIFY(window.message().contains(path));
        QVERIFY(settles(window));
        QCOMPARE(window.shown().a().result, before); // nothing is lost
        window.saveSession(folder.file(QStringLiteral("none/x.sinoscope")));
        QVERIFY2(window.message().contains(QStringLiteral("none")), qPrintable(window.message()));
    }

    void scanThatIsGoneIsSaid()
    {
        const TemporaryFolder folder;
        engine::Session session;
        session.scan = folder.file(QStringLiteral("gone.h5")).toStdString();
        const QString file = folder.file(QStringLiteral("x.sinoscope"));
        engine::writeSession(session, file.toStdString(), false);
        Window window;
        window.open(file);
        QVERIFY(comes([&] { return window.message().contains(QStringLiteral("gone.h5")); }));
        QVERIFY2(window.message().contains(QStringLiteral("session")), qPrintable(window.message()));
    }

    // After a session that cannot be opened, the next scan does not use its settings.
    void sessionThatDoesNotOpenIsForgotten()
    {
        const TemporaryFolder folder;
        engine::Session session;
        session.scan = folder.file(QStringLiteral("gone.h5")).toStdString();
        session.list.add({}, "of another scan");
        session.slice = 3;
        const QString file = folder.file(QStringLiteral("x.sinoscope"));
        engine::writeSession(session, file.toStdString(), false);
        Window window;
        window.open(file);
        QVERIFY(comes([&] { return window.message().contains(QStringLiteral("gone.h5")); }));
        QVERIFY(window.opensSmall());
        QCOMPARE(window.settings().list().settings.size(), std::size_t(1));
        QCOMPARE(window.slice(), 8);
        window.openSession(file); // also if it is still being opened
        QVERIFY(window.opensSmall());
        QCOMPARE(window.settings().list().settings.size(), std::size_t(1));
    }

    void scanThatIsGoneCanBeFound()
    {
        const TemporaryFolder folder;
        const QString there = QStringLiteral(SINOSCOPE_DATA_DIR "/tooth-dxchange/tooth.h5");
        if (!QFile::exists(there))
            QSKIP("there is no real scan here");
        engine::Session session;
        session.scan = folder.file(QStringLiteral("gone.h5")).toStdString();
        session.list.add({}, "mine");
        const QString file = folder.file(QStringLiteral("x.sinoscope"));
        engine::writeSession(session, file.toStdString(), false);
        Window window;
        window.open(file);
        QVERIFY(comes([&] { return window.message().contains(QStringLiteral("gone.h5")); }));
        QTimer answer; // repeats while the dialog may still be reading its folder
        connect(&answer, &QTimer::timeout, &answer, [&] {
            if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(there);
                QMetaObject::invokeMethod(dialog, "accept");
            }
        });
        answer.start(50);
        for (QPushButton* button : window.findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == QStringLiteral("Find it…"))
                button->click();
        QVERIFY(showsImage(window));
        QCOMPARE(QFileInfo(QString::fromStdString(window.scan()->path)), QFileInfo(there));
        QCOMPARE(window.settings().list().settings.size(), std::size_t(2));
    }

    void whatWasLeftBehindIsOffered()
    {
        const TemporaryFolder folder;
        const QString settings = folder.file(QStringLiteral("sinoscope.ini"));
        engine::Session left;
        left.simulation = simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 16);
        left.label = "head";
        left.list.add({}, "left behind");
        const QString crashed = folder.file(QStringLiteral("autosave-999999.sinoscope"));
        engine::writeSession(left, crashed.toStdString(), false);
        ui::PersistentState state(settings);
        {
            MainWindow window(state);
            window.show();
            window.openSimulation(simulationOf(engine::Phantom::disc, 48, 30), QStringLiteral("disc"));
            QVERIFY(showsImage(window));
            QVERIFY(comes([&] { return window.message().contains(QStringLiteral("did not close properly")); }));
            for (QPushButton* button : window.findChildren<QPushButton*>())
                if (button->text() == QStringLiteral("Open it"))
                    button->click();
            QVERIFY(comes([&] { return window.settings().list().settings.size() == 2; }));
            QVERIFY(settles(window));
            QVERIFY(!QFile::exists(crashed));
            QVERIFY(comes(
                [&] { return QDir(folder.file({})).entryList({QStringLiteral("autosave-*.sinoscope")}).size() == 1; }));
        }
        QCOMPARE(QDir(folder.file({})).entryList({QStringLiteral("autosave-*")}), QStringList()); // it ended normally
    }

    // The offer returns until the comparison is opened or discarded.
    void discardedOrKeptForLater()
    {
        const TemporaryFolder folder;
        engine::Session left;
        left.scan = folder / "gone.h5"; // can't be restored now
        const QString crashed = folder.file(QStringLiteral("autosave-999999.sinoscope"));
        engine::writeSession(left, crashed.toStdString(), false);
        PersistentState state(folder.file(QStringLiteral("sinoscope.ini")));
        for (const char* answer : {"none", "open", "close", "discard"}) {
            MainWindow window(state);
            window.show();
            window.openSimulation(simulationOf(engine::Phantom::disc, 48, 30), QStringLiteral("disc"));
            QVERIFY(showsImage(window));
            QVERIFY(comes([&] { return window.message().contains(QStringLiteral("did not close properly")); }));
            auto* bar = child<QWidget>(window, "messageBar");
            if (answer == QByteArray("open")) {
                bar->findChild<QPushButton*>()->click();
                QVERIFY(comes([&] { return window.message().contains(QStringLiteral("gone.h5")); }));
            } else if (answer == QByteArray("close")) {
                bar->findChild<QToolButton*>()->click();
                QVERIFY(window.message().isEmpty());
            } else if (answer == QByteArray("discard")) {
                QVERIFY2(window.message().contains(QStringLiteral("of gone.h5")), qPrintable(window.message()));
                const auto discard = [&](QMessageBox::StandardButton choice) {
                    QTimer::singleShot(0, &window, [&, choice] {
                        qobject_cast<QMessageBox*>(QApplication::activeModalWidget())->button(choice)->click();
                    });
                    for (QPushButton* button : bar->findChildren<QPushButton*>())
                        if (button->text() == QStringLiteral("Discard it"))
                            button->click();
                };
                discard(QMessageBox::Cancel);
                QVERIFY(QFile::exists(crashed));
                QVERIFY(window.message().contains(QStringLiteral("did not close properly")));
                discard(QMessageBox::Discard);
                QVERIFY(window.message().isEmpty());
            }
            QCOMPARE(QFile::exists(crashed), answer != QByteArray("discard"));
        }
    }

    // All comparisons that crashed are offered, one after the other.
    void severalWereLeft()
    {
        const TemporaryFolder folder;
        engine::Session session;
        session.simulation = engine::Simulation{};
        const QStringList names = {QStringLiteral("autosave-999998.sinoscope"),
                                   QStringLiteral("autosave-999999.sinoscope")};
        for (const QString& name : names)
            engine::writeSession(session, folder.file(name).toStdString(), false);
        QStringList offered;
        {
            Autosave next(folder.file({}));
            offered << QFileInfo(next.leftBehind()).fileName();
            next.forgetLeftBehind();
            offered << QFileInfo(next.leftBehind()).fileName(); // the next one at once
        }
        Autosave later(folder.file({}));
        QCOMPARE(QFileInfo(later.leftBehind()).fileName(), offered.back());
        later.forgetLeftBehind();
        QCOMPARE(later.leftBehind(), QString());
        offered.sort();
        QCOMPARE(offered, names);
        QCOMPARE(Autosave(folder.file({})).leftBehind(), QString());
    }

    // The session of a program that is still running is not touched.
    void ofAnotherThatRuns()
    {
        const TemporaryFolder folder;
        Autosave first(folder.file({}));
        engine::Session session;
        session.simulation = engine::Simulation{};
        first.keep(session);
        const QStringList files = QDir(folder.file({})).entryList({QStringLiteral("*.sinoscope")});
        QCOMPARE(files.size(), 1);
        QCOMPARE(Autosave(folder.file({})).leftBehind(), QString());
        QCOMPARE(QDir(folder.file({})).entryList({QStringLiteral("*.sinoscope")}), files);
    }

    // Something else in place of a file of the configuration doesn't block the window, which names it.
    void somethingElseInPlace()
    {
        for (const QString& name : {QStringLiteral("sinoscope.ini"), QStringLiteral("sinoscope.ini.lock")}) {
            const TemporaryFolder folder;
            QCOMPARE(::mkfifo((folder / name.toStdString()).c_str(), 0600), 0);
            PersistentState state(folder.file(QStringLiteral("sinoscope.ini")));
            QVERIFY(!state.settings());
            MainWindow window(state);
            window.show();
            window.openSimulation(simulationOf(engine::Phantom::disc, 48, 30), QStringLiteral("disc"));
            QVERIFY(showsImage(window));
            QVERIFY2(window.message().contains(name) && window.message().contains(QStringLiteral("it is a pipe")),
                     qPrintable(window.message()));
        }
        const TemporaryFolder folder;
        engine::Session session;
        session.simulation = engine::Simulation{};
        engine::writeSession(session, folder / "autosave-999999.sinoscope", false);
        const QString own = QStringLiteral("autosave-%1").arg(QCoreApplication::applicationPid());
        for (const QString& name : {QStringLiteral("autosave-999999"), own})
            QCOMPARE(::mkfifo((folder / (name.toStdString() + ".sinoscope.lock")).c_str(), 0600), 0);
        QCOMPARE(Autosave(folder.file({})).leftBehind(), QString());
    }
};

SINOSCOPE_TEST(SessionFileTest, QApplication)
#include "session_file_test.moc"

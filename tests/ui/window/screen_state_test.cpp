// SPDX-License-Identifier: GPL-3.0-or-later
// The window's place, size and folds are kept for each set of screens, and it is always on a screen.
#include "tests/ui/fixtures.h"
#include "ui/widgets/fold_out.h"
#include "ui/window/screen_state.h"

#include <QScreen>
#include <QSettings>
#include <QTabWidget>

using namespace ui;
using namespace fixtures;

class ScreenStateTest : public QObject
{
    Q_OBJECT

    // A window on the files of this folder, as the program shows it at a start.
    struct Started {
        NoWarnings noWarnings;
        PersistentState state;
        MainWindow window;
        explicit Started(const TemporaryFolder& folder) : state(iniOf(folder)), window(state)
        {
            window.show();
            if (!isExposed(&window))
                QTest::qFail("the window does not come", __FILE__, __LINE__);
        }
        bool isUnfolded() const { return child<QToolButton>(window, "preparationHeading")->isChecked(); }
    };
    static QString iniOf(const TemporaryFolder& folder) { return folder.file(QStringLiteral("sinoscope.ini")); }
    // Lets the stored state belong to other screens.
    static void rename(const TemporaryFolder& folder, const QString& from, const QString& to)
    {
        QSettings stored(iniOf(folder), QSettings::IniFormat);
        stored.beginGroup(QStringLiteral("screens/") + from);
        QMap<QString, QVariant> values;
        for (const QString& key : stored.childKeys())
            values[key] = stored.value(key);
        stored.remove(QString());
        stored.endGroup();
        for (const auto& [key, value] : values.toStdMap())
            stored.setValue(QStringLiteral("screens/") + to + u'/' + key, value);
    }

  private slots:
    void keyOfASet()
    {
        const ConnectedScreen laptop{QStringLiteral("eDP-1"), {1920, 1200}},
            monitor{QStringLiteral("HDMI/1"), {3840, 2160}}, small{QStringLiteral("eDP-1"), {1280, 800}};
        QCOMPARE(screensKey({laptop, monitor}), screensKey({monitor, laptop}));
        QVERIFY(screensKey({laptop}) != screensKey({laptop, monitor}));
        QVERIFY(screensKey({laptop}) != screensKey({small}));
        QVERIFY(!screensKey({monitor}).contains(u'/'));
    }

    void placeOnAScreen_data()
    {
        QTest::addColumn<QRect>("frame");
        QTest::addColumn<QRect>("placed");
        QTest::newRow("inside") << QRect(100, 100, 800, 600) << QRect(100, 100, 800, 600);
        QTest::newRow("on the second") << QRect(2000, 100, 800, 600) << QRect(2000, 100, 800, 600);
        QTest::newRow("partly outside") << QRect(1900, 700, 800, 600) << QRect(1900, 700, 800, 600);
        QTest::newRow("below all") << QRect(100, 3000, 800, 600) << QRect(560, 240, 800, 600);
        QTest::newRow("to the right") << QRect(9000, 100, 800, 600) << QRect(560, 240, 800, 600);
        QTest::newRow("title above the screen") << QRect(100, -200, 800, 600) << QRect(560, 240, 800, 600);
        QTest::newRow("few pixels left") << QRect(-760, 100, 800, 600) << QRect(560, 240, 800, 600);
        QTest::newRow("larger than the screen") << QRect(9000, 0, 4000, 3000) << QRect(0, 0, 1920, 1080);
    }
    void placeOnAScreen()
    {
        QFETCH(const QRect, frame);
        QFETCH(const QRect, placed);
        QCOMPARE(placedOn(frame, {QRect(0, 0, 1920, 1080), QRect(1920, 0, 1280, 1024)}), placed);
        QCOMPARE(placedOn(frame, {}), frame);
    }

    void eachSetOfScreensHasItsOwn()
    {
        const TemporaryFolder folder;
        QSize first;
        {
            Started start(folder);
            first = start.window.size();
            start.window.resize(1010, 650);
            trigger(start.window, Qt::Key_F8);
            trigger(start.window, Qt::Key_F9);
            for (FoldOut* section : start.window.findChildren<FoldOut*>())
                section->unfold(section->name() == QLatin1String("preparationHeading"));
            start.window.close();
        }
        QString here;
        {
            QSettings stored(iniOf(folder), QSettings::IniFormat);
            stored.beginGroup(QStringLiteral("screens"));
            QCOMPARE(stored.childGroups().size(), 1);
            here = stored.childGroups().front();
        }
        const QString there = QStringLiteral("projector 800x600");
        for (const bool isHere : {true, false, true}) {
            if (isHere)
                rename(folder, there, here);
            else
                rename(folder, here, there);
            Started start(folder);
            QCOMPARE(start.window.size(), isHere ? QSize(1010, 650) : first);
            QCOMPARE(start.isUnfolded(), isHere);
            QCOMPARE(start.window.settings().isVisible(), !isHere);
            QCOMPARE(child<QWidget>(start.window, "profilePlot")->isVisible(), !isHere);
        }
    }

    // The state that a version without this distinction has stored is used once.
    void stateOfAnOlderVersion()
    {
        const TemporaryFolder folder;
        {
            QWidget like;
            like.setGeometry(40, 60, 1020, 660);
            QSettings stored(iniOf(folder), QSettings::IniFormat);
            stored.setValue(QStringLiteral("geometry"), like.saveGeometry());
            stored.setValue(QStringLiteral("sidePanels"), false);
        }
        for (int k = 0; k < 2; ++k) {
            Started start(folder);
            QCOMPARE(start.window.size(), QSize(1020, 660));
            QVERIFY(!start.window.settings().isVisible());
            start.window.close();
        }
        QVERIFY(!QSettings(iniOf(folder), QSettings::IniFormat).contains("geometry"));
    }

    void neverOutsideOfAllScreens()
    {
        const TemporaryFolder folder;
        const auto isSeen = [](const QWidget& window) {
            return QGuiApplication::primaryScreen()->geometry().intersects(window.frameGeometry());
        };
        {
            Started start(folder);
            start.window.resize(1000, 600);
            start.window.move(9000, 9000);
            QVERIFY(comes([&] { return !isSeen(start.window); }));
            start.window.close();
        }
        Started start(folder);
        QVERIFY(isSeen(start.window));
        start.window.move(9000, 9000); // as if its screen was removed
        QVERIFY(comes([&] { return !isSeen(start.window); }));
        QScreen* screen = QGuiApplication::primaryScreen();
        emit screen->geometryChanged(screen->geometry());
        QVERIFY(comes([&] { return isSeen(start.window); }));
    }
};

SINOSCOPE_TEST(ScreenStateTest, QApplication)
#include "screen_state_test.moc"

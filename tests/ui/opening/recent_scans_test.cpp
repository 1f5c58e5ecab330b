// SPDX-License-Identifier: GPL-3.0-or-later
// Recent scans open the way they were opened last, and the start page tells that way. A scan that is missing at the
// start gets a sentence there.
#include "engine/base/error.h"
#include "engine/documents/opening_way.h"
#include "engine/io/slices/write_scan.h"
#include "tests/ui/fixtures.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>

using namespace ui;
using namespace fixtures;

class RecentScansTest : public QObject
{
    Q_OBJECT

    QString iniPath() const { return m_folder.file(QStringLiteral("sinoscope.ini")); }
    // The program from its start to its end.
    struct Started {
        NoWarnings noWarnings;
        PersistentState state;
        MainWindow window;
        explicit Started(const QString& ini) : state(ini), window(state)
        {
            window.show();
            if (!isExposed(&window))
                QTest::qFail("the window does not come", __FILE__, __LINE__);
        }
        ~Started() { window.close(); }
        Q_DISABLE_COPY_MOVE(Started)
        QStringList ways() const
        {
            QStringList texts;
            for (const QLabel* label : window.findChildren<QLabel*>(QStringLiteral("recentWay")))
                texts << label->text();
            return texts;
        }
    };

  private slots:
    void init()
    {
        QFile::remove(iniPath());
        m_scan = m_folder.file(QStringLiteral("scan.h5"));
        engine::writeScan(*smallScan(40, 60, 4), nullptr, engine::ScanFormat::dxchange, m_scan.toStdString(), true);
    }

    void asTheyWereOpened()
    {
        {
            Started first(iniPath());
            QVERIFY(first.ways().isEmpty());
            first.window.open(m_scan);
            QVERIFY(showsImage(first.window));
            first.window.openWithArc(360);
            QVERIFY(showsImage(first.window));
            first.window.settings().setAxis(18.25, 0.4);
            QVERIFY(showsImage(first.window));
        }
        for (const bool byMenu : {false, true}) {
            Started next(iniPath());
            QCOMPARE(next.ways().size(), 1);
            QVERIFY2(next.ways().front().contains(QStringLiteral("angles ")), qPrintable(next.ways().front()));
            QVERIFY2(next.ways().front().endsWith(QStringLiteral("axis 18.25 bins, axis tilt 0.4°")),
                     qPrintable(next.ways().front()));
            if (byMenu) {
                for (QAction* action : next.window.findChildren<QAction*>())
                    if (action->text() == QStringLiteral("scan.h5")) {
                        QVERIFY(action->toolTip().endsWith(next.ways().front()));
                        action->trigger();
                        break;
                    }
            } else {
                child<QPushButton>(next.window, "recent")->click();
            }
            QVERIFY2(showsImage(next.window), qPrintable(next.window.message()));
            QVERIFY(std::abs(next.window.scan()->anglesRad()[1] - 6 * degree) < 1e-9);
            QCOMPARE(next.window.shown().a().result->axisBins, 18.25);
            QCOMPARE(next.window.settings().list().chosen().setting.preparation.values.at("axis-tilt"), 0.4);
        }
        Started last(iniPath());
        last.window.open(m_scan); // by the file dialog: as the program opens it by itself
        QVERIFY(showsImage(last.window));
        QVERIFY(std::abs(last.window.scan()->anglesRad()[1] - 3 * degree) < 1e-9);
    }

    // If the file has changed so that it can't be opened that way, one click opens it anew.
    void aWayThatIsGone()
    {
        {
            PersistentState state(iniPath());
            state.addRecent(m_scan);
            engine::OpeningWay way;
            way.opened.dataSets.projections = "/gone/data";
            state.setWay(m_scan, way);
        }
        Started start(iniPath());
        QVERIFY2(start.ways().front().contains(QStringLiteral("/gone/data")), qPrintable(start.ways().front()));
        child<QPushButton>(start.window, "recent")->click();
        QVERIFY(comes([&] { return start.window.message().contains(QStringLiteral("/gone/data")); }));
        QVERIFY(child<QWidget>(start.window, "welcome")->isVisible());
        auto* anew = child<QWidget>(start.window, "messageBar")->findChild<QPushButton*>();
        QCOMPARE(anew->text(), QStringLiteral("Open it anew"));
        anew->click();
        QVERIFY(showsImage(start.window));
        QCOMPARE(start.window.scan()->sliceSize(), 40);
    }

    // The stored list of an older program has no ways; a damaged entry is opened as one without.
    void storedByOtherPrograms()
    {
        QSettings(iniPath(), QSettings::IniFormat).setValue("recent", QStringList{m_scan});
        {
            Started start(iniPath());
            QVERIFY(start.ways().isEmpty());
            child<QPushButton>(start.window, "recent")->click();
            QVERIFY(showsImage(start.window));
        }
        QSettings(iniPath(), QSettings::IniFormat)
            .setValue("recentWays", QStringList{QStringLiteral("{\"opened\": 3")});
        Started start(iniPath());
        QVERIFY(start.ways().isEmpty());
        child<QPushButton>(start.window, "recent")->click();
        QVERIFY(showsImage(start.window));
    }

    void wayAsText()
    {
        engine::OpeningWay way;
        QCOMPARE(engine::inWords(way), std::string());
        QVERIFY(engine::openingWayFromJson(engine::openingWayJson(way)) == way);
        way.opened.dataSets.projections = "/entry/data";
        way.opened.sinogram = true;
        way.opened.darks = "/scans/darks of today.tif";
        way.opened.cone.sourceAxisMm = 100;
        way.axisBins = 1023.456;
        way.axisTiltDeg = -0.25;
        QVERIFY(engine::openingWayFromJson(engine::openingWayJson(way)) == way);
        const QString words = QString::fromStdString(engine::inWords(way));
        for (const char* part :
             {"/entry/data", "sinogram", "darks darks of today.tif", "axis 1023.46 bins", "axis tilt -0.25", "cone"})
            QVERIFY2(words.contains(QLatin1String(part)), qPrintable(words));
        engine::OpeningWay allowed = way;
        allowed.opened.allowOutside = true; // the user is asked each time
        QVERIFY(engine::openingWayFromJson(engine::openingWayJson(allowed)) == way);
        for (const char* text : {"", "3", "{}", "{\"opened\": 3}", "{\"opened\": {}, \"axisBins\": \"1\"}"})
            QVERIFY_EXCEPTION_THROWN(engine::openingWayFromJson(text), engine::Error);
    }

    void missingAtTheStart_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("scan") << QStringLiteral("gone.h5");
        QTest::newRow("session") << QStringLiteral("gone.sinoscope");
    }
    void missingAtTheStart()
    {
        QFETCH(const QString, name);
        const QString path = m_folder.file(name);
        const auto options = parseCommandLine({QStringLiteral("sinoscope"), path});
        QVERIFY(options.has_value());
        Window window;
        window.begin(*options);
        QVERIFY(comes([&] { return window.message().contains(name); }));
        QVERIFY2(!window.message().contains(QLatin1Char('\n')), qPrintable(window.message()));
        QVERIFY(child<QWidget>(window, "welcome")->isVisible());
        QVERIFY_EXCEPTION_THROWN(
            parseCommandLine({QStringLiteral("sinoscope"), path, QStringLiteral("--screenshot"), "a.png"}),
            engine::Error); // no window stays open
    }

    // Nothing is open: what belongs to a scan is grey, and becomes usable with the scan without moving.
    void nothingIsOpen()
    {
        Window window;
        auto* settings = child<QWidget>(window, "settingList");
        const auto* plot = child<QWidget>(window, "profilePlot");
        QVERIFY(settings->isVisible() && !settings->isEnabled());
        QVERIFY(plot->visibleRegion().isEmpty() || !plot->isEnabled());
        const QPoint place = settings->mapTo(&window, QPoint()), placeOfPlot = plot->mapTo(&window, QPoint());
        QVERIFY(window.opensSmall());
        QVERIFY(settings->isEnabled() && plot->isEnabled());
        QVERIFY(isLaidOut(window));
        QCOMPARE(settings->mapTo(&window, QPoint()), place);
        QCOMPARE(plot->mapTo(&window, QPoint()), placeOfPlot);
    }

  private:
    TemporaryFolder m_folder;
    QString m_scan;
};

SINOSCOPE_TEST(RecentScansTest, QApplication)
#include "recent_scans_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo across views, scans and the order of lists, and the names of the actions in the menu.
#include "engine/io/slices/write_scan.h"
#include "tests/ui/fixtures.h"
#include "ui/image/image_panel.h"

#include <QDoubleSpinBox>

using namespace ui;
using namespace fixtures;

class UndoTest : public QObject
{
    Q_OBJECT

    static QString undoText(const Window& window) { return actionWith(window, QKeySequence::Undo)->text(); }
    static QString redoText(const Window& window) { return actionWith(window, QKeySequence::Redo)->text(); }
    // Writes a scan of its own size into the folder, to tell the scans apart.
    QString write(const char* name, int size) const
    {
        engine::writeScan(*smallScan(size, 60, 4), nullptr, engine::ScanFormat::dxchange, m_folder / name, true);
        return m_folder.file(QLatin1String(name));
    }
    static bool opens(Window& window, const QString& path)
    {
        window.open(path);
        return showsImage(window);
    }

  private slots:
    void views()
    {
        Window window;
        QVERIFY(window.opensSmall());
        QCOMPARE(undoText(window), QStringLiteral("&Undo")); // opening the first scan can't be undone
        trigger(window, Qt::Key_1);
        trigger(window, Qt::Key_4);
        QCOMPARE(undoText(window), QStringLiteral("&Undo: view"));
        trigger(window, QKeySequence::Undo);
        QCOMPARE(window.images().view().id, std::string_view("a"));
        QCOMPARE(redoText(window), QStringLiteral("Re&do: view"));
        trigger(window, QKeySequence::Undo);
        QCOMPARE(window.images().view().id, std::string_view("all"));
        QCOMPARE(undoText(window), QStringLiteral("&Undo"));
        trigger(window, QKeySequence::Redo);
        trigger(window, QKeySequence::Redo);
        QCOMPARE(window.images().view().id, std::string_view("difference"));
        QCOMPARE(redoText(window), QStringLiteral("Re&do"));
    }

    void namesOfActions()
    {
        Window window;
        QVERIFY(window.opensSmall());
        child<QToolButton>(window, "addSetting")->click();
        QCOMPARE(undoText(window), QStringLiteral("&Undo: added setting"));
        chooseValue(child<QComboBox>(window, "precision"), "half");
        QCOMPARE(undoText(window), QStringLiteral("&Undo: precision"));
        chooseValue(child<QComboBox>(window, "reference"), "exact:1");
        QCOMPARE(undoText(window), QStringLiteral("&Undo: reference"));
        engine::Marks marks = window.images().marks();
        marks.add(engine::Line{10, 12, 30, 33});
        window.images().editMarks(marks);
        QCOMPARE(undoText(window), QStringLiteral("&Undo: lines and areas"));
        engine::ConeOptions cone;
        cone.sourceAxisMm = 100;
        cone.sourceDetectorMm = 200;
        cone.pixelUMm = 1;
        window.takeAsCone(cone);
        QCOMPARE(undoText(window), QStringLiteral("&Undo: geometry"));
        QVERIFY(showsImage(window));
    }

    // The options that all settings share, too.
    void deviceAndMemory()
    {
        Window window;
        QVERIFY(window.opensSmall());
        const engine::Resources before = window.settings().request(0).resources;
        child<QDoubleSpinBox>(window, "memory-limit")->setValue(0.75);
        QVERIFY(settles(window));
        const engine::Resources after = window.settings().request(0).resources;
        QVERIFY(after != before);
        QCOMPARE(undoText(window), QStringLiteral("&Undo: device and memory"));
        trigger(window, QKeySequence::Undo);
        QVERIFY(window.settings().request(0).resources == before);
        trigger(window, QKeySequence::Redo);
        QVERIFY(window.settings().request(0).resources == after);
        trigger(window, Qt::CTRL | Qt::Key_R); // reset
        QVERIFY(window.settings().request(0).resources != after);
        trigger(window, QKeySequence::Undo);
        QVERIFY(window.settings().request(0).resources == after);
        QVERIFY(settles(window));
    }

    void orderOfSettings()
    {
        Window window;
        QVERIFY(window.opensSmall());
        child<QToolButton>(window, "addSetting")->click();
        const SettingList before = window.settings().list();
        child<QToolButton>(window, "moveUp")->click();
        QVERIFY(window.settings().list() != before);
        QCOMPARE(undoText(window), QStringLiteral("&Undo: order of the settings"));
        trigger(window, QKeySequence::Undo);
        QVERIFY(window.settings().list() == before);
        QVERIFY(settles(window));
    }

    // The previous scan returns with everything that was compared, and then its own actions can be undone, too.
    void openingOfAnotherScan()
    {
        const QString first = write("first.h5", 40), second = write("second.h5", 56);
        Window window;
        QVERIFY(opens(window, first));
        child<QToolButton>(window, "addSetting")->click();
        engine::Marks marks = window.images().marks();
        marks.add(engine::Line{10, 12, 30, 33});
        window.images().editMarks(marks);
        window.setSlice(3);
        trigger(window, Qt::Key_3);
        QVERIFY(showsImage(window));
        const SettingList list = window.settings().list();
        const QJsonObject looks = window.images().looks();

        QVERIFY(opens(window, second));
        QCOMPARE(undoText(window), QStringLiteral("&Undo: opening of second.h5"));
        trigger(window, Qt::Key_1);
        trigger(window, QKeySequence::Undo); // the view
        trigger(window, QKeySequence::Undo);
        QVERIFY(showsImage(window));
        QCOMPARE(window.scan()->sliceSize(), 40);
        QVERIFY(window.windowTitle().startsWith(QStringLiteral("first.h5")));
        QVERIFY(window.settings().list() == list);
        QVERIFY(window.images().marks() == marks);
        QCOMPARE(window.slice(), 3);
        QCOMPARE(window.images().looks(), looks);
        QCOMPARE(redoText(window), QStringLiteral("Re&do: opening of second.h5"));

        const auto scan = window.scan();
        QCOMPARE(undoText(window), QStringLiteral("&Undo: view"));
        trigger(window, QKeySequence::Undo);
        trigger(window, QKeySequence::Undo);
        trigger(window, QKeySequence::Undo);
        QCOMPARE(window.settings().list().settings.size(), std::size_t(1));
        QCOMPARE(window.scan(), scan);
        for (int k = 0; k < 4; ++k)
            trigger(window, QKeySequence::Redo);
        QVERIFY(showsImage(window));
        QCOMPARE(window.scan()->sliceSize(), 56);
        trigger(window, QKeySequence::Redo);
        QCOMPARE(window.images().view().id, std::string_view("a"));
    }

    void openingOfASample()
    {
        Window window;
        QVERIFY(window.opensSmall());
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::disc, 64, 30)));
        trigger(window, QKeySequence::Undo);
        QVERIFY(showsImage(window));
        QCOMPARE(window.scan()->sliceSize(), 48);
        trigger(window, QKeySequence::Redo);
        QVERIFY(showsImage(window));
        QCOMPARE(window.scan()->sliceSize(), 64);
    }

    void openingOfAFileThatVanished()
    {
        const QString first = write("gone.h5", 40), second = write("here.h5", 56);
        Window window;
        QVERIFY(opens(window, first));
        QVERIFY(opens(window, second));
        child<QToolButton>(window, "addSetting")->click();
        trigger(window, QKeySequence::Undo);
        QVERIFY(settles(window));
        const auto shown = window.shown().a().result;
        QVERIFY(QFile::remove(first));
        trigger(window, QKeySequence::Undo);
        QVERIFY(comes([&] { return window.message().contains(QStringLiteral("gone.h5")); }));
        QVERIFY2(!window.message().contains(QLatin1Char('\n')), qPrintable(window.message()));
        QVERIFY(settles(window));
        QCOMPARE(window.scan()->sliceSize(), 56);
        QCOMPARE(window.shown().a().result, shown);
        QCOMPARE(redoText(window), QStringLiteral("Re&do: added setting")); // nothing is lost
        QCOMPARE(undoText(window), QStringLiteral("&Undo: opening of here.h5"));
        write("gone.h5", 40);
        trigger(window, QKeySequence::Undo);
        QVERIFY(showsImage(window));
        QCOMPARE(window.scan()->sliceSize(), 40);
    }

    // An edit that is made while the previous scan is being opened is newer than that step: nothing is lost.
    void editDuringAStep()
    {
        const QString first = write("first.h5", 40), second = write("second.h5", 56);
        Window window;
        QVERIFY(opens(window, first));
        QVERIFY(opens(window, second));
        trigger(window, QKeySequence::Undo);
        child<QToolButton>(window, "addSetting")->click();
        QVERIFY(showsImage(window));
        while (window.scan()->sliceSize() != 56 || window.settings().list().settings.size() != 2) {
            QVERIFY(undoText(window) != QStringLiteral("&Undo"));
            trigger(window, QKeySequence::Undo);
            QVERIFY(showsImage(window));
        }
    }

  private:
    TemporaryFolder m_folder;
};

SINOSCOPE_TEST(UndoTest, QApplication)
#include "undo_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo of turns of planes and of their lines and areas, from any page.
#include "tests/ui/jobs.h"
#include "ui/image/image_view.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/planes_panel.h"

#include <QDoubleSpinBox>
#include <QPushButton>
#include <QTest>

using namespace ui;
using namespace fixtures;

class PlanesUndoTest : public QObject
{
    Q_OBJECT

    static PlanesPanel& panelOf(MainWindow& window) { return *window.findChildren<PlanesPanel*>().front(); }
    static QString undoText(const Window& window) { return actionWith(window, QKeySequence::Undo)->text(); }

    static bool opens(Window& window)
    {
        if (!window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 20)))
            return false;
        trigger(window, Qt::CTRL | Qt::Key_3);
        return hasImages(window);
    }

    static bool hasImages(MainWindow& window)
    {
        const PlanesPanel& panel = panelOf(window);
        return comes([&] {
            for (int plane = 0; plane < 3; ++plane)
                if (const Image& image = panel.cell(plane).image();
                    !image || image->request.place.plane() != panel.planes().plane(plane))
                    return false;
            return true;
        });
    }

    // Drags a dot of the line of x in z, clockwise from one angle to another in small steps; 0 is upright.
    static void turnLine(MainWindow& window, double from, double to)
    {
        const PlanesPanel& panel = panelOf(window);
        const ImageView& view = panel.cell(2).view();
        const QPointF middle = view.toViewport(panel.planes().pixelOf(2, panel.planes().point));
        const double far = 0.4 * std::min(view.viewport()->width(), view.viewport()->height());
        const auto at = [&](double by) {
            const double angle = by * std::numbers::pi / 180;
            return (middle + far * QPointF(std::sin(angle), -std::cos(angle))).toPoint();
        };
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, at(from));
        for (int step = 1; step <= 10; ++step)
            point(view.viewport(), at(from + (to - from) * step / 10), Qt::LeftButton);
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, at(to));
    }

  private slots:
    void aDragIsOneStep()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        const LinkedPlanes before = panelOf(window).planes();
        turnLine(window, 0, 60);
        const LinkedPlanes turned = panelOf(window).planes();
        QCOMPARE(turned.angles[0].turnDeg, -60.0); // clockwise
        QCOMPARE(undoText(window), QStringLiteral("&Undo: turn of plane x"));
        QVERIFY(hasImages(window));
        trigger(window, QKeySequence::Undo);
        QVERIFY(panelOf(window).planes() == before);
        QVERIFY(hasImages(window));
        QCOMPARE(undoText(window), QStringLiteral("&Undo"));
        trigger(window, QKeySequence::Redo);
        QVERIFY(panelOf(window).planes() == turned);
        QVERIFY(hasImages(window));
    }

    void aTurnIsUndoneWhereThePointIsNow()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        turnLine(window, 0, 60);
        QVERIFY(hasImages(window));
        const LinkedPlanes turned = panelOf(window).planes();
        panelOf(window).step(3);
        const LinkedPlanes moved = panelOf(window).planes();
        QVERIFY(moved.point != turned.point);
        trigger(window, QKeySequence::Undo);
        QCOMPARE(panelOf(window).planes().angles[0].turnDeg, 0.0);
        QVERIFY(panelOf(window).planes().point == moved.point);
        trigger(window, QKeySequence::Redo);
        QVERIFY(panelOf(window).planes() == moved);
    }

    void eachDragIsAStepOfItsOwn()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        turnLine(window, 0, 60);
        turnLine(window, 60, 30);
        const auto turnDeg = [&] { return panelOf(window).planes().angles[0].turnDeg; };
        QCOMPARE(turnDeg(), -30.0);
        trigger(window, QKeySequence::Undo);
        QCOMPARE(turnDeg(), -60.0);
        trigger(window, QKeySequence::Undo);
        QCOMPARE(turnDeg(), 0.0);
        trigger(window, QKeySequence::Redo);
        trigger(window, QKeySequence::Redo);
        QCOMPARE(turnDeg(), -30.0);
        QVERIFY(settles(window));
    }

    // Moves of the point are none, like the number of the slice; moving to the middle is one.
    void numbersAndTheMiddle()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        PlanesPanel& panel = panelOf(window);
        child<QDoubleSpinBox>(window, "planePositiony")->setValue(31);
        QCOMPARE(undoText(window), QStringLiteral("&Undo"));
        child<QDoubleSpinBox>(window, "planeTilty")->setValue(12.5);
        QCOMPARE(undoText(window), QStringLiteral("&Undo: turn of plane y"));
        child<QDoubleSpinBox>(window, "planeTurnz")->setValue(-20);
        QCOMPARE(undoText(window), QStringLiteral("&Undo: turn of plane z"));
        const LinkedPlanes turned = panel.planes();
        child<QPushButton>(window, "planesReset")->click();
        QVERIFY(panel.planes() == LinkedPlanes::inMiddleOf(turned.volume));
        QCOMPARE(undoText(window), QStringLiteral("&Undo: planes"));
        trigger(window, QKeySequence::Undo);
        QVERIFY(panel.planes() == turned);
        trigger(window, QKeySequence::Undo);
        QVERIFY(panel.planes().angles[2] == PlaneAngles());
        QCOMPARE(panel.planes().angles[1].tiltDeg, 12.5);
        trigger(window, QKeySequence::Undo);
        QVERIFY(panel.planes().angles[1] == PlaneAngles());
        QCOMPARE(panel.planes().point[1], 31.0);
        // A point alone comes back, too.
        child<QPushButton>(window, "planesReset")->click();
        QCOMPARE(panel.planes().point[1], 24.0);
        trigger(window, QKeySequence::Undo);
        QCOMPARE(panel.planes().point[1], 31.0);
        QVERIFY(settles(window));
    }

    // Another action leaves the point where it is now.
    void settingsLeaveThePlanes()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        PlanesPanel& panel = panelOf(window);
        child<QDoubleSpinBox>(window, "planeTurnx")->setValue(20);
        chooseValue(child<QComboBox>(window, "interpolation"), "nearest");
        LinkedPlanes next = panel.planes();
        next.step(2, 5);
        panel.setPlanes(next);
        trigger(window, QKeySequence::Undo);
        QVERIFY(window.settings().request(0).setting.kernel.interpolation != engine::Interpolation::nearest);
        QVERIFY(panel.planes() == next);
        QVERIFY(settles(window));
    }

    void thePageComesToTheFront()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        child<QDoubleSpinBox>(window, "planeTurnx")->setValue(20);
        trigger(window, Qt::CTRL | Qt::Key_1);
        QVERIFY(!panelOf(window).isVisible());
        trigger(window, QKeySequence::Undo);
        QVERIFY(panelOf(window).isVisible());
        QVERIFY(!panelOf(window).planes().isTurned(0));
        QVERIFY(hasImages(window));
    }

    void marks()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        PlanesPanel& panel = panelOf(window);
        const engine::Marks initial = panel.cell(0).marks().marks();
        panel.setTool(Tool::line);
        const ImageView& view = panel.cell(0).view();
        drag(view.viewport(), view.toViewport({10, 4}).toPoint(), view.toViewport({40, 16}).toPoint());
        const engine::Marks drawn = panel.cell(0).marks().marks();
        QCOMPARE(drawn.lines().size(), initial.lines().size() + 1);
        QCOMPARE(undoText(window), QStringLiteral("&Undo: lines and areas of plane x"));
        engine::Marks ofY = panel.cell(1).marks().marks();
        ofY.add(engine::Area(engine::Region{5, 5, 9, 4}));
        panel.cell(1).marks().editMarks(ofY, false);
        trigger(window, Qt::CTRL | Qt::Key_1);
        trigger(window, QKeySequence::Undo);
        QVERIFY(panel.isVisible());
        QVERIFY(panel.cell(1).marks().marks() != ofY);
        QVERIFY(panel.cell(0).marks().marks() == drawn);
        trigger(window, QKeySequence::Undo);
        QVERIFY(panel.cell(0).marks().marks() == initial);
        trigger(window, QKeySequence::Redo);
        trigger(window, QKeySequence::Redo);
        QVERIFY(panel.cell(0).marks().marks() == drawn);
        QVERIFY(panel.cell(1).marks().marks() == ofY);
        QVERIFY(settles(window));
    }
};

SINOSCOPE_TEST(PlanesUndoTest, QApplication)
#include "planes_undo_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The rotation axis and its tilt, dragged on the page Planes: all planes follow, and one undo takes a drag back.
#include "engine/reconstruct/reconstruct.h"
#include "tests/ui/jobs.h"
#include "ui/axis/opposite_view.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/planes_panel.h"
#include "ui/widgets/drag_field.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace ui;
using namespace fixtures;

class PlanesAxisTest : public QObject
{
    Q_OBJECT

    static PlanesPanel& panelOf(MainWindow& window) { return *window.findChildren<PlanesPanel*>().front(); }

    static double tiltOf(MainWindow& window)
    {
        const engine::Setting setting = window.settings().request(0).setting;
        return engine::valueOf(*engine::findParameter("axis-tilt").parameter, setting.preparation);
    }

    // Whether the page comes to show the full planes of the chosen setting as the engine reconstructs them.
    static bool showsPlanes(MainWindow& window)
    {
        const PlanesPanel& panel = panelOf(window);
        engine::Request request = window.settings().request(0);
        for (int plane = 0; plane < 3; ++plane) {
            request.place.part = engine::PlanePart{panel.planes().plane(plane), true};
            const Image& image = panel.cell(plane).image();
            if (!comes([&] {
                    return image && image->request.setting == request.setting &&
                           image->request.place.previewStep == 1 &&
                           image->request.place.plane() == request.place.plane();
                }))
                return false;
            engine::Reconstructor reconstructor;
            if (image->image.values != reconstructor.run(request).image.values)
                return false;
        }
        return true;
    }

    static bool opens(Window& window, const engine::Simulation& simulation)
    {
        if (!window.opensSimulation(simulation))
            return false;
        trigger(window, Qt::CTRL | Qt::Key_3);
        return showsPlanes(window);
    }

    static engine::Simulation head() { return simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 20); }

    // Presses and moves, but doesn't release.
    static void beginDrag(QWidget* widget, QPoint from, QPoint to)
    {
        QTest::mousePress(widget, Qt::LeftButton, {}, from);
        point(widget, to, Qt::LeftButton);
    }

  private slots:
    void theAxisIsDragged()
    {
        Window window({1280, 800});
        QVERIFY(opens(window, head()));
        auto* field = child<DragField>(window, "planesAxis");
        QCOMPARE(field->text(), QStringLiteral("23.50 bins")); // the middle, which was found
        const QPoint middle = field->rect().center();
        beginDrag(field, middle, middle + QPoint(6, 0));
        const engine::AxisSettings dragged{engine::AxisSettings::Mode::given, 25};
        QVERIFY(window.settings().request(0).setting.axis == dragged); // 4 pixels per bin
        QCOMPARE(field->text(), QStringLiteral("25.00 bins"));
        QVERIFY(showsPlanes(window)); // while the button is still pressed
        point(field, middle + QPoint(8, 0), Qt::LeftButton);
        QTest::mouseRelease(field, Qt::LeftButton, {}, middle + QPoint(8, 0));
        QCOMPARE(window.settings().request(0).setting.axis.bins, 25.5);
        QVERIFY(settles(window));
        QVERIFY(showsPlanes(window));
        emit window.settings().backRequested(); // undo
        QVERIFY(window.settings().request(0).setting.axis == engine::AxisSettings());
        QVERIFY(showsPlanes(window));
    }

    void keysMoveTheAxis()
    {
        Window window({1280, 800});
        QVERIFY(opens(window, head()));
        auto* field = child<DragField>(window, "planesAxis");
        QTest::keyClick(field, Qt::Key_Right);
        QTest::keyClick(field, Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(window.settings().request(0).setting.axis.bins, 23.59);
        QVERIFY(showsPlanes(window));
    }

    void theTiltIsDragged()
    {
        Window window({1280, 800});
        QVERIFY(opens(window, head()));
        auto* field = child<DragField>(window, "planesAxisTilt");
        const QPoint middle = field->rect().center();
        beginDrag(field, middle, middle - QPoint(20, 0));
        QCOMPARE(tiltOf(window), -0.2);
        QCOMPARE(window.settings().request(0).setting.axis.bins, 23.5); // isn't searched at each step
        QVERIFY(showsPlanes(window));
        for (const int pixels : {25, 30, 40}) {
            point(field, middle - QPoint(pixels, 0), Qt::LeftButton);
            QCoreApplication::processEvents();
        }
        QTest::mouseRelease(field, Qt::LeftButton, {}, middle - QPoint(40, 0));
        QCOMPARE(tiltOf(window), -0.4);
        QVERIFY(settles(window));
        QVERIFY(showsPlanes(window));
        emit window.settings().backRequested();
        QCOMPARE(tiltOf(window), 0.0);
        QVERIFY(window.settings().request(0).setting.axis == engine::AxisSettings());
        QVERIFY(showsPlanes(window));
    }

    // The drag of the opposite views beside the page.
    void theViewsOfTheAxisAreFollowed()
    {
        Window window({1280, 800});
        QVERIFY(opens(window, head()));
        const OppositeView* views = child<OppositeView>(window, "oppositeViews");
        QVERIFY(views);
        emit const_cast<OppositeView*>(views)->moved(0.75);
        QCOMPARE(window.settings().request(0).setting.axis.bins, 24.25);
        QVERIFY(showsPlanes(window)); // at rest, though not released
        emit const_cast<OppositeView*>(views)->released();
        QVERIFY(showsPlanes(window));
    }

    void aConeBeamHasNoSuchTilt()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSimulation(coneOf(32, 40, 12)));
        trigger(window, Qt::CTRL | Qt::Key_3);
        QVERIFY(comes([&] { return panelOf(window).cell(2).image() != nullptr; }));
        QVERIFY(child<DragField>(window, "planesAxis")->isEnabled());
        QVERIFY(!child<DragField>(window, "planesAxisTilt")->isEnabled());
    }
};

SINOSCOPE_TEST(PlanesAxisTest, QApplication)
#include "planes_axis_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Lines and areas in the window: when drawn, they are measured and plotted immediately; all changes share one history
// for undo.
#include "tests/ui/fixtures.h"
#include "ui/image/image_panel.h"
#include "ui/image/image_view.h"

#include <QLabel>
#include <QToolButton>

using namespace ui;
using namespace fixtures;

class MarksWindowTest : public QObject
{
    Q_OBJECT

    static int pixelsOf(const Window& window) { return int(window.shown().a().metrics->pixels); }

  private slots:
    void areasCountAndAreTakenBack()
    {
        Window window;
        QVERIFY(window.opensSmall());
        const engine::Marks before = window.images().marks();
        const int disc = pixelsOf(window);
        engine::Marks marks = before;
        marks.add(engine::Area(engine::Region{8, 9, 20, 22}));
        window.images().editMarks(marks);
        QVERIFY(settles(window));
        QCOMPARE(pixelsOf(window), 440);
        child<QToolButton>(window, "addSetting")->click(); // in the same history
        QVERIFY(settles(window));
        QCOMPARE(window.settings().list().settings.size(), std::size_t(2));
        trigger(window, QKeySequence::Undo);
        QCOMPARE(window.settings().list().settings.size(), std::size_t(1));
        QVERIFY(window.images().marks() == marks);
        trigger(window, QKeySequence::Undo);
        QVERIFY(settles(window));
        QVERIFY(window.images().marks() == before);
        QCOMPARE(pixelsOf(window), disc);
        trigger(window, QKeySequence::Redo);
        QVERIFY(settles(window));
        QCOMPARE(pixelsOf(window), 440);
    }

    // An area is added and removed again before its figures are there: the figures are those of the previous area.
    void areasTakenBackAtOnceCount()
    {
        Window window;
        QVERIFY(window.opensSmall());
        const engine::Marks before = window.images().marks();
        const int disc = pixelsOf(window);
        engine::Marks marks = before;
        marks.add(engine::Area(engine::Region{8, 9, 20, 22}));
        window.images().editMarks(marks);
        window.images().editMarks(before);
        QVERIFY(settles(window));
        QCOMPARE(pixelsOf(window), disc);
    }

    // An area that is drawn while the scan has no image yet is kept, and is measured when the first image is there.
    void areasOfNoImageYetCount()
    {
        Window window;
        QVERIFY(window.opensSmall());
        window.setSlow("exact");
        QVERIFY(settles(window));
        const auto before = window.scan();
        window.openSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 1500, 16), QStringLiteral("another"));
        QVERIFY(comes([&] { return window.scan() != before; }));
        QVERIFY(!window.shown().hasResult());
        engine::Marks marks = window.images().marks();
        marks.add(engine::Area(engine::Region{8, 9, 20, 22}));
        window.images().editMarks(marks);
        QVERIFY(settles(window));
        QVERIFY(window.images().marks().area());
        QCOMPARE(pixelsOf(window), 440);
    }

    void dragIsOneStep()
    {
        Window window;
        QVERIFY(window.opensSmall());
        const engine::Marks before = window.images().marks();
        auto* view = child<ui::ImageView>(window, "imageA");
        const auto line = std::get<engine::Line>(before.line()->shape);
        const auto at = [view](double x, double y) { return view->toViewport({x, y}).toPoint(); };
        drag(view->viewport(), at(line.x0, line.y0), at(10, 20));
        drag(view->viewport(), at(line.x1, line.y1), at(30, 40));
        QVERIFY(window.images().marks() != before);
        trigger(window, QKeySequence::Undo);
        trigger(window, QKeySequence::Undo);
        QVERIFY(window.images().marks() == before);
        QVERIFY(!child<QToolButton>(window, "undo")->isEnabled());
    }

    // The cursor is shown on curve and image together, whichever of them the pointer is on.
    void cursorIsOnBoth()
    {
        Window window;
        QVERIFY(window.opensSmall());
        auto* plot = child<QWidget>(window, "profilePlot");
        auto* readout = child<QLabel>(window, "profileReadout");
        auto* view = child<ui::ImageView>(window, "imageA");
        // The pointer of the display may rest on the plot since an earlier test.
        QVERIFY(comes([&] {
            pointElsewhere(plot);
            return !readout->text().contains(QStringLiteral(" px"));
        }));
        const QImage plain = view->grab().toImage();
        QVERIFY(comes([&] { // repeats if another test's window was under the pointer
            point(plot, QPointF(plot->width() / 4.0, 40));
            return readout->text().contains(QStringLiteral(" px")) && view->grab().toImage() != plain;
        }));
        point(plot, QPointF(plot->width() / 4.0 + 30, 40));
        QVERIFY(readout->text().contains(QStringLiteral(" px")));
        pointElsewhere(plot);
        QVERIFY(view->grab().toImage() == plain);
        const auto line = std::get<engine::Line>(window.images().marks().line()->shape);
        point(view->viewport(), view->toViewport({line.x0 + 1, 20}));
        QVERIFY2(readout->text().startsWith(QStringLiteral("20")), qPrintable(readout->text()));
        point(view->viewport(), view->toViewport({line.x0 + 25, 20})); // away from the line
        QVERIFY(!readout->text().startsWith(QStringLiteral("20")));
    }
};

SINOSCOPE_TEST(MarksWindowTest, QApplication)
#include "marks_window_test.moc"

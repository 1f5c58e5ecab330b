// SPDX-License-Identifier: GPL-3.0-or-later
// The linked planes in the 3-D scene: without a stack and with one, dragged there, and following their page.
#include "tests/ui/jobs.h"
#include "tests/ui/volume/pictures.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/planes_panel.h"

#include <QPushButton>
#include <QTest>

#include <cmath>

using namespace ui;
using namespace fixtures;

class ScenePlanesTest : public QObject
{
    Q_OBJECT

    static PlanesPanel& panelOf(MainWindow& window) { return *window.findChildren<PlanesPanel*>().front(); }

    static bool opens(Window& window)
    {
        if (!window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 40)))
            return false;
        trigger(window, Qt::CTRL | Qt::Key_2);
        return true;
    }

    // Shows the planes alone, and waits for their full images.
    static bool showsPlanes(Window& window)
    {
        child<QPushButton>(window, "planesWithoutStack")->click();
        QWidget* view = viewOf(window);
        if (!view)
            return false;
        view->setProperty("pictureSeconds", 1000.0);
        return hasImages(window);
    }

    static bool hasImages(MainWindow& window)
    {
        const PlanesPanel& panel = panelOf(window);
        return comes([&] {
            for (int plane = 0; plane < 3; ++plane)
                if (const Image& image = panel.cell(plane).image();
                    !image || image->request.place.previewStep != 1 ||
                    image->request.place.plane() != panel.planes().plane(plane))
                    return false;
            return true;
        });
    }

    static bool isNear(QRgb a, const QColor& b)
    {
        return std::abs(qRed(a) - b.red()) + std::abs(qGreen(a) - b.green()) + std::abs(qBlue(a) - b.blue()) < 12;
    }

    // The middle of a grip of the plane in the picture, a disc of its colour.
    static std::optional<QPoint> gripIn(const QImage& picture, int plane)
    {
        constexpr int half = 3;
        for (int y = half; y < picture.height() - half; ++y)
            for (int x = half; x < picture.width() - half; ++x) {
                bool isWhole = true;
                for (int dy = -half; dy <= half && isWhole; ++dy)
                    for (int dx = -half; dx <= half && isWhole; ++dx)
                        isWhole = isNear(picture.pixel(x + dx, y + dy), planeColour(plane));
                if (isWhole)
                    return QPoint(x, y);
            }
        return std::nullopt;
    }

    static void turnOn(MainWindow& window, const char* text, bool isOn)
    {
        for (QCheckBox* each : window.findChild<VolumePanel*>()->findChildren<QCheckBox*>())
            if (each->text().remove(QLatin1Char('&')) == QLatin1String(text))
                each->setChecked(isOn);
    }

    static void reconstructStack(MainWindow& window)
    {
        for (QPushButton* button : window.findChildren<QPushButton*>())
            if (button->isVisible() &&
                button->text().remove(QLatin1Char('&')) == QStringLiteral("Reconstruct the stack"))
                button->click();
    }

  private slots:
    void initTestCase()
    {
        if (!hasOpenGl())
            QSKIP("no OpenGL here");
    }

    void planesAreShownWithoutAStack()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        QVERIFY(!panelOf(window).cell(0).image()); // nothing is computed before it is seen
        QVERIFY(showsPlanes(window));
        const QImage with = picture(window);
        for (int plane = 0; plane < 3; ++plane)
            QVERIFY(gripIn(with, plane));
        const QImage saved = window.findChild<VolumePanel*>()->picture(with.size());
        for (int plane = 0; plane < 3; ++plane)
            QVERIFY(!saved.isNull() && !gripIn(saved, plane)); // a figure shows what it is of, not how to drag it
        QVERIFY(meanDifference(with, saved) < 3);
        auto* box = child<QCheckBox>(window, "scenePlanes");
        QVERIFY(box->isChecked());
        QVERIFY(comes([&] { return box->text() == QStringLiteral("Planes"); })); // nothing is computed any more
        box->click();
        const QImage without = picture(window);
        for (int plane = 0; plane < 3; ++plane)
            QVERIFY(!gripIn(without, plane));
    }

    void aGripTurnsItsPlane()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        QVERIFY(showsPlanes(window));
        const QImage before = picture(window);
        const auto grip = gripIn(before, 2);
        QVERIFY(grip);
        point(viewOf(window), QPoint(2, 2));
        QCOMPARE(viewOf(window)->cursor().shape(), Qt::ArrowCursor);
        point(viewOf(window), *grip);
        QCOMPARE(viewOf(window)->cursor().shape(), Qt::PointingHandCursor);
        drag(viewOf(window), *grip, *grip + QPoint(0, 70));
        const LinkedPlanes& planes = panelOf(window).planes();
        QVERIFY(planes.isTurned(2));
        QVERIFY(!planes.isTurned(0) && !planes.isTurned(1));
        const PlaneAngles& by = planes.angles[2];
        QVERIFY(std::remainder(by.turnDeg, 15) == 0 && std::remainder(by.tiltDeg, 15) == 0);
        QVERIFY(hasImages(window)); // full, after the drag
        QVERIFY(meanDifference(before, picture(window)) > 0.2);
    }

    void aDragWithControlMovesAPlane()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        QVERIFY(showsPlanes(window));
        const engine::VoxelPoint before = panelOf(window).planes().point;
        QWidget* view = viewOf(window);
        const QPoint middle = view->rect().center();
        QVERIFY(!picture(window).isNull());
        drag(view, middle, middle + QPoint(40, -40), Qt::ControlModifier);
        const engine::VoxelPoint after = panelOf(window).planes().point;
        int moved = 0;
        for (std::size_t k = 0; k < 3; ++k)
            moved += before[k] != after[k];
        QCOMPARE(moved, 1);
        QVERIFY(hasImages(window));
    }

    // Planes of a stack, and those that are moved on their page.
    void planesStandInTheStack()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        reconstructStack(window);
        QVERIFY(comes([&] { return viewOf(window) != nullptr; }));
        viewOf(window)->setProperty("pictureSeconds", 1000.0);
        auto* box = child<QCheckBox>(window, "scenePlanes");
        QVERIFY(!box->isChecked());
        QVERIFY(!gripIn(picture(window), 2));
        box->click();
        QVERIFY(hasImages(window));
        const QImage before = picture(window);
        for (int plane = 0; plane < 3; ++plane)
            QVERIFY(gripIn(before, plane));
        LinkedPlanes planes = panelOf(window).planes();
        planes.moveTo({10, 30, 5});
        planes.setAngles(0, {30, 0});
        panelOf(window).setPlanes(planes);
        QVERIFY(hasImages(window));
        QVERIFY(meanDifference(before, picture(window)) > 0.2);
    }

    // Wherever a plane is seen without the object, it is seen with it, too.
    void theObjectDoesNotHideThem()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        reconstructStack(window);
        QVERIFY(comes([&] { return viewOf(window) != nullptr; }));
        viewOf(window)->setProperty("pictureSeconds", 1000.0);
        turnOn(window, "Slices", false);
        turnOn(window, "Slices with background", true);
        const QImage object = picture(window);
        turnOn(window, "Volume", false);
        const QImage nothing = picture(window);
        child<QCheckBox>(window, "scenePlanes")->click();
        QVERIFY(hasImages(window));
        const QImage alone = picture(window);
        turnOn(window, "Volume", true);
        const QImage together = picture(window);
        int seen = 0, seenTogether = 0;
        for (int y = 0; y < alone.height(); ++y)
            for (int x = 0; x < alone.width(); ++x) {
                const bool isPlane = !isNear(nothing.pixel(x, y), alone.pixelColor(x, y));
                seen += isPlane;
                seenTogether += isPlane && isNear(together.pixel(x, y), alone.pixelColor(x, y));
            }
        QVERIFY(seen > 5000 && meanDifference(nothing, object) > 1);
        QVERIFY2(seenTogether > 0.95 * seen, qPrintable(QStringLiteral("%1 of %2").arg(seenTogether).arg(seen)));
    }

    void oneSliceHasNoPlanes()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan, 48, 60)));
        trigger(window, Qt::CTRL | Qt::Key_2);
        QVERIFY(!child<QPushButton>(window, "planesWithoutStack")->isVisible());
    }
};

SINOSCOPE_TEST(ScenePlanesTest, QApplication)
#include "scene_planes_test.moc"

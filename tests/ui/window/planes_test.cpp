// SPDX-License-Identifier: GPL-3.0-or-later
// The page Planes in the window: three images, clicks, keys and fields that move and turn the planes, errors, another
// scan, and the copied command.
#include "engine/reconstruct/reconstruct.h"
#include "engine/request/memory_limit.h"
#include "tests/plane_gaps.h"
#include "tests/ui/jobs.h"
#include "tests/ui/planes_page.h"
#include "ui/image/image_view.h"
#include "ui/planes/plane_cell.h"

#include <QClipboard>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>

#include <set>

using namespace ui;
using namespace fixtures;

class PlanesTest : public QObject
{
    Q_OBJECT

    static PlanesPanel* panelOf(MainWindow& window)
    {
        const QList<PlanesPanel*> found = window.findChildren<PlanesPanel*>();
        return found.size() == 1 ? found.front() : nullptr;
    }

    // The request of a plane as the page makes it.
    static engine::Request requestOf(MainWindow& window, int plane)
    {
        engine::Request request = window.settings().request(0);
        request.place = {};
        request.place.part = engine::PlanePart{panelOf(window)->planes().plane(plane), true};
        return request;
    }

    // Whether the page shows the full image of every plane as the engine reconstructs it.
    static bool showsPlanes(MainWindow& window)
    {
        PlanesPanel* panel = panelOf(window);
        const auto isFull = [&](int plane) {
            const Image& image = panel->cell(plane).image();
            return image && image->request.scan == window.scan() && image->request.place.previewStep == 1 &&
                   image->request.place.plane() == panel->planes().plane(plane) &&
                   image->request.setting == window.settings().request(0).setting;
        };
        if (!comes([&] { return isFull(0) && isFull(1) && isFull(2); }))
            return false;
        for (int plane = 0; plane < 3; ++plane) {
            engine::Reconstructor reconstructor;
            const engine::Reconstruction expected = reconstructor.run(requestOf(window, plane));
            if (!haveSameBits(panel->cell(plane).image()->image, expected.image))
                return false;
        }
        return true;
    }

    static QWidget* viewportOf(MainWindow& window, int plane) { return panelOf(window)->cell(plane).view().viewport(); }

    static void clickPixel(MainWindow& window, int plane, QPointF pixel)
    {
        const ImageView& view = panelOf(window)->cell(plane).view();
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.toViewport(pixel).toPoint());
    }

    // A scan whose rows, by their size, take a share of the memory limit.
    static std::shared_ptr<engine::Scan> largeScan(int size, int projections, int rows, double share)
    {
        auto scan = std::make_shared<engine::Scan>(*jobs::headOf(size, projections, rows));
        scan->bytesPerSample =
            static_cast<int>(share * engine::memoryLimitOf({}) / (double(size) * projections * rows));
        return scan;
    }

    static bool opens(Window& window)
    {
        if (!window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 20)))
            return false;
        trigger(window, Qt::CTRL | Qt::Key_3);
        return panelOf(window)->isVisible() && showsPlanes(window);
    }

  private slots:
    void showsThreeImages()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        const std::array sizes{QSize(48, 20), QSize(48, 20), QSize(48, 48)};
        for (int plane = 0; plane < 3; ++plane) {
            const Pixels& pixels = panelOf(window)->cell(plane).pixels();
            QCOMPARE(QSize(pixels.width(), pixels.height()), sizes[static_cast<std::size_t>(plane)]);
        }
        QVERIFY(child<QLabel>(window, "planesFigures")->text().contains(QStringLiteral("GU/s")));
    }

    void nothingIsComputedBehindOtherPages()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 20)));
        for (int plane = 0; plane < 3; ++plane)
            QVERIFY(!panelOf(window)->cell(plane).image());
    }

    void aClickMovesTheOtherPlanes()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        PlanesPanel* panel = panelOf(window);
        const Image slice = panel->cell(2).image();
        clickPixel(window, 2, {13, 30});
        QVERIFY(panel->planes().point == (engine::VoxelPoint{13, 30, 10}));
        QVERIFY(showsPlanes(window));
        QCOMPARE(panel->cell(2).image(), slice); // the same plane
        clickPixel(window, 0, {9, 4});           // row 9, slice 4
        QVERIFY(panel->planes().point == (engine::VoxelPoint{13, 9, 4}));
        QVERIFY(showsPlanes(window));
        QCOMPARE(panel->cell(0).header().title(), QStringLiteral("x · column 13"));
    }

    void wheelAndKeysMoveByVoxels()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        PlanesPanel* panel = panelOf(window);
        wheel(viewportOf(window, 2), {20, 20}, -240);
        QCOMPARE(panel->planes().voxel(2), 12);
        QTest::keyClick(&panel->cell(1).view(), Qt::Key_Left);
        QCOMPARE(panel->planes().voxel(0), 23);
        QTest::keyClick(&panel->cell(1).view(), Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(panel->planes().voxel(2), 19);
        trigger(window, Qt::Key_PageDown); // the plane that was used last
        QCOMPARE(panel->planes().voxel(1), 25);
        QVERIFY(showsPlanes(window));
    }

    void aDragFollowsThePointer()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        const ImageView& view = panelOf(window)->cell(2).view();
        drag(view.viewport(), view.toViewport({24, 26}).toPoint(), view.toViewport({8, 40}).toPoint());
        QVERIFY(panelOf(window)->planes().point == (engine::VoxelPoint{8, 40, 10}));
        QVERIFY(showsPlanes(window));
    }

    void aHandleTurnsAPlane()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        PlanesPanel* panel = panelOf(window);
        const ImageView& view = panel->cell(2).view();
        // The line of x is upright; its upper dot goes to the right.
        const QPointF middle = view.toViewport(panel->planes().pixelOf(2, panel->planes().point));
        const double far = 0.4 * std::min(view.viewport()->width(), view.viewport()->height());
        const double angle = 40 * degree; // snaps to 45°
        drag(view.viewport(), (middle - QPointF(0, far)).toPoint(),
             (middle + far * QPointF(std::sin(angle), -std::cos(angle))).toPoint());
        QCOMPARE(std::abs(panel->planes().angles[0].turnDeg), 45.0);
        const QPointF line = *panel->planes().directionOf(0, 2);
        QVERIFY(std::abs(line.x() + line.y()) < 1e-6); // from the lower left to the upper right
        QVERIFY(showsPlanes(window));
        child<QDoubleSpinBox>(window, "planeTiltx")->setValue(7.5);
        QCOMPARE(panel->planes().angles[0].tiltDeg, 7.5);
        QVERIFY(showsPlanes(window));
        child<QPushButton>(window, "planesReset")->click();
        QVERIFY(!panel->planes().isTurned(0));
        QVERIFY(showsPlanes(window));
    }

    void aClickOnTitleOrFrameOnlyChooses()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        PlanesPanel* panel = panelOf(window);
        const LinkedPlanes before = panel->planes();
        QCOMPARE(panel->chosen(), 2);
        QTest::mouseClick(&panel->cell(0).header(), Qt::LeftButton, {}, {20, 8});
        QCOMPARE(panel->chosen(), 0);
        QCOMPARE(window.focusWidget(), &panel->cell(0).view());
        QVERIFY(child<QPushButton>(window, "planesSave")->text().contains(QStringLiteral(" x")));
        QWidget* viewport = viewportOf(window, 1);
        QTest::mouseClick(viewport, Qt::LeftButton, {}, {viewport->width() / 2, 2});
        QCOMPARE(panel->chosen(), 1);
        QVERIFY(panel->planes() == before);
        // Its frame is wider.
        const auto isFrame = [&](int plane) {
            QWidget* of = viewportOf(window, plane);
            return of->grab().toImage().pixelColor(of->width() / 3, 3) == planeColour(plane);
        };
        QVERIFY(isFrame(1));
        QVERIFY(!isFrame(0) && !isFrame(2));
    }

    // Planes that aren't turned lie at voxels, and their numbers say which.
    void thePositionIsThatOfTheImage()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        PlanesPanel* panel = panelOf(window);
        LinkedPlanes planes = panel->planes();
        planes.moveTo({13.4, 20.6, 7.25});
        planes.setAngles(0, {30, 0});
        panel->setPlanes(planes);
        QVERIFY(showsPlanes(window));
        const auto box = [&](const char* name) { return child<QDoubleSpinBox>(window, name); };
        QCOMPARE(box("planePositionx")->text(), QStringLiteral("column 13.4"));
        QCOMPARE(box("planePositiony")->text(), QStringLiteral("row 21"));
        QCOMPARE(box("planePositionz")->text(), QStringLiteral("slice 7"));
        QCOMPARE(panel->cell(1).header().title(), QStringLiteral("y · row 21"));
        box("planePositionz")->setValue(9);
        QVERIFY(panel->planes().point == (engine::VoxelPoint{13.4, 20.6, 9})); // the others stay
        box("planePositiony")->setValue(22);
        QCOMPARE(panel->planes().point[1], 22.0);
    }

    // The object is in the slice only: the others are noise.
    void theGreyWindowHasRoomForEachPlane()
    {
        const auto scan = jobs::headOf(64, 30, 24);
        PlanesPanel panel;
        panel.setScan(scan);
        PlaneImages images;
        for (int plane = 0; plane < LinkedPlanes::count; ++plane) {
            auto image = std::make_shared<engine::Reconstruction>();
            image->request.scan = scan;
            image->request.place.part = engine::PlanePart{panel.planes().plane(plane)};
            image->image = engine::Volume(1, image->request.place.plane()->height, image->request.place.plane()->width);
            for (std::size_t k = 0; k < image->image.values.size(); ++k)
                image->image.values[k] = k % 2 == 0 ? 0.01f : -0.01f;
            if (plane == 2)
                for (int column = 28; column < 36; ++column) // 40 of 4096 pixels, and of 8768 of all planes
                    for (int row = 30; row < 35; ++row)
                        image->image.values[static_cast<std::size_t>(64 * row + column)] = 1;
            images.planes[static_cast<std::size_t>(plane)] = std::move(image);
        }
        panel.showImages(images);
        const GreyWindow window = panel.colours().greyWindow();
        QVERIFY2(window.high > 0.9 && window.low > -0.1, qPrintable(QString::number(window.high)));
    }

    void anotherSettingIsFollowed()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        engine::Setting setting = window.settings().request(0).setting;
        setting.filter.window = engine::Window::hann;
        window.settings().bring(setting, {});
        QVERIFY(settles(window));
        QVERIFY(showsPlanes(window));
    }

    // Of a scan that has grown: an image keeps its scan in memory.
    void hiddenImagesGoWithTheirScan()
    {
        PlanesPanel panel;
        auto scan = jobs::headOf(32, 30, 8);
        panel.setScan(scan);
        engine::Request request;
        request.scan = scan;
        request.place.part = engine::PlanePart{panel.planes().plane(2)};
        PlaneImages images;
        images.planes[2] = std::make_shared<engine::Reconstruction>(engine::Reconstructor().run(request));
        panel.showImages(images);
        QVERIFY(panel.cell(2).image());
        panel.setScan(jobs::headOf(32, 40, 8), true);
        QVERIFY(!panel.cell(2).image());
        images = {};
        request = {};
        QCOMPARE(scan.use_count(), 1L);
    }

    void anotherScanBeginsInItsMiddle()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        clickPixel(window, 2, {13, 30});
        QVERIFY(showsPlanes(window));
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 32, 40, 12)));
        QVERIFY(panelOf(window)->planes().point == (engine::VoxelPoint{16, 16, 6}));
        QVERIFY(showsPlanes(window));
    }

    void aSingleSliceHasNoPlanes()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan, 32, 40)));
        QVERIFY(!panelOf(window)->isVisible());
        trigger(window, Qt::CTRL | Qt::Key_3);
        QVERIFY(!panelOf(window)->isVisible());
        QVERIFY(window.message().contains(QStringLiteral("slice")));
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 32, 40, 12)));
        trigger(window, Qt::CTRL | Qt::Key_3);
        QVERIFY(showsPlanes(window));
    }

    void aRefusedPlaneShowsWhy()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        engine::Setting setting = window.settings().request(0).setting;
        setting.kernel.method = "cpu";
        setting.kernel.interpolation = engine::Interpolation::cubic;
        window.settings().bring(setting, {});
        QVERIFY(settles(window));
        QVERIFY(showsPlanes(window)); // planes of voxels
        child<QDoubleSpinBox>(window, "planeTurnx")->setValue(20);
        PlanesPanel* panel = panelOf(window);
        QVERIFY(comes([&] { return !panel->cell(0).view().message().isEmpty(); }));
        QVERIFY(!panel->cell(0).image());
        QVERIFY(panel->cell(1).image() && panel->cell(2).image());
        QVERIFY2(panel->cell(0).view().message().contains(QStringLiteral("cubic"), Qt::CaseInsensitive),
                 qPrintable(panel->cell(0).view().message()));
        child<QDoubleSpinBox>(window, "planeTurnx")->setValue(0);
        QVERIFY(showsPlanes(window));
        QVERIFY(panel->cell(0).view().message().isEmpty());
    }

    // Planes of some projections follow the pointer; at rest, they are those without a limit.
    void littleMemory()
    {
        const NoWarnings noWarnings;
        const auto scan = largeScan(64, 90, 24, 1.4);
        PlanesPage page(scan);
        PlanesPanel& panel = page.panel;
        PlanesController& controller = page.controller;
        std::set<int> projections;
        QObject::connect(&panel, &PlanesPanel::coloured, &panel, [&] {
            for (const Image& image : panel.images())
                if (image)
                    projections.insert(image->request.scan->projections());
        });
        panel.show();
        const auto* note = panel.findChild<QLabel*>(QStringLiteral("planesMemory"));
        QVERIFY(note->isVisible());
        for (const QString& part : {QString::fromStdString(engine::memoryLimitText({})),
                                    QStringLiteral("1 in 4 projections"), QStringLiteral("all need")})
            QVERIFY2(note->text().contains(part), qPrintable(note->text()));
        const auto showsAll = [&](int plane) {
            const Image& image = panel.cell(plane).image();
            return image && image->request.scan == scan && image->request.place.previewStep == 1 &&
                   image->request.place.plane() == panel.planes().plane(plane);
        };
        for (const bool isMoved : {false, true}) {
            projections.clear();
            if (isMoved)
                panel.step(3);
            QVERIFY(comes([&] { return showsAll(0) && showsAll(1) && showsAll(2) && !controller.busy(); }));
            QVERIFY(projections == (std::set<int>{23, 90}));
            for (int plane = 0; plane < 3; ++plane) {
                engine::Request request = panel.cell(plane).image()->request;
                request.scan = jobs::headOf(64, 90, 24);
                const engine::Volume whole = engine::Reconstructor().run(request).image;
                QVERIFY(relativeError(panel.cell(plane).image()->image.values, whole.values) < 1e-6);
            }
        }
        const auto small = jobs::headOf(32, 30, 4);
        page.setScan(small);
        controller.reconstruct();
        QVERIFY(comes([&] { return panel.cell(2).image() && !controller.busy(); }));
        QVERIFY(!note->isVisible());
    }

    void gapsAreNamed()
    {
        const auto whole = jobs::headOf(48, 60, 20);
        auto scan = std::make_shared<engine::Scan>(*whole);
        scan->readFrames = {};
        scan->readEvery = {};
        scan->read = [read = whole->read](engine::RowRange rows, const std::stop_token& stop) {
            if (rows.first <= 7 && rows.first + rows.count > 7)
                throw engine::Error(engine::ErrorKind::badFile, "row 7 is damaged");
            return read(rows, stop);
        };
        PlanesPage page(scan);
        PlanesPanel& panel = page.panel;
        PlanesController& controller = page.controller;
        const auto* gaps = panel.findChild<QLabel*>(QStringLiteral("planesGaps"));
        const auto isDone = [&] {
            return panel.cell(0).image() && panel.cell(1).image() && panel.cell(2).image() && !controller.busy();
        };
        panel.show();
        QVERIFY(comes(isDone));
        QVERIFY2(gaps->isVisible() && gaps->text().contains(QStringLiteral("row 7 of the detector")),
                 qPrintable(gaps->text()));
        page.setScan(whole);
        controller.reconstruct();
        QVERIFY(comes(isDone));
        QVERIFY(!gaps->isVisible());
    }

    // Not even one row fits.
    void tooLittleMemory()
    {
        const NoWarnings noWarnings;
        const auto scan = largeScan(32, 30, 4, 4.8);
        const auto isRead = std::make_shared<std::atomic<bool>>(false);
        scan->readEvery = {};
        scan->read = [isRead](engine::RowRange, std::stop_token) -> engine::RawRows {
            *isRead = true;
            throw engine::Error(engine::ErrorKind::noMemory, "read");
        };
        PlanesPage page(scan);
        PlanesPanel& panel = page.panel;
        PlanesController& controller = page.controller;
        panel.show();
        QVERIFY(comes([&] { return !controller.busy(); }));
        for (int plane = 0; plane < 3; ++plane)
            QVERIFY2(panel.cell(plane).view().message().contains(QStringLiteral("the memory limit is")),
                     qPrintable(panel.cell(plane).view().message()));
        QVERIFY(!*isRead);
        panel.step(1);
        QVERIFY(!controller.busy()); // planes come when nothing moves
    }

    void cancelledPlanesCanBeComputedAgain()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        PlanesPanel* panel = panelOf(window);
        clickPixel(window, 2, {13, 30});
        window.cancel();
        QVERIFY(settles(window));
        window.computeAgain();
        QVERIFY(showsPlanes(window));
        trigger(window, Qt::CTRL | Qt::Key_1);
        QVERIFY(!panel->isVisible());
        trigger(window, Qt::CTRL | Qt::Key_3);
        QVERIFY(showsPlanes(window));
    }

    void errorsStandInTheImages()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        PlanesPanel* panel = panelOf(window);
        window.setImpossible();
        panel->step(2);
        QVERIFY(comes(
            [&] { return panel->cell(2).view().message().contains(QStringLiteral("threads"), Qt::CaseInsensitive); }));
        QVERIFY(!panel->cell(2).image());
        window.setImpossible(false);
        window.computeAgain();
        QVERIFY(showsPlanes(window));
    }

    void theCommandRepeatsThePlane()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        clickPixel(window, 0, {9, 4});
        QVERIFY(showsPlanes(window));
        child<QPushButton>(window, "planesCopy")->click();
        const QString command = QGuiApplication::clipboard()->text();
        QVERIFY2(command.contains(QStringLiteral(" --plane x=24 ")), qPrintable(command));
        QVERIFY(!command.contains(QStringLiteral("--slice ")));
        child<QDoubleSpinBox>(window, "planeTurnx")->setValue(20);
        QVERIFY(showsPlanes(window));
        child<QPushButton>(window, "planesCopy")->click();
        const QString turned = QGuiApplication::clipboard()->text();
        const LinkedPlanes& planes = panelOf(window)->planes();
        const std::string text = engine::textForVolumes(planes.plane(0), planes.volume);
        QVERIFY2(text.starts_with("centre=") && text.find("width") == std::string::npos, text.c_str());
        QVERIFY2(turned.contains(QString::fromStdString("--plane '" + text + "'")), qPrintable(turned));
    }
};

SINOSCOPE_TEST(PlanesTest, QApplication)
#include "planes_test.moc"

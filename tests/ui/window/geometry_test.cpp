// SPDX-License-Identifier: GPL-3.0-or-later
// The geometry of a scan in the window: a parallel beam becomes a cone and back, corrections keep the comparison, and
// impossible values are reported.
#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/io/slices/write_scan.h"
#include "engine/resolve/kernel_choices.h"
#include "tests/ui/fixtures.h"
#include "ui/image/image_panel.h"
#include "ui/image/image_view.h"
#include "ui/opening/scan_bar.h"
#include "ui/settings/geometry_panel.h"

#include <QApplication>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <functional>
#include <set>

using namespace ui;
using namespace fixtures;

class GeometryWindowTest : public QObject
{
    Q_OBJECT

    static void enter(Window& window, const char* field, double value)
    {
        auto* box = child<QDoubleSpinBox>(window, field);
        QVERIFY2(box->isEnabled(), field);
        box->setValue(value);
    }

    static const engine::ConeBeam& beamOf(const Window& window)
    {
        return std::get<engine::ConeBeam>(window.scan()->geometry);
    }

    static void becomeCone(Window& window)
    {
        child<QToolButton>(window, "geometryHeading")->click();
        child<QPushButton>(window, "becomeCone")->click();
        auto* take = child<QPushButton>(window, "takeCone");
        QVERIFY(take->isVisible() && !take->isEnabled());
        enter(window, "sourceAxis", 500);
        enter(window, "sourceDetector", 750);
        QVERIFY(!take->isEnabled() && !take->toolTip().isEmpty());
        enter(window, "pixelU", 1500);
        QVERIFY(take->isEnabled());
        take->click();
        QVERIFY(showsImage(window));
    }

    // Checks that a session restores the geometry of a scan that was interpreted as a cone and then corrected.
    static void comesBack(const std::function<void(Window&)>& correct)
    {
        const TemporaryFolder folder;
        const auto scan = smallScan(48, 60, 16);
        engine::writeScan(*scan, nullptr, engine::ScanFormat::dxchange, folder / "scan.h5", false);
        engine::ConeBeam corrected;
        {
            Window window;
            window.open(folder.file("scan.h5"));
            QVERIFY(showsImage(window));
            becomeCone(window);
            correct(window);
            QVERIFY(showsImage(window));
            corrected = beamOf(window);
            window.saveSession(folder.file("cone.sinoscope"));
        }
        Window window;
        window.openSession(folder.file("cone.sinoscope"));
        QVERIFY2(showsImage(window), qPrintable(window.message()));
        QVERIFY(beamOf(window) == corrected);
    }

    static std::set<std::string> offered(const QComboBox* combo)
    {
        std::set<std::string> ids;
        for (int k = 0; k < combo->count(); ++k)
            ids.insert(combo->itemData(k).toString().toStdString());
        return ids;
    }

    static std::set<std::string> methodsOf(const engine::Geometry& geometry)
    {
        std::set<std::string> ids{"auto"};
        for (const engine::Method* method : engine::methodsFor(geometry))
            if (method->backend != &engine::openClBackend) // only for users of such a device
                ids.insert(method->id);
        return ids;
    }

  private slots:
    void aParallelBeamBecomesAConeAndBack()
    {
        Window window;
        QVERIFY(window.opensSmall());
        const engine::Values before = window.shown().a().result->image.values;
        const engine::Marks marks = window.images().marks();
        auto* kernel = child<QComboBox>(window, "method");
        QVERIFY(offered(kernel) == methodsOf(window.scan()->geometry));
        QVERIFY(!child<QDoubleSpinBox>(window, "sourceAxis")->isVisible());
        window.setSlice(5);
        QVERIFY(showsImage(window));

        becomeCone(window);
        QCOMPARE(engine::labelOf(window.scan()->geometry), std::string("cone beam"));
        QCOMPARE(beamOf(window).sourceDetectorMm, 750.0);
        QVERIFY(std::abs(beamOf(window).volume.voxelMm - 1) < 1e-12);
        QCOMPARE(window.shown().a().result->unit, std::string("1/mm"));
        QCOMPARE(window.slice(), 5);
        QVERIFY(window.images().marks() == marks);
        QVERIFY(offered(kernel) == methodsOf(window.scan()->geometry));
        auto* interpolation = child<ChoiceCombo>(window, "interpolation");
        const int cubic = interpolation->findData("cubic");
        QVERIFY(!interpolation->isPossible(cubic));
        QVERIFY2(interpolation->reason(cubic).contains(QLatin1String("cone")),
                 qPrintable(interpolation->reason(cubic)));
        const QString facts = window.findChild<ScanBar*>()->text();
        for (const char* fact : {"cone beam", "500 mm", "750 mm", "voxel 1 mm"})
            QVERIFY2(facts.contains(QString::fromUtf8(fact)), qPrintable(facts));

        child<QPushButton>(window, "takeParallel")->click();
        QVERIFY(showsImage(window));
        QCOMPARE(engine::labelOf(window.scan()->geometry), std::string("parallel beam"));
        QVERIFY(offered(kernel) == methodsOf(window.scan()->geometry));
        QCOMPARE(window.shown().a().result->image.values.size(), before.size());
    }

    // Methods and numbers of slices per pass are those of the new geometry; settings that it lacks are replaced by
    // available ones.
    void settingsOfTheOtherGeometryGiveWay()
    {
        Window window;
        QVERIFY(window.opensSmall());
        SettingList list;
        list.chosen().setting.kernel.method = "double";
        engine::Setting cubic;
        cubic.kernel.interpolation = engine::Interpolation::cubic;
        cubic.filter.window = engine::Window::hann;
        list.add(cubic);
        window.settings().setList(list);
        becomeCone(window);
        for (const NamedSetting& one : window.settings().list().settings) {
            engine::Request request = window.settings().request(0);
            request.setting = one.setting;
            const std::optional<engine::Text> reason = engine::refusalOfKernel(request);
            QVERIFY2(!reason, reason ? reason->plain().c_str() : "");
        }
        QCOMPARE(window.settings().list().settings[1].setting.filter.window, engine::Window::hann);
        QVERIFY(window.message().isEmpty());
    }

    void aCorrectionKeepsWhatIsCompared()
    {
        Window window;
        QVERIFY(window.opensSmall());
        becomeCone(window);
        engine::Marks marks = window.images().marks();
        marks.add(engine::Line{10, 12, 30, 33});
        window.images().editMarks(marks);
        child<QToolButton>(window, "addSetting")->click();
        chooseValue(child<QComboBox>(window, "interpolation"), "nearest");
        QVERIFY(showsImage(window));
        window.images().zoomIn();
        const auto* view = child<ImageView>(window, "imageA");
        const QPointF corner = view->toViewport({0, 0});
        const SettingList list = window.settings().list();
        const engine::Values before = window.shown().a().result->image.values;

        enter(window, "tilt", 1.5);
        QVERIFY(showsImage(window));
        QVERIFY(std::abs(beamOf(window).tiltRad - 1.5 * degree) < 1e-12);
        QVERIFY(window.shown().a().result->image.values != before);
        QVERIFY(window.settings().list() == list);
        QVERIFY(window.images().marks() == marks);
        QCOMPARE(view->toViewport({0, 0}), corner);

        enter(window, "offsetU", 3); // two bins: the axis moves the opposite way
        QVERIFY(showsImage(window));
        QVERIFY(std::abs(beamOf(window).axisBins.front() - (23.5 - 2)) < 1e-12);
        QVERIFY(std::abs(window.shown().a().result->axisBins - 21.5) < 1e-12);

        const engine::ConeBeam turned = beamOf(window);
        chooseValue(child<QComboBox>(window, "direction"), true);
        QVERIFY(showsImage(window));
        QCOMPARE(beamOf(window).anglesRad[1], -turned.anglesRad[1]);
        QCOMPARE(beamOf(window).tiltRad, turned.tiltRad);
        QCOMPARE(child<QComboBox>(window, "direction")->currentData().toBool(), true);
        chooseValue(child<QComboBox>(window, "direction"), false);
        QVERIFY(showsImage(window));
        QVERIFY(beamOf(window) == turned);
    }

    // With smaller voxels of the same object, lines, areas and the slice stay at the same place of the object.
    void marksStayOnTheObject()
    {
        Window window;
        QVERIFY(window.opensSmall());
        becomeCone(window);
        window.setSlice(4);
        engine::Marks marks = window.images().marks();
        const int id = marks.add(engine::Line{10, 12, 30, 33}).id;
        window.images().editMarks(marks);
        QVERIFY(showsImage(window));
        enter(window, "voxel", 500);
        QVERIFY(showsImage(window));
        QCOMPARE(window.scan()->sliceSize(), 96);
        QCOMPARE(window.scan()->slices(), 32);
        const auto line = std::get<engine::Line>(window.images().marks().find(id)->shape);
        QCOMPARE(line.x0, 20.5);
        QCOMPARE(line.y1, 66.5);
        QVERIFY(std::abs(window.slice() - (4 - 7.5) * 2 - 15.5) <= 0.5);
    }

    // A session restores the geometry when it opens the scan.
    void aSessionKeepsTheGeometry()
    {
        comesBack([](Window& window) { enter(window, "tilt", 0.5); });
    }

    void aSessionKeepsAReversedDirection()
    {
        for (const int turns : {1, 2})
            comesBack([turns](Window& window) {
                for (int turn = 0; turn < turns; ++turn) {
                    chooseValue(child<QComboBox>(window, "direction"), turn == 0);
                    QVERIFY(showsImage(window));
                }
            });
    }

    void whatCannotBeIsSaid()
    {
        Window window;
        QVERIFY(window.opensSmall());
        becomeCone(window);
        const std::shared_ptr<const engine::Scan> before = window.scan();
        enter(window, "sourceDetector", 20);
        auto* problem = child<QLabel>(window, "geometryProblem");
        QVERIFY2(problem->isVisible() && problem->text().contains(QLatin1String("nearer to the source than the axis")),
                 qPrintable(problem->text()));
        QCOMPARE(window.scan(), before);
        QCOMPARE(child<QDoubleSpinBox>(window, "sourceDetector")->value(), 20.0); // stays and can be corrected
        child<QPushButton>(window, "geometryBack")->click();
        QCOMPARE(child<QDoubleSpinBox>(window, "sourceDetector")->value(), 750.0);
        QVERIFY(!problem->isVisible() && !child<QPushButton>(window, "geometryBack")->isVisible());
        enter(window, "sourceDetector", 800);
        QVERIFY(showsImage(window));
        QVERIFY(!problem->isVisible());
        QCOMPARE(beamOf(window).sourceDetectorMm, 800.0);
    }

    // Distances can be typed in any order: one that does not fit the other yet waits for it.
    void distancesInAnyOrder()
    {
        Window window;
        QVERIFY(window.opensSmall());
        child<QToolButton>(window, "geometryHeading")->click();
        child<QPushButton>(window, "becomeCone")->click();
        auto* take = child<QPushButton>(window, "takeCone");
        auto* missing = child<QLabel>(window, "geometryMissing");
        for (const char* name : {"Source–axis", "–detector", "Pixel u"})
            QVERIFY2(missing->text().contains(QString::fromUtf8(name)), qPrintable(missing->text()));
        enter(window, "pixelU", 1500);
        enter(window, "sourceDetector", 400);
        QVERIFY(!missing->text().contains(QString::fromUtf8("Pixel")) && !take->isEnabled());
        enter(window, "sourceAxis", 500);
        QVERIFY2(!take->isEnabled() && missing->text().contains(QLatin1String("nearer to the source than the axis")),
                 qPrintable(missing->text()));
        enter(window, "sourceDetector", 750);
        QVERIFY(take->isEnabled() && !missing->isVisible());
        take->click();
        QVERIFY(showsImage(window));
        enter(window, "sourceAxis", 900); // still behind the detector
        QCOMPARE(beamOf(window).sourceAxisMm, 500.0);
        enter(window, "sourceDetector", 1350);
        QVERIFY(showsImage(window));
        QCOMPARE(beamOf(window).sourceAxisMm, 900.0);
        QCOMPARE(beamOf(window).sourceDetectorMm, 1350.0);
        QVERIFY(!child<QLabel>(window, "geometryProblem")->isVisible());
    }

    // The button that applies the cone is visible where the fields are filled in.
    void theButtonIsInView()
    {
        Window window(QSize(1280, 800));
        QVERIFY(window.opensSmall());
        child<QToolButton>(window, "geometryHeading")->click();
        child<QPushButton>(window, "becomeCone")->click();
        const auto isInView = [&](QWidget* widget) {
            return widget->visibleRegion().boundingRect().height() == widget->height();
        };
        QVERIFY(comes([&] {
            return isInView(child<QPushButton>(window, "takeCone")) &&
                   isInView(child<QDoubleSpinBox>(window, "sourceAxis"));
        }));
        const auto places = [&] {
            QCoreApplication::processEvents();
            std::vector<QPoint> all;
            for (const char* name : {"sourceAxis", "pixelU", "direction", "takeCone", "takeParallel"})
                all.push_back(child<QWidget>(window, name)->mapTo(&window, QPoint()));
            return all;
        };
        const std::vector<QPoint> before = places();
        for (const auto& [name, value] : {std::pair("sourceAxis", 500), {"sourceDetector", 750}, {"pixelU", 1500}}) {
            enter(window, name, value);
            QVERIFY(places() == before);
        }
        QVERIFY(child<QPushButton>(window, "takeCone")->isEnabled());
    }

    // Undo and redo include geometries, in the order of all changes.
    void stepsTakeGeometries()
    {
        Window window;
        QVERIFY(window.opensSmall());
        window.setSlice(5);
        becomeCone(window);
        const engine::ConeBeam first = beamOf(window);
        const engine::Marks marks = window.images().marks();
        enter(window, "voxel", 500);
        QVERIFY(showsImage(window));
        chooseValue(child<QComboBox>(window, "filter"), QStringLiteral("hann"));
        QVERIFY(showsImage(window));
        const engine::ConeBeam second = beamOf(window);
        const auto back = [&] {
            trigger(window, QKeySequence::Undo);
            return showsImage(window);
        };
        QVERIFY(back());
        QVERIFY(beamOf(window) == second);
        QVERIFY(back());
        QVERIFY(beamOf(window) == first && window.images().marks() == marks);
        QCOMPARE(child<QDoubleSpinBox>(window, "voxel")->value(), 1000 * first.volume.voxelMm);
        QVERIFY(back());
        QCOMPARE(engine::labelOf(window.scan()->geometry), std::string("parallel beam"));
        QCOMPARE(window.slice(), 5);
        for (int step = 0; step < 3; ++step) {
            trigger(window, QKeySequence::Redo);
            QVERIFY(showsImage(window));
        }
        QVERIFY(beamOf(window) == second);
        QCOMPARE(window.settings().list().chosen().setting.filter.window, engine::Window::hann);
    }

    void whatCanHardlyBeIsDoubted()
    {
        Window window;
        QVERIFY(window.opensSmall());
        becomeCone(window);
        QVERIFY(!child<QLabel>(window, "geometryProblem")->isVisible());
        enter(window, "sourceDetector", 600000);
        QVERIFY2(showsImage(window), qPrintable(child<QLabel>(window, "geometryProblem")->text()));
        auto* problem = child<QLabel>(window, "geometryProblem");
        QVERIFY2(problem->isVisible() && problem->text().contains(QLatin1String("magnification")),
                 qPrintable(problem->text()));
    }

    // Without precautions a text field would interpret Ctrl+E as "end of line".
    void savingFromAField()
    {
        Window window;
        QVERIFY(window.opensSmall());
        becomeCone(window);
        auto* field = child<QDoubleSpinBox>(window, "sourceAxis");
        field->setFocus();
        const auto isLeftToTheWindow = [&](int key, Qt::KeyboardModifiers with) {
            QKeyEvent event(QEvent::ShortcutOverride, key, with);
            QApplication::sendEvent(field, &event);
            return !event.isAccepted();
        };
        QVERIFY(isLeftToTheWindow(Qt::Key_E, Qt::ControlModifier));
        QVERIFY(!isLeftToTheWindow(Qt::Key_End, Qt::NoModifier));
        QVERIFY(!isLeftToTheWindow(Qt::Key_C, Qt::ControlModifier));
        QVERIFY(!isLeftToTheWindow(Qt::Key_1, Qt::NoModifier)); // a digit, although a view uses it as key, too
    }

    // A simulated cone is compared with its phantom; pixels that not all projections see are marked as such under the
    // pointer.
    void aSimulatedConeIsLikeAnyScan()
    {
        Window window;
        QVERIFY(window.opensSimulation([] {
            engine::Simulation simulation = simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 48);
            simulation.arcDeg = 360;
            simulation.cone = engine::ConeOptions{};
            simulation.cone->sourceAxisMm = 280;
            simulation.cone->sourceDetectorMm = 420;
            simulation.cone->pixelUMm = 1.5;
            return simulation;
        }()));
        QVERIFY(window.scan()->exactImage);
        QCOMPARE(window.scan()->slices(), 48);
        QString said;
        connect(&window.images(), &ImagePanel::pointerMoved, &window, [&](const QString& text) { said = text; });
        auto* view = child<ImageView>(window, "imageA");
        point(view->viewport(), view->toViewport({24, 24}));
        QVERIFY2(said.contains(QLatin1String("A ")) && !said.contains(QLatin1String("seen")), qPrintable(said));
        point(view->viewport(), view->toViewport({1, 1}));
        QVERIFY2(said.contains(QLatin1String("of 60 projections")), qPrintable(said));
        chooseValue(child<QComboBox>(window, "reference"), QStringLiteral("phantom"));
        QVERIFY(showsImage(window) && window.shown().a().metrics);
        const engine::Metrics& metrics = *window.shown().a().metrics;
        QVERIFY2(metrics.rmse < 0.1 * metrics.referenceRange, qPrintable(QString::number(metrics.rmse)));
    }

    // A scan with one row is a fan beam: fields that need rows are disabled, with the reason.
    void aFanHasNoRows()
    {
        Window window;
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan, 48, 60)));
        becomeCone(window);
        QCOMPARE(engine::labelOf(window.scan()->geometry), std::string("fan beam"));
        for (const char* field : {"tilt", "roll", "pixelV", "offsetV", "volumeSlices"}) {
            const auto* box = child<QDoubleSpinBox>(window, field);
            QVERIFY2(!box->isEnabled() && box->toolTip().contains(QLatin1String("fan")), field);
        }
        QVERIFY(!child<QSpinBox>(window, "sliceNumber")->isEnabled());
    }
};

SINOSCOPE_TEST(GeometryWindowTest, QApplication)
#include "geometry_test.moc"

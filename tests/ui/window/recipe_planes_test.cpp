// SPDX-License-Identifier: GPL-3.0-or-later
// Recipes with a plane in the window: saved on the page Planes, opened there, and refused where it can't be shown.
#include "engine/documents/recipe.h"
#include "engine/io/slices/write_scan.h"
#include "tests/ui/jobs.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/planes_panel.h"

#include <QLineEdit>

using namespace ui;
using namespace fixtures;

class RecipePlanesTest : public QObject
{
    Q_OBJECT

    static PlanesPanel& panelOf(MainWindow& window) { return *window.findChildren<PlanesPanel*>().front(); }

    static bool opens(Window& window, int slices = 20)
    {
        return window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 60, slices));
    }

    static bool showsPlane(MainWindow& window, int plane)
    {
        const PlanesPanel& panel = panelOf(window);
        return panel.isVisible() && comes([&] {
                   const Image& image = panel.cell(plane).image();
                   return image && image->request.place.plane() == panel.planes().plane(plane) &&
                          image->request.setting == window.settings().request(0).setting;
               });
    }

    // Saves a recipe by the menu, with the kind whose name contains `kind`. Returns the kinds offered.
    QStringList save(MainWindow& window, const QString& kind)
    {
        QStringList kinds;
        QTimer answer; // repeats while the dialog may still be reading its folder
        connect(&answer, &QTimer::timeout, &answer, [&] {
            if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                kinds = dialog->nameFilters();
                for (const QString& each : kinds)
                    if (each.contains(kind))
                        dialog->selectNameFilter(each);
                dialog->setOption(QFileDialog::DontConfirmOverwrite);
                dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(m_file);
                QMetaObject::invokeMethod(dialog, "accept");
            }
        });
        answer.start(50);
        for (QAction* menu : window.menuWidget()->actions())
            for (QAction* action : menu->menu()->actions())
                if (action->text() == QStringLiteral("Save re&cipe…"))
                    action->trigger();
        return kinds;
    }

    void write(const std::string& plane) const
    {
        engine::Recipe recipe;
        recipe.setting.filter.window = engine::Window::hann;
        recipe.plane = plane;
        engine::writeRecipe(recipe, m_file.toStdString(), true, {});
    }

  private slots:
    void thePageOffersItsPlane()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        QCOMPARE(save(window, {}).size(), 1);
        QVERIFY(engine::readRecipe(m_file.toStdString()).plane.empty());
        trigger(window, Qt::CTRL | Qt::Key_3);
        PlanesPanel& panel = panelOf(window);
        LinkedPlanes planes = panel.planes();
        planes.moveTo({12, 30, 4});
        planes.setAngles(1, {30, -15});
        panel.setPlanes(planes);
        panel.choose(0);
        const QStringList kinds = save(window, QStringLiteral("setting ("));
        QVERIFY2(kinds.size() == 2 && kinds[1].contains(QStringLiteral("plane x · column 12")),
                 qPrintable(kinds.join(u'|')));
        QVERIFY(engine::readRecipe(m_file.toStdString()).plane.empty());
        QVERIFY(!window.message().contains(QStringLiteral("plane")));
        save(window, QStringLiteral("and plane"));
        QVERIFY2(window.message().contains(QStringLiteral("with the plane")), qPrintable(window.message()));
        QCOMPARE(engine::readRecipe(m_file.toStdString()).plane, std::string("x=12"));
        panel.choose(1);
        QVERIFY(save(window, QStringLiteral("and plane"))[1].contains(QStringLiteral("turned 30°, tilted −15°")));
        const engine::Recipe turned = engine::readRecipe(m_file.toStdString());
        QVERIFY(requestWith(turned, window.scan()).place.plane() == planes.plane(1));

        // In another window it comes back, and undo leads back to the planes before.
        Window other({1280, 800});
        QVERIFY(opens(other));
        other.openRecipe(m_file);
        QVERIFY(settles(other));
        QVERIFY(showsPlane(other, 1));
        QCOMPARE(panelOf(other).chosen(), 1);
        QVERIFY(panelOf(other).planes().angles == planes.angles);
        QVERIFY2(other.message().isEmpty(), qPrintable(other.message()));
        trigger(other, QKeySequence::Undo);
        QVERIFY(panelOf(other).planes().angles == LinkedPlanes().angles);
    }

    // The scan is opened as the recipe says before its plane is shown.
    void theScanIsReopened()
    {
        const QString scan = m_folder.file(QStringLiteral("a.h5"));
        engine::writeScan(*smallScan(48, 60, 20), nullptr, engine::ScanFormat::dxchange, scan.toStdString(), true);
        engine::Recipe recipe;
        recipe.opened.reduction.bin = 2;
        recipe.plane = "y=20";
        engine::writeRecipe(recipe, m_file.toStdString(), true, {});
        Window window({1280, 800});
        window.open(scan);
        QVERIFY(showsImage(window));
        QVERIFY(fixtures::drop(window, {QUrl::fromLocalFile(m_file)}));
        QVERIFY(comes([&] { return window.scan()->sliceSize() == 24 && !window.busy(); }));
        QVERIFY(showsPlane(window, 1));
        QCOMPARE(panelOf(window).planes().voxel(1), 20);
    }

    void whatCanNotBeShown_data()
    {
        QTest::addColumn<QString>("plane");
        QTest::addColumn<int>("slices");
        QTest::addColumn<QString>("why");
        QTest::newRow("one slice") << "x=12" << 1 << "several slices";
        QTest::newRow("outside") << "x=48" << 20 << "column 48 lies outside the volume, which has columns 0 to 47";
        QTest::newRow("rotated") << "centre=20,19,14;u=0,1,1;v=1,0,0" << 20 << "two angles";
        QTest::newRow("pixels") << "z=3;pixel=0.5" << 20 << "pixels of one voxel";
    }
    void whatCanNotBeShown()
    {
        QFETCH(QString, plane);
        QFETCH(int, slices);
        QFETCH(QString, why);
        Window window({1280, 800});
        QVERIFY(opens(window, slices));
        const LinkedPlanes planes = panelOf(window).planes();
        write(plane.toStdString());
        window.openRecipe(m_file);
        QVERIFY(settles(window));
        QVERIFY(!panelOf(window).isVisible());
        QVERIFY(panelOf(window).planes() == planes);
        QCOMPARE(window.settings().list().settings.size(), std::size_t(2));
        QVERIFY2(window.message().contains(QStringLiteral("isn't shown")) && window.message().contains(why),
                 qPrintable(window.message()));
    }

  private:
    TemporaryFolder m_folder;
    QString m_file = m_folder.file(QStringLiteral("recipe.json"));
};

SINOSCOPE_TEST(RecipePlanesTest, QApplication)
#include "recipe_planes_test.moc"

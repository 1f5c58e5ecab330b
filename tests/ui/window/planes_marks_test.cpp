// SPDX-License-Identifier: GPL-3.0-or-later
// Lines and areas on the page Planes: profiles and figures of the plane's own pixels, drawn and dragged beside the
// cross-hairs.
#include "engine/reconstruct/reconstruct.h"
#include "tests/ui/jobs.h"
#include "ui/image/image_view.h"
#include "ui/image/linked_views.h"
#include "ui/numbers/areas_panel.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/planes_panel.h"
#include "ui/profile/profile_panel.h"

#include <QTabWidget>
#include <QTest>

using namespace ui;
using namespace fixtures;

class PlanesMarksTest : public QObject
{
    Q_OBJECT

    static PlanesPanel& panelOf(MainWindow& window) { return *window.findChildren<PlanesPanel*>().front(); }
    static QTabWidget* tabsOf(MainWindow& window) { return child<QTabWidget>(window, "planeTabs"); }
    static ProfilePanel* profileOf(MainWindow& window) { return tabsOf(window)->findChildren<ProfilePanel*>().front(); }
    static AreasPanel* areasOf(MainWindow& window) { return tabsOf(window)->findChildren<AreasPanel*>().front(); }

    static bool opens(Window& window)
    {
        if (!window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 20)))
            return false;
        trigger(window, Qt::CTRL | Qt::Key_3);
        return hasImages(window);
    }

    static bool hasImages(MainWindow& window)
    {
        return comes([&] {
            for (int plane = 0; plane < 3; ++plane) {
                const Image& image = panelOf(window).cell(plane).image();
                if (!image || image->request.place.previewStep > 1 ||
                    image->request.place.plane() != panelOf(window).planes().plane(plane))
                    return false;
            }
            return !window.busy();
        });
    }

    static bool hasReference(MainWindow& window, int plane)
    {
        return hasImages(window) && comes([&] {
                   const Compared& a = panelOf(window).cell(plane).comparison().a();
                   return a.reference && a.result == panelOf(window).cell(plane).image();
               });
    }

    static std::vector<float> made(MainWindow& window, int plane, bool isExact)
    {
        engine::Request request;
        request.scan = window.scan();
        request.setting = window.settings().request(0).setting;
        if (isExact) {
            request.setting.kernel = {};
            request.setting.kernel.method = "exact";
        }
        request.place.part = engine::PlanePart{panelOf(window).planes().plane(plane), true};
        engine::Reconstructor reconstructor;
        const engine::Reconstruction image = reconstructor.run(request);
        return {image.image.values.begin(), image.image.values.end()};
    }

    static QString header(MainWindow& window, int plane) { return panelOf(window).cell(plane).header().title(); }

    // Columns of numbers in a profile's CSV, without its comments and headings.
    static QList<QList<double>> numbersOf(const QString& csv)
    {
        QList<QList<double>> rows;
        for (const QString& line : csv.split(u'\n', Qt::SkipEmptyParts)) {
            QList<double> row;
            bool isNumber = !line.startsWith(u'#');
            for (const QString& text : line.split(u',')) {
                bool isRead = false;
                row << text.toDouble(&isRead);
                isNumber = isNumber && isRead;
            }
            if (isNumber)
                rows << row;
        }
        return rows;
    }

    static void useLine(MainWindow& window, int plane, const engine::Line& line)
    {
        engine::Marks marks = panelOf(window).cell(plane).marks().marks();
        marks.find(marks.lineId)->shape = line;
        panelOf(window).cell(plane).marks().editMarks(marks, false);
    }

  private slots:
    void marksAreHiddenUntilTheyAreMeasured()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        for (int plane = 0; plane < 3; ++plane)
            QVERIFY(!panelOf(window).cell(plane).marks().marksVisible());
        tabsOf(window)->setCurrentIndex(1);
        for (int plane = 0; plane < 3; ++plane)
            QVERIFY(panelOf(window).cell(plane).marks().marksVisible());
        tabsOf(window)->setCurrentIndex(0);
        QVERIFY(!panelOf(window).cell(1).marks().marksVisible());
    }

    // Along a row of pixels, a profile has their values.
    void profilesAreThePixelsOfThePlane()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        tabsOf(window)->setCurrentIndex(1);
        for (const int plane : {0, 2}) {
            useLine(window, plane, {0, 7, 47, 7});
            QVERIFY(hasReference(window, plane));
            QCOMPARE(tabsOf(window)->tabText(1), QStringLiteral("Profile of %1").arg(planeName(plane)));
            const QList<QList<double>> rows = numbersOf(profileOf(window)->values());
            QCOMPARE(rows.size(), 48);
            const std::vector<float> a = made(window, plane, false), exact = made(window, plane, true);
            for (int column = 0; column < 48; ++column) {
                const std::size_t at = 7 * 48 + std::size_t(column);
                const QList<double>& row = rows[column];
                QVERIFY(row.size() >= 3);
                QCOMPARE(row[0], double(column));
                const auto holds = [&row](double value) {
                    return std::ranges::any_of(
                        row.mid(1), [&](double one) { return std::abs(one - value) <= 1e-6 * std::abs(value); });
                };
                QVERIFY2(holds(a[at]) && holds(exact[at]), qPrintable(profileOf(window)->values().left(400)));
            }
            const TemporaryFolder folder; // a saved profile is the plane's, and says so
            window.saveProfile(folder.file("profile.csv"));
            const QString saved = QString::fromUtf8(contentOf(folder.file("profile.csv")));
            QCOMPARE(saved, profileOf(window)->values());
            QVERIFY2(saved.contains("in pixels of the plane centre="), qPrintable(saved.left(200)));
        }
    }

    void figuresOfAreasAreThoseOfThePlane()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        tabsOf(window)->setCurrentIndex(2);
        constexpr int plane = 1;
        engine::Marks marks = panelOf(window).cell(plane).marks().marks();
        marks.find(marks.areaId)->shape = engine::Area(engine::Region{10, 5, 20, 9});
        panelOf(window).cell(plane).marks().editMarks(marks, false);
        QVERIFY(hasReference(window, plane));
        const std::vector<float> a = made(window, plane, false), exact = made(window, plane, true);
        double sum = 0, squares = 0, errors = 0;
        for (int row = 5; row < 14; ++row)
            for (int column = 10; column < 30; ++column) {
                const std::size_t at = std::size_t(row) * 48 + std::size_t(column);
                sum += a[at];
                squares += double(a[at]) * a[at];
                errors += std::pow(double(a[at]) - exact[at], 2);
            }
        const double mean = sum / 180, sigma = std::sqrt(squares / 180 - mean * mean), rmse = std::sqrt(errors / 180);
        const auto valueOf = [&](const QString& name) -> double {
            const NumbersTable table = areasOf(window)->table();
            for (std::size_t k = 0; k < table.columns.size(); ++k)
                if (table.columns[k].name == name && !table.rows.empty())
                    return table.rows.front().cells[k].value.value_or(std::nan(""));
            return std::nan("");
        };
        QVERIFY(comes([&] { return std::isfinite(valueOf(QStringLiteral("RMSE"))); }));
        QVERIFY(std::abs(valueOf(QStringLiteral("mean")) - mean) <= 1e-6 * std::abs(mean));
        QVERIFY(std::abs(valueOf(QStringLiteral("σ")) - sigma) <= 0.005 * sigma); // of n or n − 1 pixels
        QVERIFY(std::abs(valueOf(QStringLiteral("RMSE")) - rmse) <= 1e-6 * rmse);
        QCOMPARE(valueOf(QStringLiteral("pixels")), 180.0);
    }

    void aLineIsDrawnInAPlane()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        PlanesPanel& panel = panelOf(window);
        const LinkedPlanes before = panel.planes();
        const ImageView& view = panel.cell(0).view();
        panel.setTool(Tool::line);
        drag(view.viewport(), view.toViewport({10, 4}).toPoint(), view.toViewport({40, 16}).toPoint());
        QCOMPARE(panel.tool(), Tool::none);
        QVERIFY(panel.planes() == before); // the point stayed
        QCOMPARE(tabsOf(window)->currentIndex(), 1);
        const engine::Mark* drawn = panel.cell(0).marks().marks().line();
        const auto line = std::get<engine::Line>(drawn->shape);
        QVERIFY(std::abs(line.x0 - 10) <= 1 && std::abs(line.y1 - 16) <= 1);
        QCOMPARE(panel.chosen(), 0);
        QVERIFY(panel.cell(1).marks().marks().find(drawn->id) == nullptr); // other planes have marks of their own
        QVERIFY(hasReference(window, 0));
        // Its end is dragged, although a drag elsewhere moves the point.
        drag(view.viewport(), view.toViewport({line.x1, line.y1}).toPoint(), view.toViewport({30, 16}).toPoint());
        QVERIFY(panel.planes() == before);
        QVERIFY(std::abs(std::get<engine::Line>(panel.cell(0).marks().marks().line()->shape).x1 - 30) <= 1);
    }

    void marksStayWhileAPlaneMoves()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        tabsOf(window)->setCurrentIndex(1);
        useLine(window, 2, {3, 9, 40, 30});
        LinkedPlanes next = panelOf(window).planes();
        next.step(2, 4);
        panelOf(window).setPlanes(next);
        QVERIFY(hasReference(window, 2));
        QVERIFY(std::get<engine::Line>(panelOf(window).cell(2).marks().marks().line()->shape) ==
                (engine::Line{3, 9, 40, 30}));
        // A smaller scan has no place for it.
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 32, 40, 12)));
        QVERIFY(hasReference(window, 2));
        QVERIFY(std::get<engine::Line>(panelOf(window).cell(2).marks().marks().line()->shape).x1 <= 31);
        QCOMPARE(numbersOf(profileOf(window)->values()).size(), 32);
    }
};

SINOSCOPE_TEST(PlanesMarksTest, QApplication)
#include "planes_marks_test.moc"

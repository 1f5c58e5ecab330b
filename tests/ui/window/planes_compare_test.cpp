// SPDX-License-Identifier: GPL-3.0-or-later
// Settings compared on the page Planes: the difference from the reference and its figures, the divider between both,
// and what stands there while there is no reference.
#include "engine/base/machine.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/ui/jobs.h"
#include "tests/ui/planes_page.h"
#include "ui/image/image_view.h"
#include "ui/image/value_text.h"
#include "ui/planes/plane_cell.h"
#include "ui/saving/figure_dialog.h"
#include "ui/views/view_chooser.h"

#include <QComboBox>
#include <QLabel>
#include <QTest>

using namespace ui;
using namespace fixtures;

class PlanesCompareTest : public QObject
{
    Q_OBJECT

    static PlanesPanel& panelOf(MainWindow& window) { return *window.findChildren<PlanesPanel*>().front(); }

    static void show(MainWindow& window, const char* view)
    {
        auto* chooser = child<ViewChooser>(window, "planeViews");
        for (QToolButton* button : chooser->findChildren<QToolButton*>())
            if (button->text() == findView(QLatin1String(view))->text())
                button->click();
    }

    static bool opens(Window& window)
    {
        if (!window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 20)))
            return false;
        trigger(window, Qt::CTRL | Qt::Key_3);
        return isAtRest(window);
    }

    // Whether the full images of all planes are shown, as the fields give them.
    static bool isAtRest(MainWindow& window)
    {
        PlanesPanel& panel = panelOf(window);
        return comes([&] {
            for (int plane = 0; plane < 3; ++plane) {
                const Image& image = panel.cell(plane).image();
                if (!image || image->request.place.previewStep > 1 ||
                    image->request.place.plane() != panel.planes().plane(plane) ||
                    image->request.setting != window.settings().request(0).setting)
                    return false;
            }
            return !window.busy();
        });
    }

    static std::vector<float> made(const engine::Setting& setting, MainWindow& window, int plane)
    {
        engine::Request request;
        request.scan = window.scan();
        request.setting = setting;
        request.place.part = engine::PlanePart{panelOf(window).planes().plane(plane), true};
        engine::Reconstructor reconstructor;
        const engine::Reconstruction image = reconstructor.run(request);
        return {image.image.values.begin(), image.image.values.end()};
    }

    static std::vector<float> exactOf(MainWindow& window, int plane)
    {
        engine::Setting exact = window.settings().request(0).setting;
        exact.kernel = {};
        exact.kernel.method = "exact";
        return made(exact, window, plane);
    }

    static bool hasDifferences(MainWindow& window)
    {
        PlanesPanel& panel = panelOf(window);
        const auto has = [&](int plane) {
            return panel.cell(plane).difference() && !panel.cell(plane).view().caption().isEmpty();
        };
        return isAtRest(window) && comes([&] { return has(0) && has(1) && has(2); });
    }

    // Whether each plane shows the chosen setting minus `references`, and their RMSE.
    static void checkDifferences(MainWindow& window, const std::array<std::vector<float>, 3>& references)
    {
        for (int plane = 0; plane < 3; ++plane) {
            const PlaneCell& cell = panelOf(window).cell(plane);
            const std::vector<float> a = made(window.settings().request(0).setting, window, plane);
            const std::vector<float>& b = references[static_cast<std::size_t>(plane)];
            const Pixels& shown = cell.view().pixels();
            QCOMPARE(std::size_t(shown.width()) * shown.height(), a.size());
            std::vector<float> buffer;
            double sum = 0;
            int count = 0;
            for (int row = 0; row < shown.height(); ++row) {
                const float* values = shown.row(row, buffer);
                for (int column = 0; column < shown.width(); ++column) {
                    const std::size_t at = static_cast<std::size_t>(row) * shown.width() + column;
                    QCOMPARE(values[column], a[at] - b[at]);
                    if (std::isnan(a[at]) || std::isnan(b[at])) // a gap
                        continue;
                    sum += std::pow(double(a[at]) - double(b[at]), 2);
                    ++count;
                }
            }
            const QString rmse = QStringLiteral("RMSE ") + valueText(std::sqrt(sum / count), 3);
            QVERIFY2(cell.view().caption().startsWith(rmse), qPrintable(cell.view().caption() + u'|' + rmse));
        }
    }

    static std::array<std::vector<float>, 3> exactOfAll(MainWindow& window)
    {
        return {exactOf(window, 0), exactOf(window, 1), exactOf(window, 2)};
    }

    static QColor colourAt(MainWindow& window, int plane, double share)
    {
        QWidget* viewport = panelOf(window).cell(plane).view().viewport();
        const QImage seen = viewport->grab().toImage();
        return seen.pixelColor(int(share * seen.width()), seen.height() / 2 + 12);
    }

  private slots:
    void differencesAreThoseOfTheEngine()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        for (int plane = 0; plane < 3; ++plane)
            QVERIFY(!panelOf(window).cell(plane).difference());
        show(window, "difference");
        QVERIFY(hasDifferences(window));
        checkDifferences(window, exactOfAll(window));
        QVERIFY(panelOf(window).cell(2).header().title().endsWith(QStringLiteral("A − exact")));
        QVERIFY(panelOf(window).cell(2).header().note().contains(QStringLiteral("±")));
        show(window, "a");
        QVERIFY(!panelOf(window).cell(0).difference());
        QVERIFY(panelOf(window).cell(0).view().caption().isEmpty());
    }

    void movedPlanesHaveOtherDifferences()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        show(window, "difference");
        QVERIFY(hasDifferences(window));
        PlanesPanel& panel = panelOf(window);
        LinkedPlanes next = panel.planes();
        next.moveTo({13, 31, 6});
        next.setAngles(1, {25, 10});
        panel.setPlanes(next);
        QVERIFY(hasDifferences(window));
        checkDifferences(window, exactOfAll(window));
    }

    // Until the pointer has rested, the image stands in place of a difference.
    void aDragShowsNoDifference()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        show(window, "difference");
        QVERIFY(hasDifferences(window));
        PlanesPanel& panel = panelOf(window);
        int wrong = 0;
        const Image before = panel.cell(2).image();
        const auto look = [&] {
            const PlaneCell& cell = panel.cell(2);
            wrong += cell.difference() &&
                     cell.comparison().a().reference->request.place.plane() != cell.image()->request.place.plane();
        };
        QObject::connect(&panel.cell(2).crossHairs(), &CrossHairs::painted, &panel, look);
        panel.step(4); // of z, as by a key: the plane moves until nothing has happened for a while
        QVERIFY(panel.planes().plane(2) != before->request.place.plane());
        QVERIFY(hasDifferences(window));
        checkDifferences(window, exactOfAll(window));
        QCOMPARE(wrong, 0);
        panel.cell(2).showImage(before); // its reference is not there
        QVERIFY(!panel.cell(2).difference());
        QCOMPARE(panel.cell(2).view().pixels().at({20, 20}), panel.cell(2).pixels().at({20, 20}));
        QVERIFY(panel.cell(2).view().caption().isEmpty());
    }

    void theReferenceOfTheListIsUsed()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        show(window, "difference");
        QVERIFY(hasDifferences(window));
        engine::Setting smooth = window.settings().request(0).setting;
        smooth.filter.window = engine::Window::hann;
        const int a = window.settings().list().chosenId;
        window.settings().bring(smooth, QStringLiteral("smooth"));
        const int b = window.settings().list().chosenId;
        window.settings().choose(a);
        window.settings().setReference({ReferenceChoice::Kind::setting, b});
        QVERIFY(hasDifferences(window));
        std::array<std::vector<float>, 3> references;
        for (int plane = 0; plane < 3; ++plane)
            references[static_cast<std::size_t>(plane)] = made(smooth, window, plane);
        QVERIFY(comes([&] {
            return panelOf(window).cell(0).comparison().against.kind == ReferenceChoice::Kind::setting &&
                   hasDifferences(window);
        }));
        checkDifferences(window, references);
        QVERIFY(child<QLabel>(window, "planesAgainst")->text().contains(QStringLiteral("smooth")));
        // The reference itself has no difference.
        window.settings().choose(b);
        QVERIFY(isAtRest(window));
        QVERIFY(comes([&] {
            return panelOf(window).cell(1).view().message().contains(QStringLiteral("is the reference itself"));
        }));
        QVERIFY(!panelOf(window).cell(1).difference());
    }

    void aDividerSeparatesBoth()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        engine::Setting smooth = window.settings().request(0).setting;
        smooth.filter.window = engine::Window::hann;
        smooth.filter.cutoff = 0.1;
        const int a = window.settings().list().chosenId;
        PlanesPanel& panel = panelOf(window);
        LinkedPlanes next = panel.planes();
        next.moveTo({30, 20, 10});
        panel.setPlanes(next);
        QVERIFY(isAtRest(window));
        constexpr double left = 0.35, right = 0.46;
        const QColor leftOfA = colourAt(window, 2, left), rightOfA = colourAt(window, 2, right);
        window.settings().bring(smooth, {});
        QVERIFY(isAtRest(window));
        const QColor leftOfB = colourAt(window, 2, left), rightOfB = colourAt(window, 2, right);
        QVERIFY(leftOfA != leftOfB && rightOfA != rightOfB);
        const int b = window.settings().list().chosenId;
        window.settings().choose(a);
        window.settings().setReference({ReferenceChoice::Kind::setting, b});
        show(window, "swipe"); // the divider is at 0.42
        QVERIFY(isAtRest(window));
        QVERIFY(comes([&] { return panel.cell(2).comparison().a().reference != nullptr; }));
        QCOMPARE(colourAt(window, 2, left), leftOfA);
        QCOMPARE(colourAt(window, 2, right), rightOfB);
        // A drag of the divider moves it, not the point.
        QWidget* viewport = panel.cell(2).view().viewport();
        const LinkedPlanes before = panel.planes();
        const int y = viewport->height() / 4;
        drag(viewport, {int(0.42 * viewport->width()), y}, {int(0.55 * viewport->width()), y});
        QVERIFY(panel.planes() == before);
        QCOMPARE(colourAt(window, 2, right), rightOfA);
        // A click beside it still moves the point.
        QTest::mouseClick(viewport, Qt::LeftButton, {}, {int(0.45 * viewport->width()), y});
        QVERIFY(!(panel.planes() == before));
    }

    void theImageAndTheReferenceBlink()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        engine::Setting smooth = window.settings().request(0).setting;
        smooth.filter.window = engine::Window::hann;
        smooth.filter.cutoff = 0.1;
        const int a = window.settings().list().chosenId;
        const auto seen = [&](int plane) { return panelOf(window).cell(plane).view().viewport()->grab().toImage(); };
        window.settings().bring(smooth, {});
        window.settings().setReference({ReferenceChoice::Kind::setting, window.settings().list().chosenId});
        window.settings().choose(a);
        show(window, "flicker");
        QVERIFY(isAtRest(window));
        QVERIFY(comes([&] {
            return std::ranges::all_of(std::array{0, 1, 2}, [&](int plane) {
                return panelOf(window).cell(plane).comparison().a().reference != nullptr;
            });
        }));
        ImageView& view = panelOf(window).cell(1).view();
        QTest::keyPress(&view, Qt::Key_Space); // stops, and shows the other one in all planes
        const std::array before{seen(0), seen(1), seen(2)};
        QTest::keyRelease(&view, Qt::Key_Space);
        const std::array after{seen(0), seen(1), seen(2)};
        for (std::size_t plane = 0; plane < 3; ++plane)
            QVERIFY(before[plane] != after[plane]);
        QTest::keyPress(&view, Qt::Key_Space);
        for (int plane = 0; plane < 3; ++plane)
            QCOMPARE(seen(plane), before[static_cast<std::size_t>(plane)]);
        QTest::keyRelease(&view, Qt::Key_Space);
        show(window, "a");
        QVERIFY(isAtRest(window));
    }

    // The phantom is known in every plane.
    void differencesFromThePhantom()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        LinkedPlanes next = panelOf(window).planes();
        next.setAngles(0, {25, 10});
        panelOf(window).setPlanes(next);
        show(window, "difference");
        window.settings().setReference({ReferenceChoice::Kind::phantom, 0});
        QVERIFY(comes([&] {
            return panelOf(window).cell(0).comparison().against.kind == ReferenceChoice::Kind::phantom &&
                   hasDifferences(window);
        }));
        std::array<std::vector<float>, 3> references;
        for (int plane = 0; plane < 3; ++plane) {
            const auto values = window.scan()->exactImage(next.plane(plane)).values;
            references[static_cast<std::size_t>(plane)] = {values.begin(), values.end()};
        }
        checkDifferences(window, references);
        QVERIFY(child<QLabel>(window, "planesAgainst")->text().contains(QStringLiteral("phantom")));
    }

    // x is 48 × 20 pixels: the lens stays on them.
    void theLensHasFigures()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        show(window, "lens");
        QVERIFY(isAtRest(window));
        CrossHairs& cross = panelOf(window).cell(0).crossHairs();
        QVERIFY(comes([&] { return cross.said().contains(QStringLiteral("RMSE")); }));
        const ImageView& view = panelOf(window).cell(0).view();
        const LinkedPlanes before = panelOf(window).planes();
        const QPoint from = view.toViewport({0.3 * 47, 0.3 * 19}).toPoint();
        drag(view.viewport(), from, from + QPoint(0, view.viewport()->height()));
        QVERIFY(panelOf(window).planes() == before);
        const QImage seen = view.viewport()->grab().toImage();
        const QPointF middle = view.toViewport({0.3 * 47, 19}); // of the lens now: the rim is white 60 pixels above
        const auto isRim = [&](int row) { return seen.pixelColor(int(middle.x()), row).lightness() > 240; };
        bool isThere = false;
        for (int row = int(middle.y()) - 63; row <= int(middle.y()) - 57; ++row)
            isThere = isThere || isRim(row);
        QVERIFY(isThere);
    }

    void theSavedImageIsThatOfTheSetting()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        const QImage before = panelOf(window).cell(2).rendered();
        show(window, "difference");
        QVERIFY(hasDifferences(window));
        QCOMPARE(panelOf(window).cell(2).rendered(), before);
    }

    void referencesTakeTheMemoryThatIsLeft()
    {
        const NoWarnings noWarnings;
        const auto scan = std::make_shared<engine::Scan>(*jobs::headOf(32, 30, 4));
        const double samples = double(scan->rows) * scan->projections() * scan->bins();
        // As if the rows were as long: once they would fit, twice they don't, but in parts.
        scan->bytesPerSample = static_cast<int>(0.6 * engine::machineMemoryBytes() / 2 / samples);
        PlanesPage page(scan);
        PlanesPanel& panel = page.panel;
        PlanesController& controller = page.controller;
        panel.setView(*findView(QStringLiteral("difference")));
        panel.show();
        QVERIFY(comes([&] { return !controller.busy() && panel.cell(0).difference(); }));
        for (int plane = 0; plane < 3; ++plane) {
            QVERIFY(panel.cell(plane).difference());
            const auto& notes = panel.cell(plane).comparison().a().reference->notes;
            QCOMPARE(std::ranges::any_of(notes,
                                         [](const engine::Note& note) {
                                             return note.text().plain().find(" parts, because") != std::string::npos;
                                         }),
                     plane != 2);
        }
    }

    void aCancelledReferenceComesAgain()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        show(window, "difference");
        window.cancel(); // the references, unless they have come already
        QVERIFY(settles(window));
        window.computeAgain();
        QVERIFY(hasDifferences(window));
        checkDifferences(window, exactOfAll(window));
    }

    void anotherScanHasOtherReferences()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        show(window, "difference");
        QVERIFY(hasDifferences(window));
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 32, 40, 12)));
        QVERIFY(hasDifferences(window));
        checkDifferences(window, exactOfAll(window));
    }

    // All planes in one scale, and the chosen one alone; differences while they are on screen.
    void figures()
    {
        Window window({1280, 800});
        QVERIFY(opens(window));
        PlanesPanel& panel = panelOf(window);
        const FigureImage upright = panel.figureImage(0, false), level = panel.figureImage(2, false);
        QCOMPARE(upright.part, QRectF(0, 0, 48, 20));
        QCOMPARE(level.part, QRectF(0, 0, 48, 48));
        QCOMPARE(pictureOf(upright).size(), QSize(48, 20));
        QCOMPARE(upright.title, QStringLiteral("x · column 24"));
        QVERIFY(upright.marks.marks.empty()); // nothing has been drawn
        QCOMPARE(upright.stretch, 1.0);
        const auto offered = [&] {
            QStringList names;
            triggerAndLook<FigureDialog>(window, Qt::CTRL | Qt::SHIFT | Qt::Key_F, [&](FigureDialog& dialog) {
                auto* images = child<QComboBox>(dialog, "figureImages");
                names << images->currentText();
                for (int k = 0; k < images->count(); ++k)
                    names << images->itemText(k);
                const auto preview = [&] { return child<QLabel>(dialog, "figurePreview")->pixmap().toImage(); };
                images->setCurrentText(QStringLiteral("Planes z, x and y"));
                const QImage all = preview();
                images->setCurrentIndex(images->count() - 1);
                QVERIFY(preview() != all);
            });
            return names;
        };
        QCOMPARE(offered(), QStringList({"Planes z, x and y", "Planes z, x and y", "Plane z"}));
        show(window, "difference");
        QVERIFY(hasDifferences(window));
        QCOMPARE(offered(), QStringList({"Differences in the planes", "Differences in the planes", "Planes z, x and y",
                                         "Plane z and its difference"}));
        const FigureImage difference = panel.figureImage(1, true);
        QVERIFY2(difference.title.contains(QStringLiteral("− exact")), qPrintable(difference.title));
        QVERIFY(std::abs(difference.colouring.window.low + difference.colouring.window.high) < 1e-12);
        // A plane of few slices is stretched, and says so.
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 4)));
        trigger(window, Qt::CTRL | Qt::Key_3);
        QVERIFY(isAtRest(window));
        QCOMPARE(panel.figureImage(0, false).stretch, 2.0);
        QCOMPARE(panel.figureImage(0, false).title, QStringLiteral("x · column 24 · height × 2"));
    }
};

SINOSCOPE_TEST(PlanesCompareTest, QApplication)
#include "planes_compare_test.moc"

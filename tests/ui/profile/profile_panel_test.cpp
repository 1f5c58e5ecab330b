// SPDX-License-Identifier: GPL-3.0-or-later
// Profiles: the values along the line, axes, read-out, drawing and export.
#include "engine/base/error.h"
#include "tests/ui/fixtures.h"
#include "tests/ui/sample_comparison.h"
#include "ui/profile/profile_curves.h"
#include "ui/profile/profile_panel.h"
#include "ui/profile/profile_plot.h"
#include "ui/profile/stable_range.h"
#include "ui/widgets/curve_colours.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>
#include <QWheelEvent>

using namespace fixtures;
using ui::Curve;

namespace
{

QList<QByteArray> linesOf(const QString& path)
{
    return contentOf(path).trimmed().split('\n');
}

int pixelsNear(const QImage& image, const QColor& colour)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor c = image.pixelColor(x, y);
            count += std::abs(c.red() - colour.red()) < 24 && std::abs(c.green() - colour.green()) < 24 &&
                     std::abs(c.blue() - colour.blue()) < 24;
        }
    return count;
}

// Shows the profiles, and waits until they are drawn.
bool draws(ui::ProfilePanel& panel, const ui::Comparison& comparison, const engine::Marks& marks)
{
    const QSignalSpy drawn(child<QWidget>(panel, "profilePlot"), SIGNAL(afterReplot()));
    panel.show(comparison, marks);
    return comes([&] { return drawn.count() > 0; });
}

} // namespace

class ProfilePanelTest : public QObject
{
    Q_OBJECT
  private slots:
    void init() { m_noWarnings.emplace(); }
    void cleanup() { m_noWarnings.reset(); }

    void curvesHoldTheValuesOnTheLine()
    {
        const int size = 65;
        const ui::Comparison c = sample::comparison(size, true);
        const ui::ProfileCurves p = ui::profileCurves(c, sample::verticalLine(size));
        const Curve* a = p.find(Curve::Role::chosen);
        const Curve* b = p.find(Curve::Role::other);
        const Curve* exact = p.find(Curve::Role::reference);
        QVERIFY(a && b && exact);
        QCOMPARE(exact->name, QStringLiteral("exact method"));
        QCOMPARE(a->position.size(), size);
        QCOMPARE(p.unit, QStringLiteral("1/pixel"));
        QCOMPARE(p.positionUnit, QStringLiteral("px"));
        for (int row = 0; row < size; ++row) {
            const std::size_t k = static_cast<std::size_t>(row) * size + size / 2;
            const double atA = c.planeA().values()[k], atExact = c.planeB().values()[k];
            QVERIFY(std::abs(a->position[row] - row) < 1e-9);
            QVERIFY(std::abs(a->value[row] - atA) < 1e-9);
            QVERIFY(std::abs(exact->value[row] - atExact) < 1e-9);
            QVERIFY(std::abs(a->error[row] - std::abs(atA - atExact)) < 1e-9);
        }
    }

    void referenceAsBIsDrawnOnce()
    {
        ui::Comparison c = sample::comparison(65);
        c = sample::comparison(65, true);
        c.against = {ui::ReferenceChoice::Kind::setting, 2};
        for (ui::Compared& one : c.compared)
            one.reference = c.compared[1].result;
        const ui::ProfileCurves p = ui::profileCurves(c, sample::verticalLine(65));
        QVERIFY(!p.find(Curve::Role::other));
        QCOMPARE(p.find(Curve::Role::reference)->name, QStringLiteral("B"));
        QCOMPARE(p.curves.size(), std::size_t(2));
    }

    // A ramp along the rows is reproduced exactly by any grid of the same slice.
    void previewsAndRegionsLieOnTheWholeSlice()
    {
        const engine::Mark line{.shape = engine::Line{10, 12, 10, 52}};
        const auto ramp = [](engine::SliceGrid grid) {
            auto image = std::make_shared<engine::Volume>(1, grid.height, grid.width);
            for (int row = 0; row < grid.height; ++row)
                for (int column = 0; column < grid.width; ++column)
                    image->values[static_cast<std::size_t>(row) * grid.width + column] =
                        static_cast<float>(grid.y0 + row * grid.step);
            return ui::GridSlice{image, 0, grid, {}, {}};
        };
        for (const engine::SliceGrid& grid :
             {engine::SliceGrid{64, 0, 0, 64, 64, 1}, {64, 1.5, 1.5, 16, 16, 4}, {64, 5, 10, 20, 50, 1}}) {
            const Curve curve = ui::curveAlong(ramp(grid), line);
            QVERIFY(std::abs(curve.position.back() - 40) < 1e-9);
            for (qsizetype k = 0; k < curve.position.size(); ++k)
                QVERIFY(std::abs(curve.value[k] - (12 + curve.position[k])) < 1e-4);
        }
    }

    void coarsePreviewHasNoDifference()
    {
        ui::Comparison c = sample::comparison(65);
        c.compared[0].result = sample::reconstruction(65, "cpu", 0, {}, 4);
        const ui::ProfileCurves p = ui::profileCurves(c, sample::verticalLine(65));
        QVERIFY(p.find(Curve::Role::chosen));
        QVERIFY(p.find(Curve::Role::chosen)->error.isEmpty());
    }

    void positionsInMillimetresWherePixelsAreKnown()
    {
        const ui::ProfileCurves p = ui::profileCurves(sample::comparison(65, false, 0.02), sample::verticalLine(65));
        QCOMPARE(p.positionUnit, QStringLiteral("mm"));
        QVERIFY(std::abs(p.length - 1.28) < 1e-9);
        QVERIFY(std::abs(p.curves.back().position.back() - 1.28) < 1e-9);
    }

    void outsideTheImageIsNoValue()
    {
        const ui::ProfileCurves p =
            ui::profileCurves(sample::comparison(65), engine::Mark{.shape = engine::Line{32, -20, 32, 90}});
        const Curve* a = p.find(Curve::Role::chosen);
        QVERIFY(a && std::isnan(a->value.front()) && std::isnan(a->value.back()));
        QVERIFY(std::isfinite(ui::valueAt(a->position, a->value, 52)));
        QVERIFY(std::isnan(ui::valueAt(a->position, a->value, -1)));
    }

    void rangeChangesOnlyWhenItMust()
    {
        ui::StableRange range;
        QVERIFY(range.follow(0, 1));
        QVERIFY(range.lower < 0 && range.upper > 1);
        QVERIFY(!range.follow(0.05, 1.02));
        QVERIFY(!range.follow(0.1, 0.9));
        QVERIFY(range.follow(0, 1.5)); // exceeded
        QVERIFY(range.follow(0, 0.3)); // less than half of it
        QVERIFY(!range.follow(std::nan(""), 1));
        QVERIFY(range.follow(5, 5)); // constant values
        QVERIFY(range.lower < 5 && range.upper > 5);
        QVERIFY(!range.follow(5, 5));
    }

    void readOutFollowsPointerAndKeys()
    {
        ui::ProfilePanel panel;
        panel.resize(900, 400);
        panel.QWidget::show();
        QVERIFY(isExposed(&panel));
        QVERIFY(draws(panel, sample::comparison(129, true), sample::marks(129)));
        auto* plot = child<QWidget>(panel, "profilePlot");
        auto* readout = child<QLabel>(panel, "profileReadout");
        QVERIFY(readout->text().isEmpty());
        point(plot, QPointF(plot->width() / 2, plot->height() / 3));
        QTRY_VERIFY(readout->text().contains(QStringLiteral("exact")));
        QVERIFY(readout->text().contains(QStringLiteral("|B − exact|")));
        const QString before = readout->text();
        QTest::keyClick(plot, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(readout->text() != before);
        // A change to the dark theme recolours the read-out, too.
        const QString light = readout->text();
        QPalette dark = panel.palette();
        dark.setColor(QPalette::Window, Qt::black);
        dark.setColor(QPalette::Base, Qt::black);
        dark.setColor(QPalette::Text, Qt::white);
        dark.setColor(QPalette::WindowText, Qt::white);
        panel.setPalette(dark);
        QVERIFY(readout->text() != light);
        panel.clear();
        QVERIFY(readout->text().isEmpty());
    }

    void drawsBothCurvesInEitherTheme()
    {
        const QPalette before = QApplication::palette();
        for (const bool dark : {false, true}) {
            QPalette palette = before;
            palette.setColor(QPalette::Base, dark ? QColor(0x1b, 0x1e, 0x20) : QColor(Qt::white));
            palette.setColor(QPalette::Text, dark ? QColor(0xe3, 0xe7, 0xea) : QColor(Qt::black));
            QApplication::setPalette(palette);
            ui::ProfilePanel panel;
            panel.resize(700, 420);
            panel.QWidget::show();
            QVERIFY(isExposed(&panel));
            QVERIFY(draws(panel, sample::comparison(129, true), sample::marks(129)));
            const QImage image = panel.grab().toImage();
            const ui::CurveColours colours = ui::curveColours(palette);
            QVERIFY(pixelsNear(image, colours.a) > 200);
            QVERIFY(pixelsNear(image, colours.b) > 100);
            QVERIFY(pixelsNear(image, colours.background) > image.width() * image.height() / 3);
        }
        QApplication::setPalette(before);
    }

    // If there is little height, the differences are beside the values instead of below them.
    void differencesMoveBeside()
    {
        ui::ProfilePanel panel;
        panel.resize(700, 420);
        panel.QWidget::show();
        QVERIFY(isExposed(&panel));
        panel.show(sample::comparison(129, true), sample::marks(129));
        auto* plot = panel.findChild<ui::ProfilePlot*>();
        const auto rects = plot->axisRects();
        QCOMPARE(rects.size(), 2);
        const auto resized = [&](int height) {
            panel.resize(700, height);
            QSignalSpy drawn(plot, &QCustomPlot::afterReplot);
            return comes([&] { return drawn.count() > 0; });
        };
        const auto share = [&](int k) { return double(rects[k]->height()) / plot->height(); };
        const int wide = 420, narrow = 150;
        for (int round = 0; round < 2; ++round) {
            QVERIFY(resized(narrow + round));
            QVERIFY(plot->height() <= narrow + round);
            QCOMPARE(rects[0]->top(), rects[1]->top());
            QVERIFY(rects[1]->left() > rects[0]->right());
            QVERIFY2(share(0) > 0.6 && share(1) > 0.6, qPrintable(QString("%1, %2").arg(share(0)).arg(share(1))));
            QVERIFY(rects[0]->axis(QCPAxis::atBottom)->tickLabels()); // both have positions
            // The cursor is at the same position in both.
            point(plot, QPointF(rects[0]->center()));
            const double inUpper = plot->cursor();
            point(plot, QPointF(rects[1]->center()));
            QVERIFY(std::abs(plot->cursor() - inUpper) < 2);
            QVERIFY(resized(wide + round));
            QVERIFY(rects[1]->top() > rects[0]->bottom());
            QVERIFY2(share(0) > 0.4 && share(1) > 0.2, qPrintable(QString("%1, %2").arg(share(0)).arg(share(1))));
            QVERIFY(!rects[0]->axis(QCPAxis::atBottom)->tickLabels());
        }
    }

    // Drawing must not slow down a drag.
    void drawingIsPutOffAndMerged()
    {
        ui::ProfilePanel panel;
        panel.resize(900, 400);
        panel.QWidget::show();
        QVERIFY(isExposed(&panel));
        const ui::Comparison c = sample::comparison(1024, true);
        const engine::Marks marks = sample::marks(1024);
        QVERIFY(draws(panel, c, marks) && comes([&] { return !isAnimated(panel); }));
        QSignalSpy drawn(child<QWidget>(panel, "profilePlot"), SIGNAL(afterReplot()));
        QVERIFY(drawn.isValid() && isLaidOut(panel));
        drawn.clear();
        for (int k = 0; k < 20; ++k)
            panel.show(c, marks); // the same, so that the axes do not move
        QCOMPARE(drawn.count(), 0);
        QVERIFY(comes([&] { return drawn.count() > 0; }));
        QVERIFY(isLaidOut(panel));
        QCOMPARE(drawn.count(), 1);
    }

    void csvHoldsTheCurves()
    {
        TemporaryFolder folder;
        ui::ProfilePanel panel;
        const ui::Comparison c = sample::comparison(33, true, 0.5);
        panel.show(c, sample::marks(33));
        const QString path = folder.file(QStringLiteral("p.csv"));
        panel.saveCsv(path);
        const QList<QByteArray> lines = linesOf(path);
        QCOMPARE(lines.size(), 38);
        QCOMPARE(lines[0], QByteArray("# line 1: line 16,0 16,32, 1 wide, in pixels of the slice"));
        QVERIFY(lines[1].startsWith("# A: ") && lines[3].startsWith("# exact method: "));
        QCOMPARE(lines[4], QByteArray("position (mm),A (1/mm),B (1/mm),exact method (1/mm),|A - exact method| "
                                      "(1/mm),|B - exact method| (1/mm)"));
        const QList<QByteArray> cells = lines[21].split(',');
        QCOMPARE(cells.size(), 6);
        QVERIFY(std::abs(cells[0].toDouble() - 8) < 1e-6);
        QVERIFY(std::abs(cells[1].toDouble() - c.planeA().values()[16 * 33 + 16]) < 1e-8);
        QVERIFY(std::abs(cells[4].toDouble() - std::abs(cells[1].toDouble() - cells[3].toDouble())) < 1e-9);
        QCOMPARE(entriesOf(folder).size(), 1);
    }

    void severalLinesAreShownAndWritten()
    {
        TemporaryFolder folder;
        ui::ProfilePanel panel;
        panel.resize(900, 400);
        panel.QWidget::show();
        QVERIFY(isExposed(&panel));
        engine::Marks marks = sample::marks(65);
        marks.add(engine::Circle{32, 32, 10}, "round").width = 3;
        panel.show(sample::comparison(65, true), marks);
        auto* chooser = child<QComboBox>(panel, "profileLine");
        QCOMPARE(chooser->currentText(), QStringLiteral("round"));
        const QString path = folder.file(QStringLiteral("p.csv"));
        panel.saveCsv(path);
        QCOMPARE(linesOf(path).first(), QByteArray("# round: ring 32,32,10, 3 wide, in pixels of the slice"));
        QCOMPARE(linesOf(path).size(), 5 + 63); // 2π·10
        child<QToolButton>(panel, "allLines")->click();
        panel.saveCsv(path);
        QCOMPARE(linesOf(path).size(), 5 + 63 + 1 + 5 + 65);
        QVERIFY(linesOf(path)[69].startsWith("# line 1: "));

        QSignalSpy edited(&panel, &ui::ProfilePanel::marksEdited);
        const auto last = [&edited] { return edited.last()[0].value<engine::Marks>(); };
        child<QToolButton>(panel, "editLine")->click();
        auto* shape = child<QLineEdit>(panel, "lineShape");
        QCOMPARE(shape->text(), QStringLiteral("ring 32,32,10"));
        shape->setText(QStringLiteral("line 1,2 30,2"));
        QTest::keyClick(shape, Qt::Key_Return);
        QVERIFY(last().line()->shape == engine::Shape(engine::Line{1, 2, 30, 2}));
        child<QSpinBox>(panel, "lineWidth")->setValue(7);
        QCOMPARE(last().line()->width, 7);
        const qsizetype count = edited.size();
        shape->setText(QStringLiteral("rectangle 1,2,3,4"));
        QTest::keyClick(shape, Qt::Key_Return);
        QCOMPARE(edited.size(), count); // areas have no profile
        child<QToolButton>(panel, "removeLine")->click();
        QCOMPARE(last().lines().size(), std::size_t(1));
    }

    void wheelAndDragZoom()
    {
        ui::ProfilePanel panel;
        panel.resize(900, 400);
        panel.QWidget::show();
        QVERIFY(isExposed(&panel));
        const ui::Comparison c = sample::comparison(129, true);
        QVERIFY(draws(panel, c, sample::marks(129)));
        auto* plot = child<QWidget>(panel, "profilePlot");
        const auto* readout = child<QLabel>(panel, "profileReadout");
        const auto positionAt = [&](double x) { // position on the line at this x of the plot
            point(plot, QPointF(x, 60));
            return readout->text().section(QStringLiteral(" px"), 0, 0).toDouble();
        };
        const auto wheel = [plot](QPointF at, int turned) {
            QWheelEvent event(at, plot->mapToGlobal(at), {}, {0, turned}, {}, {}, Qt::NoScrollPhase, false);
            QApplication::sendEvent(plot, &event);
        };
        const double left = 200, right = 800;
        const QPointF middle(500, 60);
        const double span = positionAt(right) - positionAt(left), at = positionAt(middle.x());
        QVERIFY(span > 60 && span < 128);
        wheel(middle, 360);
        QVERIFY(std::abs(positionAt(right) - positionAt(left) - span / 2) <= 0.2);
        QVERIFY(std::abs(positionAt(middle.x()) - at) <= 0.1);
        panel.show(c, sample::marks(129)); // the zoom stays
        QVERIFY(std::abs(positionAt(right) - positionAt(left) - span / 2) <= 0.2);
        drag(plot, middle.toPoint(), middle.toPoint() - QPoint(60, 0));
        QVERIFY(positionAt(middle.x()) > at + 2);
        QTest::mouseDClick(plot, Qt::LeftButton, {}, middle.toPoint());
        QVERIFY(std::abs(positionAt(right) - positionAt(left) - span) <= 0.2);
        const QImage before = plot->grab().toImage();
        wheel(QPointF(20, 60), 360); // over the axis of the values
        QTRY_VERIFY(plot->grab().toImage() != before);
        QVERIFY(std::abs(positionAt(right) - positionAt(left) - span) <= 0.2);
    }

    // An edge blurred by a Gaussian of σ = 2 pixels is 2.563·σ wide, from 10 to 90 % of its step.
    void edgeWidthIsSaid()
    {
        ui::Comparison c = sample::comparison(65);
        auto blurred = std::make_shared<engine::Reconstruction>(*c.compared[0].result);
        for (int row = 0; row < 65; ++row)
            for (int column = 0; column < 65; ++column)
                blurred->image.values[static_cast<std::size_t>(row) * 65 + column] =
                    static_cast<float>(0.5 + 0.5 * std::erf((column - 30.5) / (2 * std::sqrt(2.0))));
        c.compared[0].result = blurred;
        const ui::ProfileCurves p =
            ui::profileCurves(c, engine::Mark{.shape = engine::Line{10, 30, 51, 30}, .width = 5});
        QVERIFY(p.find(Curve::Role::chosen)->edgeWidth.has_value());
        QVERIFY(std::abs(*p.find(Curve::Role::chosen)->edgeWidth - 2.563 * 2) < 0.3);
    }

    void imagesAreWritten()
    {
        TemporaryFolder folder;
        ui::ProfilePanel panel;
        panel.show(sample::comparison(129, true), sample::marks(129));
        const QString png = folder.file(QStringLiteral("p.png")), pdf = folder.file(QStringLiteral("p.pdf"));
        ui::writeDrawing(png, panel.drawing(), {.widthMm = 180, .dotsPerInch = 254});
        ui::writeDrawing(pdf, panel.drawing(), {});
        const QImage image(png);
        QCOMPARE(image.width(), 1800);
        QVERIFY(pixelsNear(image, ui::curveColours(ui::paperPalette()).a) > 500);
        const QByteArray page = contentOf(pdf);
        QVERIFY(page.startsWith("%PDF-") && page.size() > 5000);
    }

    void badPathsAreErrors()
    {
        ui::ProfilePanel empty;
        QVERIFY_THROWS_EXCEPTION(engine::Error, empty.saveCsv(QStringLiteral("p.csv")));
        QVERIFY(!empty.drawing() && empty.values().isEmpty());
        ui::ProfilePanel panel;
        panel.show(sample::comparison(33), sample::marks(33));
        for (const char* name : {"/nowhere/at/all/p.csv", "/nowhere/at/all/p.pdf", "/nowhere/at/all/p.png", "p.gif"}) {
            const QString path = QString::fromLatin1(name);
            try {
                path.endsWith(QLatin1String("csv")) ? panel.saveCsv(path) : ui::writeDrawing(path, panel.drawing(), {});
                QFAIL("no error");
            } catch (const engine::Error& error) {
                QCOMPARE(error.kind(), engine::ErrorKind::output);
                QVERIFY(QString::fromUtf8(error.what()).contains(path));
            }
            QVERIFY(!QFile::exists(path));
        }
    }

  private:
    std::optional<NoWarnings> m_noWarnings;
};

SINOSCOPE_TEST(ProfilePanelTest, QApplication)
#include "profile_panel_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The lens, the grid of all settings, and strongly magnified images, with mouse and keys in the real panel.
#include "engine/compare/metrics.h"
#include "tests/ui/image/shown_panel.h"
#include "ui/image/image_header.h"
#include "ui/image/pixel_scale.h"
#include "ui/views/views.h"
#include "ui/widgets/displayed_number.h"

using namespace fixtures;
using ui::Content;

namespace
{

// Noise of the same kind everywhere, identical in every run.
float noisy(double x, double y)
{
    const double wild = std::sin(x * 12.9898 + y * 78.233) * 43758.5453;
    return static_cast<float>(0.5 + 0.1 * (wild - std::floor(wild)));
}

} // namespace

class LensAndGridTest : public ShownPanel
{
    Q_OBJECT

  private slots:
    void init()
    {
        m_noWarnings.emplace();
        open(900, 640);
        m_panel->setMarksVisible(false);
    }
    void cleanup() { close(); }

    void lensShowsBWhereItIs()
    {
        showLens(plane(128, ramp), plane(128, [](double x, double) { return static_cast<float>(1 - x / 127); }));
        setWindow(0, 1);
        QCOMPARE(atPixel(70, 64), of(Content::b, 70, 64));
        QCOMPARE(atPixel(10, 10), of(Content::a, 10, 10));
        const QPoint middle = composed()->toViewport({63.5, 63.5}).toPoint();
        const QPoint elsewhere = composed()->toViewport({30, 30}).toPoint();
        drag(composed()->viewport(), middle + QPoint(5, 5), elsewhere + QPoint(5, 5));
        pointElsewhere(composed()->viewport()); // the marker would be drawn there
        QCOMPARE(atPixel(31, 29), of(Content::b, 31, 29));
        QCOMPARE(atPixel(70, 64), of(Content::a, 70, 64));
        // The wheel changes the size of the lens if the pointer is over it; elsewhere it zooms.
        const double scale = composed()->transform().m11();
        const double reach = 90 / scale; // in pixels of the slice
        wheel(composed()->viewport(), elsewhere, -360);
        QCOMPARE(composed()->transform().m11(), scale);
        const int outside = int(30 + 0.7 * reach);
        QCOMPARE(atPixel(outside, 30), of(Content::a, outside, 30));
        QTest::keyClick(composed(), Qt::Key_Period);
        for (int k = 0; k < 5; ++k)
            QTest::keyClick(composed(), Qt::Key_Period);
        QCOMPARE(atPixel(outside, 30), of(Content::b, outside, 30));
        for (int k = 0; k < 30; ++k)
            QTest::keyClick(composed(), Qt::Key_Right, Qt::ShiftModifier);
        const int moved = int(30 + 300 / scale);
        QCOMPARE(atPixel(moved, 30), of(Content::b, moved, 30));
        wheel(composed()->viewport(), composed()->toViewport({20, 110}), 120);
        QVERIFY(composed()->transform().m11() > scale * 1.1);
    }

    void lensSaysTheFiguresOfItsRegion()
    {
        const ui::GridSlice b = plane(128, noisy);
        const ui::GridSlice a = plane(128, [](double x, double y) { return noisy(x, y) + (x > 100 ? 0.001f : 0.2f); });
        showLens(a, b);
        QVERIFY(comes([&] { return said().contains(QStringLiteral("above the noise")); }));
        const double radius = 90 / composed()->transform().m11();
        engine::Mask mask;
        mask.area = engine::EllipseArea{63.5, 63.5, radius, radius};
        const engine::Metrics truth = engine::compareImages(a.values(), b.values(), 128, 128, mask);
        QVERIFY2(said().contains(ui::errorText(truth.rmse)) && said().contains(ui::ssimText(truth.ssim)),
                 qPrintable(said()));
        for (int k = 0; k < 6; ++k)
            QTest::keyClick(composed(), Qt::Key_Comma);
        const double away = (112 - 63.5) * composed()->transform().m11(); // distance to where A nearly equals B
        for (int k = 0; k < qRound(away / 10); ++k)
            QTest::keyClick(composed(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(comes([&] { return said().contains(QStringLiteral("σ: below the noise")); }));
        m_panel->show(comparison(a, a));
        QVERIFY(comes([&] { return said().endsWith(QStringLiteral("identical")); }));
        m_panel->show(comparison(plane(128, noisy, 4), b)); // previews have no figures
        QVERIFY(said().isEmpty());
    }

    void gridShowsEverySettingAndTheReference()
    {
        ui::Comparison c;
        const auto constant = [](float value) { return plane(64, [value](double, double) { return value; }); };
        for (const auto& [name, value] : {std::pair("A", 0.0f), std::pair("B", 0.5f), std::pair("C", 1.0f)})
            c.compared.push_back({QLatin1String(name), {}, reconstructionOf(constant(value))});
        m_panel->show(c);
        m_panel->setView(*ui::findView(QStringLiteral("grid")));
        QCoreApplication::processEvents();
        m_panel->resize(1100, 480); // gives other columns
        QVERIFY(isLaidOut(*m_panel));
        setWindow(0, 1);
        const auto cell = [this](int k) { return view(qPrintable(QStringLiteral("imageCell%1").arg(k))); };
        const auto grey = [&](int k) {
            return qGray(cell(k)->viewport()->grab().toImage().pixel(cell(k)->toViewport({20, 20}).toPoint()));
        };
        QCOMPARE(grey(1), 0);
        QVERIFY(std::abs(grey(2) - 128) <= 1);
        QCOMPARE(grey(3), 255);
        QVERIFY(cell(4)->message().contains(QStringLiteral("exact")));
        QVERIFY(child<ui::ImageHeader>(*m_panel, "imageCell3Header")->title().startsWith('C'));
        c.compared[0].reference = reconstructionOf(constant(1.0f));
        m_panel->show(c);
        QVERIFY(cell(4)->message().isEmpty());
        QCOMPARE(grey(4), 255);
        for (int k = 2; k <= 4; ++k) { // equal sizes that fill the panel
            QVERIFY(std::abs(cell(k)->width() - cell(1)->width()) <= 1);
            QVERIFY(std::abs(cell(k)->height() - cell(1)->height()) <= 1);
        }
        QVERIFY(cell(1)->width() * cell(1)->height() * 4 > 0.8 * 1100 * 420);
        wheel(cell(2)->viewport(), QPointF(cell(2)->toViewport({20, 20})), 240);
        QCOMPARE(cell(4)->transform(), cell(2)->transform());
        c.compared.pop_back();
        c.compared.pop_back();
        m_panel->show(c);
        QVERIFY(cell(2)->isVisible() && !cell(3)->isVisible());
        QCOMPARE(grey(2), 255);
    }

    // A figure of the grid has its panels in their order, in as many columns.
    void gridBecomesAFigure()
    {
        ui::Comparison c;
        const auto constant = [](float value) {
            return reconstructionOf(plane(64, [value](double, double) { return value; }));
        };
        for (const auto& [name, value] : {std::pair("A", 0.0f), std::pair("B", 0.5f), std::pair("C", 1.0f)})
            c.compared.push_back({QLatin1String(name), {}, constant(value)});
        for (ui::Compared& one : c.compared)
            one.reference = constant(0.5f);
        m_panel->show(c);
        m_panel->setView(*ui::findView(QStringLiteral("grid")));
        QVERIFY(isLaidOut(*m_panel));
        setWindow(0, 1);
        const ui::Figure four = m_panel->figure();
        QStringList titles;
        std::vector<int> greys;
        for (const ui::FigureImage& image : four.images) {
            titles << image.title.left(1);
            greys.push_back(qGray(pictureOf(image).pixel(20, 20)));
        }
        QCOMPARE(titles, QStringList({"A", "B", "C", "e"})); // exact method
        QCOMPARE(greys, (std::vector{0, 128, 255, 128}));
        QCOMPARE(ui::columnsOf(four), 2); // the panel has room for two rows
        const ui::DrawingLook plain{.titles = false, .colourBars = false};
        QVERIFY(std::abs(ui::sizeMmOf(ui::drawingOf(four), plain).height() - plain.widthMm) < 1);
        c.compared.resize(1);
        m_panel->show(c);
        const ui::Figure two = m_panel->figure();
        QCOMPARE(two.images.size(), std::size_t(2));
        QVERIFY(two.images[0].title.startsWith(u'A') && two.images[1].title.startsWith(QStringLiteral("exact")));
    }

    void scaleIsRoundAndInItsUnit()
    {
        QCOMPARE(ui::scaleBar(1, {}).text, QStringLiteral("100 px"));
        QCOMPARE(ui::scaleBar(1, {}).length, 100.0);
        QCOMPARE(ui::scaleBar(0.3, {}).text, QStringLiteral("200 px"));
        QCOMPARE(ui::scaleBar(2, 0.0011).text, QStringLiteral("50 µm"));
        QCOMPARE(ui::scaleBar(64, 0.00065).text, QStringLiteral("1 µm"));
        QCOMPARE(ui::scaleBar(0.5, 0.05).text, QStringLiteral("10 mm"));
        QCOMPARE(ui::magnificationText(0.5), QStringLiteral("0.5×"));
        QCOMPARE(ui::magnificationText(32), QStringLiteral("32×"));
        QCOMPARE(ui::magnificationText(1), QStringLiteral("1×"));
        QCOMPARE(ui::magnificationText(20), QStringLiteral("20×"));
    }

    void pixelsAreWrittenFromNear()
    {
        const ui::ValueForm form = ui::valueForm({-0.001, 0.0213});
        QCOMPARE(form.exponent, -3);
        QCOMPARE(form.text(0.0213), QStringLiteral("21.3"));
        QCOMPARE(form.text(-0.0004), QStringLiteral("−0.4"));
        QCOMPARE(ui::valueForm({0, 1.5}).text(1.234), QStringLiteral("1.23"));
        QCOMPARE(ui::valueForm({0, 0}).text(NAN), QStringLiteral("NaN"));

        m_panel->show(comparison(plane(64, [](double, double) { return 0.5f; })));
        m_panel->setView(*ui::findView(QStringLiteral("a")));
        QCoreApplication::processEvents();
        setWindow(0, 1);
        const auto colours = [this](double scale) { // colours inside the middle pixel, without its border
            view("imageA")->zoomBy(scale / view("imageA")->transform().m11());
            const QImage screen = viewport("imageA")->grab().toImage();
            const QPoint middle = view("imageA")->toViewport({32, 32}).toPoint();
            QSet<QRgb> found;
            for (int y = -8; y <= 8; ++y)
                for (int x = -12; x <= 12; ++x)
                    found << screen.pixel(middle + QPoint(x, y));
            return found.size();
        };
        QCOMPARE(colours(30), 1);
        QVERIFY(colours(48) > 2); // it shows a number
    }

    void windowOfWhatIsVisible()
    {
        m_panel->show(comparison(plane(64, ramp)));
        m_panel->setView(*ui::findView(QStringLiteral("a")));
        QCoreApplication::processEvents();
        view("imageA")->zoomBy(8, view("imageA")->toViewport({10, 30}));
        const QRectF seen = view("imageA")->visiblePart();
        m_panel->windowOfVisible();
        QVERIFY(low()->value() >= seen.left() / 63 && high()->value() <= seen.right() / 63);
        QVERIFY(high()->value() - low()->value() > 0.8 * (seen.width() - 2) / 63);
    }

  private:
    void showLens(const ui::GridSlice& a, const ui::GridSlice& b)
    {
        m_panel->show(comparison(a, b));
        m_panel->setView(*ui::findView(QStringLiteral("lens")));
        QCoreApplication::processEvents();
    }
    ui::ImageView* composed() const { return view("imageComposed"); }
    QString said() const
    {
        composed()->viewport()->repaint();
        return composed()->said();
    }
    QRgb atPixel(int x, int y) const
    {
        const QImage screen = composed()->viewport()->grab().toImage();
        return screen.pixel((composed()->toViewport(QPointF(x, y)) * screen.devicePixelRatio()).toPoint());
    }
    QRgb of(Content content, int x, int y) const { return m_panel->rendered(content).pixel(x, y); }
};

SINOSCOPE_TEST(LensAndGridTest, QApplication)
#include "lens_and_grid_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Views that combine A and B, controlled by mouse and keys: each place of the screen shows A, B or both.
#include "engine/compare/compare_settings.h"
#include "tests/ui/image/shown_panel.h"
#include "ui/image/image_header.h"
#include "ui/views/views.h"

#include <QDoubleSpinBox>
#include <QSettings>
#include <QToolButton>

using namespace fixtures;
using ui::Content;

namespace
{

float across(double x, double y) // differs from ramp everywhere
{
    return static_cast<float>((63 - x) / 63 * 0.9 + y / 640);
}

} // namespace

class ComposedTest : public ShownPanel
{
    Q_OBJECT

  private slots:
    void init()
    {
        m_noWarnings.emplace();
        open(700, 640);
        m_panel->show(comparison(plane(64, ramp), plane(64, across)));
        m_panel->setMarksVisible(false);
        setWindow(0, 1);
    }
    void cleanup() { close(); }

    void swipeShowsBothSides()
    {
        choose("swipe");
        QCOMPARE(atPixel(10, 20), of(Content::a, 10, 20));
        QCOMPARE(atPixel(50, 20), of(Content::b, 50, 20));
        QVERIFY(of(Content::a, 10, 20) != of(Content::b, 10, 20));
        drag(composed()->viewport(), middle(), middle() + QPoint(200, 30)); // moves the divider, not the slice
        QCOMPARE(atPixel(40, 20), of(Content::a, 40, 20));
        QCOMPARE(atPixel(60, 20), of(Content::b, 60, 20));
        QTest::keyClick(composed(), Qt::Key_X); // makes the divider horizontal
        const double place = (middle().x() + 200.0) / composed()->viewport()->width();
        const double row = composed()->toSlice({0, place * composed()->viewport()->height()}).y();
        QCOMPARE(atPixel(60, int(row) - 3), of(Content::a, 60, int(row) - 3));
        QCOMPARE(atPixel(60, int(row) + 4), of(Content::b, 60, int(row) + 4));
        for (int k = 0; k < 60; ++k)
            QTest::keyClick(composed(), Qt::Key_Comma); // moves it to the edge
        QCOMPARE(atPixel(30, 8), of(Content::b, 30, 8));
        for (int k = 0; k < 60; ++k)
            QTest::keyClick(composed(), Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(atPixel(30, 50), of(Content::a, 30, 50));
        QVERIFY(child<QToolButton>(*m_panel, "swipeTurned")->isChecked());
        drag(composed()->viewport(), {300, 200}, {330, 200}); // away from the divider, the slice is moved
        QVERIFY(composed()->toSlice(middle()).x() < 31);
    }

    void swipeZoomsWithTheOthers()
    {
        choose("swipe");
        wheel(composed()->viewport(), QPointF(composed()->toViewport({20, 30})), 360);
        QCOMPARE(view("imageA")->transform(), composed()->transform());
        const QPointF left = composed()->toSlice(QPointF(middle()) - QPointF(60, 0)).toPoint();
        QCOMPARE(atPixel(int(left.x()), int(left.y())), of(Content::a, int(left.x()), int(left.y())));
    }

    void flickerShowsOneAndSaysWhich()
    {
        choose("flicker");
        auto* run = child<QToolButton>(*m_panel, "flickerRunning");
        const auto said = [this] { return child<ui::ImageHeader>(*m_panel, "imageComposedHeader")->title(); };
        QCOMPARE(run->text(), QStringLiteral("Stop blinking"));
        QVERIFY(comes([&] { return atPixel(10, 20) == of(Content::b, 10, 20); })); // without further input
        QVERIFY(comes([&] { return atPixel(10, 20) == of(Content::a, 10, 20); }));
        QTest::keyClick(composed(), Qt::Key_X);
        QCOMPARE(run->text(), QStringLiteral("Start blinking"));
        const bool second = said().startsWith(QStringLiteral("exact"));
        const auto shows = [&](bool b) {
            return atPixel(10, 20) == of(b ? Content::b : Content::a, 10, 20) &&
                   said().startsWith(b ? QStringLiteral("exact") : QStringLiteral("A"));
        };
        QVERIFY(shows(second));
        QTest::keyPress(composed(), Qt::Key_Space);
        QVERIFY(shows(!second));
        QTest::keyRelease(composed(), Qt::Key_Space);
        QVERIFY(shows(second));
        auto* rate = child<QDoubleSpinBox>(*m_panel, "flickerRate");
        for (int k = 0; k < 25; ++k)
            QTest::keyClick(composed(), Qt::Key_Period);
        QCOMPARE(rate->value(), 10.0);
        for (int k = 0; k < 25; ++k)
            QTest::keyClick(composed(), Qt::Key_Comma);
        QCOMPARE(rate->value(), 0.5);
        run->click();
        QCOMPARE(run->text(), QStringLiteral("Stop blinking"));
    }

    void overlayIsGreyWhereBothAreEqual()
    {
        choose("overlay");
        m_panel->show(comparison(plane(64, ramp), plane(64, [](double x, double y) {
                                     return x < 32 ? ramp(x, y) : x < 48 ? 0.0f : 1.0f;
                                 })));
        setWindow(0, 1);
        QCOMPARE(atPixel(20, 40), of(Content::a, 20, 40)); // grey, as in the grey map
        const QColor onlyA(atPixel(47, 40)), moreB(atPixel(48, 40));
        QVERIFY(onlyA.red() > 180 && onlyA.blue() == 0);
        QVERIFY(moreB.blue() == 255 && moreB.red() < 200);
        m_panel->setColourMap(QStringLiteral("Ember")); // the overlay has its own colours
        QCOMPARE(QColor(atPixel(47, 40)), onlyA);
        m_panel->setColourMap(QStringLiteral("Grey"));
    }

    void differencesOfEveryKind()
    {
        choose("difference");
        const ui::Comparison c = comparison(plane(64, [](double x, double) { return x < 32 ? 1.5f : 0.5f; }),
                                            plane(64, [](double, double y) { return y < 32 ? 1.0f : 2.0f; }));
        m_panel->show(c);
        struct Expected {
            ui::DifferenceKind kind;
            double topLeft, topRight, bottomLeft;
            const char* unit;
        };
        for (const Expected& e : {Expected{ui::DifferenceKind::plain, 0.5, -0.5, -0.5, "1/mm"},
                                  Expected{ui::DifferenceKind::absolute, 0.5, 0.5, 0.5, "1/mm"},
                                  Expected{ui::DifferenceKind::ofRange, 50, -50, -50, "%"},
                                  Expected{ui::DifferenceKind::ofB, 50, -50, -25, "%"}}) {
            m_panel->setDifferenceKind(e.kind);
            const ui::Pixels& shown = view("imageDifference")->pixels();
            QCOMPARE(double(*shown.at({3, 3})), e.topLeft);
            QCOMPARE(double(*shown.at({60, 3})), e.topRight);
            QCOMPARE(double(*shown.at({3, 60})), e.bottomLeft);
            auto* header = child<ui::ImageHeader>(*m_panel, "imageDifferenceHeader");
            QCOMPARE(header->title(), ui::rowOf(e.kind).text(QStringLiteral("A"), QStringLiteral("exact method")));
            QVERIFY2(header->note().endsWith(QLatin1String(e.unit)), qPrintable(header->note()));
            const QImage image = m_panel->rendered(Content::difference);
            const QPointF place = view("imageDifference")->toViewport({3, 3});
            QCOMPARE(screenOf("imageDifference").pixel(place.toPoint()), image.pixel(3, 3));
        }
        auto* range = child<ui::ValueSpinBox>(*m_panel, "differenceRange"); // each kind has its own range
        range->setValue(7);
        m_panel->setDifferenceKind(ui::DifferenceKind::plain);
        QVERIFY(std::abs(range->value() - 1.5) < 1e-6);
        m_panel->setDifferenceKind(ui::DifferenceKind::ofB);
        QCOMPARE(range->value(), 7.0);
    }

    void figuresOfTheDifference()
    {
        choose("difference");
        ui::Comparison c =
            comparison(plane(64, [](double x, double y) { return ramp(x, y) + (x > 40 ? 0.5f : 0); }), plane(64, ramp));
        c.mask.region = engine::Region{0, 0, 64, 64};
        c.compared[0].metrics = engine::measured(c.a().result.get(), c.a().reference.get(), 0, c.mask);
        m_panel->show(c);
        const auto said = [this] { return view("imageDifference")->caption(); };
        QVERIFY(comes([&] { return !said().isEmpty(); }));
        QCOMPARE(said(), QStringLiteral("RMSE 0.300 1/mm\nmax 0.500 1/mm\ninside the region")); // over 23 of 64 columns
    }

    void identicalIsSaid()
    {
        for (const char* id : {"swipe", "overlay", "difference", "all"}) {
            choose(id);
            ui::ImageView* shown =
                view(ui::findView(id)->shows(Content::composed) ? "imageComposed" : "imageDifference");
            m_panel->show(comparison(plane(64, ramp), plane(64, across)));
            QCOMPARE(shown->remark(), QString());
            m_panel->show(comparison(plane(64, ramp), plane(64, ramp)));
            QCOMPARE(shown->remark(), QStringLiteral("identical"));
            const auto oneOff = [](double x, double y) { return ramp(x, y) + (x == 60 && y == 60 ? 1e-6f : 0.0f); };
            m_panel->show(comparison(plane(64, ramp), plane(64, oneOff)));
            QCOMPARE(shown->remark(), QString());
            shown->zoomBy(4, shown->toViewport({10, 10}));
            QCOMPARE(shown->remark(), QStringLiteral("identical here"));
            m_panel->fit();
            QCOMPARE(shown->remark(), QString());
        }
    }

    void missingBIsSaid()
    {
        for (const ui::View& each : ui::views()) {
            if (!each.shows(Content::composed))
                continue;
            m_panel->clear();
            m_panel->show(comparison(plane(64, ramp)));
            m_panel->setView(each);
            QVERIFY2(composed()->message().startsWith(QStringLiteral("computing exact")), each.id);
            QVERIFY(!composed()->grab().isNull());
            m_panel->showStopped(QStringLiteral("Cancelled"), false);
            QCOMPARE(composed()->message(), QStringLiteral("Cancelled"));
            m_panel->show(comparison(plane(64, ramp), plane(64, across)));
            QVERIFY(composed()->message().isEmpty());
        }
    }

    void whatWasChosenIsRestored()
    {
        TemporaryFolder folder;
        QSettings settings(folder.file("state.ini"), QSettings::IniFormat);
        choose("swipe");
        QTest::keyClick(composed(), Qt::Key_X);
        m_panel->setDifferenceKind(ui::DifferenceKind::absolute);
        child<QDoubleSpinBox>(*m_panel, "flickerRate")->setValue(3.5);
        m_panel->saveState(settings);
        open();
        m_panel->restoreState(settings);
        QCOMPARE(m_panel->view().id, std::string_view("swipe"));
        QVERIFY(child<QToolButton>(*m_panel, "swipeTurned")->isChecked());
        QCOMPARE(child<QDoubleSpinBox>(*m_panel, "flickerRate")->value(), 3.5);
        settings.remove("views/flicker/changesPerSecond");
        settings.setValue("views/flicker/hertz", 1.5); // as earlier versions wrote it: two changes per period
        m_panel->restoreState(settings);
        QCOMPARE(child<QDoubleSpinBox>(*m_panel, "flickerRate")->value(), 3.0);
        QCOMPARE(m_panel->differenceKind(), ui::DifferenceKind::absolute);
    }

  private:
    void choose(const char* id)
    {
        m_panel->setView(*ui::findView(QLatin1String(id)));
        QCoreApplication::processEvents(); // until the layout is done
    }
    ui::ImageView* composed() const { return view("imageComposed"); }
    QPoint middle() const { return composed()->viewport()->rect().center(); }
    QImage screenOf(const char* name) const { return viewport(name)->grab().toImage(); }
    QRgb atPixel(int x, int y) const
    {
        const QImage screen = screenOf("imageComposed");
        return screen.pixel((composed()->toViewport(QPointF(x, y)) * screen.devicePixelRatio()).toPoint());
    }
    QRgb of(Content content, int x, int y) const { return m_panel->rendered(content).pixel(x, y); }
};

SINOSCOPE_TEST(ComposedTest, QApplication)
#include "composed_test.moc"

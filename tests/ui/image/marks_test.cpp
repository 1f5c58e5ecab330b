// SPDX-License-Identifier: GPL-3.0-or-later
// Lines and areas are drawn, dragged and removed with the mouse.
#include "tests/ui/image/shown_panel.h"

#include <QSignalSpy>

using namespace fixtures;
using ui::Tool;

class DrawnMarksTest : public ShownPanel
{
    Q_OBJECT

    const engine::Marks& marks() const { return m_panel->marks(); }
    QPoint at(double x, double y) { return view("imageA")->toViewport({x, y}).toPoint(); }
    void draw(Tool tool, const QPoint& from, const QPoint& to, Qt::KeyboardModifiers keys = Qt::NoModifier)
    {
        m_panel->setTool(tool);
        drag(viewport("imageA"), from, to, keys);
    }
    template <typename Area>
    const Area* chosen() const
    {
        return std::get_if<Area>(&std::get<engine::Area>(marks().area()->shape));
    }

  private slots:
    void init()
    {
        m_noWarnings.emplace();
        open();
        m_panel->show(comparison(plane(64, ramp), plane(64, ramp)));
    }
    void cleanup() { close(); }

    void everyToolDrawsItsShape()
    {
        QSignalSpy edited(m_panel.get(), &ui::ImagePanel::marksEdited);
        draw(Tool::line, at(10, 10), at(40, 20));
        QCOMPARE(marks().lines().size(), std::size_t(2));
        const auto line = std::get<engine::Line>(marks().line()->shape);
        QVERIFY(std::hypot(line.x0 - 10, line.y0 - 10) < 1 && std::hypot(line.x1 - 40, line.y1 - 20) < 1);
        QCOMPARE(m_panel->tool(), Tool::none); // a tool is used only once
        draw(Tool::circle, at(30, 30), at(30, 42));
        QVERIFY(chosen<engine::EllipseArea>());
        QVERIFY(std::abs(chosen<engine::EllipseArea>()->radiusX - 12) < 1);
        QCOMPARE(chosen<engine::EllipseArea>()->radiusX, chosen<engine::EllipseArea>()->radiusY);
        QCOMPARE(marks().area()->name, std::string("circle 1"));
        draw(Tool::ring, at(30, 30), at(30, 42));
        const auto circle = std::get<engine::Circle>(marks().line()->shape);
        QVERIFY(std::abs(circle.radius - 12) < 1 && std::hypot(circle.x - 30, circle.y - 30) < 1);
        QCOMPARE(marks().line()->name, std::string("ring 1"));
        draw(Tool::ellipse, at(10, 10), at(30, 20));
        QVERIFY(chosen<engine::EllipseArea>());
        QVERIFY(std::abs(chosen<engine::EllipseArea>()->radiusX - 10) < 1);
        QVERIFY(std::abs(chosen<engine::EllipseArea>()->radiusY - 5) < 1);
        draw(Tool::rectangle, at(9.6, 9.6), at(30, 22), Qt::ShiftModifier);
        QVERIFY(chosen<engine::Region>());
        QVERIFY(std::abs(chosen<engine::Region>()->width - chosen<engine::Region>()->height) <= 1); // a square
        QVERIFY(edited.size() > 4); // also during the drawing
        QCOMPARE(edited.last()[1].toBool(), true);
    }

    void polygonIsClicked()
    {
        m_panel->setTool(Tool::polygon);
        const auto click = [&](double x, double y) {
            QTest::mouseClick(viewport("imageA"), Qt::LeftButton, {}, at(x, y));
        };
        click(10, 10);
        click(40, 12);
        click(60, 60);
        QTest::keyClick(view("imageA"), Qt::Key_Backspace);
        QTest::keyClick(view("imageA"), Qt::Key_Return); // two points are no polygon
        QCOMPARE(marks().areas().size(), std::size_t(1));
        QCOMPARE(m_panel->tool(), Tool::none);
        m_panel->setTool(Tool::polygon);
        click(10, 10);
        click(40, 12);
        click(20, 50);
        click(10, 10); // a click on the first point closes it
        QVERIFY(chosen<engine::PolygonArea>());
        QCOMPARE(chosen<engine::PolygonArea>()->points.size(), std::size_t(3));
        for (const engine::Point& corner : chosen<engine::PolygonArea>()->points) // rounded, so that they are readable
            QVERIFY(2 * corner.x == std::round(2 * corner.x) && 2 * corner.y == std::round(2 * corner.y));
        drag(viewport("imageA"), at(20, 50), at(24, 44)); // a corner
        const engine::Point corner = chosen<engine::PolygonArea>()->points[2];
        QVERIFY(std::hypot(corner.x - 24, corner.y - 44) < 1);
    }

    void escapeDrawsNothing()
    {
        m_panel->setTool(Tool::ellipse);
        QTest::keyClick(view("imageA"), Qt::Key_Escape);
        QCOMPARE(m_panel->tool(), Tool::none);
        QCOMPARE(marks().areas().size(), std::size_t(1));
    }

    void areasAreChosenMovedAndReshaped()
    {
        draw(Tool::rectangle, at(9.6, 9.6), at(29.4, 29.4));
        draw(Tool::rectangle, at(39.6, 39.6), at(59.4, 59.4));
        const int second = marks().areaId;
        drag(viewport("imageA"), at(9.5, 20), at(13.5, 22)); // the rim of the first circle
        QVERIFY(marks().areaId != second);
        QCOMPARE(*chosen<engine::Region>(), (engine::Region{14, 12, 20, 20}));
        drag(viewport("imageA"), at(33.5, 31.5), at(43.5, 41.5)); // the square's lower right corner
        QCOMPARE(*chosen<engine::Region>(), (engine::Region{14, 12, 30, 30}));
        drag(viewport("imageA"), at(13.5, 20), at(-40, 20)); // stays on the slice
        QCOMPARE(chosen<engine::Region>()->column, 0);
        QCOMPARE(chosen<engine::Region>()->width, 30);
    }

    // Areas so small that their handles leave no room between them.
    void smallAreasAreMovedByTheirMiddle()
    {
        engine::Marks next = marks();
        next.add(engine::Area(engine::Region{30, 30, 3, 3}));
        m_panel->setMarks(next);
        drag(viewport("imageA"), at(31, 31), at(41, 31));
        QCOMPARE(*chosen<engine::Region>(), (engine::Region{40, 30, 3, 3}));
    }

    void hiddenOnesCannotBeTaken()
    {
        engine::Marks next = marks();
        next.add(engine::Area(engine::Region{10, 10, 20, 20})).visible = false;
        m_panel->setMarks(next);
        drag(viewport("imageA"), at(9.5, 20), at(20, 25));
        QVERIFY(marks() == next);
    }
};

SINOSCOPE_TEST(DrawnMarksTest, QApplication)
#include "marks_test.moc"

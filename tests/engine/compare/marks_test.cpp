// SPDX-License-Identifier: GPL-3.0-or-later
// Lines and areas on a slice: their text, which one is selected, and the values along them.
#include "engine/compare/mark_figures.h"
#include "engine/compare/marks.h"
#include "tests/fixtures.h"

#include <QTest>

using namespace engine;

class MarksTest : public QObject
{
    Q_OBJECT

  private slots:
    void textComesBack()
    {
        const Shape shapes[] = {Line{1.5, 0.1, -3, 40.25},
                                Circle{20, 21.5, 7.125},
                                Area(Region{4, 5, 20, 21}),
                                Area(EllipseArea{1, 2, 3.5, 4}),
                                Area(PolygonArea{{{1, 2}, {3, 4.5}, {0, 7}}}),
                                Area(DiscArea{0.9})};
        for (const Shape& shape : shapes)
            QVERIFY2(shapeFromText(toText(shape)) == shape, toText(shape).c_str());
        QCOMPARE(toText(shapes[0]), std::string("line 1.5,0.1 -3,40.25"));
        QCOMPARE(toText(shapes[1]), std::string("ring 20,21.5,7.125"));
        QVERIFY(shapeFromText("circle 20,21.5,7.125") == shapes[1]); // the form in older sessions
        QVERIFY(shapeFromText("line  1,2   3,4") == Shape(Line{1, 2, 3, 4}));
        for (const char* bad : {"", "line", "line 1,2", "line 1,2 3", "line 1,2 3,4 5,6", "line 1,2 3,x",
                                "line 1e9,2 3,4", "line nan,2 3,4", "circle 1,2", "circle 1,2,0", "circle 1,2,-1",
                                "circle 1,2,1e9", "star 1,2", "rectangle 1,2,0,4"}) {
            const std::optional<Error> error = fixtures::errorOf([&] { shapeFromText(bad); });
            QVERIFY2(error && QByteArray(error->what()).contains("ring X,Y,R"), bad);
        }
    }

    void oneLineAndOneAreaAreChosen()
    {
        Marks marks = Marks::standard();
        QVERIFY(!marks.line() && marks.lineId == 0);
        QVERIFY(marks.mask() == (Mask{0.9, {}, {}}));
        const int disc = marks.areaId;
        QVERIFY(!marks.canRemove(disc));
        marks.remove(disc);
        QCOMPARE(marks.areaId, disc);
        const int line = marks.add(Line{1, 2, 3, 4}).id, second = marks.add(Circle{4, 4, 2}).id;
        const int area = marks.add(Area(Region{1, 1, 4, 4})).id;
        QCOMPARE(marks.find(line)->name, std::string("line 1"));
        QCOMPARE(marks.find(area)->name, std::string("rectangle 1"));
        QVERIFY(marks.lineId == second && marks.areaId == area);
        marks.choose(line);
        QVERIFY(marks.lineId == line && marks.areaId == area);
        marks.choose(99);
        marks.remove(line);
        QCOMPARE(marks.lineId, second);
        marks.remove(area);
        QCOMPARE(marks.areaId, disc);
        marks.remove(second);
        QVERIFY(!marks.line() && marks.lineId == 0);
        QCOMPARE(marks.marks.size(), std::size_t(1));
        QCOMPARE(marks.add(Line{}).name, std::string("line 1")); // this name is free again
    }

    // Linear interpolation reproduces f = 3x − 2y, with and without averaging across the line, on any grid.
    void valuesAlongAPlane()
    {
        SliceGrid grid;
        grid.size = 40;
        for (const double step : {1.0, 2.0}) {
            grid.width = grid.height = static_cast<int>(40 / step);
            grid.step = step;
            grid.x0 = grid.y0 = (step - 1) / 2;
            std::vector<float> image;
            for (int row = 0; row < grid.height; ++row)
                for (int column = 0; column < grid.width; ++column)
                    image.push_back(static_cast<float>(3 * (grid.x0 + column * step) - 2 * (grid.y0 + row * step)));
            for (const Shape& shape : {Shape(Line{8.5, 9, 29, 20.25}), Shape(Circle{20, 19, 9.5})})
                for (const int width : {1, 2, 5}) {
                    const Profile profile = profileOf(image, grid, shape, width);
                    QVERIFY(profile.position.size() > lengthOf(shape) / step - 1);
                    for (std::size_t k = 0; k < profile.position.size(); ++k) {
                        const Point point = pointAlong(shape, profile.position[k]);
                        QVERIFY2(std::abs(profile.value[k] - (3 * point.x - 2 * point.y)) < 1e-3,
                                 qPrintable(QStringLiteral("%1: %2").arg(k).arg(profile.value[k])));
                    }
                }
        }
    }

    void endsOfAWay()
    {
        const Line line{1, 2, 4, 6};
        QCOMPARE(lengthOf(line), 5.0);
        QVERIFY(pointAlong(line, 5) == (Point{4, 6}));
        QVERIFY(pointAlong(Line{1, 2, 1, 2}, 0) == (Point{1, 2}));
        const Point bottom = pointAlong(Circle{10, 20, 4}, lengthOf(Circle{10, 20, 4}) / 4); // clockwise on screen
        QVERIFY(std::abs(bottom.x - 10) < 1e-12 && std::abs(bottom.y - 24) < 1e-12);
        for (const Shape& shape : {Shape(line), Shape(Circle{10, 20, 4})})
            for (const double position : {0.0, 1.25, 4.5}) {
                const double found = positionAlong(shape, pointAlong(shape, position));
                QVERIFY(std::abs(found - position) < 1e-12);
            }
        QCOMPARE(positionAlong(line, {-50, 0}), 0.0);
        QCOMPARE(positionAlong(line, {50, 60}), 5.0);
        QCOMPARE(lengthOf(Area(DiscArea{0.5})), 0.0);
        QVERIFY_THROWS_EXCEPTION(Error, profileOf(std::vector<float>(1), {1, 1, 1}, Area(DiscArea{0.5}), 1));
    }
};

SINOSCOPE_TEST(MarksTest, QCoreApplication)
#include "marks_test.moc"

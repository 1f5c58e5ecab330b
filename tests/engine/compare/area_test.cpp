// SPDX-License-Identifier: GPL-3.0-or-later
// Areas: their pixels against the definition, pixel by pixel; conversion to text and back.
#include "engine/compare/mask.h"
#include "tests/fixtures.h"

#include <set>
#include <utility>

using namespace engine;
using namespace fixtures;

namespace
{

using Pixels = std::set<std::pair<int, int>>; // column, row

// Applies the even-odd rule to a ray from (x, y) to the right: it crosses a side if exactly one of the ends is above
// the ray or on it.
bool isInPolygon(const PolygonArea& polygon, double x, double y)
{
    bool in = false;
    for (std::size_t i = 0, j = polygon.points.size() - 1; i < polygon.points.size(); j = i++) {
        const Point &a = polygon.points[i], &b = polygon.points[j];
        if ((a.y > y) != (b.y > y) && x < a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y))
            in = !in;
    }
    return in;
}

struct Contains {
    double x, y;
    int width, height;

    bool operator()(const Region& area) const
    {
        return x >= area.column && x < area.column + area.width && y >= area.row && y < area.row + area.height;
    }
    bool operator()(const EllipseArea& area) const
    {
        return std::hypot((x - area.x) / area.radiusX, (y - area.y) / area.radiusY) <= 1 + 1e-14;
    }
    bool operator()(const PolygonArea& area) const { return isInPolygon(area, x, y); }
    bool operator()(const DiscArea& area) const
    {
        return std::hypot(x - (width - 1) / 2.0, y - (height - 1) / 2.0) <= area.radius * std::min(width, height) / 2;
    }
};

Pixels pixelsByDefinition(const Area& area, int width, int height)
{
    Pixels pixels;
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
            if (std::visit(Contains{double(column), double(row), width, height}, area))
                pixels.emplace(column, row);
    return pixels;
}

Pixels pixelsOf(const MaskRows& rows, int height)
{
    Pixels pixels;
    for (int row = 0; row < height; ++row)
        for (const Run& run : rows.runs(row))
            for (int column = run.begin; column < run.end; ++column)
                pixels.emplace(column, row);
    return pixels;
}

Pixels pixelsOf(const Area& area, int width, int height)
{
    return pixelsOf(MaskRows(Mask{.area = area}, width, height), height);
}

const PolygonArea star = {{{30, 2}, {47.5, 55.25}, {3, 21}, {57, 21}, {12.5, 55.25}}}; // its middle is not inside
const PolygonArea comb = {{{5, 5}, {50, 5}, {50, 40}, {40, 9}, {30, 40}, {20, 9}, {5.5, 40}}};

} // namespace

class AreaTest : public QObject
{
    Q_OBJECT
  private slots:
    void pixelsAreThoseOfTheDefinition()
    {
        const int width = 60, height = 57;
        const std::vector<Area> areas = {Region{10, 20, 30, 5},
                                         Region{-5, -5, 10, 10},
                                         Region{50, 50, 1000000, 1000000},
                                         EllipseArea{30, 28, 10, 10},
                                         EllipseArea{30.3, 28.7, 25.5, 3.25},
                                         EllipseArea{0, 56, 4, 20},
                                         EllipseArea{-100, 20, 130, 70},
                                         EllipseArea{12, 12, 0.4, 0.4},
                                         star,
                                         comb,
                                         PolygonArea{{{-1000, -1000}, {1000, -1000}, {30, 40.5}}},
                                         DiscArea{1},
                                         DiscArea{0.37}};
        for (const Area& area : areas) {
            const std::string text = toText(area);
            const MaskRows rows(Mask{.area = area}, width, height);
            const Pixels expected = pixelsByDefinition(area, width, height);
            QVERIFY2(pixelsOf(rows, height) == expected, text.c_str());
            QCOMPARE(rows.pixels(), static_cast<long long>(expected.size()));
            Region bounds{width, height, 0, 0};
            for (const auto& [column, row] : expected) {
                bounds.column = std::min(bounds.column, column);
                bounds.row = std::min(bounds.row, row);
            }
            for (const auto& [column, row] : expected) {
                bounds.width = std::max(bounds.width, column + 1 - bounds.column);
                bounds.height = std::max(bounds.height, row + 1 - bounds.row);
            }
            QVERIFY2(rows.bounds() == bounds, text.c_str());
            for (int row = 0; row < height; ++row)
                for (std::size_t k = 0; k < rows.runs(row).size(); ++k) {
                    const Run& run = rows.runs(row)[k];
                    QVERIFY2(run.begin < run.end && (k == 0 || rows.runs(row)[k - 1].end < run.begin), text.c_str());
                }
        }
    }

    // The integer points in a circle, its rim included, are counted (Gauss's circle problem, OEIS A000328).
    void circlesHaveTheirRim()
    {
        for (const auto& [radius, count] : {std::pair{1, 5LL}, {5, 81LL}, {10, 317LL}, {25, 1961LL}, {100, 31417LL}}) {
            const MaskRows rows(Mask{.area = EllipseArea{105, 104, double(radius), double(radius)}}, 210, 220);
            QCOMPARE(rows.pixels(), count);
        }
        QVERIFY(pixelsOf(EllipseArea{20, 20, 10, 5}, 40, 40).count({26, 24}) == 1); // (6/10)² + (4/5)² = 1
    }

    void aRowMayHaveSeveralRuns()
    {
        const MaskRows rows(Mask{.area = comb}, 60, 57);
        QCOMPARE(rows.runs(30).size(), std::size_t{3});
        QVERIFY(rows.runs(4).empty() && rows.runs(45).empty());
    }

    void polygonsBesideEachOtherShareNothing()
    {
        const Point a{10, 5}, b{50, 5}, c{50, 45}, d{10, 45};
        const Area rectangle = Region{10, 5, 40, 40};
        QVERIFY(pixelsOf(PolygonArea{{a, b, c, d}}, 60, 60) == pixelsOf(rectangle, 60, 60));
        QVERIFY(pixelsOf(PolygonArea{{a, d, c, b}}, 60, 60) == pixelsOf(rectangle, 60, 60));
        for (const Point& middle : {Point{30, 25}, Point{20.1, 31.7}, Point{11, 5.5}}) {
            Pixels all;
            std::size_t count = 0;
            for (const auto& [from, to] : {std::pair{a, b}, {b, c}, {c, d}, {d, a}}) {
                const Pixels part = pixelsOf(PolygonArea{{middle, from, to}}, 60, 60);
                count += part.size();
                all.insert(part.begin(), part.end());
            }
            QCOMPARE(count, all.size());
            QVERIFY(all == pixelsOf(rectangle, 60, 60));
        }
    }

    void whatIsGivenTogetherIsWhatAllHold()
    {
        const int width = 60, height = 57;
        const Mask mask{.discRadius = 0.9, .region = Region{0, 10, 45, 30}, .area = comb};
        Pixels expected;
        const Pixels disc = pixelsByDefinition(DiscArea{0.9}, width, height);
        const Pixels region = pixelsByDefinition(*mask.region, width, height);
        for (const auto& pixel : pixelsByDefinition(comb, width, height))
            if (disc.count(pixel) && region.count(pixel))
                expected.insert(pixel);
        QVERIFY(!expected.empty());
        QVERIFY(pixelsOf(MaskRows(mask, width, height), height) == expected);
        QCOMPARE(MaskRows({}, width, height).pixels(), 60LL * 57);
    }

    void onAGridTheSamePlacesAreIn()
    {
        const int size = 61;
        const std::vector<SliceGrid> grids = {{size, 0, 0, size, size, 1},
                                              {size, 7, 12, 30, 25, 1},
                                              {size, 1.5, 1.5, 15, 15, 4}, // a coarse preview: means of 4 × 4
                                              {size, 0, 0, 31, 31, 2}};
        for (const Area& area :
             {Area(Region{9, 13, 20, 11}), Area(EllipseArea{30, 31, 15, 20.5}), Area(star), Area(DiscArea{0.8})})
            for (const SliceGrid& grid : grids) {
                Pixels expected;
                for (int row = 0; row < grid.height; ++row)
                    for (int column = 0; column < grid.width; ++column)
                        if (std::visit(Contains{grid.x0 + column * grid.step, grid.y0 + row * grid.step, size, size},
                                       area))
                            expected.emplace(column, row);
                QVERIFY2(pixelsOf(areaOn(area, grid), grid.width, grid.height) == expected, toText(area).c_str());
            }
    }

    void textsBothWays()
    {
        const std::vector<std::pair<std::string, Area>> texts = {
            {"rectangle 10,20,100,50", Region{10, 20, 100, 50}},
            {"rectangle -5,0,10,10", Region{-5, 0, 10, 10}},
            {"ellipse 1.5,-2,0.1,1e-05", EllipseArea{1.5, -2, 0.1, 1e-5}},
            {"polygon 0,0 10.25,0 3,7", PolygonArea{{{0, 0}, {10.25, 0}, {3, 7}}}},
            {"disc 0.9", DiscArea{0.9}}};
        for (const auto& [text, area] : texts) {
            QCOMPARE(toText(area), text);
            QVERIFY2(areaFromText(text) == area, text.c_str());
        }
        QVERIFY(areaFromText("polygon  0,0   10.25,0 3,7 ") == texts[3].second);
        const EllipseArea exact{1.0 / 3, 2.0 / 3, std::sqrt(2), 1e6};
        QVERIFY(areaFromText(toText(exact)) == Area(exact));
    }

    void badTextsAreSaid()
    {
        const auto bad = [](const std::string& text, const std::vector<std::string>& words) {
            return fails(ErrorKind::badRequest, words, [&] { areaFromText(text); });
        };
        QVERIFY(bad("", {"rectangle X,Y,W,H", "ellipse X,Y,RX,RY", "polygon X,Y X,Y X,Y", "disc R"}));
        QVERIFY(bad("circle 1,2,3", {"circle 1,2,3", "ellipse X,Y,RX,RY"}));
        QVERIFY(bad("rectangle", {"rectangle X,Y,W,H"}));
        QVERIFY(bad("rectangle 1,2,3", {"3 numbers instead of 4"}));
        QVERIFY(bad("rectangle 1,2,3.5,4", {"3.5", "whole number"}));
        QVERIFY(bad("rectangle 1,2,0,4", {"0 × 4", "from 1"}));
        QVERIFY(bad("rectangle 99999999999,2,1,4", {"99999999999"}));
        QVERIFY(bad("ellipse 1,2,3,0", {"RY 0"}));
        QVERIFY(bad("ellipse 1,nan,3,1", {"nan"}));
        QVERIFY(bad("ellipse 1,2,3,4,5", {"5 numbers instead of 4"}));
        QVERIFY(bad("polygon 1,2 3,4", {"2 points"}));
        QVERIFY(bad("polygon 1,2 3,4 5", {"'5'", "1 number instead of 2"}));
        QVERIFY(bad("polygon 1,2 3,4 5,1e7", {"1e+07", "±1000000"}));
        QVERIFY(bad("disc 1.5", {"1.5", "half width"}));
        QVERIFY(bad("disc 0", {"0", "half width"}));
    }

    void badMasksAreSaid()
    {
        const auto bad = [](const Area& area, const std::string& word) {
            return fails(ErrorKind::badRequest, {word}, [&] { MaskRows(Mask{.area = area}, 20, 20); });
        };
        QVERIFY(bad(EllipseArea{10, 10, 0, 5}, "RX"));
        QVERIFY(bad(EllipseArea{std::nan(""), 10, 1, 5}, "ellipse: X"));
        QVERIFY(bad(EllipseArea{10.5, 10.5, 0.1, 0.1}, "no pixel")); // between the pixel centres
        QVERIFY(bad(PolygonArea{{{0, 0}, {5, 5}}}, "2 points"));
        QVERIFY(bad(PolygonArea{{{0, 0}, {5, 5}, {10, 10}}}, "no pixel"));
        QVERIFY(bad(Region{30, 0, 5, 5}, "no pixel"));
        QVERIFY(bad(Region{3, 0, 0, 5}, "no pixel"));
        QVERIFY(bad(DiscArea{1.5}, "1.5"));
    }
};

SINOSCOPE_TEST(AreaTest, QCoreApplication)
#include "area_test.moc"

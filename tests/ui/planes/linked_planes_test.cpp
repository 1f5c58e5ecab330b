// SPDX-License-Identifier: GPL-3.0-or-later
// Linked planes as values: positions, steps, lines of intersection and turns.
#include "tests/test_program.h"
#include "ui/planes/frame_rate.h"
#include "ui/planes/linked_planes.h"

#include <QTest>

#include <cmath>
#include <numbers>
#include <random>

using namespace ui;

class LinkedPlanesTest : public QObject
{
    Q_OBJECT

    static constexpr engine::VolumeSize volume{64, 40};

    static double distance(const QPointF& a, const QPointF& b) { return std::hypot(a.x() - b.x(), a.y() - b.y()); }
    // Angle between two lines in degrees, 0 to 90.
    static double between(const QPointF& a, const QPointF& b)
    {
        return std::acos(std::min(1.0, std::abs(QPointF::dotProduct(a, b)))) * 180 / std::numbers::pi;
    }

  private slots:
    void beginsWithPlanesOfVoxels()
    {
        const LinkedPlanes planes = LinkedPlanes::inMiddleOf(volume);
        QVERIFY(planes.point == (engine::VoxelPoint{32, 32, 20}));
        QVERIFY(planes.plane(0) == engine::planeAcross(engine::PlaneAxis::x, 32, volume));
        QVERIFY(planes.plane(1) == engine::planeAcross(engine::PlaneAxis::y, 32, volume));
        QVERIFY(planes.plane(2) == engine::planeAcross(engine::PlaneAxis::z, 20, volume));
    }

    void aPixelMovesTheOtherPlanes()
    {
        LinkedPlanes planes = LinkedPlanes::inMiddleOf(volume);
        planes.moveTo(2, {10.3, 50.7});
        QVERIFY(planes.point == (engine::VoxelPoint{10, 51, 20}));
        planes.moveTo(0, {7, 3.2}); // rows to the right, slices downwards
        QVERIFY(planes.point == (engine::VoxelPoint{10, 7, 3}));
        planes.moveTo(1, {60, 38}); // columns to the right, slices downwards
        QVERIFY(planes.point == (engine::VoxelPoint{60, 7, 38}));
        for (int plane = 0; plane < 3; ++plane)
            QVERIFY(boxOf(planes.plane(plane), volume));
    }

    void staysInsideTheVolume()
    {
        LinkedPlanes planes = LinkedPlanes::inMiddleOf(volume);
        planes.moveTo(2, {-20, 500});
        QVERIFY(planes.point == (engine::VoxelPoint{0, 63, 20}));
        for (int plane = 0; plane < 3; ++plane)
            planes.step(plane, 1000);
        QVERIFY(planes.point == (engine::VoxelPoint{63, 63, 39}));
        planes.nudge(2, 5, 0);
        planes.nudge(0, -3, -2);
        QVERIFY(planes.point == (engine::VoxelPoint{63, 60, 37}));
    }

    void stepsCountUpwards()
    {
        for (int plane = 0; plane < 3; ++plane) {
            LinkedPlanes planes = LinkedPlanes::inMiddleOf(volume);
            const int before = planes.voxel(plane);
            planes.step(plane, 2);
            QCOMPARE(planes.voxel(plane), before + 2);
        }
    }

    // Planes of all kinds, of every angle, are shown again: with the same pixels, in the same or an equal plane.
    void showsAGivenPlane()
    {
        std::mt19937 random(7);
        const auto between = [&](double least, double most) {
            return std::uniform_real_distribution(least, most)(random);
        };
        for (int k = 0; k < 600; ++k) {
            const int family = k % 3;
            LinkedPlanes planes = LinkedPlanes::inMiddleOf(volume), shown = planes;
            planes.moveTo({between(0, 63), between(0, 63), between(0, 39)});
            shown.moveTo({between(0, 63), between(0, 63), between(0, 39)});
            PlaneAngles angles{between(-180, 180), between(-180, 180)};
            if (k % 5 == 0)
                angles = {15 * std::round(angles.turnDeg / 15), 15 * std::round(angles.tiltDeg / 15)};
            planes.setAngles(family, angles);
            const engine::Plane given = planes.plane(family);
            const std::optional<int> plane = shown.show(given);
            QVERIFY(plane);
            const engine::Plane again = shown.plane(*plane);
            QCOMPARE(again.width, given.width);
            QCOMPARE(again.height, given.height);
            for (const auto& [i, j] : {std::pair(0, 0), {given.width - 1, 0}, {0, given.height - 1}})
                for (std::size_t axis = 0; axis < 3; ++axis)
                    QVERIFY2(std::abs(again.at(i, j)[axis] - given.at(i, j)[axis]) < 1e-6,
                             qPrintable(QString("%1: %2").arg(k).arg(again.at(i, j)[axis] - given.at(i, j)[axis])));
            const PlaneAngles& least = shown.angles[static_cast<std::size_t>(*plane)];
            QVERIFY(std::hypot(least.turnDeg, least.tiltDeg) <=
                    std::hypot(planes.angles[static_cast<std::size_t>(family)].turnDeg,
                               planes.angles[static_cast<std::size_t>(family)].tiltDeg) +
                        1e-6);
            if (k % 5 == 0) // whole angles stay whole
                QVERIFY(least.turnDeg == std::round(least.turnDeg) && least.tiltDeg == std::round(least.tiltDeg));
            for (const int other : {0, 1, 2}) // the other planes stay as they were
                QVERIFY(other == *plane || !shown.isTurned(other));
        }
    }

    void showsAPlaneOfVoxels()
    {
        for (const auto& [text, plane] : {std::pair("x=12", 0), {"y=63", 1}, {"z=0", 2}}) {
            LinkedPlanes planes = LinkedPlanes::inMiddleOf(volume);
            planes.moveTo({10.3, 7.75, 4.1});
            planes.setAngles(plane, {10, 20});
            const engine::Plane given = engine::planeFromText(text, volume);
            QCOMPARE(planes.show(given), std::optional(plane));
            QVERIFY(planes.plane(plane) == given);
            QVERIFY(planes.angles == LinkedPlanes::inMiddleOf(volume).angles);
            QCOMPARE(planes.point[plane == 0 ? 1 : 0], plane == 0 ? 7.75 : 10.3); // the point stays near
        }
        // Between voxels, another plane is turned to it.
        for (const char* text : {"x=12.5", "y=40.25", "z=3.5"}) {
            LinkedPlanes planes = LinkedPlanes::inMiddleOf(volume);
            const engine::Plane given = engine::planeFromText(text, volume);
            const std::optional<int> plane = planes.show(given);
            QVERIFY(plane && planes.isTurned(*plane));
            const engine::VoxelPoint a = planes.plane(*plane).at(3, 5), b = given.at(3, 5);
            for (std::size_t axis = 0; axis < 3; ++axis)
                QVERIFY(std::abs(a[axis] - b[axis]) < 1e-9);
        }
        // The image of another size is shown whole.
        LinkedPlanes planes = LinkedPlanes::inMiddleOf(volume);
        QCOMPARE(planes.show(engine::planeFromText("centre=9,5,30;u=0,2,0;v=0,0,1;width=4;height=3", volume)),
                 std::optional(0));
        QVERIFY(planes.plane(0) == engine::planeFromText("x=9", volume));
    }

    void whatCanNotBeShown_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"z=3;pixel=2", "centre=20,19,14;u=0,1,1;v=1,0,0", "z=40", "x=-0.3",
                                 "centre=20,19,14;u=1,-0.2,1;v=0.3,1,0", "centre=100,100,30;u=1,-1,0;v=0,0,1"})
            QTest::newRow(text) << text;
    }
    void whatCanNotBeShown()
    {
        QFETCH(QString, text);
        LinkedPlanes planes = LinkedPlanes::inMiddleOf(volume);
        planes.setAngles(1, {5, 6});
        const LinkedPlanes before = planes;
        QVERIFY(!planes.show(engine::planeFromText(text.toStdString(), volume)));
        QVERIFY(planes == before);
    }

    // The middle of such an image, and the point's foot, lie outside a flat volume.
    void showsASteepPlaneOfAFlatVolume()
    {
        LinkedPlanes planes = LinkedPlanes::inMiddleOf({1000, 4}), shown = planes;
        planes.moveTo({990, 20, 2});
        planes.setAngles(2, {-40, 0});
        QVERIFY(planes.plane(2).centre[2] < 0 || planes.plane(2).centre[2] > 3);
        QCOMPARE(shown.show(planes.plane(2)), std::optional(2));
        const engine::VoxelPoint a = planes.plane(2).at(7, 8), b = shown.plane(2).at(7, 8);
        for (std::size_t axis = 0; axis < 3; ++axis)
            QVERIFY(std::abs(a[axis] - b[axis]) < 1e-6);
    }

    void turnedPlanesContainThePoint()
    {
        LinkedPlanes planes = LinkedPlanes::inMiddleOf(volume);
        planes.moveTo({20, 41, 9});
        for (int plane = 0; plane < 3; ++plane)
            planes.setAngles(plane, {25.0 + plane, -40});
        for (int plane = 0; plane < 3; ++plane) {
            validate(planes.plane(plane), volume);
            const engine::VoxelPoint back = planes.placeOf(plane, planes.pixelOf(plane, planes.point));
            for (std::size_t k = 0; k < 3; ++k)
                QVERIFY(std::abs(back[k] - planes.point[k]) < 1e-9);
        }
        // A place in a turned plane isn't rounded, so that the plane stays where it is.
        const engine::Plane before = planes.plane(0);
        planes.moveTo(0, planes.pixelOf(0, planes.point) + QPointF(3.3, -2.1));
        for (std::size_t k = 0; k < 3; ++k)
            QVERIFY(std::abs(planes.plane(0).centre[k] - before.centre[k]) < 1e-9);
    }

    void linesAreWherePlanesMeet()
    {
        LinkedPlanes planes = LinkedPlanes::inMiddleOf(volume);
        QVERIFY(between(*planes.directionOf(0, 2), {0, 1}) < 1e-6);
        QVERIFY(between(*planes.directionOf(1, 2), {1, 0}) < 1e-6);
        planes.setAngles(0, {30, 10});
        planes.setAngles(1, {-20, 50});
        const QPointF from = planes.pixelOf(1, planes.point), direction = *planes.directionOf(0, 1);
        const engine::VoxelPoint on = planes.placeOf(1, from + 7 * direction); // lies in both
        const QPointF seen = planes.pixelOf(0, on);
        const engine::VoxelPoint back = planes.placeOf(0, seen);
        for (std::size_t k = 0; k < 3; ++k)
            QVERIFY(std::abs(back[k] - on[k]) < 1e-9);
        planes.setAngles(0, {});
        planes.setAngles(1, {90, 0}); // turned into the other plane
        QVERIFY(!planes.directionOf(0, 1));
    }

    // In the image across its direction, the line of a turned or tilted plane is turned anticlockwise.
    void anglesCountAnticlockwiseAsDisplayed()
    {
        struct Across {
            int plane, seenIn;
            PlaneAngles by;
        };
        const double angle = 20 * std::numbers::pi / 180;
        for (const auto& [plane, seenIn, by] : {Across{0, 2, {20, 0}}, Across{1, 2, {20, 0}}, Across{2, 1, {20, 0}},
                                                Across{0, 1, {0, 20}}, Across{1, 0, {0, 20}}, Across{2, 0, {0, 20}}}) {
            LinkedPlanes planes = LinkedPlanes::inMiddleOf(volume);
            const QPointF before = *planes.directionOf(plane, seenIn);
            planes.setAngles(plane, by);
            const QPointF expected(before.x() * std::cos(angle) + before.y() * std::sin(angle),
                                   before.y() * std::cos(angle) - before.x() * std::sin(angle)); // y points downwards
            QVERIFY2(between(*planes.directionOf(plane, seenIn), expected) < 1e-5,
                     qPrintable(QStringLiteral("%1 in %2").arg(plane).arg(seenIn)));
        }
    }

    void linesFollowADrag()
    {
        for (int plane = 0; plane < 3; ++plane)
            for (int other = 0; other < 3; ++other) {
                if (plane == other)
                    continue;
                for (const double degrees : {20.0, -33.0}) {
                    LinkedPlanes planes = LinkedPlanes::inMiddleOf(volume);
                    const QPointF before = *planes.directionOf(other, plane);
                    planes.turnLine(other, plane, degrees, 0);
                    const double angle = degrees * std::numbers::pi / 180; // clockwise, as y points downwards
                    const QPointF expected(before.x() * std::cos(angle) - before.y() * std::sin(angle),
                                           before.x() * std::sin(angle) + before.y() * std::cos(angle));
                    QVERIFY(between(*planes.directionOf(other, plane), expected) < 1e-5);
                    planes = LinkedPlanes::inMiddleOf(volume);
                    planes.turnLine(other, plane, degrees, 15);
                    const PlaneAngles& by = planes.angles[static_cast<std::size_t>(other)];
                    QCOMPARE(std::abs(by.turnDeg + by.tiltDeg), degrees > 0 ? 15.0 : 30.0);
                }
            }
    }

    void anglesStayWithinATurn()
    {
        LinkedPlanes planes = LinkedPlanes::inMiddleOf(volume);
        planes.setAngles(2, {270, -360});
        QCOMPARE(planes.angles[2].turnDeg, -90.0);
        QCOMPARE(planes.angles[2].tiltDeg, 0.0);
        planes.setAngles(2, {360, 0});
        QVERIFY(!planes.isTurned(2));
    }

    void countsImagesOfTheLastSecond()
    {
        FrameRate rate;
        for (int k = 0; k < 200; ++k) // slow, then fast
            rate.add(k < 100 ? k * 0.5 : 50 + (k - 100) * 0.04);
        QVERIFY(std::abs(rate.perSecond() - 25) < 1e-6);
        rate.restart();
        rate.add(1);
        QCOMPARE(rate.perSecond(), 0.0);
    }
};

SINOSCOPE_TEST(LinkedPlanesTest, QCoreApplication)
#include "linked_planes_test.moc"

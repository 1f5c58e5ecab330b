// SPDX-License-Identifier: GPL-3.0-or-later
// Linked planes in space: their outlines in the volume, and drags that turn and move them in a picture.
#include "ui/volume/plane_drag.h"

#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace ui;
using engine::VoxelPoint;

class PlaneDragTest : public QObject
{
    Q_OBJECT

    static LinkedPlanes planesIn(int size, int slices) { return LinkedPlanes::inMiddleOf({size, slices}); }

    // A picture from obliquely above, without perspective.
    static QPointF seen(const VoxelPoint& at) { return {3 * at[0] - 2 * at[1], at[0] + at[1] + 3 * at[2]}; }

    static double area(const std::vector<VoxelPoint>& corners)
    {
        VoxelPoint sum{};
        for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
            VoxelPoint a{}, b{};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                a[axis] = corners[k][axis] - corners[0][axis];
                b[axis] = corners[k + 1][axis] - corners[0][axis];
            }
            sum[0] += a[1] * b[2] - a[2] * b[1];
            sum[1] += a[2] * b[0] - a[0] * b[2];
            sum[2] += a[0] * b[1] - a[1] * b[0];
        }
        return std::hypot(sum[0], sum[1], sum[2]) / 2;
    }

    static PlaneGrip gripOf(const LinkedPlanes& planes, int plane, PlaneGrip::Way way)
    {
        const std::vector<PlaneGrip> grips = gripsOf(planes);
        const auto found = std::ranges::find_if(
            grips, [&](const PlaneGrip& one) { return one.plane == plane && one.way == way && one.reach > 0; });
        if (found == grips.end())
            qFatal("no such grip");
        return *found;
    }

  private slots:
    void planesOfVoxelsAreRectangles()
    {
        const LinkedPlanes planes = planesIn(40, 20);
        const engine::VolumeSize volume = planes.volume;
        QVERIFY(std::abs(area(outlineOf(planes.plane(0), volume)) - 40.0 * 20) < 1e-6);
        QVERIFY(std::abs(area(outlineOf(planes.plane(2), volume)) - 40.0 * 40) < 1e-6);
        for (const VoxelPoint& corner : outlineOf(planes.plane(0), volume)) {
            QCOMPARE(corner[0], 20.0);
            QVERIFY(std::abs(std::abs(corner[1] - 19.5) - 20) < 1e-9); // half a voxel beyond the outer centres
            QVERIFY(std::abs(std::abs(corner[2] - 9.5) - 10) < 1e-9);
        }
    }

    // A plane through the middle of a cube across its diagonal is a regular hexagon.
    void theDiagonalPlaneOfACubeIsAHexagon()
    {
        const engine::VolumeSize cube{31, 31};
        engine::Plane plane;
        plane.centre = {15, 15, 15};
        const double a = 1 / std::sqrt(2.0), b = 1 / std::sqrt(6.0);
        plane.u = {a, -a, 0};
        plane.v = {b, b, -2 * b};
        const std::vector<VoxelPoint> corners = outlineOf(plane, cube);
        QCOMPARE(corners.size(), std::size_t(6));
        QVERIFY(std::abs(area(corners) - 31 * 31 * 3 * std::sqrt(3.0) / 4) < 1e-6);
    }

    void aPlaneOutsideHasNoOutline()
    {
        engine::Plane plane = planesIn(40, 20).plane(0);
        plane.centre[0] = 45;
        QVERIFY(outlineOf(plane, {40, 20}).empty());
    }

    void gripsLieOnTheFacesApartFromEachOther()
    {
        LinkedPlanes planes = planesIn(40, 20);
        for (const double turnDeg : {0.0, 20.0}) {
            planes.setAngles(0, {turnDeg, 0});
            const std::vector<PlaneGrip> grips = gripsOf(planes);
            QCOMPARE(grips.size(), std::size_t(12)); // four of each plane
            for (const PlaneGrip& grip : grips) {
                const VoxelPoint at = placeOf(grip, planes);
                const double beyond =
                    std::max({std::abs(at[0] - 19.5) - 20, std::abs(at[1] - 19.5) - 20, std::abs(at[2] - 9.5) - 10});
                QVERIFY(std::abs(beyond) < 1e-6);
                for (const PlaneGrip& other : grips) {
                    const VoxelPoint there = placeOf(other, planes);
                    QVERIFY(&other == &grip || std::hypot(at[0] - there[0], at[1] - there[1], at[2] - there[2]) > 2);
                }
            }
        }
    }

    // The grip stays under the pointer, whichever way it is dragged.
    void aGripFollowsThePointer_data()
    {
        QTest::addColumn<int>("plane");
        QTest::addColumn<bool>("isTilt");
        QTest::addColumn<double>("degrees");
        for (int plane = 0; plane < 3; ++plane)
            for (const bool isTilt : {false, true})
                for (const double degrees : {25.0, -25.0})
                    QTest::addRow("%d %d %g", plane, int(isTilt), degrees) << plane << isTilt << degrees;
    }

    void aGripFollowsThePointer()
    {
        QFETCH(int, plane);
        QFETCH(bool, isTilt);
        QFETCH(double, degrees);
        LinkedPlanes planes = planesIn(40, 20);
        planes.setAngles(plane, {10, 5});
        const PlaneGrip grip = gripOf(planes, plane, isTilt ? PlaneGrip::Way::tilt : PlaneGrip::Way::turn);
        const auto turned = [&](double by) {
            LinkedPlanes made = planes;
            made.setAngles(plane, isTilt ? PlaneAngles{10, 5 + by} : PlaneAngles{10 + by, 5});
            return made;
        };
        PlaneDrag drag(planes, grip, seen(placeOf(grip, planes)));
        LinkedPlanes free, snapped;
        constexpr int steps = 50;
        for (int k = 1; k <= steps; ++k)
            free = drag.moveTo(seen(placeOf(grip, turned(degrees * k / steps))), seen, 0);
        const PlaneAngles& by = free.angles[static_cast<std::size_t>(plane)];
        QVERIFY2(std::abs((isTilt ? by.tiltDeg - 5 : by.turnDeg - 10) - degrees) < 0.5,
                 qPrintable(QStringLiteral("%1 %2").arg(by.turnDeg).arg(by.tiltDeg)));
        QCOMPARE(isTilt ? by.turnDeg : by.tiltDeg, isTilt ? 10.0 : 5.0);
        snapped = drag.moveTo(seen(placeOf(grip, turned(degrees))), seen, 15);
        const PlaneAngles& multiple = snapped.angles[static_cast<std::size_t>(plane)];
        QCOMPARE(isTilt ? multiple.tiltDeg : multiple.turnDeg,
                 15 * std::round((isTilt ? 5 + degrees : 10 + degrees) / 15));
        for (int other = 0; other < 3; ++other)
            QVERIFY(other == plane || !free.isTurned(other));
        QVERIFY(free.point == planes.point);
    }

    void aFaceIsMovedAlongItsNormal()
    {
        LinkedPlanes planes = planesIn(40, 20);
        const PlaneGrip face{2, PlaneGrip::Way::move, 0, 0};
        PlaneDrag drag(planes, face, seen({5, 5, 10}));
        QVERIFY(drag.moveTo(seen({5, 5, 13.2}), seen, 15).point == (VoxelPoint{20, 20, 13})); // whole voxels
        QVERIFY(drag.moveTo(seen({5, 5, 40}), seen, 15).point == (VoxelPoint{20, 20, 19}));   // inside
        planes.setAngles(2, {0, 30});
        const VoxelPoint normal = normalOf(planes, 2);
        PlaneDrag oblique(planes, face, seen(planes.point));
        const LinkedPlanes moved =
            oblique.moveTo(seen({20 + 4 * normal[0], 20 + 4 * normal[1], 10 + 4 * normal[2]}), seen, 15);
        for (std::size_t k = 0; k < 3; ++k)
            QVERIFY(std::abs(moved.point[k] - planes.point[k] - 4 * normal[k]) < 1e-6);
    }

    // What moves only towards the viewer can't be dragged.
    void nothingHappensTowardsTheViewer()
    {
        const LinkedPlanes planes = planesIn(40, 20);
        const auto fromAbove = [](const VoxelPoint& at) { return QPointF(at[0], at[1]); };
        PlaneDrag drag(planes, {2, PlaneGrip::Way::move, 0, 0}, {5, 5});
        QVERIFY(drag.moveTo({15, 25}, fromAbove, 15) == planes);
    }

    void linesMeetPlanes()
    {
        const LinkedPlanes planes = planesIn(40, 20);
        QCOMPARE(meets(planes, 2, {5, 5, -10}, {5, 5, 30}).value_or(-1), 0.5);
        QVERIFY(!meets(planes, 2, {5, 50, -10}, {5, 50, 30})); // beside the volume
        QVERIFY(!meets(planes, 2, {5, 5, -10}, {5, 5, 5}));    // ends before
        QVERIFY(!meets(planes, 2, {5, 5, 3}, {9, 5, 3}));      // parallel
    }
};

SINOSCOPE_TEST(PlaneDragTest, QCoreApplication)
#include "plane_drag_test.moc"

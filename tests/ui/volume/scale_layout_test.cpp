// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers around the box of the 3-D view, from all directions; the part of a stack that its object occupies.
#include "tests/ui/fixtures.h"
#include "ui/volume/axes_marker.h"
#include "ui/volume/object_extent.h"
#include "ui/volume/scale_layout.h"

#include <QFontMetricsF>

#include <array>
#include <cmath>

using namespace ui;

namespace
{

using Point = std::array<double, 3>;

double dot(const Point& a, const Point& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Returns the box as a camera sees it that stands at an azimuth and an elevation, with z downwards.
SeenBox seenFrom(const Point& size, double azimuthDeg, double elevationDeg, const QRectF& view)
{
    const double azimuth = azimuthDeg * fixtures::degree, elevation = elevationDeg * fixtures::degree;
    const Point back = {std::sin(azimuth) * std::cos(elevation), std::cos(azimuth) * std::cos(elevation),
                        -std::sin(elevation)};
    const Point right = {std::cos(azimuth), -std::sin(azimuth), 0};
    const Point up = {-std::sin(azimuth) * std::sin(elevation), -std::cos(azimuth) * std::sin(elevation),
                      -std::cos(elevation)};
    const double distance = 3 * std::hypot(size[0], size[1], size[2]);
    SeenBox box;
    box.unit = "mm";
    for (int k = 0; k < 3; ++k) {
        box.bounds[2 * k] = -size[k] / 2;
        box.bounds[2 * k + 1] = size[k] / 2;
        box.faceIsSeen[2 * k] = distance * back[k] < -size[k] / 2;
        box.faceIsSeen[2 * k + 1] = distance * back[k] > size[k] / 2;
    }
    for (int corner = 0; corner < 8; ++corner) {
        Point at;
        for (int k = 0; k < 3; ++k)
            at[k] = box.bounds[2 * k + ((corner >> k) & 1)];
        const double scale = 0.75 * view.height() * 3 / (distance - dot(at, back));
        box.corners[corner] = view.center() + QPointF(dot(at, right) * scale, -dot(at, up) * scale);
    }
    return box;
}

} // namespace

class ScaleLayoutTest : public QObject
{
    Q_OBJECT

  private slots:
    void labelsNeverOverlap()
    {
        const QFontMetricsF font{QFont()};
        int most = 0;
        for (const QRectF& view : {QRectF(0, 0, 730, 700), QRectF(0, 0, 1300, 900), QRectF(0, 0, 300, 200)})
            for (const Point& size : {Point{1, 1, 1}, Point{12.8, 12.8, 3.2}, Point{1000, 900, 7}, Point{3, 2, 40}})
                for (int azimuth = 0; azimuth < 360; azimuth += 15)
                    for (int elevation = -90; elevation <= 90; elevation += 15) {
                        const QRectF marker = axesMarkerPlace(view);
                        const ScaleLayout layout =
                            layOutScale(seenFrom(size, azimuth, elevation, view), view, marker, font);
                        for (std::size_t a = 0; a < layout.labels.size(); ++a) {
                            const QRectF place = layout.labels[a].place;
                            QVERIFY(view.contains(place) && !place.intersects(marker));
                            for (std::size_t b = 0; b < a; ++b)
                                QVERIFY2(!place.intersects(layout.labels[b].place),
                                         qPrintable(layout.labels[a].text + " on " + layout.labels[b].text));
                        }
                        most = std::max(most, int(layout.labels.size()));
                    }
        QVERIFY(most > 15);
    }

    void eachAxisHasItsScale()
    {
        const QRectF view(0, 0, 730, 700);
        const ScaleLayout layout =
            layOutScale(seenFrom({10, 10, 8}, 30, 30, view), view, axesMarkerPlace(view), QFontMetricsF{QFont()});
        QStringList texts;
        for (const ScaleLayout::Label& label : layout.labels)
            texts << label.text;
        for (const char* name : {"x (mm)", "y (mm)", "z (mm)"})
            QVERIFY2(texts.contains(name), qPrintable(texts.join(' ')));
        QVERIFY2(texts.count("0") >= 2, qPrintable(texts.join(' ')));
        QVERIFY(layout.ticks.size() >= 9);
    }

    // Along an axis the others keep their names, in narrow views, too, where a name goes to the end of its edge.
    void namesAreThereAlongAnAxis()
    {
        for (const double width : {420, 440, 480, 560, 730})
            for (const double azimuth : {0, 90}) {
                const QRectF view(0, 0, width, 700);
                const SeenBox box = seenFrom({10, 10, 8}, azimuth, 0, view);
                const ScaleLayout layout = layOutScale(box, view, axesMarkerPlace(view), QFontMetricsF{QFont()});
                QStringList texts;
                for (const ScaleLayout::Label& label : layout.labels)
                    texts << label.text;
                QVERIFY2(texts.contains(QStringLiteral("z (mm)")), qPrintable(texts.join(' ')));
            }
    }

    void axisAlongTheViewHasNoScale()
    {
        const QRectF view(0, 0, 730, 700);
        const ScaleLayout layout =
            layOutScale(seenFrom({10, 10, 8}, 0, 0, view), view, axesMarkerPlace(view), QFontMetricsF{QFont()});
        for (const ScaleLayout::Label& label : layout.labels)
            QVERIFY(!label.text.startsWith('y'));
        QVERIFY(layout.labels.size() >= 6);
    }

    void extentSurroundsTheObject()
    {
        engine::Volume volume(20, 30, 40);
        for (int z = 5; z <= 8; ++z)
            for (int y = 10; y <= 20; ++y)
                for (int x = 15; x <= 30; ++x)
                    volume.slice(z)[40 * y + x] = 1;
        QCOMPARE(objectExtent(volume, 0.5), (std::array{14, 31, 9, 21, 4, 9})); // with a voxel around it
        volume.slice(19)[40 * 29 + 39] = 1;                                     // noise
        QCOMPARE(objectExtent(volume, 0.5), (std::array{14, 31, 9, 21, 4, 9}));
        const std::array all = {0, 39, 0, 29, 0, 19};
        QCOMPARE(objectExtent(volume, 2), all);
        QCOMPARE(objectExtent(volume, -1), all);
        QCOMPARE(objectExtent(engine::Volume(1, 1, 1), 0.5), (std::array{0, 0, 0, 0, 0, 0}));
    }

    // Of a large stack, not every voxel is looked at.
    void extentOfALargeStack()
    {
        engine::Volume volume(200, 300, 300);
        for (int z = 50; z <= 150; ++z)
            for (int y = 60; y <= 200; ++y)
                std::fill_n(volume.slice(z).data() + 300 * y + 70, 101, 1.0F);
        const std::array<int, 6> extent = objectExtent(volume, 0.5), truth = {70, 170, 60, 200, 50, 150};
        for (int k = 0; k < 6; ++k)
            QVERIFY2(k % 2 == 0 ? extent[k] <= truth[k] && extent[k] > truth[k] - 8
                                : extent[k] >= truth[k] && extent[k] < truth[k] + 8,
                     qPrintable(QString("%1: %2").arg(k).arg(extent[k])));
    }
};

SINOSCOPE_TEST(ScaleLayoutTest, QApplication)
#include "scale_layout_test.moc"

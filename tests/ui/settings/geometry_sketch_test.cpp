// SPDX-License-Identifier: GPL-3.0-or-later
// The sketch beside the fields of the geometry: it follows the signs of the values and the emphasised number.
#include "tests/ui/fixtures.h"
#include "ui/settings/geometry_sketch.h"

#include <QDoubleSpinBox>
#include <QFocusEvent>
#include <QImage>
#include <QPushButton>
#include <QToolButton>

#include <vector>

using namespace fixtures;

namespace
{

ui::SketchedGeometry cone()
{
    return {.isCone = true, .axisPart = 0.6, .widthMm = 100, .heightMm = 80};
}

const engine::ConeNumber* numberNamed(const std::string& name)
{
    for (const engine::ConeField& field : engine::coneFields())
        for (const engine::ConeNumber& number : field.use.numbers)
            if (number.name == name)
                return &number;
    qFatal("no number %s", name.c_str());
    return nullptr;
}

QImage pictureOf(ui::GeometrySketch& sketch)
{
    return sketch.grab().toImage();
}

QImage pictureOf(const ui::SketchedGeometry& geometry, const char* emphasised)
{
    ui::GeometrySketch sketch;
    sketch.resize(300, sketch.sizeHint().height());
    sketch.show(geometry);
    sketch.emphasise(numberNamed(emphasised));
    return pictureOf(sketch);
}

// Returns the mean place of what is emphasised in a part of the picture, in pixels.
QPointF accentIn(const QImage& image, const QRect& part)
{
    const QColor accent = QApplication::palette().color(QPalette::Highlight);
    double count = 0;
    QPointF sum;
    for (int y = part.top(); y <= part.bottom(); ++y)
        for (int x = part.left(); x <= part.right(); ++x) {
            const QColor at = image.pixelColor(x, y);
            if (std::abs(at.red() - accent.red()) + std::abs(at.green() - accent.green()) +
                    std::abs(at.blue() - accent.blue()) <
                60) {
                sum += QPointF(x, y);
                ++count;
            }
        }
    return count > 0 ? sum / count : QPointF(-1, -1);
}

} // namespace

class GeometrySketchTest : public QObject
{
    Q_OBJECT

  private slots:
    void everyNumberIsEmphasisedInItsOwnWay()
    {
        ui::GeometrySketch sketch;
        sketch.resize(300, sketch.sizeHint().height());
        sketch.show(cone());
        std::vector<QImage> pictures{pictureOf(sketch)};
        QStringList descriptions{sketch.accessibleDescription()};
        for (const engine::ConeField& field : engine::coneFields())
            for (const engine::ConeNumber& number : field.use.numbers) {
                sketch.emphasise(&number);
                const QImage picture = pictureOf(sketch);
                QVERIFY2(std::ranges::find(pictures, picture) == pictures.end(), number.name);
                QVERIFY2(!descriptions.contains(sketch.accessibleDescription()), number.name);
                pictures.push_back(picture);
                descriptions << sketch.accessibleDescription();
            }
        sketch.emphasise(nullptr);
        QVERIFY(pictureOf(sketch) == pictures.front());
    }

    // A positive tilt leans the top of the axis towards the detector, a positive roll towards higher bins; positive
    // offsets move the detector to higher bins and rows.
    void signsAreDrawnInTheRightSense()
    {
        const auto withTilt = [](double rad) {
            ui::SketchedGeometry geometry = cone();
            geometry.tiltRad = rad;
            return pictureOf(geometry, "tilt");
        };
        const auto withRoll = [](double rad) {
            ui::SketchedGeometry geometry = cone();
            geometry.rollRad = rad;
            return pictureOf(geometry, "roll");
        };
        const QImage level = withTilt(0);
        const int split = level.width() * 6 / 10, top = level.height() / 4;
        const QRect sideTop(0, 0, split, top), frontTop(split, 0, level.width() - split, top);
        const double none = accentIn(level, sideTop).x(), noRoll = accentIn(withRoll(0), frontTop).x();
        QVERIFY(none > 0 && noRoll > 0);
        QVERIFY(accentIn(withTilt(0.01), sideTop).x() > none + 1);
        QVERIFY(accentIn(withTilt(-0.01), sideTop).x() < none - 1);
        QVERIFY(accentIn(withTilt(0.2), sideTop).x() > accentIn(withTilt(0.01), sideTop).x());
        QVERIFY(accentIn(withRoll(0.01), frontTop).x() > noRoll + 1);
        QVERIFY(accentIn(withRoll(-0.01), frontTop).x() < noRoll - 1);

        const auto withOffsets = [](double u, double v, const char* emphasised) {
            ui::SketchedGeometry geometry = cone();
            geometry.offsetUMm = u;
            geometry.offsetVMm = v;
            const QImage picture = pictureOf(geometry, emphasised);
            const int front = picture.width() * 6 / 10;
            return accentIn(picture, QRect(front, 0, picture.width() - front, picture.height()));
        };
        QVERIFY(withOffsets(10, 0, "offsetU").x() > withOffsets(-10, 0, "offsetU").x() + 2);
        QVERIFY(withOffsets(0, 10, "offsetV").y() > withOffsets(0, -10, "offsetV").y() + 2);
    }

    void beamsDiffer()
    {
        ui::GeometrySketch sketch;
        sketch.resize(300, sketch.sizeHint().height());
        const QImage parallel = pictureOf(sketch);
        const QString words = sketch.accessibleDescription();
        sketch.show(cone());
        const QImage withSource = pictureOf(sketch);
        QVERIFY(withSource != parallel && sketch.accessibleDescription() != words);
        ui::SketchedGeometry fan = cone();
        fan.hasRows = false;
        sketch.show(fan);
        QVERIFY(pictureOf(sketch) != withSource && sketch.accessibleDescription().contains(QStringLiteral("fan")));
        QVERIFY(!sketch.accessibleName().isEmpty());
    }

    void aFieldOfTheWindowIsEmphasised()
    {
        Window window(QSize(1280, 800));
        QVERIFY(window.opensSmall());
        child<QToolButton>(window, "geometryHeading")->click();
        auto* sketch = child<ui::GeometrySketch>(window, "geometrySketch");
        QVERIFY(sketch->isVisible());
        const QString parallel = sketch->accessibleDescription();
        child<QPushButton>(window, "becomeCone")->click();
        QVERIFY(sketch->accessibleDescription() != parallel);
        const auto send = [&](const char* field, QEvent::Type type) {
            auto* box = child<QDoubleSpinBox>(window, field);
            if (type == QEvent::FocusIn || type == QEvent::FocusOut) {
                QFocusEvent event(type);
                QApplication::sendEvent(box, &event);
            } else {
                QEvent event(type);
                QApplication::sendEvent(box, &event);
            }
            return sketch->accessibleDescription();
        };
        const QString tilt = send("tilt", QEvent::FocusIn);
        QVERIFY2(tilt.contains(QStringLiteral("leans towards the detector")), qPrintable(tilt));
        const QString roll = send("roll", QEvent::Enter); // the pointer is more recent than the focus
        QVERIFY2(roll.contains(QStringLiteral("turned about the central ray")), qPrintable(roll));
        QCOMPARE(send("roll", QEvent::Leave), tilt);
        child<QDoubleSpinBox>(window, "tilt")->setValue(-2);
        QVERIFY2(sketch->accessibleDescription().contains(QStringLiteral("towards the source")),
                 qPrintable(sketch->accessibleDescription()));
        QVERIFY(!send("tilt", QEvent::FocusOut).contains(QStringLiteral("Emphasised")));
    }
};

SINOSCOPE_TEST(GeometrySketchTest, QApplication)
#include "geometry_sketch_test.moc"

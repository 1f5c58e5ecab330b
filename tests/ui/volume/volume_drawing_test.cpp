// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a stack in the three-dimensional view, pixel by pixel.
#include "tests/ui/volume/pictures.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <QWheelEvent>

#include <array>

using namespace fixtures;

namespace
{

// Returns every second pixel and slice of a stack, as the window computes it.
std::shared_ptr<engine::Reconstruction> everySecond(const engine::Reconstruction& stack)
{
    auto coarse = std::make_shared<engine::Reconstruction>(stack);
    const engine::Volume& fine = stack.image;
    coarse->image = engine::Volume(fine.slices / 2, fine.height / 2, fine.width / 2);
    coarse->grid.step = 2;
    auto value = coarse->image.values.begin();
    for (int slice = 0; slice + 1 < fine.slices; slice += 2)
        for (int row = 0; row + 1 < fine.height; row += 2)
            for (int column = 0; column + 1 < fine.width; column += 2)
                *value++ = fine.slice(slice)[static_cast<std::size_t>(row) * fine.width + column];
    return coarse;
}

} // namespace

class VolumeDrawingTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        if (!hasOpenGl())
            QSKIP("no OpenGL here");
    }
    void init() { m_noWarnings.emplace(); }
    void cleanup() { m_noWarnings.reset(); }

    void ballFillsTheView()
    {
        ShownVolume panel({800, 500}, ball(48, 48, 0.01));
        const Cover covered = cover(panel);
        QVERIFY(covered.middle);
        const double height = double(covered.around.height()) / picture(panel).height();
        QVERIFY2(height > 0.5 && height < 0.9, qPrintable(QString::number(height)));
        QVERIFY2(covered.part > 0.15 && covered.part < 0.7, qPrintable(QString::number(covered.part)));
    }

    // A volume that is drawn with few rays leaves no gap beside slices: the background doesn't shine through an object.
    void fewRaysLeaveNoGaps()
    {
        ShownVolume panel({800, 500}, hollowBall(), 1e-3);
        for (int i = 0; i < 4; ++i) // VTK chooses the number of rays by the time of the picture before
            QTest::keyClick(viewOf(panel), i % 2 ? Qt::Key_Left : Qt::Key_Right), picture(panel);
        const QImage with = picture(panel);
        for (QCheckBox* const box : switches(panel))
            box->setChecked(false);
        const QImage without = picture(panel);
        const auto isLine = [&](int x, int y) { return qGreen(without.pixel(x, y)) < 170; }; // of the box, behind it
        int gaps = 0, covered = 0;
        for (int y = 0; y < with.height(); ++y) {
            QList<int> columns;
            for (int x = 0; x < with.width(); ++x)
                if (differs(with.pixel(x, y), without.pixel(x, y)))
                    columns.append(x);
            covered += static_cast<int>(columns.size());
            for (int x = columns.value(0); x < columns.value(columns.size() - 1); ++x)
                gaps += !columns.contains(x) && !isLine(x, y);
        }
        QVERIFY2(covered > 20000, qPrintable(QString::number(covered)));
        QVERIFY2(gaps == 0, qPrintable(QString::number(gaps)));
    }

    // A small object in a large stack fills the view as a large one does.
    void smallObjectFillsTheView()
    {
        auto small = ball(96, 32);
        small->image = engine::Volume(96, 96, 96);
        const auto part = ball(32, 32);
        for (int z = 0; z < 32; ++z)
            for (int y = 0; y < 32; ++y)
                std::copy_n(part->image.slice(z).data() + 32 * y, 32, small->image.slice(z + 40).data() + 96 * (y + 8));
        ShownVolume panel({800, 500}, small);
        const Cover covered = cover(panel);
        QVERIFY2(covered.part > 0.1, qPrintable(QString::number(covered.part)));
        const QPoint off = covered.around.center() - picture(panel).rect().center();
        QVERIFY2(off.manhattanLength() < 60, qPrintable(QString::number(off.manhattanLength())));
    }

    void viewsAlongTheAxes_data()
    {
        QTest::addColumn<Qt::Key>("key");
        QTest::addColumn<double>("shape"); // width over height of the block
        QTest::newRow("x") << Qt::Key_X << 24.0 / 36;
        QTest::newRow("y") << Qt::Key_Y << 12.0 / 36;
        QTest::newRow("z") << Qt::Key_Z << 12.0 / 24;
    }

    void viewsAlongTheAxes()
    {
        QFETCH(Qt::Key, key);
        QFETCH(double, shape);
        ShownVolume panel({800, 500}, block());
        for (const Qt::KeyboardModifiers side : {Qt::KeyboardModifiers(), Qt::KeyboardModifiers(Qt::ShiftModifier)}) {
            QTest::keyClick(viewOf(panel), key, side);
            const QRect around = cover(panel).around;
            const double seen = double(around.width()) / around.height();
            QVERIFY2(std::abs(seen - shape) < 0.1 * shape, qPrintable(QString::number(seen)));
        }
    }

    void buttonsLookAlongTheAxes()
    {
        ShownVolume panel({800, 500}, block());
        QImage pictures[3];
        for (int k = 0; k < 3; ++k) {
            QTest::keyClick(viewOf(panel), Qt::Key_R); // also: Shift isn't held any more
            panel.findChildren<QToolButton*>("lookAlong")[k]->click();
            pictures[k] = picture(panel);
            QTest::keyClick(viewOf(panel), Qt::Key_R);
            QTest::keyClick(viewOf(panel), std::array{Qt::Key_X, Qt::Key_Y, Qt::Key_Z}[k]);
            const QImage again = picture(panel);
            const double off = meanDifference(again, pictures[k]);
            QVERIFY2(off < 0.5, qPrintable(QString::number(off)));
        }
        QVERIFY(pictures[0] != pictures[1] && pictures[1] != pictures[2] && pictures[0] != pictures[2]);
    }

    void keysTurnMoveAndZoom()
    {
        ShownVolume panel({800, 500}, block());
        QWidget* const view = viewOf(panel);
        const QImage first = picture(panel);
        const Qt::Key pairs[][2] = {{Qt::Key_Left, Qt::Key_Right}, {Qt::Key_Up, Qt::Key_Down}};
        for (const auto& [there, back] : pairs)
            for (const Qt::KeyboardModifiers with :
                 {Qt::KeyboardModifiers(), Qt::KeyboardModifiers(Qt::ShiftModifier)}) {
                QTest::keyClick(view, there, with);
                QVERIFY(meanDifference(first, picture(panel)) > 1);
                QTest::keyClick(view, back, with);
                const double left = meanDifference(first, picture(panel));
                QVERIFY2(left < 0.5, qPrintable(QString::number(left)));
            }
        const double whole = cover(panel).part;
        for (int k = 0; k < 4; ++k)
            QTest::keyClick(view, Qt::Key_Minus);
        QVERIFY(cover(panel).part < 0.6 * whole);
        QTest::keyClick(view, Qt::Key_F);
        QVERIFY(std::abs(cover(panel).part - whole) < 0.02 * whole);
        QTest::keyClick(view, Qt::Key_Plus);
        QVERIFY(cover(panel).part > 1.1 * whole);
        QTest::keyClick(view, Qt::Key_Right);
        QTest::keyClick(view, Qt::Key_R);
        QVERIFY(meanDifference(first, picture(panel)) < 0.5);
    }

    // A view that was only fitted fits again after a resize; a zoomed one keeps its zoom.
    void resizeFitsAgain()
    {
        ShownVolume panel({900, 600}, ball(48, 48));
        const double wide = cover(panel).around.height();
        panel.resize(500, 600);
        QVERIFY(picture(panel).rect().adjusted(20, 20, -20, -20).contains(cover(panel).around));
        panel.resize(900, 600);
        QVERIFY(std::abs(cover(panel).around.height() - wide) < 0.03 * wide);
    }

    // Slices are transparent where the volume is: without the volume, less is covered than with their background.
    void slicesDontHideTheObject()
    {
        ShownVolume panel({800, 500}, ball(48, 48));
        switches(panel)[0]->setChecked(false);
        const double object = cover(panel).part;
        switches(panel)[3]->setChecked(true);
        QTest::keyClick(viewOf(panel), Qt::Key_F);
        const QImage whole = picture(panel);
        switches(panel)[1]->setChecked(false);
        const QImage without = picture(panel);
        long covered = 0;
        for (int y = 0; y < whole.height(); ++y)
            for (int x = 0; x < whole.width(); ++x)
                covered += differs(whole.pixel(x, y), without.pixel(x, y));
        const double withBackground = double(covered) / (double(whole.width()) * whole.height());
        QVERIFY2(object > 0.05, qPrintable(QString::number(object)));
        QVERIFY2(withBackground > 1.3 * object, qPrintable(QString("%1 and %2").arg(withBackground).arg(object)));
    }

    void volumeAloneIsDrawn()
    {
        ShownVolume panel({800, 500}, ball(48, 48));
        switches(panel)[1]->setChecked(false);
        const Cover covered = cover(panel);
        QVERIFY(covered.middle);
        QVERIFY2(covered.part > 0.02 && covered.part < 0.5, qPrintable(QString::number(covered.part)));
        switches(panel)[0]->setChecked(false);
        QVERIFY(!cover(panel).middle);
    }

    void opacityCurveIsDrawn()
    {
        ShownVolume panel({800, 500}, ball(48, 48));
        switches(panel)[1]->setChecked(false);
        ui::TransferEditor* const curve = editor(panel);
        const double before = cover(panel).part;
        QVERIFY(before > 0.02);
        curve->setFocus();
        for (std::size_t k = 0; k < 3; ++k) { // each point to an opacity of 0
            const ui::OpacityPoint point = curve->curve()[k];
            dragInEditor(curve, point, {point.value, 0});
        }
        QCOMPARE(panel.findChild<QComboBox*>("opacityPreset")->currentText(), QString("Own curve"));
        QVERIFY(cover(panel).part < before / 10);
        panel.findChild<QComboBox*>("opacityPreset")->setCurrentIndex(0);
        QVERIFY(std::abs(cover(panel).part - before) < 0.02 * before);
        QTest::keyClick(curve, Qt::Key_End);
        QTest::keyClick(curve, Qt::Key_End);
        const QImage opaque = picture(panel);
        for (int k = 0; k < 15; ++k)
            QTest::keyClick(curve, Qt::Key_Down);
        QVERIFY(meanDifference(opaque, picture(panel)) > 0.5);
    }

    void fieldsMoveTheChosenPoint()
    {
        ShownVolume panel({800, 500}, ball(48, 48));
        QTest::keyClick(editor(panel), Qt::Key_End);
        const ui::OpacityPoint before = editor(panel)->curve()[1];
        auto* const value = panel.findChild<QDoubleSpinBox*>("pointValue");
        QVERIFY(std::abs(value->value() - before.value) < 1e-9);
        value->setValue(before.value + 0.02);
        QVERIFY(std::abs(editor(panel)->curve()[1].value - before.value - 0.02) < 1e-9);
        QCOMPARE(editor(panel)->curve()[1].opacity, before.opacity); // not rounded
        panel.findChild<QSpinBox*>("pointOpacity")->setValue(80);
        QCOMPARE(editor(panel)->curve()[1].opacity, 0.8);
    }

    // During a drag pictures may be coarse.
    void dragEndsWithTheFullPicture()
    {
        ShownVolume panel({800, 500}, ball(96, 96));
        const QSize size = picture(panel).size();
        const ui::OpacityPoint point = editor(panel)->curve()[1];
        dragInEditor(editor(panel), point, {point.value, 0.9});
        QVERIFY(editor(panel)->curve()[1].opacity > 0.8);
        const QImage full = panel.picture(size).convertToFormat(QImage::Format_RGB32);
        const double off = meanDifference(picture(panel), full);
        QVERIFY2(off < 0.5, qPrintable(QString::number(off)));
    }

    void presetsDiffer()
    {
        auto stack = ball(48, 48); // with a dense core
        for (int z = 0; z < 48; ++z)
            for (int y = 0; y < 48; ++y)
                for (int x = 0; x < 48; ++x)
                    if (std::hypot(x - 23.5, y - 23.5, z - 23.5) < 8)
                        stack->image.slice(z)[48 * y + x] = 3;
        ShownVolume panel({800, 500}, stack);
        switches(panel)[1]->setChecked(false);
        auto* const presets = panel.findChild<QComboBox*>("opacityPreset");
        std::vector<QImage> pictures;
        for (int k = 0; k < 5; ++k) {
            presets->setCurrentIndex(k);
            pictures.push_back(picture(panel));
            for (int j = 0; j < k; ++j)
                QVERIFY2(meanDifference(pictures[j], pictures[k]) > 0.3, qPrintable(presets->itemText(k)));
        }
        presets->setCurrentIndex(0);
        const double object = cover(panel).part;
        presets->setCurrentIndex(2); // dense parts: the core, a quarter of the area
        const double dense = cover(panel).part;
        QVERIFY2(dense > 0.1 * object && dense < 0.4 * object, qPrintable(QString::number(dense / object)));
    }

    // The surface of a cone of values moves inwards as its value rises.
    void isosurfaceFollowsItsValue()
    {
        auto stack = ball(48, 48);
        for (int z = 0; z < 48; ++z)
            for (int y = 0; y < 48; ++y)
                for (int x = 0; x < 48; ++x)
                    stack->image.slice(z)[48 * y + x] =
                        float(std::max(0.0, 1 - std::hypot(x - 23.5, y - 23.5, z - 23.5) / 20));
        ShownVolume panel({800, 500}, stack);
        switches(panel)[1]->setChecked(false);
        panel.findChild<QComboBox*>("volumeKind3d")->setCurrentIndex(1);
        QVERIFY(!slider(panel, "Opacity")->isEnabled());
        ui::TransferEditor* const surface = editor(panel);
        QVERIFY(surface->isosurface());
        const auto radius = [&](double value) {
            dragInEditor(surface, {*surface->isosurface(), 0.5}, {value, 0.5});
            return cover(panel).around.width() / 2.0;
        };
        const double outer = radius(0.25), inner = radius(0.625); // distances 15 and 7.5
        QVERIFY2(std::abs(outer / inner - 2) < 0.25, qPrintable(QString::number(outer / inner)));
        QTest::keyClick(surface, Qt::Key_Left);
        QVERIFY(*surface->isosurface() < 0.625);
        panel.findChild<QDoubleSpinBox*>("pointValue")->setValue(0.25);
        QVERIFY(std::abs(cover(panel).around.width() / 2.0 - outer) < 0.05 * outer);
    }

    void resizeFillsTheView()
    {
        ShownVolume panel({500, 300}, ball(32, 32));
        for (const QSize size : {QSize(900, 700), QSize(460, 380), QSize(800, 300)}) {
            panel.resize(size);
            QWidget* const view = viewOf(panel);
            QTRY_COMPARE(panel.size(), size);
            QCOMPARE(picture(panel).size(), view->size() * view->devicePixelRatio());
            QVERIFY(cover(panel).middle);
        }
    }

    void secondVolumeReplacesTheFirst()
    {
        ShownVolume panel({800, 500}, ball(40, 40));
        const QImage first = picture(panel);
        panel.setVolume(ball(20, 56));
        QVERIFY(meanDifference(first, picture(panel)) > 5);
        QCOMPARE(slider(panel, "Slice")->maximum(), 19);
        QCOMPARE(slider(panel, "Column")->maximum(), 55);
        panel.clear();
        QVERIFY(panel.findChild<QLabel*>("message")->isVisible());
        panel.setVolume(ball(40, 40));
        QVERIFY(meanDifference(first, picture(panel)) < 1.5);
    }

    // After another reconstruction the camera keeps its position, whatever the resolution of the stack.
    void cameraStaysWhileTheScanDoes()
    {
        const auto stack = ball(32, 32, 0.01);
        ShownVolume panel({800, 500}, stack);
        QWidget* const view = viewOf(panel);
        auto* const presets = panel.findChild<QComboBox*>("opacityPreset");
        const QImage before = picture(panel);
        const QPoint middle = view->rect().center();
        drag(view, middle, middle + QPoint(60, 25));
        const QImage turned = picture(panel);
        QVERIFY(meanDifference(turned, before) > 3);
        slider(panel, "Opacity")->setValue(800);
        slider(panel, "Slice")->setValue(8);
        presets->setCurrentIndex(2);
        panel.setVolume(std::make_shared<engine::Reconstruction>(*stack));
        QCOMPARE(slider(panel, "Opacity")->value(), 800);
        QCOMPARE(slider(panel, "Slice")->value(), 8);
        QCOMPARE(presets->currentIndex(), 2);
        panel.setVolume(everySecond(*stack));
        QCOMPARE(slider(panel, "Slice")->value(), 4);
        QCOMPARE(presets->currentIndex(), 2);
        panel.setVolume(stack);
        QCOMPARE(slider(panel, "Slice")->value(), 8);
        slider(panel, "Slice")->setValue(16);
        presets->setCurrentIndex(0);
        slider(panel, "Opacity")->setValue(500);
        QVERIFY(meanDifference(turned, picture(panel)) < 1.5);
        panel.setVolume(ball(32, 32, 0.01)); // of another scan
        QVERIFY(meanDifference(before, picture(panel)) < 1.5);
    }

    void nearnessStaysAtAnotherResolution()
    {
        const auto stack = ball(32, 32);
        ShownVolume panel({800, 500}, stack);
        const double whole = cover(panel).part;
        QWidget* const view = viewOf(panel);
        const QPointF middle = view->rect().center();
        for (int k = 0; k < 6; ++k) {
            QWheelEvent farther(middle, view->mapToGlobal(middle), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                                Qt::NoScrollPhase, false);
            QApplication::sendEvent(view, &farther);
        }
        const double far = cover(panel).part;
        QVERIFY2(far > 0 && far < 0.7 * whole, qPrintable(QString("%1 of %2").arg(far).arg(whole)));
        panel.setVolume(everySecond(*stack));
        const double coarse = cover(panel).part;
        QVERIFY2(std::abs(coarse - far) < 0.25 * far, qPrintable(QString("%1 after %2").arg(coarse).arg(far)));
    }

    void thinStacksShowPlanesAndSayWhy()
    {
        ui::VolumePanel panel;
        panel.resize(800, 500);
        panel.show();
        for (const int slices : {1, 2}) {
            panel.setVolume(ball(slices, 64));
            QVERIFY(isExposed(&panel));
            QVERIFY(cover(panel).middle);
            auto* const note = panel.findChild<QLabel*>("note");
            QVERIFY(note->isVisible() && !note->text().isEmpty());
            QVERIFY(!slider(panel, "Opacity")->isEnabled());
        }
        panel.setVolume(ball(16, 16));
        QVERIFY(!panel.findChild<QLabel*>("note")->isVisible());
        QVERIFY(slider(panel, "Opacity")->isEnabled());
    }

    void controlDragMovesTheSlice()
    {
        ShownVolume panel({800, 500}, ball(64, 64));
        QWidget* const view = viewOf(panel);
        QVERIFY(!picture(panel).isNull());
        const auto positions = [&panel] {
            return std::array{slider(panel, "Column")->value(), slider(panel, "Row")->value(),
                              slider(panel, "Slice")->value()};
        };
        const auto before = positions();
        const QPoint middle = view->rect().center();
        drag(view, middle, middle + QPoint(40, -40), Qt::ControlModifier);
        const auto after = positions();
        int moved = 0;
        for (int k = 0; k < 3; ++k)
            moved += before[k] != after[k];
        QCOMPARE(moved, 1);
    }

  private:
    std::optional<NoWarnings> m_noWarnings;
};

SINOSCOPE_TEST(VolumeDrawingTest, QApplication)
#include "volume_drawing_test.moc"

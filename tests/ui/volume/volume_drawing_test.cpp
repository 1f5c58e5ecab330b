// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a stack in the three-dimensional view, pixel by pixel.
#include "tests/ui/volume/pictures.h"

#include <QLabel>
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

    void ballIsInTheMiddle()
    {
        ShownVolume panel({800, 500}, ball(48, 48, 0.01));
        const Cover covered = cover(panel);
        QVERIFY(covered.middle);
        QVERIFY2(covered.part > 0.05 && covered.part < 0.7, qPrintable(QString::number(covered.part)));
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

    void thresholdAboveEverythingClearsTheVolume()
    {
        ShownVolume panel({800, 500}, ball(48, 48));
        switches(panel)[1]->setChecked(false);
        QSlider* const threshold = slider(panel, "Threshold");
        QVERIFY(threshold);
        threshold->setValue(threshold->maximum() / 2);
        const double before = cover(panel).part;
        threshold->setValue(threshold->maximum());
        const double after = cover(panel).part;
        QVERIFY2(after < before / 10, qPrintable(QString("%1 → %2").arg(before).arg(after)));
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
        const int threshold = slider(panel, "Threshold")->value();
        const QImage before = picture(panel);
        const QPoint middle = view->rect().center();
        drag(view, middle, middle + QPoint(60, 25));
        const QImage turned = picture(panel);
        QVERIFY(meanDifference(turned, before) > 3);
        slider(panel, "Opacity")->setValue(800);
        slider(panel, "Slice")->setValue(8);
        slider(panel, "Threshold")->setValue(700);
        panel.setVolume(std::make_shared<engine::Reconstruction>(*stack));
        QCOMPARE(slider(panel, "Opacity")->value(), 800);
        QCOMPARE(slider(panel, "Slice")->value(), 8);
        QCOMPARE(slider(panel, "Threshold")->value(), 700);
        panel.setVolume(everySecond(*stack));
        QCOMPARE(slider(panel, "Slice")->value(), 4);
        QCOMPARE(slider(panel, "Threshold")->value(), 700);
        panel.setVolume(stack);
        QCOMPARE(slider(panel, "Slice")->value(), 8);
        slider(panel, "Slice")->setValue(16);
        slider(panel, "Threshold")->setValue(threshold);
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

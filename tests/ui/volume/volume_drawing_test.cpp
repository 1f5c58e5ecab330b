// What the view in three dimensions shows of a stack, pixel by pixel.
#include "tests/ui/volume/pictures.h"

#include <QLabel>

#include <array>

using namespace fixtures;

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

    void cameraStaysForTheSameSize()
    {
        ShownVolume panel({800, 500}, ball(32, 32));
        QWidget* const view = viewOf(panel);
        const QImage before = picture(panel);
        const QPoint middle = view->rect().center();
        drag(view, middle, middle + QPoint(60, 25));
        const QImage turned = picture(panel);
        QVERIFY(meanDifference(turned, before) > 3);
        slider(panel, "Opacity")->setValue(800);
        panel.setVolume(ball(32, 32));
        QCOMPARE(slider(panel, "Opacity")->value(), 800);
        slider(panel, "Opacity")->setValue(500);
        QVERIFY(meanDifference(turned, picture(panel)) < 1.5);
    }

    void thinStacksShowPlanesAndSayWhy()
    {
        ui::VolumePanel panel;
        panel.resize(800, 500);
        panel.show();
        for (const int slices : {1, 2}) {
            panel.setVolume(ball(slices, 64));
            QVERIFY(QTest::qWaitForWindowExposed(&panel));
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

// SPDX-License-Identifier: GPL-3.0-or-later
// The values under the pointer: completely visible in a window of laptop size, or in the tooltip.
#include "tests/ui/fixtures.h"
#include "ui/image/image_panel.h"
#include "ui/image/image_view.h"
#include "ui/window/slice_bar.h"

#include <QLabel>
#include <QSignalSpy>

using namespace ui;
using namespace fixtures;

class SliceBarTest : public QObject
{
    Q_OBJECT

  private slots:
    void valuesAreReadToTheirEnd()
    {
        Window window({1280, 800});
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, 128, 60, 16)));
        QVERIFY(comes([&] { return window.shown().a().reference != nullptr; }));
        QSignalSpy moved(&window.images(), &ImagePanel::pointerMoved);
        auto* view = child<ImageView>(window, "imageA");
        // Repeats if another program has moved the display's pointer meanwhile; moves from another place first, as
        // moving to the present place is not reported.
        QVERIFY(comes([&] {
            QTest::mouseMove(view->viewport(), view->toViewport({60, 40}).toPoint());
            QTest::mouseMove(view->viewport(), view->toViewport({101, 79}).toPoint());
            return moved.count() > 0 && !moved.last().first().toString().isEmpty();
        }));
        const QString text = moved.last().first().toString();
        const auto* label = child<QLabel>(window, "pointerValues");
        QCOMPARE(label->text(), text);
        QVERIFY2(QFontMetrics(label->font()).horizontalAdvance(text) <= label->width(), qPrintable(text));
        QVERIFY(text.endsWith("1/pixel"));
    }

    void tooLong()
    {
        SliceBar bar;
        bar.resize(600, 30);
        bar.show();
        const auto* label = child<QLabel>(bar, "pointerValues");
        const QFont usual = label->font();
        const QString text(200, QLatin1Char('x'));
        bar.showPointer(text);
        QVERIFY(label->text().endsWith(QChar(0x2026)));
        QCOMPARE(label->toolTip(), text);
        bar.showPointer(QStringLiteral("x 1"));
        QCOMPARE(label->text(), QStringLiteral("x 1"));
        QCOMPARE(label->font(), usual);
        QVERIFY(label->toolTip().isEmpty());
    }
};

SINOSCOPE_TEST(SliceBarTest, QApplication)
#include "slice_bar_test.moc"

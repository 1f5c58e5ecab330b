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
        QVERIFY(label->isVisible());
        QCOMPARE(label->text().count('\n'), text.count(QStringLiteral(" · ")) - 1); // x and y share a line
        QVERIFY(label->width() >= label->sizeHint().width() && label->height() >= label->sizeHint().height());
        QVERIFY(text.endsWith("1/pixel"));
        // Away from the pointer, and within the images.
        QVERIFY(!label->geometry().contains(label->parentWidget()->mapFromGlobal(QCursor::pos())));
        QVERIFY(label->parentWidget()->rect().contains(label->geometry()));
    }
};

SINOSCOPE_TEST(SliceBarTest, QApplication)
#include "slice_bar_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of planes in the window.
#include "engine/reconstruct/reconstruct.h"
#include "tests/ui/fixtures.h"
#include "ui/image/image_view.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/plane_colours.h"

#include <cmath>

using namespace fixtures;

class PlaneColoursTest : public QObject
{
    Q_OBJECT

  private slots:
    // A plane that leaves the volume has no values there, and shows what is around the image.
    void gapsLookLikeTheSurround()
    {
        const auto scan = smallScan(20, 30, 8);
        engine::Request request = requestFor(scan);
        request.place.part = engine::PlanePart{
            engine::planeFromText("centre=9.5,9.5,3.5;u=1,0,0;v=0,1,1;width=20;height=28", engine::volumeOf(*scan))};
        const ui::Image image = std::make_shared<engine::Reconstruction>(engine::Reconstructor().run(request));
        QVERIFY(std::isnan(image->image.values.front()));
        ui::PlaneCell x(QStringLiteral("x"), {}), y(QStringLiteral("y"), {}), z(QStringLiteral("z"), {});
        const ui::PlaneColours::Cells cells{&x, &y, &z};
        for (ui::PlaneCell* cell : cells)
            cell->showImage(image);
        ui::PlaneColours colours;
        colours.follow(cells, false);
        for (const QColor& window : {QColor(Qt::white), QColor(40, 40, 40)}) { // light and dark
            QPalette palette;
            palette.setColor(QPalette::Window, window);
            colours.show(cells, palette);
            const QImage shown = z.rendered();
            QCOMPARE(shown.pixelColor(0, 0).rgb(), ui::ImageView::surroundOf(palette).rgb());
            QVERIFY(shown.pixelColor(10, 14).rgb() != shown.pixelColor(0, 0).rgb());
        }
    }
};

SINOSCOPE_TEST(PlaneColoursTest, QApplication)
#include "plane_colours_test.moc"

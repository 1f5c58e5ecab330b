// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths of planes in the window where the pixels of a slice are half as large as the distance of slices.
#include "engine/reconstruct/reconstruct.h"
#include "tests/ui/fixtures.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/plane_fields.h"
#include "ui/profile/profile_curves.h"

#include <QLabel>

#include <cmath>

using namespace fixtures;

namespace
{

constexpr double halfPixelMm = 0.5, rowMm = 1;

// Returns the image of a plane of a scan of 20 slices of 40 × 40 pixels.
ui::Image flatPlane(const char* text)
{
    auto scan = std::make_shared<engine::Scan>(*smallScan(20, 30, 20));
    auto& beam = std::get<engine::ParallelBeam>(scan->geometry);
    beam.pixelSizeMm = rowMm;
    beam.pixelBins = 0.5;
    engine::Request request = requestFor(scan);
    request.place.part = engine::PlanePart{engine::planeFromText(text, engine::volumeOf(*scan))};
    return std::make_shared<engine::Reconstruction>(engine::Reconstructor().run(request));
}

} // namespace

class PlaneLengthsTest : public QObject
{
    Q_OBJECT

  private slots:
    void positionsAreInMm()
    {
        ui::PlaneFields fields;
        const engine::VolumeSize volume{40, 20};
        ui::LinkedPlanes planes = ui::LinkedPlanes::inMiddleOf(volume);
        planes.moveTo({30, 10, 4});
        fields.showPlanes(planes, {.pixel = halfPixelMm, .slice = rowMm, .isInMm = true});
        QStringList texts;
        for (const char* name : {"planeMmx", "planeMmy", "planeMmz"})
            texts << fields.findChild<QLabel*>(QLatin1String(name))->text();
        QCOMPARE(texts, QStringList({"5.250 mm", "4.750 mm", "5.500 mm"}));
        fields.showPlanes(planes, {});
        QVERIFY(fields.findChild<QLabel*>(QStringLiteral("planeMmz"))->text().isEmpty());
    }

    // Along rows, along columns, and between.
    void scaleBarsAndProfiles()
    {
        for (const auto& [text, across, down] : {std::tuple("x=20", halfPixelMm, rowMm),
                                                 {"z=9.3", halfPixelMm, halfPixelMm},
                                                 {"centre=20,20,10;u=0,0,1;v=1,0,0", rowMm, halfPixelMm}}) {
            const ui::Image image = flatPlane(text);
            ui::PlaneCell cell(QStringLiteral("cell"), QStringLiteral("plane"));
            cell.showImage(image);
            QCOMPARE(cell.figureImage(false).pixelSizeMm.value_or(0), across);
            ui::Comparison comparison;
            ui::Compared one;
            one.result = image;
            comparison.compared.push_back(one);
            for (const auto& [line, length] : {std::pair(engine::Line{2, 5, 12, 5}, 10 * across),
                                               {engine::Line{2, 5, 2, 15}, 10 * down},
                                               {engine::Line{2, 5, 5, 9}, std::hypot(3 * across, 4 * down)}}) {
                const ui::ProfileCurves curves = ui::profileCurves(comparison, {.shape = line});
                QVERIFY2(std::abs(curves.length - length) < 1e-9, text);
                QVERIFY(!curves.curves.empty());
                QVERIFY2(std::abs(curves.curves.front().position.back() - length) < 1e-9, text);
                QCOMPARE(curves.positionUnit, QStringLiteral("mm"));
            }
        }
    }
};

SINOSCOPE_TEST(PlaneLengthsTest, QApplication)
#include "plane_lengths_test.moc"

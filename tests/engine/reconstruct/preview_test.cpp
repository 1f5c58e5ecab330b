// SPDX-License-Identifier: GPL-3.0-or-later
// Regions and previews compared with the whole image.
#include "engine/reconstruct/reconstruct.h"
#include "engine/request/section.h"
#include "tests/fixtures.h"

#include <cmath>

using namespace engine;
using namespace fixtures;

class PreviewTest : public QObject
{
    Q_OBJECT

  private slots:
    void regionAndPreviewAgreeWithTheWhole()
    {
        const auto scan = smallScan(64, 90);
        Reconstructor reconstructor;
        Request request = requestFor(scan);
        const Reconstruction whole = reconstructor.run(request);
        request.place.setRegion(Region{10, 20, 30, 17});
        const Reconstruction part = reconstructor.run(request);
        QCOMPARE(part.image.width, 30);
        QCOMPARE(part.image.height, 17);
        double worst = 0, largest = 0;
        for (int row = 0; row < 17; ++row)
            for (int column = 0; column < 30; ++column) {
                const double expected = whole.image.values[(row + 20) * 64 + column + 10];
                worst = std::max(worst, std::abs(part.image.values[row * 30 + column] - expected));
                largest = std::max(largest, std::abs(expected));
            }
        QVERIFY(worst <= 2e-6 * largest);

        request.place.setRegion({});
        request.setting.kernel.method = "exact";
        const Reconstruction truth = reconstructor.run(request);
        request.place.previewStep = 3; // its pixels are the centres of 3×3 pixels of the whole image
        const Reconstruction coarse = reconstructor.run(request);
        QCOMPARE(coarse.image.width, 22);
        double difference = 0;
        for (int row = 0; row < 21; ++row)
            for (int column = 0; column < 21; ++column)
                difference =
                    std::max(difference, double(std::abs(coarse.image.values[row * 22 + column] -
                                                         truth.image.values[(3 * row + 1) * 64 + 3 * column + 1])));
        QVERIFY(difference <= 2e-6 * largest);
    }

    void previewIsTheMeanOfWhatItStandsFor_data()
    {
        QTest::addColumn<int>("step");
        QTest::addColumn<bool>("region");
        QTest::addColumn<double>("axisOffset");
        for (const int step : {2, 3, 4})
            for (const bool region : {false, true})
                for (const double axisOffset : {0.0, 5.3})
                    QTest::addRow("%d %d %.1f", step, region, axisOffset) << step << region << axisOffset;
    }

    // The processor's preview uses coarse bins: it is close to the means of step × step pixels of the whole slice,
    // and farther from the neighbouring means.
    void previewIsTheMeanOfWhatItStandsFor()
    {
        QFETCH(int, step);
        QFETCH(bool, region);
        QFETCH(double, axisOffset);
        Simulation simulation;
        simulation.size = 250;
        simulation.projections = 300;
        simulation.axisOffsetBins = axisOffset;
        Request request = requestFor(simulate(simulation));
        if (region)
            request.place.setRegion(Region{61, 33, 120, 150});
        Reconstructor reconstructor;
        const Reconstruction whole = reconstructor.run(request);
        request.place.previewStep = step;
        const Reconstruction coarse = reconstructor.run(request);
        QVERIFY(coarse.timings.filter.reused);
        QVERIFY(coarse.grid == sectionOf(request).grid);
        const auto distance = [&](int right, int down) { // from means that are displaced by these pixels
            double sum = 0;
            int count = 0;
            for (int row = 1; row + 1 < whole.image.height / step; ++row)
                for (int column = 1; column + 1 < whole.image.width / step; ++column, ++count) {
                    double mean = 0;
                    for (int k = 0; k < step * step; ++k)
                        mean += whole.image.values[(row * step + down + k / step) * whole.image.width + column * step +
                                                   right + k % step];
                    const double error = coarse.image.values[row * coarse.image.width + column] - mean / (step * step);
                    sum += error * error;
                }
            return std::sqrt(sum / count);
        };
        const double here = distance(0, 0);
        const int half = (step + 1) / 2; // of a coarse pixel
        for (const double beside : {distance(half, 0), distance(-half, 0), distance(0, half), distance(0, -half)})
            QVERIFY2(here < 0.7 * beside, qPrintable(QString("%1 here, %2 beside").arg(here).arg(beside)));
    }

    // While the axis is dragged, each position gives a coarse image of a sixteenth of the pixels, without reading or
    // filtering anything; tests/bench/results/cpu-preview.json.
    void previewComesFirst()
    {
        const CountedScan counted(smallScan(256, 200));
        Reconstructor reconstructor;
        Request request = requestFor(counted.scan);
        const auto run = [&](int step) {
            request.place.previewStep = step;
            return reconstructor.run(request);
        };
        run(4);
        run(1);
        const std::size_t reads = counted.reads->size();
        request.setting.axis = {AxisSettings::Mode::given, 125};
        const Reconstruction coarse = run(4), whole = run(1);
        QVERIFY(coarse.timings.filter.reused && whole.timings.filter.reused);
        QCOMPARE(counted.reads->size(), reads);
        QCOMPARE(16 * coarse.image.values.size(), whole.image.values.size());
        QCOMPARE(coarse.axisBins, 125.0);
    }
};

SINOSCOPE_TEST(PreviewTest, QCoreApplication)
#include "preview_test.moc"

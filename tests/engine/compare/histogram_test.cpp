// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms computed by hand: bin edges, both ends, and the values that are left out and reported.
#include "engine/compare/histogram.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

class HistogramTest : public QObject
{
    Q_OBJECT
  private slots:
    void binsByHand()
    {
        const std::vector<float> image = {0, 0.5F, 1, 1.5F, 2, 2.5F, 3, 4, -1, 9};
        const Histogram made = histogramOf(image, 5, 2, {}, {0, 4}, 4);
        // A value on an edge belongs to the bin that begins there; the last edge belongs to the last bin.
        QCOMPARE(made.counts, (std::vector<long long>{2, 2, 2, 2}));
        QCOMPARE(made.below, 1LL);
        QCOMPARE(made.above, 1LL);
        QCOMPARE(made.notFinite, 0LL);
        QCOMPARE(made.binWidth(), 1.0);
        QCOMPARE(made.middleOf(0), 0.5);
        QCOMPARE(made.middleOf(3), 3.5);
    }

    // The quotients that give the edges are rounded; each of a hundred edges must be counted in the bin that begins
    // there.
    void everyEdgeBeginsItsBin()
    {
        const double lowest = 0.1, highest = 0.7;
        const int bins = 100;
        const double width = (highest - lowest) / bins;
        std::vector<float> image;
        std::vector<long long> counts(bins);
        for (int k = 1; k < bins; ++k) {
            const auto value = static_cast<float>(lowest + k * width);
            image.push_back(value);
            ++counts[static_cast<std::size_t>(value < lowest + k * width ? k - 1 : k)];
        }
        QCOMPARE(histogramOf(image, bins - 1, 1, {}, {lowest, highest}, bins).counts, counts);
    }

    void countsTheAreaAndSaysWhatItLeavesOut()
    {
        const std::vector<float> image = {1,          1, 7, //
                                          notANumber, 2, 7, //
                                          INFINITY,   3, 7};
        const Mask left{.region = Region{0, 0, 2, 3}};
        const Histogram made = histogramOf(image, 3, 3, left, {1, 3}, 2);
        QCOMPARE(made.counts, (std::vector<long long>{2, 2}));
        QCOMPARE(made.notFinite, 2LL);
        QCOMPARE(made.below + made.above, 0LL);
        QVERIFY(rangeOf(image, 3, 3, left) == (HistogramRange{1, 3}));
        QVERIFY(!rangeOf(image, 3, 3, {.region = Region{0, 1, 1, 2}}));
    }

    void aRangeLeavesOutItsEnds()
    {
        std::vector<float> image(100);
        for (int k = 0; k < 100; ++k)
            image[static_cast<std::size_t>((k * 37) % 100)] = static_cast<float>(k);
        QVERIFY(rangeOf(image, 10, 10) == (HistogramRange{0, 99}));
        QVERIFY(rangeOf(image, 10, 10, {}, 0.02) == (HistogramRange{2, 97}));
        QVERIFY(rangeOf(image, 10, 10, {}, 0.009) == (HistogramRange{0, 99})); // 0.9 % is less than one pixel
        QVERIFY(rangeOf({image.data(), 1}, 1, 1, {}, 0.4) == (HistogramRange{image[0], image[0]}));
        QVERIFY(spanning({0, 2}, {1, 5}) == (HistogramRange{0, 5}));
    }

    void refusesWhatMakesNoSense()
    {
        const std::vector<float> image(4);
        const auto refused = [&](const HistogramRange& range, int bins, int width = 2) {
            const std::optional<Error> error = errorOf([&] { histogramOf(image, width, 2, {}, range, bins); });
            return error && error->kind() == ErrorKind::badRequest;
        };
        QVERIFY(refused({1, 1}, 4));
        QVERIFY(refused({2, 1}, 4));
        QVERIFY(refused({0, notANumber}, 4));
        QVERIFY(refused({0, 1}, 0));
        QVERIFY(refused({0, 1}, 1, 3));
        QVERIFY(errorOf([&] { rangeOf(image, 2, 2, {}, 0.5); }).has_value());
    }
};

SINOSCOPE_TEST(HistogramTest, QCoreApplication)
#include "histogram_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Whether one build is slower than another: the confidence interval of the median, and which measurements are
// compared.
#include "engine/measure/compare_speed.h"
#include "tests/fixtures.h"

#include <cmath>
#include <random>

using namespace engine;
using fixtures::fails;

namespace
{

// Returns pairs in which the other run takes `ratios[k]` times as long as this one.
std::vector<SpeedPair> pairsOf(const std::vector<double>& ratios)
{
    std::vector<SpeedPair> pairs;
    for (const double ratio : ratios) {
        SpeedPair pair;
        pair.own = {{"a", 2, 3, 0}, {"new", 1, 1, 0}};
        pair.other = {{"a", 2 * ratio, 3 * ratio, 0}, {"old", 1, 1, 0}};
        pair.ownWallSeconds = 5;
        pair.otherWallSeconds = 5 * ratio;
        pairs.push_back(pair);
    }
    return pairs;
}

} // namespace

class CompareSpeedTest : public QObject
{
    Q_OBJECT

  private slots:
    // The interval reaches from the second to the eighth of nine values (David and Nagaraja, Order Statistics,
    // section 7.1), and from the sixth to the fifteenth of twenty.
    void intervalsOfOrder()
    {
        const MedianInterval nine = medianInterval({9, 2, 7, 4, 5, 6, 3, 8, 1});
        QCOMPARE(nine.median, 5.0);
        QCOMPARE(nine.lower, 2.0);
        QCOMPARE(nine.upper, 8.0);
        std::vector<double> twenty;
        for (int k = 1; k <= 20; ++k)
            twenty.push_back(k);
        const MedianInterval many = medianInterval(twenty);
        QCOMPARE(many.median, 10.5);
        QCOMPARE(many.lower, 6.0);
        QCOMPARE(many.upper, 15.0);
        QVERIFY(fails(ErrorKind::badRequest, [] { medianInterval({1, 2, 3, 4, 5}); }));
    }

    // The interval contains the true median in at least 95 of 100 samples, even for a skewed distribution.
    void intervalsHoldTheMedian()
    {
        std::mt19937 random(5);
        for (const int count : {6, 9, 15, 40}) {
            int held = 0;
            constexpr int samples = 4000;
            for (int sample = 0; sample < samples; ++sample) {
                std::vector<double> values;
                for (int k = 0; k < count; ++k) // exponential, by inversion
                    values.push_back(-std::log((static_cast<double>(random()) + 1) / 4294967297.0));
                const MedianInterval interval = medianInterval(values);
                held += interval.lower <= std::log(2.0) && std::log(2.0) <= interval.upper;
            }
            QVERIFY2(held >= 0.945 * samples, qPrintable(QStringLiteral("%1 values: %2").arg(count).arg(held)));
        }
    }

    void slowerWhereAWholeIntervalIs()
    {
        QVERIFY(!compareSpeed(pairsOf(std::vector<double>(9, 1.0))).isSlower());
        QVERIFY(!compareSpeed(pairsOf(std::vector<double>(9, 1.1))).isSlower());
        QVERIFY(compareSpeed(pairsOf(std::vector<double>(9, 0.97))).isSlower());
        // Two slow pairs of nine can be chance.
        QVERIFY(!compareSpeed(pairsOf({0.9, 0.9, 1, 1, 1, 1, 1, 1, 1})).isSlower());
        QVERIFY(compareSpeed(pairsOf({0.9, 0.9, 0.95, 0.95, 0.95, 0.95, 0.95, 0.97, 1.1})).isSlower());
        std::vector<SpeedPair> unknown = pairsOf(std::vector<double>(9, 1.0));
        for (SpeedPair& pair : unknown)
            pair.own.front().reusedTotalSeconds = pair.other.front().reusedTotalSeconds = 1;
        QVERIFY(!compareSpeed(unknown).isSlower());
        for (SpeedPair& pair : unknown)
            pair.own.front().reusedTotalSeconds = 2;
        QVERIFY(compareSpeed(unknown).isSlower());
    }

    void whatIsCompared()
    {
        const SpeedComparison comparison = compareSpeed(pairsOf(std::vector<double>(9, 1.25)));
        QCOMPARE(comparison.settings.size(), std::size_t(1));
        QCOMPARE(comparison.settings.front().kernel.median, 1.25);
        QCOMPARE(comparison.wallClock.value().median, 1.25);
        QVERIFY(comparison.onlyHere == std::vector<std::string>{"new"});
        QVERIFY(comparison.onlyThere == std::vector<std::string>{"old"});
        QVERIFY(fails(ErrorKind::badRequest, [] { compareSpeed(pairsOf(std::vector<double>(8, 1.0))); }));
        std::vector<SpeedPair> apart = pairsOf(std::vector<double>(9, 1.0));
        for (SpeedPair& pair : apart)
            pair.other.erase(pair.other.begin());
        QVERIFY(fails(ErrorKind::badRequest, {"in common"}, [&] { compareSpeed(apart); }));
        QVERIFY(fails(ErrorKind::badFile, {"notes.txt"}, [] { timedSettings("{}", "notes.txt"); }));
        QVERIFY(fails(ErrorKind::badFile, {"notes.txt"}, [] { timedSettings("[1", "notes.txt"); }));
    }
};

SINOSCOPE_TEST(CompareSpeedTest, QCoreApplication)
#include "compare_speed_test.moc"

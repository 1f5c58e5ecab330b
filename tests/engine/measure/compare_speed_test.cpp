// SPDX-License-Identifier: GPL-3.0-or-later
// Whether one build is slower than another: the confidence interval of the median, and which measurements are
// compared.
#include "engine/measure/benchmark_json.h"
#include "engine/measure/compare_speed.h"
#include "tests/fixtures.h"

#include <cmath>
#include <fstream>
#include <random>

using namespace engine;
using fixtures::fails;

namespace
{

BenchmarkRow row(const char* method, double kernelSeconds, double totalSeconds)
{
    BenchmarkRow made;
    made.method = method;
    made.kernelSeconds = kernelSeconds;
    made.totalSeconds = totalSeconds;
    return made;
}

// Returns pairs in which the other run takes `ratios[k]` times as long as this one.
std::vector<SpeedPair> pairsOf(const std::vector<double>& ratios)
{
    std::vector<SpeedPair> pairs;
    for (const double ratio : ratios) {
        SpeedPair pair;
        pair.own = {row("a", 2, 3), row("new", 1, 1)};
        pair.other = {row("a", 2 * ratio, 3 * ratio), row("old", 1, 1)};
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
        for (const SpeedRatio& one : comparison.settings.front().ratios)
            QCOMPARE(one.ratio.median, 1.25);
        QCOMPARE(comparison.settings.front().ratios.size(), std::size_t(2)); // of the kernel and of the total
        QCOMPARE(comparison.wallClock.value().median, 1.25);
        QVERIFY(comparison.onlyHere == std::vector<std::string>{nameOf(row("new", 1, 1))});
        QVERIFY(comparison.onlyThere == std::vector<std::string>{nameOf(row("old", 1, 1))});
        QVERIFY(fails(ErrorKind::badRequest, [] { compareSpeed(pairsOf(std::vector<double>(8, 1.0))); }));
        std::vector<SpeedPair> apart = pairsOf(std::vector<double>(9, 1.0));
        for (SpeedPair& pair : apart)
            pair.other.erase(pair.other.begin());
        QVERIFY(fails(ErrorKind::badRequest, {"in common"}, [&] { compareSpeed(apart); }));
    }

    // What a row has is in its report, and read from it again: also a plane's and a volume's, and the keys of older
    // versions.
    void reportsAreReadAgain()
    {
        const fixtures::TemporaryFolder folder;
        const std::filesystem::path path = folder / "notes.txt";
        const auto write = [&](const std::string& text) { std::ofstream(path) << text; };
        Benchmark made;
        for (const char* output : {"hdf5", "tiffs"}) {
            BenchmarkRow& one = made.rows.emplace_back(row("cpu", 1, 2));
            one.kernelGups = 3;
            one.wholeSeconds = 4;
            one.output = output;
            one.kernelRuns = {0.5, 1, 2};
            one.figures = {{"bytesIn", "", 5}};
        }
        for (const auto kind : {BenchmarkOptions::Kind::methods, BenchmarkOptions::Kind::planes,
                                BenchmarkOptions::Kind::sizes, BenchmarkOptions::Kind::volume}) {
            made.options.kind = kind;
            const std::string json = benchmarkJson(made);
            QVERIFY(kind != BenchmarkOptions::Kind::volume || json.find("null") == std::string::npos);
            write(json);
            const std::vector<BenchmarkRow> read = readBenchmark(path).rows;
            QCOMPARE(read.size(), made.rows.size());
            for (std::size_t k = 0; k < read.size(); ++k) {
                QCOMPARE(nameOf(read[k]), nameOf(made.rows[k]));
                QCOMPARE(read[k].wholeSeconds, 4.0);
                QVERIFY(read[k].kernelRuns == made.rows[k].kernelRuns);
                QVERIFY(sameSetting(read, made.rows[k]) == &read[k]);
            }
        }
        for (const char* text : {"{}", "[1", "[1]", R"({"rows": [1]})", R"({"volume": {"runs": 3}})"}) {
            write(text);
            QVERIFY(fails(ErrorKind::badFile, {"notes.txt"}, [&] { readBenchmark(path); }));
        }
    }
};

SINOSCOPE_TEST(CompareSpeedTest, QCoreApplication)
#include "compare_speed_test.moc"

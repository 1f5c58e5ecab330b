// SPDX-License-Identifier: GPL-3.0-or-later
// Division of a volume's slices among ranks: each slice once, in order, as evenly as whole passes allow; and what all
// ranks report if one of them fails.
#include "engine/base/json_difference.h"
#include "engine/base/shared_cores.h"
#include "engine/volume/rank_results.h"
#include "engine/volume/slice_division.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <array>
#include <random>

using namespace engine;
using fixtures::contains;

namespace
{

// A rank of a made-up group of `size` ranks, two per host
class Named : public Alone
{
  public:
    explicit Named(int size) : m_size(size) {}
    int size() const override { return m_size; }
    std::string host(int rank) const override { return "node" + std::to_string(rank / 2); }

  private:
    int m_size;
};

std::vector<RowRange> partsIn(int first, int count, int pass)
{
    std::vector<RowRange> parts;
    for (int k = 0; k < count; k += pass)
        parts.push_back({first + k, std::min(pass, count - k)});
    return parts;
}

} // namespace

class DivisionTest : public QObject
{
    Q_OBJECT

  private slots:
    void everyGpuIsSomeones()
    {
        for (int ranks = 1; ranks <= 9; ++ranks)
            for (std::size_t gpus = 1; gpus <= 9; ++gpus) {
                std::vector<int> takers(gpus);
                std::size_t most = 0, least = gpus;
                for (int rank = 0; rank < ranks; ++rank) {
                    const auto own = gpusOf({.rank = rank, .count = ranks}, gpus);
                    for (const std::size_t gpu : own)
                        ++takers.at(gpu);
                    most = std::max(most, own.size());
                    least = std::min(least, own.size());
                }
                const auto [fewest, largest] = std::ranges::minmax(takers);
                QVERIFY(least >= 1 && most - least <= 1 && fewest >= 1 && largest - fewest <= 1);
                QVERIFY(gpus < std::size_t(ranks) || largest == 1);
            }
    }

    void everySliceOnce()
    {
        std::mt19937 random(4);
        const auto upTo = [&random](int most) { return std::uniform_int_distribution(1, most)(random); };
        for (int trial = 0; trial < 3000; ++trial) {
            std::vector<RowRange> parts;
            int end = upTo(50), largest = 0;
            const int begin = end, count = upTo(60);
            for (int k = 0; k < count; ++k) {
                const int size = upTo(trial % 3 == 0 ? 40 : 4);
                parts.push_back({end, size});
                end += size;
                largest = std::max(largest, size);
            }
            const int ranks = trial % 100 == 0 ? 2048 : upTo(70);
            const std::vector<RowRange> runs = divide(parts, ranks);
            QCOMPARE(int(runs.size()), ranks);
            int next = begin;
            for (const RowRange& run : runs) {
                QVERIFY(run.count >= 0);
                QCOMPARE(run.first, next);
                next += run.count;
                QVERIFY2(run.count <= double(end - begin) / ranks + largest,
                         "a rank has more than its share and a part");
                const auto begins = [&](int at) {
                    return at == end || std::ranges::any_of(parts, [at](const RowRange& p) { return p.first == at; });
                };
                QVERIFY(begins(run.first) && begins(next)); // the run consists of whole parts
            }
            QCOMPARE(next, end);
            if (count >= ranks)
                QVERIFY(std::ranges::all_of(runs, [](const RowRange& run) { return run.count > 0; }));
        }
    }

    void evenWherePossible()
    {
        for (const auto& [slices, pass, ranks, most] :
             {std::array{2048, 32, 8, 256}, std::array{70, 16, 4, 22}, std::array{7, 1, 3, 3}, std::array{3, 1, 8, 1},
              std::array{512, 64, 2, 256}, std::array{1, 64, 4, 1}}) {
            const std::vector<RowRange> runs = divide(partsIn(5, slices, pass), ranks);
            QCOMPARE(std::ranges::max(runs, {}, &RowRange::count).count, most);
            QVERIFY(runs.front().count > 0); // the first rank writes the file
        }
    }

    // Half precision on processors has one scale per group: the groups of the whole volume are preserved.
    void groupsStayWhole()
    {
        Request request = fixtures::requestFor(fixtures::smallScan(32, 30, 70));
        request.setting.kernel.slicesPerPass = 2;
        VolumePlan plan = planVolume(request);
        QCOMPARE(partsOf(request, plan), partsIn(0, 70, 2));
        request.setting.kernel.precision = Precision::half;
        plan = planVolume(request);
        const std::vector<RowRange> groups = groupsOf(request.place.slices(), plan, 2);
        QCOMPARE(partsOf(request, plan), groups);
        plan.of = request.place.slices();
        std::vector<RowRange> again;
        for (const RowRange& run : divide(groups, 3))
            std::ranges::copy(groupsOf(run, plan, 2), std::back_inserter(again));
        QCOMPARE(again, groups);
    }

    void whoFailed()
    {
        const Named ranks(4);
        std::vector<Outcome> outcomes(4);
        requireAll(outcomes, ranks); // none failed
        outcomes[1] = {.failed = true, .kind = ErrorKind::cancelled, .error = "cancelled"};
        outcomes[2] = {.failed = true, .kind = ErrorKind::output, .error = "'v.h5' can't be written."};
        outcomes[3] = outcomes[1];
        const auto error = fixtures::errorOf([&] { requireAll(outcomes, ranks); });
        QVERIFY(error && error->kind() == ErrorKind::output);
        QCOMPARE(error->what(), "rank 2 of 4 (node1): 'v.h5' can't be written.");
        outcomes.assign(4, {.failed = true, .kind = ErrorKind::badFile, .error = "There is no 'scan.h5'."});
        const auto ofAll = fixtures::errorOf([&] { requireAll(outcomes, ranks); });
        QVERIFY(ofAll && ofAll->kind() == ErrorKind::badFile);
        QCOMPARE(ofAll->what(), "There is no 'scan.h5'.");
        const Text mentioning = fileText("5:a.h5") + ": leave out" + hint("size", "3:4") + ".";
        for (const Outcome& one : {Outcome{.failed = true, .kind = ErrorKind::device, .error = "a: b"},
                                   Outcome{.failed = true, .kind = ErrorKind::output, .error = mentioning},
                                   Outcome{.text = "!2:x"}, Outcome{}}) {
            const Outcome back = outcomeFromText(toText(one));
            QVERIFY(back.failed == one.failed && back.text == one.text && back.error == one.error &&
                    (!one.failed || back.kind == one.kind));
        }
    }

    void otherPrograms()
    {
        const Named ranks(3);
        const std::string one = R"({"version":"0.1.0","arguments":{"1":"a.h5"}})";
        requireAlike({one, one, one}, ranks, "was started differently");
        const auto version = fixtures::errorOf([&] {
            requireAlike({one, one, R"({"version":"0.2.0","arguments":{"1":"a.h5"}})"}, ranks,
                         "was started differently");
        });
        QVERIFY(version && version->kind() == ErrorKind::badRequest);
        QVERIFY2(contains(version->what(), "rank 2 of 3 (node1) was started differently: version is \"0.2.0\" there "
                                           "and \"0.1.0\" at rank 0 of 3 (node0)"),
                 version->what());
    }

    // Launchers bind ranks to cores: each rank to cores of its own, all ranks to all cores, or two ranks to the same
    // cores.
    void coresOfRanks()
    {
        QCOMPARE(threadsFor({"1", "01"}, 0), 1);
        QCOMPARE(threadsFor({"1", "01"}, 1), 1);
        QCOMPARE(threadsFor({"11", "11"}, 1), 1);
        QCOMPARE(threadsFor({"11", "11", "11", "11"}, 3), 1); // more ranks than cores
        QCOMPARE(threadsFor({"11111111", "11111111", "11111111"}, 2), 2);
        QCOMPARE(threadsFor({"11110000", "11110000", "00001111", "00001111"}, 2), 2);
        QCOMPARE(threadsFor({"111111", "0000001111"}, 1), 4);
        QCOMPARE(threadsFor({"1111"}, 0), 4);
        QVERIFY(std::ranges::count(allowedCores(), '1') >= 1);
    }

    // A single process is not divided, and its errors are thrown unchanged.
    void alone()
    {
        Alone one;
        Request request = fixtures::requestFor(fixtures::smallScan(32, 30, 4));
        const Request before = request;
        takeShareOfMachine(request, one, true);
        QVERIFY(request == before);
        const auto error =
            fixtures::errorOf([&] { together(one, [] { throw Error(ErrorKind::noMemory, "no memory"); }); });
        QVERIFY(error && error->kind() == ErrorKind::noMemory);
        QCOMPARE(error->what(), "no memory");
    }
};

SINOSCOPE_TEST(DivisionTest, QCoreApplication)
#include "slice_division_test.moc"

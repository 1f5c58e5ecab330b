// SPDX-License-Identifier: GPL-3.0-or-later
// The table of preparation steps: its guarantees, the orders that are refused, the memory and rows that a preparation
// needs, and that the steps together equal the plain formulas.
#include "engine/prepare/prepare.h"
#include "tests/engine/prepare/naive_preparation.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace engine;
using namespace fixtures;
using made::damagedRows;
using made::NaivePreparation;

namespace
{

const Step& step(const std::string& id)
{
    const auto found = std::ranges::find_if(steps(), [&](const Step& candidate) { return candidate.id == id; });
    if (found == steps().end())
        qFatal("no step %s", id.c_str());
    return *found;
}

Preparation inOrder(const std::vector<const Step*>& order)
{
    Preparation preparation;
    for (const Step* each : order)
        preparation.steps.push_back({each});
    return preparation;
}

Preparation inOrder(const std::vector<std::string>& ids)
{
    std::vector<const Step*> order;
    for (const std::string& id : ids)
        order.push_back(&step(id));
    return inOrder(order);
}

std::vector<std::string> idsOn(const Preparation& preparation)
{
    std::vector<std::string> ids;
    for (const PlannedStep& planned : preparation.steps)
        if (planned.on)
            ids.push_back(planned.step->id);
    return ids;
}

std::size_t thousandARow(const RowsShape& shape)
{
    return 1000 * static_cast<std::size_t>(shape.rows);
}

// Halves the light and adds a note: a made-up step in place of future ones.
StepAtWork halve(const StepArguments& arguments)
{
    return {.apply =
                [](LineAtWork& line) {
                    for (float& value : line.values)
                        value /= 2;
                },
            .notes =
                [&raw = arguments.raw] { return std::vector<Note>{std::to_string(raw.rows.count) + " rows halved."}; }};
}

constexpr Step madeUp{.id = "made-up",
                      .label = "Made up",
                      .summary = "Halves the light.",
                      .reference = "this test",
                      .from = {.quantity = Quantity::transmission},
                      .isByDefault = false,
                      .halo = [](const PlannedStep&, const Preparation&) { return 2; },
                      .bytes = thousandARow,
                      .start = halve};

// Returns the number at the beginning of the note that contains the text; 0 without such a note.
int numberIn(const std::vector<Note>& notes, const char* text)
{
    for (const std::string& note : textsOf(notes, commandLineStyle()))
        if (note.find(text) != std::string::npos)
            return std::atoi(note.c_str());
    return 0;
}

} // namespace

class PrepareStepsTest : public QObject
{
    Q_OBJECT

  private slots:
    void tableIsSane();
    void everyQuantityHasItsPreparation();
    void everyOtherOrderIsRefused();
    void refusalsSayWhatToDo();
    void haloAndBytesPropagate();
    void loopTakesTheStepsInTheirOrder();
    void stepsAreThePlainFormulas_data();
    void stepsAreThePlainFormulas();
};

void PrepareStepsTest::tableIsSane()
{
    std::set<std::string> ids, labels;
    for (const Step& each : steps()) {
        QVERIFY2(!std::string(each.id).empty() && ids.insert(each.id).second, each.id);
        QVERIFY2(!std::string(each.label).empty() && labels.insert(each.label).second, each.id);
        QVERIFY2(std::string(each.summary).ends_with('.'), each.id);
        QVERIFY2(!std::string(each.reference).empty(), each.id);
        QVERIFY2(each.start, each.id);
        QVERIFY2(!each.isByDefault || !each.halo || each.isNeeded, each.id); // on by default only if the scan needs it
        for (const StepField& parameter : each.parameters()) {
            QVERIFY2(findParameter(parameter.id).parameter == &parameter, parameter.id); // ids are unique
            for (const char* way : parameter.use.ways)
                QVERIFY2(std::ranges::any_of(each.parameters().front().choices,
                                             [&](const FieldChoice& choice) { return choice.id == std::string(way); }),
                         parameter.id);
        }
        // A step that is not on by default has a parameter that switches it off, and does so by default.
        if (!each.isByDefault) {
            QVERIFY2(!each.parameters().empty(), each.id);
            if (!each.parameters().front().choices.empty())
                QCOMPARE(std::string(each.parameters().front().choices.front().id), std::string("off"));
            QCOMPARE(each.parameters().front().use.standard, 0.0);
        }
        // A step that does not change the kind of value fits in any place, and is on by default only if the scan
        // needs it.
        QVERIFY2(each.to != ValueKind() || !each.isByDefault || each.isNeeded, each.id);
    }
}

void PrepareStepsTest::everyQuantityHasItsPreparation()
{
    for (const Quantity quantity : quantities()) {
        const Preparation preparation = preparationOf(quantity);
        QCOMPARE(preparation.steps.size(), steps().size()); // including those that are off, to be switched on
        QVERIFY(!objectionTo(preparation, quantity));
        QVERIFY(preparation == preparationOf(quantity));
        for (const PlannedStep& planned : preparation.steps)
            QVERIFY2(planned.step->isByDefault || !planned.on, planned.step->id);
    }
    using Ids = std::vector<std::string>;
    QCOMPARE(idsOn(preparationOf(Quantity::counts)), Ids({"flat-field", "logarithm", "dead-values", "transposition"}));
    QCOMPARE(idsOn(preparationOf(Quantity::transmission)), Ids({"logarithm", "dead-values", "transposition"}));
    QCOMPARE(idsOn(preparationOf(Quantity::attenuation)), Ids({"dead-values", "transposition"}));
    QVERIFY(preparationOf(Quantity::counts) != preparationOf(Quantity::transmission));
}

// Tries all orders of all subsets of the default steps. Accepted are only the quantity's own steps in their order,
// except that the transposition may be at any place, and that dead values may be repaired before the logarithm. An
// order with a repeated step is refused too.
void PrepareStepsTest::everyOtherOrderIsRefused()
{
    std::vector<std::string> all;
    for (const Step& each : steps())
        if (each.isByDefault && !each.isNeeded)
            all.push_back(each.id);
    std::ranges::sort(all);
    std::size_t orders = 0, places = 0; // orders of all subsets; places of the transposition
    for (std::size_t count = 0, product = 1; count <= all.size(); product *= all.size() - count++)
        orders += product;
    int accepted = 0, refused = 0;
    for (const Quantity quantity : quantities()) {
        const auto without = [](std::vector<std::string> ids) {
            std::erase(ids, "transposition");
            const auto dead = std::ranges::find(ids, "dead-values"), log = std::ranges::find(ids, "logarithm");
            if (dead != ids.end() && log != ids.end() && log == dead + 1)
                std::iter_swap(dead, log);
            return ids;
        };
        const std::vector<std::string> needed = idsOn(preparationOf(quantity));
        places += needed.size() * (quantity == Quantity::attenuation ? 1 : 2);
        std::set<std::vector<std::string>> seen;
        do {
            for (std::size_t count = 0; count <= all.size(); ++count) {
                const std::vector<std::string> order(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
                if (!seen.insert(order).second)
                    continue;
                const auto objection = objectionTo(inOrder(order), quantity);
                const bool sensible = order.size() == needed.size() && without(order) == without(needed) &&
                                      std::ranges::count(order, "transposition") == 1;
                QCOMPARE(!objection, sensible);
                QVERIFY(!objection || objection->plain().size() > 40);
                ++(objection ? refused : accepted);
            }
        } while (std::ranges::next_permutation(all).found);
        for (const std::string& id : needed) {
            std::vector<std::string> twice = needed;
            twice.insert(std::ranges::find(twice, id), id);
            QVERIFY2(objectionTo(inOrder(twice), quantity), id.c_str());
        }
    }
    QCOMPARE(std::size_t(accepted), places);
    QCOMPARE(std::size_t(accepted + refused), quantities().size() * orders);
}

void PrepareStepsTest::refusalsSayWhatToDo()
{
    const auto refusal = [](const std::vector<std::string>& ids, Quantity quantity) {
        return objectionTo(inOrder(ids), quantity).value_or("accepted");
    };
    QCOMPARE(
        refusal({"logarithm", "flat-field", "dead-values", "transposition"}, Quantity::counts),
        std::string("The step 'logarithm' takes transmission, but the scan holds counts: put 'flat-field' before it."));
    QCOMPARE(refusal({"flat-field", "logarithm", "dead-values", "transposition"}, Quantity::transmission),
             std::string("The step 'flat-field' takes counts, but the scan holds transmission: leave it out."));
    QCOMPARE(refusal({"transposition", "dead-values"}, Quantity::counts),
             std::string("The step 'dead-values' takes transmission or line integrals, but the scan holds "
                         "counts: put 'flat-field' before it."));
    QCOMPARE(
        refusal({"logarithm", "logarithm", "dead-values", "transposition"}, Quantity::transmission),
        std::string("The step 'logarithm' takes transmission, but after 'logarithm' there are line integrals: leave it "
                    "out."));
    QCOMPARE(
        refusal({}, Quantity::counts),
        std::string(
            "The preparation steps end with counts, but line integrals are needed: add 'flat-field' and 'logarithm'."));
    QCOMPARE(refusal({"dead-values"}, Quantity::attenuation),
             std::string("The preparation steps end with projections, but sinograms are needed: add 'transposition'."));
    QCOMPARE(refusal({"transposition"}, Quantity::attenuation),
             std::string("The preparation steps end with values with gaps (dead values, not filled yet), but values "
                         "without gaps are needed: add 'dead-values'."));
    Preparation off = preparationOf(Quantity::counts);
    off.steps.front().on = false;
    QVERIFY(objectionTo(off, Quantity::counts)); // as if the step were missing
    QVERIFY(!objectionTo(off, Quantity::transmission));
}

void PrepareStepsTest::haloAndBytesPropagate()
{
    const RowsShape shape{3, 20, 60};
    const std::size_t corrected = 4 * 8 * 60 + 4 * 8 * 20,
                      sinograms = 3 * 20 * 60 * 4; // bytes of one row; bytes of three rows
    QCOMPARE(bytesOf(preparationOf(Quantity::counts), shape), 3 * corrected + sinograms);
    QCOMPARE(bytesOf(preparationOf(Quantity::attenuation), shape), sinograms);

    Preparation preparation =
        inOrder({&step("flat-field"), &madeUp, &step("logarithm"), &step("dead-values"), &step("transposition")});
    QVERIFY(!objectionTo(preparation, Quantity::counts));
    QCOMPARE(haloOf(preparation), 2);
    // With a halo, lines stay in memory until all are done: 3 + 2 · 2 rows.
    QCOMPARE(bytesOf(preparation, shape), 7 * corrected + 7 * 1000 + 7 * sinograms / 3);
    preparation.steps.insert(preparation.steps.begin() + 1, {&madeUp});
    QCOMPARE(haloOf(preparation), 4);
    QCOMPARE(bytesOf(preparation, shape), 11 * corrected + 2 * 11 * 1000 + 11 * sinograms / 3);
    preparation.steps[1].on = preparation.steps[2].on = false;
    QCOMPARE(haloOf(preparation), 0);
    QCOMPARE(bytesOf(preparation, shape), bytesOf(preparationOf(Quantity::counts), shape));
    const std::size_t volume = bytesOf(preparationOf(Quantity::attenuation), {2048, 4000, 2048}); // exceeds 32 bits
    QCOMPARE(volume, std::size_t(4) * 2048 * 4000 * 2048);
}

void PrepareStepsTest::loopTakesTheStepsInTheirOrder()
{
    const RawRows raw = damagedRows(true, true);
    const auto with = [&](const std::vector<const Step*>& order) {
        return prepareRows(raw, Quantity::counts, inOrder(order), 2);
    };
    const Step &flat = step("flat-field"), &log = step("logarithm"), &dead = step("dead-values"),
               &transposition = step("transposition");
    const Prepared plain = prepareRows(raw, Quantity::counts, 2);
    const Prepared early = with({&transposition, &flat, &log, &dead});
    QCOMPARE(early.sinograms.values, plain.sinograms.values);
    QCOMPARE(early.notes, plain.notes);
    const Prepared halved = with({&flat, &madeUp, &log, &dead, &transposition});
    QCOMPARE(halved.sinograms.values.size(), plain.sinograms.values.size());
    for (std::size_t i = 0; i < plain.sinograms.values.size(); ++i)
        if (const float value = plain.sinograms.values[i]; value < 13) // neither clamped nor repaired from clamped ones
            QVERIFY(halved.sinograms.values[i] - value < std::log(2.f) + 1e-5f);
    QVERIFY(std::abs(halved.sinograms.values[40] - plain.sinograms.values[40] - std::log(2.f)) < 1e-5f);
    QCOMPARE(halved.notes.size(), plain.notes.size() + 1);
    QCOMPARE(halved.notes[1], Note("3 rows halved.")); // follows the flat field's note
    QVERIFY(fails(ErrorKind::badRequest, {"'flat-field'"}, [&] { with({&log, &flat, &dead, &transposition}); }));
}

void PrepareStepsTest::stepsAreThePlainFormulas_data()
{
    QTest::addColumn<int>("quantity");
    QTest::addColumn<bool>("darks");
    QTest::addColumn<bool>("flats");
    QTest::addColumn<int>("threads");
    for (const Quantity quantity : quantities())
        for (const bool darks : {true, false})
            for (const bool flats : {true, false})
                for (const int threads : {1, 2})
                    QTest::addRow("%s, %s, %s, %d", toText(quantity).c_str(), darks ? "darks" : "no darks",
                                  flats ? "flats" : "no flats", threads)
                        << static_cast<int>(quantity) << darks << flats << threads;
}

void PrepareStepsTest::stepsAreThePlainFormulas()
{
    QFETCH(int, quantity);
    QFETCH(bool, darks);
    QFETCH(bool, flats);
    QFETCH(int, threads);
    RawRows raw = damagedRows(darks, flats);
    if (static_cast<Quantity>(quantity) != Quantity::counts)
        for (float& value : raw.data.floats())
            value /= 1000;
    NaivePreparation naive{raw, static_cast<Quantity>(quantity)};
    const std::vector<double> expected = naive.values();
    const Prepared prepared = prepareRows(raw, static_cast<Quantity>(quantity), threads);
    QCOMPARE(prepared.sinograms.slices, 3);
    QCOMPARE(prepared.sinograms.projections, 20);
    QCOMPARE(prepared.sinograms.bins, 60);
    QCOMPARE(prepared.sinograms.values.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY2(std::abs(prepared.sinograms.values[i] - expected[i]) < 2e-6 * std::max(1.0, std::abs(expected[i])),
                 qPrintable(QString("%1: %2, not %3").arg(i).arg(prepared.sinograms.values[i]).arg(expected[i])));
    const bool counts = static_cast<Quantity>(quantity) == Quantity::counts;
    QCOMPARE(naive.emptyLines, 4);
    QCOMPARE(naive.deadPixels, counts && flats ? 6 : 0);
    QVERIFY(naive.notNumbers > 20);
    QCOMPARE(naive.faults > 20 && naive.clamped > 20, static_cast<Quantity>(quantity) != Quantity::attenuation);
    QCOMPARE(numberIn(prepared.notes, "dead pixels were interpolated"), naive.deadPixels);
    QCOMPARE(numberIn(prepared.notes, "values that are not numbers"), naive.notNumbers);
    QCOMPARE(numberIn(prepared.notes, "rows of projections without"), naive.emptyLines);
    QCOMPARE(numberIn(prepared.notes, "values without light"), naive.faults);
    QCOMPARE(numberIn(prepared.notes, "at or below the dark level"), naive.clamped);
    const auto says = [&](const char* text) { return mentions(prepared.notes, text); };
    QCOMPARE(says("no flat field"), counts && !flats);
    QCOMPARE(says("no dark field"), counts && !darks);
}

SINOSCOPE_TEST(PrepareStepsTest, QCoreApplication)
#include "steps_test.moc"

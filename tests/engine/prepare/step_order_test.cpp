// SPDX-License-Identifier: GPL-3.0-or-later
// The order of the preparation steps: each order gives the result of the formulas in that order, the usual order
// gives the same result as ever, and an impossible order is refused with an explanation.
#include "engine/json/request_json.h"
#include "engine/options/options.h"
#include "engine/prepare/minus_log.h"
#include "engine/prepare/prepare.h"
#include "engine/prepare/rings.h"
#include "engine/prepare/step_order.h"
#include "engine/stages/stages.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace engine;
using namespace fixtures;

namespace step_order // keeps the short names apart in unity builds
{

constexpr int rows = 2, projections = 24, bins = 40;

using Given = std::map<std::string, std::string>;

inline std::size_t place(int frame, int row, int bin)
{
    return (static_cast<std::size_t>(frame) * rows + row) * bins + bin;
}

// Returns counts of a smooth object over a dark level that differs from pixel to pixel, with gains that differ by a
// factor of three between neighbours, a zinger, a stripe, a dead pixel and a few values without light.
inline RawRows spoiltCounts()
{
    RawRows raw;
    raw.rows = {7, rows};
    raw.bins = bins;
    raw.projections = projections;
    raw.flatFrames = raw.darkFrames = 2;
    std::mt19937 generator(5);
    std::uniform_real_distribution<float> noise(0, 1);
    raw.data = Samples(Values(std::size_t(projections) * rows * bins));
    for (int frame = 0; frame < 2; ++frame)
        for (int row = 0; row < rows; ++row)
            for (int bin = 0; bin < bins; ++bin) {
                raw.darks.push_back(100 + 5.0F * static_cast<float>(bin % 7));
                raw.flats.push_back(raw.darks.back() + (bin == 25 ? 0 : bin % 2 ? 3000 : 1000));
            }
    for (int p = 0; p < projections; ++p)
        for (int row = 0; row < rows; ++row)
            for (int bin = 0; bin < bins; ++bin) {
                const float x = (static_cast<float>(bin) - 20 - 3 * std::sin(0.2F * static_cast<float>(p))) / 12;
                const float through = std::exp(-std::max(0.0F, 1 - x * x)) * (bin == 12 ? 0.9F : 1);
                const float dark = raw.darks[place(0, row, bin)];
                float light = (raw.flats[place(0, row, bin)] - dark) * through + noise(generator);
                if (p == 9 && bin == 16)
                    light *= 4;
                if (p == 14 && (bin == 30 || bin == 31 || bin >= 36))
                    light = -1; // a fault, and an object that is too dense
                raw.data.floats()[place(p, row, bin)] = dark + light;
            }
    return raw;
}

inline Request requestWith(const Given& given)
{
    Request request;
    for (const auto& [id, text] : given)
        setField(option(id), request, text);
    return request;
}

inline PreparationSettings settingsWith(const Given& given)
{
    return requestWith(given).setting.preparation;
}

inline Sinograms preparedWith(const RawRows& raw, Quantity quantity, const Given& given)
{
    return prepareRows(raw, quantity, preparationOf(quantity, settingsWith(given), 0.002), 2).sinograms;
}

// One value per pixel, [row][projection][bin]; NaN: missing, infinity: no light
using Field = std::vector<double>;

inline double& at(Field& field, int row, int projection, int bin)
{
    return field[(static_cast<std::size_t>(row) * projections + projection) * bins + bin];
}

inline Field countsOf(const RawRows& raw)
{
    Field field(raw.data.size());
    for (int row = 0; row < rows; ++row)
        for (int p = 0; p < projections; ++p)
            for (int bin = 0; bin < bins; ++bin)
                at(field, row, p, bin) = raw.data[place(p, row, bin)];
    return field;
}

inline void flatField(Field& field, const RawRows& raw)
{
    for (int row = 0; row < rows; ++row)
        for (int p = 0; p < projections; ++p)
            for (int bin = 0; bin < bins; ++bin) {
                const double dark = raw.darks[place(0, row, bin)], light = raw.flats[place(0, row, bin)] - dark;
                at(field, row, p, bin) = light > 0 ? (at(field, row, p, bin) - dark) / light : NAN;
            }
}

// Removes zingers in squares of three by three values. If `dark` is given, the field holds counts, and the light of a
// value is what exceeds its dark count.
inline void zingers(Field& field, double factor, double least, const RawRows* dark)
{
    const Field before = field;
    for (int row = 0; row < rows; ++row)
        for (int p = 0; p < projections; ++p)
            for (int bin = 0; bin < bins; ++bin) {
                Field copy = before;
                const auto light = [&](int q, int other) {
                    return at(copy, row, q, other) - (dark ? dark->darks[place(0, row, other)] : 0);
                };
                std::vector<double> window;
                int below = 0, count = 0;
                const int first = std::clamp(p - 1, 0, projections - 3);
                for (int q = first; q < first + 3; ++q)
                    for (int other = std::max(0, bin - 1); other <= std::min(bins - 1, bin + 1); ++other) {
                        ++count;
                        const double than = light(q, other), value = light(p, bin);
                        below += value > factor * than && value > than + least;
                        if (std::isfinite(at(copy, row, q, other)))
                            window.push_back(at(copy, row, q, other));
                    }
                if (2 * below <= count)
                    continue;
                std::ranges::sort(window);
                at(field, row, p, bin) = (window[(window.size() - 1) / 2] + window[window.size() / 2]) / 2;
            }
}

inline void logarithm(Field& field)
{
    for (double& value : field)
        if (!std::isnan(value))
            value = value > 1e-6 ? -std::log(value) : INFINITY;
}

// Repairs values along the bins; light: the field holds transmission, where missing light is a small value instead of
// infinity.
inline void mend(Field& field, bool light)
{
    for (int row = 0; row < rows; ++row)
        for (int p = 0; p < projections; ++p) {
            std::vector<double> line(bins);
            for (int bin = 0; bin < bins; ++bin) {
                line[bin] = at(field, row, p, bin);
                if (light && line[bin] <= 1e-6)
                    line[bin] = INFINITY;
            }
            for (int bin = 0; bin < bins;) {
                int end = bin;
                while (end < bins && line[end] == INFINITY)
                    ++end;
                for (int k = bin; k < end; ++k)
                    line[k] = end - bin <= 3 ? NAN : light ? 1e-6 : -std::log(1e-6);
                bin = std::max(end, bin + 1);
            }
            for (int bin = 0; bin < bins; ++bin) {
                int left = bin, right = bin;
                while (left > 0 && std::isnan(line[left]))
                    --left;
                while (right < bins - 1 && std::isnan(line[right]))
                    ++right;
                const double part = right > left ? double(bin - left) / (right - left) : 0;
                at(field, row, p, bin) = line[left] + part * (line[right] - line[left]);
            }
        }
}

// Removes rings from line integrals.
inline void ringsBySorting(Field& field)
{
    std::vector<float> values(field.begin(), field.end());
    for (int row = 0; row < rows; ++row)
        removeBySorting({values.data() + row * projections * bins, projections, bins}, {.size = 5});
    std::ranges::copy(values, field.begin());
}

inline double farthest(const Sinograms& values, const Field& expected)
{
    return largestDifference(values.values, expected);
}

const Given ringsGiven = {{"rings", "sorting"}, {"ring-size", "5"}};
const Given zingersGiven = {{"zingers", "square"}, {"zinger-threshold", "1.5"}};

inline Given with(Given given, const std::string& order)
{
    given["step-order"] = order;
    return given;
}

class StepOrderTest : public QObject
{
    Q_OBJECT

  private slots:
    void zingersBeforeTheFlatField()
    {
        const RawRows raw = spoiltCounts();
        double beam = 0, good = 0; // beam / good is the mean flat; the threshold for counts is 0.01 of it
        for (std::size_t k = 0; k < raw.flats.size(); ++k, ++good)
            beam += raw.flats[k] - raw.darks[k];
        Field usual = countsOf(raw), early = usual;
        flatField(usual, raw);
        zingers(usual, 1.5, 0.01, nullptr);
        zingers(early, 1.5, 0.01 * beam / good, &raw);
        flatField(early, raw);
        for (Field* field : {&usual, &early}) {
            logarithm(*field);
            mend(*field, false);
        }
        QVERIFY(farthest(preparedWith(raw, Quantity::counts, zingersGiven), usual) < 1e-5);
        const double far =
            farthest(preparedWith(raw, Quantity::counts, with(zingersGiven, "zingers,flat-field")), early);
        QVERIFY2(far < 1e-5, qPrintable(QString::number(far)));
        QVERIFY(largestDifference(usual, early) > 0.1); // bins with a large gain exceed their neighbours
    }

    // The light in the other rows that were read makes no difference.
    void aRowIsTheSameAlone()
    {
        RawRows raw = spoiltCounts();
        for (int bin = 0; bin < bins; ++bin)
            for (int frame = 0; frame < 2; ++frame)
                raw.flats[place(frame, 1, bin)] *= 50;
        RawRows alone = raw;
        alone.rows.count = 1;
        const auto firstRows = [](const Values& all, int frames) {
            Values some;
            for (int frame = 0; frame < frames; ++frame)
                some.insert(some.end(), all.begin() + static_cast<std::ptrdiff_t>(place(frame, 0, 0)),
                            all.begin() + static_cast<std::ptrdiff_t>(place(frame, 1, 0)));
            return some;
        };
        alone.data = Samples(firstRows(raw.data.floats(), projections));
        alone.darks = firstRows(raw.darks, 2);
        alone.flats = firstRows(raw.flats, 2);
        const Given early = with({{"zingers", "projections"}, {"zinger-threshold", "1.002"}}, "zingers,flat-field");
        const Values both = preparedWith(raw, Quantity::counts, early).values,
                     one = preparedWith(alone, Quantity::counts, early).values;
        QVERIFY(std::equal(one.begin(), one.end(), both.begin()));
    }

    void zingersAfterTheLogarithm()
    {
        RawRows raw = spoiltCounts();
        Field late = countsOf(raw);
        flatField(late, raw);
        logarithm(late);
        mend(late, false);
        Field dark = late; // a bright spot is a low attenuation
        for (double& value : dark)
            value = std::exp(-value);
        zingers(dark, 1.5, 0, nullptr);
        for (std::size_t k = 0; k < late.size(); ++k)
            if (dark[k] != std::exp(-late[k]))
                late[k] = -std::log(dark[k]);
        const double far =
            farthest(preparedWith(raw, Quantity::counts, with(zingersGiven, "logarithm,dead-values,zingers")), late);
        QVERIFY2(far < 1e-5, qPrintable(QString::number(far)));
    }

    void gapsBeforeTheLogarithm()
    {
        const RawRows raw = spoiltCounts();
        Field usual = countsOf(raw), early;
        flatField(usual, raw);
        early = usual;
        logarithm(usual);
        mend(usual, false);
        mend(early, true);
        for (double& value : early)
            value = -std::log(value);
        QVERIFY(farthest(preparedWith(raw, Quantity::counts, {}), usual) < 1e-5);
        const double far =
            farthest(preparedWith(raw, Quantity::counts, {{"step-order", "dead-values,logarithm"}}), early);
        QVERIFY2(far < 1e-5, qPrintable(QString::number(far)));
        QVERIFY(largestDifference(usual, early) > 0.001);
    }

    void ringsBeforeTheLogarithm()
    {
        const RawRows raw = spoiltCounts();
        Field usual = countsOf(raw), early;
        flatField(usual, raw);
        early = usual;
        logarithm(usual);
        mend(usual, false);
        ringsBySorting(usual);
        mend(early, true);
        for (double& value : early)
            value = -std::log(value);
        ringsBySorting(early); // rings in transmission are factors, removed in the logarithm
        QVERIFY(farthest(preparedWith(raw, Quantity::counts, ringsGiven), usual) < 1e-5);
        const double far = farthest(
            preparedWith(raw, Quantity::counts, with(ringsGiven, "dead-values,transposition,rings,logarithm")), early);
        QVERIFY2(far < 2e-5, qPrintable(QString::number(far)));
        QVERIFY(largestDifference(usual, early) > 0.001);
    }

    // A stripe that phase retrieval would spread over its neighbours.
    void ringsBeforeAndAfterPhaseRetrieval()
    {
        const RawRows raw = spoiltCounts();
        const Given phase = {{"phase", "paganin"}, {"phase-energy", "20"}, {"phase-distance", "60"}};
        Given both = phase;
        both.insert(ringsGiven.begin(), ringsGiven.end());
        const auto early = preparedWith(raw, Quantity::counts, with(both, "dead-values,transposition,rings,phase"));

        Field light = countsOf(raw);
        flatField(light, raw);
        mend(light, true);
        for (double& value : light)
            value = -std::log(value);
        ringsBySorting(light);
        RawRows cleaned = raw; // will hold transmission
        for (int row = 0; row < rows; ++row)
            for (int p = 0; p < projections; ++p)
                for (int bin = 0; bin < bins; ++bin)
                    cleaned.data.floats()[place(p, row, bin)] = static_cast<float>(std::exp(-at(light, row, p, bin)));
        const Sinograms expected = preparedWith(cleaned, Quantity::transmission, phase);
        QVERIFY(largestDifference(early.values, expected.values) < 1e-5);

        const Sinograms retrieved = preparedWith(raw, Quantity::counts, phase),
                        usual = preparedWith(raw, Quantity::counts, both);
        Field late(retrieved.values.begin(), retrieved.values.end());
        ringsBySorting(late);
        QVERIFY(farthest(usual, late) < 1e-6);
        QVERIFY(largestDifference(usual.values, early.values) > 0.001);
    }

    // The usual order, given or not, gives identical results and counts as having no effect.
    void theUsualOrderIsTheTables()
    {
        const RawRows raw = spoiltCounts();
        std::string all;
        for (const Step& step : steps())
            all += (all.empty() ? "" : ",") + std::string(step.id);
        QVERIFY(orderFromText(all).empty() && orderFromText("").empty() && orderFromText("flat-field,rings").empty());
        QVERIFY(preparedWith(raw, Quantity::counts, with(ringsGiven, all)).values ==
                preparedWith(raw, Quantity::counts, ringsGiven).values);
        QVERIFY(
            !isForDevices(preparationOf(Quantity::counts, settingsWith({{"step-order", "dead-values,logarithm"}}))));
        QVERIFY(isForDevices(preparationOf(Quantity::counts, settingsWith({{"step-order", "zingers,flat-field"}}))));
        // No step that is on changes its place.
        const PreparationSettings idle = settingsWith({{"step-order", "zingers,flat-field"}});
        QVERIFY(idleOrder(idle, Quantity::counts) && withoutIdle(idle, Quantity::counts) == PreparationSettings());
        QVERIFY(!idleOrder(settingsWith(with(zingersGiven, "zingers,flat-field")), Quantity::counts));
    }

    void textsComeBack()
    {
        QCOMPARE(orderToText(orderFromText("zingers,flat-field")), std::string("zingers,flat-field"));
        QCOMPARE(orderToText(orderFromText("rings,logarithm")), std::string("rings,logarithm"));
        std::mt19937 generator(1);
        std::vector<std::string> order;
        for (const Step& step : steps())
            order.emplace_back(step.id);
        for (int k = 0; k < 200; ++k) {
            std::ranges::shuffle(order, generator);
            const std::string text = orderToText(order);
            QCOMPARE(orderFromText(text), order);
            const Request request = requestWith({{"step-order", text}, {"zingers", "square"}, {"rings", "all"}});
            Request again = request;
            again.setting.preparation = {};
            Json json;
            addOptions(json, request, true);
            takeOptions(json, again);
            QVERIFY(idleOrder(request.setting.preparation, Quantity::counts) ||
                    again.setting.preparation.order == order);
        }
    }

    // An order may contain steps that are off, which the command line would refuse. They are left out of the command
    // that repeats an image.
    void stepsThatAreOffAreLeftOut()
    {
        std::mt19937 generator(2);
        std::vector<std::string> order;
        for (const Step& step : steps())
            order.emplace_back(step.id);
        const auto idsOfOn = [](const Preparation& preparation) {
            std::vector<std::string> ids;
            for (const PlannedStep& planned : preparation.steps)
                if (planned.on)
                    ids.emplace_back(planned.step->id);
            return ids;
        };
        int orders = 0;
        for (int k = 0; k < 1000; ++k) {
            std::ranges::shuffle(order, generator);
            Given given;
            for (const auto& [id, text] : {std::pair("zingers", "square"), std::pair("rings", "sorting"),
                                           std::pair("air", "both"), std::pair("axis-tilt", "1")})
                if (generator() % 2)
                    given[id] = text;
            PreparationSettings chosen = settingsWith(given);
            chosen.order = order;
            const Preparation before = preparationOf(Quantity::counts, chosen);
            chosen.order = orderOfStepsOn(chosen, before);
            const std::string text = orderToText(chosen.order);
            QCOMPARE(idsOfOn(preparationOf(Quantity::counts, chosen)), idsOfOn(before));
            QVERIFY2(!offInOrder(text, before), text.c_str());
            orders += !text.empty();
        }
        QVERIFY(orders > 500);
    }

    void whatMakesNoSenseIsRefused()
    {
        const auto refusal = [](const Given& given, Quantity quantity = Quantity::counts) {
            return objectionTo(preparationOf(quantity, settingsWith(given)), quantity).value_or("accepted");
        };
        QCOMPARE(refusal(with(ringsGiven, "rings,logarithm")),
                 std::string("The step 'rings' takes values without gaps, but after 'flat-field' there are values with "
                             "gaps (dead values, not filled yet): put 'dead-values' before it."));
        QCOMPARE(refusal(with(ringsGiven, "rings,transposition,logarithm")),
                 std::string("The step 'rings' takes sinograms, but after 'flat-field' there are projections: put "
                             "'transposition' before it."));
        QCOMPARE(refusal({{"step-order", "logarithm,flat-field"}}),
                 std::string("The step 'logarithm' takes transmission, but the scan holds counts: put 'flat-field' "
                             "before it."));
        QCOMPARE(refusal({{"step-order", "dead-values,flat-field"}}),
                 std::string("The step 'dead-values' takes transmission or line integrals, but the scan holds counts: "
                             "put 'flat-field' before it."));
        QVERIFY(contains(refusal({{"air", "both"}, {"step-order", "air,logarithm"}}), "takes line integrals"));
        for (const char* whole : {"dead-values,transposition,rings,logarithm", "dead-values,rings,logarithm"})
            QCOMPARE(refusal(with(ringsGiven, whole)), std::string("accepted"));
        QCOMPARE(refusal(with(ringsGiven, "transposition,rings,dead-values"), Quantity::attenuation),
                 std::string("The step 'rings' takes values without gaps, but the scan holds values with gaps (dead "
                             "values, not filled yet): put 'dead-values' before it."));
        QVERIFY(fails(ErrorKind::badRequest, {"ring", "the steps are", "rings, row-shifts"},
                      [] { orderFromText("ring,logarithm"); }));
        QVERIFY(fails(ErrorKind::badRequest, {"a single step", "'rings,STEP'"}, [] { orderFromText("rings"); }));
        QVERIFY(fails(ErrorKind::badRequest, {"'rings'", "twice"}, [] { orderFromText("rings,air,rings"); }));
        QVERIFY(fails(ErrorKind::badRequest, {"'logarithm'"}, [] {
            Request request = requestWith({{"step-order", "logarithm,flat-field"}});
            request.scan = smallScan(16, 10);
            prepareRows(request.scan->read({0, 1}, {}), request.scan->quantity, preparationOf(request), 1);
        }));
    }

    // A step moves by one place among the steps that are on; steps that it needs move along.
    void stepsAreMovedToWhereTheyMakeSense()
    {
        Scan counted;
        counted.geometry = ParallelBeam{};
        const auto movedText = [&](const Given& given, const char* step, bool earlier) {
            const StepMove made = moved(settingsWith(given), counted, step, earlier);
            return made.objection.empty() ? orderToText(made.order) : made.objection;
        };
        QCOMPARE(movedText(zingersGiven, "zingers", true), std::string("zingers,flat-field"));
        QCOMPARE(movedText(with(zingersGiven, "zingers,flat-field"), "zingers", false), std::string());
        QCOMPARE(movedText(zingersGiven, "zingers", false), std::string("logarithm,zingers"));
        QCOMPARE(movedText({}, "dead-values", true), std::string("dead-values,logarithm"));
        QCOMPARE(movedText(ringsGiven, "rings", true), std::string("dead-values,rings,logarithm"));
        QCOMPARE(movedText(ringsGiven, "rings", false), std::string("It is the last step."));
        QCOMPARE(movedText({}, "flat-field", true), std::string("It is the first step."));
        QVERIFY(contains(movedText({}, "flat-field", false), "takes transmission, but the scan holds counts"));
        Given both = ringsGiven;
        both["phase"] = "paganin";
        QCOMPARE(movedText(both, "rings", true), std::string("dead-values,rings,phase"));
        auto beam = ParallelBeam{};
        beam.shiftRows = {0.5};
        counted.geometry = beam; // the scan needs this step
        QCOMPARE(movedText(ringsGiven, "row-shifts", true), std::string("row-shifts,rings"));
        QVERIFY(!idleOrder(settingsWith(with(ringsGiven, "row-shifts,rings")), Quantity::counts));
        counted.geometry = ParallelBeam{};
        for (const bool earlier : {true, false})
            for (const char* step : {"zingers", "rings", "dead-values", "air"}) {
                Given all = ringsGiven;
                all.insert(zingersGiven.begin(), zingersGiven.end());
                all["air"] = "both";
                const StepMove made = moved(settingsWith(all), counted, step, earlier);
                if (!made.objection.empty())
                    continue;
                PreparationSettings next = settingsWith(all);
                next.order = made.order;
                QVERIFY2(!objectionTo(preparationOf(Quantity::counts, next), Quantity::counts), step);
                QVERIFY2(!idleOrder(next, Quantity::counts), step);
            }
    }
};

SINOSCOPE_TEST(StepOrderTest, QCoreApplication)

} // namespace step_order

#include "step_order_test.moc"

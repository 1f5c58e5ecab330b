// SPDX-License-Identifier: GPL-3.0-or-later
// Steps that work on single lines, and their parameters, against their formulas on small arrays.
#include "engine/options/options.h"
#include "engine/prepare/flat_field.h"
#include "engine/prepare/prepare.h"
#include "engine/stages/stages.h"
#include "tests/fixtures.h"

#include <cmath>
#include <map>
#include <random>

using namespace engine;
using namespace fixtures;

namespace small_steps // keeps the short names apart in unity builds
{

constexpr int rows = 2, projections = 11, bins = 30;

inline float& at(Values& values, int frame, int row, int bin)
{
    return values[(static_cast<std::size_t>(frame) * rows + row) * bins + bin];
}

// Returns counts of an object that absorbs half of the light in its middle, with flats that differ from frame to
// frame.
inline RawRows countedRows(int flats, int darks)
{
    RawRows raw;
    raw.rows = {5, rows};
    raw.bins = bins;
    raw.projections = projections;
    raw.flatFrames = flats;
    raw.darkFrames = darks;
    std::mt19937 generator(3);
    std::uniform_real_distribution<float> noise(0, 20);
    raw.data = Samples(Values(std::size_t(projections) * rows * bins));
    raw.flats.resize(std::size_t(flats) * rows * bins);
    raw.darks.resize(std::size_t(darks) * rows * bins);
    for (int frame = 0; frame < flats; ++frame)
        for (int row = 0; row < rows; ++row)
            for (int bin = 0; bin < bins; ++bin)
                at(raw.flats, frame, row, bin) = 900 + 10.0F * static_cast<float>(frame) + noise(generator);
    for (float& value : raw.darks)
        value = 90 + noise(generator);
    for (int p = 0; p < projections; ++p)
        for (int row = 0; row < rows; ++row)
            for (int bin = 0; bin < bins; ++bin)
                at(raw.data.floats(), p, row, bin) = 100 + (bin > 8 && bin < 20 ? 400.0F : 800.0F) + noise(generator);
    return raw;
}

// Returns rows with the given line integrals.
inline RawRows lineIntegrals(const std::function<float(int projection, int bin)>& value)
{
    RawRows raw = countedRows(0, 0);
    for (int p = 0; p < projections; ++p)
        for (int row = 0; row < rows; ++row)
            for (int bin = 0; bin < bins; ++bin)
                at(raw.data.floats(), p, row, bin) = value(p, bin);
    return raw;
}

using Given = std::map<std::string, std::string>;

inline PreparationSettings settingsOf(const Given& given)
{
    Request request;
    for (const auto& [id, text] : given)
        setField(option(id), request, text);
    return request.setting.preparation;
}

inline Prepared prepared(const RawRows& raw, Quantity quantity, const Given& given)
{
    return prepareRows(raw, quantity, preparationOf(quantity, settingsOf(given)), 2);
}

inline double valueIn(const Prepared& values, int projection, int row, int bin)
{
    return values.sinograms.values[(static_cast<std::size_t>(row) * projections + projection) * bins + bin];
}

inline double meanOf(Values& frames, int first, int end, int row, int bin)
{
    double sum = 0;
    for (int frame = first; frame < end; ++frame)
        sum += at(frames, frame, row, bin);
    return sum / (end - first);
}

inline double medianOfFrames(Values& frames, int count, int row, int bin)
{
    std::vector<double> all;
    for (int frame = 0; frame < count; ++frame)
        all.push_back(at(frames, frame, row, bin));
    std::ranges::sort(all);
    return (all[(count - 1) / 2] + all[count / 2]) / 2;
}

class SmallStepsTest : public QObject
{
    Q_OBJECT

  private slots:
    void mediansOfFrames()
    {
        for (const int flats : {3, 4}) {
            RawRows raw = countedRows(flats, 5);
            at(raw.flats, 1, 0, 4) = 5000; // damaged
            const Prepared values = prepared(raw, Quantity::counts, {{"flat-field", "median"}});
            for (int p = 0; p < projections; ++p)
                for (int row = 0; row < rows; ++row)
                    for (int bin = 0; bin < bins; ++bin) {
                        const double dark = medianOfFrames(raw.darks, 5, row, bin),
                                     flat = medianOfFrames(raw.flats, flats, row, bin);
                        const double expected = -std::log((at(raw.data.floats(), p, row, bin) - dark) / (flat - dark));
                        QVERIFY(std::abs(valueIn(values, p, row, bin) - expected) < 1e-5);
                    }
        }
    }

    // The first two flats change gradually into the last two; a fifth one, in the middle, belongs to neither. The same
    // if each two were joined before.
    void flatsThatChange()
    {
        const Given interpolated = {{"flat-field", "interpolated"}};
        for (const int flats : {4, 5}) {
            RawRows raw = countedRows(flats, 2), joined = raw;
            Preparation preparation = preparationOf(Quantity::counts, settingsOf(interpolated));
            joinFrames(joined, preparation);
            QCOMPARE(joined.flatFrames, 2);
            const Prepared values = prepared(raw, Quantity::counts, interpolated),
                           same = prepareRows(joined, Quantity::counts, preparation, 2);
            for (int p = 0; p < projections; ++p)
                for (int row = 0; row < rows; ++row)
                    for (int bin = 0; bin < bins; ++bin) {
                        const double dark = meanOf(raw.darks, 0, 2, row, bin), late = p / double(projections - 1);
                        const double flat = (1 - late) * meanOf(raw.flats, 0, 2, row, bin) +
                                            late * meanOf(raw.flats, flats - 2, flats, row, bin);
                        const double expected = -std::log((at(raw.data.floats(), p, row, bin) - dark) / (flat - dark));
                        QVERIFY(std::abs(valueIn(values, p, row, bin) - expected) < 1e-5);
                        QVERIFY(std::abs(valueIn(same, p, row, bin) - expected) < 1e-5);
                    }
            QVERIFY(mentions(values.notes, "first 2 flat frames"));
        }
    }

    // Three groups of flats, before, between and after the projections, of which each counts at its place.
    void flatsOfKnownTimes()
    {
        RawRows raw = countedRows(6, 2), joined = raw;
        for (int frame = 2; frame < 6; ++frame) // the beam fades, and less so in the second row
            for (int row = 0; row < rows; ++row)
                for (int bin = 0; bin < bins; ++bin)
                    at(raw.flats, frame, row, bin) *= frame < 4 ? 0.9F : 0.7F + 0.1F * static_cast<float>(row);
        at(raw.flats, 3, 1, 7) = 0;
        at(raw.flats, 2, 1, 7) = 0; // dead, but only later
        joined.flats = raw.flats;
        Preparation preparation = preparationOf(Quantity::counts, {});
        QCOMPARE(prepareRows(raw, Quantity::counts, preparation, 2).sinograms.values,
                 prepared(raw, Quantity::counts, {{"flat-field", "mean"}}).sinograms.values);
        preparation.flatPlaces = {-0.5, -0.5, 3.5, 3.5, 10.5, 10.5};
        Preparation ofJoined = preparation;
        joinFrames(joined, ofJoined);
        QCOMPARE(joined.flatFrames, 3);
        const Prepared values = prepareRows(raw, Quantity::counts, preparation, 2),
                       same = prepareRows(joined, Quantity::counts, ofJoined, 2);
        QVERIFY(relativeError(same.sinograms.values, values.sinograms.values) < 1e-6);
        QVERIFY(mentions(values.notes, "between 3 groups of flat frames (2, 2 and 2)"));
        QVERIFY(mentions(values.notes, "dead"));
        for (int p = 0; p < projections; ++p)
            for (int row = 0; row < rows; ++row)
                for (int bin = 0; bin < bins; ++bin) {
                    if (row == 1 && bin == 7)
                        continue;
                    const int group = p < 4 ? 0 : 1;
                    const double late = group == 0 ? (p + 0.5) / 4 : (p - 3.5) / 7;
                    const double dark = meanOf(raw.darks, 0, 2, row, bin);
                    const double flat = (1 - late) * meanOf(raw.flats, 2 * group, 2 * group + 2, row, bin) +
                                        late * meanOf(raw.flats, 2 * group + 2, 2 * group + 4, row, bin);
                    const double expected = -std::log((at(raw.data.floats(), p, row, bin) - dark) / (flat - dark));
                    QVERIFY(std::abs(valueIn(values, p, row, bin) - expected) < 1e-5);
                }
        // Part of the projections; a later choice of the user.
        RawRows part = raw;
        part.projections = 4, part.firstProjection = 5, part.scanProjections = projections;
        Values some(std::size_t(4) * rows * bins);
        std::copy_n(raw.data.floats().begin() + std::ptrdiff_t(5) * rows * bins, some.size(), some.begin());
        part.data = Samples(std::move(some));
        const Prepared middle = prepareRows(part, Quantity::counts, preparation, 2);
        for (int row = 0; row < rows; ++row)
            for (int p = 0; p < 4; ++p)
                for (int bin = 0; bin < bins; ++bin)
                    QCOMPARE(middle.sinograms.values[(std::size_t(row) * 4 + p) * bins + bin],
                             static_cast<float>(valueIn(values, 5 + p, row, bin)));
        Preparation plain = preparationOf(Quantity::counts, settingsOf({{"flat-field", "mean"}}));
        plain.flatPlaces = preparation.flatPlaces;
        QCOMPARE(prepareRows(raw, Quantity::counts, plain, 2).sinograms.values,
                 prepared(raw, Quantity::counts, {{"flat-field", "mean"}}).sinograms.values);
        QVERIFY(interpolatesFlats(preparation) && isForDevices(preparation));
        QVERIFY(!interpolatesFlats(plain) && isForDevices(plain));
    }

    // A hot pixel and a dull one are repaired from their neighbours; all others stay.
    void badPixels()
    {
        RawRows raw = countedRows(6, 6);
        for (int frame = 0; frame < 6; ++frame)
            at(raw.darks, frame, 0, 13) += 400, at(raw.flats, frame, 1, 22) *= 0.5F;
        const Prepared left = prepared(raw, Quantity::counts, {});
        const Prepared values = prepared(raw, Quantity::counts, {{"bad-pixels", "12"}});
        for (int p = 0; p < projections; ++p)
            for (int row = 0; row < rows; ++row)
                for (int bin = 0; bin < bins; ++bin) {
                    const bool bad = (row == 0 && bin == 13) || (row == 1 && bin == 22);
                    const double expected = bad ? (valueIn(left, p, row, bin - 1) + valueIn(left, p, row, bin + 1)) / 2
                                                : valueIn(left, p, row, bin);
                    QVERIFY(std::abs(valueIn(values, p, row, bin) - expected) < 1e-6);
                }
        QVERIFY(mentions(values.notes, "2 dead pixels were interpolated"));
        QVERIFY(mentions(values.notes, "2 pixels with a dark level or a response unlike"));
    }

    void zingers_data()
    {
        QTest::addColumn<QString>("way");
        QTest::addColumn<int>("size");
        for (const char* way : {"projections", "square"})
            for (const int size : {3, 5})
                QTest::addRow("%s %d", way, size) << way << size;
    }

    // Values of 1.3 times the median of their neighbours or more become that median; the others are unchanged.
    void zingers()
    {
        QFETCH(QString, way);
        QFETCH(int, size);
        std::mt19937 generator(8);
        std::uniform_real_distribution<float> noise(0, 0.02F);
        Values light(std::size_t(projections) * rows * bins);
        for (float& value : light)
            value = 0.4F + noise(generator);
        // The first and the last projection have zingers, too.
        const auto last = projections - 1;
        for (const auto& [p, row, bin] :
             {std::tuple(0, 0, 0), std::tuple(5, 0, 12), std::tuple(10, 1, 29), std::tuple(last, 0, 17)})
            at(light, p, row, bin) = 0.7F;
        RawRows raw = countedRows(0, 0);
        raw.data = Samples(light);
        const Prepared plain = prepared(raw, Quantity::transmission, {});
        const Prepared values = prepared(raw, Quantity::transmission,
                                         {{"zingers", way.toStdString()}, {"zinger-size", std::to_string(size)}});
        const int reach = size / 2, across = way == "square" ? reach : 0;
        int found = 0;
        for (int p = 0; p < projections; ++p)
            for (int row = 0; row < rows; ++row)
                for (int bin = 0; bin < bins; ++bin) {
                    std::vector<double> window;
                    const int first = std::clamp(p - reach, 0, projections - size);
                    for (int q = first; q < first + size; ++q)
                        for (int b = std::max(0, bin - across); b <= std::min(bins - 1, bin + across); ++b)
                            window.push_back(at(light, q, row, b));
                    std::ranges::sort(window);
                    const double median = (window[(window.size() - 1) / 2] + window[window.size() / 2]) / 2;
                    if (at(light, p, row, bin) > 1.3 * median) {
                        ++found;
                        QVERIFY(std::abs(valueIn(values, p, row, bin) + std::log(median)) < 1e-6);
                    } else {
                        QCOMPARE(valueIn(values, p, row, bin), valueIn(plain, p, row, bin));
                    }
                }
        QCOMPARE(found, 4);
        QVERIFY(mentions(values.notes, std::to_string(found) + " zinger"));
        QVERIFY(fails(ErrorKind::badRequest, {"--zinger-size 4", "odd"}, [&] {
            prepared(raw, Quantity::transmission, {{"zingers", "square"}, {"zinger-size", "4"}});
        }));
    }

    // Where little light arrives, noise is many times the median: a zinger is brighter by 1 % of the beam, too. The
    // same before the flat field, where the beam is measured in counts.
    void zingersWhereLittleLightArrives()
    {
        const auto light = [](int p, int bin) {
            return p == 4 && bin == 7 ? 0.032F : p == 6 && bin == 20 ? 0.028F : 0.02F;
        };
        RawRows counts = lineIntegrals([&](int p, int bin) { return 100 + 900 * light(p, bin); });
        counts.flatFrames = counts.darkFrames = 1;
        counts.flats.assign(std::size_t(rows) * bins, 1000.0F);
        counts.darks.assign(std::size_t(rows) * bins, 100.0F);
        for (const Prepared& values :
             {prepared(lineIntegrals(light), Quantity::transmission, {{"zingers", "projections"}}),
              prepared(counts, Quantity::counts, {{"zingers", "projections"}, {"step-order", "zingers,flat-field"}})}) {
            QVERIFY(std::abs(valueIn(values, 4, 0, 7) + std::log(0.02)) < 1e-5);
            QVERIFY(std::abs(valueIn(values, 6, 0, 20) + std::log(0.028)) < 1e-5);
            QVERIFY(mentions(values.notes, std::to_string(rows) + " zingers")); // one in each row
        }
    }

    // In line integrals, zingers are values that are lower by the logarithm of this factor; dead values are left
    // to the step that repairs them.
    void zingersOfLineIntegrals()
    {
        RawRows raw = lineIntegrals([](int p, int bin) { return p == 4 && bin == 7 ? 0.5F : 1 + 0.001F * bin; });
        at(raw.data.floats(), 4, 0, 20) = notANumber;
        const Prepared values = prepared(raw, Quantity::attenuation, {{"zingers", "projections"}});
        for (int bin = 0; bin < bins; ++bin)
            QVERIFY(std::abs(valueIn(values, 4, 0, bin) - (1 + 0.001 * bin)) < 1e-6);
    }

    void airAtTheMargins()
    {
        const auto value = [](int p, int bin) {
            return static_cast<float>((bin > 8 && bin < 20 ? 1 : 0) + 0.01 * p + 0.002 * p * bin);
        };
        const RawRows raw = lineIntegrals(value);
        const Prepared both = prepared(raw, Quantity::attenuation, {{"air", "both"}, {"air-width", "4"}});
        const Prepared left = prepared(raw, Quantity::attenuation, {{"air", "left"}, {"air-width", "4"}});
        const Prepared right = prepared(raw, Quantity::attenuation, {{"air", "right"}, {"air-width", "4"}});
        for (int p = 0; p < projections; ++p)
            for (int bin = 0; bin < bins; ++bin) {
                QVERIFY(std::abs(valueIn(both, p, 1, bin) - (bin > 8 && bin < 20 ? 1 : 0)) < 1e-6);
                QVERIFY(std::abs(valueIn(left, p, 1, bin) - (value(p, bin) - 0.01 * p - 0.002 * p * 1.5)) < 1e-6);
                QVERIFY(std::abs(valueIn(right, p, 1, bin) - (value(p, bin) - 0.01 * p - 0.002 * p * 27.5)) < 1e-6);
            }
        QVERIFY(mentions(both.notes, "22 rows of projections had the air at both margins"));
        QVERIFY(mentions(right.notes, "the air at the right margin"));
    }

    void beamHardening()
    {
        const RawRows raw = lineIntegrals([](int p, int bin) { return 0.1F * static_cast<float>(bin - p); });
        const Prepared values =
            prepared(raw, Quantity::attenuation,
                     {{"beam-hardening", "polynomial"}, {"hardening-square", "0.3"}, {"hardening-cube", "-0.02"}});
        for (int p = 0; p < projections; ++p)
            for (int bin = 0; bin < bins; ++bin) {
                const double x = 0.1 * (bin - p), expected = x > 0 ? x + 0.3 * x * x - 0.02 * x * x * x : x;
                QVERIFY(std::abs(valueIn(values, p, 0, bin) - expected) < 1e-5);
            }
    }

    void leastTransmissionIsAFloor()
    {
        RawRows raw = countedRows(0, 0);
        for (int bin = 0; bin < bins; ++bin)
            for (int p = 0; p < projections; ++p)
                for (int row = 0; row < rows; ++row)
                    at(raw.data.floats(), p, row, bin) = bin < 10 ? 0.0F : 0.01F * static_cast<float>(bin);
        const Prepared values = prepared(raw, Quantity::transmission, {{"log-floor", "0.155"}});
        for (int bin = 0; bin < bins; ++bin)
            QVERIFY(std::abs(valueIn(values, 3, 1, bin) + std::log(std::max(0.155, 0.01 * bin))) < 1e-6);
        QVERIFY(mentions(values.notes, "the minimum transmission, 0.155"));
        QVERIFY(!isForDevices(preparationOf(Quantity::transmission, settingsOf({{"log-floor", "0.155"}}))));
    }

    // Steps that a scan does not need, and parameters that have no effect with another choice, are reported and left
    // out of the keys.
    void whatMeansNothingIsSaid()
    {
        const auto reason = [](const char* id, Quantity quantity, const Given& given) {
            return idleReason(*findParameter(id).parameter, quantity, settingsOf(given))
                .value_or("")
                .in(commandLineStyle());
        };
        QCOMPARE(reason("ring-size", Quantity::counts, {}),
                 std::string("only --rings sorting, filtering, fitting, large, dead, wavelet, titarenko, all uses it"));
        QCOMPARE(reason("ring-size", Quantity::counts, {{"rings", "large"}}),
                 std::string("only --rings sorting, filtering, fitting, all uses it"));
        QCOMPARE(reason("ring-size", Quantity::counts, {{"rings", "all"}}), std::string());
        QCOMPARE(reason("flat-field", Quantity::transmission, {}), std::string("the step \"Flat field\" isn't needed"));
        QCOMPARE(reason("log-floor", Quantity::counts, {{"phase", "paganin"}}),
                 std::string("the step \"Logarithm\" isn't needed"));
        QVERIFY(contains(reason("phase", Quantity::attenuation, {}), "takes transmission"));
        QVERIFY(reason("zingers", Quantity::attenuation, {}).empty());
        const PreparationSettings all = settingsOf({{"phase", "paganin"}, {"log-floor", "0.1"}, {"ring-size", "5"}});
        QVERIFY(withoutIdle(all, Quantity::counts) == settingsOf({{"phase", "paganin"}}));
        QVERIFY(withoutIdle(all, Quantity::attenuation) == PreparationSettings{});
    }

    void stepsAreTakenInTheirOrder()
    {
        const Preparation preparation = preparationOf(
            Quantity::counts,
            settingsOf({{"zingers", "square"}, {"air", "both"}, {"beam-hardening", "polynomial"}, {"rings", "all"}}));
        std::vector<std::string> ids;
        for (const PlannedStep& planned : preparation.steps)
            if (planned.on)
                ids.push_back(planned.step->id);
        QCOMPARE(ids, (std::vector<std::string>{"flat-field", "zingers", "logarithm", "dead-values", "air",
                                                "beam-hardening", "transposition", "rings"}));
        QVERIFY(!objectionTo(preparation, Quantity::counts));
        QCOMPARE(notForDevices(preparation), std::string("\"Zingers\", \"Air\", \"Beam hardening\", \"Rings\""));
        const Preparation phase =
            preparationOf(Quantity::counts,
                          settingsOf({{"phase", "paganin"}, {"phase-energy", "20"}, {"phase-distance", "100"}}), 0.001);
        QVERIFY(!objectionTo(phase, Quantity::counts));
        QVERIFY(phase.find("phase") && !phase.find("logarithm") && !phase.find("dead-values"));
    }

    // The numbers of dead, repaired and too dark values are the same when a step that needs all lines at once is added
    // to steps that work line by line.
    void countsStayRightBesideWholeSteps()
    {
        RawRows raw = countedRows(2, 2);
        for (int frame = 0; frame < 2; ++frame)
            at(raw.flats, frame, 0, 11) = 0;
        const Prepared plain = prepared(raw, Quantity::counts, {}),
                       values =
                           prepared(raw, Quantity::counts, {{"zingers", "projections"}, {"zinger-threshold", "99"}});
        QVERIFY(plain.sinograms.values == values.sinograms.values);
        QCOMPARE(values.notes.size(), plain.notes.size() + 1);
        QVERIFY(mentions(values.notes, "0 zingers"));
        QVERIFY(!mentions(values.notes, "not a number"));
    }
};

SINOSCOPE_TEST(SmallStepsTest, QCoreApplication)

} // namespace small_steps

#include "small_steps_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of counts to line integrals: dark and flat fields, dead pixels, and the logarithm.
#include "engine/base/error.h"
#include "engine/prepare/minus_log.h"
#include "engine/prepare/prepare.h"
#include "engine/simulate/phantom.h"
#include "tests/fixtures.h"

#include <cmath>
#include <limits>
#include <random>

using namespace engine;
using namespace fixtures;

namespace
{

constexpr float infinite = std::numeric_limits<float>::infinity();

// Returns two rows of eight bins and three projections, with dark 10 and flat 110, so that a count of 60 is a
// transmission of one half.
RawRows halfTransmitting()
{
    RawRows raw;
    raw.rows = {20, 2};
    raw.bins = 8;
    raw.projections = 3;
    raw.darkFrames = 2;
    raw.flatFrames = 2;
    raw.data.floats().assign(3 * 16, 60);
    raw.darks.assign(2 * 16, 10);
    raw.flats.assign(2 * 16, 110);
    return raw;
}

float& at(RawRows& raw, int projection, int row, int bin)
{
    return raw.data.floats()[(projection * 2 + row) * 8 + bin];
}
float value(const Prepared& prepared, int slice, int projection, int bin)
{
    return prepared.sinograms.values[(slice * 3 + projection) * 8 + bin];
}
bool mentions(const Prepared& prepared, const char* text)
{
    return fixtures::mentions(prepared.notes, text);
}
const float half = std::log(2.f);

} // namespace

class PrepareTest : public QObject
{
    Q_OBJECT

  private slots:
    void logarithmIsSafe();
    void framesAreAveraged();
    void unlikeFramesAreLeftOut();
    void hitsInFramesAreLeftOut();
    void attenuationIsPassedThrough();
    void deadPixelsAreMended();
    void notANumberIsMendedNotSpread();
    void emptyProjection();
    void deadRowIsAnError();
    void withoutFlats();
    void valuesBelowDark();
    void threadsAgree();
    void storedNumbersAreTheirFloats();
    void simulatedScanComesBack();
    void wrongSizesAndCancelling();
};

void PrepareTest::logarithmIsSafe()
{
    QCOMPARE(minusLog(1), 0.f);
    QVERIFY(std::abs(minusLog(.5f) - half) < 1e-7f);
    QVERIFY(minusLog(1.1f) < -.09f);
    const float most = minusLog(1e-6f);
    QVERIFY(std::abs(most - 13.8155f) < 1e-3f);
    for (float t : {0.f, -0.f, -1.f, 1e-30f, notANumber, -notANumber, -infinite})
        QCOMPARE(minusLog(t), most);
    QVERIFY(std::isfinite(minusLog(infinite)) && minusLog(infinite) < -80);
}

void PrepareTest::framesAreAveraged()
{
    RawRows raw = halfTransmitting();
    std::fill_n(raw.darks.begin(), 16, 5.f); // means 7.5 and 107.5
    std::fill_n(raw.flats.begin(), 16, 105.f);
    std::fill_n(raw.flats.begin(), 3, notANumber); // left out: the flat is 110 there
    at(raw, 1, 0, 6) = 32.5f;
    const Prepared prepared = prepareRows(raw, Quantity::counts, 1);
    QCOMPARE(prepared.sinograms.slices, 2);
    QCOMPARE(prepared.sinograms.projections, 3);
    QCOMPARE(prepared.sinograms.bins, 8);
    QVERIFY(std::abs(value(prepared, 0, 1, 6) - std::log(4.f)) < 1e-6f);
    QVERIFY(std::abs(value(prepared, 1, 2, 5) - std::log(100 / 52.5f)) < 1e-6f);
    QVERIFY(std::abs(value(prepared, 0, 0, 1) - std::log(102.5f / 52.5f)) < 1e-6f);
    QVERIFY(prepared.notes.empty());
}

// A dark with light in it, and a flat that is a dark, are left out of the means, and notes name them.
void PrepareTest::unlikeFramesAreLeftOut()
{
    const auto withFrames = [](const std::vector<float>& darks, const std::vector<float>& flats) {
        RawRows raw = halfTransmitting();
        raw.darkFrames = static_cast<int>(darks.size());
        raw.flatFrames = static_cast<int>(flats.size());
        const auto fill = [](Values& frames, const std::vector<float>& levels) {
            frames.resize(16 * levels.size());
            for (std::size_t k = 0; k < frames.size(); ++k)
                frames[k] = levels[k / 16];
        };
        fill(raw.darks, darks);
        fill(raw.flats, flats);
        return prepareRows(raw, Quantity::counts, 1);
    };
    const Prepared odd = withFrames({10, 10, 110, 10}, {110, 110, 10});
    QCOMPARE(value(odd, 1, 2, 5), half);
    QVERIFY(mentions(odd, "Dark frame 2, counted from 0, isn't like the others"));
    QVERIFY(mentions(odd, "Flat frame 2, counted from 0, isn't like the others"));
    // Levels drift, and of two frames none is known to be right.
    const Prepared drifting = withFrames({9, 10, 11}, {100, 110, 120});
    QCOMPARE(value(drifting, 1, 2, 5), half);
    QVERIFY(!mentions(drifting, "isn't like"));
    QVERIFY(!mentions(withFrames({10, 10}, {110, 10, 110, 10}), "like the others"));
}

// A hit of a particle in one frame is left out of the mean of its pixel; noise isn't.
void PrepareTest::hitsInFramesAreLeftOut()
{
    RawRows raw = halfTransmitting();
    raw.darkFrames = raw.flatFrames = 5;
    raw.darks.resize(16 * 5);
    raw.flats.resize(16 * 5);
    for (std::size_t k = 0; k < raw.flats.size(); ++k) {
        raw.darks[k] = static_cast<float>(8 + k / 16); // 8 … 12
        raw.flats[k] = static_cast<float>(108 + k / 16);
    }
    const Prepared right = prepareRows(raw, Quantity::counts, 1);
    QCOMPARE(value(right, 1, 2, 5), half);
    QVERIFY(!mentions(right, "left out"));
    raw.darks[16 + 5] = raw.flats[32 + 6] = 4000; // row 0
    const Prepared hit = prepareRows(raw, Quantity::counts, 1);
    QVERIFY(mentions(hit, "2 pixels of dark or flat frames were far from the other frames"));
    for (const int bin : {4, 5, 6})
        QVERIFY(std::abs(value(hit, 0, 2, bin) - value(right, 0, 2, bin)) < 0.02F); // the means of 4 frames
    // A pixel of which half of the frames differ keeps its mean.
    raw = halfTransmitting();
    raw.darkFrames = 1;
    raw.flatFrames = 4;
    raw.darks.assign(16, 10);
    raw.flats.assign(16 * 4, 110);
    raw.flats[5] = raw.flats[16 + 5] = 60;
    const Prepared halves = prepareRows(raw, Quantity::counts, 1);
    QVERIFY(!mentions(halves, "left out") && !mentions(halves, "dead"));
    QVERIFY(std::abs(value(halves, 0, 2, 5) - std::log(75.0F / 50.0F)) < 1e-5F);
}

void PrepareTest::attenuationIsPassedThrough()
{
    RawRows raw = halfTransmitting();
    raw.darkFrames = raw.flatFrames = 0;
    raw.darks.clear();
    raw.flats.clear();
    for (std::size_t i = 0; i < raw.data.size(); ++i)
        raw.data.floats()[i] = static_cast<float>(i) - 5;
    at(raw, 2, 1, 3) = infinite;
    const Prepared prepared = prepareRows(raw, Quantity::attenuation, 0);
    QCOMPARE(value(prepared, 0, 0, 0), -5.f);
    QCOMPARE(value(prepared, 1, 1, 2), 21.f); // [projection][row][bin] became [slice][projection][bin]
    QCOMPARE(value(prepared, 1, 2, 3), 38.f); // the mean of its neighbours
    QCOMPARE(prepared.notes.size(), std::size_t(1));
    QVERIFY(mentions(prepared, "1 value that is not a number was interpolated"));
}

void PrepareTest::deadPixelsAreMended()
{
    RawRows raw = halfTransmitting();
    // Bins 3 and 4 of row 1: flat and dark are zero; bin 7 of row 0: the flat is below the dark, and the data are
    // extreme.
    for (int frame = 0; frame < 2; ++frame) {
        for (int bin : {3, 4})
            raw.darks[frame * 16 + 8 + bin] = raw.flats[frame * 16 + 8 + bin] = 0;
        raw.flats[frame * 16 + 7] = 3;
    }
    for (int projection = 0; projection < 3; ++projection) {
        at(raw, projection, 1, 3) = at(raw, projection, 1, 4) = 0;
        at(raw, projection, 0, 7) = 1e9f;
    }
    at(raw, 0, 1, 5) = 110; // transmission 1
    const Prepared prepared = prepareRows(raw, Quantity::counts, 2);
    QVERIFY(std::abs(value(prepared, 1, 0, 3) - half * 2 / 3) < 1e-6f);
    QVERIFY(std::abs(value(prepared, 1, 0, 4) - half / 3) < 1e-6f);
    QVERIFY(std::abs(value(prepared, 1, 1, 3) - half) < 1e-6f);
    QVERIFY(std::abs(value(prepared, 0, 2, 7) - half) < 1e-6f);
    QVERIFY(mentions(prepared, "3 dead pixels were interpolated"));
}

void PrepareTest::notANumberIsMendedNotSpread()
{
    RawRows raw = halfTransmitting();
    at(raw, 1, 1, 0) = notANumber;
    at(raw, 1, 1, 4) = -infinite;
    const Prepared prepared = prepareRows(raw, Quantity::counts, 0);
    for (float v : prepared.sinograms.values)
        QVERIFY(std::abs(v - half) < 1e-6f);
    QVERIFY(mentions(prepared, "2 values that are not numbers were interpolated"));
}

void PrepareTest::emptyProjection()
{
    RawRows raw = halfTransmitting();
    for (int bin = 0; bin < 8; ++bin) {
        at(raw, 0, 1, bin) = notANumber;
        at(raw, 1, 1, bin) = 110;
    }
    const Prepared prepared = prepareRows(raw, Quantity::counts, 0);
    for (int bin = 0; bin < 8; ++bin)
        QVERIFY(std::abs(value(prepared, 1, 0, bin)) < 1e-6f); // taken from projection 1, the nearest
    QCOMPARE(prepared.notes.size(), std::size_t(1));
    QVERIFY(mentions(prepared, "1 row of a projection"));
    for (float& v : raw.data.floats())
        v = notANumber;
    QVERIFY_EXCEPTION_THROWN(prepareRows(raw, Quantity::counts, 0), Error);
}

void PrepareTest::deadRowIsAnError()
{
    RawRows raw = halfTransmitting();
    for (int frame = 0; frame < 2; ++frame)
        std::fill_n(raw.flats.begin() + frame * 16 + 8, 8, 10.f);
    QVERIFY(fails(ErrorKind::badFile, {"Row 21"}, [&] { prepareRows(raw, Quantity::counts, 0); }));
}

void PrepareTest::withoutFlats()
{
    RawRows raw = halfTransmitting();
    raw.flatFrames = raw.darkFrames = 0;
    raw.flats.clear();
    raw.darks.clear();
    raw.bins = 40;
    raw.rows.count = 1;
    raw.data.floats().assign(3 * 40, 60);
    for (int projection = 0; projection < 3; ++projection) { // 5 % are two bins; the right end is brighter
        raw.data.floats()[projection * 40] = raw.data.floats()[projection * 40 + 1] = 70;
        raw.data.floats()[projection * 40 + 38] = 110;
        raw.data.floats()[projection * 40 + 39] = 130;
    }
    const Prepared prepared = prepareRows(raw, Quantity::counts, 0);
    QVERIFY(std::abs(prepared.sinograms.values[40 + 20] - half) < 1e-6f);
    QVERIFY(mentions(prepared, "no flat field"));
    QVERIFY(mentions(prepared, "no dark field"));
}

void PrepareTest::valuesBelowDark()
{
    RawRows raw = halfTransmitting();
    for (int bin : {2, 3, 4, 5}) // several adjacent bins: too dense to see through
        at(raw, 0, 0, bin) = bin % 2 ? 4 : 10;
    at(raw, 1, 0, 7) = 10; // isolated: faults
    at(raw, 1, 0, 3) = -60;
    at(raw, 0, 1, 4) = 120;
    const Prepared prepared = prepareRows(raw, Quantity::counts, 0);
    for (int bin : {2, 3, 4, 5})
        QCOMPARE(value(prepared, 0, 0, bin), minusLog(0));
    QVERIFY(std::abs(value(prepared, 0, 0, 6) - half) < 1e-6f);
    QVERIFY(std::abs(value(prepared, 0, 1, 7) - half) < 1e-6f);
    QVERIFY(std::abs(value(prepared, 0, 1, 3) - half) < 1e-6f);
    QVERIFY(std::abs(value(prepared, 1, 0, 4) + std::log(1.1f)) < 1e-6f);
    QVERIFY(mentions(prepared, "4 values at or below the dark level"));
    QVERIFY(mentions(prepared, "2 values without light"));
    // All counts at the dark level.
    std::fill(raw.data.floats().begin(), raw.data.floats().end(), 10.f);
    for (float v : prepareRows(raw, Quantity::counts, 0).sinograms.values)
        QCOMPARE(v, minusLog(0));
}

void PrepareTest::threadsAgree()
{
    Simulation simulation;
    simulation.size = 60;
    simulation.projections = 50;
    simulation.slices = 3;
    simulation.photons = 20;
    const RawRows raw = simulate(simulation)->read({0, 3}, {});
    const Prepared one = prepareRows(raw, Quantity::counts, 1), three = prepareRows(raw, Quantity::counts, 3);
    QCOMPARE(one.sinograms.values, three.sinograms.values);
    QCOMPARE(one.notes, three.notes);
}

// Rows in their stored type and the same numbers as floats give identical results, with and without flats, for any
// line length.
void PrepareTest::storedNumbersAreTheirFloats()
{
    std::mt19937 random(5);
    for (const char* name : {"uint8", "int8", "uint16", "int16", "float32"})
        for (const int bins : {1, 7, 31, 97})
            for (const int flatFrames : {0, 2}) {
                RawRows raw;
                raw.rows = {0, 3};
                raw.bins = bins;
                raw.projections = 11;
                raw.flatFrames = flatFrames;
                raw.flats.assign(static_cast<std::size_t>(flatFrames) * 3 * bins, 130);
                raw.data = Samples(*findSampleType(name), static_cast<std::size_t>(11) * 3 * bins);
                QCOMPARE(raw.data.type().name, name);
                Values numbers(raw.data.size());
                for (float& number : numbers)
                    number = static_cast<float>(random() % 128);
                raw.data.type().fromFloats(numbers.data(), numbers.size(), raw.data.bytes());
                const Prepared stored = prepareRows(raw, Quantity::counts, 2);
                raw.data = numbers;
                const Prepared floats = prepareRows(raw, Quantity::counts, 2);
                QVERIFY(stored.sinograms.values == floats.sinograms.values);
                QCOMPARE(stored.notes, floats.notes);
            }
}

void PrepareTest::simulatedScanComesBack()
{
    Simulation simulation;
    simulation.size = 101;
    simulation.projections = 40;
    simulation.slices = 2;
    const RawRows counts = simulate(simulation)->read({0, 2}, {});
    simulation.counts = false;
    const RawRows truth = simulate(simulation)->read({0, 2}, {});
    const Prepared a = prepareRows(counts, Quantity::counts, 0), b = prepareRows(truth, Quantity::attenuation, 0);
    const double largest = largestDifference(a.sinograms.values, b.sinograms.values);
    QVERIFY2(largest < 1e-5, qPrintable(QString::number(largest)));
}

void PrepareTest::wrongSizesAndCancelling()
{
    RawRows raw = halfTransmitting();
    raw.flats.pop_back();
    QVERIFY_EXCEPTION_THROWN(prepareRows(raw, Quantity::counts, 0), Error);
    raw = halfTransmitting();
    std::stop_source source;
    source.request_stop();
    QVERIFY(fails(ErrorKind::cancelled, [&] { prepareRows(raw, Quantity::counts, 0, source.get_token()); }));
}

SINOSCOPE_TEST(PrepareTest, QCoreApplication)
#include "prepare_test.moc"

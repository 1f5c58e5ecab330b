// SPDX-License-Identifier: GPL-3.0-or-later
// Arcs that are nearly half a turn, beams without flat-field correction, and objects that are cut off: how certain a
// guess may be.
#include "engine/guess/turn_guess.h"
#include "tests/fixtures.h"

#include <QTest>

#include <cmath>
#include <numbers>
#include <random>

using namespace engine;
using namespace fixtures;

namespace
{

constexpr int nearBins = 128;

struct Piece {
    double x, y, a, b, attenuation; // an ellipse, in bins from the axis
};
constexpr Piece pieces[] = {{2, -3, 42, 30, 1}, {14, 8, 8, 8, 1.5}, {-20, 4, 5, 9, 2}, {3, -18, 6, 4, -0.6}};

// Returns line integrals without noise, one projection per degree; `cut` bins are cut off at either side.
TurnLines nearLines(double arcDeg, bool withEnd, int cut = 0)
{
    const int projections = static_cast<int>(std::lround(arcDeg)) + (withEnd ? 1 : 0);
    TurnLines lines{.projections = projections, .bins = nearBins - 2 * cut, .which = {}, .values = {}};
    for (int k = 0; k < projections; ++k) {
        lines.which.push_back(k);
        const double cosine = std::cos(k * degree), sine = std::sin(k * degree);
        for (int bin = cut; bin < nearBins - cut; ++bin) {
            double sum = 0;
            for (const Piece& piece : pieces) {
                const double width = std::hypot(piece.a * cosine, piece.b * sine);
                const double at = (bin - 65.5 - piece.x * cosine - piece.y * sine) / width;
                sum += piece.attenuation * 2 * piece.a * piece.b / width * std::sqrt(std::max(0.0, 1 - at * at));
            }
            lines.values.push_back(static_cast<float>(sum / 50));
        }
    }
    return lines;
}

TurnGuess guessOf(const TurnLines& lines)
{
    return guessTurn(lines, {0, std::numbers::pi, true});
}

TurnLines givenAs(TurnLines lines, double lastDeg)
{
    for (const int k : lines.which)
        lines.givenRad.push_back(k * lastDeg * degree / (lines.projections - 1));
    return lines;
}

} // namespace

class NearTurnsTest : public QObject
{
    Q_OBJECT

  private slots:
    void someDegreesOff_data()
    {
        QTest::addColumn<double>("arcDeg");
        for (const double arcDeg : {176.0, 178.0, 180.0, 182.0, 184.0, 190.0, 356.0, 360.0, 364.0})
            QTest::addRow("%g°", arcDeg) << arcDeg;
    }

    void someDegreesOff()
    {
        QFETCH(double, arcDeg);
        const bool isUsual = arcDeg == 180 || arcDeg == 360;
        for (const bool withEnd : {false, true}) {
            const TurnGuess guess = guessOf(nearLines(arcDeg, withEnd));
            QCOMPARE(guess.isSure(), isUsual);
            const double last = arcDeg - (withEnd ? 0 : 1);
            const auto isNear = [&](const AngleSpread& spread) {
                const double step = spread.lastRad / degree / arcDeg; // of one projection
                const double theirs = spread.lastRad / degree - (spread.endExcluded ? step : 0);
                return !spread.steps && std::abs(theirs - last) < 1.2;
            };
            QVERIFY2(isNear(guess.spread) || (guess.alternative && isNear(*guess.alternative)),
                     guess.reason.plain().c_str());
            if (isUsual)
                QVERIFY2(contains(guess.reason, "give or take"), guess.reason.plain().c_str());
        }
    }

    void withoutFlats()
    {
        for (const double arcDeg : {180.0, 360.0}) {
            TurnLines lines = nearLines(arcDeg, false);
            QVERIFY(guessOf(lines).isSureOfEnd());
            lines.hasUnevenBeam = true;
            QVERIFY(guessOf(lines).isSure() && !guessOf(lines).isSureOfEnd());
        }
    }

    // Noise hides whether half a turn has its end, so that the end is that of the fallback.
    void hiddenEnd()
    {
        TurnLines lines = nearLines(180, true);
        std::mt19937 generator(1);
        std::uniform_real_distribution<float> noise(-.2F, .2F);
        for (float& value : lines.values)
            value += noise(generator);
        for (const bool endExcluded : {false, true}) {
            const TurnGuess guess = guessTurn(lines, {0, std::numbers::pi, endExcluded});
            QVERIFY(guess.isSure() && guess.endCertainty < .55);
            QVERIFY((guess.spread == AngleSpread{0, std::numbers::pi, endExcluded}));
        }
    }

    // A guess that isn't sure of its arc offers the same arc with the other end, too.
    void otherEnd()
    {
        constexpr double pi = std::numbers::pi;
        const AngleSpread half{0, pi, true, {}}, halfWithEnd{0, pi, false, {}}, full{0, 2 * pi, true, {}};
        TurnGuess guess{.spread = half, .certainty = 0.75, .endCertainty = 0.95, .reason = {}, .alternative = full};
        QVERIFY(guess.otherEnd() == halfWithEnd);
        guess.certainty = 0.95;
        QVERIFY(!guess.otherEnd());
        guess.endCertainty = 0.6;
        guess.alternative = halfWithEnd;
        QVERIFY(!guess.otherEnd()); // offered already
    }

    // Given angles that are wrong by a degree raise no doubt; a full turn given for half a turn, or the reverse,
    // does.
    void givenAngles()
    {
        for (const double arcDeg : {180.0, 181.0, 182.0, 360.0})
            QVERIFY(!turnAgainstGiven(givenAs(nearLines(arcDeg, true), arcDeg)));
        QVERIFY(turnAgainstGiven(givenAs(nearLines(180, true), 360)));
        QVERIFY(turnAgainstGiven(givenAs(nearLines(360, true), 180)));
    }

    void givenAnglesOfACutObject()
    {
        constexpr int cut = 30;
        for (const double arcDeg : {180.0, 360.0}) {
            const TurnLines lines = nearLines(arcDeg, false, cut);
            QVERIFY(!turnAgainstGiven(givenAs(lines, arcDeg - 1)));
            const auto likelier = turnAgainstGiven(givenAs(lines, 540 - arcDeg));
            QVERIFY(likelier && std::abs(likelier->spread.lastRad - arcDeg * degree) < 1e-9);
        }
    }
};

SINOSCOPE_TEST(NearTurnsTest, QCoreApplication)
#include "near_turns_test.moc"

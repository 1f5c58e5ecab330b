// SPDX-License-Identifier: GPL-3.0-or-later
// Scans of random objects, recorded in random ways: right ones raise no doubts, and one wrong fact in them raises one.
#include "engine/examine/examine_rows.h"
#include "engine/guess/line_integrals.h"
#include "engine/guess/turn_guess.h"
#include "engine/scan/empty_projections.h"
#include "tests/fixtures.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <random>

using namespace engine;
using namespace fixtures;

namespace
{

using std::numbers::pi;

struct Ellipse {
    double a, b, x, y, turn, density;
};

// A recording of one row, and what may be wrong with it.
class Recording
{
  public:
    explicit Recording(unsigned seed) : m_random(seed)
    {
        bins = whole(48, 220);
        projections = whole(40, 400);
        const double radius = bins * real(0.2, isOneOf(8) ? 0.7 : 0.42); // some objects are cut off
        m_ellipses.push_back({radius, radius * real(0.6, 1), 0, 0, real(0, pi), real(0.3, 2) / radius});
        for (int k = whole(1, 7); k > 0; --k) {
            const double size = radius * real(0.05, 0.3), from = radius * real(0, 0.6), way = real(0, 2 * pi);
            m_ellipses.push_back({size, size * real(0.3, 1), from * std::cos(way), from * std::sin(way), real(0, pi),
                                  real(-0.3, 1) / radius});
        }
        const double arc = std::array{pi, 2 * pi, pi, 2 * pi, 200 * pi / 180, 1.2 * pi}[whole(0, 5)];
        const bool hasEnd = isOneOf(2), isGolden = isOneOf(10);
        const double start = isOneOf(3) ? real(0, 2 * pi) : 0;
        for (int k = 0; k < projections; ++k)
            angles.push_back(start + (isGolden ? std::fmod(k * 111.246118 * pi / 180, pi)
                                               : arc * k / (hasEnd ? projections - 1 : projections)));
        axis = (bins - 1) / 2.0 + (isOneOf(2) ? real(-0.05, 0.05) * bins : 0);
        photons = isOneOf(4) ? 0 : std::pow(10, real(2, 5));
        pattern = isOneOf(2) ? real(0, 0.05) : 0;
        drift = isOneOf(3) ? real(-0.03, 0.03) : 0;
        darkFrames = whole(1, 12);
        flatFrames = whole(1, 12);
    }

    int whole(int least, int most) { return std::uniform_int_distribution(least, most)(m_random); }
    double real(double least, double most) { return std::uniform_real_distribution(least, most)(m_random); }
    bool isOneOf(int count) { return whole(1, count) == 1; }

    std::vector<Doubt> doubts()
    {
        const Scan scan = recorded();
        RawRows raw = rows();
        change(raw);
        return doubtsOf(scan, raw, emptyProjections(scan, raw));
    }

    // Returns what is assumed if no angles are recorded.
    TurnGuess turn()
    {
        const RawRows raw = rows();
        const auto meanOf = [this](const Values& frames, int count) {
            std::vector<double> mean(static_cast<std::size_t>(bins));
            for (std::size_t k = 0; k < frames.size(); ++k)
                mean[k % mean.size()] += frames[k] / static_cast<double>(count);
            return mean;
        };
        TurnLines lines{.projections = projections, .bins = bins, .which = {}, .values = {}};
        lines.which.resize(static_cast<std::size_t>(projections));
        std::iota(lines.which.begin(), lines.which.end(), 0);
        lines.values = integralsOf(raw.data.floats(), Quantity::counts, meanOf(raw.darks, darkFrames),
                                   meanOf(raw.flats, flatFrames), static_cast<std::size_t>(bins));
        return guessTurn(lines, {0, pi, true});
    }

    int bins, projections, darkFrames, flatFrames;
    std::vector<double> angles, recordedAngles;
    double axis, photons, pattern, drift;
    std::function<void(RawRows&)> change = [](RawRows&) {};

  private:
    Scan recorded() const
    {
        Scan scan;
        scan.path = "recorded.h5";
        scan.rows = 1;
        ParallelBeam beam;
        beam.anglesRad = recordedAngles.empty() ? angles : recordedAngles;
        beam.bins = bins;
        scan.geometry = beam;
        scan.darkFrames = darkFrames;
        scan.flatFrames = flatFrames;
        scan.sampleType = "float32";
        return scan;
    }

    double through(double angle, double t) const
    {
        double sum = 0;
        for (const auto& [a, b, x, y, turn, density] : m_ellipses) {
            const double c = std::cos(angle - turn), s = std::sin(angle - turn), square = a * a * c * c + b * b * s * s;
            const double off = t - x * std::cos(angle) - y * std::sin(angle);
            sum += off * off < square ? 2 * density * a * b * std::sqrt(square - off * off) / square : 0;
        }
        return sum;
    }

    float counted(double light)
    {
        if (photons == 0)
            return static_cast<float>(200 + light);
        const double scale = photons / 20000; // photons per count
        return static_cast<float>(
            std::round(200 + std::poisson_distribution<long long>(std::max(1e-9, light * scale))(m_random) / scale));
    }

    RawRows rows()
    {
        RawRows raw;
        raw.rows = {0, 1};
        raw.bins = bins;
        raw.projections = projections;
        raw.darkFrames = darkFrames;
        raw.flatFrames = flatFrames;
        std::vector<double> gains;
        std::normal_distribution<double> normal;
        for (int bin = 0; bin < bins; ++bin)
            gains.push_back(20000 * (1 + 0.1 * std::sin(bin / 9.0)) * std::max(0.5, 1 + pattern * normal(m_random)));
        for (int k = 0; k < darkFrames * bins; ++k)
            raw.darks.push_back(static_cast<float>(200 + std::round(photons > 0 ? 2 * normal(m_random) : 0)));
        for (int k = 0; k < flatFrames * bins; ++k)
            raw.flats.push_back(counted(gains[static_cast<std::size_t>(k % bins)]));
        Values values;
        for (int k = 0; k < projections; ++k)
            for (int bin = 0; bin < bins; ++bin) {
                const double line = (through(angles[k], bin - axis - 0.25) + through(angles[k], bin - axis + 0.25)) / 2;
                values.push_back(counted(gains[bin] * std::exp(-line) * (1 + drift * k / projections)));
            }
        raw.data = Samples(std::move(values));
        return raw;
    }

    std::mt19937 m_random;
    std::vector<Ellipse> m_ellipses;
};

int many(int few, int thorough)
{
    return qEnvironmentVariableIsSet("SINOSCOPE_THOROUGH") ? thorough : few;
}

} // namespace

class RandomScansTest : public QObject
{
    Q_OBJECT

  private slots:
    // At most one false finding in a thousand right scans; of these 3000 one has one.
    void rightScans()
    {
        const int count = many(100, 3000);
        int found = 0;
        for (int seed = 0; seed < count; ++seed)
            for (const Doubt& doubt : Recording(seed).doubts()) {
                ++found;
                qWarning("seed %d: doubt %d %s", seed, static_cast<int>(doubt.about), doubt.text.plain().c_str());
            }
        QVERIFY2(found <= count / 1000, qPrintable(QString::number(found)));
    }

    // Certainties of assumed angles: of those of each tenth, as many are right as they say, within 10 points.
    void certainties()
    {
        struct Tenth {
            int count = 0, right = 0;
            double certainty = 0;
        };
        std::array<Tenth, 10> arcs, ends;
        const auto add = [](std::array<Tenth, 10>& tenths, double certainty, bool isRight) {
            Tenth& tenth = tenths[static_cast<std::size_t>(std::min(9.0, 10 * certainty))];
            ++tenth.count;
            tenth.right += isRight ? 1 : 0;
            tenth.certainty += certainty;
        };
        const int count = many(60, 2000);
        for (int seed = 0; seed < count; ++seed) {
            Recording recording(7000000 + seed);
            const TurnGuess guess = recording.turn();
            const auto [first, last] = std::pair(recording.angles.front(), recording.angles.back());
            const double step = recording.angles[1] - first, whole = step * recording.projections;
            const bool isGolden = std::abs(step - 111.246118 * pi / 180) < 1e-9;
            const std::vector<double> assumed = anglesOf(guess.spread, recording.projections);
            const double assumedStep = assumed[1] - assumed[0];
            const bool isRight =
                isGolden ? std::abs(assumedStep - step) < 1e-3 : std::abs(assumedStep / step - 1) < 0.03;
            add(arcs, guess.certainty, isRight);
            if (qEnvironmentVariableIsSet("SHOW"))
                qInfo("%d %.3f %d %s", seed, guess.certainty, isRight, guess.reason.plain().c_str());
            if (isRight && !isGolden && guess.isSure())
                add(ends, guess.endCertainty, guess.spread.endExcluded == (std::abs(std::remainder(whole, pi)) < 1e-9));
        }
        int off = 0;
        for (const auto& [tenths, what] : {std::pair(&arcs, "arc"), {&ends, "end"}})
            for (const Tenth& tenth : *tenths) {
                if (tenth.count == 0)
                    continue;
                const double said = tenth.certainty / tenth.count, right = double(tenth.right) / tenth.count;
                qInfo("%s: %4d scans, certainty %.2f, right %.2f", what, tenth.count, said, right);
                if (tenth.count >= 40 && !(std::abs(said - right) < 0.1))
                    QWARN("off by more than 10 points"), ++off;
            }
        QCOMPARE(off, 0);
    }

    void wrongScans_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("percent");
        QTest::newRow("angles doubled") << 0 << 70;
        QTest::newRow("gons as degrees") << 1 << 50;
        QTest::newRow("first half in another order") << 2 << 70;
        QTest::newRow("light jumps") << 3 << 85;
        QTest::newRow("a flat among projections") << 4 << 95;
        QTest::newRow("blocked views") << 5 << 95;
        QTest::newRow("flats of another exposure") << 6 << 80;
        QTest::newRow("frames lost") << 7 << 40;
    }
    void wrongScans()
    {
        QFETCH(int, kind);
        QFETCH(int, percent);
        int found = 0;
        const int count = many(20, 600);
        for (int seed = 0; seed < count; ++seed) {
            Recording recording(100000 + seed);
            const int middle = recording.projections / 2;
            if (kind <= 1)
                for (const double angle : recording.angles)
                    recording.recordedAngles.push_back(angle * (kind == 0 ? 2 : 10 / 9.0));
            else if (kind == 2)
                for (int k = 0; k < recording.projections; ++k)
                    recording.recordedAngles.push_back(
                        recording.angles[k < middle ? 2 * k % recording.projections : k]);
            else if (kind == 7) { // 3 % of the arc
                recording.recordedAngles = recording.angles;
                const double first = recording.angles.front(), lost = 0.03 * (recording.angles.back() - first);
                for (int k = 0; k < recording.projections; ++k)
                    recording.angles[k] = first + 0.97 * (recording.angles[k] - first) + (k < middle ? 0 : lost);
            }
            recording.change = [&](RawRows& raw) {
                Values& values = raw.data.floats();
                const auto dim = [&](int first, int end, float by) {
                    for (int k = first * raw.bins; k < end * raw.bins; ++k)
                        values[k] = 200 + by * (values[k] - 200);
                };
                if (kind == 3)
                    dim(middle, raw.projections, 0.8F);
                if (kind == 4)
                    std::copy_n(raw.flats.begin(), raw.bins, values.begin() + middle * raw.bins);
                if (kind == 5)
                    dim(middle, middle + 10, 0.02F);
                if (kind == 6)
                    for (float& flat : raw.flats)
                        flat = 200 + (flat - 200) / 3;
            };
            found += recording.doubts().empty() ? 0 : 1;
        }
        qInfo("%d of %d", found, count);
        QVERIFY2(100 * found >= percent * count, qPrintable(QString::number(found)));
    }
};

SINOSCOPE_TEST(RandomScansTest, QCoreApplication)
#include "random_scans_test.moc"

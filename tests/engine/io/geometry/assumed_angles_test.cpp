// SPDX-License-Identifier: GPL-3.0-or-later
// Sinograms without angles: the covered angle is determined from the projections, and a wrong assumption is always
// reported as doubtful. The sinograms are simulated over half turns, full turns and more, with the last projection at
// the end of the arc or one step before it, in all formats that need no metadata.
#include "engine/axis/find_axis.h"
#include "engine/documents/report.h"
#include "engine/io/open/open_scan.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/scan_facts.h"
#include "engine/simulate/random.h"
#include "tests/engine/io/files.h"
#include "tests/engine/io/mat_files.h"

#include <QTest>

#include <array>
#include <bit>
#include <functional>
#include <map>
#include <numbers>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

using std::numbers::pi;

enum class Store { integrals, transmission, counts, raw, matrix };
constexpr std::array stores = {Store::integrals, Store::transmission, Store::counts, Store::raw, Store::matrix};

enum class Object { sheppLogan, resolution, rods, stone, disc, square };

// A circle by its radius, distance from the axis, angle and density, in units of half the width; all phantoms except
// the first two consist of circles
struct Circle {
    double radius, distance, angleRad, density;
};

struct Case {
    Object object;
    double turns;   // number of turns: half, full and more
    bool end;       // whether the last projection is at the end of the arc
    double offset;  // of the axis, as a fraction of the width
    double photons; // 0: no noise
    Store store;
    int projections;

    std::vector<double> anglesRad = {};  // if given, used instead of turns and end
    std::vector<Circle> inCylinder = {}; // if given, used instead of the object's circles

    double stepRad() const { return 2 * pi * turns / (end ? projections - 1 : projections); }
    std::string text() const
    {
        static const std::map<Object, std::string> objects = {{Object::sheppLogan, "Shepp-Logan"},
                                                              {Object::resolution, "resolution"},
                                                              {Object::rods, "rods"},
                                                              {Object::stone, "stone"},
                                                              {Object::disc, "disc"},
                                                              {Object::square, "square"}};
        static const std::map<Store, std::string> names = {{Store::integrals, "integrals"},
                                                           {Store::transmission, "transmission"},
                                                           {Store::counts, "counts"},
                                                           {Store::raw, "raw"},
                                                           {Store::matrix, "matrix"}};
        return objects.at(object) + ", " + std::to_string(turns) + " turns " + (end ? "with" : "without") +
               " the end, axis " + std::to_string(offset) + ", " + std::to_string(int(photons)) + " photons, " +
               names.at(store) + ", " + std::to_string(projections) + " projections";
    }
};

constexpr int bins = 96;

std::vector<Circle> circlesOf(Object object)
{
    if (object == Object::disc)
        return {{0.55, 0, 0, 2}};
    if (object == Object::square)
        return {{0.12, 0.4, 0.3, 2},
                {0.12, 0.4, 0.3 + pi / 2, 2},
                {0.12, 0.4, 0.3 + pi, 2},
                {0.12, 0.4, 0.3 + 1.5 * pi, 2}};
    if (object == Object::stone) // with asymmetric inclusions
        return {{0.38, 0.1, 2.5, 1.5}, {0.1, 0.2, 0.5, 1.2}, {0.07, 0.35, 3.9, 2.5}, {0.05, 0.3, 1.9, -1}};
    return {{0.1, 0.42, 0.2, 3}, {0.14, 0.35, 1.7, 2}, {0.08, 0.5, 3.3, 4}, {0.12, 0.2, 4.4, 2}, {0.05, 0.45, 5.5, 5}};
}

double ofCircles(const std::vector<Circle>& circles, double angleRad, double t)
{
    double sum = 0;
    for (const Circle& circle : circles) {
        const double aside = t - circle.distance * std::cos(angleRad - circle.angleRad);
        if (std::abs(aside) < circle.radius)
            sum += 2 * circle.density * std::sqrt(circle.radius * circle.radius - aside * aside);
    }
    return sum;
}

// Computes the projections of one of the engine's phantoms. One full turn is simulated with the angular step of the
// case, and its projections are reused; a finer simulation, with sixty times as many angles, would be slow.
std::vector<double> ofPhantom(const Case& each)
{
    Simulation simulation;
    simulation.phantom = each.object == Object::sheppLogan ? Phantom::sheppLogan : Phantom::resolution;
    simulation.size = bins;
    simulation.arcDeg = 360;
    simulation.projections = int(std::lround(2 * pi / each.stepRad()));
    simulation.axisOffsetBins = each.offset * bins;
    simulation.counts = false;
    simulation.attenuation = 2.5 / bins;
    const Values turn = simulate(simulation)->read({0, 1}, {}).data.toFloats();
    std::vector<double> values;
    for (int k = 0; k < each.projections; ++k) // from an arbitrary first angle
        for (int bin = 0; bin < bins; ++bin)
            values.push_back(turn[std::size_t((k + 7) % simulation.projections) * bins + std::size_t(bin)]);
    return values;
}

std::vector<double> integralsOf(const Case& each)
{
    if (each.object == Object::sheppLogan || each.object == Object::resolution)
        return ofPhantom(each);
    const std::vector<Circle> circles = each.inCylinder.empty() ? circlesOf(each.object) : each.inCylinder;
    std::vector<double> values;
    for (int k = 0; k < each.projections; ++k)
        for (int bin = 0; bin < bins; ++bin)
            values.push_back(
                ofCircles(circles, 0.7 - (each.anglesRad.empty() ? k * each.stepRad() : each.anglesRad[std::size_t(k)]),
                          (bin - (bins - 1) / 2.0 - each.offset * bins) / (bins / 2.0)));
    return values;
}

struct Stored {
    fs::path path;
    OpenOptions options;
};

Stored store(const Case& each, const TemporaryFolder& folder, int number)
{
    std::vector<double> values = integralsOf(each);
    Random random(20 + std::uint64_t(number), {1});
    for (double& value : values)
        if (each.photons > 0)
            value = -std::log(std::max(1.0, random.poisson(each.photons * std::exp(-value))) / each.photons);
    Stored made{.path = folder / ("scan" + std::to_string(number)), .options = {}};
    std::vector<float> floats;
    std::vector<std::uint16_t> counts;
    for (const double value : values) {
        floats.push_back(float(each.store == Store::transmission ? std::exp(-value) : value));
        counts.push_back(std::uint16_t(std::lround(40000 * std::exp(-value))));
    }
    if (each.store == Store::raw) {
        std::ofstream(made.path, std::ios::binary)
            .write(reinterpret_cast<const char*>(floats.data()), std::streamsize(floats.size() * sizeof(float)));
        made.options.raw = {.projections = each.projections, .rows = 1, .bins = bins, .sampleType = "float32"};
    } else if (each.store == Store::matrix) { // MATLAB stores columns
        made.path += ".mat";
        std::vector<double> columns;
        for (int bin = 0; bin < bins; ++bin)
            for (int k = 0; k < each.projections; ++k)
                columns.push_back(values[std::size_t(k) * bins + std::size_t(bin)]);
        made::writeMat(made.path, {made::matrixOf("s", std::size_t(each.projections), bins, columns)});
    } else {
        made.path += ".tif";
        made.options.sinogram = true;
        if (each.store == Store::counts)
            made::tiff(made.path, bins, each.projections, counts);
        else
            made::tiff(made.path, bins, each.projections, floats, {.format = SAMPLEFORMAT_IEEEFP});
    }
    return made;
}

// Returns all combinations of the properties that matter, each with one format and one number of projections.
std::vector<Case> cases()
{
    std::vector<Case> all;
    const auto add = [&](Object object, double turns, bool end, double offset, double photons) {
        const int number = int(all.size());
        const Store store = stores[std::size_t(number) % stores.size()];
        all.push_back({object, turns, end, offset, store == Store::counts ? 0 : photons, store, 45 + number * 13 % 80});
        // The steps of the engine's phantoms must divide a turn evenly.
        Case& made = all.back();
        if (object == Object::sheppLogan || object == Object::resolution) {
            const int steps = made.projections / 4 * 4; // over all turns
            const int turn = int(std::lround(steps / turns));
            made.projections = int(std::lround(turn * turns)) + (end ? 1 : 0);
        }
    };
    for (const Object object : {Object::sheppLogan, Object::resolution, Object::rods, Object::stone})
        for (const double turns : {0.5, 1.0})
            for (const bool end : {false, true})
                for (const double offset : {0.0, -0.2, 0.07, 0.15})
                    for (const double photons : {0.0, 1e4})
                        if (object == Object::rods || object == Object::stone || std::abs(offset) < 0.1)
                            add(object, turns, end, offset, photons);
    for (const Object object : {Object::disc, Object::square})
        for (const double turns : {0.5, 1.0})
            for (const bool end : {false, true})
                for (const double photons : {0.0, 1e4})
                    add(object, turns, end, 0.1, photons);
    for (const Object object : {Object::sheppLogan, Object::stone})
        for (const double turns : {1.1, 1.25, 1.4, 1.5})
            for (const bool end : {false, true})
                add(object, turns, end, 0, end ? 1e4 : 0);
    return all;
}

// Returns whether the detector cuts off the object. The engine's phantoms fill the detector, so that they are cut off
// if the axis is anywhere but in its middle.
bool isCutOff(const Case& each)
{
    return (each.object == Object::sheppLogan || each.object == Object::resolution) && each.offset != 0;
}

// Returns whether the covered angle is right, with or without the end.
bool isRightArc(const Scan& scan, const Case& each)
{
    const std::vector<double>& angles = scan.anglesRad();
    return std::abs((angles.back() - angles.front()) / (2 * pi) - each.turns) < 0.05;
}

// Returns whether the last projection's angle is right to within half a step.
bool isRight(const Scan& scan, const Case& each)
{
    const std::vector<double>& angles = scan.anglesRad();
    return std::abs(angles.back() - angles.front() - each.stepRad() * (each.projections - 1)) < each.stepRad() / 2;
}

} // namespace

class AssumedAnglesTest : public QObject
{
    Q_OBJECT
  private slots:
    void turns()
    {
        const TemporaryFolder folder;
        std::map<std::string, int> outcomes;
        int decidable = 0, right = 0, wrong = 0, wrongArcs = 0, wrongArcsCut = 0, number = 0;
        std::vector<std::string> failures;
        for (const Case& each : cases()) {
            if (++number % 8 != 1 && sanitized) // the other cases run the same code
                continue;
            // Numbers with an odd number of ones: half of the cases with each object, arc, offset and noise.
            if (!sanitized && !thorough && std::popcount(unsigned(number)) % 2 == 0)
                continue;
            const Stored stored = store(each, folder, number);
            const auto scan = openScan(stored.path, stored.options);
            QVERIFY(scan->anglesAssumed && scan->assumedTurn);
            QVERIFY2(!scan->axesLookExchanged(), each.text().c_str());
            const TurnGuess& guess = *scan->assumedTurn;
            const bool isGood = isRight(*scan, each), isDoubted = !guess.isSure() || !guess.isSureOfEnd();
            const bool isSymmetric = each.object == Object::disc || each.object == Object::square;
            const bool isDecidable = !isSymmetric && !isCutOff(each) && each.turns <= 1;
            wrongArcs += guess.isSure() && !isRightArc(*scan, each);
            wrongArcsCut += isCutOff(each) && !isRightArc(*scan, each);
            const std::string outcome = std::string(isGood ? "right" : "wrong") + (isDoubted ? ", doubted" : "");
            ++outcomes[std::string(isDecidable      ? "decidable"
                                   : each.turns > 1 ? "other arc"
                                   : isSymmetric    ? "symmetric"
                                                    : "cut off") +
                       ": " + outcome];
            decidable += isDecidable;
            right += isDecidable && isGood;
            wrong += !isGood && !isDoubted;
            if (!isGood || (isDecidable && isDoubted))
                failures.push_back(outcome + ": " + each.text() + ": " + toText(guess.spread) + ", " +
                                   std::to_string(guess.certainty) + ", end " + std::to_string(guess.endCertainty) +
                                   ": " + guess.reason.plain());
        }
        const bool isEnough = number >= 100 && wrong == 0 && 100 * right >= (sanitized ? 50 : 95) * decidable;
        for (const auto& [outcome, count] : outcomes)
            qInfo("%s: %d", outcome.c_str(), count);
        if (!isEnough || qEnvironmentVariableIsSet("SINOSCOPE_OUTCOMES"))
            for (const std::string& failure : failures)
                qWarning("%s", failure.c_str());
        qInfo("%d of objects that are cut off have another arc, doubted", wrongArcsCut);
        QCOMPARE(wrong, 0);
        QCOMPARE(wrongArcs, 0);
        QVERIFY(isEnough);
    }

    // An object that looks alike from all sides: half a turn is assumed, a full turn is offered, and the axis is
    // doubtful.
    void doubts()
    {
        const TemporaryFolder folder;
        const Stored stored = store({Object::disc, 1, false, 0.1, 0, Store::integrals, 90}, folder, 0);
        const auto scan = openScan(stored.path, stored.options);
        const TurnGuess& guess = scan->assumedTurn.value();
        QVERIFY(!guess.isSure() && guess.spread == (AngleSpread{0, pi, true}));
        QVERIFY(guess.alternative == (AngleSpread{0, 2 * pi, true}));
        QVERIFY(mentions(scan->notes, "0 to 180° without the end is assumed (the arc is "));
        QVERIFY(mentions(scan->notes, "(--angles 0:360 --angles-end-excluded)"));
        const std::string json = scanJson(*scan);
        for (const char* part : {"\"assumed\"", "\"certainty\"", "\"alternative\"", "\"lastDeg\": 360"})
            QVERIFY2(contains(json, part), part);
        const auto other = openScan(stored.path, withSpread(stored.options, *guess.alternative));
        QVERIFY(!other->anglesAssumed && !other->assumedTurn);
        QVERIFY(std::abs(other->anglesRad().back() - 2 * pi * 89 / 90) < 1e-9);

        const AxisCandidates doubted = findAxisCandidates(requestFor(scan)),
                             sure = findAxisCandidates(requestFor(other));
        QVERIFY(*doubted.found.confidence < sureAxis && contains(doubted.found.doubt, "assumed angles"));
        QVERIFY(!contains(sure.found.doubt, "assumed"));
        Reconstructor reconstructor;
        QVERIFY(contains(reconstructor.run(requestFor(scan)).axisDoubt, "assumed angles"));
    }

    // Golden angles of half a turn and of a full one, increasing without limit or wrapped into half a turn.
    void goldenAngles()
    {
        const TemporaryFolder folder;
        const double ratio = (1 + std::sqrt(5.0)) / 2;
        int number = 0;
        for (const AngleSteps& steps :
             {AngleSteps{0, pi / ratio}, AngleSteps{0, pi - pi / ratio}, AngleSteps{0, 2 * pi / (ratio * ratio)},
              AngleSteps{0, pi / ratio, pi}, AngleSteps{0, 2 * pi / (ratio * ratio), pi}})
            for (const Object object : {Object::rods, Object::stone})
                for (const double photons : {0.0, 1e4}) {
                    Case each{object, 1, false, number % 2 ? 0.1 : 0, photons, Store::integrals, 60 + 17 * number % 90};
                    each.anglesRad = anglesOf(steps, each.projections);
                    const Stored stored = store(each, folder, ++number);
                    const auto scan = openScan(stored.path, stored.options);
                    const TurnGuess& guess = scan->assumedTurn.value();
                    const std::string text = each.text() + ": " + toText(guess.spread) + ": " + guess.reason.plain();
                    QVERIFY2(guess.isSure() && guess.isSureOfEnd() && guess.spread.steps, text.c_str());
                    QVERIFY2(largestDifference(scan->anglesRad(), each.anglesRad) < 1e-4, text.c_str());
                    QVERIFY(mentions(scan->notes, toText(guess.spread) + " are assumed (the steps are 99 % certain)"));
                    const auto given = openScan(stored.path, withSpread(stored.options, guess.spread));
                    QVERIFY(!given->anglesAssumed && given->anglesRad() == scan->anglesRad());
                }
    }

    // Angles that the user gives are checked: those that don't fit are doubted, and others are offered.
    void givenAngles()
    {
        const TemporaryFolder folder;
        const AngleSpread half{0, pi, true, {}}, full{0, 2 * pi, true, {}},
            golden{.steps = AngleSteps{0, 2 * pi / (1 + std::sqrt(5.0))}};
        int number = 0;
        for (const AngleSpread& right : {half, full, golden})
            for (const Object object : {Object::rods, Object::stone})
                for (const double photons : {0.0, 1e4}) {
                    if (sanitized && photons > 0) // runs the same code
                        continue;
                    if (!thorough && (photons > 0) == (object == Object::rods))
                        continue;
                    Case each{object, 1, true, number % 2 ? 0.1 : 0, photons, Store::integrals, 60 + 17 * number % 90};
                    each.anglesRad = anglesOf(right, each.projections);
                    const Stored stored = store(each, folder, ++number);
                    for (const AngleSpread& given : {half, full, golden}) {
                        const auto scan = openScan(stored.path, withSpread(stored.options, given));
                        QVERIFY(!scan->anglesAssumed && !scan->assumedTurn);
                        QCOMPARE(scan->likelierTurn.has_value(), given != right);
                        QCOMPARE(mentions(scan->notes, "The angles don't fit the projections"), given != right);
                        QCOMPARE(contains(scanJson(*scan), "\"likelier\""), given != right);
                        QCOMPARE(contains(scanFacts(*scan)[2].value, "don't fit the projections"), given != right);
                        if (given == right)
                            continue;
                        const auto offered =
                            openScan(stored.path, withSpread(stored.options, scan->likelierTurn->spread));
                        QVERIFY(!offered->likelierTurn &&
                                largestDifference(offered->anglesRad(), each.anglesRad) <= each.stepRad());
                        if (photons > 0)
                            continue;
                        const AxisFound found = findAxisCandidates(requestFor(scan)).found;
                        QVERIFY(found.isGuess() ||
                                (*found.confidence < sureAxis && contains(found.doubt, "don't fit the projections")));
                    }
                    // Reversed angles, and those with another first angle, fit as well.
                    std::vector<double> backwards = each.anglesRad;
                    for (double& angle : backwards)
                        angle = 1 - angle;
                    OpenOptions turned = stored.options;
                    turned.anglesRad = backwards;
                    QVERIFY(!openScan(stored.path, turned)->likelierTurn);
                }
        // Another arc, and a rotation forth and back, both given as half a turn.
        for (const bool isArc : {false, true}) {
            Case each{Object::rods, 1, true, 0.1, 1e4, Store::integrals, 120};
            for (int k = 0; k < each.projections; ++k)
                each.anglesRad.push_back(isArc ? 1.5 * pi * k / 119 : pi * std::min(k, 119 - k) / 59);
            const Stored stored = store(each, folder, ++number);
            const auto wrong = openScan(stored.path, withSpread(stored.options, half));
            QVERIFY(wrong->likelierTurn && wrong->likelierTurn->isUneven == !isArc);
            QVERIFY(!isArc || std::abs(wrong->likelierTurn->spread.lastRad - 1.5 * pi) < 0.1);
            OpenOptions right = stored.options;
            right.anglesRad = each.anglesRad;
            QVERIFY(!openScan(stored.path, right)->likelierTurn);
        }
        // Given angles are not doubted if the projections show nothing certain: a disc looks alike from all sides.
        const Stored disc = store({Object::disc, 1, false, 0.1, 0, Store::integrals, 90}, folder, 0);
        for (const AngleSpread& given : {half, full, golden})
            QVERIFY(!openScan(disc.path, withSpread(disc.options, given))->likelierTurn);
    }

    // Half turns of an object that is cut off: whether the last projection is at the end of the arc is decided by how
    // the last projections continue into mirror images of the first ones, and this decision is mostly right. The arc
    // remains doubtful, as arcs that differ by some degrees look alike.
    void cutOffHalfTurns()
    {
        const TemporaryFolder folder;
        Random random(11, {2});
        int halves = 0, right = 0, sure = 0;
        for (int number = 0; number < (sanitized ? 8 : 60); ++number) {
            Case each{.object = Object::stone,
                      .turns = 0.5,
                      .end = number % 2 == 0,
                      .offset = 0.2 * random.uniform() - 0.1,
                      .photons = number % 3 == 0 ? 0.0 : 1e4,
                      .store = Store::integrals,
                      .projections = 60 + number * 37 % 200};
            each.inCylinder.push_back({1.3, 0, 0, 0.6});
            for (int k = 0; k < 14; ++k)
                each.inCylinder.push_back({0.03 + 0.15 * random.uniform(), 1.1 * std::sqrt(random.uniform()),
                                           2 * pi * random.uniform(), 2 * random.uniform() - 0.3});
            const Stored stored = store(each, folder, number);
            const auto scan = openScan(stored.path, stored.options);
            const TurnGuess& guess = scan->assumedTurn.value();
            QVERIFY(guess.isCut && !guess.isSure());
            if (!contains(guess.reason, "mirror image of the first"))
                continue;
            QVERIFY2(isRightArc(*scan, each), each.text().c_str());
            ++halves;
            right += isRight(*scan, each);
            sure += guess.isSureOfEnd();
            QVERIFY2(isRight(*scan, each) || !guess.isSureOfEnd(), each.text().c_str());
        }
        qInfo("%d taken as half turns, %d with the right end, %d of them without a doubt", halves, right, sure);
        QVERIFY(sanitized || (halves > 25 && 4 * right > 3 * halves && sure > 5));
    }

    // Angles that are nearly even or nearly golden are doubted: a lost frame, growing steps, a gap, an arc that is
    // some degrees longer or shorter.
    void nearlyRightAngles()
    {
        const TemporaryFolder folder;
        int number = 0;
        const auto guessOf = [&](const std::vector<double>& anglesRad, Object object) {
            Case each{object, 1, false, 0.05, 0, Store::integrals, int(anglesRad.size()), anglesRad};
            const Stored stored = store(each, folder, ++number);
            return openScan(stored.path, stored.options)->assumedTurn.value();
        };
        for (const Object object : {Object::rods, Object::stone}) {
            for (const double wrapRad : {0.0, pi})
                for (const int count : {101, 151}) {
                    std::vector<double> lost = anglesOf(AngleSteps{0, 111.246118 * pi / 180, wrapRad}, count);
                    lost.erase(lost.begin() + count / 2);
                    const TurnGuess guess = guessOf(lost, object);
                    QVERIFY2(!guess.isSure(), guess.reason.plain().c_str());
                }
            std::vector<double> growing, gap = evenAngles(0, pi * 129 / 130, 130);
            for (int k = 0; k < 120; ++k)
                growing.push_back(pi * std::pow(k / 120.0, 1.3));
            gap.erase(gap.begin() + 60, gap.begin() + 70);
            for (const std::vector<double>& angles :
                 {growing, gap, evenAngles(0, 185 * pi / 180, 120), evenAngles(0, 175 * pi / 180, 120)}) {
                if (object == Object::rods && (angles == growing || angles == gap))
                    continue; // rods are thinner than bins, so that their centres move in jumps
                const TurnGuess guess = guessOf(angles, object);
                const std::string text = std::to_string(angles.size()) + " to " + std::to_string(angles.back()) + ": " +
                                         toText(guess.spread) + ", " + guess.reason.plain();
                QVERIFY2(!guess.isSure(), text.c_str());
            }
        }
    }

    // If the angles are neither evenly spaced nor golden, the user must give them: the program does not offer evenly
    // spaced ones.
    void unevenAngles()
    {
        const TemporaryFolder folder;
        Random random(7, {1});
        Case each{Object::rods, 1, false, 0.1, 0, Store::integrals, 90};
        for (int k = 0; k < each.projections; ++k)
            each.anglesRad.push_back(2 * pi * random.uniform());
        const Stored stored = store(each, folder, 0);
        const auto scan = openScan(stored.path, stored.options);
        QVERIFY(scan->assumedTurn->isUneven && !scan->assumedTurn->isSure() && !scan->assumedTurn->alternative);
        QVERIFY(mentions(scan->notes, "Give the angles (--angles FILE, one per line, or FIRST::STEP)."));
        QVERIFY(!contains(findAxisCandidates(requestFor(scan)).found.doubt, "If it is"));

        // The rotation goes forth and back, even projections come before odd ones, or there is no rotation: the guess
        // is never sure, and evenly spaced angles are not offered.
        const int half = each.projections / 2;
        const std::vector<std::function<double(int)>> orders = {
            [&](int k) { return pi * std::min(k, each.projections - 1 - k) / half; },
            [&](int k) { return 2 * pi * std::min(k, each.projections - 1 - k) / half; },
            [&](int k) { return pi * (k < half ? 2 * k : 2 * (k - half) + 1) / each.projections; },
            [](int) { return 0.4; }};
        for (std::size_t order = 0; order < orders.size(); ++order)
            for (const Object object : {Object::rods, Object::stone})
                for (const double photons : {0.0, 1e4}) {
                    if (sanitized && photons > 0)
                        continue;
                    each.object = object;
                    each.photons = photons;
                    for (int k = 0; k < each.projections; ++k)
                        each.anglesRad[std::size_t(k)] = orders[order](k);
                    const auto other = openScan(store(each, folder, 1 + int(order)).path, stored.options);
                    const TurnGuess& guess = other->assumedTurn.value();
                    const std::string text = each.text() + ", order " + std::to_string(order) + ": " +
                                             toText(guess.spread) + ": " + guess.reason.plain();
                    QVERIFY2(!guess.isSure(), text.c_str());
                    QVERIFY2(guess.isUneven || order == 3, text.c_str());
                    QCOMPARE(contains(guess.reason, "turn back and forth"), order < 2);
                }
    }

    // The neutron scan is recognised as a full turn including the end; its axis is right.
    void neutrons()
    {
        const fs::path path = realData / "neutron-360-sinogram/sinogram_360_neutron_image.tif";
        if (!fs::exists(path))
            QSKIP("there are no real scans");
        OpenOptions options;
        options.sinogram = true;
        const auto scan = openScan(path, options);
        QVERIFY(scan->assumedTurn->isSure());
        QVERIFY(std::abs(scan->anglesRad().back() - 2 * pi) < 1e-9);
        QVERIFY(std::abs(findAxisCandidates(requestFor(scan)).found.bins - 245) < 0.5);
    }

    // The tooth's recorded angles cover half a turn evenly without the end.
    void toothWithoutAngles()
    {
        const fs::path path = realData / "tooth-dxchange/tooth.h5";
        if (!fs::exists(path))
            QSKIP("there are no real scans");
        const auto recorded = openScan(path);
        const TemporaryFolder folder;
        {
            made::Hdf5 file(folder / "bare.h5");
            const RawRows rows = recorded->read({0, recorded->rows}, {});
            const auto write = [&](const char* name, int frames, const Values& values) {
                file.numbers(name, {hsize_t(frames), hsize_t(recorded->rows), hsize_t(recorded->bins())},
                             std::vector<double>(values.begin(), values.end()), H5T_IEEE_F32LE);
            };
            write("/exchange/data", rows.projections, rows.data.toFloats());
            write("/exchange/data_white", rows.flatFrames, rows.flats);
            write("/exchange/data_dark", rows.darkFrames, rows.darks);
        }
        const auto bare = openScan(folder / "bare.h5");
        QVERIFY(bare->assumedTurn->isSure() && bare->assumedTurn->isSureOfEnd());
        QVERIFY(largestDifference(bare->anglesRad(), recorded->anglesRad()) < 1e-3);
    }

    void fewProjections()
    {
        const TemporaryFolder folder;
        const Stored stored = store({Object::rods, 0.5, false, 0, 0, Store::raw, 8}, folder, 0);
        const auto scan = openScan(stored.path, stored.options);
        QVERIFY(!scan->assumedTurn->isSure() && contains(scan->assumedTurn->reason, "too few"));
    }
};

SINOSCOPE_TEST(AssumedAnglesTest, QCoreApplication)
#include "assumed_angles_test.moc"

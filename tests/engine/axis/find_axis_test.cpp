// SPDX-License-Identifier: GPL-3.0-or-later
// All methods to find the axis, on scans whose axis is known: the position that each method finds, and a confidence
// that distinguishes right positions from wrong ones.
#include "engine/axis/find_axis.h"
#include "engine/axis/trial_slices.h"
#include "engine/base/stopwatch.h"
#include "engine/io/geometry/angles_file.h"
#include "engine/io/open/open_scan.h"
#include "engine/prepare/prepare.h"
#include "tests/fixtures.h"

#include <cmath>
#include <functional>
#include <numbers>

using namespace engine;
using namespace fixtures;
using std::numbers::pi;

namespace
{

struct AxisCase {
    Sinograms row;
    Geometry geometry;
    double axis = 0; // true position
};

AxisCase simulatedCase(const Simulation& simulation)
{
    const auto scan = simulate(simulation);
    AxisCase made{prepareRows(scan->read({0, 1}, {}), scan->quantity, 0).sinograms, scan->geometry,
                  scan->axisBins().front()};
    std::get<ParallelBeam>(made.geometry).axisBins.clear();
    return made;
}

Simulation headOf(int size, int projections, double arcDeg = 180, double offsetBins = 7.3, double photons = 0)
{
    Simulation simulation;
    simulation.size = size;
    simulation.projections = projections;
    simulation.arcDeg = arcDeg;
    simulation.axisOffsetBins = offsetBins;
    simulation.photons = photons;
    return simulation;
}

// Returns the case as seen by a detector with only some of the bins.
AxisCase croppedCase(const AxisCase& all, int from, int width)
{
    AxisCase some{{1, all.row.projections, width, {}}, all.geometry, all.axis - from};
    for (int p = 0; p < all.row.projections; ++p) {
        const auto first = all.row.values.begin() + static_cast<std::ptrdiff_t>(p) * all.row.bins + from;
        some.row.values.insert(some.row.values.end(), first, first + width);
    }
    std::get<ParallelBeam>(some.geometry).bins = width;
    return some;
}

// Returns an asymmetric object of branches made of many small discs.
AxisCase dendrite(int bins, int projections, double arcRad, double axis, double noise)
{
    ParallelBeam beam;
    beam.bins = bins;
    beam.anglesRad = evenAngles(projections, arcRad);
    AxisCase made{{1, projections, bins, Values(static_cast<std::size_t>(projections) * bins)}, beam, axis};
    std::uint64_t state = 7;
    const auto random = [&state] { // 0 to 1
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<double>(state >> 11) / static_cast<double>(1ull << 53);
    };
    struct Disc {
        double x, y, radius, density;
    };
    const double reach = std::min(axis, bins - 1 - axis) < .3 * bins ? .8 * bins : .45 * bins;
    std::vector<Disc> discs;
    for (int arm = 0; arm < 7; ++arm) {
        const double phi = 2 * pi * (arm + .6 * random()) / 7;
        for (int k = 2; k < 24; ++k) {
            const double along = reach * k / 25., aside = (random() - .5) * .2 * along;
            discs.push_back({along * std::cos(phi) - aside * std::sin(phi),
                             along * std::sin(phi) + aside * std::cos(phi), bins * (.004 + .012 * random()),
                             .5 + random()});
        }
    }
    for (int p = 0; p < projections; ++p)
        for (int bin = 0; bin < bins; ++bin) {
            double sum = 0;
            for (const Disc& disc : discs) {
                const double t =
                    bin - axis - disc.x * std::cos(beam.anglesRad[p]) - disc.y * std::sin(beam.anglesRad[p]);
                if (std::abs(t) < disc.radius)
                    sum += 2 * disc.density * std::sqrt(disc.radius * disc.radius - t * t) * 20. / bins;
            }
            made.row.values[static_cast<std::size_t>(p) * bins + bin] =
                static_cast<float>(sum + noise * (random() + random() + random() - 1.5));
        }
    return made;
}

AxisCase realRow(const std::shared_ptr<const Scan>& scan, int row, double axis)
{
    return {prepareRows(scan->read({row, 1}, {}), scan->quantity, 0).sinograms, scan->geometry, axis};
}

AxisCase neutronCase()
{
    OpenOptions options;
    options.sinogram = true;
    options.angleRangeRad = {0, 2 * pi};
    return realRow(openScan(realData / "neutron-360-sinogram/sinogram_360_neutron_image.tif", options), 0, 245);
}

AxisCase i13Case(int row)
{
    const auto folder = realData / "i13-24737-tiff";
    OpenOptions options;
    const std::vector<double> angles = readAngles(folder / "angles.txt");
    options.anglesRad.assign(angles.begin() + 10, angles.end() - 10);
    options.darks = folder / "dark_00001.tiff";
    options.flats = folder / "flat_00001.tiff";
    return realRow(openScan(folder / "tiffs", options), row, 86);
}

enum class Expected { right, rightOrDoubtful };

struct NamedCase {
    const char* name;
    Expected expected;
    double bound;
    std::function<AxisCase()> make;
    const char* file = nullptr; // of the real data that the case is read from
};

const std::vector<NamedCase>& axisCases()
{
    using enum Expected;
    static const std::vector<NamedCase> cases = {
        {"clean", right, .25, [] { return simulatedCase(headOf(256, 200)); }},
        {"full turn", right, .25, [] { return simulatedCase(headOf(256, 400, 360)); }},
        {"noise", right, .25, [] { return simulatedCase(headOf(256, 200, 180, 7.3, 1e3)); }},
        {"far aside", right, .25, [] { return simulatedCase(headOf(256, 200, 180, -38.1, 1e3)); }},
        {"half acquisition, 0.4 N, right", right, .25, [] { return simulatedCase(headOf(256, 360, 360, 102.2, 1e3)); }},
        {"half acquisition, 0.4 N, left", right, .25, [] { return simulatedCase(headOf(256, 360, 360, -102.2, 1e3)); }},
        {"60 projections, noise", right, .25, [] { return simulatedCase(headOf(256, 60, 180, 7.3, 1e3)); }},
        {"16 projections", right, .25, [] { return simulatedCase(headOf(256, 16)); }},
        {"3 projections", right, .25, [] { return simulatedCase(headOf(256, 3, 180, 0)); }},
        {"5 projections", right, .25, [] { return simulatedCase(headOf(256, 5, 180, 0)); }},
        {"dendrite", right, .25, [] { return dendrite(300, 200, pi, 153.3, 0); }},
        {"dendrite, 60 projections, noise", right, .25, [] { return dendrite(300, 60, pi, 143.3, .5); }},
        {"dendrite, half acquisition", right, .25, [] { return dendrite(300, 400, 2 * pi, 30.3, .3); }},
        {"crop of 26 bins, 4 projections", rightOrDoubtful, .25,
         [] { return croppedCase(simulatedCase(headOf(256, 4, 180, 0)), 40, 26); }},
        {"crop of 26 bins", rightOrDoubtful, .25,
         [] { return croppedCase(simulatedCase(headOf(256, 180, 180, 0)), 40, 26); }},
        {"crop of 26 bins, about the axis", rightOrDoubtful, .25,
         [] { return croppedCase(simulatedCase(headOf(256, 180, 180, 0)), 110, 26); }},
        {"crop of 100 bins", rightOrDoubtful, .25,
         [] { return croppedCase(simulatedCase(headOf(256, 180, 180, 0)), 40, 100); }},
        {"crop of 100 bins, other side", rightOrDoubtful, .25,
         [] { return croppedCase(simulatedCase(headOf(256, 180, 180, 0)), 110, 100); }},
        {"nothing but noise", rightOrDoubtful, .25, [] { return dendrite(200, 100, pi, 9000, .5); }},
        {"tooth", right, .5, [] { return realRow(openScan(realData / "tooth-dxchange/tooth.h5", {}), 0, 295.75); },
         "tooth-dxchange"},
        {"neutron", right, .5, neutronCase, "neutron-360-sinogram"},
        {"i13, row 67", right, .5, [] { return i13Case(67); }, "i13-24737-tiff"},
        {"i13, row 110", rightOrDoubtful, .5, [] { return i13Case(110); }, "i13-24737-tiff"},
        {"k11", rightOrDoubtful, .5,
         [] { return realRow(openScan(realData / "k11-nexus-links/k11-18014.nxs", {}), 11, -100); },
         "k11-nexus-links"}};
    return cases;
}

void addCases()
{
    QTest::addColumn<int>("k");
    for (std::size_t k = 0; k < axisCases().size(); ++k)
        QTest::newRow(axisCases()[k].name) << static_cast<int>(k);
}

} // namespace

class AxisCandidatesTest : public QObject
{
    Q_OBJECT

  private slots:
    void confidenceTellsRightFromWrong_data() { addCases(); }
    void confidenceTellsRightFromWrong();
    void everyWayFindsAGoodScan();
    void saysWhatItCantDo();
    void nothingHasNoAxis();
    void sharpnessIsLeastAtTheAxis();
};

void AxisCandidatesTest::confidenceTellsRightFromWrong()
{
    QFETCH(int, k);
    const NamedCase& named = axisCases()[k];
    if (named.file && !std::filesystem::exists(realData / named.file))
        QSKIP("the scan isn't here");
    if (sanitized && k > 2)
        QSKIP("other numbers go the same way");
    const AxisCase one = named.make();
    const Stopwatch watch;
    const AxisCandidates all = findAxisCandidates(one.row, one.geometry, 0);
    std::string ways;
    for (const AxisCandidate& each : all.candidates)
        if (each.unsuited.empty())
            ways += QString::asprintf("; %s %+.2f (%.2f)%s %.0f ms", each.method->id, each.guess.bins - one.axis,
                                      each.guess.score, each.agrees ? "" : " not", 1e3 * each.seconds)
                        .toStdString();
    const double off = all.found.bins - one.axis;
    qInfo("%+.2f off, confidence %.2f, %.2f s%s", off, *all.found.confidence, watch.seconds(), ways.c_str());
    const bool isRight = std::abs(off) < named.bound, isSure = *all.found.confidence >= sureAxis;
    QCOMPARE(all.found.doubt.empty(), isSure);
    const AxisFound opened = findAxis(one.row, one.geometry, 0);
    QCOMPARE(all.found.bins, opened.bins);
    QCOMPARE(*all.found.confidence, *opened.confidence);
    QCOMPARE(all.found.how, opened.how);
    QVERIFY(named.expected == Expected::right ? isRight && isSure : isRight || !isSure);
}

void AxisCandidatesTest::everyWayFindsAGoodScan()
{
    for (const double arc : {pi, 2 * pi}) {
        const AxisCase one = dendrite(300, arc > 4 ? 400 : 200, arc, 153.3, 0);
        for (const AxisMethod& method : axisMethods()) {
            const AxisSearch search{one.row, std::get<ParallelBeam>(one.geometry)};
            if (method.unsuited(search)) {
                QCOMPARE(std::string(method.id), std::string("overlap"));
                continue;
            }
            const AxisGuess guess = method.find(search);
            qInfo("%.0f°: %s %+.3f, score %.2f", arc / degree, method.id, guess.bins - one.axis, guess.score);
            QVERIFY2(std::abs(guess.bins - one.axis) < std::max(.25, method.errorBins * 2), method.id);
        }
    }
}

void AxisCandidatesTest::saysWhatItCantDo()
{
    const AxisCase few = simulatedCase(headOf(64, 5));
    int unsuited = 0;
    for (const AxisCandidate& each : findAxisCandidates(few.row, few.geometry, 0).candidates) {
        unsuited += !each.unsuited.empty();
        QVERIFY(each.unsuited.empty() || each.unsuited.ends_with('.'));
    }
    QCOMPARE(unsuited, 4);
    for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), 3e38F}) {
        AxisCase spoilt = simulatedCase(headOf(64, 100));
        spoilt.row.values[1000] = bad;
        QVERIFY(
            fails(ErrorKind::badRequest, {"not numbers"}, [&] { findAxisCandidates(spoilt.row, spoilt.geometry, 0); }));
        const std::vector<float> image(64 * 64, bad);
        QVERIFY(sharpnessOf(image, 64, 0, 4).entropy < 1.01); // and no crash
    }
    ParallelBeam two;
    two.bins = 64;
    two.anglesRad = {0, 1};
    QVERIFY(fails(ErrorKind::badRequest, {"2 angles"}, [&] { findAxisCandidates(few.row, two, 0); }));
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(fails(ErrorKind::cancelled, [&] { findAxisCandidates(few.row, few.geometry, 0, stop.get_token()); }));
}

// A uniform scan shows no axis; nor does a scan of a constant value with noise, as the centre of mass of its
// projections is always the middle of the detector.
void AxisCandidatesTest::nothingHasNoAxis()
{
    for (const double arc : {pi, 2 * pi}) {
        AxisCase flat = dendrite(200, 100, arc, 9000, 0);
        for (int k = 0; k < 3; ++k) {
            for (std::size_t i = 0; i < flat.row.values.size(); ++i) // constant, or differing between projections
                flat.row.values[i] = k == 0 ? 0.F : 0.5F + (k == 2 ? static_cast<float>(i / 200) / 100 : 0);
            const AxisCandidates all = findAxisCandidates(flat.row, flat.geometry, 0);
            for (const AxisFound& found : {all.found, findAxis(flat.row, flat.geometry, 0)}) {
                QCOMPARE(found.bins, 99.5);
                QVERIFY(found.confidence && *found.confidence == 0);
                QVERIFY(found.isGuess());
                QVERIFY2(contains(found.doubt, "is a guess") && contains(found.doubt, "without contrast"),
                         found.doubt.plain().c_str());
            }
        }
        AxisCase fog = dendrite(200, 100, arc, 9000, .02);
        for (float& value : fog.row.values)
            value += 0.5F;
        const AxisCandidates all = findAxisCandidates(fog.row, fog.geometry, 0);
        QVERIFY2(*all.found.confidence < sureAxis, qPrintable(QString::number(*all.found.confidence)));
        QVERIFY(!all.found.doubt.empty());
    }
    ConeBeam cone;
    cone.bins = 200;
    cone.rows = 1;
    cone.anglesRad = evenAngles(100, 2 * pi);
    cone.sourceAxisMm = 100;
    cone.sourceDetectorMm = 150;
    cone.pixelUMm = cone.pixelVMm = 0.2;
    const Sinograms nothing{1, 100, 200, Values(20000, 0.5F)};
    QVERIFY(findAxis(nothing, cone, 0).isGuess());
}

// The exact image of the phantom has a smaller entropy than the same image with doubled edges.
void AxisCandidatesTest::sharpnessIsLeastAtTheAxis()
{
    const auto scan = simulate(headOf(128, 200, 180, 0));
    const Volume truth = scan->exactImage(0, whole(128));
    Volume doubled = truth;
    for (int y = 0; y < 128; ++y)
        for (int x = 0; x < 128; ++x)
            doubled.values[y * 128 + x] =
                (truth.values[y * 128 + std::max(0, x - 3)] + truth.values[y * 128 + std::min(127, x + 3)]) / 2;
    const auto [least, most] = std::ranges::minmax(truth.values);
    const Sharpness sharp = sharpnessOf(truth.values, 128, least, most);
    const Sharpness blurred = sharpnessOf(doubled.values, 128, least, most);
    QVERIFY(sharp.entropy < blurred.entropy);
    QVERIFY(std::isfinite(sharp.totalVariation) && sharp.totalVariation > 0);
    // An image with a single value has no total variation. Its entropy is 1 bit if the value is halfway between two
    // levels of the histogram, and less otherwise.
    const std::vector<float> flat(64 * 64, 2.f);
    QVERIFY(sharpnessOf(flat, 64, 0, 4).entropy < 1.01); // with room for rounding
    QCOMPARE(sharpnessOf(flat, 64, 0, 4).totalVariation, 0.0);
    std::vector<float> stripes(64 * 64); // of the highest two levels
    for (std::size_t k = 0; k < stripes.size(); ++k)
        stripes[k] = k % 2 == 0 ? 254 : 255;
    QVERIFY(std::abs(sharpnessOf(stripes, 64, 0, 255).entropy - 1) < .01);
}

SINOSCOPE_TEST(AxisCandidatesTest, QCoreApplication)
#include "find_axis_test.moc"

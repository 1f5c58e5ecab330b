// SPDX-License-Identifier: GPL-3.0-or-later
// Cone beams in verification and benchmark: every method for cones against the exact one, and figures for the
// requested problems.
#include "engine/backends/backend.h"
#include "engine/backends/support.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/verify.h"
#include "engine/measure/verify_cases.h"
#include "tests/fixtures.h"

#include <set>

using namespace engine;
using namespace fixtures;

class MeasuredConesTest : public QObject
{
    Q_OBJECT

  private slots:
    void everyRowAgainstExact()
    {
        VerifyOptions options;
        options.geometry = "cone";
        options.device.backend = "cpu";
        options.sizes = sanitized ? std::vector{7} : std::vector{1, 7, 33};
        options.projections = {1, 13};
        options.largeSize = 0;
        std::set<std::string> geometries, details, ids;
        for (const VerifyCase& c : verifyMethods(options)) {
            QVERIFY2(c.passed, qPrintable(QStringLiteral("%1 %2 %3 %4 ×%5, size %6, %7 projections: %8 beyond %9")
                                              .arg(c.method.c_str(), c.detail.c_str(), toText(c.interpolation).c_str(),
                                                   toText(c.precision).c_str())
                                              .arg(c.slicesPerPass)
                                              .arg(c.size)
                                              .arg(c.projections)
                                              .arg(c.error)
                                              .arg(c.bound)));
            geometries.insert(c.geometry);
            details.insert(c.detail);
            ids.insert(c.method);
        }
        QVERIFY((geometries == std::set<std::string>{"cone beam", "fan beam"}));
        QVERIFY((details == std::set<std::string>{"", "a slab", "aside", "matrices", "mirrored", "tilted"}));
        for (const Method* method : methodsFor(geometryKind("cone").example))
            if (method->backend->isProcessor)
                QVERIFY2(ids.contains(method->id), method->id);
    }

    // There are cases for every method alone, and for every number of slices per pass that a GPU may use, at the
    // command's sizes. Regression: for GPU methods with one slice per pass, a tilted detector of one row was once
    // requested, and `verify --device cuda` ended with an error.
    void casesOfEveryMethod()
    {
        const VerifyOptions defaults;
        std::vector<int> sizes = defaults.sizes;
        sizes.push_back(defaults.largeSize);
        for (const int size : sizes)
            for (const int slicesPerPass : {1, 2, 4, 8, 16, 32, 64, 128}) {
                if (size == defaults.largeSize && slicesPerPass > 4)
                    continue;
                Method method = *methodsFor(geometryKind("cone").example).front();
                method.slicesPerPass = {slicesPerPass};
                std::set<std::string> details;
                for (const Noise& noise : noisesFor({&method}, size, 7, 1 << 30, 1))
                    details.insert(noise.detail);
                QVERIFY2(details.contains("tilted") && details.contains("mirrored"),
                         qPrintable(QStringLiteral("size %1, %2 slices per pass").arg(size).arg(slicesPerPass)));
            }
        for (const Method& method : methods())
            for (const int size : defaults.sizes)
                QVERIFY2(!noisesFor({&method}, size, 1, 1 << 30, 1).empty(), method.id);
        for (int slices = 1; slices < 6; ++slices) // one row: a fan beam, without tilt
            QVERIFY(!coneNoises(7, 3, slices, 1).empty());
    }

    // Requests that select no method for a geometry are refused, so that nothing passes unverified.
    void geometriesAreNamed()
    {
        VerifyOptions options;
        options.geometry = "spiral";
        QVERIFY(fails(ErrorKind::badRequest, {"spiral", "parallel", "cone"}, [&] { verifyMethods(options); }));
        options.geometry = "cone";
        options.methods = {"double"};
        QVERIFY(fails(ErrorKind::badRequest, {"cone"}, [&] { verifyMethods(options); }));
        BenchmarkOptions timed;
        timed.geometry = "cone";
        timed.methods = {"double"};
        QVERIFY(fails(ErrorKind::badRequest, {"double", "cone"}, [&] { benchmarkMethods(timed); }));
    }

    void boundsAreThoseOfTheTable()
    {
        const Method& exact = yardstick(geometryKind("cone").example);
        QCOMPARE(errorBound(exact, Interpolation::linear, Precision::single, 65, 7), 0.0);
        Method other = exact;
        other.yardstick = false;
        QCOMPARE(errorBound(other, Interpolation::linear, Precision::single, 65, 7), 1e-5);
        QCOMPARE(errorBound(other, Interpolation::linear, Precision::half, 65, 7), 1e-3);
        other.textureWeights = true;
        for (const Precision precision : {Precision::single, Precision::half}) {
            QCOMPARE(errorBound(other, Interpolation::linear, precision, 65, 7), 5e-3);
            QCOMPARE(errorBound(other, Interpolation::linear, precision, 65, 1), 5.934e-3);
        }
        for (const bool textures : {false, true}) { // one wrong value in 200 has an error of 0.1
            other.textureWeights = textures;
            QVERIFY(errorBound(other, Interpolation::nearest, Precision::single, 65, 7) < 0.1);
        }
    }

    void everyMethodSaysItsGeometry()
    {
        for (const Method& method : methods()) {
            QVERIFY2(!geometriesOf(method).empty(), method.id);
            if (method.backend->isProcessor)
                QVERIFY2(!supportOf(method).unusable, method.id);
        }
        QCOMPARE(geometriesOf(*findMethod("exact", geometryKind("cone").example)),
                 std::vector<std::string>{"cone beam"});
        QVERIFY((supportOf(*findMethod("exact", geometryKind("cone").example)).interpolations ==
                 std::vector{Interpolation::nearest, Interpolation::linear}));
    }

    void benchmarkMeasures()
    {
        BenchmarkOptions options;
        options.geometry = "cone";
        options.device.backend = "cpu";
        options.size = 24;
        options.projections = 10;
        options.voxels = 12;
        options.repeat = 1;
        options.methods = {"exact", "cpu", "ladder"};
        for (const int slices : {0, 3}) {
            options.slices = slices;
            const auto rows = benchmarkMethods(options);
            QVERIFY(!rows.empty());
            for (const BenchmarkRow& row : rows) {
                const bool isYardstick = row.method == yardstick(geometryKind("cone").example).id;
                QCOMPARE(row.geometry, std::string("cone beam"));
                QCOMPARE(row.size, 12);
                QCOMPARE(row.bins, 24);
                QCOMPARE(row.slices, slices > 0 ? slices : isYardstick ? 1 : 12);
                QVERIFY(std::abs(row.alpha - 24.0 * 24 * 10 / (12 * 12 * 12)) < 1e-12);
                QVERIFY(row.kernelGups > 0 && row.totalGups > 0 && row.totalGups <= row.kernelGups);
            }
        }
    }
};

SINOSCOPE_TEST(MeasuredConesTest, QCoreApplication)
#include "cones_test.moc"

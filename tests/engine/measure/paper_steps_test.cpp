// SPDX-License-Identifier: GPL-3.0-or-later
// The sequences of the papers: each step is a method and a variant of the table.
#include "engine/backends/backend.h"
#include "engine/base/error.h"
#include "engine/measure/benchmark_row.h"
#include "engine/measure/paper_steps.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

using namespace engine;

class PaperStepsTest : public QObject
{
    Q_OBJECT

  private slots:
    void everyStepExists()
    {
        std::set<std::string> ids;
        for (const PaperSequence& sequence : paperSequences()) {
            QVERIFY(ids.insert(sequence.id).second);
            QCOMPARE(&sequenceOf(sequence.id), &sequence);
            QVERIFY(sequence.steps.front().printed > 0); // the others are compared with it
            const Geometry geometry = sequence.cone ? Geometry(ConeBeam()) : Geometry(ParallelBeam());
            std::set<std::string> names;
            for (const PaperStep& step : sequence.steps) {
                QVERIFY2(names.insert(step.name).second, step.name.c_str());
                for (const Backend* backend : backends()) {
                    const Method& method = methodOf(step, sequence, {backend->id, 0});
                    QVERIFY2(method.takes(geometry) && familyOf(method) == step.method, step.name.c_str());
                    const Kernel kernel = kernelOf(step, sequence, method, Precision::single, 64);
                    QCOMPARE(stepOf(sequence, kernel), &step);
                    QVERIFY(std::ranges::count(method.slicesPerPass, kernel.slicesPerPass) == 1);
                }
                const Method& first = methodOf(step, sequence, {});
                QVERIFY2(!lackingVariant(first, step.variant), step.name.c_str());
            }
        }
        QVERIFY_EXCEPTION_THROWN(sequenceOf("no such steps"), Error);
    }

    // The speeds of each problem that the paper measured; for any other problem those of one of them.
    void theFactorsBelongToTheProblem()
    {
        for (const PaperSequence& sequence : paperSequences())
            for (const PaperStep& step : sequence.steps) {
                QVERIFY(step.printedFor.empty() || step.printedFor.size() == sequence.problems.size());
                if (!sequence.problems.empty())
                    QCOMPARE(std::ranges::count(step.printedFor, step.printed) > 0, step.printed > 0);
                QVERIFY(step.printedOpenMpFor.empty() || step.printedOpenMpFor.size() == sequence.problems.size());
                QCOMPARE(std::ranges::count(step.printedOpenMpFor, step.printedOpenMp) > 0, step.printedOpenMp > 0);
            }
        const PaperSequence& ladder = sequenceOf("ladder");
        const PaperStep& prefetch = ladder.steps[8];
        QCOMPARE(ladder.problems.size(), std::size_t(9));
        QCOMPARE(printedSpeed(ladder, prefetch), 9.11);
        QCOMPARE(printedSpeed(ladder, prefetch, ConeProblem{512, 512, 512, 512}), 9.11);
        QCOMPARE(printedSpeed(ladder, prefetch, ConeProblem{1024, 512, 256, 256}), 2.48);
        QCOMPARE(*paperFactor(ladder, prefetch, ConeProblem{1024, 512, 256, 256}), 2.48 / 1.22);
        QCOMPARE(printedSpeed(ladder, prefetch, ConeProblem{100, 100, 100, 100}), 9.11);
        // OpenMP's speeds, over the same first step.
        const PaperStep& scratchpad = ladder.steps[6];
        QVERIFY(!paperFactor(ladder, scratchpad));
        QCOMPARE(*paperFactor(ladder, scratchpad, {}, PaperVersion::openMp), 1.56 / 1.30);
        QCOMPARE(*paperFactor(ladder, scratchpad, ConeProblem{1024, 512, 512, 512}, PaperVersion::openMp), 1.12 / 1.31);
        QVERIFY(!paperFactor(ladder, prefetch, {}, PaperVersion::openMp));
        const PaperSequence& shuffle = sequenceOf("shuffle");
        QCOMPARE(shuffle.problems.size(), std::size_t(15));
        QCOMPARE(shuffle.problems.front().updates(), 128.0 * 128 * 128 * 1024);
        QCOMPARE(*paperFactor(shuffle, shuffle.steps[4], ConeProblem{2048, 1024, 128, 128}), 7.7 / 16.1);
        // The table has no speed of RTK for its largest volume.
        QVERIFY(!paperFactor(shuffle, shuffle.steps[4], ConeProblem{512, 1024, 1024, 2048}));
    }

    // The device chooses the method; a variant that it lacks is named.
    void everyDevice()
    {
        const PaperSequence& one = sequenceOf("steps-1");
        const PaperStep &shuffled = one.steps[3], &texture = one.steps[5];
        QCOMPARE(methodOf(texture, one, {"cuda", 0}).id, "texture");
        const Method& onOpenCl = methodOf(texture, one, {"opencl", 0});
        QCOMPARE(onOpenCl.id, "texture-opencl");
        QCOMPARE(methodOf(texture, one, {"cpu", 0}).id, "texture"); // there is none: the refusal names the device
        QCOMPARE(QString::fromStdString(*lackingVariant(onOpenCl, shuffled.variant)),
                 QStringLiteral("`texture-opencl` has no variant 'shuffle-reduction'"));
        for (const Method& method : methods()) // the same steps, or fewer
            if (method.family)
                for (const Variant& variant : variantsOf(method))
                    QVERIFY2(
                        hasVariant(*findMethod(method.family, method.takes(ParallelBeam()) ? Geometry(ParallelBeam())
                                                                                           : Geometry(ConeBeam())),
                                   variant.id),
                        variant.id.c_str());
    }

    // Steps may state slices and precision, which tell them apart.
    void stepsWithSlices()
    {
        const PaperSequence& parameters = sequenceOf("parameters");
        const Method& alu = methodOf(parameters.steps.front(), parameters, {});
        const auto kernel = [&](std::size_t k) {
            return kernelOf(parameters.steps[k], parameters, alu, Precision::single, 64);
        };
        QCOMPARE(kernel(0).slicesPerPass, 1);
        QCOMPARE(kernel(2).slicesPerPass, 2);
        QCOMPARE(kernel(4).slicesPerPass, 4);
        QCOMPARE(kernel(4).precision, Precision::half);
        QVERIFY(kernel(2) != kernel(0));
        Kernel other = kernel(4);
        other.precision = Precision::single;
        QVERIFY(!stepOf(parameters, other));
        QCOMPARE(*paperFactor(parameters, parameters.steps[4]), 743.0 / 606);
    }

    // Rows come as they finish; they are shown in the order of the paper, problem by problem.
    void rowsInThePapersOrder()
    {
        const PaperSequence& sequence = sequenceOf("rounding");
        std::vector<BenchmarkRow> rows;
        for (const int size : {64, 128})
            for (const std::size_t k : {2, 0, 1}) {
                rows.emplace_back().step = sequence.steps[k].name;
                rows.back().size = size;
            }
        sortBySteps(rows, sequence);
        for (std::size_t k = 0; k < rows.size(); ++k) {
            QCOMPARE(rows[k].step, sequence.steps[k % 3].name);
            QCOMPARE(rows[k].size, k < 3 ? 64 : 128);
        }
    }

    // Kernels for cone beams reconstruct no more slices together than the volume has.
    void fitsTheVolume()
    {
        const PaperSequence& ladder = sequenceOf("ladder");
        const auto kernel = [&](int slices) {
            return kernelOf(ladder.steps[2], ladder, methodOf(ladder.steps[2], ladder, {}), Precision::half, slices);
        };
        QCOMPARE(kernel(5).slicesPerPass, 4);
        QCOMPARE(kernel(500).slicesPerPass, 32);
        QCOMPARE(kernel(500).precision, Precision::half);
    }

    // The manual's page names every method and variant of the papers, and no other ones.
    void theManualNamesThemAll()
    {
        std::ifstream file(std::string(SINOSCOPE_SOURCE_DIR) + "/resources/manual/papers.md");
        const std::string page{std::istreambuf_iterator<char>(file), {}};
        std::set<std::string> named;
        const std::regex word("`([^` ]+)`");
        for (std::sregex_iterator it(page.begin(), page.end(), word); it != std::sregex_iterator(); ++it)
            named.insert((*it)[1]);
        std::set<std::string> known;
        for (const Method& method : methods()) {
            known.insert(method.id);
            for (const Variant& variant : variantsOf(method)) {
                known.insert(variant.id);
                if (!variant.source.empty())
                    QVERIFY2(named.contains(variant.id), variant.id.c_str());
            }
        }
        for (const PaperSequence& sequence : paperSequences())
            for (const PaperStep& step : sequence.steps)
                QVERIFY2(named.contains(step.method), step.method.c_str());
        for (const std::string& one : named)
            if (!one.starts_with("--") && !one.starts_with("packaging/"))
                QVERIFY2(known.contains(one) || one == "benchmark" || one == "model" || one == "sinoscope-mpi",
                         one.c_str());
    }

    void variantsHaveSources()
    {
        for (const char* id : {"texture", "hybrid"})
            for (const Variant& variant : variantsOf(*findMethod(id)))
                QVERIFY2(variant.source.starts_with("Chilingaryan et al. 2020, "), variant.id.c_str());
        for (const Variant& variant : variantsOf(*findMethod("ladder")))
            QVERIFY2(variant.source.starts_with("Chen et al. (IPSJ report), "), variant.id.c_str());
    }
};

SINOSCOPE_TEST(PaperStepsTest, QCoreApplication)
#include "paper_steps_test.moc"

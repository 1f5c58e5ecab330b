// SPDX-License-Identifier: GPL-3.0-or-later
// Tunings of the ALU kernel, without a GPU: their names, and that the build contains the tuning of every GPU.
#include "engine/backends/cuda/parallel/tuning.h"
#include "engine/base/error.h"
#include "engine/request/setting.h"
#include "tests/test_program.h"

#include <set>

using namespace engine;
using namespace engine::cuda;

class AluTuningTest : public QObject
{
    Q_OBJECT

  private slots:
    void names()
    {
        std::set<std::string> ids;
        for (const AluVariantName& name : aluVariants) {
            QVERIFY(ids.insert(name.id).second);
            QCOMPARE(int(aluVariantFromText(name.id)), int(name.variant));
        }
        QCOMPARE(std::string(), Kernel().variant);
        QVERIFY_EXCEPTION_THROWN(aluVariantFromText("fastest"), Error);
    }

    void refusesWhatDoesNotExist()
    {
        Kernel kernel;
        QVERIFY(!aluTuningProblem(kernel, true));
        kernel.variant = "conversion";
        QVERIFY(!aluTuningProblem(kernel, true));
        kernel.interpolation = Interpolation::cubic;
        QVERIFY(aluTuningProblem(kernel, true));
        QVERIFY(aluTuningProblem(kernel, true)->find("SINOSCOPE_TUNINGS") == std::string::npos); // this would not help
        kernel.interpolation = Interpolation::oversampled;
        QVERIFY(!aluTuningProblem(kernel, true));
        kernel.oversampling = 8;
        QVERIFY(aluTuningProblem(kernel, true));
        kernel.variant = "";
        QVERIFY(!aluTuningProblem(kernel, true));
    }

    // Without -DSINOSCOPE_TUNINGS=ON, the tunings in use are available; the others are refused with a message that
    // names this option.
    void refusesWhatIsNotInTheBuild()
    {
        Kernel kernel;
        QVERIFY(!aluTuningProblem(kernel, false));
        kernel.variant = "square-tile";
        QVERIFY(!aluTuningProblem(kernel, false));
        kernel.variant = "conversion";
        const auto problem = aluTuningProblem(kernel, false);
        QVERIFY(problem);
        QVERIFY(problem->find("-DSINOSCOPE_TUNINGS=ON") != std::string::npos);
        kernel.interpolation = Interpolation::cubic; // does not exist in any build
        QVERIFY(aluTuningProblem(kernel, false));
        QVERIFY(aluTuningProblem(kernel, false)->find("SINOSCOPE_TUNINGS") == std::string::npos);
        for (const AluVariantName& name : aluVariants) {
            requireAluTuning(name.id, true);
            if (name.variant == AluVariant::tuned || name.variant == AluVariant::squareTile ||
                name.variant == AluVariant::halfArithmetic) // in use wherever it is supported
                requireAluTuning(name.id, false);
            else
                QVERIFY_EXCEPTION_THROWN(requireAluTuning(name.id, false), Error);
        }
#ifdef SINOSCOPE_TUNINGS
        QVERIFY(aluTuningsBuilt);
#else
        QVERIFY(!aluTuningsBuilt);
#endif
    }

    // Kernels are compiled from the tunings of compute capability 9.0; the tuning of every other GPU must be one of
    // these.
    void everyGpu()
    {
        for (const int capability : {75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121})
            for (const AluMode mode : {AluMode::nearest, AluMode::linear, AluMode::oversampled, AluMode::cubic})
                for (const Precision precision : {Precision::single, Precision::half})
                    for (const int slices : {1, 2, 4}) {
                        const AluTuning wanted = tunedAlu(capability, mode, precision, slices);
                        bool found = false;
                        for (const AluVariant variant : {AluVariant::tuned, AluVariant::squareTile})
                            found |= hasAluVariant(mode, precision, slices, variant, false) &&
                                     wanted == aluTuning(90, mode, precision, slices, variant);
                        QVERIFY(found);
                        if (capability < 90 || capability >= 120)
                            QCOMPARE(wanted.rows, wanted.columns);
                    }
    }
};

SINOSCOPE_TEST(AluTuningTest, QCoreApplication)
#include "alu_tuning_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Every variant of `alu`, `texture` and `hybrid` in the build compared with the exact method.
#include "tests/gpu/device.h"

#include "engine/backends/cuda/parallel/tuning.h"
#include "engine/measure/verify.h"

using namespace engine;
using namespace engine::cuda;

namespace
{

// Returns the number of settings, for one size and number of projections, for which the build contains a tuning.
std::size_t settingsWith(AluVariant variant)
{
    std::size_t count = 0;
    for (const AluMode mode : {AluMode::nearest, AluMode::linear, AluMode::oversampled, AluMode::cubic})
        for (const Precision precision : {Precision::single, Precision::half})
            for (const int slices : {1, 2, 4})
                count += hasAluVariant(mode, precision, slices, variant);
    return count;
}

QString describe(const VerifyCase& c)
{
    return QStringLiteral("%1 %2 %3 slices, size %4, %5 projections: %6 beyond %7")
        .arg(toText(c.interpolation).c_str(), toText(c.precision).c_str())
        .arg(c.slicesPerPass)
        .arg(c.size)
        .arg(c.projections)
        .arg(c.error)
        .arg(c.bound);
}

} // namespace

class TuningTest : public QObject
{
    Q_OBJECT

  private slots:
    void againstExact_data()
    {
        QTest::addColumn<QString>("tuning");
        QTest::addColumn<bool>("small"); // for the sanitizers
        for (const bool small : {true, false})
            for (const AluVariantName& name : aluVariants)
                QTest::addRow("%s%s", name.id, small ? " small" : "") << name.id << small;
    }

    void againstExact()
    {
        SINOSCOPE_NEEDS_GPU();
        QFETCH(QString, tuning);
        QFETCH(bool, small);
        const std::size_t settings = settingsWith(aluVariantFromText(tuning.toStdString()));
        if (settings == 0 && !aluTuningsBuilt)
            QSKIP("not in this build: CMake with -DSINOSCOPE_TUNINGS=ON builds it");
        VerifyOptions options;
        options.device = {"cuda", 0};
        options.methods = {"alu"};
        options.sizes = small ? std::vector{65} : std::vector{1, 17, 64, 129, 200};
        options.projections = small ? std::vector{41} : std::vector{1, 7, 180};
        options.seed = 11;
        options.variant = tuning == "tuned" ? std::string() : tuning.toStdString();
        options.largeSize = 0;
        const auto cases = verifyMethods(options);
        QCOMPARE(std::size_t(std::ranges::count(cases, false, &VerifyCase::ofFilter)),
                 settings * options.sizes.size() * options.projections.size());
        for (const VerifyCase& c : cases)
            QVERIFY2(c.passed, qPrintable(describe(c)));
    }

    void stepsAgainstExact_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("variant");
        for (const char* method : {"texture", "hybrid"})
            for (const Variant& variant : variantsOf(*findMethod(method)))
                QTest::addRow("%s %s", method, variant.id.c_str()) << method << QString::fromStdString(variant.id);
    }

    // The steps of `texture` and the shares of `hybrid`.
    void stepsAgainstExact()
    {
        SINOSCOPE_NEEDS_GPU();
        QFETCH(QString, method);
        QFETCH(QString, variant);
        VerifyOptions options;
        options.device = {"cuda", 0};
        options.geometry = "parallel";
        options.methods = {method.toStdString()};
        options.sizes = {1, 17, 64, 129};
        options.projections = {1, 7, 180, 2500}; // 2500: in several launches
        options.seed = 11;
        options.variant = variant.toStdString();
        options.largeSize = 0;
        const auto cases = verifyMethods(options);
        QVERIFY(!cases.empty());
        for (const VerifyCase& c : cases)
            QVERIFY2(c.passed, qPrintable(describe(c)));
    }
};

SINOSCOPE_TEST(TuningTest, QCoreApplication)
#include "tuning_test.moc"

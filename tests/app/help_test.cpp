// SPDX-License-Identifier: GPL-3.0-or-later
// Help, the list of methods, and shell completion.
#include "engine/backends/backend.h"
#include "engine/backends/cuda/device/devices.h"
#include "engine/backends/cuda/parallel/tuning.h"
#include "engine/backends/method.h"
#include "engine/base/version.h"
#include "tests/app/program.h"

using program::finished;
using program::Result;

class HelpTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        const Result made = makeHead();
        QVERIFY2(made.status == 0, made.err.constData());
    }

    void helpAndVersion()
    {
        for (const QString command : {"methods", "info", "axis", "sinogram", "phantom", "reconstruct", "compare",
                                      "benchmark", "model", "verify"}) {
            const Result help = run({command, "--help"});
            QCOMPARE(help.status, 0);
            QVERIFY(help.err.isEmpty());
            QVERIFY2(help.out.contains("Examples:\n  sinoscope-cli " + command.toUtf8()), qPrintable(command));
            QVERIFY2(run({"--help"}).out.contains(command.toUtf8()), qPrintable(command));
        }
        // The short help leaves out what --help-all shows; `help` and `version` are words, too.
        const QByteArray brief = run({"help", "reconstruct"}).out;
        QVERIFY(brief.contains("--output") && !brief.contains("--texture-eighths"));
        QVERIFY(brief.contains("more options: --help-all"));
        QVERIFY(run({"rec", "--help-all"}).out.contains("--texture-eighths"));
        QCOMPARE(run({"version"}).out, run({"-V"}).out);
        // Each method is listed once, even if several geometries have it; the help shows which geometries have it.
        const QByteArray how = run({"reconstruct", "--help-all"}).out;
        QVERIFY2(how.contains("--method auto|exact|") && how.contains("cone beam: exact"), how.constData());
        QCOMPARE(how.count("|exact|"), 1);
        // The version contains an identifier of the source, so that builds of different sources differ
        // (packaging/version_test.sh).
        const QByteArray version = run({"--version"}).out;
        static const QRegularExpression wanted(
            "^sinoscope-cli \\d+\\.\\d+\\.\\d+\\+\\S*[0-9a-f]{7}\\nCUDA: "
            "(no|\\d.*)\\nOpenCL: (no|yes, with(out)? a filter \\(VkFFT\\))\\nMPI: (no|\\d.*)\\n$");
        QVERIFY2(wanted.match(version).hasMatch(), version.constData());
        QVERIFY(version.startsWith(("sinoscope-cli " + engine::programVersion() + '\n').c_str()));
    }

    // Without a GPU ten methods have the same reason, which is printed once.
    void reasonsOfMethodsOnce()
    {
        const engine::Devices found = engine::cudaDevices();
        if (found.devices.empty())
            QCOMPARE(run({"methods"}).out.count(found.reason.c_str()), 1);
    }

    void methodsAreThoseOfTheTable()
    {
        const QJsonArray list = run({"methods", "--json", "-"}).list();
        const QByteArray text = run({"methods", "--variants"}).out;
        QCOMPARE(std::size_t(list.size()), engine::methods().size());
        if (engine::cudaDevices().reason.starts_with("this build is without CUDA"))
            QVERIFY2(text.contains("packaging/run.sh --cuda"), text.constData());
        QCOMPARE(text.contains("-DSINOSCOPE_TUNINGS=ON"), !engine::cuda::aluTuningsBuilt);
        for (int i = 0; i < list.size(); ++i) {
            const QJsonObject row = list[i].toObject();
            const engine::Method& method = engine::methods()[std::size_t(i)];
            QCOMPARE(row["id"].toString(), QString(method.id));
            QCOMPARE(row["geometries"].toArray().isEmpty(), false);
            for (const QJsonValue geometry : row["geometries"].toArray())
                QCOMPARE(method.takes(engine::ConeBeam{}), geometry.toString() == "cone beam");
            QCOMPARE(row["slicesPerPass"].toArray().size(), qsizetype(method.slicesPerPass.size()));
            QVERIFY(text.contains(method.id + QByteArray(": ") + method.label));
            const std::vector<engine::Variant> variants = engine::variantsOf(method);
            QCOMPARE(std::size_t(row["variants"].toArray().size()), variants.size());
            for (const engine::Variant& variant : variants)
                QVERIFY2(text.contains(variant.id.c_str()) && text.contains(variant.summary.c_str()),
                         variant.id.c_str());
            if (method.backend->isProcessor)
                QVERIFY(row["usable"].toBool() && row["interpolations"].toArray().contains("linear"));
        }
    }

    void bashCompletes_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("commands") << "rec" << QStringList{"reconstruct"};
        QTest::newRow("options") << "reconstruct --sli" << QStringList{"--slice", "--slices", "--slices-per-pass"};
        QTest::newRow("values") << "reconstruct --filter ha" << QStringList{"hamming", "hann"};
        QTest::newRow("methods") << "reconstruct --method e" << QStringList{"exact", "exact-cuda"};
        QTest::newRow("factor") << "reconstruct --interpolation o" << QStringList{"oversampled"};
        QTest::newRow("words in place") << "phantom reso" << QStringList{"resolution"};
        QTest::newRow("files") << "info head.h" << QStringList{"head.h5"};
    }

    void bashCompletes()
    {
        if (QProcess::execute("bash", {"-c", "true"}) != 0)
            QSKIP("there is no bash here");
        QFETCH(const QString, words);
        QFETCH(QStringList, expected);
        QProcess bash;
        bash.setWorkingDirectory(folder());
        bash.start("bash",
                   {"-c", "source <('" + program::path + "' completion bash); COMP_WORDS=(sinoscope-cli " + words +
                              "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _sinoscope_cli; "
                              "printf '%s\\n' \"${COMPREPLY[@]}\""});
        const Result result = finished(bash);
        QVERIFY2(result.err.isEmpty(), result.err.constData());
        QStringList got = QString(result.out).split('\n', Qt::SkipEmptyParts);
        got.sort();
        expected.sort();
        QCOMPARE(got, expected);
    }
};

SINOSCOPE_TEST(HelpTest, QCoreApplication)
#include "help_test.moc"

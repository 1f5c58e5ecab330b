// SPDX-License-Identifier: GPL-3.0-or-later
// The commands `benchmark` and `verify`.
#include "engine/backends/cuda/device/devices.h"
#include "engine/backends/devices.h"
#include "engine/measure/paper_steps.h"
#include "tests/app/program.h"

#include <QProcessEnvironment>
#include <QStandardPaths>

#include <algorithm>
#include <fstream>

using program::Result;

class MeasureTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        const Result made = makeHead();
        QVERIFY2(made.status == 0, made.err.constData());
    }

    // The steps of a paper, in its order, with the factors that it printed.
    void benchmarkClimbsTheLadder()
    {
        const Result result = run(
            {"benchmark", "--steps", "ladder", "--size", "16", "--projections", "8", "--repeat", "1", "--json", "-"});
        QCOMPARE(result.status, 0);
        const engine::PaperSequence& ladder = engine::sequenceOf("ladder");
        const QJsonArray rows = result.json()["rows"].toArray();
        QCOMPARE(std::size_t(rows.size()), ladder.steps.size());
        for (int k = 0; k < rows.size(); ++k) {
            const engine::PaperStep& step = ladder.steps[std::size_t(k)];
            QCOMPARE(rows[k]["step"].toString(), QString::fromStdString(step.name));
            QCOMPARE(rows[k]["method"].toString(), QString::fromStdString(step.method));
            QCOMPARE(rows[k]["paperFactor"].toDouble(), step.printed / ladder.steps.front().printed);
            QCOMPARE(rows[k]["paperFactorOpenMp"].toDouble(), step.printedOpenMp / ladder.steps.front().printed);
            const double error = rows[k]["relativeError"].toDouble();
            QVERIFY2(error > 0 && error < 1e-5, step.name.c_str());
        }
        QCOMPARE(result.json()["command"].toString(),
                 QString("sinoscope-cli benchmark --size 16 --projections 8 --steps ladder --repeat 1"));
        const QByteArray text =
            run({"benchmark", "--steps", "ladder", "--size", "16", "--projections", "8", "--repeat", "1"}).out;
        QVERIFY2(text.contains("has not measured this size") && text.contains("with OpenMP") && text.contains("error"),
                 text.constData());
    }

    // The steps of GPUs with the OpenCL device's methods; what it lacks is named.
    void stepsOnOpenCl()
    {
        if (!engine::usableDevices(engine::openClBackend).size())
            QSKIP("no OpenCL device");
        const auto steps = [this](const char* id) {
            return run({"benchmark", "--steps", id, "--device", "opencl", "--size", "32", "--projections", "8",
                        "--repeat", "1", "--json", "-"});
        };
        const Result textures = steps("steps-1");
        QCOMPARE(textures.status, 0);
        const QJsonArray rows = textures.json()["rows"].toArray();
        QCOMPARE(rows.size(), 7);
        QCOMPARE(rows[1]["method"].toString(), "texture-opencl");
        QCOMPARE(rows[1]["variant"].toString(), "z-order");
        QCOMPARE(rows[6]["paperFactor"].toDouble(), 734.0 / 381);
        QCOMPARE(textures.json()["leftOut"].toArray(),
                 QJsonArray{"reduced by shuffles: `texture-opencl` has no variant 'shuffle-reduction'"});
        QVERIFY2(textures.err.contains("Left out: reduced by shuffles"), textures.err.constData());
        for (const char* id : {"rounding", "caches", "occupancy", "parameters"})
            QCOMPARE(steps(id).status, 0);
        QVERIFY(steps("shuffle").err.contains("NVIDIA GPU"));
    }

    void benchmarkTimes()
    {
        const Result result = run(
            {"benchmark", "--size", "32", "--projections", "16", "--methods", "cpu", "--repeat", "1", "--json", "-"});
        QVERIFY2(result.status == 0, result.err.constData());
        const QJsonArray rows = result.json()["rows"].toArray();
        QVERIFY(!rows.isEmpty());
        for (const QJsonValue row : rows) {
            QCOMPARE(row["method"].toString(), "cpu");
            QCOMPARE(row["size"].toInt(), 32);
            QVERIFY(row["kernelGups"].toDouble() > 0 && row["totalGups"].toDouble() > 0);
        }
        QVERIFY(run({"benchmark", "--size", "16", "--projections", "8", "--methods", "cpu", "--repeat", "1"})
                    .out.contains("kernel GU/s"));
    }

    // Without a terminal, too. A report on standard output stays a report.
    void benchmarkTellsWhatItMeasures()
    {
        for (const char* geometry : {"parallel", "cone"}) {
            const QStringList small{"benchmark", "--geometry", geometry, "--size",   "16", "--projections",
                                    "8",         "--device",   "cpu",    "--repeat", "1"};
            const QByteArray hint = "exact; --methods exact measures it.";
            const Result text = run(small);
            QVERIFY2(text.err.startsWith("Measures ") && text.err.contains(" settings, 2 runs of each\n"),
                     text.err.constData());
            QVERIFY2(text.out.contains(hint), text.out.constData());
            const Result json = run(small + QStringList{"--json", "-"});
            QVERIFY2(json.err.contains(hint), json.err.constData());
            for (const QJsonValue row : json.json()["rows"].toArray())
                QVERIFY(row["method"].toString() != "exact");
            const Result named =
                run(small + QStringList{"--methods", "exact,cpu", "--json", "named.json", "--overwrite"});
            QVERIFY(named.out.contains("exact ") && !named.out.contains("Left out"));
            const Result compared = run(small + QStringList{"--compare", "named.json"});
            QVERIFY2(compared.out.contains("Only in the other: exact"), (compared.out + compared.err).constData());
        }
    }

    void benchmarkTimesPlanes()
    {
        for (const char* geometry : {"parallel", "cone"}) {
            const Result result = run({"benchmark", "--planes", "--geometry", geometry, "--size", "24", "--projections",
                                       "16", "--device", "cpu", "--repeat", "1", "--json", "-"});
            QVERIFY2(result.status == 0, result.err.constData());
            const QJsonArray rows = result.json()["rows"].toArray();
            QCOMPARE(rows.size(), 6);
            for (const QJsonValue row : rows)
                QVERIFY(row["kernelGups"].toDouble() > 0 && row["wholeSeconds"].toDouble() > 0);
            QVERIFY(result.json()["threePlanesPerSecond"].toDouble() > 0);
        }
        QVERIFY(run({"benchmark", "--planes", "--volume", "64", "--device", "cpu", "--repeat", "1"})
                    .err.contains("--size"));
        const QString scan = "planes.h5";
        QCOMPARE(
            run({"phantom", "shepp-logan-3d", "--size", "24", "--projections", "20", "--slices", "5", "--output", scan})
                .status,
            0);
        const Result ofScan =
            run({"benchmark", "--planes", "--volume", scan, "--device", "cpu", "--repeat", "1", "--json", "-"});
        QCOMPARE(ofScan.json()["size"].toInt(), 24);
        QCOMPARE(ofScan.json()["projections"].toInt(), 20);
        QVERIFY(ofScan.json()["firstThreePlanesSeconds"].toDouble() >= ofScan.json()["firstPlaneSeconds"].toDouble());
        QVERIFY(run({"benchmark", "--planes", "--size", "16", "--projections", "8", "--device", "cpu", "--repeat", "1"})
                    .out.contains("cross-hair"));
    }

    // A processor's counters are not read, and without NVML no GPU reports its power.
    void powerThatIsNotKnown()
    {
        const Result result = run({"benchmark", "--size", "16", "--projections", "8", "--methods", "cpu", "--device",
                                   "cpu", "--repeat", "1", "--power"});
        QCOMPARE(result.status, 0);
        QVERIFY(result.err.contains("power isn't known"));
        QVERIFY(!result.out.contains("watts"));
    }

    // Python executes no module of the current folder, but those of an absolute PYTHONPATH, which belong to the user's
    // environment.
    void modulesBeside()
    {
        if (QStandardPaths::findExecutable("python3").isEmpty())
            QSKIP("no python3 on this machine");
        QVERIFY(QDir(folder()).mkdir("packages"));
        const auto writes = [&](const QString& mark) { return "open('" + file(mark).toStdString() + "', 'w')\n"; };
        for (const char* module : {"json.py", "numpy.py"})
            std::ofstream(path(module)) << writes("foreign");
        std::ofstream(path("packages/numpy.py")) << writes("named") << "raise ImportError\n";
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PYTHONPATH", ".:" + file("packages"));
        process.setProcessEnvironment(environment);
        start(process, {"benchmark", "--beside", "python3", "--size", "17", "--repeat", "1"});
        const Result result = program::finished(process);
        QVERIFY2(result.status == 2 && result.err.contains("it has no numpy"), result.err);
        QVERIFY(files().contains("named"));
        QVERIFY(!files().contains("foreign"));
    }

    void speedsElsewhere()
    {
        const Result text = run({"benchmark", "--elsewhere"});
        QCOMPARE(text.status, 0);
        QVERIFY(text.out.contains("NVIDIA H200: a slice of 2048²") && text.out.contains("ASTRA"));
        const QJsonArray groups = run({"benchmark", "--elsewhere", "--json", "-"}).json()["groups"].toArray();
        QVERIFY(groups.size() >= 4);
        for (const QJsonValue group : groups) {
            QVERIFY(!group["source"].toString().isEmpty() && !group["date"].toString().isEmpty());
            QVERIFY(group["speeds"].toArray().size() >= 2);
        }
    }

    void cardOfTheMachine()
    {
        const QStringList card{"benchmark", "--card", "--device", "cpu", "--size", "32", "--repeat", "1"};
        const Result text = run(card);
        QVERIFY2(text.status == 0, text.err.constData());
        QVERIFY2(text.err.startsWith("Measures every method that `auto` may choose"), text.err.constData());
        QVERIFY(text.out.contains("linear, half") && text.out.contains("2048³ voxels"));
        const QJsonObject json = run(card + QStringList{"--json", "-"}).json();
        QCOMPARE(json["rows"].toArray().size(), 6);
        QVERIFY(json["secondsFor2048Cubed"].toDouble() > 0);
        QCOMPARE(json["command"].toString(), QString("sinoscope-cli benchmark --card --device cpu --size 32"));
    }

    void detailsShowTheRuns()
    {
        const QStringList small = {
            "benchmark", "--size",      "16",    "--projections",     "8", "--methods", "cpu", "--interpolation",
            "linear",    "--precision", "float", "--slices-per-pass", "1"};
        const QByteArray table = run(small + QStringList{"--repeat", "9", "--details"}).out;
        QVERIFY2(table.contains("middle half, GU/s") && table.contains("clock before"), table.constData());
        const QJsonObject row =
            run(small + QStringList{"--repeat", "9", "--json", "-"}).json()["rows"].toArray().first().toObject();
        QVERIFY(row["lowerQuartileGups"].toDouble() > 0);
        QVERIFY(row["lowerQuartileGups"].toDouble() <= row["upperQuartileGups"].toDouble());
        QVERIFY(row["lastQuarterOverFirst"].toDouble() > 0);
    }

    // `auto` takes the slice mode that is fastest in the kept file, until that is removed; a broken file is ignored.
    void tuneDecidesWhatAutoTakes()
    {
        const QByteArray before = qgetenv("XDG_CACHE_HOME");
        const auto restore = qScopeGuard([&] { qputenv("XDG_CACHE_HOME", before); });
        qputenv("XDG_CACHE_HOME", folder().toLocal8Bit());
        const auto slicesPerPass = [&] {
            return run({"reconstruct", "head.h5", "--slices", "0:5", "--device", "cpu", "--output", "tuned",
                        "--overwrite", "--json", "-"})
                .json()["slicesPerPass"]
                .toInt();
        };
        const int usual = slicesPerPass();
        QVERIFY(usual > 2);
        const Result tuned = run({"tune", "--device", "cpu", "--size", "16", "--projections", "8", "--repeat", "1"});
        QVERIFY2(tuned.status == 0 && tuned.out.contains("auto now"), tuned.err.constData());
        const QString kept = "sinoscope/speeds.json";
        QVERIFY2(tuned.out.contains(file(kept).toUtf8()), tuned.out.constData());
        QJsonObject json = QJsonDocument::fromJson(contents(kept)).object();
        QJsonArray speeds = json["speeds"].toArray();
        QVERIFY(speeds.size() > 8);
        for (QJsonValueRef one : speeds) {
            QJsonObject speed = one.toObject();
            speed["kernelGups"] = speed["slicesPerPass"].toInt() == 2 ? 2.0 : 1.0;
            one = speed;
        }
        json["speeds"] = speeds;
        const auto write = [&](const QByteArray& text) {
            QFile out(file(kept));
            QVERIFY(out.open(QIODevice::WriteOnly) && out.write(text) == text.size());
        };
        const QByteArray speedsOfTwo = QJsonDocument(json).toJson();
        write(speedsOfTwo);
        QCOMPARE(slicesPerPass(), 2);
        json["version"] = "another";
        for (const QByteArray& broken : {QByteArray("{"), QByteArray("[]"), QByteArray(R"({"speeds": 3})"),
                                         QJsonDocument(json).toJson(), contents("head.h5")}) {
            write(broken);
            QCOMPARE(slicesPerPass(), usual);
        }
        write(speedsOfTwo);
        QVERIFY(run({"methods"}).out.contains(file(kept).toUtf8()));
        QVERIFY(run({"tune", "--forget"}).out.contains("is removed"));
        QVERIFY(run({"tune", "--forget"}).out.contains("no measured speeds"));
        QVERIFY(!run({"methods"}).out.contains("goes by the speeds"));
        QCOMPARE(run({"tune", "--forget", "--size", "64"}).status, 2);
        QVERIFY(!QFile::exists(file(kept)));
        QCOMPARE(run({"tune", "--device", "cuda:77"}).status, 1);
    }

    // Compares with a report, then with another program in alternating runs. The other program is a script that runs
    // this program and then changes the report.
    void comparesWithAnotherBuild()
    {
        const QStringList small = {
            "benchmark", "--size",      "16",    "--projections",     "8", "--methods", "cpu", "--interpolation",
            "linear",    "--precision", "float", "--slices-per-pass", "1", "--repeat",  "1"};
        QVERIFY(run(small + QStringList{"--json", "earlier.json"}).status == 0);
        const QByteArray report = contents("earlier.json");
        static const QRegularExpression seconds(R"re("(kernelSeconds|totalSeconds)": [-+.e0-9]+)re");
        const auto with = [&](const QString& value) {
            return QString(report).replace(seconds, "\"\\1\": " + value).toUtf8();
        };
        for (const QString& value : {QString("1e-12"), QString("1e6")}) {
            QFile file(this->file("other.json"));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(with(value)) > 0);
            file.close();
            const Result compared = run(small + QStringList{"--compare", "other.json"});
            QCOMPARE(compared.status, value == "1e6" ? 0 : 1);
            QVERIFY2(compared.out.contains("SLOWER") == (value != "1e6") && compared.out.contains("earlier"),
                     compared.out.constData());
            QCOMPARE(contents("other.json"), with(value));
        }
        QFile script(file("other build"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\n\"" + program::path.toUtf8() + "\" \"$@\" || exit\n" +
                     "for report; do :; done\n" + // `report` is then the last argument
                     "sed -i 's/\"kernelSeconds\": [-+.e0-9]*/\"kernelSeconds\": 1e-12/' \"$report\"\n" +
                     "echo run >> runs.txt\n");
        script.setPermissions(script.permissions() | QFileDevice::ExeOwner);
        script.close();
        const Result inTurns =
            run(small + QStringList{"--compare", "./other build", "--pairs", "11", "--json", "compared.json"});
        QVERIFY2(inTurns.status == 1, inTurns.err.constData());
        QCOMPARE(contents("runs.txt").count("run"), 11);
        const QJsonObject compared = QJsonDocument::fromJson(contents("compared.json")).object();
        QCOMPARE(compared["pairs"].toInt(), 11);
        QVERIFY(compared["slower"].toBool() && compared["wallClock"].isObject());
        const QJsonObject row = compared["rows"].toArray().first().toObject();
        QVERIFY(row["kernel"].toObject()["upper"].toDouble() < 0.98);
        QVERIFY(row["total"].toObject()["median"].toDouble() > 0);
        // Comparisons that are refused.
        const auto refused = [&](const QStringList& arguments, const QByteArray& words) {
            const Result result = run(arguments);
            QTest::qVerify(result.status == 2 && result.err.contains(words), "refused", result.err, __FILE__, __LINE__);
        };
        refused(small + QStringList{"--compare", "head.h5"}, "head.h5");
        refused(small + QStringList{"--compare", "other.json", "--pairs", "8"}, "--pairs");
        refused(small + QStringList{"--compare", "other.json", "--json", "./other.json", "--overwrite"}, "--compare");
        refused({"benchmark", "--volume", "16", "--output", ".", "--compare", "other.json"}, "in common");
        refused({"benchmark", "--size", "8", "--projections", "8", "--methods", "exact", "--compare", "other.json"},
                "in common");
    }

    // Planes and volumes are compared as methods are.
    void comparesPlanesAndVolumes()
    {
        for (const QStringList& kind : {QStringList{"--planes", "--size", "16", "--projections", "8"},
                                        QStringList{"--volume", "16", "--output", "scratch"}}) {
            const QStringList small = QStringList{"benchmark", "--device", "cpu", "--repeat", "1"} + kind;
            QCOMPARE(run(small + QStringList{"--json", "before.json", "--overwrite"}).status, 0);
            const Result compared = run(small + QStringList{"--compare", "before.json", "--json", "-"});
            QVERIFY2(compared.status <= 1, compared.err.constData());
            for (const QJsonValue row : compared.json()["rows"].toArray())
                for (const char* figure : {"kernel", "total", "whole"})
                    QVERIFY2(row[QLatin1String(figure)]["median"].toDouble() > 0, figure);
        }
    }

    // Several devices share a volume, or the slices of a run.
    void severalDevices()
    {
        const Result shared = run({"benchmark", "--volume", "16", "--output", "scratch", "--device", "cpu,cuda:all"});
        QVERIFY2(shared.status <= 1 && !shared.err.contains("several devices"), shared.err.constData());
        for (const QStringList& other : {QStringList{"benchmark", "--planes"}, QStringList{"benchmark", "--card"},
                                         QStringList{"tune"}, QStringList{"verify"}}) {
            const Result refused = run(other + QStringList{"--device", "cuda:all"});
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.err.contains("'cuda:all' names several devices"), refused.err.constData());
        }
        const Result mixed = run({"benchmark", "--device", "cpu,cuda:0"});
        QCOMPARE(mixed.status, 2);
        QVERIFY2(mixed.err.contains("one kind of device"), mixed.err.constData());
    }

    void cones()
    {
        const QStringList small = {"benchmark", "--geometry", "cone",  "--size",   "16", "--projections",
                                   "8",         "--methods",  "exact", "--repeat", "1"};
        const Result timed = run(small + QStringList{"--voxels", "8", "--slices", "4", "--json", "-"});
        QVERIFY2(timed.status == 0, timed.err.constData());
        const QJsonObject row = timed.json()["rows"].toArray().first().toObject();
        QCOMPARE(row["geometry"].toString(), "cone beam");
        QCOMPARE(row["bins"].toInt(), 16);
        QCOMPARE(row["size"].toInt(), 8);
        QCOMPARE(row["slices"].toInt(), 4);
        QCOMPARE(row["alpha"].toDouble(), 16.0 * 16 * 8 / (8 * 8 * 8));
        const QByteArray table = run(small).out;
        QVERIFY2(table.contains("16² × 8 → 16² × 1") && table.contains("cone beam"), table.constData());
        const Result parallel = run({"benchmark", "--size", "16", "--voxels", "8"});
        QCOMPARE(parallel.status, 2);
        QVERIFY2(parallel.err.contains("--geometry cone"), parallel.err.constData());
        const Result sized = run({"benchmark", "--size", "16", "--sweep", "5"});
        QCOMPARE(sized.status, 2);
        QVERIFY2(sized.err.contains("--size excludes --sweep"), sized.err.constData());
        const Result other = run({"verify", "--geometry", "cone", "--methods", "double"});
        QCOMPARE(other.status, 2);
        QVERIFY2(other.err.contains("cone"), other.err.constData());
    }

    void listsOfMethods()
    {
        const QStringList both = {"exact", "cpu"};
        const Result timed = run({"benchmark", "--size", "16", "--projections", "8", "--methods", "cpu,exact",
                                  "--repeat", "1", "--json", "-"});
        QVERIFY2(timed.status == 0, timed.err.constData());
        QStringList methods;
        for (const QJsonValue row : timed.json()["rows"].toArray())
            methods << row["method"].toString();
        for (const QString& method : both)
            QVERIFY2(methods.contains(method), timed.out.constData());
    }

    void fromDiskToDisk_data()
    {
        QTest::addColumn<QString>("sampleType");
        QTest::addColumn<double>("bytes");
        QTest::addRow("uint16") << "uint16" << 2.0;
        QTest::addRow("float32") << "float32" << 4.0;
    }

    void fromDiskToDisk()
    {
        QFETCH(QString, sampleType);
        QFETCH(double, bytes);
        const Result result =
            run({"benchmark", "--volume", "48", "--projections", "40", "--slices", "20", "--sample-type", sampleType,
                 "--output", "scratch", "--device", "cpu", "--json", "-"});
        QVERIFY2(result.status == 0, result.err.constData());
        const QJsonObject volume = result.json()["volume"].toObject();
        QCOMPARE(volume["size"].toInt(), 48);
        QCOMPARE(volume["projections"].toInt(), 40);
        QCOMPARE(volume["slices"].toInt(), 20);
        for (const char* figure : {"readOverMachine", "writeOverMachine", "wholeOverSlowest"})
            QVERIFY2(volume[figure].toDouble() > 0, figure);
        for (const char* output : {"hdf5", "tiffs"}) {
            const QJsonObject made = volume["runs"][output].toObject();
            QCOMPARE(made["bytesIn"].toDouble(), bytes * 48 * 40 * 20);
            QCOMPARE(made["bytesOut"].toDouble(), 4.0 * 48 * 48 * 20);
            QVERIFY(made["elapsedSeconds"].toDouble() > 0 && made["writeAloneBytesPerSecond"].toDouble() > 0);
        }
        QVERIFY(!QFileInfo::exists(file("scratch"))); // no files are left
    }

    void fromDiskToDiskOfAScan()
    {
        QVERIFY(QDir(folder()).mkdir("scratch"));
        const Result ofScan = run({"benchmark", "--volume", "head.h5", "--output", "scratch", "--device", "cpu"});
        QVERIFY2(ofScan.status == 0 && ofScan.out.contains("head.h5") && ofScan.out.contains("GB/s"),
                 (ofScan.out + ofScan.err).constData());
        QVERIFY2(ofScan.err.startsWith("Writes twice ") && ofScan.err.contains("'scratch'"), ofScan.err.constData());
        QCOMPARE(files("scratch"), QStringList());
    }

    void fromDiskToDiskMistakes_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        QTest::addRow("no folder") << QStringList{"--volume", "32"} << QByteArray("--output");
        QTest::addRow("no pixels") << QStringList{"--volume", "0", "--output", "x"}
                                   << QByteArray("the size must be 1 or more");
        QTest::addRow("no scan") << QStringList{"--volume", "none.h5", "--output", "x"} << QByteArray("none.h5");
        QTest::addRow("a file") << QStringList{"--volume", "32", "--output", "head.h5"} << QByteArray("head.h5");
        QTest::addRow("memory") << QStringList{"--volume", "32", "--output", "x", "--memory-limit", "much"}
                                << QByteArray("--memory-limit");
    }

    void fromDiskToDiskMistakes()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, said);
        const Result result = run(QStringList{"benchmark", "--device", "cpu"} + arguments);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains(said), result.err.constData());
        QVERIFY(QFileInfo(file("head.h5")).size() > 0);
    }

    // The cases themselves are tested in engine/backends/methods_test and engine/measure/cones_test.
    void verifyPasses()
    {
        const QStringList asked{"verify", "--device", "cpu", "--methods", "double", "--json", "verified.json"};
        const Result result = run(asked);
        QVERIFY2(result.status == 0, (result.out + result.err).constData());
        QVERIFY2(result.out.contains("bound") && result.out.contains("PASS") && !result.out.contains("FAIL"),
                 result.out.constData());
        const QByteArray report = contents("verified.json");
        QVERIFY2(report.contains("\"double\"") && !report.contains("\"cpu\""), report.constData());
    }

    void verifyWithoutGpu()
    {
        if (!engine::cudaDevices().devices.empty())
            QSKIP("there is a GPU here");
        const Result result = run({"verify", "--device", "cuda"});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.err.contains("GPU") && result.err.contains("--device cpu"), result.err.constData());
        QCOMPARE(run({"reconstruct", "head.h5", "--output", "gpu.tif", "--device", "cuda"}).status, 1);
        QVERIFY(!QFile::exists(file("gpu.tif")));
    }
};

SINOSCOPE_TEST(MeasureTest, QCoreApplication)
#include "measure_test.moc"

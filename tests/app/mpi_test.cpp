// SPDX-License-Identifier: GPL-3.0-or-later
// sinoscope-mpi on several ranks of this machine: it writes one file, bit for bit that of a single process, and no
// incomplete file stays, whichever rank fails and however.
#include "engine/io/slices/stored_slices.h"
#include "tests/app/program.h"

#include <QProcessEnvironment>
#include <QStandardPaths>

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>

using program::finished;
using program::Hold;
using program::Result;
namespace fs = std::filesystem;

namespace
{

const QString mpiProgram = QStringLiteral(SINOSCOPE_BIN_DIR "/sinoscope-mpi");

constexpr int quick = 0, patient = 1; // seconds that mpirun waits for ranks to clean up (always in full)

// Environment for mpirun: loopback only, more ranks than cores, and permission to run as root.
QProcessEnvironment mpiEnvironment(const char* transport, int patienceSeconds = quick)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
             {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
             {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
             {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
             {"OMPI_MCA_plm", "isolated"},
             {"OMPI_MCA_pml", "ob1"},
             {"OMPI_MCA_btl", transport},
             {"OMPI_MCA_btl_tcp_if_include", "lo"},
             {"OMPI_MCA_oob_tcp_if_include", "lo"},
             {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
             {"PMIX_MCA_gds", "hash"}})
        environment.insert(name, value);
    environment.insert("OMPI_MCA_odls_base_sigkill_timeout", QString::number(patienceSeconds));
    return environment;
}

int linesIn(const fs::path& path)
{
    std::ifstream file(path);
    int lines = 0;
    for (std::string line; std::getline(file, line);)
        ++lines;
    return lines;
}

// Returns the children of a process that run `program`.
std::vector<pid_t> childrenOf(qint64 parent, const std::string& program)
{
    std::vector<pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        std::ifstream stat(entry.path() / "stat");
        std::string line;
        std::getline(stat, line);
        if (const std::size_t end = line.rfind(')');
            end != std::string::npos && line.find(program) < end && std::atoll(line.c_str() + end + 4) == parent)
            found.push_back(pid_t(std::stol(name)));
    }
    std::sort(found.begin(), found.end());
    return found;
}

// Returns the lines of standard error that show progress; withoutProgress returns the others.
QList<QByteArray> progressIn(const QByteArray& err)
{
    QList<QByteArray> lines = err.split('\n');
    lines.removeIf([](const QByteArray& line) { return !line.startsWith('['); });
    return lines;
}
QByteArray withoutProgress(const QByteArray& err)
{
    QList<QByteArray> lines = err.split('\n');
    lines.removeIf([](const QByteArray& line) { return line.startsWith('['); });
    return lines.join('\n').trimmed();
}

constexpr int slices = 13;
const QStringList small{"reconstruct", "scan.h5", "-o"};
const QStringList exchanged{"--loading", "exchanged"};

// A scan of which each rank can have a copy: one number after the other, without a header.
struct CopiedScan {
    int projections = 60, rows = 13, bins = 64;

    // factor: of each number.
    void write(const fs::path& path, const std::function<float(int projection, int row, int bin)>& factor) const
    {
        std::ofstream file(path, std::ios::binary);
        for (int projection = 0; projection < projections; ++projection)
            for (int row = 0; row < rows; ++row)
                for (int bin = 0; bin < bins; ++bin) {
                    const float number = factor(projection, row, bin) * float(1 + row) *
                                         std::max(0.F, 25.F - std::abs(float(bin) - 31.5F));
                    file.write(reinterpret_cast<const char*>(&number), sizeof number);
                }
    }
    QStringList asked() const
    {
        return {"reconstruct",
                "scan.raw",
                "--raw",
                QString("%1x%2x%3").arg(projections).arg(rows).arg(bins),
                "--type",
                "float32",
                "--values",
                "line-integrals",
                "--angles",
                "0:177",
                "--axis",
                "middle",
                "--slices-per-pass",
                "1",
                "-o"};
    }
};
const CopiedScan copied;
const QStringList manyGroups{"reconstruct", "long.h5", "--method", "exact", "--slices-per-pass", "1", "-o"};

} // namespace

Q_DECLARE_METATYPE(engine::RowRange)

class MpiTest : public QObject, private program::Folder
{
    Q_OBJECT

    static QStringList ranks(int count, const QStringList& arguments, const QString& folder = {})
    {
        return QStringList{"-n", QString::number(count)} +
               (folder.isEmpty() ? QStringList() : QStringList{"-wdir", folder}) + QStringList{mpiProgram} + arguments;
    }
    // Returns the arguments for one rank that `hold` stops.
    static QStringList heldRank(const Hold& hold, const QStringList& arguments)
    {
        return QStringList{"-n", "1", "env"} + hold.variables() + QStringList{mpiProgram} + arguments;
    }
    void startMpi(QProcess& process, const QStringList& arguments, const char* transport = "self,vader",
                  int patienceSeconds = patient) const
    {
        process.setWorkingDirectory(folder());
        process.setProcessEnvironment(mpiEnvironment(transport, patienceSeconds));
        process.start("mpirun", arguments);
    }
    Result mpi(const QStringList& arguments, const char* transport = "self,vader") const
    {
        QProcess process;
        startMpi(process, arguments, transport, quick);
        return finished(process);
    }

    void sameSlices(const QString& a, const QString& b, int first, int count)
    {
        for (int k = first; k < first + count; ++k) {
            const auto one = engine::readSlice({path(a)}, k).image, other = engine::readSlice({path(b)}, k).image;
            QVERIFY(one.values.size() > 0 && one.values.size() == other.values.size());
            QVERIFY2(std::memcmp(one.values.data(), other.values.data(), one.values.size() * sizeof(float)) == 0,
                     qPrintable(QString("slice %1").arg(k)));
        }
    }
    QStringList leftOf(const QString& name) const { return files().filter(name); }

  private slots:
    void initTestCase()
    {
        qputenv("OMPI_MCA_mpi_yield_when_idle", "1"); // there may be fewer cores than ranks
        if (!QFile::exists(mpiProgram) || QStandardPaths::findExecutable("mpirun").isEmpty())
            QSKIP("no MPI on this machine: sinoscope-mpi isn't tested");
        QVERIFY(run({"phantom", "shepp-logan-3d", "--size", "64", "--projections", "60", "--slices",
                     QString::number(slices), "--axis-offset", "1.5", "--photons", "1e5", "-o", "scan.h5"})
                    .status == 0);
        QVERIFY(run({"phantom", "shepp-logan-3d", "--size", "128", "--projections", "240", "--slices", "30", "-o",
                     "long.h5"})
                    .status == 0);
        for (const char* name : {"a", "b"})
            QVERIFY(QDir(folder()).mkdir(name));
        for (const char* copy : {"a/scan.h5", "a/good.h5", "b/good.h5"})
            QVERIFY(QFile::copy(file("scan.h5"), file(copy)));
    }

    void sameBits_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<QStringList>("options");
        const QStringList one{"--slices-per-pass", "1"};
        QTest::newRow("1 rank") << 1 << one;
        QTest::newRow("2 ranks") << 2 << one;
        QTest::newRow("3 ranks") << 3 << one + QStringList{"--rings", "all"};
        // A rank has fewer slices than a single process, and therefore chooses another number of slices per pass: the
        // bits are the same only with a method whose result does not depend on that number.
        QTest::newRow("4 ranks, each with something to do unless told otherwise")
            << 4 << QStringList{"--method", "exact"};
        QTest::newRow("whole numbers of a range that is found") << 2 << one + QStringList{"--output-type", "uint16"};
        QTest::newRow("halves, scaled by groups") << 3 << QStringList{"--method", "exact", "--precision", "half"};
        QTest::newRow("compressed") << 3 << one + QStringList{"--compression", "deflate"};
        QTest::newRow("compressed halves, with a rank that has none")
            << 4 << QStringList{"--compression", "deflate:9", "--output-type", "half", "--slices-per-pass", "8"};
        QTest::newRow("projections are exchanged") << 3 << one + QStringList{"--rings", "all"} + exchanged;
        QTest::newRow("projections are exchanged with ranks that have no slices")
            << 4 << one + QStringList{"--slices", "5:7"} + exchanged;
        QTest::newRow("fewer slices than ranks") << 4 << one + QStringList{"--slices", "5:7"};
    }
    void sameBits()
    {
        QFETCH(const int, count);
        QFETCH(const QStringList, options);
        const bool few = options.contains("5:7");
        for (const char* output : {"one.h5", "all.h5"})
            QFile::remove(file(output));
        QStringList alone = options;
        if (options.contains("--loading"))
            alone.resize(options.size() - exchanged.size());
        QCOMPARE(run(small + QStringList{"one.h5"} + alone).status, 0);
        const Result result = mpi(ranks(count, small + QStringList{"all.h5"} + options));
        QVERIFY2(result.status == 0, result.err);
        QVERIFY2(withoutProgress(result.err).isEmpty(), result.err);
        QCOMPARE(leftOf("all.h5"), QStringList{"all.h5"});
        QCOMPARE(result.out.contains("2 of 4 ranks had nothing to do"),
                 count == 4 && options.contains("--slices-per-pass"));
        QCOMPARE(contents("all.h5").size() < contents("one.h5").size() * 1.01, true);
        sameSlices("all.h5", "one.h5", few ? 5 : 0, few ? 2 : slices);
    }

    void planeOfOneRank()
    {
        const QStringList plane{"--plane", "x=20"};
        QCOMPARE(run(small + QStringList{"one.tif"} + plane).status, 0);
        const Result result = mpi(ranks(2, small + QStringList{"all.tif"} + plane));
        QVERIFY2(result.status == 0, result.err);
        QVERIFY2(result.out.contains("1 of 2 ranks had nothing to do"), result.out);
        sameSlices("all.tif", "one.tif", 0, 1);
    }

    void cone_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("grid");
        QTest::addColumn<bool>("byMessages"); // as between machines
        QTest::newRow("slabs") << 3 << "" << false;
        QTest::newRow("projections") << 4 << "1x4" << false;
        QTest::newRow("projections, summed by messages") << 4 << "1x4" << true;
        QTest::newRow("both") << 4 << "2x2" << false;
        QTest::newRow("both, with projections exchanged") << 4 << "2x2 --loading exchanged" << false;
        QTest::newRow("slabs as asked for") << 4 << "4x1" << false;
        QTest::newRow("in one slab, and one more column than fit evenly") << 3 << "1x3" << true;
    }
    // Cone beams: the volume is divided into slabs (a rank filters the rows that its slab needs), and the ranks of a
    // slab divide the projections and add their sums.
    void cone()
    {
        QFETCH(const int, count);
        QFETCH(const QString, grid);
        QFETCH(const bool, byMessages);
        for (const char* name : {"cone.h5", "cone1.h5", "cones.h5"})
            QFile::remove(file(name));
        QVERIFY(run({"phantom", "shepp-logan-3d", "--size", "32", "--projections", "40", "--slices", "32",
                     "--source-axis", "1000", "--source-detector", "1500", "--pixel", "1", "-o", "cone.h5"})
                    .status == 0);
        const QStringList asked{"reconstruct", "cone.h5", "--slices-per-pass", "4", "-o"};
        QCOMPARE(run(asked + QStringList{"cone1.h5"}).status, 0);
        const QStringList onRanks = ranks(count, asked + QStringList{"cones.h5", "--json", "-"} +
                                                     (grid.isEmpty() ? QStringList() : ("--grid " + grid).split(' ')));
        const Result result =
            mpi((byMessages ? QStringList{"-x", "SINOSCOPE_RANKS_BY_MESSAGES=1"} : QStringList()) + onRanks);
        QVERIFY2(result.status == 0, result.err);
        for (int k = 0; k < 32; ++k) {
            const double error = fixtures::relativeError(engine::readSlice({path("cones.h5")}, k).image,
                                                         engine::readSlice({path("cone1.h5")}, k).image);
            QVERIFY2(error < 1e-6, qPrintable(QString("slice %1: %2").arg(k).arg(error)));
        }
        const QJsonObject report = result.json();
        double updates = 0; // voxels times projections, each pair counted once
        for (const QJsonValue share : report["ranks"].toArray())
            updates += share["slices"].toInt() * share["projections"].toInt(40);
        QCOMPARE(updates, 32.0 * 40);
        const QJsonObject stages = report["stageSeconds"].toObject();
        QCOMPARE(stages.contains("reduce"), grid.contains('x') && !grid.endsWith("x1"));
        QCOMPARE(stages.contains("exchange"), grid.contains("exchanged"));
        QCOMPARE(report["loading"].toString(), QString(grid.contains("exchanged") ? "exchanged" : "bands"));
        QVERIFY(report["overlap"].toDouble() > 0);
        const Result single = run(asked + QStringList{"cone1.h5", "--overwrite", "--json", "-"});
        QCOMPARE(report["notes"].toArray(), single.json()["notes"].toArray()); // including the numbers in them
    }

    // The rank that writes the sum of several ranks fails.
    void coneFails()
    {
        QVERIFY(
            run({"phantom", "shepp-logan-3d", "--size", "48", "--projections", "40", "--slices", "48", "--source-axis",
                 "1000", "--source-detector", "1500", "--pixel", "1", "--overwrite", "-o", "c48.h5"})
                .status == 0);
        const QStringList asked{"reconstruct", "c48.h5", "-o", "cf.h5", "--grid", "2x2"};
        const QStringList limited =
            QStringList{"-n", "1", "sh", "-c", "ulimit -f 8; exec \"$0\" \"$@\"", mpiProgram} + asked;
        const Result result =
            mpi(ranks(2, asked) + QStringList{":"} + limited + QStringList{":"} + ranks(1, asked), "self,tcp");
        QVERIFY2(result.status == 2, result.err);
        QVERIFY2(result.err.contains("sinoscope-mpi: rank 2 of 4 (") && result.err.contains("can't be written"),
                 result.err);
        QCOMPARE(result.err.count("sinoscope-mpi: "), 1);
        QCOMPARE(leftOf("cf.h5"), QStringList());
    }

    // Measured rates are input of the model, and a run is compared with the model's prediction.
    void rates()
    {
        QVERIFY(QDir(folder()).mkdir("made"));
        const Result measured = mpi(ranks(2, {"benchmark", "--size", "48", "--projections", "40", "--repeat", "1",
                                              "--folder", "made", "--json", "rates.json"}));
        QVERIFY2(measured.status == 0, measured.err);
        QVERIFY2(measured.out.contains("Reduce, a slab") && measured.out.contains("ranks 1x2"), measured.out);
        QCOMPARE(files("made"), QStringList());
        const Result nowhere = mpi(ranks(2, {"benchmark", "--folder", "nowhere"}));
        QVERIFY2(nowhere.status == 2 && nowhere.err.contains("there is no folder 'nowhere'"), nowhere.err);
        const Result noGpu = mpi(ranks(2, {"benchmark", "--size", "16", "--projections", "2", "--device", "cuda:99"}));
        QVERIFY2(noGpu.status == 1 && noGpu.err.contains("NVIDIA GPU") && !noGpu.err.contains("making"), noGpu.err);
        const Result grid = mpi(ranks(2, {"benchmark", "--grid", "3x1"}));
        QVERIFY2(grid.status == 2 && grid.err.contains("3x1 ranks were requested") && !grid.err.contains("making"),
                 grid.err);
        const QByteArray text = contents("rates.json");
        const QJsonObject json = QJsonDocument::fromJson(text).object(), rates = json["rates"].toObject();
        for (const char* rate : {"loadBytesPerSecond", "filterSamplesPerSecond", "kernelUpdatesPerSecond",
                                 "reduceBytesPerSecond", "storeBytesPerSecond"})
            QVERIFY2(rates[rate].toDouble() > 0, rate);
        QCOMPARE(rates["gpusPerNode"].toInt(), 2);
        // Predicted seconds are the updates divided by the rate: here all updates, shared by two ranks.
        const double updates = 48.0 * 48 * 48 * 40 / 2, seconds = json["seconds"].toObject()["backproject"].toDouble();
        QVERIFY(std::abs(rates["kernelUpdatesPerSecond"].toDouble() * seconds / updates - 1) < 1e-6);
        const Result modelled = run({"model", "--rates", "rates.json", "--size", "48", "--detector", "48x48",
                                     "--projections", "40", "--grid", "1x2", "--json", "-"});
        QVERIFY2(modelled.status == 0, modelled.err);
        QVERIFY(
            run({"phantom", "shepp-logan-3d", "--size", "48", "--projections", "40", "--slices", "48", "--source-axis",
                 "1000", "--source-detector", "1500", "--pixel", "1", "--overwrite", "-o", "c48.h5"})
                .status == 0);
        const Result made = mpi(ranks(2, {"reconstruct", "c48.h5", "-o", "modelled-7.h5", "--rates", "rates.json"}));
        QVERIFY2(made.status == 0, made.err);
        QVERIFY2(made.out.contains("predicted / measured"), made.out);
        QCOMPARE(mpi(ranks(2, {"benchmark", "--json", "rates.json"})).status, 2); // it exists already
        QCOMPARE(contents("rates.json"), text);
        const Result exchange = mpi(ranks(2, QStringList{"benchmark", "--size", "48", "--projections", "40", "--repeat",
                                                         "1", "--folder", "made", "--grid", "2x1", "--json", "-"} +
                                                 exchanged));
        QVERIFY2(exchange.status == 0, exchange.err);
        const QJsonObject found = exchange.json()["rates"].toObject();
        QCOMPARE(found["loading"].toString(), QString("exchanged"));
        // Each of the two ranks receives all projections, in the scan's two bytes a sample.
        const double moved =
            found["allGatherBytesPerSecond"].toDouble() * exchange.json()["seconds"].toObject()["exchange"].toDouble();
        QVERIFY2(std::abs(moved / (exchange.json()["problem"].toObject()["bytesPerSample"].toDouble() * 48 * 48 * 40) -
                          1) < 1e-6,
                 exchange.out);
    }

    void folderOfTiffs()
    {
        QCOMPARE(run(small + QStringList{"one/"}).status, 0);
        const QStringList divided = ranks(3, small + QStringList{"new/all/", "--slices-per-pass", "1"});
        QCOMPARE(run(small + QStringList{"one1/", "--slices-per-pass", "1"}).status, 0);
        const Result result = mpi(divided);
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(files("new/all"), files("one1"));
        for (const QString& name : files("one1"))
            QCOMPARE(contents("new/all/" + name), contents("one1/" + name));
        const Result again = mpi(divided);
        QCOMPARE(again.status, 2);
        QVERIFY2(again.err.contains("exists already"), again.err);
        QCOMPARE(files("new/all"), files("one1"));
        const Result replaced = mpi(divided + QStringList{"--overwrite"});
        QVERIFY2(replaced.status == 0, replaced.err);
        QCOMPARE(files("new/all"), files("one1"));
    }

    void whoDidWhat()
    {
        const Result result = mpi(ranks(3, small + QStringList{"r.h5", "--slices-per-pass", "1", "--json", "-"}));
        QVERIFY2(result.status == 0, result.err);
        const QJsonObject report = result.json();
        const QJsonArray shares = report["ranks"].toArray();
        QCOMPARE(shares.size(), 3);
        int next = 0;
        double fastest = 0;
        for (int k = 0; k < 3; ++k) {
            const QJsonObject share = shares[k].toObject();
            QCOMPARE(share["rank"].toInt(), k);
            QCOMPARE(share["firstSlice"].toInt(), next);
            QVERIFY(!share["host"].toString().isEmpty() && !share["device"].toString().isEmpty());
            QVERIFY(share["seconds"].toDouble() > 0 &&
                    share["seconds"].toDouble() <= report["elapsedSeconds"].toDouble());
            next += share["slices"].toInt();
            fastest = std::max(fastest, share["totalGups"].toDouble());
        }
        QCOMPARE(next, slices);
        // GU/s times the seconds in the same report give all updates.
        for (const QString kind : {"kernel", "total"}) {
            const double updates = report[kind + "Gups"].toDouble() * report[kind + "Seconds"].toDouble() * 1e9,
                         wanted = report["size"].toDouble() * report["size"].toDouble() * slices *
                                  report["projections"].toDouble();
            QVERIFY2(std::abs(updates / wanted - 1) < 1e-9, qPrintable(QString::number(updates / wanted)));
        }
        QVERIFY(report["totalGups"].toDouble() <= 3 * fastest);
        QCOMPARE(report["slices"].toInt(), slices);
    }

    // Progress counts the work of all ranks, not only that of the first, which does half; standard error contains
    // nothing else.
    void progress()
    {
        const Result result =
            mpi(ranks(2, manyGroups + QStringList{"p.h5", "--threads", "1", "--size", "480", "--json", "-"}));
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(withoutProgress(result.err), QByteArray());
        QCOMPARE(result.json()["slices"].toInt(), 30);
        int before = 0;
        for (const QByteArray& line : progressIn(result.err)) {
            const int percent = line.mid(line.indexOf(']') + 1).split('%').first().trimmed().toInt();
            QVERIFY2(percent >= before + 10 && percent <= 100 && line.endsWith("2 ranks"), result.err);
            before = percent;
        }
        // A line appears once per second, so the last line reports more than half.
        if (result.json()["kernelSeconds"].toDouble() > 3)
            QVERIFY2(before > 50, result.err);
    }

    // The plan of all ranks is printed once, with the exit status that the run would have.
    void plan()
    {
        const QStringList asked = small + QStringList{"planned.h5", "--plan", "--slices-per-pass", "1"};
        const Result result = mpi(ranks(3, asked));
        QVERIFY2(result.status == 0 && result.err.isEmpty(), result.err);
        QCOMPARE(result.out.count("\npossible"), 1);
        QVERIFY2(result.out.contains("3x1, rows") && result.out.contains("possible  yes"), result.out);
        int sum = 0, lines = 0;
        for (const QByteArray& line : result.out.split('\n'))
            if (const QList<QByteArray> words = line.simplified().split(' ');
                words.size() > 4 && words[0] == QByteArray::number(lines) && words[3] == "60") {
                sum += words[2].toInt();
                ++lines;
                QVERIFY2(line.contains("MB") && line.contains("about"), line);
            }
        QCOMPARE(lines, 3);
        QCOMPARE(sum, slices);
        QCOMPARE(leftOf("planned"), QStringList());
        const Result there = mpi(ranks(2, {"reconstruct", "scan.h5", "--plan", "-o", "long.h5"}));
        QCOMPARE(there.status, 2);
        QVERIFY2(there.out.contains("not possible: 'long.h5' exists already"), there.out);
        const Result grid = mpi(ranks(2, asked + QStringList{"--grid", "1x2"}));
        QCOMPARE(grid.status, 2);
        QVERIFY2(grid.err.contains("not its projections: use 2x1"), grid.err);
        const Result many = mpi(ranks(2, {"reconstruct", "scan.h5", "none.h5", "--plan", "-o", "many/"}));
        QCOMPARE(many.status, 2);
        QVERIFY2(many.out.count("possible") >= 3 && many.out.contains("2x1, rows"), many.out + many.err);
    }

    // Open MPI's own binding of a single rank to one core doesn't hold; the user's does.
    void usesAllCores()
    {
        const auto threadsWith = [this](const QStringList& binding) {
            const Result made = mpi(QStringList{"-n", "1"} + binding +
                                    QStringList{mpiProgram, "reconstruct", "scan.h5", "--device", "cpu", "-o", "t0.h5",
                                                "--overwrite", "--json", "-"});
            const QString device = made.json()["device"].toString();
            return device.section(", ", -1).section(' ', 0, 0).toInt();
        };
        const int all = threadsWith({"--bind-to", "none"});
        QVERIFY(all >= 1);
        QCOMPARE(threadsWith({}), all);
        if (all > 2) // a core may have two threads
            QVERIFY(threadsWith({"--bind-to", "core"}) <= 2);
    }

    // A single process, without mpirun.
    void alone()
    {
        QProcess process;
        process.setWorkingDirectory(folder());
        process.setProcessEnvironment(mpiEnvironment("self,vader"));
        process.start(mpiProgram, small + QStringList{"alone.h5"});
        const Result result = finished(process);
        QVERIFY2(result.status == 0, result.err);
        QVERIFY(run(small + QStringList{"one0.h5"}).status == 0);
        sameSlices("alone.h5", "one0.h5", 0, slices);
    }

    void mistakes()
    {
        const Result option = mpi(ranks(2, small + QStringList{"x.h5", "--fliter", "hann"}));
        QCOMPARE(option.status, 2);
        QCOMPARE(option.err.count("unknown option '--fliter'; did you mean --filter"), 1);
        const Result missing = mpi(ranks(2, {"reconstruct", "nothing.h5", "-o", "x.h5"}));
        QCOMPARE(missing.status, 2);
        QCOMPARE(missing.err.count("sinoscope-mpi: "), 1);
        QVERIFY2(missing.err.contains("nothing.h5") && !missing.err.contains("rank 0 of 2"), missing.err);
        const Result grid = mpi(ranks(2, small + QStringList{"x.h5", "--grid", "1x2"}));
        QCOMPARE(grid.status, 2);
        QVERIFY2(grid.err.contains("not its projections: use 2x1"), grid.err);
        QCOMPARE(leftOf("x.h5"), QStringList());
    }

    // The second rank runs in another folder.
    void missingAtOne()
    {
        const QStringList asked = small + QStringList{file("m.h5")};
        const Result result = mpi(ranks(1, asked, file("a")) + QStringList{":"} + ranks(1, asked, file("b")));
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("sinoscope-mpi: rank 1 of 2 (") && result.err.contains("scan.h5"), result.err);
        QCOMPARE(result.err.count("sinoscope-mpi: "), 1);
        QCOMPARE(leftOf("m.h5"), QStringList());
    }
    // Another scan of the same series, with the same name and size.
    void anotherScanAtOne()
    {
        QVERIFY(QDir(folder()).mkdir("c") && QFile::copy(file("scan.h5"), file("c/scan.h5")));
        {
            std::fstream other(file("c/scan.h5").toStdString(), std::ios::binary | std::ios::in | std::ios::out);
            const auto size = static_cast<std::streamoff>(fs::file_size(file("c/scan.h5").toStdString()));
            std::string middle(static_cast<std::size_t>(size / 4), '\0');
            other.seekg(size / 2);
            other.read(middle.data(), size / 4);
            for (char& byte : middle)
                byte = static_cast<char>(byte ^ 1);
            other.seekp(size / 2);
            other.write(middle.data(), size / 4);
            QVERIFY(other.good());
        }
        const QStringList asked = small + QStringList{file("another.h5")};
        const Result result = mpi(ranks(1, asked, file("a")) + QStringList{":"} + ranks(1, asked, file("c")));
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("rank 1 of 2 (") && result.err.contains("another scan than rank 0"), result.err);
        QCOMPARE(leftOf("another.h5"), QStringList());
    }
    void copies_data()
    {
        QTest::addColumn<int>("rank"); // whose copy differs in what it uses
        QTest::addColumn<engine::RowRange>("projections");
        QTest::addColumn<engine::RowRange>("rows");
        QTest::addColumn<engine::RowRange>("bins");
        QTest::addColumn<QStringList>("options");
        const engine::RowRange all{0, copied.projections}, rows{0, copied.rows}, bins{0, copied.bins}, one{31, 1};
        for (const int rank : {0, 1, 2})
            QTest::addRow("a frame at rank %d", rank) << rank << one << rows << bins << QStringList();
        QTest::newRow("a row") << 1 << all << engine::RowRange{5, 1} << bins << QStringList();
        QTest::newRow("a pixel") << 2 << one << engine::RowRange{12, 1} << engine::RowRange{20, 1} << QStringList();
        QTest::newRow("a frame, exchanged") << 1 << one << rows << bins << exchanged;
        QTest::newRow("a pixel, exchanged")
            << 1 << one << engine::RowRange{0, 1} << engine::RowRange{20, 1} << exchanged;
        QTest::newRow("none") << 0 << engine::RowRange{0, 0} << rows << bins << QStringList();
        QTest::newRow("none, exchanged") << 0 << engine::RowRange{0, 0} << rows << bins << exchanged;
    }
    // Ranks with copies of their own compare all values that they read, before a file gets its name.
    void copies()
    {
        QFETCH(const int, rank);
        QFETCH(const engine::RowRange, projections);
        QFETCH(const engine::RowRange, rows);
        QFETCH(const engine::RowRange, bins);
        QFETCH(const QStringList, options);
        QFile::remove(file("copies.h5"));
        QStringList arguments;
        const QStringList asked = copied.asked() + QStringList{file("copies.h5"), "--json", "-"} + options;
        for (int k = 0; k < 3; ++k) {
            const QString name = QString("copy%1").arg(k);
            QDir(folder()).mkdir(name);
            copied.write(path(name + "/scan.raw"), [&](int projection, int row, int bin) {
                const auto in = [](const engine::RowRange& some, int k) {
                    return k >= some.first && k < some.first + some.count;
                };
                return k == rank && in(projections, projection) && in(rows, row) && in(bins, bin) ? 0.5F : 1;
            });
            arguments += (k > 0 ? QStringList{":"} : QStringList()) + ranks(1, asked, file(name));
        }
        const Result result = mpi(arguments);
        if (projections.count == 0) {
            QVERIFY2(result.status == 0, result.err);
            QVERIFY2(result.out.contains("copies of the scan, whose values were compared"), result.out);
            QCOMPARE(run(QStringList(copied.asked()).replaceInStrings("scan.raw", "copy0/scan.raw") +
                         QStringList{"single.h5", "--overwrite"})
                         .status,
                     0);
            sameSlices("copies.h5", "single.h5", 0, copied.rows);
            return;
        }
        QVERIFY2(result.status == 2, result.err);
        QVERIFY2(result.err.contains("the copies of the scan differ: row "), result.err);
        QCOMPARE(leftOf("copies.h5"), QStringList());
    }

    // A run that continues an interrupted one compares the rows of the slices that it finds, too.
    void copiesResumed()
    {
        const QStringList asked = copied.asked() + QStringList{file("later.h5"), "--resume", "--method", "exact"};
        const Hold first(".later.h5.resume", 3);
        for (int k = 0; k < 2; ++k) {
            const QString name = QString("later%1").arg(k);
            QVERIFY(QDir(folder()).mkdir(name));
            copied.write(path(name + "/scan.raw"), [k](int projection, int row, int) {
                return k == 1 && projection == 31 && row == 0 ? 0.5F : 1;
            });
        }
        const auto of = [&](int k) { return ranks(1, asked, file(QString("later%1").arg(k))); };
        QStringList held = heldRank(first, asked);
        held.insert(2, "-wdir");
        held.insert(3, file("later0"));
        QProcess process;
        startMpi(process, held + QStringList{":"} + of(1));
        QVERIFY2(first.isReached(process), process.readAllStandardError());
        ::kill(first.pid(), SIGKILL);
        QVERIFY(finished(process).status != 0);
        QVERIFY(linesIn(path(".later.h5.resume")) >= 2); // at least slice 0
        const Result result = mpi(of(0) + QStringList{":"} + of(1));
        QVERIFY2(result.status == 2, result.err);
        QVERIFY2(result.err.contains("the copies of the scan differ: row 0 "), result.err);
        QVERIFY(!QFile::exists(file("later.h5")));
    }

    // The output path is resolved in the working folder of the first rank.
    void outputOfTheFirst()
    {
        const QStringList asked{"reconstruct", file("scan.h5"), "-o", "w.h5"};
        const Result result = mpi(ranks(1, asked, file("a")) + QStringList{":"} + ranks(1, asked, file("b")));
        QVERIFY2(result.status == 0, result.err);
        QVERIFY(files("a").contains("w.h5"));
        QVERIFY(!files("b").contains("w.h5"));
    }

    void otherOptions()
    {
        const Result result = mpi(ranks(1, small + QStringList{"d.h5", "--filter", "hann"}) + QStringList{":"} +
                                  ranks(1, small + QStringList{"d.h5", "--filter", "cosine"}));
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("rank 1 of 2 (") &&
                     result.err.contains("--filter is \"cosine\" there and \"hann\""),
                 result.err);
        QCOMPARE(leftOf("d.h5"), QStringList());
    }

    void fullDisk_data()
    {
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("compression");
        QTest::newRow("one file") << "full.h5"
                                  << "none";
        QTest::newRow("a folder") << "full/"
                                  << "none";
        QTest::newRow("compressed") << "full.h5"
                                    << "deflate";
    }
    // The second rank may not write files larger than 4 KiB.
    void fullDisk()
    {
        QFETCH(const QString, output);
        QFETCH(const QString, compression);
        const QStringList asked = small + QStringList{output, "--slices-per-pass", "1", "--compression", compression};
        const QStringList limited =
            QStringList{"-n", "1", "sh", "-c", "ulimit -f 8; exec \"$0\" \"$@\"", mpiProgram} + asked;
        const Result result = mpi(ranks(1, asked) + QStringList{":"} + limited, "self,tcp");
        QVERIFY2(result.status == 2, result.err);
        QVERIFY2(result.err.contains("sinoscope-mpi: rank 1 of 2 (") && result.err.contains("can't be written"),
                 result.err);
        QCOMPARE(result.err.count("sinoscope-mpi: "), 1);
        QCOMPARE(leftOf("full"), QStringList());
    }

    void killed_data()
    {
        QTest::addColumn<QString>("output");
        QTest::addColumn<int>("signal");
        QTest::newRow("one file") << "killed.h5" << SIGKILL;
        QTest::newRow("a folder") << "folder/" << SIGKILL;
        QTest::newRow("asked to end") << "ended.h5" << SIGTERM;
    }
    // One of three ranks is killed: at most its own temporary files stay, and their names identify them as such.
    void killed()
    {
        QFETCH(const QString, output);
        QFETCH(const int, signal);
        const bool isFolder = output.endsWith('/');
        const QString name = isFolder ? output.chopped(1) : output;
        pid_t second = 0;
        // On a busy machine the other ranks may need longer to clean up than mpirun waits, so that mpirun kills them,
        // too.
        for (const int patience : {1, 5, 25}) {
            for (const QString& left : isFolder ? QStringList() : leftOf(name))
                QFile::remove(file(left));
            const QStringList asked = manyGroups + QStringList{output};
            // The second rank writes into the first rank's file, or into files of its own.
            const Hold hold(isFolder ? ".long_00015.tiff." : "." + name + ".", isFolder ? 2 : 1);
            QProcess process;
            startMpi(process,
                     ranks(1, asked) + QStringList{":"} + heldRank(hold, asked) + QStringList{":"} + ranks(1, asked),
                     "self,vader", patience);
            QVERIFY2(hold.isReached(process), process.readAllStandardError());
            QTRY_VERIFY(!isFolder || files(output).size() >= 30);
            second = hold.pid();
            ::kill(second, signal);
            const Result result = finished(process);
            QVERIFY2(result.status != 0, "it ended as if nothing had been");
            if (signal == SIGKILL)
                QVERIFY2(result.err.contains("signal 9"), result.err); // mpirun reports which rank and where
            else
                QVERIFY2(result.err.contains("cancelled by a signal; MPI sends one"), result.err);
            if (isFolder || leftOf(name).isEmpty())
                break;
        }
        if (!isFolder) {
            QCOMPARE(leftOf(name), QStringList());
            return;
        }
        const QStringList left = files(output);
        for (const QString& name : left)
            QVERIFY2(name.startsWith('.') && name.contains(QString(".%1-").arg(second)), qPrintable(name));
        // The next run with the same output removes the killed rank's files.
        QVERIFY(run({"reconstruct", "long.h5", "-o", output, "--method", "cpu"}).status == 0);
        QCOMPARE(files(output).size(), 30);
    }

    void resumed_data()
    {
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("journal");
        QTest::addColumn<int>("columns"); // of a grid of ranks with two rows
        QTest::newRow("one file") << "v.h5"
                                  << ".v.h5.resume" << 1;
        QTest::newRow("a folder") << "v/"
                                  << "v/.long.resume" << 1;
        QTest::newRow("sums of projections") << "vc.h5"
                                             << ".vc.h5.resume" << 2;
    }
    void resumed()
    {
        QFETCH(const QString, output);
        QFETCH(const QString, journal);
        QFETCH(const int, columns);
        const QString whole = "whole-" + output, second = journal + (columns > 1 ? "-2" : "-1");
        QStringList making = manyGroups;
        if (columns > 1) { // many small groups
            QCOMPARE(run({"phantom", "shepp-logan-3d", "--size", "96", "--projections", "720", "--slices", "30",
                          "--source-axis", "1000", "--source-detector", "1500", "--pixel", "1", "-o", "longcone.h5"})
                         .status,
                     0);
            making[1] = "longcone.h5";
            making.insert(2, "--memory-limit");
            making.insert(3, "176MB");
        }
        QCOMPARE(run(making + QStringList{whole}).status, 0);
        QStringList asked = making + QStringList{output, "--resume"};
        const QStringList grid = columns > 1 ? QStringList{"--grid", QString("2x%1").arg(columns)} : QStringList();
        // The first rank of each row has recorded its first group in its journal.
        const Hold first(journal, 3), other(second, 3);
        const auto rowHeldBy = [&](const Hold& hold) {
            const QStringList held = heldRank(hold, asked + grid);
            return columns > 1 ? held + QStringList{":"} + ranks(columns - 1, asked + grid) : held;
        };
        QProcess process;
        startMpi(process, rowHeldBy(first) + QStringList{":"} + rowHeldBy(other));
        QVERIFY2(first.isReached(process) && other.isReached(process), process.readAllStandardError());
        QCOMPARE(linesIn(path(journal)), 2);
        QCOMPARE(linesIn(path(second)), 2);
        ::kill(childrenOf(process.processId(), "sinoscope-mpi").at(1), SIGKILL);
        QVERIFY(finished(process).status != 0);
        QVERIFY(linesIn(path(journal)) >= 2 && linesIn(path(second)) >= 2);

        if (columns > 1) {
            const Result result = mpi(ranks(4, asked + grid + QStringList{"--json", "-"}));
            QVERIFY2(result.status == 0, result.err);
            QVERIFY2(result.out.contains("slices were reconstructed by an interrupted run"), result.out);
            for (int k = 0; k < 30; ++k)
                QVERIFY(fixtures::relativeError(engine::readSlice({path(output)}, k).image,
                                                engine::readSlice({path(whole)}, k).image) < 1e-6);
            return;
        }
        const Result others = mpi(ranks(3, asked));
        QCOMPARE(others.status, 2);
        QVERIFY2(others.err.contains("reconstructed by 2 processes, and now there are 3"), others.err);
        const Result single = run(asked);
        QCOMPARE(single.status, 2);
        QVERIFY2(single.err.contains("reconstructed by 2 processes, and now there is 1"), single.err);

        const Result result = mpi(ranks(2, asked + QStringList{"--json", "-"}));
        QVERIFY2(result.status == 0, result.err);
        QVERIFY2(result.out.contains("slices were reconstructed by an interrupted run"), result.out);
        sameSlices(output, whole, 0, 30);
        if (output.endsWith('/'))
            QCOMPARE(files(output), files(whole));
        else
            QCOMPARE(leftOf("v.h5").filter(QRegularExpression("^\\.?v")), QStringList{"v.h5"});
        const Result again = mpi(ranks(2, asked));
        QVERIFY2(again.status == 0 && again.out.contains("nothing was left to do"), again.err);
    }

    // Several scans: an error at one rank only is reported, and the next scan is reconstructed.
    void manyScans()
    {
        const QStringList asked{"reconstruct", "scan.h5", "good.h5", "-o", file("many/")};
        const Result result = mpi(ranks(1, asked, file("a")) + QStringList{":"} + ranks(1, asked, file("b")));
        QCOMPARE(result.status, 2);
        QVERIFY2(result.out.contains("rank 1 of 2 ("), result.out);
        QCOMPARE(files("many/good").size(), slices);
        QVERIFY(!QFile::exists(file("many/scan")));
    }
};

SINOSCOPE_TEST(MpiTest, QCoreApplication)
#include "mpi_test.moc"

// The command-line program as a user meets it: the real binary, its output, files and exit status.
#include "engine/backproject/parallel/cuda/tuning.h"
#include "engine/backproject/method.h"
#include "engine/cuda/devices.h"
#include "engine/io/write_slices.h"
#include "engine/scan/phantom.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace
{

const QString program = QStringLiteral(SINOSCOPE_BIN_DIR "/sinoscope-cli");

struct Result {
    int status = -1; // −1 when it crashed or hung
    QByteArray out, err;

    QJsonObject json() const { return QJsonDocument::fromJson(out).object(); }
    QJsonArray list() const { return QJsonDocument::fromJson(out).array(); }
};

Result finished(QProcess& process)
{
    Result result;
    if (!process.waitForFinished(600000)) // it hangs
        process.kill();
    else if (process.exitStatus() == QProcess::NormalExit)
        result.status = process.exitCode();
    result.out = process.readAllStandardOutput();
    result.err = process.readAllStandardError();
    return result;
}

// The other end of a terminal; what was written to it is read back.
class Terminal
{
  public:
    Terminal() : m_end(::posix_openpt(O_RDWR | O_NOCTTY))
    {
        if (m_end < 0 || ::grantpt(m_end) != 0 || ::unlockpt(m_end) != 0)
            return;
        m_name = ::ptsname(m_end);
        m_other = ::open(m_name.constData(), O_RDWR | O_NOCTTY);
        ::fcntl(m_end, F_SETFL, O_NONBLOCK);
    }
    ~Terminal()
    {
        ::close(m_other);
        ::close(m_end);
    }
    int descriptor() const { return m_other; }
    QByteArray written() const
    {
        QByteArray all(1 << 16, '\0');
        return all.left(std::max<qsizetype>(0, ::read(m_end, all.data(), all.size())));
    }

  private:
    int m_end = -1, m_other = -1;
    QByteArray m_name;
};

} // namespace

class CliTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase();
    void helpAndVersion();
    void methodsAreThoseOfTheTable();
    void infoTellsWhatThePhantomIs();
    void roundTripIsCloseToTheExactImage();
    void phantomInDensities_data();
    void phantomInDensities();
    void phantomSamplings();
    void reportHasEveryField();
    void compareMeasures();
    void compareWritesProfiles();
    void slicesGoToAFolder();
    void middleSliceToAnImage();
    void regionIsPartOfTheWhole();
    void chunksDoNotShow();
    void axisInTomopysCount();
    void nothingIsReplacedUnasked();
    void scanIsNeverReplaced();
    void nothingReadIsEverReplaced();
    void valuesAreSaidAndChosen();
    void mistakes_data();
    void mistakes();
    void fullStandardOutput();
    void interruptionLeavesNothing_data();
    void interruptionLeavesNothing();
    void progressOnATerminalOnly();
    void benchmarkTimes();
    void listsOfMethods();
    void verifyPasses();
    void verifyWithoutGpu();
    void bashCompletes_data();
    void bashCompletes();

  private:
    Result run(const QStringList& arguments) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        process.start(program, arguments);
        return finished(process);
    }
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QStringList files(const QString& folder = {}) const
    {
        return QDir(path(folder)).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
    }

    QTemporaryDir m_folder;
};

// head.h5: 96 bins, 151 projections, 5 slices, axis 2.5 bins off; head.tif: the exact middle slice.
void CliTest::initTestCase()
{
    QVERIFY(m_folder.isValid());
    QVERIFY2(QFile::exists(program), qPrintable(program));
    // A shell may have set these aside for the test, and so for the programs that it starts.
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGHUP, SIG_DFL);
    const Result made = run({"phantom", "shepp-logan-3d", "--size", "96", "--projections", "151", "--slices", "5",
                             "--axis-offset", "2.5", "--output", "head.h5", "--exact", "head.tif", "--json", "-"});
    QVERIFY2(made.status == 0, made.err.constData());
    QCOMPARE(made.json()["projections"].toInt(), 151);
    QCOMPARE(files(), QStringList({"head.h5", "head.tif"}));
}

void CliTest::helpAndVersion()
{
    for (const QString command : {"methods", "info", "phantom", "reconstruct", "compare", "benchmark", "verify"}) {
        const Result help = run({command, "--help"});
        QCOMPARE(help.status, 0);
        QVERIFY(help.err.isEmpty());
        QVERIFY2(help.out.contains("Examples:\n  sinoscope-cli " + command.toUtf8()), qPrintable(command));
        QVERIFY2(run({"--help"}).out.contains(command.toUtf8()), qPrintable(command));
    }
    QVERIFY(run({"--version"}).out.startsWith("sinoscope-cli 0."));
}

void CliTest::methodsAreThoseOfTheTable()
{
    const QJsonArray list = run({"methods", "--json", "-"}).list();
    const QByteArray text = run({"methods"}).out;
    QCOMPARE(std::size_t(list.size()), engine::methods().size());
    if (engine::cudaDevices().reason.starts_with("this build is without CUDA"))
        QVERIFY2(text.contains("packaging/run.sh --cuda"), text.constData());
    QCOMPARE(text.contains("-DSINOSCOPE_TUNINGS=ON"), !engine::cuda::aluTuningsBuilt);
    for (int i = 0; i < list.size(); ++i) {
        const QJsonObject row = list[i].toObject();
        const engine::Method& method = engine::methods()[std::size_t(i)];
        QCOMPARE(row["id"].toString(), QString(method.id));
        QCOMPARE(row["slicesPerPass"].toArray().size(), qsizetype(method.slicesPerPass.size()));
        QVERIFY(text.contains(method.id + QByteArray(": ") + method.label));
        if (method.device == engine::DeviceSettings::Kind::cpu)
            QVERIFY(row["usable"].toBool() && row["interpolations"].toArray().contains("linear"));
    }
}

void CliTest::infoTellsWhatThePhantomIs()
{
    const Result info = run({"info", "head.h5", "--json", "-"});
    QVERIFY2(info.status == 0, info.err.constData());
    const QJsonObject scan = info.json();
    QCOMPARE(scan["format"].toString(), "DXchange");
    QCOMPARE(scan["bins"].toInt(), 96);
    QCOMPARE(scan["rows"].toInt(), 5);
    QCOMPARE(scan["projections"].toInt(), 151);
    QCOMPARE(scan["quantity"].toString(), "counts");
    QVERIFY(scan["flatFrames"].toInt() >= 1);
    QVERIFY(std::abs(scan["angles"].toObject()["lastDeg"].toDouble() - 180.0 * 150 / 151) < 1e-3);
    QVERIFY(scan["bytesOnDisk"].toDouble() == double(QFileInfo(path("head.h5")).size()));
    QVERIFY(scan["bytesPerSlice"].toDouble() > 96 * 151 * 4);

    const QByteArray text = run({"info", "head.h5"}).out;
    QVERIFY(text.contains("DXchange") && text.contains("151") && text.contains("memory a slice"));
}

void CliTest::roundTripIsCloseToTheExactImage()
{
    // The exact image that was written is the one of the engine.
    engine::Simulation simulation;
    simulation.phantom = engine::Phantom::sheppLogan3d;
    simulation.size = 96;
    simulation.projections = 151;
    simulation.slices = 5;
    simulation.axisOffsetBins = 2.5;
    const engine::Volume exact = engine::simulate(simulation)->exactImage(2, engine::SliceGrid{96, 0, 0, 96, 96, 1});
    QCOMPARE(engine::readTiffImage(path("head.tif").toStdString()).values, exact.values);

    const Result made = run({"reconstruct", "head.h5", "--output", "round.tif", "--axis", "50", "--json", "-"});
    QVERIFY2(made.status == 0, made.err.constData());
    const Result compared = run({"compare", "round.tif", "head.tif", "--disc", "0.9", "--json", "-"});
    QVERIFY2(compared.status == 0, compared.err.constData());
    const QJsonObject metrics = compared.json();
    // A 96² slice resolves the thin skull less well than the 512² of the literature (0.0150).
    QVERIFY2(metrics["rmse"].toDouble(1) < 0.06 * metrics["referenceRange"].toDouble(), compared.out.constData());
    QVERIFY2(std::abs(metrics["meanImage"].toDouble(1) / metrics["meanReference"].toDouble() - 1) < 0.02,
             compared.out.constData());
    QVERIFY2(metrics["ssim"].toDouble() > 0.8, compared.out.constData());

    // A wrong axis is seen to be wrong: the bound above can fail.
    QCOMPARE(run({"reconstruct", "head.h5", "-o", "off.tif", "--axis", "middle"}).status, 0);
    const QJsonObject off = run({"compare", "off.tif", "head.tif", "--disc", "0.9", "--json", "-"}).json();
    QVERIFY(off["rmse"].toDouble() > 0.06 * off["referenceRange"].toDouble());
}

void CliTest::phantomInDensities_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<bool>("counts");
    QTest::newRow("DXchange, line integrals") << "dxchange" << false;
    QTest::newRow("NXtomo, line integrals") << "nxtomo" << false;
    QTest::newRow("DXchange, counts") << "dxchange" << true;
}

// The case of the literature, as a user would repeat it: ASTRA 0.0158, silx 0.0153, skimage 0.0144.
void CliTest::phantomInDensities()
{
    QFETCH(const QString, format);
    QFETCH(const bool, counts);
    QStringList phantom = {"phantom", "shepp-logan", "--size", "512",     "--projections", "804",        "--output",
                           "P.h5",    "--format",    format,   "--exact", "E.tif",         "--overwrite"};
    if (!counts)
        phantom += {"--line-integrals", "--attenuation", "1"};
    const Result made = run(phantom);
    QVERIFY2(made.status == 0, made.err.constData());
    const Result info = run({"info", "P.h5", "--json", "-"});
    QCOMPARE(info.json()["quantity"].toString(), counts ? "counts" : "attenuation");
    QCOMPARE(info.json()["flatFrames"].toInt() > 0, counts);
    const Result image = run({"reconstruct", "P.h5", "--output", "R.tif", "--filter", "ram-lak", "--interpolation",
                              "linear", "--overwrite", "--json", "-"});
    QVERIFY2(image.status == 0, image.err.constData());
    QCOMPARE(image.json()["axis"].toDouble(), 255.5);
    const Result compared = run({"compare", "R.tif", "E.tif", "--disc", "0.9", "--json", "-"});
    QVERIFY2(compared.status == 0, compared.err.constData());
    const double density = counts ? 4.0 / 512 : 1;
    QVERIFY(std::abs(compared.json()["referenceRange"].toDouble() / density - 1) < 1e-6);
    const double rmse = compared.json()["rmse"].toDouble(1) / density;
    qInfo("RMSE %.5f", rmse);
    QVERIFY2(rmse <= 0.0150, compared.out.constData());
    QVERIFY2(rmse > 0.01, compared.out.constData()); // the same thing is not compared with itself
    QVERIFY(run({"compare", "R.tif", "E.tif", "--disc", "0.9"}).out.contains(" % of the range"));
}

void CliTest::phantomSamplings()
{
    for (const QString sampling : {"ray", "binMean"}) {
        QStringList arguments = {"phantom",          "shepp-logan",   "--size", "64",       "--projections", "30",
                                 "--line-integrals", "--attenuation", "1",      "--output", sampling + ".h5"};
        if (sampling == "binMean")
            arguments += "--bin-mean";
        const Result made = run(arguments);
        QVERIFY2(made.status == 0, made.err.constData());
        QCOMPARE(run({"reconstruct", sampling + ".h5", "-o", sampling + ".tif"}).status, 0);
    }
    // Bin means are smoother.
    const auto roughness = [&](const char* name) {
        const std::vector<float> image = engine::readTiffImage(path(name).toStdString()).values;
        double sum = 0;
        for (std::size_t i = 1; i < image.size(); ++i)
            sum += std::pow(double(image[i]) - image[i - 1], 2);
        return sum;
    };
    QVERIFY(roughness("binMean.tif") < 0.98 * roughness("ray.tif"));
    QVERIFY(roughness("binMean.tif") > 0.5 * roughness("ray.tif"));
}

void CliTest::reportHasEveryField()
{
    const Result made =
        run({"reconstruct", "head.h5",    "--output",          "report.tif", "--interpolation", "oversampled:8",
             "--precision", "half",       "--slices-per-pass", "2",          "--filter",        "hann",
             "--axis",      "50",         "--method",          "cpu",        "--threads",       "2",
             "--json",      "report.json"});
    QVERIFY2(made.status == 0, made.err.constData());
    QVERIFY(made.out.contains("GU/s") && made.out.contains("tomopy counts 50.5"));
    QFile file(path("report.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
    QCOMPARE(json["method"].toString(), "cpu");
    QCOMPARE(json["interpolation"].toString(), "oversampled");
    QCOMPARE(json["oversampling"].toInt(), 8);
    QCOMPARE(json["precision"].toString(), "half");
    QCOMPARE(json["slicesPerPass"].toInt(), 2);
    QCOMPARE(json["filter"].toString(), "hann");
    QCOMPARE(json["axis"].toDouble(), 50.0);
    QCOMPARE(json["axisSource"].toString(), "given");
    QVERIFY(!json["device"].toString().isEmpty());
    QCOMPARE(json["size"].toInt(), 96);
    QCOMPARE(json["projections"].toInt(), 151);
    const double kernel = json["kernelSeconds"].toDouble(), total = json["totalSeconds"].toDouble();
    QVERIFY(kernel > 0 && total >= kernel);
    const double updates = 96.0 * 96 * 151 / 1e9;
    QVERIFY(std::abs(json["kernelGups"].toDouble() * kernel / updates - 1) < 1e-6);
    QVERIFY(std::abs(json["totalGups"].toDouble() * total / updates - 1) < 1e-6);
    const QJsonObject stages = json["stageSeconds"].toObject();
    for (const char* stage : {"read", "prepare", "axis", "filter", "backproject"})
        QVERIFY2(stages[stage].isDouble(), stage);
    QCOMPARE(stages["filter"].toDouble() + stages["backproject"].toDouble(), total);
    QVERIFY(!files().filter(".part").size());
}

void CliTest::compareMeasures()
{
    engine::Volume a(1, 8, 10), b(1, 8, 10);
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        b.values[i] = float(i % 5);
        a.values[i] = b.values[i] + 0.5f;
    }
    engine::writeTiffImage(path("a.tif").toStdString(), a, 0, true, {});
    engine::writeTiffImage(path("b.tif").toStdString(), b, 0, true, {});
    const QJsonObject all = run({"compare", "a.tif", "b.tif", "--json", "-"}).json();
    QCOMPARE(all["rmse"].toDouble(), 0.5);
    QCOMPARE(all["maximum"].toDouble(), 0.5);
    QVERIFY(std::abs(all["psnrDb"].toDouble() - 20 * std::log10(4 / 0.5)) < 1e-9);
    QCOMPARE(all["pixels"].toInt(), 80);
    QCOMPARE(run({"compare", "a.tif", "b.tif", "--region", "1,2,5,3", "--json", "-"}).json()["pixels"].toInt(), 15);
    QVERIFY(run({"compare", "a.tif", "b.tif"}).out.contains("RMSE"));
}

void CliTest::compareWritesProfiles()
{
    engine::Volume a(1, 9, 8), b(1, 9, 8); // rows, columns
    for (int row = 0; row < 9; ++row)
        for (int column = 0; column < 8; ++column) {
            b.values[std::size_t(row) * 8 + column] = float(10 * row + column);
            a.values[std::size_t(row) * 8 + column] = float(10 * row + column) + (column == 5 ? 1e-4f * float(row) : 0);
        }
    engine::writeTiffImage(path("tilted.tif").toStdString(), a, 0, true, {});
    engine::writeTiffImage(path("plane.tif").toStdString(), b, 0, true, {});
    const auto linesOf = [&](const QString& name) {
        QFile file(path(name));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("no %s", qPrintable(name));
        return QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    };
    Result result = run({"compare", "tilted.tif", "plane.tif", "--profile", "row.csv"});
    QVERIFY2(result.status == 0 && result.out.contains("RMSE"), result.err.constData());
    const QStringList row = linesOf("row.csv");
    QCOMPARE(row.size(), 1 + 8);
    QCOMPARE(row[0], QString("position [pixels],image,reference,difference"));
    QCOMPARE(row[1], QString("0,40,40,0"));
    QVERIFY2(row[6].startsWith("5,45.0004,45,0.0004"), qPrintable(row[6])); // row 4 is the middle one

    // Down column 5, again into the same file; the difference has more digits than the values.
    result = run({"compare", "tilted.tif", "plane.tif", "--profile", "row.csv", "--line", "5,1,5,8"});
    QVERIFY2(result.status == 0, result.err.constData());
    const QStringList column = linesOf("row.csv");
    QCOMPARE(column.size(), 1 + 8);
    for (int k = 0; k < 8; ++k) {
        const QStringList cells = column[1 + k].split(',');
        QCOMPARE(cells[0].toInt(), k);
        QCOMPARE(cells[2].toDouble(), 10.0 * (k + 1) + 5);
        QVERIFY2(std::abs(cells[3].toDouble() - 1e-4 * (k + 1)) < 5e-6,
                 qPrintable(column[1 + k])); // of a float near 85
    }
    // Nothing else on standard output.
    result = run({"compare", "tilted.tif", "plane.tif", "--profile", "-"});
    QCOMPARE(result.out.count('\n'), 9);
    QVERIFY(result.out.startsWith("position"));
}

void CliTest::slicesGoToAFolder()
{
    QCOMPARE(run({"reconstruct", "head.h5", "--output", "some/", "--slices", "1:3"}).status, 0);
    QCOMPARE(files("some"), QStringList({"head_00001.tiff", "head_00002.tiff"}));
    QCOMPARE(run({"reconstruct", "head.h5", "--output", "all"}).status, 0);
    QCOMPARE(files("all").size(), 5);
    QCOMPARE(run({"reconstruct", "head.h5", "--output", "all.h5"}).status, 0);
    QVERIFY(QFileInfo(path("all.h5")).size() > 5 * 96 * 96 * 4);
    QCOMPARE(engine::readTiffImage(path("all/head_00001.tiff").toStdString()).values,
             engine::readTiffImage(path("some/head_00001.tiff").toStdString()).values);
}

void CliTest::middleSliceToAnImage()
{
    QCOMPARE(run({"reconstruct", "head.h5", "--output", "middle.tif"}).status, 0);
    QCOMPARE(run({"reconstruct", "head.h5", "--output", "two.TIF", "--slice", "2"}).status, 0);
    QCOMPARE(run({"reconstruct", "head.h5", "--output", "upper.TIFF"}).status, 0);
    QCOMPARE(run({"reconstruct", "head.h5", "--output", "one.tif", "--slice", "1"}).status, 0);
    const auto image = [&](const char* name) { return engine::readTiffImage(path(name).toStdString()).values; };
    QCOMPARE(image("middle.tif"), image("two.TIF"));
    QCOMPARE(image("middle.tif"), image("upper.TIFF"));
    QVERIFY(image("middle.tif") != image("one.tif"));
}

void CliTest::regionIsPartOfTheWhole()
{
    QCOMPARE(run({"reconstruct", "head.h5", "--output", "whole.tif", "--axis", "50"}).status, 0);
    QCOMPARE(run({"reconstruct", "head.h5", "-o", "part.tif", "--axis", "50", "--region", "20,30,40,25"}).status, 0);
    const engine::Volume whole = engine::readTiffImage(path("whole.tif").toStdString());
    const engine::Volume part = engine::readTiffImage(path("part.tif").toStdString());
    QCOMPARE(part.width, 40);
    QCOMPARE(part.height, 25);
    double largest = 0;
    for (int row = 0; row < 25; ++row)
        for (int column = 0; column < 40; ++column)
            largest = std::max(largest, double(std::abs(part.values[std::size_t(row * 40 + column)] -
                                                        whole.values[std::size_t((row + 30) * 96 + column + 20)])));
    QVERIFY(largest < 1e-6);
}

// A stack longer than a chunk is the same as its slices one by one, and its updates are all counted.
void CliTest::chunksDoNotShow()
{
    QCOMPARE(run({"phantom", "shepp-logan-3d", "--size", "32", "--projections", "20", "--slices", "37", "-o", "long.h5",
                  "--format", "nxtomo"})
                 .status,
             0);
    const Result made = run({"reconstruct", "long.h5", "-o", "long", "--slices-per-pass", "4", "--json", "-"});
    QVERIFY2(made.status == 0, made.err.constData());
    QCOMPARE(files("long").size(), 37);
    const QJsonObject json = made.json();
    QCOMPARE(json["slices"].toInt(), 37);
    QVERIFY(std::abs(json["kernelGups"].toDouble() * json["kernelSeconds"].toDouble() * 1e9 / (32. * 32 * 37 * 20) -
                     1) < 1e-6);
    for (const int slice : {0, 16, 36}) {
        const QString name = QString("long_%1.tif").arg(slice);
        QCOMPARE(run({"reconstruct", "long.h5", "-o", name, "--slice", QString::number(slice)}).status, 0);
        const auto one = engine::readTiffImage(path(name).toStdString()).values;
        const auto chunked =
            engine::readTiffImage(path(QString("long/long_%1.tiff").arg(slice, 5, 10, QChar('0'))).toStdString())
                .values;
        double largest = 0;
        for (std::size_t i = 0; i < one.size(); ++i)
            largest = std::max(largest, double(std::abs(one[i] - chunked[i])));
        QVERIFY2(largest < 1e-5, qPrintable(QString::number(largest)));
    }
}

void CliTest::axisInTomopysCount()
{
    const Result made = run({"reconstruct", "head.h5", "-o", "tomopy.tif", "--axis", "tomopy:50.5"});
    QVERIFY2(made.status == 0, made.err.constData());
    QVERIFY2(made.out.contains("50 bins (given)") && made.out.contains("tomopy counts 50.5, as given"),
             made.out.constData());
    QCOMPARE(run({"reconstruct", "head.h5", "-o", "ours.tif", "--axis", "50"}).status, 0);
    QCOMPARE(engine::readTiffImage(path("tomopy.tif").toStdString()).values,
             engine::readTiffImage(path("ours.tif").toStdString()).values);
}

void CliTest::nothingIsReplacedUnasked()
{
    const QStringList arguments = {"reconstruct", "head.h5", "--output", "kept.tif", "--slice", "0"};
    QCOMPARE(run(arguments).status, 0);
    const Result again = run(arguments);
    QCOMPARE(again.status, 2);
    QVERIFY2(again.err.contains("kept.tif"), again.err.constData());
    QCOMPARE(run(arguments + QStringList{"--overwrite"}).status, 0);

    const Result phantom = run({"phantom", "disc", "--size", "16", "--projections", "8", "--output", "head.h5"});
    QCOMPARE(phantom.status, 2);
    QCOMPARE(run({"info", "head.h5", "--json", "-"}).json()["bins"].toInt(), 96);
}

// Inputs other than the scan's own path were written over: flats named, TIFFs of the folder being read.
void CliTest::nothingReadIsEverReplaced()
{
    QVERIFY(QDir(m_folder.path()).mkpath("stack"));
    for (const char* name : {"stack/stack_00000.tiff", "stack/stack_00001.tiff", "f.tif"})
        engine::writeTiffImage(path(name).toStdString(), engine::Volume(1, 3, 16), 0, true, {});
    const auto contents = [&] {
        QByteArray all;
        for (const char* name : {"stack/stack_00000.tiff", "stack/stack_00001.tiff", "f.tif"}) {
            QFile file(path(name));
            all += file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("gone");
        }
        return all;
    };
    const QByteArray before = contents();
    QVERIFY(QFile::link(path("f.tif"), path("link.tif")));
    for (const QStringList& outputs : {QStringList{"-o", "f.tif"},
                                       {"-o", "link.tif"},
                                       {"-o", "stack"},
                                       {"-o", "stack/stack_00001.tiff"},
                                       {"-o", "stack/new.tif"}}) {
        const Result result =
            run(QStringList{"reconstruct", "stack", "--flats", "f.tif", "--overwrite", "--slice", "0"} + outputs);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("that the scan 'stack' is read from") || result.err.contains("is SCAN too"), result.err.constData());
        QCOMPARE(contents(), before);
    }
    QCOMPARE(QDir(path("stack")).entryList(QDir::Files | QDir::Hidden).size(), 2);
}

void CliTest::valuesAreSaidAndChosen()
{
    const QJsonObject info = run({"info", "head.h5", "--json", "-"}).json();
    QCOMPARE(info["values"].toObject()["are"].toString(), "counts");
    QCOMPARE(info["values"].toObject()["source"].toString(), "recorded");
    engine::Volume sinogram(1, 40, 32); // line integrals: 0 in air
    for (int p = 0; p < 40; ++p)
        for (int bin = 10; bin < 22; ++bin)
            sinogram.values[p * 32 + bin] = 2;
    engine::writeTiffImage(path("lines.tif").toStdString(), sinogram, 0, true, {});
    const QStringList command{"reconstruct", "lines.tif", "--sinogram", "--axis", "middle", "-o", "lines-slice.tif",
                              "--overwrite"};
    const Result guessed = run(command);
    QCOMPARE(guessed.status, 0);
    QVERIFY2(guessed.out.contains("line-integrals (a guess"), guessed.out.constData());
    QVERIFY(guessed.out.contains("--values"));
    QVERIFY(guessed.err.isEmpty());
    const Result counts = run(QStringList(command) << "--values" << "transmission" << "--json" << "-");
    QCOMPARE(counts.status, 0);
    QVERIFY2(counts.err.contains("inverted"), counts.err.constData());
    const QJsonObject values = counts.json()["request"].toObject()["scan"].toObject()["values"].toObject();
    QCOMPARE(values["are"].toString(), "transmission");
    QCOMPARE(values["source"].toString(), "given");
    const Result bad = run(QStringList(command) << "--values" << "photons");
    QCOMPARE(bad.status, 2);
    QVERIFY2(bad.err.contains("photons") && bad.err.contains("line-integrals"), bad.err.constData());
}

void CliTest::scanIsNeverReplaced()
{
    QCOMPARE(run({"reconstruct", "head.h5", "--output", "head.h5", "--overwrite"}).status, 2);
    QCOMPARE(run({"info", "head.h5", "--json", "head.h5"}).status, 2);
    QCOMPARE(run({"info", "head.h5", "--json", "-"}).json()["bins"].toInt(), 96);
}

void CliTest::mistakes_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("message"); // part of what standard error says

    const auto row = [](const char* name, const char* words, const char* message) {
        QTest::newRow(name) << QString(words).split(' ', Qt::SkipEmptyParts) << message;
    };
    row("nine eighths", "reconstruct head.h5 -o bad.tif --texture-eighths 9", "not between 0 and 8");
    row("unknown tuning", "benchmark --alu-tuning fastest", "choose one of tuned, values");
    if (!engine::cuda::aluTuningsBuilt) {
        row("tuning not built", "benchmark --alu-tuning conversion", "-DSINOSCOPE_TUNINGS=ON");
        row("tuning not built, verify", "verify --alu-tuning conversion", "-DSINOSCOPE_TUNINGS=ON");
    }
    row("no command", "", "choose one of");
    row("unknown command", "recontruct head.h5", "did you mean reconstruct?");
    row("unknown option", "reconstruct head.h5 --outptu bad.tif", "did you mean --output?");
    row("no output", "reconstruct head.h5", "--output");
    row("no scan", "reconstruct --output bad.tif", "SCAN");
    row("one word too many", "info head.h5 head.h5", "too many");
    row("missing file", "reconstruct nowhere.h5 --output bad.tif", "nowhere.h5");
    row("not a scan", "info report.json", "report.json");
    row("slice out of range", "reconstruct head.h5 --output bad.tif --slice 5", "0 to 4");
    row("negative slice", "reconstruct head.h5 --output bad.tif --slice -1", "--slice");
    row("slices out of range", "reconstruct head.h5 --output bad --slices 3:6", "0 to 4");
    row("slices backwards", "reconstruct head.h5 --output bad --slices 3:3", "--slices");
    row("slice and slices", "reconstruct head.h5 --output bad --slice 1 --slices 1:3", "--slice");
    row("many slices in one image", "reconstruct head.h5 --output bad.tif --slices 1:3", "one slice");
    row("axis outside", "reconstruct head.h5 --output bad.tif --axis 200", "axis");
    row("axis outside, tomopy", "reconstruct head.h5 --output bad.tif --axis tomopy:-3", "axis");
    row("axis no number", "reconstruct head.h5 --output bad.tif --axis here", "--axis");
    row("no threads", "reconstruct head.h5 --output bad.tif --threads 0", "--threads");
    row("unknown method", "reconstruct head.h5 --output bad.tif --method magic", "exact");
    row("unknown interpolation", "reconstruct head.h5 --output bad.tif --interpolation lanczos", "cubic");
    row("oversampling", "reconstruct head.h5 --output bad.tif --interpolation oversampled:0", "--interpolation");
    row("unknown filter", "reconstruct head.h5 --output bad.tif --filter hanning", "hamming");
    row("unknown precision", "reconstruct head.h5 --output bad.tif --precision double", "--precision");
    row("cut-off", "reconstruct head.h5 --output bad.tif --cutoff 1.5", "--cutoff");
    row("cut-off without a filter", "reconstruct head.h5 --output bad.tif --filter none --cutoff 0.5", "--cutoff");
    row("order too high", "reconstruct head.h5 --output bad.tif --filter butterworth --order 101", "between 1 and 100");
    row("raw type", "info head.h5 --raw 1x1x1 --type int4", "uint8, int8, uint16");
    row("order without Butterworth", "reconstruct head.h5 --output bad.tif --order 4", "butterworth");
    row("region outside", "reconstruct head.h5 --output bad.tif --region 90,0,10,10", "region");
    row("region of three", "reconstruct head.h5 --output bad.tif --region 1,2,3", "--region");
    row("unknown device", "reconstruct head.h5 --output bad.tif --device tpu", "--device");
    row("other format", "reconstruct head.h5 --output bad.png", ".png files are not written");
    row("angles that are neither", "reconstruct head.h5 --output bad.tif --angles 0:x", "neither FIRST:LAST");
    row("angles not a number", "reconstruct head.h5 --output bad.tif --angles 0:nan", "neither FIRST:LAST");
    QTest::newRow("empty output") << QStringList{"reconstruct", "head.h5", "--output", ""} << "--output";
    QTest::newRow("empty phantom") << QStringList{"phantom", "disc", "--output", ""} << "--output";
    QTest::newRow("empty report") << QStringList{"methods", "--json", ""} << "--json";
    QTest::newRow("empty scan") << QStringList{"info", ""} << "''";
    row("angle count", "reconstruct head.h5 --output bad.tif --angles short.txt", "151");
    row("no angle file", "reconstruct head.h5 --output bad.tif --angles none.txt", "none.txt");
    row("folder missing", "reconstruct head.h5 --output nowhere/bad.tif", "nowhere");
    row("unwritable", "reconstruct head.h5 --output /proc/bad.tif", "/proc/bad.tif");
    row("report is the output", "reconstruct head.h5 --output bad.tif --json ./bad.tif", "--json");
    row("report unwritable", "reconstruct head.h5 --output bad.tif --json /proc/bad.json", "/proc/bad.json");
    row("report folder missing", "info head.h5 --json nowhere/bad.json", "nowhere/bad.json");
    row("report on a full disk", "compare head.tif head.tif --json /dev/full", "/dev/full");
    row("raw shape", "info head.h5 --raw 3x4", "--raw");
    row("type without raw", "info head.h5 --type uint8", "--raw");
    row("phantom name", "phantom moon --output bad.h5", "shepp-logan");
    row("no projections", "phantom disc --projections 0 --output bad.h5", "--projections");
    row("phantom unwritable", "phantom disc --size 8 --projections 8 --output /proc/bad.h5", "/proc/bad.h5");
    row("sizes differ", "compare head.tif small.tif", "96 × 96");
    row("disc", "compare head.tif head.tif --disc 0", "--disc");
    row("no image", "compare head.tif none.tif", "none.tif");
    row("no TIFF", "compare head.tif head.h5", "head.h5");
    row("line", "compare head.tif head.tif --profile bad.csv --line 1,2,3", "--line");
    row("line of words", "compare head.tif head.tif --profile bad.csv --line 1,2,3,x", "--line");
    row("line without profile", "compare head.tif head.tif --line 1,2,3,4", "--profile");
    row("profile over a scan", "compare head.tif head.tif --profile head.h5", "no such report");
    row("profile and report", "compare head.tif head.tif --profile ./bad.csv --json bad.csv", "--profile");
    row("two on standard output", "compare head.tif head.tif --profile - --json -", "standard output");
    row("unknown benchmark method", "benchmark --methods cpu,magic", "magic");
    row("unknown shell", "completion powershell", "bash");
}

void CliTest::mistakes()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QString, message);
    QFile angles(path("short.txt"));
    QVERIFY(angles.open(QIODevice::WriteOnly));
    angles.write("0\n1\n2\n");
    angles.close();
    engine::writeTiffImage(path("small.tif").toStdString(), engine::Volume(1, 4, 4), 0, true, {});
    const QStringList before = files();

    const Result result = run(arguments);
    QVERIFY2(result.status == 2, result.err.constData());
    QVERIFY2(result.out.isEmpty(), result.out.constData());
    QVERIFY2(result.err.startsWith("sinoscope-cli"), result.err.constData());
    QVERIFY2(result.err.contains(message.toUtf8()), result.err.constData());
    QCOMPARE(files(), before);
}

void CliTest::fullStandardOutput()
{
    if (!QFile::exists("/dev/full"))
        QSKIP("there is no /dev/full here");
    QProcess process;
    process.setStandardOutputFile("/dev/full");
    process.start(program, {"methods"});
    const Result result = finished(process);
    QCOMPARE(result.status, 2);
    QVERIFY2(result.err.contains("standard output"), result.err.constData());
}

void CliTest::interruptionLeavesNothing_data()
{
    QTest::addColumn<int>("signal");
    QTest::addColumn<QString>("output");
    QTest::newRow("Ctrl-C, folder") << SIGINT << "broken";
    QTest::newRow("Ctrl-C, HDF5") << SIGINT << "broken.h5";
    QTest::newRow("termination, image") << SIGTERM << "broken.tif";
}

void CliTest::interruptionLeavesNothing()
{
    QFETCH(const int, signal);
    QFETCH(const QString, output);
    if (!QFile::exists(path("slow.h5")))
        QCOMPARE(run({"phantom", "shepp-logan-3d", "--size", "256", "--projections", "3200", "--slices", "8",
                      "--output", "slow.h5"})
                     .status,
                 0);
    const QStringList before = files();
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    // The exact method takes many seconds for this.
    const QStringList arguments = {"reconstruct", "slow.h5", "--output", output,   "--method",
                                   "exact",       "--axis",  "middle",   "--json", "broken.json"};
    process.start(program, arguments);
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY(files() != before); // the outputs are begun
    QTest::qWait(100);
    QCOMPARE(process.state(), QProcess::Running); // else the run is too short to interrupt
    QElapsedTimer timer;
    timer.start();
    ::kill(pid_t(process.processId()), signal);
    const Result result = finished(process);
    QVERIFY2(timer.elapsed() < 3000, "it took more than three seconds to stop");
    QVERIFY2(result.status == 130, result.err.constData());
    QVERIFY(result.out.isEmpty());
    QCOMPARE(files(), before);
}

void CliTest::progressOnATerminalOnly()
{
    const QStringList arguments = {"reconstruct", "head.h5", "--output", "bar", "--overwrite"};
    const Result piped = run(arguments);
    QCOMPARE(piped.status, 0);
    QVERIFY2(piped.err.isEmpty(), piped.err.constData());
    QVERIFY(!piped.out.contains('\r') && !piped.out.contains('\033'));

    const Terminal terminal;
    QVERIFY(terminal.descriptor() >= 0);
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.setChildProcessModifier([&] { ::dup2(terminal.descriptor(), STDERR_FILENO); });
    process.start(program, arguments);
    QCOMPARE(finished(process).status, 0);
    const QByteArray shown = terminal.written();
    QVERIFY2(shown.contains('%') && shown.contains("slice 0"), shown.constData());
    QVERIFY2(shown.endsWith("\r\033[K"), shown.constData()); // wiped at the end
}

void CliTest::benchmarkTimes()
{
    const Result result =
        run({"benchmark", "--size", "32", "--projections", "16", "--methods", "cpu", "--repeat", "1", "--json", "-"});
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

void CliTest::listsOfMethods()
{
    const QStringList both = {"exact", "cpu"};
    const Result timed = run(
        {"benchmark", "--size", "16", "--projections", "8", "--methods", "cpu,exact", "--repeat", "1", "--json", "-"});
    QVERIFY2(timed.status == 0, timed.err.constData());
    QStringList methods;
    for (const QJsonValue row : timed.json()["rows"].toArray())
        methods << row["method"].toString();
    for (const QString& method : both)
        QVERIFY2(methods.contains(method), timed.out.constData());
    const QStringList checked = {"exact", "double"};
    const Result verified = run({"verify", "--methods", checked.join(','), "--json", "-"});
    QVERIFY2(verified.status == 0, verified.err.constData());
    QVERIFY(!verified.out.contains("\"cpu\""));
    for (const QString& method : checked)
        QVERIFY2(verified.out.contains('"' + method.toUtf8() + '"'), verified.out.constData());
}

void CliTest::verifyPasses()
{
#ifdef SINOSCOPE_SANITIZED
    const Result result = run({"verify", "--device", "cpu", "--methods", "double"});
#else
    const Result result = run({"verify", "--device", "cpu"});
#endif
    QVERIFY2(result.status == 0, (result.out + result.err).constData());
    QVERIFY2(result.out.contains("bound") && result.out.contains("PASS") && !result.out.contains("FAIL"),
             result.out.constData());
}

void CliTest::verifyWithoutGpu()
{
    if (!engine::cudaDevices().devices.empty())
        QSKIP("there is a GPU here");
    const Result result = run({"verify", "--device", "cuda"});
    QCOMPARE(result.status, 1);
    QVERIFY2(result.err.contains("GPU") && result.err.contains("--device cpu"), result.err.constData());
    QCOMPARE(run({"reconstruct", "head.h5", "--output", "gpu.tif", "--device", "cuda"}).status, 1);
    QVERIFY(!QFile::exists(path("gpu.tif")));
}

void CliTest::bashCompletes_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("commands") << "rec" << QStringList{"reconstruct"};
    QTest::newRow("options") << "reconstruct --sl" << QStringList{"--slice", "--slices", "--slices-per-pass"};
    QTest::newRow("values") << "reconstruct --filter ha" << QStringList{"hamming", "hann"};
    QTest::newRow("methods") << "reconstruct --method e" << QStringList{"exact"};
    QTest::newRow("factor") << "reconstruct --interpolation o" << QStringList{"oversampled"};
    QTest::newRow("words in place") << "phantom reso" << QStringList{"resolution"};
    QTest::newRow("files") << "info head.h" << QStringList{"head.h5"};
}

void CliTest::bashCompletes()
{
    if (QProcess::execute("bash", {"-c", "true"}) != 0)
        QSKIP("there is no bash here");
    QFETCH(const QString, words);
    QFETCH(QStringList, expected);
    QProcess bash;
    bash.setWorkingDirectory(m_folder.path());
    bash.start("bash", {"-c", "source <('" + program + "' completion bash); COMP_WORDS=(sinoscope-cli " + words +
                                  "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _sinoscope_cli; "
                                  "printf '%s\\n' \"${COMPREPLY[@]}\""});
    const Result result = finished(bash);
    QVERIFY2(result.err.isEmpty(), result.err.constData());
    QStringList got = QString(result.out).split('\n', Qt::SkipEmptyParts);
    got.sort();
    expected.sort();
    QCOMPARE(got, expected);
}

QTEST_GUILESS_MAIN(CliTest)
#include "cli_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Reconstruction: slices, regions and axes as given; reports and progress.
#include "engine/io/slices/slice_writer.h"
#include "tests/app/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

using program::finished;
using program::Result;

namespace
{

// A pseudo-terminal for the program; returns what was written to it.
class Terminal
{
  public:
    Terminal() : m_end(::posix_openpt(O_RDWR | O_NOCTTY))
    {
        if (m_end < 0 || ::grantpt(m_end) != 0 || ::unlockpt(m_end) != 0)
            return;
        m_name = ::ptsname(m_end);
        m_other = ::open(m_name.constData(), O_RDWR | O_NOCTTY);
    }
    ~Terminal()
    {
        ::close(m_other);
        ::close(m_end);
    }
    int descriptor() const { return m_other; }
    // Closes the terminal: what was written arrives in parts.
    QByteArray written()
    {
        ::close(std::exchange(m_other, -1));
        QByteArray all, part(1 << 16, '\0');
        for (ssize_t got = 0; (got = ::read(m_end, part.data(), std::size_t(part.size()))) > 0;)
            all += part.left(got);
        return all;
    }

  private:
    int m_end = -1, m_other = -1;
    QByteArray m_name;
};

} // namespace

class ReconstructTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        const Result made = makeHead();
        QVERIFY2(made.status == 0, made.err.constData());
    }

    // Bytes in the wrong order give a slice without any finite number; this used to be reported nowhere.
    void noNumbersAreSaid()
    {
        QFile raw(file("swapped.raw"));
        QVERIFY(raw.open(QIODevice::WriteOnly));
        for (int k = 0; k < 60 * 48; ++k) {
            const auto value = float(1e4 * std::exp(-std::abs(k % 48 - 24) / 12.0) + k % 7 + 0.37 * k);
            std::array<char, sizeof(value)> bytes{};
            std::memcpy(bytes.data(), &value, sizeof(value));
            std::ranges::reverse(bytes);
            raw.write(bytes.data(), qint64(bytes.size()));
        }
        raw.close();
        const QStringList asked{"reconstruct", "swapped.raw", "--raw", "60x1x48", "--type", "float32", "--output"};
        const Result made = run(asked + QStringList{"none.tif"});
        QVERIFY2(made.status == 0 && made.out.contains("no valid numbers"), (made.out + made.err).constData());
        const Result right = run(asked + QStringList{"some.tif", "--big-endian"});
        QVERIFY2(right.status == 0 && !right.out.contains("no valid numbers"), right.out.constData());
    }

    void reportHasEveryField()
    {
        const Result made =
            run({"reconstruct", "head.h5",    "--output",          "report.tif", "--interpolation", "oversampled:8",
                 "--precision", "half",       "--slices-per-pass", "2",          "--filter",        "hann",
                 "--axis",      "50",         "--method",          "cpu",        "--threads",       "2",
                 "--json",      "report.json"});
        QVERIFY2(made.status == 0, made.err.constData());
        QVERIFY(made.out.contains("GU/s") &&
                made.out.contains("50 bins (given), from the centre of bin 0, as in tomopy"));
        for (const char* line : {"\nfilter ", "\ncut-off ", "\nedges ", "\naxis ", "\nmethod ", "\ndevice "})
            QCOMPARE(made.out.count(line), 1);
        QVERIFY2(made.out.contains("  Hann\n") && !made.out.contains("\norder "), made.out.constData());
        const QJsonObject json = QJsonDocument::fromJson(contents("report.json")).object();
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

    // The report contains the method requested and the method used.
    void bothMethodsAreRecorded()
    {
        const QJsonObject report = run({"reconstruct", "head.h5", "--output", "both.tif", "--json", "-"}).json();
        QCOMPARE(report["request"].toObject()["method"].toString(), QStringLiteral("auto"));
        const QString ran = report["method"].toString();
        QVERIFY2(!ran.isEmpty() && ran != QStringLiteral("auto"), qPrintable(ran));
        QVERIFY(QFile::remove(file("both.tif")));
    }

    // On the processor: a GPU filters rows in pairs, which belong to two slices where the number of projections is odd,
    // so that a slice is rounded otherwise among other slices.
    void slicesGoToAFolder()
    {
        const auto made = [this](const QStringList& more) {
            return run(QStringList{"reconstruct", "head.h5", "--device", "cpu", "--output"} + more).status;
        };
        QCOMPARE(made({"some/", "--slices", "1:3"}), 0);
        QCOMPARE(files("some"), QStringList({"head_00001.tiff", "head_00002.tiff"}));
        QCOMPARE(made({"all"}), 0);
        QCOMPARE(files("all").size(), 5);
        QCOMPARE(made({"all.h5"}), 0);
        QVERIFY(QFileInfo(file("all.h5")).size() > 5 * 96 * 96 * 4);
        QCOMPARE(engine::readTiffImage(path("all/head_00001.tiff")).values,
                 engine::readTiffImage(path("some/head_00001.tiff")).values);
    }

    void middleSliceToAnImage()
    {
        QCOMPARE(run({"reconstruct", "head.h5", "--output", "middle.tif"}).status, 0);
        QCOMPARE(run({"reconstruct", "head.h5", "--output", "two.TIF", "--slice", "2"}).status, 0);
        QCOMPARE(run({"reconstruct", "head.h5", "--output", "upper.TIFF"}).status, 0);
        QCOMPARE(run({"reconstruct", "head.h5", "--output", "one.tif", "--slice", "1"}).status, 0);
        const auto image = [&](const char* name) { return engine::readTiffImage(path(name)).values; };
        QCOMPARE(image("middle.tif"), image("two.TIF"));
        QCOMPARE(image("middle.tif"), image("upper.TIFF"));
        QVERIFY(image("middle.tif") != image("one.tif"));
    }

    void regionIsPartOfTheWhole()
    {
        QCOMPARE(run({"reconstruct", "head.h5", "--output", "whole.tif", "--axis", "50"}).status, 0);
        QCOMPARE(run({"reconstruct", "head.h5", "-o", "part.tif", "--axis", "50", "--region", "20,30,40,25"}).status,
                 0);
        const engine::Volume whole = engine::readTiffImage(path("whole.tif"));
        const engine::Volume part = engine::readTiffImage(path("part.tif"));
        QCOMPARE(part.width, 40);
        QCOMPARE(part.height, 25);
        double largest = 0;
        for (int row = 0; row < 25; ++row)
            for (int column = 0; column < 40; ++column)
                largest = std::max(largest, double(std::abs(part.values[std::size_t(row * 40 + column)] -
                                                            whole.values[std::size_t((row + 30) * 96 + column + 20)])));
        QVERIFY(largest < 1e-6);
    }

    // A stack longer than a chunk equals its slices one by one, and all its updates are counted.
    void chunksDoNotShow()
    {
        QCOMPARE(run({"phantom", "shepp-logan-3d", "--size", "32", "--projections", "20", "--slices", "37", "-o",
                      "long.h5", "--format", "nxtomo"})
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
            const auto one = engine::readTiffImage(path(name)).values;
            const QString ofMany = QString("long/long_%1.tiff").arg(slice, 5, 10, QChar('0'));
            const double largest = fixtures::largestDifference(one, engine::readTiffImage(path(ofMany)).values);
            QVERIFY2(largest < 1e-5, qPrintable(QString::number(largest)));
        }
    }

    void axisInTomopysCount()
    {
        const Result made = run({"reconstruct", "head.h5", "-o", "tomopy.tif", "--axis", "tomopy:50.5"});
        QVERIFY2(made.status == 0, made.err.constData());
        QVERIFY2(made.out.contains("50.5 bins (given)"), made.out.constData());
        QCOMPARE(run({"reconstruct", "head.h5", "-o", "ours.tif", "--axis", "tomopy-iterative:51"}).status, 0);
        QCOMPARE(engine::readTiffImage(path("tomopy.tif")).values, engine::readTiffImage(path("ours.tif")).values);
    }

    void progressOnATerminalOnly()
    {
        const QStringList arguments = {"reconstruct", "head.h5", "--output", "bar", "--overwrite"};
        const Result piped = run(arguments);
        QCOMPARE(piped.status, 0);
        QVERIFY2(piped.err.isEmpty(), piped.err.constData());
        QVERIFY(!piped.out.contains('\r') && !piped.out.contains('\033'));

        Terminal terminal;
        QVERIFY(terminal.descriptor() >= 0);
        QProcess process;
        process.setChildProcessModifier([&] { ::dup2(terminal.descriptor(), STDERR_FILENO); });
        start(process, arguments);
        QCOMPARE(finished(process).status, 0);
        const QByteArray shown = terminal.written();
        QVERIFY2(shown.contains('%') && shown.contains("slice 0"), shown.constData());
        QVERIFY2(shown.endsWith("\r\033[K"), shown.constData()); // wiped at the end
    }
};

SINOSCOPE_TEST(ReconstructTest, QCoreApplication)
#include "reconstruct_test.moc"

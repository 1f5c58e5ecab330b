// What is there stays: nothing replaced unasked, nothing half-written left.
#include "engine/io/write_slices.h"
#include "tests/app/program.h"

using program::finished;
using program::Result;

class OutputsTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        const Result made = makeHead();
        QVERIFY2(made.status == 0, made.err.constData());
    }

    void nothingIsReplacedUnasked()
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

    // Half the bytes: what is read back is the image, and the range is said.
    void outputTypes()
    {
        const QStringList plain = {"reconstruct", "head.h5", "--slice", "0", "--output"};
        QCOMPARE(run(plain + QStringList{"floats.tif"}).status, 0);
        const auto size = [&](const char* name) { return QFileInfo(file(name)).size(); };
        for (const char* type : {"half", "uint16"}) {
            const Result made =
                run(plain + QStringList{QString(type) + ".tif", "--output-type", type, "--compression", "deflate"});
            QVERIFY2(made.status == 0, made.err.constData());
            QVERIFY2(made.out.contains("stored as"), made.out.constData());
            const auto metrics = run({"compare", QString(type) + ".tif", "floats.tif", "--json", "-"}).json();
            QVERIFY(metrics["rmse"].toDouble(1) < 2e-4 * metrics["referenceRange"].toDouble());
            QVERIFY(metrics["rmse"].toDouble(1) > 0);
            QVERIFY(size((std::string(type) + ".tif").c_str()) < size("floats.tif") * 0.55);
        }
        const Result cut = run(plain + QStringList{"cut.tif", "--output-type", "uint16", "--output-range", "0:0.001"});
        QVERIFY2(cut.out.contains("beyond them became the ends"), cut.out.constData());
        for (const QStringList& wrong : {QStringList{"--output-range", "0:1"},
                                         {"--output-type", "uint16", "--output-range", "1:0"},
                                         {"--output-type", "int12"},
                                         {"--compression", "deflate:12"}})
            QCOMPARE(run(plain + QStringList{"wrong.tif"} + wrong).status, 2);
        QVERIFY(!QFile::exists(file("wrong.tif")));
    }

    // A limit on files kills a program that doesn't expect it, and leaves what it had begun.
    void limitOnFiles()
    {
        QProcess process;
        process.setWorkingDirectory(folder());
        for (const char* output : {"limited.h5", "limited"}) {
            process.start("/bin/sh", {"-c", "ulimit -f 20; exec \"$0\" reconstruct head.h5 --output \"$1\"",
                                      program::path, output});
            const Result result = finished(process);
            QCOMPARE(result.status, 2);
            QVERIFY2(result.err.contains("limited"), result.err.constData());
            QVERIFY(QDir(folder()).entryList({"*limited*", ".*limited*"}, QDir::AllEntries | QDir::Hidden).isEmpty());
        }
    }

    // What a report says of opening isn't taken from it, and that is said.
    void settingsDontOpen()
    {
        const QStringList plain = {"reconstruct", "head.h5", "--slice", "0", "--output"};
        QCOMPARE(run(plain + QStringList{"given.tif", "--values", "counts", "--json", "given.json"}).status, 0);
        const Result again = run(plain + QStringList{"again.tif", "--settings", "given.json"});
        QCOMPARE(again.status, 0);
        QVERIFY2(again.err.contains("was opened with --values"), again.err.constData());
        const Result same = run(plain + QStringList{"same.tif", "--settings", "given.json", "--values", "counts"});
        QVERIFY2(same.err.isEmpty(), same.err.constData());
    }

    void scanIsNeverReplaced()
    {
        QCOMPARE(run({"reconstruct", "head.h5", "--output", "head.h5", "--overwrite"}).status, 2);
        QCOMPARE(run({"info", "head.h5", "--json", "head.h5"}).status, 2);
        QCOMPARE(run({"info", "head.h5", "--json", "-"}).json()["bins"].toInt(), 96);
    }

    // Inputs other than the scan's own path were written over: flats named, TIFFs of the folder being read.
    void nothingReadIsEverReplaced()
    {
        QVERIFY(QDir(folder()).mkpath("stack"));
        for (const char* name : {"stack/stack_00000.tiff", "stack/stack_00001.tiff", "f.tif"})
            engine::writeTiffImage(path(name), engine::Volume(1, 3, 16), 0, true, {});
        const auto all = [&] {
            return contents("stack/stack_00000.tiff") + contents("stack/stack_00001.tiff") + contents("f.tif");
        };
        const QByteArray before = all();
        QVERIFY(QFile::link(file("f.tif"), file("link.tif")));
        for (const QStringList& outputs : {QStringList{"-o", "f.tif"},
                                           {"-o", "link.tif"},
                                           {"-o", "stack"},
                                           {"-o", "stack/stack_00001.tiff"},
                                           {"-o", "stack/new.tif"}}) {
            const Result result =
                run(QStringList{"reconstruct", "stack", "--flats", "f.tif", "--overwrite", "--slice", "0"} + outputs);
            QCOMPARE(result.status, 2);
            QVERIFY2(result.err.contains("that the scan 'stack' is read from") || result.err.contains("is SCAN too"),
                     result.err.constData());
            QCOMPARE(all(), before);
        }
        QCOMPARE(QDir(file("stack")).entryList(QDir::Files | QDir::Hidden).size(), 2);
    }

    void fullStandardOutput()
    {
        if (!QFile::exists("/dev/full"))
            QSKIP("there is no /dev/full here");
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(program::path, {"methods"});
        const Result result = finished(process);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("standard output"), result.err.constData());
    }

    void interruptionLeavesNothing_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("output");
        QTest::newRow("Ctrl-C, folder") << SIGINT << "broken";
        QTest::newRow("Ctrl-C, HDF5") << SIGINT << "broken.h5";
        QTest::newRow("termination, image") << SIGTERM << "broken.tif";
    }

    void interruptionLeavesNothing()
    {
        QFETCH(const int, signal);
        QFETCH(const QString, output);
        if (!QFile::exists(file("slow.h5")))
            QCOMPARE(run({"phantom", "shepp-logan-3d", "--size", "256", "--projections", "3200", "--slices", "8",
                          "--output", "slow.h5"})
                         .status,
                     0);
        const QStringList before = files();
        QProcess process;
        // The exact method takes many seconds for this.
        const QStringList arguments = {"reconstruct", "slow.h5", "--output", output,   "--method",
                                       "exact",       "--axis",  "middle",   "--json", "broken.json"};
        start(process, arguments);
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY(files() != before); // the outputs are begun
        QTest::qWait(100);
        QCOMPARE(process.state(), QProcess::Running); // else the run is too short to interrupt
        ::kill(pid_t(process.processId()), signal);
        const Result result = finished(process);
        QVERIFY2(result.status == 130, result.err.constData());
        QVERIFY(result.out.isEmpty());
        QCOMPARE(files(), before);
    }
};

SINOSCOPE_TEST(OutputsTest, QCoreApplication)
#include "outputs_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Outputs: existing files are replaced only on request, and no incomplete files are left.
#include "engine/io/slices/slice_writer.h"
#include "tests/app/program.h"

#include <filesystem>
#include <fstream>

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

    // Half the bytes per value: the values read back equal the image, and the range is reported.
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
        QVERIFY2(cut.out.contains("beyond this range were clipped"), cut.out.constData());
        for (const QStringList& wrong : {QStringList{"--output-range", "0:1"},
                                         {"--output-type", "uint16", "--output-range", "1:0"},
                                         {"--output-type", "int12"},
                                         {"--compression", "deflate:12"}})
            QCOMPARE(run(plain + QStringList{"wrong.tif"} + wrong).status, 2);
        QVERIFY(!QFile::exists(file("wrong.tif")));
    }

    // A limit on file size kills a program that does not ignore the signal, and leaves its temporary files.
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

    // How the scan of a report was opened is not applied with --settings; a warning says so.
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

    // VTK misreads such files; HDF5 it reads.
    void halvesInTiffsAreWarnedOf()
    {
        const QStringList plain = {"reconstruct", "head.h5", "--slice", "0", "--output-type", "half", "--output"};
        const Result tiff = run(plain + QStringList{"vtk.tif"}), hdf5 = run(plain + QStringList{"vtk.h5"});
        QVERIFY2(tiff.status == 0 && tiff.out.contains("VTK"), (tiff.out + tiff.err).constData());
        QVERIFY2(hdf5.status == 0 && !hdf5.out.contains("VTK"), hdf5.out.constData());
    }

    void scanIsNeverReplaced()
    {
        QCOMPARE(run({"reconstruct", "head.h5", "--output", "head.h5", "--overwrite"}).status, 2);
        QCOMPARE(run({"info", "head.h5", "--json", "head.h5"}).status, 2);
        QCOMPARE(run({"info", "head.h5", "--json", "-"}).json()["bins"].toInt(), 96);
    }

    // Links are followed to existing files; dangling and circular links are errors, and no file is created.
    void links()
    {
        QVERIFY(QDir(folder()).mkpath("linked"));
        const auto link = [&](const char* to, const char* name) {
            return std::filesystem::create_symlink(to, path(QString("linked/") + name));
        };
        link("nothing.tif", "dangling.tif");
        link("nowhere", "dangling");
        link("b.json", "a.json");
        link("a.json", "b.json");
        link("kept.json", "link.json");
        std::ofstream(path("linked/kept.json")) << "{}";
        const QStringList before = files("linked");
        const QStringList plain = {"reconstruct", "head.h5", "--slice", "0", "--overwrite", "--output"};
        for (const QStringList& arguments :
             {plain + QStringList{"linked/dangling.tif"}, plain + QStringList{"linked/dangling"},
              plain + QStringList{"linked/dangling/below"}, QStringList{"info", "head.h5", "--json", "linked/a.json"},
              QStringList{"info", "head.h5", "--overwrite", "--json", "linked/a.json"}}) {
            const Result result = run(arguments);
            QCOMPARE(result.status, 2);
            QVERIFY2(result.err.contains("link"), result.err.constData());
            QCOMPARE(files("linked"), before);
        }
        QCOMPARE(run({"info", "head.h5", "--json", "linked/link.json", "--overwrite"}).status, 0);
        QVERIFY(QFileInfo(file("linked/link.json")).isSymLink());
        QVERIFY(contents("linked/kept.json").contains("\"bins\""));
        QCOMPARE(files("linked"), before);
    }

    // A report is replaced only with --overwrite, and only if the file is a report.
    void reportsAreReplacedWhenAsked()
    {
        QCOMPARE(run({"info", "head.h5", "--json", "info.json"}).status, 0);
        std::ofstream(path("info.json")) << "{\"mine\": 1}";
        const Result kept = run({"info", "head.h5", "--json", "info.json"});
        QCOMPARE(kept.status, 2);
        QVERIFY2(kept.err.contains("--overwrite"), kept.err.constData());
        QCOMPARE(contents("info.json"), QByteArray("{\"mine\": 1}"));
        QCOMPARE(run({"info", "head.h5", "--json", "info.json", "--overwrite"}).status, 0);
        QVERIFY(contents("info.json").contains("\"bins\""));
        QCOMPARE(run({"info", "head.h5", "--json", "head.tif", "--overwrite"}).status, 2);
    }

    // The exact image used to be removed, with the file that it had replaced, when the scan could not be written.
    void exactImageStaysWithoutItsScan()
    {
        std::ofstream(path("truth.tif")) << "mine";
        const QStringList phantom = {"phantom", "disc", "--size", "16", "--projections", "8", "--exact", "truth.tif"};
        QCOMPARE(run(phantom + QStringList{"--overwrite", "--output", "nowhere/disc.h5"}).status, 2);
        QCOMPARE(contents("truth.tif"), QByteArray("mine"));
        QVERIFY(QDir(folder()).entryList({".truth*"}, QDir::AllEntries | QDir::Hidden).isEmpty());
    }

    // Programs that read a folder treat all its TIFFs as one volume: the first message warns of TIFFs of other
    // volumes.
    void foldersOfOthersAreAWarning()
    {
        QCOMPARE(
            run({"phantom", "disc", "--size", "32", "--slices", "3", "--projections", "20", "-o", "disc.h5"}).status,
            0);
        const auto made = [&](const QStringList& more) {
            return run(QStringList{"reconstruct"} + more + QStringList{"-o", "shared/"});
        };
        const Result first = made({"head.h5", "--slices", "0:2"});
        QVERIFY2(first.status == 0 && !first.err.contains("other volumes"), first.err.constData());
        const Result rest = made({"head.h5", "--slices", "2:4"}); // of the same volume
        QVERIFY2(rest.status == 0 && !rest.err.contains("other volumes"), rest.err.constData());
        const Result otherwise = made({"head.h5", "--slice", "4", "--filter", "hann"});
        QVERIFY2(otherwise.err.count("warning: shared/: The folder has 4 TIFFs of other volumes or other settings: "
                                     "'head_00000.tiff' to 'head_00003.tiff'.") == 1,
                 otherwise.err.constData());
        for (const QStringList& more : {QStringList{}, QStringList{"--overwrite"}}) {
            const Result other = made(QStringList{"disc.h5"} + more);
            QVERIFY2(other.status == 0 && other.err.contains("has 5 TIFFs of other volumes"), other.err.constData());
        }
        QCOMPARE(files("shared").size(), 8);
    }

    void olderSlicesAreMentioned()
    {
        const QStringList plain = {"reconstruct", "head.h5", "--output", "older"};
        QCOMPARE(run(plain + QStringList{"--slices", "3:"}).status, 0);
        const Result beside = run(plain + QStringList{"--slices", ":3"});
        QVERIFY2(beside.err.isEmpty(), beside.err.constData());
        QCOMPARE(files("older").size(), 5);
        const Result over = run(plain + QStringList{"--slices", "0:2", "--overwrite", "--json", "-"});
        QCOMPARE(over.status, 0);
        QVERIFY2(over.err.contains("3 slices") && over.err.contains("head_00002.tiff to head_00004.tiff"),
                 over.err.constData());
        QVERIFY(over.out.contains("head_00002.tiff to head_00004.tiff"));
        QCOMPARE(files("older").size(), 5);
    }

    // The working folder may no longer exist when the program starts.
    void workingFolderIsGone()
    {
        QProcess process;
        process.setWorkingDirectory(folder());
        for (const QString& rest : {QString("reconstruct \"$1\" -o x.tif"), QString("reconstruct \"$1\" -o out"),
                                    QString("reconstruct \"$1\" -o x.h5 --json x.json"),
                                    QString("phantom disc --size 16 --projections 8 -o x.h5")}) {
            process.start("/bin/sh", {"-c", "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" " + rest,
                                      program::path, file("head.h5")});
            const Result result = finished(process);
            QVERIFY2(result.status == 2, result.err.constData());
            QVERIFY2(result.err.contains("'x.tif'") || result.err.contains("'out'") || result.err.contains("'x."),
                     result.err.constData());
            QVERIFY2(!result.err.contains("filesystem error"), result.err.constData());
        }
    }

    // With little memory, FFTW used to end the program, a destructor called terminate, or stages waited for ever.
    void littleMemory()
    {
        if (fixtures::sanitized)
            QSKIP("the sanitizers take address space of their own");
        QCOMPARE(run({"reconstruct", "head.h5", "--output", "free.tif", "--slice", "0"}).status, 0);
        const QStringList before = files();
        int failed = 0, done = 0;
        // The libraries alone take more memory if CUDA's are among them. With slightly less memory than the program
        // needs to print a message they crash themselves, before the program starts.
        for (int kilobytes = 60000, started = 0; started < 20 && kilobytes < 2'000'000; kilobytes += 8000) {
            QProcess process;
            process.setWorkingDirectory(folder());
            process.start("/bin/sh",
                          {"-c", "ulimit -c 0; ulimit -v \"$1\"; exec \"$0\" reconstruct head.h5 -o scarce.h5",
                           program::path, QString::number(kilobytes)});
            const Result result = finished(process);
            if (started > 0 || (result.status >= 0 && result.status <= 2))
                ++started;
            if (result.status == 0) {
                ++done;
                QVERIFY(QFile::remove(file("scarce.h5")));
            } else if (started > 0) {
                ++failed;
                const QString seen = QString("%1 kB: %2, %3").arg(kilobytes).arg(result.status).arg(result.err);
                QVERIFY2(result.status == 1, qPrintable(seen));
                QVERIFY2(result.err.contains("memory"), qPrintable(seen));
            }
            QCOMPARE(files(), before);
        }
        QVERIFY(done > 0 && failed > 0);
    }

    // Control characters in texts of files do not reach the terminal.
    void controlCharacters()
    {
        const QString name = "e\x1b[31mvil\u009b.h5";
        QVERIFY(QFile::copy(file("head.h5"), file(name)));
        const Result result = run({"reconstruct", name, "--output", "evil.tif", "--slice", "0"});
        QCOMPARE(result.status, 0);
        const Result missing = run({"info", "un" + name});
        QCOMPARE(missing.status, 2);
        for (const QByteArray& text : {result.out, missing.err}) {
            QVERIFY2(text.contains("e\\x1B[31mvil\\u009B.h5"), text.constData());
            QVERIFY(!text.contains('\x1b') && !text.contains("\xc2\x9b"));
        }
        QVERIFY(QFile::remove(file(name)));
    }

    // Inputs other than the scan's own path used to be overwritten: flats given by an option, TIFFs of the folder
    // being read.
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
        QTest::addColumn<QString>("at"); // a file that the program creates
        QTest::addColumn<int>("times");  // 1: when created; 2: when first written
        QTest::newRow("Ctrl-C, folder") << SIGINT << "broken"
                                        << ".long_00000.tiff." << 2;
        QTest::newRow("Ctrl-C, HDF5") << SIGINT << "broken.h5"
                                      << ".broken.h5." << 2;
        QTest::newRow("Ctrl-C, report") << SIGINT << "broken.h5"
                                        << ".broken.json." << 1;
        QTest::newRow("termination, image") << SIGTERM << "broken.tif"
                                            << ".broken.tif." << 1;
    }

    void interruptionLeavesNothing()
    {
        QFETCH(const int, signal);
        QFETCH(const QString, output);
        QFETCH(const QString, at);
        QFETCH(const int, times);
        if (!QFile::exists(file("long.h5"))) // many groups of slices
            QCOMPARE(run({"phantom", "shepp-logan-3d", "--size", "32", "--projections", "40", "--slices", "30",
                          "--output", "long.h5"})
                         .status,
                     0);
        const QStringList before = files();
        QProcess process;
        const program::Hold hold(at, times);
        const bool isHeld =
            startHeld(process, {"reconstruct", "long.h5", "--output", output, "--json", "broken.json"}, hold);
        QVERIFY2(isHeld, process.readAllStandardError());
        QVERIFY(files() != before);
        ::kill(pid_t(process.processId()), signal);
        const Result result = finished(process);
        QVERIFY2(result.status == 130, result.err.constData());
        QVERIFY(result.out.isEmpty());
        QCOMPARE(files(), before);
    }
};

SINOSCOPE_TEST(OutputsTest, QCoreApplication)
#include "outputs_test.moc"

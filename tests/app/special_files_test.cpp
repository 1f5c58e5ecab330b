// SPDX-License-Identifier: GPL-3.0-or-later
// Pipes, devices and huge files given as text inputs or reports: refused immediately, with their name.
#include "tests/app/program.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

using program::finished;
using program::Result;
namespace fs = std::filesystem;

class SpecialFilesTest : public QObject, private program::Folder
{
    Q_OBJECT

    // Limits the memory, so that reading without an end soon fails.
    Result runLimited(const QStringList& arguments) const
    {
        QProcess process;
        if (!fixtures::sanitized)
            process.setChildProcessModifier([] {
                const rlimit limit{rlim_t(8) << 30, rlim_t(8) << 30};
                setrlimit(RLIMIT_AS, &limit);
            });
        start(process, arguments);
        return finished(process);
    }

  private slots:
    void initTestCase()
    {
        QCOMPARE(
            run({"phantom", "disc", "--size", "16", "--projections", "20", "--slices", "4", "-o", "scan.h5"}).status,
            0);
        QCOMPARE(run({"reconstruct", "scan.h5", "-o", "image.tif"}).status, 0);
        QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
        std::ofstream(path("large.json"));
        fs::resize_file(path("large.json"), std::uintmax_t(1) << 40);
        std::ofstream(path("empty"));
    }

    void texts_data()
    {
        QTest::addColumn<QStringList>("command"); // FILE stands for the input
        QTest::addColumn<int>("megabytes");       // upper limit
        const auto row = [](int megabytes, const char* words) {
            QTest::newRow(words) << QString(words).split(' ') << megabytes;
        };
        row(16, "reconstruct scan.h5 -o x.tif --settings FILE");
        row(16, "reconstruct scan.h5 -o x.tif --recipe FILE");
        row(64, "reconstruct scan.h5 -o x.tif --angles FILE");
        row(64, "reconstruct scan.h5 -o x.tif --shifts FILE");
        row(64, "reconstruct scan.h5 -o x.tif --geometry FILE");
        row(64, "info scan.h5 --geometry FILE");
        row(16, "compare-settings FILE");
        row(16, "model --rates FILE");
    }
    void texts()
    {
        QFETCH(QStringList, command);
        QFETCH(int, megabytes);
        const QStringList before = files();
        for (const auto& [name, why] :
             {std::pair("pipe", QString("it is a pipe, not a file")),
              {"/dev/zero", "it is a device, not a file"},
              {"large.json",
               QString("has 1099511627776 bytes; it needs at least one byte and at most %1 MB").arg(megabytes)},
              {"empty", "has 0 bytes; it needs at least one"}}) {
            QStringList arguments = command;
            arguments.replaceInStrings("FILE", name);
            const Result result = runLimited(arguments);
            QVERIFY2(result.status == 2, result.err);
            QVERIFY2(result.err.contains('\'' + QByteArray(name) + '\'') && result.err.contains(why.toUtf8()),
                     result.err);
            QVERIFY2(result.err.count('\n') == 1, result.err);
            QCOMPARE(files(), before);
        }
    }

    void reports_data()
    {
        QTest::addColumn<QStringList>("command");
        for (const char* words :
             {"info scan.h5 --json pipe", "info scan.h5 --json pipe --overwrite", "methods --json pipe --overwrite",
              "reconstruct scan.h5 -o x.tif --json pipe --overwrite",
              "compare image.tif image.tif --profile pipe --overwrite", "model --csv pipe --overwrite"})
            QTest::newRow(words) << QString(words).split(' ');
    }
    void reports()
    {
        QFETCH(QStringList, command);
        const Result result = runLimited(command);
        QVERIFY2(result.status == 2, result.err);
        QVERIFY2(result.err.contains("'pipe' can't be written: it is a pipe that nothing reads"), result.err);
        QVERIFY(fs::is_fifo(path("pipe")));
        QVERIFY(!files().contains("x.tif"));
    }

    // A pipe with a reader receives the report.
    void pipeThatIsRead()
    {
        const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        QVERIFY(reader >= 0);
        const Result result = run({"info", "scan.h5", "--json", "pipe"});
        QByteArray got(1 << 16, '\0');
        const ssize_t bytes = ::read(reader, got.data(), std::size_t(got.size()));
        ::close(reader);
        QVERIFY2(result.status == 0, result.err);
        QVERIFY(bytes > 0);
        got.resize(int(bytes));
        QVERIFY2(QJsonDocument::fromJson(got).isObject(), got);
    }

    // Pipes in the place of stored slices or of the journal.
    void kept_data()
    {
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("pipe");
        QTest::newRow("file") << "v.h5"
                              << ".v.h5.kept";
        QTest::newRow("file, journal") << "v.h5"
                                       << ".v.h5.resume";
        QTest::newRow("folder") << "f/"
                                << "f/.scan_00002.tiff.kept";
        QTest::newRow("folder, journal") << "f/"
                                         << "f/.scan.resume";
    }
    void kept()
    {
        QFETCH(const QString, output);
        QFETCH(const QString, pipe);
        QVERIFY(QDir(folder()).mkpath("f"));
        QCOMPARE(::mkfifo(path(pipe).c_str(), 0600), 0);
        const QStringList before = files(), inFolder = files("f");
        const Result resuming = run({"reconstruct", "scan.h5", "-o", output, "--resume"});
        QVERIFY2(resuming.status == 2, resuming.err);
        QVERIFY2(resuming.err.contains('\'' + pipe.toUtf8() + "' is not written to: it is not a regular file"),
                 resuming.err);
        QCOMPARE(files(), before);
        QCOMPARE(files("f"), inFolder);
        const Result anew = run({"reconstruct", "scan.h5", "-o", output});
        QVERIFY2(anew.status == 0, anew.err);
        QVERIFY(fs::is_fifo(path(pipe)));
        fs::remove_all(path("v.h5"));
        fs::remove_all(path("f"));
        fs::remove_all(path(pipe));
    }

    void caches_data()
    {
        QTest::addColumn<QString>("cache");
        QTest::addColumn<QString>("kind");
        for (const char* cache : {"speeds.json", "fftw-float.wisdom"})
            for (const char* kind : {"a pipe, not a file", "a device, not a file", "a folder"})
                QTest::addRow("%s is %s", cache, kind) << cache << kind;
    }
    // Whatever lies in place of a cache is ignored, and named in a note.
    void caches()
    {
        QFETCH(const QString, cache);
        QFETCH(const QString, kind);
        const fixtures::TemporaryFolder caches;
        QVERIFY(QDir(caches.file({})).mkdir("sinoscope"));
        const QByteArray file = caches.file("sinoscope/" + cache).toLocal8Bit();
        QVERIFY((kind.contains("pipe")     ? ::mkfifo(file, 0600)
                 : kind.contains("folder") ? ::mkdir(file, 0700)
                                           : ::symlink("/dev/zero", file)) == 0);
        const QByteArray before = qgetenv("XDG_CACHE_HOME");
        qputenv("XDG_CACHE_HOME", caches.file({}).toLocal8Bit());
        const Result result = runLimited({"reconstruct", "scan.h5", "-o", "cached.tif", "--overwrite"}),
                     methods = runLimited({"methods"}); // reads only the speeds
        qputenv("XDG_CACHE_HOME", before);
        QVERIFY2(result.status == 0, result.err);
        const QByteArray note = "'" + file + "' is ignored: it is " + kind.toUtf8() + ".\n";
        QCOMPARE(result.out.count("note: " + note), 1);
        QCOMPARE(methods.status, 0);
        QCOMPARE(methods.out.count(note), cache == "speeds.json" ? 1 : 0);
    }
};

SINOSCOPE_TEST(SpecialFilesTest, QCoreApplication)
#include "special_files_test.moc"

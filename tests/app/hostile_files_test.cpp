// SPDX-License-Identifier: GPL-3.0-or-later
// Files that crash or hang the libraries that read them, or fill the memory, given to the program wherever it accepts
// files: they are refused with a message, like any other invalid file. Also the program without its helper,
// sinoscope-check.
#include "tests/app/program.h"
#include "tests/processor_time.h"

#include <sys/resource.h>

namespace
{

namespace fs = std::filesystem;

const fs::path hostileFindings = fs::path(SINOSCOPE_SOURCE_DIR) / "tests/fuzz/findings/hdf5";

rusage childrenUsed()
{
    rusage used = {};
    ::getrusage(RUSAGE_CHILDREN, &used);
    return used;
}

} // namespace

class HostileFilesTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        QVERIFY(makeHead().status == 0);
        QVERIFY(run({"reconstruct", "head.h5", "--output", "volume.h5"}).status == 0);
    }

    void refused_data()
    {
        QTest::addColumn<QStringList>("arguments");
        for (const fs::directory_entry& entry : fs::directory_iterator(hostileFindings)) {
            const QString file = QString::fromStdString(entry.path().filename().string());
            const auto row = [&](const QString& what, const QStringList& arguments) {
                QTest::newRow(qPrintable(file + ", " + what)) << arguments;
            };
            row("info", {"info", file});
            row("reconstruct", {"reconstruct", file, "--output", "out.h5"});
            row("sinogram", {"sinogram", file, "--output", "out.tif"});
            row("axis", {"axis", file});
            row("compare", {"compare", "volume.h5", file, "--slice", "1"});
        }
    }

    // Each refusal stays within the limits of memory and processor time in the table of hostile files.
    void refused()
    {
        QFETCH(const QStringList, arguments);
        const QString file = QString(QTest::currentDataTag()).section(',', 0, 0);
        if (fixtures::sanitized && file.contains("gigabyte"))
            QSKIP("sanitizers take memory of their own, and have no limit of it");
        fs::copy_file(hostileFindings / file.toStdString(), path(file), fs::copy_options::overwrite_existing);
        const double before = processor_time::of(childrenUsed());
        const program::Result result = run(arguments);
        const rusage used = childrenUsed();
        fs::remove(path(file));
        QVERIFY2(result.status == 2, result.err);
        QVERIFY2(result.err.startsWith("sinoscope-cli: ") && result.err.contains(file.toUtf8()), result.err);
        QVERIFY(files().filter("out.").isEmpty());
        if (!fixtures::sanitized) {
            const double seconds = processor_time::of(used) - before;
            QVERIFY2(seconds < processor_time::seconds, qPrintable(QString::number(seconds)));
            QVERIFY2(used.ru_maxrss < 500'000, qPrintable(QString::number(used.ru_maxrss)));
        }
    }

    // With --resume, an existing output is read, too.
    void resumed()
    {
        const fs::path hostile = hostileFindings / "crash-of-a-global-heap";
        fs::copy_file(hostile, path("resumed.h5"));
        const program::Result result = run({"reconstruct", "head.h5", "--output", "resumed.h5", "--resume"});
        QVERIFY2(result.status == 1 || result.status == 2, result.err);
        QVERIFY2(result.err.contains("resumed.h5"), result.err);
        QCOMPARE(contents("resumed.h5").size(), qsizetype(fs::file_size(hostile)));
    }

    // The helper must be beside the program; without it, no file is opened that needs the helper.
    void withoutHelper()
    {
        fs::create_directory(path("alone"));
        fs::copy_file(program::path.toStdString(), path("alone/sinoscope-cli"));
        QProcess process;
        process.setWorkingDirectory(folder());
        process.start(file("alone/sinoscope-cli"), {"info", "head.h5"});
        program::Result result = program::finished(process);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("head.h5") && result.err.contains("sinoscope-check") &&
                     result.err.contains("Install Sinoscope again."),
                 result.err);
        process.start(file("alone/sinoscope-cli"), {"info", "head.tif"}); // TIFFs are read without the helper
        result = program::finished(process);
        QVERIFY2(!result.err.contains("sinoscope-check"), result.err);
        // In an installation, the helper is in lib/sinoscope.
        fs::create_directories(path("lib/sinoscope"));
        fs::create_symlink(fs::path(SINOSCOPE_BIN_DIR) / "sinoscope-check", path("lib/sinoscope/sinoscope-check"));
        process.start(file("alone/sinoscope-cli"), {"info", "head.h5"});
        result = program::finished(process);
        QVERIFY2(result.status == 0, result.err);
    }

    // Ctrl+C while the helper reads a file ends the program and the helper.
    void interrupted()
    {
        fs::create_directory(path("slow"));
        fs::copy_file(program::path.toStdString(), path("slow/sinoscope-cli"));
        std::ofstream(path("slow/sinoscope-check"))
            << "#!/bin/sh\necho $$ > " << path("id").string() << ".new; mv " << path("id").string() << ".new "
            << path("id").string() << "\nexec sleep 1000\n";
        fs::permissions(path("slow/sinoscope-check"), fs::perms::owner_all);
        QProcess process;
        process.setWorkingDirectory(folder());
        process.start(file("slow/sinoscope-cli"), {"info", "head.h5"});
        QTRY_VERIFY_WITH_TIMEOUT(fs::exists(path("id")), 300'000);
        QVERIFY(::kill(pid_t(process.processId()), SIGINT) == 0);
        const program::Result result = program::finished(process);
        QCOMPARE(result.status, 130);
        const int helper = contents("id").trimmed().toInt();
        QVERIFY(helper > 0);
        QVERIFY(::kill(helper, 0) != 0);
    }
};

SINOSCOPE_TEST(HostileFilesTest, QCoreApplication)
#include "hostile_files_test.moc"

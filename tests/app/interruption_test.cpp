// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+C and termination at any time: the program ends within a second, with status 130, and leaves no files.
#include "tests/app/program.h"
#include "tests/processor_time.h"

#include <fstream>

using program::finished;
using program::Hold;
using program::Result;

namespace
{

// Writes a TIFF with pages of one pixel, each with its own directory.
void writePages(const std::filesystem::path& path, std::uint32_t pages)
{
    std::string bytes("II*\0\x08\0\0\0", 8);
    const auto put16 = [&](std::uint16_t value) { bytes.append(reinterpret_cast<const char*>(&value), 2); };
    const auto put32 = [&](std::uint32_t value) { bytes.append(reinterpret_cast<const char*>(&value), 4); };
    constexpr std::uint16_t tags[][2] = {{256, 1}, {257, 1}, {258, 16}, {259, 1},
                                         {262, 1}, {273, 8}, {277, 1},  {279, 2}};
    for (std::uint32_t page = 0; page < pages; ++page) {
        put16(std::size(tags));
        for (const auto& [tag, value] : tags) {
            put16(tag);
            put16(3);
            put32(1);
            put32(value);
        }
        const bool isLast = page + 1 == pages;
        put32(isLast ? 0 : std::uint32_t(bytes.size()) + 4);
    }
    std::ofstream(path, std::ios::binary) << bytes;
}

// Whether the program has already blocked the signals, so that its watcher receives them.
bool isListening(const QProcess& process)
{
    std::ifstream status("/proc/" + std::to_string(process.processId()) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("SigBlk:"))
            return (std::stoull(line.substr(7), nullptr, 16) >> (SIGTERM - 1) & 1) != 0;
    return false;
}

// Whether the process is gone, or only waits for its parent to take note.
bool hasEnded(pid_t process)
{
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    return !std::getline(stat, line) || line.find(") Z ") != std::string::npos;
}

} // namespace

class InterruptionTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        QVERIFY(makeHead().status == 0);
        writePages(path("pages.tif"), fixtures::sanitized ? 50'000 : 400'000);
        std::ofstream(path("wide.raw")) << "";
        std::filesystem::resize_file(path("wide.raw"), 2ULL * 2000 * 512 * 1024); // a sparse file
        std::ofstream(path("flat.raw")) << "";
        std::filesystem::resize_file(path("flat.raw"), 2ULL * 2 * 48 * 2048);
    }

    void atAnything_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("afterMs"); // milliseconds of processor time
        const QStringList wide{"reconstruct", "wide.raw", "--raw",          "2000x512x1024", "--type",
                               "uint16",      "--values", "line-integrals", "--axis",        "middle"};
        const QStringList cone{"--source-axis", "1000", "--source-detector", "1500", "--pixel", "1"};
        QTest::newRow("opening") << QStringList{"info", "pages.tif"} << SIGINT << 150;
        QTest::newRow("an image of a stack")
            << QStringList{"compare", "pages.tif", "pages.tif", "--slice", "1"} << SIGINT << 150;
        for (const int after : {0, 30, 200, 700})
            QTest::addRow("reading and reconstructing, after %d ms", after)
                << wide + QStringList{"-o", "out.h5", "--json", "out.json"} << SIGINT << after;
        QTest::newRow("the exact method") << wide + QStringList{"-o", "out", "--method", "exact"} << SIGTERM << 400;
        QTest::newRow("the axis") << QStringList{"reconstruct", "wide.raw", "--raw",    "2000x512x1024",
                                                 "--type",      "uint16",   "--values", "line-integrals",
                                                 "-o",          "out",      "--slices", ":64"}
                                  << SIGHUP << 200;
        QTest::newRow("writing slices") << QStringList{"reconstruct",   "flat.raw", "--raw",    "2x48x2048",
                                                       "--type",        "uint16",   "--values", "line-integrals",
                                                       "--axis",        "middle",   "-o",       "out",
                                                       "--compression", "deflate:9"}
                                        << SIGTERM << 500;
        QTest::newRow("writing one file")
            << QStringList{"reconstruct",    "flat.raw", "--raw",  "2x48x2048", "--type", "uint16",        "--values",
                           "line-integrals", "--axis",   "middle", "-o",        "out.h5", "--compression", "deflate:9"}
            << SIGINT << 500;
        // Few slices: sanitizers refuse more than 512 MB.
        QTest::newRow("a cone") << wide + cone + QStringList{"-o", "out.h5", "--slices", "240:272"} << SIGINT << 400;
        QTest::newRow("simulating") << QStringList{"phantom", "shepp-logan-3d", "--size", "1024", "--projections",
                                                   "2000",    "--slices",       "512",    "-o",   "made.h5"}
                                    << SIGINT << 300;
        const char* const size = fixtures::sanitized ? "8192" : "12288";
        QTest::newRow("an exact image") << QStringList{"phantom", "resolution", "--size",  size,      "--projections",
                                                       "8",       "-o",         "made.h5", "--exact", "made.tif"}
                                        << SIGINT << 50;
        QTest::newRow("benchmark") << QStringList{"benchmark", "--device", "cpu", "--json", "out.json"} << SIGINT
                                   << 400;
        QTest::newRow("benchmark of a volume")
            << QStringList{"benchmark", "--volume", "512", "--output", "out"} << SIGTERM << 400;
        QTest::newRow("verify") << QStringList{"verify", "--device", "cpu"} << SIGINT << 300;
    }

    // The limit of a second is a second of processor time per processor, so that it holds on a busy machine, too.
    void atAnything()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const int, signal);
        QFETCH(const int, afterMs);
        const QStringList before = files();
        QProcess process;
        start(process, arguments);
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY(isListening(process));
        const auto used = [&] { return processor_time::ofProcess(pid_t(process.processId())); };
        const double until = used() + (fixtures::sanitized ? 3 : 1) * afterMs / 1e3;
        QTRY_VERIFY(!(used() < until)); // also ends the wait when `used` is not a number since the process has ended
        // If this fails, the command takes too little time for the test.
        QVERIFY2(process.state() == QProcess::Running, process.readAllStandardError().constData());
        const double usedBefore = processor_time::ofEndedChildren() + used();
        ::kill(pid_t(process.processId()), signal);
        const Result result = finished(process);
        const double seconds = processor_time::ofEndedChildren() - usedBefore;
        QVERIFY2(result.status == 130, result.err.constData());
        QVERIFY2(result.err.contains("cancelled"), result.err.constData());
        QCOMPARE(files(), before);
        const double most = (fixtures::sanitized ? 20 : 1) * processor_time::perSecond();
        QVERIFY2(seconds <= most, qPrintable(QString("%1 s").arg(seconds)));
    }

    // The second signal ends the program wherever it is. Here the program is creating a file: it waits until the file
    // is created, however long the disk takes, and then ends without leaving files.
    void twice()
    {
        const QStringList before = files();
        QProcess process;
        const Hold hold(".wide_00100.tiff.", 1, Hold::Until::letGo);
        QVERIFY(startHeld(process,
                          {"reconstruct", "wide.raw", "--raw", "2000x512x1024", "--type", "uint16", "--values",
                           "line-integrals", "--axis", "middle", "-o", "out", "--method", "exact"},
                          hold));
        QCOMPARE(files("out").size(), 101);
        ::kill(pid_t(process.processId()), SIGINT);
        ::kill(pid_t(process.processId()), SIGTERM);
        QVERIFY(!process.waitForFinished(500)); // it cannot end while it is held
        hold.letGo();
        const Result result = finished(process);
        QCOMPARE(result.status, 130);
        QCOMPARE(files(), before);
    }

    void programBeside_data()
    {
        QTest::addColumn<QString>("does");
        QTest::addColumn<int>("signal");
        QTest::newRow("Ctrl+C") << "exec sleep 600" << SIGINT;
        QTest::newRow("Ctrl+C, while it ignores SIGTERM") << "trap '' TERM; exec sleep 600" << SIGINT;
        QTest::newRow("killed") << "exec sleep 600" << SIGKILL;
    }
    // A program that a benchmark runs beside itself ends with it, and was started as from a shell.
    void programBeside()
    {
        QFETCH(const QString, does);
        QFETCH(const int, signal);
        QFile::remove(file("pid"));
        std::ofstream(path("python.sh")) << "#!/bin/sh\necho $$ >'" + file("pid").toStdString() + "'\n"
                                         << does.toStdString() << '\n';
        std::filesystem::permissions(path("python.sh"), std::filesystem::perms::owner_all);
        QProcess process;
        start(process, {"benchmark", "--beside", "./python.sh", "--size", "17", "--repeat", "1"});
        QVERIFY(fixtures::comes([&] { return contents("pid").endsWith('\n'); }));
        const pid_t beside = contents("pid").trimmed().toInt();
        QCOMPARE(::getpgid(beside), beside);
        std::ifstream status("/proc/" + std::to_string(beside) + "/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("SigBlk:") || (line.starts_with("SigIgn:") && !does.startsWith("trap")))
                QVERIFY2(line.find_first_not_of("0", 8) == std::string::npos, line.c_str());
        ::kill(pid_t(process.processId()), signal);
        QCOMPARE(finished(process).status, signal == SIGKILL ? -1 : 130);
        QVERIFY(fixtures::comes([&] { return hasEnded(beside); }));
    }
};

SINOSCOPE_TEST(InterruptionTest, QCoreApplication)
#include "interruption_test.moc"

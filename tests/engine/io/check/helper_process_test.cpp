// SPDX-License-Identifier: GPL-3.0-or-later
// The helper program reads untrusted files: what it refuses, what it is not allowed to do, and how it is ended.
#include "engine/io/check/confinement.h"
#include "engine/io/check/helper_session.h"
#include "engine/io/check/mat_contents.h"
#include "engine/io/formats/hdf5_data_sets.h"
#include "engine/io/slices/write_scan.h"
#include "tests/engine/io/bad_files.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fcntl.h>
#include <thread>

using namespace engine;
using namespace fixtures;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace
{

const fs::path hostileFiles = fs::path(SINOSCOPE_SOURCE_DIR) / "tests/fuzz/findings/hdf5";

// Returns a number that changes with each child process that has ended and was waited for.
long pagesOfChildren()
{
    rusage used = {};
    ::getrusage(RUSAGE_CHILDREN, &used);
    return used.ru_minflt;
}

// Counts the calls that started the helper.
template <typename... Calls>
int helpersIn(const Calls&... calls)
{
    int helpers = 0;
    const auto count = [&](const auto& call) {
        const long before = pagesOfChildren();
        call();
        helpers += pagesOfChildren() != before;
    };
    (count(calls), ...);
    return helpers;
}

// Runs the call in a separate process. Returns its exit status, or minus the signal that ended it.
template <typename Call>
int statusOf(const Call& call)
{
    const pid_t child = ::fork();
    if (child == 0) {
        for (const int signal : {SIGXCPU, SIGABRT, SIGSEGV}) // removes Qt Test's handlers
            ::signal(signal, SIG_DFL);
        ::_exit(call());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// A file in HDF5's newest format to which frames are appended while others read it (SWMR)
class LiveScan
{
  public:
    explicit LiveScan(const fs::path& path)
    {
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
        m_file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
        const hsize_t none[3] = {0, 3, 4}, most[3] = {H5S_UNLIMITED, 3, 4}, edge[3] = {1, 3, 4};
        H5Pset_chunk(creation, 3, edge);
        const hid_t space = H5Screate_simple(3, none, most);
        m_data = H5Dcreate2(m_file, "/data", H5T_STD_U16LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
        H5Sclose(space);
        H5Pclose(creation);
        H5Pclose(access);
        H5Fstart_swmr_write(m_file);
    }
    ~LiveScan()
    {
        H5Dclose(m_data);
        H5Fclose(m_file);
    }
    void add(hsize_t frames)
    {
        m_frames += frames;
        const hsize_t shape[3] = {m_frames, 3, 4};
        H5Dset_extent(m_data, shape);
        const std::vector<std::uint16_t> numbers(m_frames * 12, 7);
        H5Dwrite(m_data, H5T_NATIVE_USHORT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
        H5Dflush(m_data);
    }

  private:
    hid_t m_file = -1, m_data = -1;
    hsize_t m_frames = 0;
};

OpenOptions framesAlone()
{
    OpenOptions options;
    options.dataSets.projections = "/data";
    options.angleRangeRad = {0, 1};
    return options;
}

} // namespace

class HelperProcessTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_folder.emplace(); }

    void hostile_data()
    {
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* says) { QTest::newRow(name) << says; };
        const char* crashes = "' can't be opened: the library that reads it crashes (";
        for (const char* name :
             {"crash-of-a-fixed-array", "crash-of-a-global-heap", "crash-of-a-global-heap-of-a-layout"})
            row(name, crashes);
        row("free-of-a-link-table", " can't be opened"); // whether HDF5 crashes depends on what its memory holds
        const char* fills = "' can't be opened: reading its contents takes more than ";
        for (const char* name : {"header-of-1-gigabyte", "header-of-4-gigabytes", "header-of-20-gigabytes"})
            row(name, fills);
        row("swmr-torn-superblock",
            "': HDF5 can't open this file (incorrect metadata checksum after all read attempts)");
        row("swmr-torn-header",
            "': /measurement/instrument/monochromator can't be opened (incorrect metadata checksum ");
        row("chunk-of-0-bytes", "': the data set /exchange/data has a chunk of 0 bytes at position 3.");
    }

    // Opens the file directly, and through a link in a good file.
    void hostile()
    {
        QFETCH(const QString, says);
        const fs::path file = hostileFiles / QTest::currentDataTag();
        QVERIFY(fs::exists(file));
        if (sanitized) { // sanitized libraries crash in other ways
            if (says.contains("takes more than"))
                QSKIP("sanitizers take memory of their own, and have no limit of it");
            QVERIFY(made::refused(file, {}));
            return;
        }
        QVERIFY(made::refused(file, {says.toStdString()}));
        fs::copy_file(file, at("inner.h5"));
        {
            made::Hdf5 outer(at("outer.h5"));
            made::dxchange(outer);
            outer.externalLink("/measurement", "inner.h5", "/measurement");
            H5Ldelete(outer.id(), "/exchange/data", H5P_DEFAULT);
            outer.externalLink("/exchange/data", "inner.h5", "/exchange/data");
        }
        const auto error = errorOf([&] { openScan(at("outer.h5")); });
        QVERIFY(error && error->kind() == ErrorKind::badFile);
        QVERIFY2(contains(error->what(), "outer.h5") || contains(error->what(), "inner.h5"), error->what());
    }

    // A source of a virtual data set is damaged: HDF5 opens it when its numbers are read.
    void hostileSource()
    {
        fs::copy_file(hostileFiles / "crash-of-a-fixed-array", at("source.h5"));
        const made::Given given = made::hdf5(m_folder->path(), [](made::Hdf5& file) {
            made::virtualSource(file, "/exchange/data", "source.h5", "/exchange/data");
        });
        QVERIFY(fails(ErrorKind::badFile, {"scan.h5"}, [&] { openScan(given.scan)->read({0, 3}, {}); }));
    }

    void realFilesAreNotRefused()
    {
        if (!fs::exists(realData))
            QSKIP("the published scans are not here");
        int files = 0;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(realData))
            if (const std::string suffix = entry.path().extension().string();
                suffix == ".h5" || suffix == ".nxs" || suffix == ".mat") {
                ++files;
                if (suffix == ".mat")
                    QVERIFY(!MatContents(entry.path()).variables().empty());
                else
                    dataSetsIn(entry.path());
            }
        QVERIFY(files > 5);
    }

    // Each opening of a file starts one helper, whatever is read from the file.
    void oneHelperForEachOpening()
    {
        const made::Given given = made::whole(m_folder->path());
        const auto scan = [&] { openScan(given.scan)->read({0, 3}, {}); };
        QCOMPARE(helpersIn(scan), 1);
        QCOMPARE(helpersIn(scan, scan), 2);
        QCOMPARE(helpersIn([&] { dataSetsIn(given.scan); }), 1);
    }

    // The contents of a file decide whether it is checked, not its name.
    void changedFile()
    {
        const made::Given given = made::whole(m_folder->path());
        openScan(given.scan);
        for (const fs::path& written : {given.scan, at("own.h5")}) {
            writeScan(*smallScan(16, 10), nullptr, ScanFormat::dxchange, at("own.h5"), true);
            fs::copy_file(hostileFiles / "crash-of-a-fixed-array", written, fs::copy_options::overwrite_existing);
            QVERIFY(made::refused(written, {}));
        }
    }

    // A source that changes after the scan was opened is checked when HDF5 opens it.
    void sourceThatChangesLater()
    {
        made::Hdf5(at("source.h5")).numbers("/frames", {5, 3, 4}, made::counting(60), H5T_STD_U16LE);
        const made::Given given = made::hdf5(m_folder->path(), [](made::Hdf5& file) {
            made::virtualSource(file, "/exchange/data", "source.h5", "/frames");
            file.numbers("/exchange/theta", {5}, made::counting(5, 36));
        });
        openScan(given.scan);
        fs::remove(at("source.h5"));
        fs::copy_file(hostileFiles / "free-of-a-link-table", at("source.h5"));
        QVERIFY(fails(ErrorKind::badFile, {"scan.h5"}, [&] { openScan(given.scan); }));
    }

    void growingFile()
    {
        LiveScan live(at("live.h5"));
        const auto look = [&] { return openScan(at("live.h5"), framesAlone())->projections(); };
        for (int frames = 3; frames < 12; frames += 3) {
            live.add(3);
            QCOMPARE(look(), frames);
        }
    }

    // Misbehaving programs in place of the helper.
    void badHelpers_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* script, const char* says) {
            QTest::newRow(name) << QByteArray(script) << QByteArray(says);
        };
        row("crashes", "kill -SEGV $$", "the library that reads it crashes (");
        row("is killed", "kill -KILL $$", "ended without an answer");
        row("says nothing", "exit 0", "ended without an answer");
        row("fails", "exit 1", "ended without an answer");
        row("has no memory", "exit 3", "of memory");
        row("takes its time", "kill -XCPU $$", "s of processor time");
        row("talks on and on", "exec yes sinoscope-check >&0", "ended without an answer");
        row("says something else", "echo sinoscope-check, and 16 bytes more >&0", "ended without an answer");
        row("says half of it", "printf 'sino\\001\\0\\0\\0\\010\\0\\0\\0\\0\\0\\0\\0half' >&0",
            "ended without an answer");
    }

    void badHelpers()
    {
        QFETCH(const QByteArray, script);
        QFETCH(const QByteArray, says);
        const made::Given given = made::whole(m_folder->path());
        HelperSession session(given.scan, {}, scriptOf(script.toStdString()));
        for (int k = 0; k < 2; ++k) // each question starts a new one
            QVERIFY(fails(ErrorKind::badFile, {"scan.h5", says.toStdString()},
                          [&] { session.ask(HelperQuestion::node, given.scan, "/"); }));
    }

    // A negative amount of work reduces the time for the answer to 0 s.
    void lateHelper()
    {
        const made::Given given = made::whole(m_folder->path());
        HelperSession session(given.scan, {}, scriptOf("exec sleep 100"));
        QVERIFY(fails(ErrorKind::badFile, {"scan.h5", "takes more than 0 s. It is damaged"},
                      [&] { session.ask(HelperQuestion::node, given.scan, "/", {}, -24 << 20); }));
    }

    // A helper that doesn't answer has been ended when the call returns.
    void stoppedHelper()
    {
        const made::Given given = made::whole(m_folder->path());
        std::stop_source stop;
        HelperSession session(given.scan, stop.get_token(),
                              scriptOf("echo $$ > " + at("id").string() + "; exec sleep 1000"));
        std::jthread stopper([&] {
            while (!fs::exists(at("id")) || fs::file_size(at("id")) == 0)
                std::this_thread::sleep_for(1ms);
            stop.request_stop();
        });
        QVERIFY(fails(ErrorKind::cancelled, {}, [&] { session.ask(HelperQuestion::node, given.scan, "/"); }));
        stopper.join();
        std::ifstream file(at("id"));
        pid_t process = 0;
        QVERIFY(file >> process && ::kill(process, 0) != 0);
    }

    void missingHelper()
    {
        const made::Given given = made::whole(m_folder->path());
        HelperSession session(given.scan, {}, at("gone"));
        QVERIFY(fails(ErrorKind::badFile, {"scan.h5", "sinoscope-check", "can't be started"},
                      [&] { session.ask(HelperQuestion::node, given.scan, "/"); }));
    }

    // System calls that the helper may and may not use.
    void confinement()
    {
        if (sanitized)
            QSKIP("sanitizers make calls of their own");
        std::ofstream(at("there")) << "text";
        const fs::path there = at("there"), made = at("made");
        const auto confined = [&](const auto& isForbidden) {
            return statusOf([&] {
                confineProcess();
                if (::prctl(PR_GET_SECCOMP) != 2)
                    return 77;
                return isForbidden() ? 0 : 1;
            });
        };
        const auto canRead = [&] {
            char letter = 0;
            const int file = ::open(there.c_str(), O_RDONLY);
            return ::read(file, &letter, 1) == 1 && letter == 't';
        };
        const int reading = confined([&] { return !canRead(); });
        if (reading == 77)
            QSKIP("this system has no filters of calls");
        QCOMPARE(reading, 0);
        QCOMPARE(confined([] { return std::thread([] {}).join(), true; }), 0);
        QCOMPARE(confined([&] { return ::open(made.c_str(), O_WRONLY | O_CREAT, 0600) < 0; }), 0);
        QCOMPARE(confined([&] { return ::open(there.c_str(), O_RDWR) < 0; }), 0);
        QCOMPARE(confined([&] { return ::truncate(there.c_str(), 0) != 0; }), 0);
        QCOMPARE(confined([&] { return ::unlink(there.c_str()) != 0; }), 0);
        QCOMPARE(confined([&] { return ::rename(there.c_str(), made.c_str()) != 0; }), 0);
        QCOMPARE(confined([] { return ::socket(AF_INET, SOCK_STREAM, 0) < 0; }), 0);
        QCOMPARE(confined([] { return ::socket(AF_UNIX, SOCK_STREAM, 0) < 0; }), 0);
        QCOMPARE(confined([] { return ::fork() < 0; }), 0);
        QCOMPARE(confined([] { return ::kill(::getppid(), 0) != 0; }), 0);
        QCOMPARE(confined([] { return ::execl("/bin/true", "true", nullptr) != 0; }), 0);
        QCOMPARE(confined([]() -> bool { ::abort(); }), -SIGABRT);
        QVERIFY(fs::exists(there) && fs::file_size(there) == 4 && !fs::exists(made));
    }

    void limits()
    {
        if (sanitized)
            QSKIP("sanitizers take memory and time of their own");
        const HelperLimits limits = limitsOfQuestion(0);
        QVERIFY(limits.memoryBytes < 500e6);
        QCOMPARE(limits.processorSeconds, 3);
        QCOMPARE(statusOf([&] {
                     limitQuestion(0);
                     return std::malloc(600 << 20) == nullptr ? 0 : 1;
                 }),
                 0);
        QCOMPARE(statusOf([&] {
                     limitQuestion(0);
                     for (volatile unsigned k = 0;;)
                         k = k + 1;
                     return 0;
                 }),
                 -SIGXCPU);
        QVERIFY(limitsOfQuestion(400e6).memoryBytes > 1.6e9);
        QVERIFY(limitsOfQuestion(400e6).processorSeconds > 20);
    }

  private:
    fs::path at(const std::string& name) const { return *m_folder / name; }
    fs::path scriptOf(const std::string& lines) const
    {
        std::ofstream(at("helper")) << "#!/bin/sh\n" << lines << "\n";
        fs::permissions(at("helper"), fs::perms::owner_all);
        return at("helper");
    }

    std::optional<TemporaryFolder> m_folder;
};

SINOSCOPE_TEST(HelperProcessTest, QCoreApplication)
#include "helper_process_test.moc"

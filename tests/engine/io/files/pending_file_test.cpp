// SPDX-License-Identifier: GPL-3.0-or-later
// Several files that get their names together: all or none; if the file system refuses even to give a name back, the
// error names the files that have one.
#include "engine/base/error.h"
#include "engine/io/files/pending_file.h"
#include "tests/fixtures.h"

#include <QTest>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <limits>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

constexpr int always = std::numeric_limits<int>::max();
std::atomic<int> renamesLeft = always; // further ones fail

int renamed(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags)
{
    if (renamesLeft != always && renamesLeft-- <= 0) {
        renamesLeft = 0;
        errno = EIO;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_renameat2, fromFolder, from, toFolder, to, flags));
}

std::string textIn(const fs::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

// Stand in front of the functions of the C library.
extern "C" int renameat2(int fromFolder, const char* from, int toFolder, const char* to, unsigned flags) noexcept
{
    return renamed(fromFolder, from, toFolder, to, flags);
}
extern "C" int rename(const char* from, const char* to) noexcept
{
    return renamed(AT_FDCWD, from, AT_FDCWD, to, 0);
}

class PendingFileTest : public QObject
{
    Q_OBJECT

  private slots:
    void namesWhatStays_data()
    {
        QTest::addColumn<int>("files");
        QTest::addColumn<int>("renames"); // that succeed
        QTest::addColumn<bool>("replaces");
        for (const bool replaces : {false, true})
            for (const auto& [files, renames] : {std::pair(4, 0), {4, 2}, {9, 8}})
                QTest::addRow("%d of %d%s", renames, files, replaces ? " that exist" : "")
                    << files << renames << replaces;
    }

    void namesWhatStays()
    {
        QFETCH(const int, files);
        QFETCH(const int, renames);
        QFETCH(const bool, replaces);
        const TemporaryFolder folder;
        const auto nameOf = [](int k) { return "slice_0000" + std::to_string(k) + ".tiff"; };
        for (int k = 0; replaces && k < files; ++k)
            std::ofstream(folder / nameOf(k)) << "older";
        QString said;
        {
            std::vector<std::unique_ptr<PendingFile>> pending;
            std::vector<PendingFile*> all;
            for (int k = 0; k < files; ++k) {
                pending.push_back(std::make_unique<PendingFile>(folder / nameOf(k), replaces, ProtectedInputs()));
                std::ofstream(pending.back()->temporary()) << "new";
                all.push_back(pending.back().get());
            }
            renamesLeft = renames;
            try {
                PendingFile::commit(all);
            } catch (const Error& error) {
                QCOMPARE(error.kind(), ErrorKind::output);
                said = QString::fromUtf8(error.what());
            }
            renamesLeft = always;
        }
        QVERIFY2(said.contains(QString::fromStdString(nameOf(renames))), qPrintable(said)); // whose renaming failed
        QCOMPARE(said.contains("can't be renamed back"), renames > 0);
        for (int k = 0; k < files; ++k) {
            const std::string expected = k < renames ? "new" : replaces ? "older" : "";
            QCOMPARE(textIn(folder / nameOf(k)), expected);
            if (k < std::min(renames, 5))
                QVERIFY2(said.contains(QString::fromStdString(nameOf(k))), qPrintable(said));
        }
        QCOMPARE(said.contains("and 3 more"), renames == 8);
        int older = 0; // files whose names the new ones have
        for (const auto& entry : fs::directory_iterator(folder.path()))
            if (entry.path().extension() == ".part") {
                ++older;
                QCOMPARE(textIn(entry.path()), std::string("older"));
                QVERIFY2(renames > 5 || said.contains(QString::fromStdString(entry.path().string())), qPrintable(said));
            }
        QCOMPARE(older, replaces ? renames : 0);
    }

    // As many links are followed as the system follows.
    void loopsOfLinks()
    {
        const TemporaryFolder folder;
        std::ofstream(folder / "0") << "kept";
        for (int k = 1; k <= 41; ++k)
            fs::create_symlink(std::to_string(k - 1), folder / std::to_string(k));
        QCOMPARE(followed(folder / "40"), folder / "0");
        fs::create_symlink("loop", folder / "loop");
        for (const char* name : {"41", "loop"})
            QVERIFY(fails(ErrorKind::output, {name, "loop of links"}, [&] { followed(folder / name); }));
    }
};

SINOSCOPE_TEST(PendingFileTest, QCoreApplication)
#include "pending_file_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// A temporary folder is removed with the files that were named, even while threads still write into it, and with
// nothing else.
#include "engine/io/files/scratch_folder.h"
#include "tests/fixtures.h"

#include <QTest>

#include <atomic>
#include <fstream>
#include <thread>

using namespace fixtures;
namespace fs = std::filesystem;

class ScratchFolderTest : public QObject
{
    Q_OBJECT

  private slots:
    void goesWhileItIsWrittenTo()
    {
        const TemporaryFolder folder;
        std::atomic<bool> isOver = false;
        std::atomic<int> made = 0;
        std::optional<engine::ScratchFolder> scratch(std::in_place, folder.path());
        for (int k = 0; k < 100; ++k)
            scratch->file(std::to_string(k));
        const fs::path written = scratch->path();
        std::jthread writer([&] {
            for (int k = 0; !isOver; ++k, ++made)
                std::ofstream(written / std::to_string(k % 100)) << "a";
        });
        const auto end = qScopeGuard([&] { isOver = true; });
        QTRY_VERIFY(made > 100);
        scratch.reset();
        const int atEnd = made;
        QTRY_VERIFY(made > atEnd + 100); // these attempts to write fail
        QVERIFY(!fs::exists(written));
        QVERIFY(fs::is_empty(folder.path()));
    }

    void keepsWhatIsOfOthers()
    {
        const TemporaryFolder folder;
        fs::create_directory(folder / "mine");
        std::ofstream(folder / "mine" / "notes.txt") << "mine";
        fs::path file, link, inner, path;
        {
            engine::ScratchFolder scratch(folder.path());
            path = scratch.path();
            std::ofstream(file = scratch.file("a")) << "a";
            fs::create_symlink(folder / "mine" / "notes.txt", link = scratch.file("link"));
            fs::create_directory(inner = scratch.file("inner"));
            std::ofstream(path / "other") << "b";
        }
        QVERIFY(!fs::exists(file));
        QVERIFY(fs::exists(path / "other") && fs::is_symlink(link) && fs::is_directory(inner));
        QVERIFY(fs::exists(folder / "mine" / "notes.txt"));
    }
};

SINOSCOPE_TEST(ScratchFolderTest, QCoreApplication)
#include "scratch_folder_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a benchmark is removed with its contents, even while threads still write into it.
#include "engine/measure/scratch_folder.h"
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
        std::optional<engine::ScratchFolder> scratch(std::in_place, folder / "out");
        const fs::path written = scratch->path();
        std::jthread writer([&] {
            for (int k = 0; !isOver; ++k, ++made)
                std::ofstream(written / std::to_string(k)) << "a";
        });
        const auto end = qScopeGuard([&] { isOver = true; });
        QTRY_VERIFY(made > 100);
        scratch.reset();
        const int atEnd = made;
        QTRY_VERIFY(made > atEnd + 100); // these attempts to write fail
        QVERIFY(!fs::exists(written));
        QVERIFY2(!fs::exists(folder / "out"), "it was made for this");
    }

    void keepsWhatIsOfOthers()
    {
        const TemporaryFolder folder;
        {
            const engine::ScratchFolder scratch(folder / "out");
            std::ofstream(folder / "out" / "other") << "b";
        }
        QVERIFY(fs::exists(folder / "out" / "other"));
    }
};

SINOSCOPE_TEST(ScratchFolderTest, QCoreApplication)
#include "scratch_folder_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the cache and of the configuration: whatever lies in their place, reading ends with contents or a reason.
#include "engine/base/own_file.h"
#include "tests/fixtures.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

class OwnFileTest : public QObject
{
    Q_OBJECT

    TemporaryFolder m_folder;

    static QString problemOf(const fs::path& file, std::size_t most, WrittenBy writer = WrittenBy::anyone)
    {
        const OwnFile own = readOwnFile(file, most, writer);
        return own.problem.empty() ? QString() : QString::fromStdString(own.problem.plain());
    }

  private slots:
    void contentsWithinTheLimit()
    {
        const fs::path file = m_folder / "five";
        QVERIFY(readOwnFile(file, 5).problem.empty() && readOwnFile(file, 5).text.empty()); // there is none
        std::ofstream(file) << "12345";
        QCOMPARE(readOwnFile(file, 5).text, std::string("12345"));
        QVERIFY(problemOf(file, 4).endsWith(QStringLiteral("is ignored: it has 5 bytes, more than 4.")));
    }

    void somethingElse()
    {
        const fs::path pipe = m_folder / "pipe", zeros = m_folder / "zeros";
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        fs::create_symlink("/dev/zero", zeros);
        QVERIFY(problemOf(pipe, 10).contains(QStringLiteral("it is a pipe")));
        QVERIFY(problemOf(zeros, 10).contains(QStringLiteral("it is a device")));
        QVERIFY(problemOf(m_folder.path(), 10).contains(QStringLiteral("it is a folder")));
    }

    // Files that contain code.
    void writtenByOthers()
    {
        const fs::path file = m_folder / "code";
        std::ofstream(file) << "12345";
        for (const auto& [mode, isRefused] : {std::pair(0600, false), {0644, false}, {0664, true}, {0606, true}}) {
            QCOMPARE(::chmod(file.c_str(), mode_t(mode)), 0);
            QCOMPARE(problemOf(file, 5, WrittenBy::thisUser).contains(QStringLiteral("other users may write to it")),
                     isRefused);
            QVERIFY(problemOf(file, 5).isEmpty());
        }
        if (::geteuid() != 0)
            QSKIP("only root can give a file to another user");
        QVERIFY(::chmod(file.c_str(), 0600) == 0 && ::chown(file.c_str(), 65534, 65534) == 0);
        QVERIFY(problemOf(file, 5, WrittenBy::thisUser)
                    .endsWith(QStringLiteral("is ignored: it belongs to another user.")));
    }

    void problemsOfTheCache()
    {
        const fs::path file = m_folder / "made" / "here";
        writeCached(file, "12345");
        QCOMPARE(readCached(file, 5, WrittenBy::thisUser), std::string("12345"));
        QVERIFY(cacheProblems().empty());
        for (int turn = 0; turn < 2; ++turn)
            QCOMPARE(readCached(file, 4), std::string());
        QCOMPARE(cacheProblems().size(), std::size_t(1));
        writeCached(file.parent_path(), "a folder is in the way");
        QCOMPARE(namesIn(m_folder / "made"), std::vector<std::string>{"here"});
    }
};

SINOSCOPE_TEST(OwnFileTest, QCoreApplication)
#include "own_file_test.moc"

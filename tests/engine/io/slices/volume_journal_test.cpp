// SPDX-License-Identifier: GPL-3.0-or-later
// The journal of the completed slices of a volume: it is readable wherever it was cut off, and refused if it belongs
// to another volume.
#include "engine/io/slices/volume_journal.h"
#include "tests/fixtures.h"

#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <optional>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

const std::string identity = R"({"scan": 1, "setting": {"filter": "hann"}})";

std::string textIn(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

class VolumeJournalTest : public QObject
{
    Q_OBJECT
  private slots:
    void goesOn()
    {
        const TemporaryFolder folder;
        const fs::path path = journalName(folder / "v.h5");
        QCOMPARE(path.filename().string(), std::string(".v.h5.resume"));
        {
            VolumeJournal journal(path, identity);
            QCOMPARE(journal.slices(), 0);
            QVERIFY(fails(ErrorKind::output, {"another program"}, [&] { VolumeJournal(path, identity); }));
            journal.add({.slices = 16, .changed = 3, .offset = 4096});
            journal.add({.slices = 8,
                         .changed = 2,
                         .offset = 4096,
                         .sliceBytes = 12,
                         .sums = {1, 2, 3, 4, 5, 6, 7, 4294967295}});
        }
        QCOMPARE(summaryOf(path).slices, 24);
        VolumeJournal journal(path, identity);
        QCOMPARE(journal.slices(), 24);
        QCOMPARE(journal.changed(), 5LL);
        QCOMPARE(journal.offset(), 4096LL);
        QVERIFY(!journal.isNaming());
        QCOMPARE(journal.groups().size(), std::size_t(2));
        QVERIFY(journal.groups()[0].sums.empty());
        QCOMPARE(journal.groups()[1].sums.back(), 4294967295U);
        QCOMPARE(journal.groups()[1].sliceBytes, 12LL);
        journal.takeBackLast();
        QCOMPARE(journal.slices(), 16);
        QCOMPARE(journal.changed(), 3LL); // without those of the group taken back
        journal.add({.slices = 8, .changed = 1, .offset = 4096});
        QCOMPARE(summaryOf(path).slices, 24);
        QCOMPARE(journal.changed(), 4LL);
        journal.setNaming();
        journal.remove();
        QVERIFY(namesIn(folder.path()).empty());
    }

    // If power fails while a line is written, the earlier lines count.
    void cutAnywhere()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "j";
        {
            VolumeJournal journal(path, identity);
            journal.add({.slices = 5, .changed = 1, .offset = 7});
            journal.add({.slices = 5, .changed = 1, .offset = 7});
        }
        const std::string whole = textIn(path);
        const std::size_t first = whole.find('\n') + 1, second = whole.find('\n', first) + 1;
        for (std::size_t bytes = 0; bytes <= whole.size(); ++bytes) {
            std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, bytes);
            {
                VolumeJournal journal(path, identity);
                QCOMPARE(journal.slices(), bytes == whole.size() ? 10 : bytes >= second ? 5 : 0);
                journal.add({.slices = 2, .offset = 7});
            }
            QCOMPARE(VolumeJournal(path, identity).slices(), bytes == whole.size() ? 12 : bytes >= second ? 7 : 2);
        }
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("word");
        const QString begin = R"({"format":"Sinoscope unfinished volume","of":{"scan":1,"setting":{"filter":"hann"}}})";
        QTest::newRow("another setting") << QString(begin).replace("hann", "cosine") + "\n"
                                         << R"(setting/filter was "cosine" and is "hann")";
        QTest::newRow("another scan") << QString(begin).replace("\"scan\":1", "\"scan\":2") + "\n"
                                      << "scan was 2 and is 1";
        QTest::newRow("more") << QString(begin).replace("\"scan\":1", "\"scan\":1,\"x\":5") + "\n"
                              << "x was 5 and is null";
        QTest::newRow("another file") << "{\"a\":1}\n"
                                      << "is not the journal";
        QTest::newRow("no JSON") << "hello\n"
                                 << "is not the journal";
        QTest::newRow("another file, without a line's end") << "hello"
                                                            << "is not the journal";
        QTest::newRow("no JSON behind the beginning") << QString(begin).left(60) + "\n"
                                                      << "damaged";
        QTest::newRow("negative") << begin + "\n{\"slices\":-5,\"changed\":0,\"offset\":0}\n"
                                  << "damaged";
        QTest::newRow("too many") << begin + "\n{\"slices\":1e30,\"changed\":0,\"offset\":0}\n"
                                  << "damaged";
        QTest::newRow("text") << begin + "\n{\"slices\":\"5\",\"changed\":0,\"offset\":0}\n"
                              << "damaged";
        QTest::newRow("a line in the middle") << begin + "\nxx\n{\"slices\":5,\"changed\":0,\"offset\":0}\n"
                                              << "damaged";
        QTest::newRow("checksums of other slices")
            << begin + "\n{\"slices\":2,\"changed\":0,\"offset\":0,\"sliceBytes\":1,\"sums\":[1]}\n"
            << "damaged";
        QTest::newRow("a checksum that is none")
            << begin + "\n{\"slices\":1,\"changed\":0,\"offset\":0,\"sliceBytes\":1,\"sums\":[-1]}\n"
            << "damaged";
    }
    void refuses()
    {
        QFETCH(QString, text);
        QFETCH(QString, word);
        const TemporaryFolder folder;
        std::ofstream(folder / "j") << text.toStdString();
        const std::optional<Error> error = errorOf([&] { VolumeJournal(folder / "j", identity); });
        QVERIFY(error);
        QVERIFY2(contains(error->what(), word.toStdString()), error->what());
        QVERIFY2(contains(error->what(), "'" + (folder / "j").string() + "'"), error->what());
        QCOMPARE(textIn(folder / "j"), text.toStdString());
    }

    // A journal's path is written to only if it is a regular file that belongs to this user alone.
    void othersFiles_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"hard link", "symbolic link", "link to nothing", "pipe", "folder", "another user's"})
            QTest::newRow(kind) << QString(kind);
    }
    void othersFiles()
    {
        QFETCH(QString, kind);
        const TemporaryFolder folder;
        const fs::path path = folder / "j", other = folder / "other";
        const std::string text =
            R"({"format":"Sinoscope unfinished volume","of":{"scan":1,"setting":{"filter":"hann"}}})"
            "\n";
        std::ofstream(other) << text;
        if (kind == "hard link")
            fs::create_hard_link(other, path);
        else if (kind == "symbolic link")
            fs::create_symlink(other, path);
        else if (kind == "link to nothing")
            fs::create_symlink(folder / "nothing", path);
        else if (kind == "pipe")
            QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
        else if (kind == "folder")
            fs::create_directory(path);
        else {
            fs::copy_file(other, path);
            if (::chown(path.c_str(), 12345, gid_t(-1)) != 0)
                QSKIP("only root can give files away");
        }
        QVERIFY(fails(ErrorKind::output, {"'" + path.string() + "' is not written to"},
                      [&] { VolumeJournal(path, identity); }));
        QCOMPARE(textIn(other), text);
        QVERIFY(!fs::exists(folder / "nothing"));
    }

    // A run without --resume locks a journal of any volume, and ignores files that are not journals.
    void leftByOthers()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "j";
        QVERIFY(!VolumeJournal::leftAt(path));
        QVERIFY(!fs::exists(path));
        std::ofstream(path) << "hello\n";
        QVERIFY(!VolumeJournal::leftAt(path));
        fs::remove(path);
        {
            VolumeJournal journal(path, R"({"slices":[3,7]})");
            journal.add({.slices = 2});
            QVERIFY(fails(ErrorKind::output, {"another program"}, [&] { VolumeJournal::leftAt(path); }));
        }
        const auto left = VolumeJournal::leftAt(path);
        QVERIFY(left);
        QCOMPARE(left->slices(), 2);
        QCOMPARE(left->of(), (RowRange{3, 7}));
        QCOMPARE(summaryOf(path).of, (RowRange{3, 7}));
        QVERIFY(fails(ErrorKind::output, {"another program"}, [&] { VolumeJournal(path, R"({"slices":[3,7]})"); }));
    }
};

SINOSCOPE_TEST(VolumeJournalTest, QCoreApplication)
#include "volume_journal_test.moc"

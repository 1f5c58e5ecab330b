// The record of what of a volume is complete: read again whatever it ended in, and refused where it is of something
// else.
#include "engine/io/volume_journal.h"
#include "tests/fixtures.h"

#include <QTest>

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
            journal.add(16, 3, 4096);
            journal.add(8, 0, 4096);
        }
        QCOMPARE(slicesKept(path), 24);
        VolumeJournal journal(path, identity);
        QCOMPARE(journal.slices(), 24);
        QCOMPARE(journal.changed(), 3LL);
        QCOMPARE(journal.offset(), 4096LL);
        QVERIFY(!journal.isNaming());
        journal.takeBackLast();
        QCOMPARE(journal.slices(), 16);
        journal.add(8, 1, 4096);
        QCOMPARE(slicesKept(path), 24);
        QCOMPARE(journal.changed(), 4LL);
        journal.setNaming();
        journal.remove();
        QVERIFY(namesIn(folder.path()).empty());
    }

    // Power fails while a line is written: those before it count.
    void cutAnywhere()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "j";
        {
            VolumeJournal journal(path, identity);
            journal.add(5, 1, 7);
            journal.add(5, 1, 7);
        }
        const std::string whole = textIn(path);
        const std::size_t first = whole.find('\n') + 1, second = whole.find('\n', first) + 1;
        for (std::size_t bytes = 0; bytes <= whole.size(); ++bytes) {
            std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, bytes);
            {
                VolumeJournal journal(path, identity);
                QCOMPARE(journal.slices(), bytes == whole.size() ? 10 : bytes >= second ? 5 : 0);
                journal.add(2, 0, 7);
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
                                      << "damaged";
        QTest::newRow("no JSON") << "hello\n"
                                 << "damaged";
        QTest::newRow("negative") << begin + "\n{\"slices\":-5,\"changed\":0,\"offset\":0}\n"
                                  << "damaged";
        QTest::newRow("too many") << begin + "\n{\"slices\":1e30,\"changed\":0,\"offset\":0}\n"
                                  << "number";
        QTest::newRow("text") << begin + "\n{\"slices\":\"5\",\"changed\":0,\"offset\":0}\n"
                              << "damaged";
        QTest::newRow("a line in the middle") << begin + "\nxx\n{\"slices\":5,\"changed\":0,\"offset\":0}\n"
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
        QCOMPARE(textIn(folder / "j"), text.toStdString());
    }
};

SINOSCOPE_TEST(VolumeJournalTest, QCoreApplication)
#include "volume_journal_test.moc"

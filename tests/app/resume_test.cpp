// SPDX-License-Identifier: GPL-3.0-or-later
// A killed run continues with --resume: the volume equals that of an uninterrupted run to the last bit, whatever
// happened in between. Runs without --resume store nothing and use nothing stored.
#include "engine/io/slices/stored_slices.h"
#include "tests/app/program.h"

#include <fstream>

using program::finished;
using program::Hold;
using program::Result;
namespace fs = std::filesystem;

namespace
{

constexpr int allSlices = 30; // in groups of 1, 2, 4, 16, 4, 2 and 1
const QStringList exact{"--method", "exact", "--filter", "hann"};

int linesOf(const fs::path& path)
{
    std::ifstream file(path);
    int lines = 0;
    for (std::string line; std::getline(file, line);)
        ++lines;
    return lines;
}

} // namespace

class ResumeTest : public QObject, private program::Folder
{
    Q_OBJECT

    // Returns a Hold after `groups` groups. A run creates its journal and writes the first line if there is no
    // journal yet, and then a line after each group.
    Hold atGroup(int groups, const QString& journal) const
    {
        const int lines = linesOf(path(journal));
        return Hold(journal, (lines > 0 ? 1 : 2) + groups - lines);
    }

    // Sends the signal when `groups` groups are complete, before the next one is.
    void killAt(int groups, const QStringList& arguments, const QString& journal, int signal = SIGKILL)
    {
        QProcess process;
        const Hold hold = atGroup(groups, journal);
        QVERIFY2(startHeld(process, arguments, hold), process.readAllStandardError());
        QCOMPARE(linesOf(path(journal)), 1 + groups);
        ::kill(pid_t(process.processId()), signal);
        const Result result = finished(process);
        QCOMPARE(result.status, signal == SIGKILL ? -1 : 130);
        if (signal != SIGKILL)
            QVERIFY2(result.err.contains("continues from there") || result.err.contains("the same command continues"),
                     result.err);
    }

    void sameSlices(const QString& a, const QString& b)
    {
        for (int k = 0; k < allSlices; ++k) {
            const auto one = engine::readSlice({path(a)}, k).image, other = engine::readSlice({path(b)}, k).image;
            QVERIFY(one.values.size() > 0 && one.values.size() == other.values.size());
            QVERIFY(std::memcmp(one.values.data(), other.values.data(), one.values.size() * sizeof(float)) == 0);
        }
    }

    QStringList asked(const QString& output) const
    {
        return QStringList{"reconstruct", "scan.h5", "-o", output, "--resume"} + exact;
    }

  private slots:
    void initTestCase()
    {
        QVERIFY(run({"phantom", "shepp-logan-3d", "--size", "96", "--projections", "120", "--slices",
                     QString::number(allSlices), "--axis-offset", "1.5", "--photons", "1e5", "-o", "scan.h5"})
                    .status == 0);
        QCOMPARE(run(QStringList{"reconstruct", "scan.h5", "-o", "whole.h5"} + exact).status, 0);
        QCOMPARE(run(QStringList{"reconstruct", "scan.h5", "-o", "whole/"} + exact).status, 0);
    }

    void killed()
    {
        killAt(1, asked("v.h5"), ".v.h5.resume");
        QVERIFY(!files().contains("v.h5"));
        QCOMPARE(files().filter("v.h5"), (QStringList{".v.h5.kept", ".v.h5.resume"}));
        for (const char* ending : {".kept", ".resume"}) // used by withoutItNothingIsLeft
            fs::copy(path(QStringLiteral(".v.h5") + ending), path(QStringLiteral(".left.h5") + ending));
        killAt(2, asked("v.h5"), ".v.h5.resume"); // a second time
        const Result result = run(asked("v.h5") + QStringList{"--json", "-"});
        QVERIFY2(result.status == 0, result.err);
        QVERIFY2(result.out.contains("slices were reconstructed by an interrupted run"), result.out);
        QCOMPARE(files().filter("v.h5"), QStringList{"v.h5"});
        sameSlices("v.h5", "whole.h5");

        // Run again: the complete volume stays, and another request is refused.
        const QByteArray before = contents("v.h5");
        const Result again = run(asked("v.h5"));
        QVERIFY2(again.status == 0 && again.out.contains("nothing was left to do"), again.err);
        QCOMPARE(contents("v.h5"), before);
        const Result other = run(asked("v.h5") + QStringList{"--cutoff", "0.5"});
        QVERIFY2(other.status == 2 && other.err.contains("exists already"), other.err);
        QVERIFY2(other.err.contains("remove it: a resumable run overwrites no file"), other.err);
        QVERIFY2(!other.err.contains("--overwrite"), other.err); // --overwrite does not resume
        QCOMPARE(contents("v.h5"), before);
    }

    void killedAmongTiffs()
    {
        killAt(2, asked("out/"), "out/.scan.resume");
        QVERIFY(files("out").filter(QRegularExpression("^scan_")).isEmpty());
        QVERIFY(files("out").contains(".scan_00000.tiff.kept"));
        fs::copy(path("out"), path("cut")); // used by changedMeanwhile
        const Result result = run(asked("out/"));
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(files("out"), files("whole"));
        for (const QString& name : files("out"))
            QCOMPARE(contents("out/" + name), contents("whole/" + name));
    }

    void interrupted()
    {
        killAt(1, asked("i.h5"), ".i.h5.resume", SIGINT);
        QCOMPARE(files().filter("i.h5"), (QStringList{".i.h5.kept", ".i.h5.resume"}));
        const QByteArray kept = contents(".i.h5.resume");

        // For another request or another scan none of the stored slices is used, and they stay.
        const Result other = run(QStringList{"reconstruct", "scan.h5", "-o", "i.h5", "--resume", "--filter", "cosine"});
        QCOMPARE(other.status, 2);
        QVERIFY2(other.err.contains("reconstructed differently: --filter was hann and is cosine. Repeat") ||
                     other.err.contains("reconstructed differently: --method was exact and is "),
                 other.err);
        QCOMPARE(contents(".i.h5.resume"), kept);
        const fs::file_time_type time = fs::last_write_time(path("scan.h5"));
        fs::last_write_time(path("scan.h5"), time + std::chrono::seconds(5));
        const Result changed = run(asked("i.h5"));
        QCOMPARE(changed.status, 2);
        QVERIFY2(changed.err.count("the files of the scan have other names, sizes or times") == 1, changed.err);
        const Result fewer = run(asked("i.h5") + QStringList{"--slices", "0:20"});
        QVERIFY2(fewer.status == 2, fewer.err);
        fs::last_write_time(path("scan.h5"), time);
        QCOMPARE(contents(".i.h5.resume"), kept);

        // A run without --resume reports the stored slices, reconstructs all slices again, and removes the stored
        // ones when it is done.
        const Result anew = run(QStringList{"reconstruct", "scan.h5", "-o", "i.h5"} + exact);
        QVERIFY2(anew.status == 0, anew.err);
        QVERIFY2(anew.err.contains("--resume continues them"), anew.err);
        QCOMPARE(files().filter("i.h5"), QStringList{"i.h5"});
        sameSlices("i.h5", "whole.h5");
    }

    // Killed after all slices were written, while files were being renamed.
    void killedAmongNames_data()
    {
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("hidden"); // folder of the journal
        QTest::newRow("file") << "n.h5"
                              << "";
        QTest::newRow("folder") << "n/"
                                << "n/";
    }
    void killedAmongNames()
    {
        QFETCH(const QString, output);
        QFETCH(const QString, hidden);
        const bool isFile = hidden.isEmpty();
        const QString journal = hidden + (isFile ? ".n.h5.resume" : ".scan.resume");
        killAt(1, asked(output), journal);
        const QByteArray identity = contents(journal).split('\n').first();
        QCOMPARE(run(asked(output)).status, 0);
        const QStringList whole = isFile ? QStringList{"n.h5"} : files("n");
        for (int k = 0; k < whole.size(); k += 2) // every other file of a folder
            fs::rename(path(hidden + whole[k]), path(hidden + '.' + whole[k] + ".kept"));
        QFile left(file(journal));
        QVERIFY(left.open(QIODevice::WriteOnly));
        left.write(identity + "\n{\"slices\": 30, \"changed\": 0, \"offset\": 2048}\n{\"naming\": true}\n");
        left.close();
        const Result result = run(asked(output));
        QVERIFY2(result.status == 0, result.err);
        QVERIFY2(result.out.contains("was already computed; its files are now renamed"), result.out);
        sameSlices(output, isFile ? "whole.h5" : "whole/");
        QCOMPARE(isFile ? files().filter(QRegularExpression("^\\.?n\\.h5")) : files("n"), whole);
        const Result again = run(asked(output));
        QVERIFY2(again.status == 0 && again.out.contains("nothing was left to do"), again.err);
    }

    // A stored slice that was truncated is reconstructed again.
    void changedMeanwhile()
    {
        QVERIFY(files("cut").contains(".scan.resume"));
        fs::resize_file(path("cut/.scan_00001.tiff.kept"), 100);
        const Result result = run(asked("cut/"));
        QVERIFY2(result.status == 0, result.err);
        QVERIFY2(result.err.contains("'cut/.scan_00001.tiff.kept' has changed since slice 1 was stored in it"),
                 result.err);
        QCOMPARE(files("cut"), files("whole"));
        for (const QString& name : files("cut"))
            QCOMPARE(contents("cut/" + name), contents("whole/" + name));
    }

    // Without --resume an interruption leaves no files, and files stored by another run are neither used nor removed.
    void withoutItNothingIsLeft()
    {
        QCOMPARE(files().filter("left.h5"), (QStringList{".left.h5.kept", ".left.h5.resume"}));
        QProcess process;
        const Hold hold(".part", 2); // the file is created, then its first group is written
        QVERIFY(startHeld(process, QStringList{"reconstruct", "scan.h5", "-o", "left.h5"} + exact, hold));
        QCOMPARE(files().filter(QRegularExpression("^\\.left\\.h5\\..*part$")).size(), 1);
        ::kill(pid_t(process.processId()), SIGINT);
        QCOMPARE(finished(process).status, 130);
        QCOMPARE(files().filter("left.h5"), (QStringList{".left.h5.kept", ".left.h5.resume"}));
    }

    void twoAtOnce()
    {
        QProcess process;
        const Hold hold = atGroup(1, ".two.h5.resume");
        QVERIFY(startHeld(process, asked("two.h5"), hold));
        const Result result = run(asked("two.h5"));
        ::kill(pid_t(process.processId()), SIGKILL);
        QCOMPARE(finished(process).status, -1);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("another program"), result.err);
    }

    void whereItCantBe_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("one slice") << QStringList{"-o", "x.tif"} << QByteArray("one slice");
        QTest::newRow("compressed") << QStringList{"-o", "x.h5", "--compression", "deflate"}
                                    << QByteArray("compressed");
        QTest::newRow("replacing") << QStringList{"-o", "x.h5", "--overwrite"} << QByteArray("--overwrite");
        QTest::newRow("there") << QStringList{"-o", "whole.h5"} << QByteArray("exists already");
        QTest::newRow("nowhere") << QStringList{"-o", "nowhere/x.h5"}
                                 << QByteArray("There is no folder 'nowhere' for 'nowhere/x.h5', so there is nothing "
                                               "to resume");
    }
    void whereItCantBe()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const QByteArray, word);
        const QStringList before = files();
        const Result result = run(QStringList{"reconstruct", "scan.h5", "--resume"} + arguments);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains(word), result.err);
        QCOMPARE(files().filter("x."), QStringList());
    }

    // Scaled whole numbers, and compressed TIFFs.
    void otherNumbers()
    {
        const QStringList stored{"--output-type", "uint16", "--compression", "deflate"};
        killAt(1, asked("u/") + stored, "u/.scan.resume");
        QVERIFY(run(asked("u/") + stored).status == 0);
        QCOMPARE(run(QStringList{"reconstruct", "scan.h5", "-o", "uw/"} + exact + stored).status, 0);
        for (const QString& name : files("uw"))
            QCOMPARE(contents("u/" + name), contents("uw/" + name));
    }
};

SINOSCOPE_TEST(ResumeTest, QCoreApplication)
#include "resume_test.moc"

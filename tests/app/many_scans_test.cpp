// SPDX-License-Identifier: GPL-3.0-or-later
// Several scans in one command: each result is named after its scan, and one that fails doesn't stop the rest.
#include "tests/app/program.h"

#include <QSet>

using program::finished;
using program::Result;

class ManyScansTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        int size = 64;
        for (const QString name : {"a", "b", "c"}) {
            QCOMPARE(run({"phantom", "shepp-logan-3d", "--size", QString::number(size += 8), "--projections", "90",
                          "--slices", "3", "-o", name + ".h5"})
                         .status,
                     0);
            QDir(folder()).mkdir(name);
        }
        QVERIFY(QFile::copy(file("b.h5"), file("b/a.h5")));
        QFile bad(file("bad.h5"));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write("no scan");
        QDir(folder()).mkdir("out");
        QVERIFY(run({"reconstruct", "a.h5", "--filter", "hann", "--save-recipe", "r.json"}).status == 0);
    }

    void eachByItself()
    {
        const Result result = run({"reconstruct", "a.h5", "bad.h5", "nowhere.h5", "c.h5", "--recipe", "r.json", "-o",
                                   "out/{scan}.tif", "--slice", "1"});
        QCOMPARE(result.status, 2);
        QCOMPARE(files("out"), (QStringList{"a.tif", "c.tif"}));
        for (const QString name : {"a", "c"}) {
            QVERIFY(
                run({"reconstruct", name + ".h5", "--filter", "hann", "--slice", "1", "-o", name + ".tif"}).status ==
                0);
            QCOMPARE(contents("out/" + name + ".tif"), contents(name + ".tif"));
        }
        QVERIFY2(result.out.contains("1 of 4: a.h5") && result.out.contains("4 of 4: c.h5"), result.out);
        const QByteArray table = result.out.mid(result.out.indexOf("\nscan"));
        QVERIFY2(table.contains("out/a.tif") && table.contains("out/c.tif") && !table.contains("out/bad.tif"), table);
        QVERIFY2(table.contains("bad.h5") && table.contains("nowhere.h5") && table.contains("HDF5"), table);

        // Existing outputs are not overwritten; the error is reported for each scan.
        const QByteArray before = contents("out/a.tif");
        const Result again = run({"reconstruct", "a.h5", "c.h5", "-o", "out/{scan}.tif", "--json", "-"});
        QCOMPARE(again.status, 2);
        QCOMPARE(contents("out/a.tif"), before);
        const QJsonArray all = again.json()["results"].toArray();
        QCOMPARE(all.size(), 2);
        for (const auto& one : all)
            QVERIFY(!one.toObject()["done"].toBool() && one.toObject()["error"].toString().contains("exists already"));
    }

    // An error that several scans share is printed once, with their names and the remedy.
    void sameFailureOnce()
    {
        QVERIFY(run({"reconstruct", "a.h5", "b.h5", "c.h5", "-o", "twice/", "--slice", "1"}).status == 0);
        const Result result = run({"reconstruct", "a.h5", "bad.h5", "b.h5", "c.h5", "-o", "twice/", "--slice", "1"});
        QCOMPARE(result.status, 2);
        const QByteArray table = result.out.mid(result.out.indexOf("\nscan"));
        QCOMPARE(table.count("exists already"), 1);
        QVERIFY2(table.contains("1: a.h5, b.h5, c.h5: '…' exists already") && table.contains("(--overwrite)"), table);
        QVERIFY2(table.contains("2: bad.h5: ") && table.count("failed, see 1") == 3, table);
        const QByteArray before = result.out.left(result.out.indexOf("\nscan"));
        QVERIFY2(before.contains("'twice/a/a_00001.tiff' exists already") && before.count("exists already") == 1 &&
                     before.count("failed as a.h5 did") == 2,
                 before);
    }

    // A line that starts with the name of a scan does not repeat it in the message.
    void namesOnce()
    {
        for (const char* name : {"cut1.h5", "cut2.h5"}) {
            QFile cut(file(name));
            QVERIFY(cut.open(QIODevice::WriteOnly));
            cut.write(contents("a.h5").left(3000));
        }
        const Result one = run({"reconstruct", "cut1.h5", "c.h5", "-o", "cuts/", "--slice", "1"});
        QCOMPARE(one.status, 2);
        QVERIFY2(one.out.contains("  it is incomplete: 3000 of ") &&
                     one.out.contains("\n1: cut1.h5: it is incomplete") && !one.out.contains("'cut1.h5'"),
                 one.out);
        const Result both = run({"reconstruct", "cut1.h5", "cut2.h5", "-o", "cuts/", "--slice", "1"});
        QVERIFY2(both.out.contains("\n1: cut1.h5, cut2.h5: it is incomplete") && !both.out.contains("'"), both.out);
        QFile::remove(file("cut1.h5"));
        QFile::remove(file("cut2.h5"));
    }

    // Doubtful results are written; with --strict the exit status tells them from others.
    void strict()
    {
        QByteArray counts;
        for (int k = 0; k < 40 * 4 * 32; ++k) {
            const auto count = std::uint16_t(k / 128 >= 30 ? 0 : k % 32 > 8 && k % 32 < 20 ? 300 : 900);
            counts.append(reinterpret_cast<const char*>(&count), sizeof count);
        }
        for (const char* name : {"dim1.raw", "dim2.raw"}) {
            QFile raw(file(name));
            QVERIFY(raw.open(QIODevice::WriteOnly));
            raw.write(counts);
        }
        const QStringList layout{"--raw",    "40x4x32", "--type",  "uint16", "--values",   "transmission",
                                 "--angles", "0:180",   "--slice", "1",      "--overwrite"};
        const QStringList one = QStringList{"reconstruct", "dim1.raw", "-o", "dim.tif"} + layout;
        QCOMPARE(run(one).status, 0);
        QFile::remove(file("dim.tif"));
        const Result strict = run(one + QStringList{"--strict"});
        QCOMPARE(strict.status, 3);
        QVERIFY2(strict.err.contains("warning: dim1.raw: 10 of 40 projections are empty"), strict.err);
        QVERIFY(QFile::exists(file("dim.tif")));
        const Result both = run(QStringList{"reconstruct", "dim1.raw", "dim2.raw", "-o", "dim/", "--strict"} + layout);
        QCOMPARE(both.status, 3);
        QVERIFY2(both.out.count("done, doubtful") == 4, both.out); // a line and a row of the table for each
        QStringList again = QStringList{"reconstruct", "dim1.raw", "dim2.raw", "-o", "dim/", "--strict", "--resume"} +
                            layout; // volumes that are there stay doubtful
        again.removeAll("--overwrite");
        const Result present = run(again);
        QCOMPARE(present.status, 3);
        QVERIFY2(present.out.contains("existed already, doubtful"), present.out);
        QVERIFY2(present.err.contains("10 of 40 projections are empty"), present.err);
        QCOMPARE(run({"reconstruct", "a.h5", "-o", "strict.tif", "--strict"}).status, 0);
        for (const char* name : {"dim1.raw", "dim2.raw"})
            QFile::remove(file(name));
    }

    // A plan for each scan, and for all together; nothing is written.
    void planned()
    {
        const QStringList all{"reconstruct", "a.h5", "c.h5", "-o", "later-on/", "--plan"};
        const Result result = run(all);
        QVERIFY2(result.status == 0, result.err);
        QVERIFY2(result.out.contains("1 of 2: a.h5\n") && result.out.contains("2 of 2: c.h5\n"), result.out);
        QCOMPARE(result.out.count("\nmemory "), 2);
        // 72² and 88² floats of three slices
        QVERIFY2(result.out.contains("together  2 scans, 155 kB to write, about ") &&
                     result.out.endsWith("possible  yes\n"),
                 result.out);
        QVERIFY(!QDir(folder()).exists("later-on"));
        const Result some = run(all + QStringList{"bad.h5"});
        QCOMPARE(some.status, 2);
        QVERIFY2(some.out.contains("not possible: ") && some.out.endsWith("possible  no, 1 of them impossible\n"),
                 some.out);
    }

    // A missing output folder is reported once, and before any work.
    void folderThatIsNotThere()
    {
        const Result result = run({"reconstruct", "a.h5", "c.h5", "-o", "none/{scan}.tif", "--slice", "1"});
        QVERIFY(result.status != 0);
        QCOMPARE(result.err.count("There is no folder 'none'"), 1);
        QVERIFY2(!result.out.contains("1 of 2"), result.out);
        QVERIFY(!QDir(folder()).exists("none"));
    }

    void foldersOfTiffs()
    {
        const Result result = run({"reconstruct", "a.h5", "c.h5", "-o", "stacks/", "--json", "-"});
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(files("stacks"), (QStringList{"a", "c"}));
        QCOMPARE(files("stacks/c"), (QStringList{"c_00000.tiff", "c_00001.tiff", "c_00002.tiff"}));
        const QJsonObject first = result.json()["results"].toArray().first().toObject();
        QVERIFY(first["done"].toBool());
        QCOMPARE(first["report"].toObject()["size"].toInt(), 72);
    }

    // A list of scans after an interruption: completed results stay if they were made with the same request.
    void goneOnWith()
    {
        const QStringList all{"reconstruct", "a.h5", "b.h5", "c.h5", "-o", "later/", "--resume"};
        QVERIFY(run({"reconstruct", "a.h5", "-o", "later/a/"}).status == 0);
        QVERIFY(run({"reconstruct", "c.h5", "-o", "later/c/", "--filter", "hann"}).status == 0);
        const Result result = run(all);
        QCOMPARE(result.status, 2);
        const QByteArray table = result.out.mid(result.out.indexOf("\nscan"));
        QVERIFY2(table.count("existed already") == 1 && table.count("done") == 1, table);
        QVERIFY2(table.contains("c_00000.tiff' exists already"), table);
        QCOMPARE(files("later/b").size(), 3);
        QVERIFY(QFile::remove(file("later/a/a_00001.tiff"))); // no longer complete
        QVERIFY(run(all).out.contains("a_00000.tiff' exists already"));
    }

    void placesThatAreOne_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("one file") << QStringList{"a.h5", "b.h5", "-o", "v.h5"} << QByteArray("{scan}.h5");
        QTest::newRow("two of a name") << QStringList{"a.h5", "b/a.h5", "-o", "v/"} << QByteArray("'b/a.h5'");
        QTest::newRow("twice") << QStringList{"a.h5", "a.h5", "-o", "v/"} << QByteArray("both be written to");
        QTest::newRow("a recipe of all") << QStringList{"a.h5", "b.h5", "-o", "v/", "--save-recipe", "all.json"}
                                         << QByteArray("one scan");
    }
    void placesThatAreOne()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const QByteArray, word);
        const QStringList before = files();
        const Result result = run(QStringList{"reconstruct"} + arguments);
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains(word), result.err);
        QCOMPARE(files(), before);
    }

    // No scan is overwritten by the result of another scan.
    void scansStay()
    {
        const QByteArray before = contents("a.h5");
        QCOMPARE(run({"reconstruct", "a.h5", "c.h5", "-o", "{scan}.h5", "--overwrite"}).status, 2);
        QCOMPARE(contents("a.h5"), before);
    }

    void interrupted()
    {
        QVERIFY(
            run({"phantom", "shepp-logan-3d", "--size", "32", "--projections", "40", "--slices", "30", "-o", "long.h5"})
                .status == 0);
        QProcess process;
        const program::Hold hold(".long_00000.tiff.", 2); // the file is created, then written; more groups follow
        QVERIFY(startHeld(process, {"reconstruct", "a.h5", "long.h5", "c.h5", "-o", "some/{scan}"}, hold));
        QCOMPARE(files("some"), (QStringList{"a", "long"}));
        ::kill(pid_t(process.processId()), SIGINT);
        const Result result = finished(process);
        QCOMPARE(result.status, 130);
        QCOMPARE(files("some"), QStringList{"a"});
        QCOMPARE(files("some/a").size(), 3);
        QVERIFY2(result.out.contains("1 of 3: a.h5"), result.out);
    }
};

SINOSCOPE_TEST(ManyScansTest, QCoreApplication)
#include "many_scans_test.moc"

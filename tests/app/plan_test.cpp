// SPDX-License-Identifier: GPL-3.0-or-later
// Plans: what a volume needs, whether it is possible, and the reason if not.
#include "tests/app/program.h"

using program::Result;

class PlanTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase() { QVERIFY(makeHead().status == 0); }

    void possible()
    {
        const Result reported = run({"reconstruct", "head.h5", "-o", "v.h5", "--plan", "--json", "-"});
        QVERIFY2(reported.status == 2 && reported.err.contains("leave out --json"), reported.err.constData());
        const Result result = run({"reconstruct", "head.h5", "-o", "v.h5", "--plan"});
        QVERIFY2(result.status == 0, result.err);
        for (const char* line : {"\ndisk ", "\nmemory ", "\ntime ", "\npossible  yes", "184 kB"})
            QVERIFY2(result.out.contains(line), result.out);
        QCOMPARE(files(), (QStringList{"head.h5", "head.tif"})); // nothing was written
    }

    void notPossible_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("word");
        QTest::addColumn<int>("status"); // of the plan and of the run; 1: beyond the machine's limits
        QTest::newRow("memory") << QStringList{"-o", "v.h5", "--memory-limit", "10M"}
                                << QByteArray("memory limit is 10 MB; raise it to 1") << 2;
        QTest::newRow("too little memory") << QStringList{"-o", "v.h5", "--memory-limit", "169M", "--size", "2000"}
                                           << QByteArray("memory limit is 169 MB; raise it to 1") << 1;
        QTest::newRow("there") << QStringList{"-o", "head.tif"} << QByteArray("exists already") << 2;
        QTest::newRow("folder") << QStringList{"-o", "nowhere/v.h5"} << QByteArray("missing") << 2;
        QTest::newRow("no file system for files")
            << QStringList{"-o", "/proc/x.h5"} << QByteArray("can't hold files") << 2;
        QTest::newRow("in a file") << QStringList{"-o", "head.tif/v.h5"} << QByteArray("not a folder") << 2;
    }
    void notPossible()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const QByteArray, word);
        const Result result = run(QStringList{"reconstruct", "head.h5", "--plan"} + arguments);
        QFETCH(const int, status);
        QCOMPARE(result.status, status);
        QVERIFY2(result.out.contains("not possible: ") && result.out.contains(word), result.out);
        const Result made = run(QStringList{"reconstruct", "head.h5"} + arguments);
        QCOMPARE(made.status, status);
        QCOMPARE(files(), (QStringList{"head.h5", "head.tif"}));
    }

    // A volume larger than any disk, from a sparse file: refused immediately, before anything is read.
    void noRoom()
    {
        QFile raw(file("large.raw"));
        QVERIFY(raw.open(QIODevice::WriteOnly));
        QVERIFY(raw.resize(qint64(2) * 2000 * 40000));
        const QStringList large{"reconstruct", "large.raw", "--raw",          "2x2000x20000", "--type",
                                "uint16",      "--values",  "line-integrals", "--size",       "40000",
                                "--axis",      "middle",    "--memory-limit", "60G",          "-o"};
        const Result result = run(large + QStringList{"large.h5"});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("12.8 TB, and its disk has"), result.err);
        const Result resuming = run(large + QStringList{"large.h5", "--resume"}); // leaves no journal
        QCOMPARE(resuming.status, 2);
        // The free space is that of the moment.
        QVERIFY2(resuming.err.contains("12.8 TB, and its disk has"), resuming.err);
        QVERIFY(QFile::remove(file("large.raw")));
        QCOMPARE(files(), (QStringList{"head.h5", "head.tif"}));
    }
};

SINOSCOPE_TEST(PlanTest, QCoreApplication)
#include "plan_test.moc"

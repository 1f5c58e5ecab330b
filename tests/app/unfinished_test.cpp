// SPDX-License-Identifier: GPL-3.0-or-later
// Temporary files of killed programs: the next run with the same output removes them. Those of programs that may
// still be running stay.
#include "tests/app/program.h"

#include <fstream>

using program::finished;
using program::Hold;
using program::Result;

class UnfinishedTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase() { QVERIFY(makeHead().status == 0); }

    void afterKilling_data()
    {
        QTest::addColumn<QString>("output");
        QTest::newRow("one file") << "killed.h5";
        QTest::newRow("an image") << "killed.tif";
        QTest::newRow("a folder") << "killed";
    }

    void afterKilling()
    {
        QFETCH(const QString, output);
        const QString where = output == "killed" ? "killed" : "";
        if (where == "killed")
            QVERIFY(QDir(folder()).mkdir("killed"));
        const QStringList before = files(where);
        const QStringList rest = output == "killed.tif" ? QStringList{"--slice", "0"} : QStringList{};
        const QStringList arguments = QStringList{"reconstruct", "head.h5", "-o", output} + rest;
        const QString file = where.isEmpty() ? "." + output + "." : ".head_00000.tiff.";
        const Hold firstHold(file, 2), secondHold(file, 2); // the file is created, then written
        QProcess first, second;
        for (const auto& [process, hold] : {std::pair{&first, &firstHold}, std::pair{&second, &secondHold}}) {
            const QStringList there = files(where);
            QVERIFY2(startHeld(*process, arguments, *hold), process->readAllStandardError());
            QCOMPARE(files(where).size(), there.size() + (where == "killed" ? 5 : 1));
        }
        const QStringList both = files(where);
        first.kill();
        QVERIFY(first.waitForFinished());
        QCOMPARE(files(where), both);

        // The second program still runs: the first one's temporary files are removed, the second one's stay.
        const Result made = run(arguments + QStringList{"--overwrite"});
        QVERIFY2(made.status == 0, made.err.constData());
        QVERIFY2(!made.err.contains("stopped early"), made.err.constData());
        const QString number = "." + QString::number(second.processId()) + "-";
        const QStringList parts = files(where).filter(".part");
        QVERIFY(!parts.isEmpty());
        QCOMPARE(parts.filter(number).size(), parts.size());
        second.kill();
        QVERIFY(second.waitForFinished());
        QCOMPARE(run(arguments + QStringList{"--overwrite"}).status, 0);
        QVERIFY(files(where).filter(".part").isEmpty());
    }

    // A resumable run removes them, too.
    void removedWithResume_data()
    {
        QTest::addColumn<QString>("output");
        QTest::newRow("one file") << "resumed.h5";
        QTest::newRow("a folder") << "resumed";
    }

    void removedWithResume()
    {
        QFETCH(const QString, output);
        const bool isFolder = output == "resumed";
        const QStringList arguments{"reconstruct", "head.h5", "-o", output};
        const Hold hold(isFolder ? ".head_00000.tiff." : ".resumed.h5.", 2);
        QProcess process;
        QVERIFY2(startHeld(process, arguments, hold), process.readAllStandardError());
        process.kill();
        QVERIFY(process.waitForFinished());
        const QString where = isFolder ? output : QString();
        QVERIFY(!files(where).filter(".part").isEmpty());
        const Result made = run(arguments + QStringList{"--resume"});
        QVERIFY2(made.status == 0, made.err.constData());
        QVERIFY(files(where).filter(".part").isEmpty());
    }

    // Temporary files of other computers, from before the last boot, of older versions, and similar names: all of
    // them stay.
    void whatCantBeKnown()
    {
        const QStringList others = {".a.tif.1-1-0badc0de-0.part", ".a.tif.4242-0.part", ".a.tif.x.part"};
        for (const QString& name : others)
            std::ofstream(path(name)) << "another's";
        std::ofstream(path(".b.tif.1-1-0badc0de-0.part")) << "another's"; // another output
        const Result made = run({"reconstruct", "head.h5", "-o", "a.tif", "--slice", "0"});
        QCOMPARE(made.status, 0);
        QVERIFY2(made.err.contains(".part' and 2 more are left by a program that was stopped early"),
                 made.err.constData());
        for (const QString& name : others)
            QCOMPARE(contents(name), QByteArray("another's"));
        QVERIFY(!made.err.contains("b.tif"));
    }

    // A process id that another process has been given since.
    void numbersComeAgain()
    {
        QProcess process;
        const Hold hold(".again.tif.");
        QVERIFY(startHeld(process, {"reconstruct", "head.h5", "-o", "again.tif", "--slice", "0"}, hold));
        QCOMPARE(files().filter(".again.tif").size(), 1);
        const QString there = files().filter(".again.tif").front();
        QStringList parts = there.split('-');
        QCOMPARE(parts.size(), 4); // .again.tif.NUMBER-BEGINNING-COMPUTER-ATTEMPT.part
        parts[1] = QString::number(parts[1].toLongLong() - 1);
        std::ofstream(path(parts.join('-'))) << "of a process of that number that began earlier";
        std::ofstream(path(parts.join('-').replace(".tif.", ".tif.seen."))) << "of several that wrote together";
        QCOMPARE(run({"reconstruct", "head.h5", "-o", "again.tif", "--slice", "0"}).status, 0);
        QCOMPARE(files().filter(".again.tif"), QStringList{there});
        process.kill();
        process.waitForFinished();
    }
};

SINOSCOPE_TEST(UnfinishedTest, QCoreApplication)
#include "unfinished_test.moc"

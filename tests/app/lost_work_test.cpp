// SPDX-License-Identifier: GPL-3.0-or-later
// No work is lost: completed slices stored by an interrupted or a running program stay. An output never replaces a file
// that the same command reads, however the path of the output is spelled.
#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/volume_journal.h"
#include "tests/app/program.h"

#include <fstream>
#include <map>

using program::Result;
namespace fs = std::filesystem;

class LostWorkTest : public QObject, private program::Folder
{
    Q_OBJECT

    // Starts writing the first 8 slices of the scan, resumable after an interruption.
    std::unique_ptr<engine::SliceWriter> firstSlices(const QString& output) const
    {
        return std::make_unique<engine::SliceWriter>(path(output), "scan", engine::RowRange{0, 8}, false,
                                                     engine::ProtectedInputs(), engine::OutputFormat(),
                                                     engine::DescribeSlice(), R"({"slices":[0,8]})");
    }

    void keepThree(const QString& output) const
    {
        engine::Reconstruction made;
        made.image = engine::Volume(3, 6, 6);
        firstSlices(output)->write(made);
    }

    std::map<QString, QByteArray> hidden(const QString& folder) const
    {
        std::map<QString, QByteArray> all;
        for (const QString& name : files(folder))
            if (name.startsWith('.'))
                all[name] = contents(folder + '/' + name);
        return all;
    }

    Result reconstruct(const QString& output, const QString& slices) const
    {
        return run({"reconstruct", "scan.h5", "--method", "exact", "-o", output, "--slices", slices});
    }

  private slots:
    void initTestCase()
    {
        QCOMPARE(
            run({"phantom", "shepp-logan-3d", "--size", "32", "--projections", "40", "--slices", "12", "-o", "scan.h5"})
                .status,
            0);
    }

    // A running program locks its journal.
    void aProgramThatRuns_data()
    {
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("journal");
        QTest::newRow("folder") << "a/f"
                                << "a/f/.scan.resume";
        QTest::newRow("file") << "a/v.h5"
                              << "a/.v.h5.resume";
    }
    void aProgramThatRuns()
    {
        QFETCH(const QString, output);
        QFETCH(const QString, journal);
        QVERIFY(QDir(folder()).mkpath("a"));
        keepThree(output);
        const QString in = QFileInfo(journal).path();
        const auto before = hidden(in);
        const QStringList names = files(in);
        {
            const auto running = engine::VolumeJournal::leftAt(path(journal));
            QVERIFY(running);
            for (const char* slices : {"9:11", ":8", "2:10"})
                for (const QStringList& more : {QStringList{}, {"--overwrite"}, {"--resume"}}) {
                    const Result result = run(
                        QStringList{"reconstruct", "scan.h5", "--method", "exact", "-o", output, "--slices", slices} +
                        more);
                    QCOMPARE(result.status, 2);
                    QVERIFY2(result.err.contains("another program is writing this output"), result.err);
                    QCOMPARE(files(in), names);
                    QVERIFY(hidden(in) == before);
                }
        }
        QCOMPARE(firstSlices(output)->done(), 3);
    }

    // Stored slices of another part of the volume stay, and a run with --resume continues with them.
    void otherSlices()
    {
        keepThree("f");
        const auto before = hidden("f");
        const Result others = reconstruct("f", "9:11");
        QVERIFY2(others.status == 0, others.err);
        QVERIFY2(others.err.contains("3 slices of an interrupted run are kept") &&
                     others.err.contains("belong to another part of the volume, and stay"),
                 others.err);
        QVERIFY(hidden("f") == before);
        QCOMPARE(firstSlices("f")->done(), 3);
        const Result all = run({"reconstruct", "scan.h5", "-o", "f", "--overwrite"});
        QVERIFY2(all.status == 0, all.err);
        QVERIFY(hidden("f").empty());
    }

    void noJournal()
    {
        QVERIFY(QDir(folder()).mkpath("g"));
        std::ofstream(path("g/.scan.resume")) << "my notes";
        QCOMPARE(reconstruct("g", "11:12").status, 0);
        const Result resumed = run({"reconstruct", "scan.h5", "-o", "g", "--slices", "8:9", "--resume"});
        QCOMPARE(resumed.status, 2);
        QVERIFY2(resumed.err.contains("'g/.scan.resume' is not the journal"), resumed.err);
        QCOMPARE(contents("g/.scan.resume"), QByteArray("my notes"));
    }

    void whatIsRead_data()
    {
        QTest::addColumn<QStringList>("command"); // IN: the input file; OUT: another spelling of its path
        QTest::addColumn<QString>("file");
        const auto row = [](const char* name, const char* file, const char* words) {
            QTest::newRow(name) << QString(words).split(' ') << QString(file);
        };
        row("settings, report", "report.json", "reconstruct scan.h5 -o x.tif --settings IN --json OUT");
        row("settings, recipe", "report.json", "reconstruct scan.h5 -o x.tif --settings IN --save-recipe OUT");
        row("settings, of several", "report.json", "reconstruct scan.h5 other.h5 -o x/ --settings IN --json OUT");
        row("recipe, report", "recipe.json", "reconstruct scan.h5 -o x.tif --recipe IN --json OUT");
        row("recipe, recipe", "recipe.json", "reconstruct scan.h5 -o x.tif --recipe IN --save-recipe OUT");
        row("recipe, of several", "recipe.json", "reconstruct scan.h5 other.h5 -o x/ --recipe IN --json OUT");
        row("geometry, report", "geometry.json", "info cone.h5 --geometry IN --json OUT");
        row("geometry, of several", "geometry.json",
            "reconstruct cone.h5 other.h5 -o x/ --geometry IN --json OUT --slices 0:1");
        row("geometry, recipe", "geometry.json", "reconstruct cone.h5 -o x.tif --geometry IN --save-recipe OUT");
        row("session, report", "session.sinoscope", "compare-settings IN --json OUT");
        row("rates, report", "rates.json", "model --rates IN --json OUT");
        row("images, report", "image.tif", "compare IN image.tif --json OUT");
        row("another scan", "other.h5", "reconstruct scan.h5 IN -o x/{scan}.h5");
    }
    void whatIsRead()
    {
        QFETCH(const QStringList, command);
        QFETCH(const QString, file);
        makeInputs();
        const QByteArray before = contents(file);
        for (const auto& [how, spelling] : spellingsOf(file)) {
            QStringList arguments = command;
            arguments.replaceInStrings(QRegularExpression("^IN$"), file);
            arguments.replaceInStrings(QRegularExpression("^OUT$"), spelling);
            if (!command.contains("OUT")) { // make IN the same file as the first scan's output
                QVERIFY(QDir(folder()).mkpath("x"));
                fs::remove(path("x/scan.h5"));
                fs::create_hard_link(path(file), path("x/scan.h5"));
            }
            const Result result = run(arguments + QStringList{"--overwrite"});
            QVERIFY2(result.status == 2, qPrintable(how + ": " + QString(result.err) + QString(result.out)));
            QVERIFY2(result.err.contains(" too;") || result.err.contains("is read as") ||
                         result.err.contains("is read from") || result.err.contains("not such a report") ||
                         result.out.contains("is read as"),
                     qPrintable(how + ": " + QString(result.err)));
            QCOMPARE(contents(file), before);
            QVERIFY(fs::exists(path(file)));
        }
    }

  private:
    void makeInputs()
    {
        if (files().contains("report.json"))
            return;
        const auto works = [&](const char* words) {
            const Result result = run(QString(words).split(' '));
            QVERIFY2(result.status == 0, result.err);
        };
        fs::copy_file(path("scan.h5"), path("other.h5"));
        fs::create_directory(path("around"));
        works("reconstruct scan.h5 -o image.tif --json report.json --save-recipe recipe.json");
        works("phantom disc --size 16 --projections 20 --source-axis 100 --source-detector 200 --pixel 1 -o cone.h5");
        QFile geometry(this->file("geometry.json")), rates(this->file("rates.json"));
        QVERIFY(geometry.open(QIODevice::WriteOnly) && rates.open(QIODevice::WriteOnly));
        geometry.write(R"({"geometry": "cone", "sourceAxisMm": 100, "sourceDetectorMm": 200})");
        rates.write(R"({"rates": {}})");
        std::ofstream(path("session.sinoscope"))
            << R"({"format": "Sinoscope session", "version": 2, "scan": {"path": "scan.h5"}})";
    }

    std::map<QString, QString> spellingsOf(const QString& name)
    {
        const QString link = "link." + QFileInfo(name).suffix(), hard = "hard." + QFileInfo(name).suffix();
        fs::remove(path(link));
        fs::remove(path(hard));
        fs::create_symlink(name.toStdString(), path(link));
        fs::create_hard_link(path(name), path(hard));
        return {{"itself", name},         {"relative", "./" + name}, {"around", "around/../" + name},
                {"absolute", file(name)}, {"symbolic link", link},   {"hard link", hard}};
    }
};

SINOSCOPE_TEST(LostWorkTest, QCoreApplication)
#include "lost_work_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The command `model`: its table, its files, and the rates that it reads.
#include "app/cli/model_text.h"
#include "tests/app/program.h"

using program::Result;

namespace
{

const QByteArray rates = R"({"rates": {"loading": "bands", "gpusPerNode": 8, "connectorsPerNode": 8,
    "gpuMemoryBytes": 140e9, "slicesPerPass": 16, "loadBytesPerSecond": 1e10, "filterSamplesPerSecond": 1e10,
    "allGatherBytesPerSecond": null, "hostToDeviceBytesPerSecond": 5e10, "deviceToHostBytesPerSecond": 5e10,
    "kernelUpdatesPerSecond": 1e12, "transposeBytesPerSecond": null, "reduceBytesPerSecond": 1e10,
    "storeBytesPerSecond": 2e10}})";

} // namespace

class ModelCommandTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        QFile written(file("here.json"));
        QVERIFY(written.open(QIODevice::WriteOnly) && written.write(rates) == rates.size());
    }

    void tableOfThePaper()
    {
        const Result result = run({"model"});
        QVERIFY2(result.status == 0 && result.err.isEmpty(), result.err.constData());
        int lines = 0;
        for (const QByteArray& line : result.out.split('\n')) {
            lines += line.startsWith("2048") || line.startsWith("128 ");
            if (line.startsWith("128 ")) // with the measured values beside
                QVERIFY2(line.contains("32 × 4") && line.contains("18.9") && line.contains(" 10.3 "), line.constData());
            if (line.startsWith("Table 5") && line.contains("back-projection") && line.contains(" 32 "))
                QVERIFY2(line.contains("54.8") && line.contains("0.95"), line.constData());
        }
        QVERIFY2(lines >= 3, result.out.constData()); // lines of the table and of the plot
        QVERIFY(result.out.contains("of iFDK") && result.out.contains("Seconds by ranks"));
        for (const QByteArray& line : run({"model", "--size", "8192"}).out.split('\n'))
            QVERIFY2(!line.endsWith(' '), line.constData());
    }

    void report()
    {
        const Result result = run({"model", "--size", "8192", "--ranks", "256..2048", "--json", "-"});
        QVERIFY2(result.status == 0, result.err.constData());
        const QJsonArray rows = result.json()["rows"].toArray();
        QCOMPARE(rows.size(), 4);
        QCOMPARE(rows[3]["ranks"].toInt(), 2048);
        QCOMPARE(rows[3]["rows"].toInt(), 256);
        QCOMPARE(rows[3]["columns"].toInt(), 8);
        const QJsonObject seconds = rows[3]["seconds"].toObject();
        QCOMPARE(seconds["total"].toDouble(), seconds["compute"].toDouble() + seconds["post"].toDouble());
        QCOMPARE(rows[3]["gups"].toDouble(), std::pow(2.0, 51) / seconds["total"].toDouble() / 1e9);
        QCOMPARE(result.json()["rates"].toObject()["loadBytesPerSecond"].isNull(), true);
        QCOMPARE(result.json()["published"].toArray().size(), 22);
    }

    // Weak scaling: each rank adds as many projections, and where the problem is a published one, its figures appear.
    void projectionsOfEachRank()
    {
        const QStringList weak = {"model", "--ranks", "32..256", "--projections-per-rank", "16", "--json", "-"};
        const Result result = run(weak);
        QVERIFY2(result.status == 0, result.err.constData());
        const QJsonArray rows = result.json()["rows"].toArray();
        QCOMPARE(rows.size(), 4);
        for (const QJsonValue row : rows)
            QCOMPARE(row["projections"].toInt(), 16 * row["ranks"].toInt());
        const QJsonObject strong =
            run({"model", "--ranks", "256", "--json", "-"}).json()["rows"].toArray()[0].toObject();
        QCOMPARE(rows[3]["seconds"].toObject(), strong["seconds"].toObject()); // 16 × 256 are the usual 4096
        for (const QJsonValue figure : result.json()["published"].toArray())
            QCOMPARE(figure["ranks"].toInt(), 256);
        QVERIFY(!result.json()["published"].toArray().isEmpty());
        const QByteArray text = run(weak.mid(0, weak.size() - 2)).out;
        QVERIFY2(text.contains("16 projections for each rank") && text.contains("  512  "), text.constData());
        QCOMPARE(run({"model", "--projections", "8", "--projections-per-rank", "8"}).status, 2);
    }

    void csv()
    {
        const Result result = run({"model", "--ranks", "1,64", "--csv", "ranks.csv"});
        QVERIFY2(result.status == 0, result.err.constData());
        const QList<QByteArray> lines = contents("ranks.csv").trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].startsWith("ranks,rows,columns,passes,load [s],") && lines[2].startsWith("64,32,2,1,") &&
                lines[2].endsWith(",4096"));
        for (const QByteArray& line : lines)
            QCOMPARE(line.count(','), lines[0].count(','));
        QCOMPARE(run({"model", "--csv", "ranks.csv"}).status, 2);
        QVERIFY(contents("ranks.csv").startsWith(lines[0] + '\n' + lines[1]));
        QCOMPARE(run({"model", "--csv", "ranks.csv", "--overwrite"}).status, 0);
        QVERIFY(run({"model", "--csv", "-"}).out.startsWith("ranks,"));
    }

    void otherRates()
    {
        const QStringList asked = {"model",    "--rates",       "here.json", "--size",  "2048x512", "--detector",
                                   "512x1024", "--projections", "1000",      "--ranks", "4",        "--sample-bytes",
                                   "2",        "--json",        "-"};
        const auto seconds = [](const Result& result, const char* stage) {
            return result.json()["rows"].toArray().first().toObject()["seconds"].toObject()[stage].toDouble();
        };
        const auto count = [](const Result& result, const char* of) {
            return result.json()["rows"].toArray().first().toObject()[of].toInt();
        };
        const Result bands = run(asked);
        QVERIFY2(bands.status == 0, bands.err.constData());
        QCOMPARE(count(bands, "rows"), 4);
        QCOMPARE(count(bands, "columns"), 1);
        QCOMPARE(seconds(bands, "load"), 2.0 * 512 * 1024 * 1000 / 1e10);
        QCOMPARE(seconds(bands, "kernel"), 2048.0 * 2048 * 128 * 1000 / 1e12);
        QVERIFY(!bands.out.contains("published"));
        const Result tall = run(asked + QStringList{"--cone-ratio", "0.3"});
        QVERIFY(seconds(tall, "load") > 1.1 * seconds(bands, "load"));
        const Result gathered = run(asked + QStringList{"--rows", "2", "--loading", "gathered"});
        QCOMPARE(count(gathered, "columns"), 2);
        QCOMPARE(seconds(gathered, "filter"), seconds(bands, "filter"));
        const QByteArray text = run({"model", "--rates", "here.json", "--grid", "4x6"}).out;
        QVERIFY2(text.contains("24     4 × 6") && text.contains("takes no time") && text.contains("here.json"),
                 text.constData());
    }

    // The fastest grid for each number of ranks, once; an impossible number is left out with a note.
    void gridOfEachNumber()
    {
        const QStringList wide = {"model", "--rates", "here.json", "--cone-ratio", "0.2", "--json", "-"};
        const Result result = run(wide + QStringList{"--ranks", "2048,4,8192,4,7001,8"});
        QVERIFY2(result.status == 0 && result.err.startsWith("note: 7001 ranks are left out: "),
                 result.err.constData());
        QCOMPARE(result.err.count('\n'), 1);
        const QJsonArray rows = result.json()["rows"].toArray();
        QCOMPARE(rows.size(), 4);
        const double fastest = rows[0]["seconds"].toObject()["total"].toDouble();
        bool isAmong = false;
        for (int columns = 8; columns <= 2048; columns *= 2) { // grids with more rows than passes are left out
            const QString grid = QString("%1x%2").arg(2048 / columns).arg(columns);
            const QJsonObject row = run(wide + QStringList{"--grid", grid}).json()["rows"].toArray().first().toObject();
            QVERIFY(fastest <= row["seconds"].toObject()["total"].toDouble());
            isAmong = isAmong || row["columns"].toInt() == rows[0]["columns"].toInt();
        }
        QVERIFY(isAmong);
        QVERIFY(run({"model", "--rates", "here.json"}).out.contains("R × C: the fastest for each number of ranks."));
        QVERIFY(!run({"model", "--rates", "here.json", "--grid", "2x2"}).out.contains("the fastest"));
    }

    // The rates file printed in the manual is valid.
    void ratesOfTheManual()
    {
        QFile page(QStringLiteral(SINOSCOPE_SOURCE_DIR "/resources/manual/clusters.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QByteArray text = page.readAll();
        const qsizetype begin = text.indexOf("{\"rates\"");
        QVERIFY(begin > 0);
        QFile written(file("manual.json"));
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write(text.mid(begin, text.indexOf("\n```", begin) - begin));
        written.close();
        const Result result = run({"model", "--rates", "manual.json"});
        QVERIFY2(result.status == 0 && result.out.contains("two nodes"), result.err.constData());
    }

    void predictedBesideMeasured()
    {
        engine::Prediction seconds;
        seconds.filter = 2, seconds.kernel = 3, seconds.store = 0.5;
        const QByteArray text = QByteArray::fromStdString(cli::comparisonText(engine::compareToModel(
            seconds, {{"filter", 4}, {"backProjection", 2}, {"compute", 4.5}, {"reduce", 0}, {"total", 5}})));
        const QList<QByteArray> lines = text.trimmed().split('\n');
        QCOMPARE(lines.size(), 7); // heading, stages, overlap
        const auto has = [&](int line, const QByteArrayList& words) {
            return std::ranges::all_of(words, [&](const QByteArray& word) { return lines[line].contains(word); });
        };
        QVERIFY2(has(1, {"filter", "2.00 s", "4.00 s", "0.5 ", "80 %"}), text.constData());
        QVERIFY2(has(2, {"back-projection", "3.00 s", "2.00 s", "1.5 ", "40 %"}), text.constData());
        QVERIFY2(has(4, {"Reduce", "- "}) && has(5, {"total", "3.50 s", "100 %"}), text.constData());
        QVERIFY2(has(6, {"1.33"}), text.constData()); // (4 + 2) / 4.5
    }

    void mistakes_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* words, const char* said) {
            QTest::addRow("%s", words) << words << QByteArray(said);
        };
        row("--ranks 0", "--ranks");
        row("--ranks 8..2", "8..2");
        row("--ranks 1,,2", "--ranks");
        row("--ranks 9999999", "1000000");
        row("--ranks 4,", "last comma");
        row("--cone-ratio 0.2", "--loading bands");
        row("--rows 2 --size 64x1", "1 slice;");
        row("--rates tiny.json", "1e-300");
        row("--size 0", "--size");
        row("--size 1x2x3", "--size");
        row("--detector 4096y4096", "--detector");
        row("--cone-ratio 1", "--cone-ratio");
        row("--rows 3 --ranks 8", "8 ranks");
        row("--rows 1000000", "4096 slices");
        row("--grid 4", "--grid");
        row("--grid 4x4 --ranks 16", "--grid");
        row("--grid 4x5000", "4096 projections");
        row("--rates nowhere.json", "nowhere.json");
        row("--rates bad.json", "bad.json");
        row("--loading rows", "gathered, bands, exchanged");
        row("--json - --csv -", "standard output");
        row("--rates here.json --json ./here.json --overwrite", "--rates");
    }

    void mistakes()
    {
        QFETCH(const QString, words);
        QFETCH(const QByteArray, said);
        QFile(file("bad.json")).open(QIODevice::WriteOnly);
        QFile tiny(file("tiny.json")); // the predicted seconds overflow
        QVERIFY(tiny.open(QIODevice::WriteOnly) && tiny.write(QByteArray(rates).replace("1e12", "1e-300")) > 0);
        tiny.close();
        const Result result = run(QStringList{"model"} + words.split(' '));
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains(said) && result.out.isEmpty(), result.err.constData());
        QCOMPARE(contents("here.json"), rates);
    }
};

SINOSCOPE_TEST(ModelCommandTest, QCoreApplication)
#include "model_test.moc"

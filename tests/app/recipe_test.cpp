// SPDX-License-Identifier: GPL-3.0-or-later
// Recipes on the command line: settings of one scan applied to another; options given take precedence.
#include "engine/io/slices/slice_writer.h"
#include "tests/app/program.h"

using program::Result;

class RecipeProgramTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        QVERIFY(makeHead().status == 0);
        const QStringList made{"phantom", "shepp-logan", "--size", "80", "--projections", "120", "--line-integrals"};
        QCOMPARE(run(made + QStringList{"-o", "other.h5"}).status, 0);
        QCOMPARE(run({"phantom", "shepp-logan-3d", "--size", "80", "--projections", "90", "--slices", "7", "-o",
                      "other3.h5"})
                     .status,
                 0);
        QFile raw(file("scan.raw"));
        QVERIFY(raw.open(QIODevice::WriteOnly));
        raw.write(QByteArray(4 * 40 * 3 * 32, '\1'));
    }

    void doesTheSameWithAnotherScan()
    {
        const QStringList said{
            "--filter", "hann", "--cutoff", "0.7", "--rings", "sorting", "--angles", "0:180", "--angles-end-excluded"};
        const Result saved = run(QStringList{"reconstruct", "head.h5", "--save-recipe", "r.json"} + said);
        QVERIFY2(saved.status == 0, saved.err);
        QCOMPARE(files().filter("r.json"), QStringList{"r.json"});
        QCOMPARE(run(QStringList{"reconstruct", "other.h5", "-o", "said.tif"} + said).status, 0);
        const Result result = run({"reconstruct", "other.h5", "--recipe", "r.json", "-o", "same.tif"});
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(contents("same.tif"), contents("said.tif"));
        QCOMPARE(run({"reconstruct", "other.h5", "-o", "plain.tif"}).status, 0);
        QVERIFY(contents("same.tif") != contents("plain.tif"));

        // The command line takes precedence. Where it gives --angles, the recipe's --angles-end-excluded is dropped
        // together with the recipe's angles.
        const QStringList other{"--cutoff", "0.9", "--rings", "off", "--angles", "0:180"};
        QCOMPARE(run(QStringList{"reconstruct", "other.h5", "--recipe", "r.json", "-o", "over.tif"} + other).status, 0);
        QCOMPARE(run(QStringList{"reconstruct", "other.h5", "--filter", "hann", "-o", "overSaid.tif"} + other).status,
                 0);
        QCOMPARE(contents("over.tif"), contents("overSaid.tif"));
    }

    // If the command line switches off a step, the recipe's parameters of this step and its place in the order are
    // dropped. Options given on the command line must have an effect.
    void partsOfWhatIsSwitchedOffAreDropped()
    {
        const QStringList said{"--rings",     "all", "--ring-snr", "5",    "--step-order", "tilt,rings",
                               "--axis-tilt", "1",   "--filter",   "hann", "--device",     "cpu"};
        const QStringList one{"--slice", "2", "--device", "cpu", "--overwrite", "-o"};
        QVERIFY(run(QStringList{"reconstruct", "head.h5", "--save-recipe", "tilted.json"} + said).status == 0);
        QVERIFY(run(QStringList{"reconstruct", "head.h5", "--json", "tilted_report.json"} + one + QStringList{"t.tif"} +
                    said.first(10))
                    .status == 0);
        const auto sameAs = [&](const QStringList& more, const QStringList& alone) {
            QCOMPARE(run(QStringList{"reconstruct", "head.h5"} + one + QStringList{"alone.tif"} + alone).status, 0);
            for (const QStringList& from :
                 {QStringList{"--recipe", "tilted.json"}, QStringList{"--settings", "tilted_report.json"}}) {
                const Result over =
                    run(QStringList{"reconstruct", "head.h5"} + one + QStringList{"over.tif"} + from + more);
                QVERIFY2(over.status == 0 && !over.err.contains("step-order"), over.err);
                QVERIFY(engine::readTiffImage(path("over.tif")).values ==
                        engine::readTiffImage(path("alone.tif")).values);
            }
        };
        const QStringList rings{"--rings", "all", "--ring-snr", "5"}, hann{"--filter", "hann"};
        sameAs({"--axis-tilt", "0"}, rings + hann);
        sameAs({"--rings", "off"}, QStringList{"--axis-tilt", "1"} + hann);
        sameAs({"--axis-tilt", "0", "--rings", "off"}, hann);
        const Result typed = run(QStringList{"reconstruct", "head.h5", "--recipe", "tilted.json", "--axis-tilt", "0",
                                             "--step-order", "tilt,rings"} +
                                 one + QStringList{"typed.tif"});
        QCOMPARE(typed.status, 2);
        QVERIFY2(typed.err.contains("'tilt' is off and has no place"), typed.err);
        const Result number =
            run(QStringList{"reconstruct", "head.h5", "--recipe", "tilted.json", "--rings", "off", "--ring-snr", "4"} +
                one + QStringList{"typed.tif"});
        QCOMPARE(number.status, 2);
        QVERIFY2(number.err.contains("--ring-snr: only --rings"), number.err);
    }

    void keepsHowAScanIsOpened()
    {
        const QStringList raw{"--raw",    "40x3x32",        "--type", "float32",
                              "--values", "line-integrals", "--axis", "middle"};
        QVERIFY(run(QStringList{"reconstruct", "scan.raw"} + raw + QStringList{"--save-recipe", "raw.json"}).status ==
                0);
        QVERIFY(!contents("raw.json").contains("scan.raw"));
        const Result result = run({"reconstruct", "scan.raw", "--recipe", "raw.json", "-o", "raw", "--json", "-"});
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(result.json()["opened"].toObject()["raw"].toObject()["rows"].toInt(), 3);
        QCOMPARE(files("raw").size(), 3);
    }

    // A recipe's plane is reconstructed like that of the command line, of each scan.
    void holdsAPlane()
    {
        const char* const tilted = "centre=40,50,2;u=1,0.5,0.02;v=0,0,1";
        for (const auto& [plane, name] : {std::pair("x=40", "across"), {tilted, "tilted"}}) {
            const QString recipe = QString(name) + ".json";
            QCOMPARE(run({"reconstruct", "head.h5", "--filter", "hann", "--plane", plane, "--save-recipe", recipe, "-o",
                          "made.tif", "--overwrite"})
                         .status,
                     0);
            const Result repeated =
                run({"reconstruct", "head.h5", "--recipe", recipe, "-o", "again.tif", "--overwrite"});
            QCOMPARE(repeated.status, 0);
            QCOMPARE(contents("again.tif"), contents("made.tif"));
            QVERIFY2(repeated.err.contains("note: the recipe's plane ") && repeated.err.contains("--slices"),
                     repeated.err);
            // The recipe of a recipe, and a scan of another size.
            QCOMPARE(
                run({"reconstruct", "head.h5", "--recipe", recipe, "--save-recipe", "next.json", "--overwrite"}).status,
                0);
            QCOMPARE(contents("next.json"), contents(recipe));
            QCOMPARE(run({"reconstruct", "other3.h5", "--recipe", recipe, "-o", "other.tif", "--overwrite"}).status, 0);
            QCOMPARE(run({"reconstruct", "other3.h5", "--plane", plane, "--filter", "hann", "-o", "otherSaid.tif",
                          "--overwrite"})
                         .status,
                     0);
            // The position is rounded otherwise, as the recipe's is about the middle of the first scan.
            const Result compared = run({"compare", "other.tif", "otherSaid.tif", "--json", "-"});
            QVERIFY2(compared.json()["rmse"].toDouble(1) < 1e-8, compared.out);
        }
        QVERIFY2(contents("across.json").contains("\"plane\": \"x=40\""), contents("across.json"));
        const Result both = run({"reconstruct", "head.h5", "other3.h5", "--recipe", "across.json", "-o", "both"});
        QVERIFY2(both.status == 0, both.err);
        QCOMPARE(both.err.count("note: the recipe's plane x=40"), 1);
        QCOMPARE(files("both/head"), QStringList{"head_plane_x=40.tiff"});
        QCOMPARE(files("both/other3"), QStringList{"other3_plane_x=40.tiff"});
    }

    void thePlaneIsReplaced()
    {
        const auto made = [this](const QStringList& from, const QStringList& more, const char* output) {
            return run(QStringList{"reconstruct", "head.h5", "--filter", "hann", "--overwrite", "-o", output} + from +
                       more);
        };
        QCOMPARE(made({}, {"--plane", "y=30", "--save-recipe", "y.json", "--json", "y_report.json"}, "y.tif").status,
                 0);
        for (const QStringList& more : {QStringList{"--slice", "3"},
                                        {"--slices", "3:4"},
                                        {"--plane", "z=3"},
                                        {"--plane", "x=9"},
                                        {"--slice", "2", "--region", "8,9,20,10"},
                                        {"--region", "8,9,20,10"},
                                        {"--slab", "x=8:20"}}) {
            QCOMPARE(made({}, more, "said.tif").status, 0);
            for (const QStringList& from : {QStringList{"--recipe", "y.json"}, {"--settings", "y_report.json"}}) {
                const Result over = made(from, more + QStringList{"--save-recipe", "over.json"}, "over.tif");
                QVERIFY2(over.status == 0 && !over.err.contains("the recipe's plane"), over.err);
                QVERIFY2(contents("over.tif") == contents("said.tif"), qPrintable((from + more).join(' ')));
                QCOMPARE(contents("over.json").contains("\"plane\""), more.contains("--plane"));
            }
        }
    }

    void aReportsRegionOrSlabIsReplaced()
    {
        const auto made = [this](const QStringList& words, const char* output) {
            return run(QStringList{"reconstruct", "head.h5", "--slice", "3", "--overwrite", "-o", output} + words);
        };
        const QList<QStringList> parts{{"--region", "8,9,20,10"}, {"--slab", "x=8:20"}, {"--slab", "30,30,20,12,5"}};
        for (const QStringList& before : parts)
            for (const QStringList& part : parts) {
                QCOMPARE(made(before + QStringList{"--json", "part.json"}, "before.tif").status, 0);
                QCOMPARE(made(part, "alone.tif").status, 0);
                const Result over = made(part + QStringList{"--settings", "part.json"}, "over.tif");
                QVERIFY2(over.status == 0, over.err);
                QVERIFY2(contents("over.tif") == contents("alone.tif"), qPrintable((before + part).join(' ')));
            }
        const Result both = made(parts[0] + parts[1], "never.tif");
        QCOMPARE(both.status, 2);
        QVERIFY2(both.err.contains("can't be combined with a region"), both.err);
    }

    void aPlaneOutsideIsRefused()
    {
        QCOMPARE(run({"reconstruct", "head.h5", "--plane", "x=90", "--save-recipe", "far.json"}).status, 0);
        const Result far = run({"reconstruct", "other3.h5", "--recipe", "far.json", "-o", "never.tif"});
        QCOMPARE(far.status, 2);
        QVERIFY2(far.err.contains("the recipe's plane x=90") && far.err.contains("columns 0 to 79"), far.err);
        QVERIFY(!files().contains("never.tif"));
    }

    void saysWhatIsOfOneScan()
    {
        QFile angles(file("angles.txt"));
        QVERIFY(angles.open(QIODevice::WriteOnly));
        for (int k = 0; k < 151; ++k)
            angles.write(QByteArray::number(k * 180.0 / 151) + "\n");
        angles.close();
        const Result result = run({"reconstruct", "head.h5", "--angles", "angles.txt", "--save-recipe", "files.json"});
        QVERIFY2(result.status == 0, result.err);
        QVERIFY2(result.err.contains("leaves out --angles"), result.err);
        QVERIFY(!contents("files.json").contains("angles.txt"));
    }

    void mistakes_data()
    {
        QTest::addColumn<QByteArray>("recipe");
        QTest::addColumn<QByteArray>("word");
        QTest::newRow("unknown") << QByteArray(R"({"format": "Sinoscope recipe", "version": 1, "filter": "hann"})")
                                 << QByteArray("\"filter\"");
        QTest::newRow("type") << QByteArray(
                                     R"({"format": "Sinoscope recipe", "version": 1, "setting": {"axis": [1, "x"]}})")
                              << QByteArray("axis");
        QTest::newRow("plane") << QByteArray(R"({"format": "Sinoscope recipe", "version": 1, "plane": "x=left"})")
                               << QByteArray("\"plane\": ");
        QTest::newRow("none") << QByteArray("II*") << QByteArray("damaged");
    }
    void mistakes()
    {
        QFETCH(QByteArray, recipe);
        QFETCH(QByteArray, word);
        QFile bad(file("bad.json"));
        QVERIFY(bad.open(QIODevice::WriteOnly));
        bad.write(recipe);
        bad.close();
        const Result result = run({"reconstruct", "head.h5", "--recipe", "bad.json", "-o", "bad.tif"});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("bad.json") && result.err.contains(word), result.err);
        QVERIFY(!files().contains("bad.tif"));
    }

    void isNotWrittenOver()
    {
        QVERIFY(run({"reconstruct", "head.h5", "--save-recipe", "kept.json"}).status == 0);
        const QByteArray before = contents("kept.json");
        const Result again = run({"reconstruct", "head.h5", "--filter", "hann", "--save-recipe", "kept.json"});
        QCOMPARE(again.status, 2);
        QVERIFY2(again.err.contains("--save-recipe: 'kept.json' exists"), again.err);
        QCOMPARE(contents("kept.json"), before);
        // Neither a scan nor the recipe being read is overwritten.
        QVERIFY(run({"reconstruct", "head.h5", "--save-recipe", "head.h5", "--overwrite"}).status != 0);
        QVERIFY(run({"reconstruct", "head.h5", "--recipe", "kept.json", "--json", "kept.json", "-o", "a.tif",
                     "--overwrite"})
                    .status != 0);
        QCOMPARE(contents("kept.json"), before);
    }
};

SINOSCOPE_TEST(RecipeProgramTest, QCoreApplication)
#include "recipe_test.moc"

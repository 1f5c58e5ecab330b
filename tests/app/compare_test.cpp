// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of images: figures and profiles.
#include "engine/compare/mark_figures.h"
#include "engine/documents/session.h"
#include "engine/io/hdf5/hdf5_output.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/stored_slices.h"
#include "tests/app/program.h"

#include <fstream>

using program::Result;

class CompareTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void compareMeasures()
    {
        engine::Volume a(1, 8, 10), b(1, 8, 10);
        for (std::size_t i = 0; i < a.values.size(); ++i) {
            b.values[i] = float(i % 5);
            a.values[i] = b.values[i] + 0.5f;
        }
        engine::writeTiffImage(path("a.tif"), a, 0, true, {});
        engine::writeTiffImage(path("b.tif"), b, 0, true, {});
        const QJsonObject all = run({"compare", "a.tif", "b.tif", "--json", "-"}).json();
        QCOMPARE(all["rmse"].toDouble(), 0.5);
        QCOMPARE(all["maximum"].toDouble(), 0.5);
        QVERIFY(std::abs(all["psnrDb"].toDouble() - 20 * std::log10(4 / 0.5)) < 1e-9);
        QCOMPARE(all["pixels"].toInt(), 80);
        QCOMPARE(run({"compare", "a.tif", "b.tif", "--region", "1,2,5,3", "--json", "-"}).json()["pixels"].toInt(), 15);
        QVERIFY(run({"compare", "a.tif", "b.tif"}).out.contains("RMSE"));
    }

    // The position of the value is reported, and no figures of the difference.
    void notANumber()
    {
        engine::Volume a(1, 8, 10);
        a.values[23] = -std::numeric_limits<float>::quiet_NaN();
        engine::writeTiffImage(path("nan.tif"), a, 0, true, {});
        engine::writeTiffImage(path("zero.tif"), engine::Volume(1, 8, 10), 0, true, {});
        const Result result = run({"compare", "nan.tif", "zero.tif"});
        QVERIFY(result.out.contains("1 pixel, at (3, 2): the difference can't be measured"));
        QVERIFY2(!result.out.contains("nan"), result.out.constData());
        QVERIFY(!run({"compare", "nan.tif", "zero.tif", "--region", "4,0,3,3"}).out.contains("pixel, at"));
    }

    // Images with the same number of pixels but different pixel sizes show different parts of the object.
    void pixelsOfDifferentSizes()
    {
        QCOMPARE(makeHead().status, 0);
        for (const char* pixel : {"1um", "2um"})
            QCOMPARE(run({"reconstruct", "head.h5", "--axis", "31.5", "--pixel", pixel, "--output",
                          QString("pixel-%1.tif").arg(pixel)})
                         .status,
                     0);
        const Result unlike = run({"compare", "pixel-1um.tif", "pixel-2um.tif"});
        QVERIFY2(
            unlike.err.contains("warning: the pixels of pixel-1um.tif are 1 µm wide and those of pixel-2um.tif 2 µm"),
            unlike.err.constData());
        QVERIFY(!run({"compare", "pixel-1um.tif", "pixel-1um.tif"}).err.contains("pixels of"));

        // Pixel sizes are compared in bins if the size of a bin is not known; for volumes, too.
        for (const char* output : {"fine.tif", "coarse.tif", "fine.h5", "coarse.h5"}) {
            QStringList line{"reconstruct", "head.h5", "--axis", "31.5", "--output", output, "--size", "32"};
            if (QString(output).startsWith("coarse"))
                line << "--output-pixel"
                     << "2";
            if (QString(output).endsWith(".tif"))
                line << "--slice"
                     << "0";
            else
                line << "--slices"
                     << "0:1";
            const Result made = run(line);
            QVERIFY2(made.status == 0, made.err.constData());
        }
        for (const char* suffix : {".tif", ".h5"}) {
            const Result bins = run({"compare", QString("fine") + suffix, QString("coarse") + suffix, "--slice", "0"});
            QVERIFY2(bins.err.contains(
                         QString("pixels of fine%1 are 1 bin wide and those of coarse%1 2 bins;").arg(suffix).toUtf8()),
                     bins.err.constData());
        }
        QVERIFY(!run({"compare", "fine.tif", "fine.h5", "--slice", "0"}).err.contains("pixels of"));
    }

    // Images of two places are compared, but with a note; the same place in other words gets none.
    void placesThatDiffer()
    {
        QVERIFY(QFile::exists(file("head.h5")) || makeHead().status == 0);
        const auto make = [&](const QString& output, const QStringList& place) {
            const Result made = run(QStringList{"reconstruct", "head.h5", "--axis", "50", "--output", output} + place);
            QVERIFY2(made.status == 0, made.err.constData());
        };
        make("two.tif", {"--slice", "2"});
        make("three.tif", {"--slice", "3"});
        make("three.h5", {"--slices", "3:4"});
        make("z3.tif", {"--plane", "z=3"});
        make("x20.tif", {"--plane", "x=20"});
        make("x21.h5", {"--plane", "x=21"});
        make("tilted.tif", {"--plane", "centre=47.5,47.5,2;u=1,0.5,0;v=0,0,1;width=96;height=5"});
        const auto noteOf = [&](const QString& image, const QString& reference) {
            const Result compared = run({"compare", image, reference});
            return compared.status == 0 ? compared.err : "status " + QByteArray::number(compared.status);
        };
        const QByteArray slices = noteOf("two.tif", "three.tif");
        QVERIFY2(slices.contains("note: two.tif shows the place z=2 and three.tif z=3; "), slices.constData());
        QVERIFY(noteOf("two.tif", "three.h5").contains("z=2 and three.h5 z=3; "));
        QVERIFY(noteOf("z3.tif", "two.tif").contains("z=3 and two.tif z=2; "));
        QVERIFY(noteOf("x20.tif", "x21.h5").contains("x=20 and x21.h5 x=21; "));
        QVERIFY(noteOf("tilted.tif", "x21.h5").contains("shows the place centre="));
        for (const char* same : {"three.tif", "three.h5", "z3.tif"})
            QCOMPARE(noteOf("three.tif", same), QByteArray());
        QCOMPARE(noteOf("tilted.tif", "tilted.tif"), QByteArray());
        QCOMPARE(noteOf("two.tif", "head.tif"), QByteArray()); // says nothing of its place, or the middle slice
    }

    // Like --region, an area must lie completely within the image.
    void areaBeyondTheImage()
    {
        engine::writeTiffImage(path("c.tif"), engine::Volume(1, 8, 10), 0, true, {});
        const auto status = [&](const char* area) { return run({"compare", "c.tif", "c.tif", "--area", area}).status; };
        for (const char* inside : {"rectangle 0,0,10,8", "ellipse 4.5,3.5,5,4", "polygon 0,0 10,0 10,8 0,8", "disc 1"})
            QCOMPARE(status(inside), 0);
        for (const char* beyond :
             {"rectangle 1,0,10,8", "rectangle 0,1,10,8", "rectangle -1,0,3,3", "rectangle 20,20,3,3",
              "ellipse 4.5,3.5,5.5,4", "ellipse 0,3,1,1", "polygon 0,0 10.5,0 10,8 0,8", "polygon 0,-1 5,0 5,5"})
            QCOMPARE(status(beyond), 2);
        const Result result = run({"compare", "c.tif", "c.tif", "--area", "rectangle 1,0,10,8"});
        QVERIFY2(result.err.contains("--area: 'rectangle 1,0,10,8' reaches beyond the image of 10 × 8 pixels"),
                 result.err.constData());
    }

    // The program reports the same figures as the engine for the settings of a session.
    void comparesTheSettingsOfASession()
    {
        engine::Session session;
        session.simulation = engine::Simulation{};
        session.simulation->size = 48;
        session.simulation->projections = 40;
        engine::Setting half;
        half.kernel.precision = engine::Precision::half;
        session.list.add(half, "half");
        session.list.add(half, "hidden").visible = false;
        session.list.reference = {engine::ReferenceChoice::Kind::setting, 1};
        engine::writeSession(session, path("a.sinoscope"), false);
        const auto all = engine::compareSettings(engine::openScan(session), session.list, session.resources, 0,
                                                 session.marks.mask());
        const Result result = run({"compare-settings", "a.sinoscope", "--json", "-"});
        QVERIFY2(result.status == 0, result.err.constData());
        const QJsonArray settings = result.json()["settings"].toArray();
        QCOMPARE(settings.size(), 2);
        QCOMPARE(result.json()["reference"].toString(), QStringLiteral("A"));
        QVERIFY(settings[0].toObject()["metrics"].isNull());
        QCOMPARE(settings[1].toObject()["name"].toString(), QStringLiteral("half"));
        QCOMPARE(settings[1].toObject()["metrics"].toObject()["rmse"].toDouble(), all[1].metrics->rmse);
        QCOMPARE(settings[1].toObject()["precision"].toString(), QStringLiteral("half"));
        // The first setting is the reference itself, so it has no correlation; the second one's equals the engine's.
        QVERIFY(settings[0].toObject()["fourierRingCorrelation"].isNull());
        const QJsonObject correlation = settings[1].toObject()["fourierRingCorrelation"].toObject();
        const engine::RingSpectra spectra =
            engine::compareSpectra(all[1].result->image.slice(0), all[0].result->image.slice(0),
                                   all[1].result->grid.width, all[1].result->grid.height, session.marks.mask());
        QCOMPARE(correlation["correlation"].toArray().size(), qsizetype(spectra.correlation.size()));
        QCOMPARE(correlation["correlation"][3].toDouble(), spectra.correlation[3]);
        QCOMPARE(correlation["resolutionPixels"].toDouble(),
                 engine::resolutionPixels(spectra, engine::ResolutionCriterion::halfBit));
        const engine::Consistency consistency = engine::consistencyOf(*all[1].result, 0);
        const QJsonObject own = settings[1].toObject()["consistency"].toObject();
        QCOMPARE(own["residual"].toDouble(), consistency.residual.value());
        QCOMPARE(own["halves"]["resolutionPixels"].toDouble(), consistency.resolutionPixels);
        const Result text = run({"compare-settings", "a.sinoscope", "--device", "cpu"});
        QVERIFY2(text.out.contains("resolution (pixels)") && text.out.contains("residual (%)"), text.out.constData());
        QVERIFY2(text.out.contains("half") && text.out.contains("against") && text.out.contains("disc 0.9"),
                 text.out.constData());
        QCOMPARE(run({"compare-settings", "a.sinoscope", "--slice", "3"}).status, 2);
        QCOMPARE(run({"compare-settings", "none.sinoscope"}).status, 2);
        session.simulation.reset();
        session.scan = path("gone.h5");
        engine::writeSession(session, path("b.sinoscope"), false);
        const Result gone = run({"compare-settings", "b.sinoscope"});
        QCOMPARE(gone.status, 2);
        QVERIFY2(gone.err.contains("gone.h5"), gone.err.constData());
    }

    // Figures of every area and line of a session, in JSON and as text.
    void comparesInAreasAndAcrossEdges()
    {
        engine::Session session;
        session.simulation = engine::Simulation{};
        session.simulation->size = 48;
        session.simulation->projections = 40;
        const auto write = [&](const char* name) { engine::writeSession(session, path(name), false); };
        write("plain.sinoscope");
        QVERIFY(!run({"compare-settings", "plain.sinoscope"}).out.contains("contrast"));
        session.marks.add(engine::Area(engine::Region{4, 5, 20, 21}));
        session.marks.add(engine::Area(engine::EllipseArea{24, 24, 5, 5}), "middle");
        session.marks.add(engine::Line{0, 24, 20, 24}, "rim");
        write("marked.sinoscope");
        const auto all = engine::compareSettings(engine::openScan(session), session.list, session.resources, 0,
                                                 session.marks.mask());
        const auto figuresOf = [&](std::size_t k) {
            return engine::figuresOf(*all[0].result, all[0].reference.get(), 0,
                                     std::get<engine::Area>(session.marks.areas()[k]->shape));
        };
        const Result result = run({"compare-settings", "marked.sinoscope", "--json", "-"});
        QVERIFY2(result.status == 0, result.err.constData());
        const QJsonObject setting = result.json()["settings"].toArray()[0].toObject();
        const QJsonArray areas = setting["areas"].toArray();
        QCOMPARE(areas.size(), 3);
        QVERIFY(!areas[0].toObject().contains("contrastToNoise"));
        for (int k = 1; k < 3; ++k) {
            const QJsonObject contrast = areas[k].toObject()["contrastToNoise"].toObject();
            QCOMPARE(contrast["against"].toString(), QStringLiteral("disc"));
            const engine::AreaStatistics a = figuresOf(std::size_t(k)).statistics, b = figuresOf(0).statistics;
            const double byHand =
                std::abs(a.mean - b.mean) / std::sqrt((a.deviation * a.deviation + b.deviation * b.deviation) / 2);
            QVERIFY(std::abs(contrast["value"].toDouble() - byHand) < 1e-6);
        }
        QCOMPARE(setting["lines"].toArray().size(), 1);
        const Result text = run({"compare-settings", "marked.sinoscope"});
        for (const char* said : {"contrasts to disc", "rectangle 1", "middle", "edge width", "rim"})
            QVERIFY2(text.out.contains(said), text.out.constData());
    }

    // A file of another program as the reference of a session, and a volume compared with another volume.
    void comparesWithFiles()
    {
        engine::Session session;
        session.simulation = engine::Simulation{};
        session.simulation->phantom = engine::Phantom::sheppLogan3d;
        session.simulation->size = 48;
        session.simulation->projections = 40;
        session.simulation->slices = 6;
        session.slice = 3;
        engine::writeSession(session, path("f.sinoscope"), false);
        QVERIFY(run({"phantom", "shepp-logan-3d", "--size", "48", "--projections", "40", "--slices", "6", "--output",
                     "f.h5"})
                    .status == 0);
        QVERIFY(run({"reconstruct", "f.h5", "--slices", "2:5", "--filter", "hann", "--output", "hann.h5"}).status == 0);
        QVERIFY(run({"reconstruct", "f.h5", "--slice", "3", "--filter", "hann", "--output", "hann.tif"}).status == 0);
        QVERIFY(run({"reconstruct", "f.h5", "--output", "all.h5"}).status == 0);

        Result result = run({"compare-settings", "f.sinoscope", "--against", "file:hann.h5", "--json", "-"});
        QVERIFY2(result.status == 0, result.err.constData());
        const QString against = result.json()["against"].toString(); // the full path
        QVERIFY2(against.startsWith("file:/") && against.endsWith("/hann.h5"), qPrintable(against));
        QVERIFY2(result.json()["reference"].toString().startsWith("hann.h5, slice 3"), result.out.constData());
        const double rmse = result.json()["settings"][0]["metrics"]["rmse"].toDouble();
        QVERIFY(rmse > 0);
        result = run({"compare-settings", "f.sinoscope", "--against", "file:hann.tif", "--json", "-"});
        QCOMPARE(result.json()["settings"][0]["metrics"]["rmse"].toDouble(), rmse);
        QVERIFY2(result.json()["reference"].toString().startsWith("hann.tif, its only image, used for slice 3"),
                 result.out.constData());
        QVERIFY(!result.json()["reference"].toString().contains("interpreted as")); // the file specifies its unit
        QVERIFY(run({"compare-settings", "f.sinoscope", "--against", "file:hann.tif"})
                    .out.contains("hann.tif, its only image"));
        result = run({"compare", "all.h5", "hann.h5#/exchange/data", "--slice", "3", "--disc", "0.9", "--json", "-"});
        QVERIFY2(result.status == 0, result.err.constData());
        QVERIFY2(std::abs(result.json()["rmse"].toDouble() / rmse - 1) < 1e-5, result.out.constData());

        // The session itself names the file as its reference, with a path relative to the session.
        session.list.reference = {engine::ReferenceChoice::Kind::file, 0, {path("hann.h5"), {}}};
        engine::writeSession(session, path("g.sinoscope"), false);
        QVERIFY(contents("g.sinoscope").contains("\"file:hann.h5\""));
        QCOMPARE(
            run({"compare-settings", "g.sinoscope", "--json", "-"}).json()["settings"][0]["metrics"]["rmse"].toDouble(),
            rmse);

        const auto refused = [&](const QStringList& arguments, const QList<QByteArray>& words) {
            const Result refusal = run(arguments);
            return refusal.status == 2 &&
                   std::ranges::all_of(words, [&](const QByteArray& word) { return refusal.err.contains(word); });
        };
        QVERIFY(refused({"compare-settings", "g.sinoscope", "--slice", "0"}, {"hann.h5", "2 to 4", "slice 0"}));
        QVERIFY(refused({"compare-settings", "g.sinoscope", "--against", "file:none.h5"}, {"none.h5"}));
        QVERIFY(refused({"compare-settings", "g.sinoscope", "--against", "setting:7"}, {"7", "1 (A)"}));
        QVERIFY(refused({"compare-settings", "g.sinoscope", "--against", "truth"}, {"truth", "file:FILE"}));
        QVERIFY(refused({"compare", "all.h5", "hann.tif"}, {"all.h5", "--slice"}));
        QVERIFY(run({"compare-settings", "g.sinoscope", "--against", "exact:1"}).status == 0);
    }

    // The reference is converted to the unit of the image if the user gives its unit. Otherwise a fitting one is named.
    void compareConvertsUnits()
    {
        QCOMPARE(run({"phantom", "disc", "--size", "48", "--projections", "40", "--output", "units.h5"}).status, 0);
        QCOMPARE(run({"reconstruct", "units.h5", "--pixel", "250um", "--output", "per-mm.h5"}).status, 0);
        const engine::Volume ours = engine::readSlice({path("per-mm.h5")}, 0).image;
        engine::Volume other = ours;
        for (float& value : other.values)
            value *= 0.25f;
        engine::writeTiffImage(path("per-pixel.tif"), other, 0, true, {});
        const auto rmse = [](const Result& result) { return result.json()["rmse"].toDouble(NAN); };
        const QStringList compare = {"compare", "per-mm.h5", "per-pixel.tif", "--slice", "0", "--json", "-"};
        const Result plain = run(compare);
        QVERIFY(rmse(plain) > 0.01);
        QVERIFY2(plain.err.contains("specifies no unit") && plain.err.contains("--reference-unit 1/pixel"),
                 plain.err.constData());
        const Result converted = run(compare + QStringList{"--reference-unit", "1/pixel"});
        QVERIFY2(rmse(converted) < 1e-7 && converted.err.isEmpty(), converted.err.constData());
        QVERIFY(rmse(run({"compare", "per-mm.h5", "per-pixel.tif@1/pixel", "--slice", "0", "--json", "-"})) < 1e-7);
        const Result unknown = run(compare + QStringList{"--reference-unit", "1/inch"});
        QVERIFY2(unknown.status == 2 && unknown.err.contains("1/pixel, 1/mm or 1/cm"), unknown.err.constData());
        const Result reversed = run({"compare", "per-pixel.tif", "per-mm.h5", "--reference-unit", "1/mm"});
        QVERIFY2(reversed.status == 2 && reversed.err.contains("per-pixel.tif specifies no unit"),
                 reversed.err.constData());
    }

    // HTTomo's slices lie along the second dimension. They are read so if only that order fits, or if it is given.
    void compareReadsOtherOrders()
    {
        constexpr int slices = 3, side = 8;
        engine::Volume image(1, side, side);
        std::vector<float> values; // [row][slice][column]
        for (int row = 0; row < side; ++row)
            for (int slice = 0; slice < slices; ++slice)
                for (int column = 0; column < side; ++column) {
                    values.push_back(float(100 * slice + 10 * row + column * column));
                    if (slice == 2)
                        image.values[std::size_t(row) * side + column] = values.back();
                }
        engine::writeTiffImage(path("ours.tif"), image, 0, true, {});
        std::ofstream(path("httomo.h5").string()); // the existing file is overwritten
        {
            engine::Hdf5Output output(path("httomo.h5").string(), path("httomo.h5").string());
            output.numbers("/data", {side, slices, side}, engine::OutputFormat::Type::float32);
            output.write("/data", {0, 0, 0}, {side, slices, side}, values.data());
        }
        const auto rmse = [](const Result& result) { return result.json()["rmse"].toDouble(NAN); };
        const Result guessed = run({"compare", "ours.tif", "httomo.h5", "--slice", "2", "--json", "-"});
        QCOMPARE(rmse(guessed), 0.0);
        QVERIFY2(guessed.err.contains("interpreted as y:z:x") && guessed.err.contains("--data-axes"),
                 guessed.err.constData());
        const Result given =
            run({"compare", "httomo.h5#/data", "ours.tif", "--data-axes", "y:z:x", "--slice", "2", "--json", "-"});
        QCOMPARE(rmse(given), 0.0);
        QVERIFY(given.err.isEmpty());
        const Result wrong = run({"compare", "httomo.h5", "ours.tif", "--data-axes", "theta:y:x", "--slice", "2"});
        QVERIFY(wrong.status == 2 && wrong.err.contains("y:z:x"));
    }

    void compareMeasuresAnArea()
    {
        engine::Volume a(1, 40, 50), b(1, 40, 50); // rows, columns
        for (std::size_t i = 0; i < a.values.size(); ++i) {
            b.values[i] = (i + i / 50) % 2 ? 1.0f : -1.0f; // a chequerboard
            a.values[i] = i % 50 < 20 ? b.values[i] : 7.0f;
        }
        engine::writeTiffImage(path("area-a.tif"), a, 0, true, {});
        engine::writeTiffImage(path("area-b.tif"), b, 0, true, {});
        const auto figures = [&](const QString& area) {
            return run({"compare", "area-a.tif", "area-b.tif", "--area", area, "--json", "-"}).json();
        };
        const QJsonObject left = figures("ellipse 9,20,9,9");
        QCOMPARE(left["pixels"].toInt(), 253); // pixels at most 9 pixels from the centre
        QCOMPARE(left["rmse"].toDouble(), 0.0);
        QVERIFY(std::abs(left["deviationImage"].toDouble() - 1) < 0.01);
        const QJsonObject right = figures("polygon 30,0 50,0 50,40 30,40");
        QCOMPARE(right["pixels"].toInt(), 800);
        QCOMPARE(right["deviationImage"].toDouble(), 0.0);
        QCOMPARE(right["deviationReference"].toDouble(), 1.0);
        QCOMPARE(right["noiseImage"].toDouble(), 0.0);
        QVERIFY(right["noiseReference"].toDouble() > 0.5); // alternating ±1 is noise, not an edge
        QCOMPARE(right["fourierRingCorrelation"]["correlation"].toArray().size(), 20); // of 40 by 40 pixels
        QVERIFY(figures("rectangle 0,0,6,6")["fourierRingCorrelation"].isNull());      // too few pixels
        const QByteArray text = run({"compare", "area-a.tif", "area-b.tif", "--area", "disc 0.5"}).out;
        QVERIFY2(text.contains("deviations") && text.contains("noise"), text.constData());
    }

    void compareWritesProfiles()
    {
        engine::Volume a(1, 9, 8), b(1, 9, 8); // rows, columns
        for (int row = 0; row < 9; ++row)
            for (int column = 0; column < 8; ++column) {
                b.values[std::size_t(row) * 8 + column] = float(10 * row + column);
                a.values[std::size_t(row) * 8 + column] =
                    float(10 * row + column) + (column == 5 ? 1e-4f * float(row) : 0);
            }
        engine::writeTiffImage(path("tilted.tif"), a, 0, true, {});
        engine::writeTiffImage(path("plane.tif"), b, 0, true, {});
        const auto linesOf = [&](const QString& name) {
            return QString::fromUtf8(contents(name)).split('\n', Qt::SkipEmptyParts);
        };
        Result result = run({"compare", "tilted.tif", "plane.tif", "--profile", "row.csv"});
        QVERIFY2(result.status == 0 && result.out.contains("RMSE"), result.err.constData());
        const QStringList row = linesOf("row.csv");
        QCOMPARE(row.size(), 1 + 8);
        QCOMPARE(row[0], QString("position [pixels],image,reference,difference"));
        QCOMPARE(row[1], QString("0,40,40,0"));
        QVERIFY2(row[6].startsWith("5,45.0004,45,0.0004"), qPrintable(row[6])); // row 4 is the middle one

        // Along column 5, overwriting the file; the difference has more digits than the values.
        result =
            run({"compare", "tilted.tif", "plane.tif", "--profile", "row.csv", "--line", "5,1,5,8", "--overwrite"});
        QVERIFY2(result.status == 0, result.err.constData());
        const QStringList column = linesOf("row.csv");
        QCOMPARE(column.size(), 1 + 8);
        for (int k = 0; k < 8; ++k) {
            const QStringList cells = column[1 + k].split(',');
            QCOMPARE(cells[0].toInt(), k);
            QCOMPARE(cells[2].toDouble(), 10.0 * (k + 1) + 5);
            QVERIFY2(std::abs(cells[3].toDouble() - 1e-4 * (k + 1)) < 5e-6,
                     qPrintable(column[1 + k])); // precision of a float near 85
        }
        // With "-", standard output contains nothing but the profile.
        result = run({"compare", "tilted.tif", "plane.tif", "--profile", "-"});
        QCOMPARE(result.out.count('\n'), 9);
        QVERIFY(result.out.startsWith("position"));
    }

    // Volumes of different formats, slice by slice; the differences keep the numbers of their slices.
    void volumes()
    {
        QCOMPARE(run({"reconstruct", "head.h5", "-o", "whole.h5"}).status, 0);
        QCOMPARE(run({"reconstruct", "head.h5", "-o", "halves/", "--precision", "half", "--slices", "1:4"}).status, 0);
        const Result result = run({"compare", "whole.h5", "halves/", "--ssim", "--json", "-", "-o", "differences.h5"});
        QCOMPARE(result.status, 0);
        QVERIFY2(result.err.contains("whole.h5 has slices 0 to 4 and halves/ slices 1 to 3; 3 that both have are"),
                 result.err.constData());
        const QJsonArray slices = result.json()["slices"].toArray();
        QCOMPARE(slices.size(), 3);
        double squares = 0, maximum = 0;
        for (int k = 0; k < 3; ++k) {
            const QString number = QString::number(k + 1);
            QCOMPARE(slices[k]["slice"].toInt(), k + 1);
            const QJsonObject alone = run({"compare", "whole.h5", "halves/", "--slice", number, "--json", "-"}).json();
            for (const char* key : {"rmse", "maximum", "psnrDb", "ssim", "pixels"})
                QCOMPARE(slices[k][key].toDouble(), alone[key].toDouble());
            squares += std::pow(alone["rmse"].toDouble(), 2) / 3;
            maximum = std::max(maximum, alone["maximum"].toDouble());
            const auto at = [&](const char* file) { return engine::readSlice({path(file)}, k + 1).image; };
            const engine::Volume one = at("whole.h5"), other = at("halves"), difference = at("differences.h5");
            for (std::size_t i = 0; i < one.values.size(); ++i)
                QCOMPARE(difference.values[i], one.values[i] - other.values[i]);
        }
        const QJsonObject whole = result.json()["whole"].toObject();
        QVERIFY(std::abs(whole["rmse"].toDouble() / std::sqrt(squares) - 1) < 1e-12);
        QCOMPARE(whole["maximum"].toDouble(), maximum);
        QCOMPARE(run({"compare", "whole.h5", "halves/", "--slices", "2:3", "--csv", "-"}).out.count('\n'), 2);
    }

    void limits()
    {
        QCOMPARE(run({"compare", "whole.h5", "halves/", "--fail-above", "rmse=1,max=1"}).status, 0);
        const Result above = run({"compare", "whole.h5", "halves/", "--fail-above", "rmse=1,maximum=1e-30"});
        QCOMPARE(above.status, 3);
        QVERIFY(above.err.contains("warning: maximum is "));
        QCOMPARE(run({"compare", "whole.h5", "halves/", "--slice", "2", "--fail-above", "rmse=1e-30"}).status, 3);
        QCOMPARE(run({"compare", "nan.tif", "zero.tif", "--fail-above", "rmse=1e30"}).status, 3); // can't be measured
        for (const char* bad : {"rmse", "psnr=3", "rmse=-1", "rmse=x"})
            QCOMPARE(run({"compare", "whole.h5", "halves/", "--fail-above", bad}).status, 2);
        QCOMPARE(run({"compare", "whole.h5", "halves/", "--slices", "4:5"}).status, 2);
        QCOMPARE(run({"compare", "nan.tif", "zero.tif", "--slices", "0:1"}).status, 2);
        QCOMPARE(run({"compare", "whole.h5", "halves/", "--profile", "-"}).status, 2);
    }
};

SINOSCOPE_TEST(CompareTest, QCoreApplication)
#include "compare_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Phantoms simulated and reconstructed by the program, compared with their exact images.
#include "engine/io/slices/slice_writer.h"
#include "engine/simulate/phantom.h"
#include "tests/app/program.h"

using program::Result;

class PhantomTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        const Result made = makeHead();
        QVERIFY2(made.status == 0, made.err.constData());
        QCOMPARE(made.json()["projections"].toInt(), 151);
        QCOMPARE(files(), QStringList({"head.h5", "head.tif"}));
    }

    void roundTripIsCloseToTheExactImage()
    {
        // The exact image that is written equals the engine's.
        engine::Simulation simulation;
        simulation.phantom = engine::Phantom::sheppLogan3d;
        simulation.size = 96;
        simulation.projections = 151;
        simulation.slices = 5;
        simulation.axisOffsetBins = 2.5;
        const engine::Volume exact =
            engine::simulate(simulation)->exactImage(2, engine::SliceGrid{96, 0, 0, 96, 96, 1});
        QCOMPARE(engine::readTiffImage(path("head.tif")).values, exact.values);

        const Result made = run({"reconstruct", "head.h5", "--output", "round.tif", "--axis", "50", "--json", "-"});
        QVERIFY2(made.status == 0, made.err.constData());
        const Result compared = run({"compare", "round.tif", "head.tif", "--disc", "0.9", "--json", "-"});
        QVERIFY2(compared.status == 0, compared.err.constData());
        const QJsonObject metrics = compared.json();
        // A 96² slice resolves the thin skull less well than the 512² of the literature (0.0150).
        QVERIFY2(metrics["rmse"].toDouble(1) < 0.06 * metrics["referenceRange"].toDouble(), compared.out.constData());
        QVERIFY2(std::abs(metrics["meanImage"].toDouble(1) / metrics["meanReference"].toDouble() - 1) < 0.02,
                 compared.out.constData());
        QVERIFY2(metrics["ssim"].toDouble() > 0.8, compared.out.constData());

        // A wrong axis exceeds the bound, so the bound above can fail.
        QCOMPARE(run({"reconstruct", "head.h5", "-o", "off.tif", "--axis", "middle"}).status, 0);
        const QJsonObject off = run({"compare", "off.tif", "head.tif", "--disc", "0.9", "--json", "-"}).json();
        QVERIFY(off["rmse"].toDouble() > 0.06 * off["referenceRange"].toDouble());
    }

    // A simulated cone beam is written with its geometry, opens as a cone beam and is reconstructed in 1/mm.
    void coneBeams_data()
    {
        QTest::addColumn<QString>("format");
        QTest::newRow("DXchange") << "dxchange";
        QTest::newRow("NXtomo") << "nxtomo";
    }
    void coneBeams()
    {
        QFETCH(const QString, format);
        const Result made = run({"phantom",
                                 "ball",
                                 "--geometry",
                                 "cone",
                                 "--size",
                                 "64",
                                 "--slices",
                                 "48",
                                 "--projections",
                                 "90",
                                 "--source-axis",
                                 "300",
                                 "--source-detector",
                                 "450",
                                 "--pixel",
                                 "1.5,1.2",
                                 "--detector-offset",
                                 "3,0",
                                 "--tilt",
                                 "1",
                                 "--arc",
                                 "360",
                                 "--output",
                                 "cone.h5",
                                 "--format",
                                 format,
                                 "--exact",
                                 "cone.tif",
                                 "--overwrite",
                                 "--json",
                                 "-"});
        QVERIFY2(made.status == 0, made.err.constData());
        const QJsonObject info = run({"info", "cone.h5", "--json", "-"}).json();
        QCOMPARE(info["geometry"].toString(), QStringLiteral("cone beam"));
        const Result image =
            run({"reconstruct", "cone.h5", "--method", "exact", "--output", "slice.tif", "--overwrite", "--json", "-"});
        QVERIFY2(image.status == 0, image.err.constData());
        QCOMPARE(image.json()["unit"].toString(), QStringLiteral("1/mm"));
        const QJsonObject metrics = run({"compare", "slice.tif", "cone.tif", "--disc", "0.9", "--json", "-"}).json();
        QVERIFY(metrics["rmse"].toDouble(1) < 0.15 * metrics["referenceRange"].toDouble());
        QVERIFY(std::abs(metrics["meanImage"].toDouble(1) / metrics["meanReference"].toDouble() - 1) < 0.02);
        const Result found = run({"reconstruct", "cone.h5", "--method", "exact", "--axis", "find", "--output",
                                  "slice.tif", "--overwrite", "--json", "-"});
        QVERIFY2(found.status == 0, found.err.constData());
        QVERIFY(std::abs(found.json()["axis"].toDouble() - 29.5) < 0.3);
    }

    void conesThatCannotBe()
    {
        const auto refused = [this](const QStringList& more, const char* word) {
            const Result result = run(QStringList{"phantom", "ball", "--size", "32", "--output", "no.h5"} + more);
            return result.status == 2 && result.err.contains(word) && !files().contains("no.h5");
        };
        QVERIFY(refused({"--geometry", "cone"}, "--source-axis"));
        QVERIFY(refused({"--source-axis", "100"}, "--source-detector"));
        QVERIFY(refused({"--geometry", "parallel", "--source-axis", "100"}, "cone beam"));
        QVERIFY(refused({"--source-axis", "10", "--source-detector", "11", "--pixel", "1"}, "inside the volume"));
        QVERIFY(refused({"--source-axis", "100", "--source-detector", "150", "--pixel", "-1"}, "pixel"));
        QVERIFY(refused({"--source-axis", "100", "--source-detector", "150", "--pixel", "1", "--bin-mean"}, "ray"));
        QVERIFY(refused({"--source-axis", "100", "--source-detector", "150", "--pixel", "1", "--detector-offset", "99"},
                        "outside the detector"));
        QVERIFY(refused({"--arc", "200"}, "180 or 360"));
    }

    void phantomInDensities_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<bool>("counts");
        QTest::newRow("DXchange, line integrals") << "dxchange" << false;
        if (fixtures::sanitized) // the bounds hold only for the full size
            return;
        QTest::newRow("NXtomo, line integrals") << "nxtomo" << false;
        QTest::newRow("DXchange, counts") << "dxchange" << true;
    }

    // The case of the literature, repeated as a user would: ASTRA 0.0158, silx 0.0153, skimage 0.0144.
    void phantomInDensities()
    {
        QFETCH(const QString, format);
        QFETCH(const bool, counts);
        QStringList phantom = {"phantom", "shepp-logan", "--size", "512",     "--projections", "804",        "--output",
                               "P.h5",    "--format",    format,   "--exact", "E.tif",         "--overwrite"};
        if (!counts)
            phantom += {"--line-integrals", "--attenuation", "1"};
        const Result made = run(phantom);
        QVERIFY2(made.status == 0, made.err.constData());
        const Result info = run({"info", "P.h5", "--json", "-"});
        QCOMPARE(info.json()["quantity"].toString(), counts ? "counts" : "attenuation");
        QCOMPARE(info.json()["flatFrames"].toInt() > 0, counts);
        const Result image = run({"reconstruct", "P.h5", "--output", "R.tif", "--filter", "ram-lak", "--interpolation",
                                  "linear", "--overwrite", "--json", "-"});
        QVERIFY2(image.status == 0, image.err.constData());
        QCOMPARE(image.json()["axis"].toDouble(), 255.5);
        const Result compared = run({"compare", "R.tif", "E.tif", "--disc", "0.9", "--json", "-"});
        QVERIFY2(compared.status == 0, compared.err.constData());
        const double density = counts ? 4.0 / 512 : 1;
        QVERIFY(std::abs(compared.json()["referenceRange"].toDouble() / density - 1) < 1e-6);
        const double rmse = compared.json()["rmse"].toDouble(1) / density;
        qInfo("RMSE %.5f", rmse);
        QVERIFY2(rmse <= 0.0150, compared.out.constData());
        QVERIFY2(rmse > 0.01, compared.out.constData()); // the image is not compared with itself
        QVERIFY(run({"compare", "R.tif", "E.tif", "--disc", "0.9"}).out.contains(" % of the range"));
    }

    void phantomSamplings()
    {
        for (const QString sampling : {"ray", "binMean"}) {
            QStringList arguments = {"phantom",          "shepp-logan",   "--size", "64",       "--projections", "30",
                                     "--line-integrals", "--attenuation", "1",      "--output", sampling + ".h5"};
            if (sampling == "binMean")
                arguments += "--bin-mean";
            const Result made = run(arguments);
            QVERIFY2(made.status == 0, made.err.constData());
            QCOMPARE(run({"reconstruct", sampling + ".h5", "-o", sampling + ".tif"}).status, 0);
        }
        // Sampling by bin means gives smoother images.
        const auto roughness = [&](const char* name) {
            const engine::Values image = engine::readTiffImage(path(name)).values;
            double sum = 0;
            for (std::size_t i = 1; i < image.size(); ++i)
                sum += std::pow(double(image[i]) - image[i - 1], 2);
            return sum;
        };
        QVERIFY(roughness("binMean.tif") < 0.98 * roughness("ray.tif"));
        QVERIFY(roughness("binMean.tif") > 0.5 * roughness("ray.tif"));
    }
};

SINOSCOPE_TEST(PhantomTest, QCoreApplication)
#include "phantom_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Rates of a machine as a file: they are read back, and an error names the file, the key and the value.
#include "engine/volume/performance_model_json.h"
#include "tests/engine/volume/models.h"
#include "tests/fixtures.h"

#include <QTest>

#include <cmath>
#include <fstream>

using namespace engine;
using fixtures::fails;

class ModelJsonTest : public QObject
{
    Q_OBJECT

  private slots:
    void ratesComeBack()
    {
        Rates rates = models::smallRates(Loading::gathered);
        rates.name = "here";
        rates.reduce = std::nullopt;
        const Json json = {{"program", "Sinoscope"}, {"rates", ratesOf(rates)}}; // as a part of a report
        QCOMPARE(ratesOf(ratesFrom(json)).dump(), ratesOf(rates).dump());
        QVERIFY(json["rates"]["reduceBytesPerSecond"].is_null());
        const Rates read = ratesFrom(json);
        QVERIFY(!read.reduce && read.store == rates.store && read.loading == Loading::gathered && read.name == "here");
        QCOMPARE(read.gpusPerNode, 3);
        QCOMPARE(read.connectorsPerNode, 2);
    }

    void badRates_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value"); // none: the key is missing
        QTest::addColumn<QString>("said");
        const auto row = [](const char* key, const char* value, const char* said) {
            QTest::addRow("%s %s", key, value) << key << value << said;
        };
        row("storeBytesPerSecond", "", "null");
        row("storeBytesPerSecond", "0", "is 0,");
        row("storeBytesPerSecond", "-2.5", "-2.5");
        row("storeBytesPerSecond", "\"fast\"", "\"fast\"");
        row("storeBytesPerSecond", "true", "is true");
        row("gpuMemoryBytes", "null", "is null");
        row("gpusPerNode", "1.5", "is 1.5");
        row("gpusPerNode", "1e300", "whole number");
        row("connectorsPerNode", "0", "above 0");
        row("slicesPerPass", "0", "above 0");
        row("loading", "\"rows\"", "'rows'");
        row("loading", "3", "is 3, but must be a text");
        row("name", "[]", "is []");
        row("storeBytes", "3", "unknown");
    }

    void badRates()
    {
        QFETCH(const QString, key);
        QFETCH(const QString, value);
        QFETCH(const QString, said);
        Json json = {{"rates", ratesOf(paperRates())}};
        const std::string name = key.toStdString();
        if (value.isEmpty())
            json["rates"].erase(name);
        else
            json["rates"][name] = Json::parse(value.toStdString());
        const fixtures::TemporaryFolder folder;
        const auto file = folder / "rates.json";
        std::ofstream(file) << json.dump();
        const bool namesTheKey = name != "loading" || value == "3";
        QVERIFY(fails(ErrorKind::badFile, {file.string(), namesTheKey ? '"' + name + '"' : name, said.toStdString()},
                      [&] { readRates(file); }));
    }

    void noRatesAtAll()
    {
        const fixtures::TemporaryFolder folder;
        const auto file = folder / "rates.json";
        for (const char* text : {"{}", "[]", "3", R"({"rates": 3})"}) {
            std::ofstream(file) << text;
            QVERIFY(fails(ErrorKind::badFile, {file.string(), "no object \"rates\""}, [&] { readRates(file); }));
        }
        std::ofstream(file) << R"({"rates": )";
        QVERIFY(fails(ErrorKind::badFile, {file.string(), "file of rates"}, [&] { readRates(file); }));
        QVERIFY(fails(ErrorKind::badFile, {"none.json"}, [&] { readRates(folder / "none.json"); }));
    }
};

SINOSCOPE_TEST(ModelJsonTest, QCoreApplication)
#include "model_json_test.moc"

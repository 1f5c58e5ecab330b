// SPDX-License-Identifier: GPL-3.0-or-later
// A German locale: numbers in files, reports and on screen keep their decimal points.
#include "engine/documents/report.h"
#include "engine/io/geometry/angles_file.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/write_scan.h"
#include "tests/engine/io/files.h"

#include <QProcess>

#include <clocale>
#include <cmath>
#include <fstream>
#include <numbers>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;
using made::counting;

class IoDecimalCommaTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_folder.emplace(); }

    void decimalComma()
    {
        const std::string locales = at("locales").string();
        fs::create_directory(locales);
        if (QProcess::execute("localedef",
                              {"-i", "de_DE", "-f", "UTF-8", QString::fromStdString(locales + "/de_DE.utf8")}))
            QSKIP("localedef can't make a German locale here");
        qputenv("LOCPATH", locales.c_str());
        const bool german = std::setlocale(LC_ALL, "de_DE.utf8") != nullptr;
        const auto back = qScopeGuard([] {
            std::setlocale(LC_ALL, "C");
            qunsetenv("LOCPATH");
        });
        if (!german || QByteArray(std::localeconv()->decimal_point) != ",")
            QSKIP("the German locale has no effect here");

        Simulation simulation;
        simulation.phantom = Phantom::disc;
        simulation.size = 16;
        simulation.projections = 5;
        simulation.axisOffsetBins = 1.25;
        simulation.photons = 1000.5;
        QVERIFY(simulationFromJson(toJson(simulation)) == simulation);
        const auto simulated = simulate(simulation);
        writeScan(*simulated, &simulation, ScanFormat::dxchange, at("disc.h5"), false);
        const auto scan = openScan(at("disc.h5"));
        QCOMPARE(scan->axisBins(), std::vector<double>{8.75});
        QVERIFY(scanJson(*scan).find("8.75") != std::string::npos);
        for (const auto& [label, value] : simulated->metadata)
            QVERIFY2(value.find(',') == std::string::npos, value.c_str());
        {
            made::Hdf5 file(at("energy.h5"));
            file.numbers("/exchange/data", {2, 1, 3}, counting(6));
            file.numbers("/measurement/instrument/monochromator/energy", {1}, {27.5});
        }
        const auto facts = openScan(at("energy.h5"))->metadata;
        QVERIFY(std::find(facts.begin(), facts.end(), std::pair<std::string, std::string>("Energy", "27.5")) !=
                facts.end());
        std::ofstream(at("angles.txt")) << "0.5\n90\n";
        QVERIFY(std::abs(readAngles(at("angles.txt"))[0] - 0.5 * std::numbers::pi / 180) < 1e-15);
        QCOMPARE(axisFromText("8.75").bins, 8.75);
    }

  private:
    fs::path at(const std::string& name) const { return *m_folder / name; }
    std::optional<TemporaryFolder> m_folder;
};

SINOSCOPE_TEST(IoDecimalCommaTest, QCoreApplication)
#include "decimal_comma_test.moc"

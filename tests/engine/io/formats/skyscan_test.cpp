// SPDX-License-Identifier: GPL-3.0-or-later
// SkyScan's log: geometry and angles, the files that belong to the scan, and scans that are refused.
#include "engine/io/open/open_scan.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/engine/io/bad_files.h"
#include "tests/engine/io/refused.h"

#include <cmath>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

constexpr int views = 120, size = 64;

std::string logText(const std::string& more = {}, int files = views)
{
    return "[System]\r\nScanner=SkyScan1172\r\nSource Type=B\xfchler 100/250\r\nCamera Pixel Size (um)=   50.00\r\n"
           "CameraXYRatio=1.0000\r\n[Acquisition]\r\n" +
           more +
           "Filename Prefix=scan_\r\n"
           "Number Of Files=  " +
           std::to_string(files) +
           "\r\nCamera binning=2x2\r\nImage Pixel Size (um)=   25.00\r\nObject to Source (mm)=  50.000\r\n"
           "Camera to Source (mm)=203.000\r\nOptical Axis (line)= 31\r\nSource Voltage (kV)=  60\r\n"
           "Rotation Step (deg)=3.000\r\nRotation Direction=CC\r\nScanning Trajectory=ROUND\r\n"
           "Reference Intensity=50000\r\n[Reconstruction]\r\nRotation Step (deg)=77\r\n";
}

// Writes the projections of a phantom that the log describes: source to detector 100 µm · 50 mm / 25 µm = 200 mm.
Simulation writeScanIn(const fs::path& folder)
{
    Simulation simulation;
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.size = size;
    simulation.projections = views;
    simulation.arcDeg = 360;
    simulation.slices = size;
    ConeOptions& cone = simulation.cone.emplace();
    cone.sourceAxisMm = 50;
    cone.sourceDetectorMm = 200;
    cone.pixelUMm = 0.1;
    const std::shared_ptr<const Scan> scan = simulate(simulation);
    const RawRows raw = scan->read({0, scan->rows}, {});
    const std::size_t frame = static_cast<std::size_t>(scan->rows) * raw.bins;
    for (int k = 0; k < views; ++k) {
        std::vector<std::uint16_t> image;
        for (std::size_t at = 0; at < frame; ++at) {
            const float dark = raw.darks.empty() ? 0 : raw.darks[at], light = raw.flats[at] - dark;
            image.push_back(static_cast<std::uint16_t>(std::lround(50000 * (raw.data[k * frame + at] - dark) / light)));
        }
        const std::string digits = std::to_string(10000 + k).substr(1);
        made::tiff(folder / ("scan_" + digits + ".tif"), raw.bins, scan->rows, image);
        if (k < 3) {
            made::tiff(folder / ("scan__rec" + digits + ".tif"), 4, 4, std::vector<std::uint16_t>(16, 1));
            made::tiff(folder / "scan__Spr.tif", 4, 4, std::vector<std::uint16_t>(16, 1));
        }
    }
    return simulation;
}

} // namespace

class SkyScanTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        m_folder.emplace();
        m_simulation = writeScanIn(at(""));
    }

    void geometry()
    {
        made::write(at("scan_.log"), logText());
        for (const fs::path& path : {at("scan_.log"), at("")}) {
            const auto scan = openScan(path);
            QCOMPARE(scan->format, std::string("SkyScan"));
            QCOMPARE(scan->projections(), views);
            const auto& beam = std::get<ConeBeam>(scan->geometry);
            QVERIFY(std::abs(beam.sourceDetectorMm - 200) < 1e-9 && std::abs(beam.sourceAxisMm - 50) < 1e-9);
            QVERIFY(std::abs(beam.pixelUMm - 0.1) < 1e-12 && std::abs(beam.centralRow - 31) < 1e-9);
            QVERIFY(std::abs(scan->anglesRad()[1] - 3 * degree) < 1e-12);
            QVERIFY(!scan->anglesReversed && beam.axisBins.empty());
            QVERIFY(mentions(scan->notes,
                             "200 mm, follows from the pixel sizes of scan_.log; its Camera to Source is 203 mm"));
            QVERIFY(mentions(scan->notes, "anticlockwise, from Rotation Direction; that is a guess"));
            QVERIFY(mentions(scan->notes, "Reference Intensity, 50000"));
        }
        std::string clockwise = logText();
        clockwise.replace(clockwise.find("=CC"), 3, "=CW");
        made::write(at("scan_.log"), clockwise);
        QVERIFY(openScan(at("scan_.log"))->anglesReversed);
    }

    // The slice is that of the phantom.
    void image()
    {
        std::string text = logText();
        text.replace(text.find("(line)= 31"), 10, "(line)= 31.5");
        made::write(at("scan_.log"), text);
        const auto middle = [](std::shared_ptr<const Scan> scan) {
            Request request = requestFor(std::move(scan));
            request.place.setSlices({size / 2, 1});
            return Reconstructor().run(request);
        };
        const Reconstruction made = middle(openScan(at("scan_.log"))), exact = middle(simulate(m_simulation));
        QCOMPARE(made.image.width, exact.image.width);
        double apart = 0, all = 0;
        for (std::size_t k = 0; k < exact.image.values.size(); ++k) {
            apart += std::pow(made.image.values[k] - exact.image.values[k], 2);
            all += std::pow(exact.image.values[k], 2);
        }
        QVERIFY2(apart < 0.01 * all, qPrintable(QString::number(apart / all)));
        QVERIFY(made.doubts.empty());
    }

    void endFrame()
    {
        made::write(at("scan_.log"), logText({}, views - 1));
        const auto scan = openScan(at("scan_.log"));
        QCOMPARE(scan->projections(), views - 1);
        QVERIFY(mentions(scan->notes, "scan_0119.tif' is one file more"));
    }

    void refused()
    {
        const auto bad = [&](const std::string& text, const std::vector<std::string>& words) {
            made::write(at("scan_.log"), text);
            return made::refused(at("scan_.log"), words);
        };
        QVERIFY(bad(logText("Number of connected scans=3\r\n"), {"scan_.log", "connected scans", "3"}));
        QVERIFY(bad(logText("Camera Offset=ON\r\n"), {"several positions"}));
        QVERIFY(bad(logText("Scanning Trajectory=SPIRAL\r\n"), {"spiral"}));
        QVERIFY(bad(logText("Object to Source (mm)=-3\r\n"), {"Object to Source", "-3", "above 0"}));
        QVERIFY(bad(logText("Object to Source (mm)=far\r\n"), {"Object to Source", "far"}));
        QVERIFY(bad(logText({}, 7), {"7 files", "120"}));
        std::string cut = logText();
        QVERIFY(bad(cut.substr(0, cut.find("Rotation Step")), {"Rotation Step", "cut off"}));
        made::write(at("other_.log"), logText());
        QVERIFY(made::refused(at("other_.log"), {"other_.log", "no projections"}));
        fs::remove(at("other_.log"));
    }

    // The source of an optical scanner is so far that its beam is parallel.
    void parallel()
    {
        made::write(at("scan_.log"), logText("Object to Source (mm)=1000000\r\n"));
        const auto scan = openScan(at("scan_.log"));
        QVERIFY(std::holds_alternative<ParallelBeam>(scan->geometry));
        QVERIFY(std::abs(*scan->pixelSizeMm() - 0.025) < 1e-12);
    }

  private:
    fs::path at(const std::string& name) const { return *m_folder / name; }

    std::optional<TemporaryFolder> m_folder;
    Simulation m_simulation;
};

SINOSCOPE_TEST(SkyScanTest, QCoreApplication)
#include "skyscan_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The tags of a slice's TIFF file (pixel size, scan and settings), read back by libtiff and by tiffinfo.
#include "engine/base/json_text.h"
#include "engine/documents/report.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/stored_slices.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/volume/write_volume.h"
#include "tests/fixtures.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>

#include <tiffio.h>

#include <sstream>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

struct Tags {
    std::string description, software;
    float x = 0, y = 0;
    std::uint16_t unit = 0;

    // Returns the value of a "key=value" line; empty if there is none.
    std::string of(const std::string& key) const
    {
        std::istringstream lines(description);
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with(key + '='))
                return line.substr(key.size() + 1);
        return {};
    }
};

Tags tagsOf(const fs::path& path)
{
    Tags tags;
    TIFF* tiff = TIFFOpen(path.c_str(), "r");
    if (!tiff)
        return tags;
    const char* text = nullptr;
    if (TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text))
        tags.description = text;
    if (TIFFGetField(tiff, TIFFTAG_SOFTWARE, &text))
        tags.software = text;
    TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &tags.x);
    TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &tags.y);
    TIFFGetField(tiff, TIFFTAG_RESOLUTIONUNIT, &tags.unit);
    TIFFClose(tiff);
    return tags;
}

Request sized(std::optional<double> pixelMm)
{
    auto scan = std::make_shared<Scan>(*smallScan(32, 40, 3));
    scan->path = "/data/tooth\n.h5";
    std::get<ParallelBeam>(scan->geometry).pixelSizeMm = pixelMm;
    Request request = requestFor(scan);
    request.setting.filter.window = Window::hann;
    request.setting.axis = {AxisSettings::Mode::given, 15.25};
    return request;
}

} // namespace

class TiffTagsTest : public QObject
{
    Q_OBJECT
  private slots:
    void ofEachSlice_data()
    {
        QTest::addColumn<QString>("type");
        for (const OutputFormat::Type type : outputTypes())
            QTest::newRow(toText(type).c_str()) << QString::fromStdString(toText(type));
    }
    void ofEachSlice()
    {
        QFETCH(QString, type);
        const TemporaryFolder folder;
        OpenOptions opened;
        opened.angleRangeRad = std::pair(0, std::numbers::pi);
        const WrittenVolume written =
            writeVolume(sized(0.00065), opened,
                        {.path = folder / "out",
                         .name = "tooth",
                         .stored = {.type = outputTypeFromText(type.toStdString()), .range = {}}},
                        {}, {}, {});
        QCOMPARE(written.made.unit, std::string("1/mm"));
        const fs::path file = folder / "out/tooth_00002.tiff";
        const Tags tags = tagsOf(file);
        QVERIFY2(tags.software.starts_with("Sinoscope "), tags.software.c_str());
        QCOMPARE(tags.unit, std::uint16_t(RESUNIT_CENTIMETER));
        QVERIFY(std::abs(10 / tags.x - 0.00065) < 1e-9 && tags.x == tags.y);
        QVERIFY(tags.description.starts_with("ImageJ=1.53\nunit=cm\nspacing=")); // of the slices, for ImageJ
        QVERIFY(std::abs(10 * std::stod(tags.of("spacing")) - 0.00065) < 1e-12);
        // ImageJ converts whole numbers along a straight line, function 0.
        QCOMPARE(tags.of("cf"), std::string(type == "uint16" ? "0" : ""));
        QCOMPARE(tags.of("vunit"), std::string(type == "uint16" ? "1/mm" : ""));
        if (type == "uint16")
            QVERIFY(std::abs(std::stod(tags.of("c0")) - written.format.range.least) < 1e-12 &&
                    std::abs(std::stod(tags.of("c1")) - written.format.step()) < 1e-12);
        QCOMPARE(tags.of("scan"), std::string("/data/tooth?.h5"));
        QCOMPARE(tags.of("slice"), std::string("2"));
        QCOMPARE(tags.of("axis_bins"), std::string("15.25"));
        QCOMPARE(tags.of("pixel_mm"), std::string("0.00065"));
        QCOMPARE(tags.of("method"), std::string("cpu"));
        const auto settings = parsedJson(tags.of("settings"));
        QCOMPARE(settings["filter"]["window"].get<std::string>(), std::string("hann"));
        QCOMPARE(parsedJson(tags.of("opened"))["angleRangeDeg"][1].get<double>(), 180.0);

        // The values and their unit are read back, and the slice is not mistaken for a projection.
        const StoredSlice slice = readSlice({file});
        QCOMPARE(slice.unit, std::string("1/mm"));
        QVERIFY(describesSlice(tags.description));
        Request one = sized(0.00065);
        one.place.setSlices({2, 1});
        const Volume truth = Reconstructor().run(one, {}, {}).image;
        QVERIFY(relativeError(slice.image, truth) < (type == "float32" ? 1e-6 : 2e-3));
    }

    void withoutAPixelSize()
    {
        const TemporaryFolder folder;
        Request request = sized({});
        request.place.setSlices({1, 1});
        writeVolume(request, {}, {.path = folder / "a.tif"}, {}, {}, {});
        const Tags tags = tagsOf(folder / "a.tif");
        QVERIFY(tags.x == 0 && tags.of("pixel_mm").empty());
        QVERIFY2(tags.description.starts_with("reconstructed slice in 1/pixel\n"), tags.description.c_str());
    }

    // Tags as tiffinfo reads them.
    void tiffinfo()
    {
        const QString program = QStandardPaths::findExecutable(QStringLiteral("tiffinfo"));
        if (program.isEmpty())
            QSKIP("tiffinfo isn't installed");
        const TemporaryFolder folder;
        Request request = sized(0.01);
        request.place.setSlices({1, 1});
        writeVolume(request, {}, {.path = folder / "a.tif"}, {}, {}, {});
        QProcess process;
        process.start(program, {folder.file("a.tif")});
        QVERIFY(process.waitForFinished(fixtures::patienceMs));
        const QByteArray text = process.readAllStandardOutput() + process.readAllStandardError();
        QVERIFY2(text.contains("Resolution: 1000, 1000 pixels/cm"), text);
        QVERIFY2(text.contains("Software: Sinoscope"), text);
        QVERIFY2(text.contains("slice=1") && text.contains("\"window\":\"hann\""), text);
        QVERIFY2(!text.contains("arning"), text);
    }
};

SINOSCOPE_TEST(TiffTagsTest, QCoreApplication)
#include "tiff_tags_test.moc"

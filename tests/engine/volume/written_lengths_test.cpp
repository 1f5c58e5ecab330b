// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths in all files that are written: a ball is as high as it is wide, whatever the size of a slice's pixels.
#include "engine/base/json_text.h"
#include "engine/io/hdf5/hdf5_file.h"
#include "engine/io/slices/stored_slices.h"
#include "engine/io/slices/volume_description.h"
#include "engine/json/reconstruction_json.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/volume/write_volume.h"
#include "tests/fixtures.h"

#include <tiffio.h>

#include <cmath>
#include <sstream>

using namespace engine;
using namespace fixtures;

namespace
{

constexpr double ballBinMm = 0.002;
constexpr int ballRows = 48;

Request ballRequest(double pixelBins)
{
    Simulation simulation = densities(Phantom::ball);
    simulation.size = ballRows;
    simulation.slices = ballRows;
    simulation.projections = 60;
    auto scan = std::make_shared<Scan>(*simulate(simulation));
    auto& beam = std::get<ParallelBeam>(scan->geometry);
    beam.pixelSizeMm = ballBinMm;
    beam.pixelBins = pixelBins;
    return fixtures::requestFor(scan);
}

// Returns the length over which values are above half of the one in their middle, between neighbours by interpolation.
double lengthAbove(const std::vector<float>& values, double step)
{
    const std::size_t middle = values.size() / 2;
    const double half = 0.5 * values[middle];
    const auto reach = [&](int way) {
        for (std::ptrdiff_t k = static_cast<std::ptrdiff_t>(middle);; k += way) {
            const std::ptrdiff_t next = k + way;
            if (next < 0 || next >= std::ssize(values))
                return std::abs(double(k) - double(middle));
            const double here = values[std::size_t(k)], there = values[std::size_t(next)];
            if (!(there >= half))
                return std::abs(double(k) - double(middle)) + (here - half) / (here - there);
        }
    };
    return (reach(1) + reach(-1)) * step;
}

// Values of an image's row or column through its middle.
std::vector<float> rowOf(const Volume& image)
{
    const auto row = image.values.begin() + std::ptrdiff_t(image.height / 2) * image.width;
    return {row, row + image.width};
}
std::vector<float> columnOf(const Volume& image)
{
    std::vector<float> column;
    for (int row = 0; row < image.height; ++row)
        column.push_back(image.values[std::size_t(row) * image.width + image.width / 2]);
    return column;
}

// What a TIFF says about lengths, in mm.
struct TiffLengths {
    double across = 0, down = 0, apart = 0;
    std::string description;

    explicit TiffLengths(const std::filesystem::path& path)
    {
        TIFF* tiff = TIFFOpen(path.c_str(), "r");
        if (!tiff)
            return;
        float x = 0, y = 0;
        const char* text = nullptr;
        TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x);
        TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y);
        if (TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text))
            description = text;
        TIFFClose(tiff);
        across = 10.0 / x;
        down = 10.0 / y;
        std::istringstream lines(description);
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with("spacing="))
                apart = 10 * std::stod(line.substr(8));
    }
};

double stepOf(const Hdf5File& file, const std::string& axis)
{
    const std::vector<double> positions = file.dataset("/entry/data/" + axis).numbers();
    return std::abs(positions[1] - positions[0]);
}

} // namespace

class WrittenLengthsTest : public QObject
{
    Q_OBJECT

  private slots:
    void aBallIsRound_data()
    {
        QTest::addColumn<double>("bins");
        QTest::addColumn<QString>("type");
        for (const double bins : {0.5, 1.0, 2.0})
            for (const char* type : {"float32", "uint16"})
                QTest::addRow("%g %s", bins, type) << bins << QString(type);
    }
    void aBallIsRound()
    {
        QFETCH(double, bins);
        QFETCH(QString, type);
        const TemporaryFolder folder;
        const Request request = ballRequest(bins);
        const OutputChoice stored{.type = outputTypeFromText(type.toStdString()), .range = {}};
        writeVolume(request, {}, {.path = folder / "v.h5", .stored = stored}, {}, {}, {});
        writeVolume(request, {}, {.path = folder / "tiffs", .name = "ball", .stored = stored}, {}, {}, {});

        const Hdf5File file(folder / "v.h5");
        QVERIFY(std::abs(stepOf(file, "z") - ballBinMm) < 1e-12);
        QVERIFY(std::abs(stepOf(file, "x") - bins * ballBinMm) < 1e-12);
        QVERIFY(std::abs(stepOf(file, "y") - bins * ballBinMm) < 1e-12);
        const auto configuration = parsedJson(file.text("/entry/reconstruction/configuration").value_or("{}"));
        QCOMPARE(configuration["sliceMm"].get<double>(), ballBinMm);
        QCOMPARE(configuration["pixelMm"].get<double>(), bins * ballBinMm);
        const TiffLengths tiff(folder / "tiffs/ball_00003.tiff");
        QVERIFY(std::abs(tiff.apart - ballBinMm) < 1e-9);
        QVERIFY(std::abs(tiff.across - bins * ballBinMm) < 1e-9 && tiff.down == tiff.across);

        std::vector<float> upwards, inHdf5;
        Volume middle;
        for (int slice = 0; slice < ballRows; ++slice) {
            char name[32];
            std::snprintf(name, sizeof name, "tiffs/ball_%05d.tiff", slice);
            const Volume image = readSlice({folder / name}).image;
            upwards.push_back(image.values[std::size_t(image.height / 2) * image.width + image.width / 2]);
            inHdf5.push_back(readSlice({folder / "v.h5"}, slice)
                                 .image.values[std::size_t(image.height / 2) * image.width + image.width / 2]);
            if (slice == ballRows / 2)
                middle = image;
        }
        const double width = lengthAbove(rowOf(middle), tiff.across), depth = lengthAbove(columnOf(middle), tiff.down),
                     ofTiffs = lengthAbove(upwards, tiff.apart), ofHdf5 = lengthAbove(inHdf5, stepOf(file, "z"));
        const double bound = 0.75 * std::max(bins, 1.0) * ballBinMm;
        QVERIFY2(width > 20 * ballBinMm && std::abs(depth - width) < bound, qPrintable(QString::number(depth / width)));
        QVERIFY2(std::abs(ofTiffs - width) < bound, qPrintable(QString("%1, %2").arg(ofTiffs).arg(width)));
        QVERIFY2(std::abs(ofHdf5 - width) < bound, qPrintable(QString("%1, %2").arg(ofHdf5).arg(width)));
    }

    void aBallIsRoundInPlanes_data()
    {
        QTest::addColumn<double>("bins");
        QTest::addColumn<QString>("plane");
        for (const double bins : {0.5, 1.0, 2.0})
            for (const char* plane :
                 {"x=M", "y=M;pixel=2", "z=23.5", "centre=M,M,23.5;u=1,0,0;v=0,0.6,0.8",
                  "centre=M,M,23.5;u=0.6,0.8,0;v=0,0,1", "centre=M,M,23.5;u=1,0,2;v=0,1,0;pixel=0.5"})
                QTest::addRow("%g %s", bins, plane) << bins << QString(plane);
    }
    void aBallIsRoundInPlanes()
    {
        QFETCH(double, bins);
        QFETCH(QString, plane);
        const TemporaryFolder folder;
        Request request = ballRequest(bins);
        plane.replace("M", QString::number((request.scan->sliceSize() - 1) / 2.0));
        request.place.part = PlanePart{planeFromText(plane.toStdString(), volumeOf(*request.scan))};
        const Plane asked = *request.place.plane();
        writeVolume(request, {}, {.path = folder / "p.h5"}, {}, {}, {});
        writeVolume(request, {}, {.path = folder / "p.tif"}, {}, {}, {});

        const Hdf5File file(folder / "p.h5");
        const auto axis = axisOf(asked);
        const std::string across = !axis                   ? "u"
                                   : *axis == PlaneAxis::x ? "y"
                                                           : "x",
                          down = !axis                   ? "v"
                                 : *axis == PlaneAxis::z ? "y"
                                                         : "z";
        const TiffLengths tiff(folder / "p.tif");
        QVERIFY(std::abs(tiff.across - stepOf(file, across)) < 1e-9);
        QVERIFY(std::abs(tiff.down - stepOf(file, down)) < 1e-9);
        const std::string parameter = file.text("/entry/reconstruction/parameters/plane_pixel_mm").value_or("");
        QVERIFY2(std::abs(std::stod(parameter) - tiff.across) < 1e-9 &&
                     std::abs(std::stod(parameter.substr(parameter.find(',') + 1)) - tiff.down) < 1e-9,
                 parameter.c_str());
        QVERIFY(!contains(tiff.description, "spacing=")); // a plane has no slices
        const Volume image = readSlice({folder / "p.tif"}).image;
        const double width = lengthAbove(rowOf(image), tiff.across), height = lengthAbove(columnOf(image), tiff.down);
        Request level = ballRequest(bins);
        level.place.setSlices({ballRows / 2, 1});
        const double truth = lengthAbove(rowOf(Reconstructor().run(level).image), bins * ballBinMm);
        const double bound = 1.5 * std::max({bins, 1.0, asked.pixel}) * ballBinMm;
        QVERIFY2(std::abs(width - truth) < bound && std::abs(height - truth) < bound,
                 qPrintable(QString("%1 × %2, %3").arg(width).arg(height).arg(truth)));
    }

    // Directions and centre of a plane, and of a turned slab, are those in mm.
    void framesAreInMm()
    {
        const TemporaryFolder folder;
        Request request = ballRequest(0.5);
        const double middle = (request.scan->sliceSize() - 1) / 2.0;
        const auto frame = [&](const std::string& name) {
            writeVolume(request, {}, {.path = folder / (name + ".h5")}, {}, {}, {});
            Reconstruction made;
            made.request = request;
            return volumeDescription(made, request, {}).frame.value();
        };
        request.place.part = SlabPart{request.place.slices(), Slab{middle + 4, middle, 30, 20, 3}};
        request.place.setSlices({10, 5});
        const FrameDescription slab = frame("slab");
        const Hdf5File file(folder / "slab.h5");
        QCOMPARE(file.attribute("/entry/data/data", "slab").value_or(""), toText(*request.place.slab()));
        QVERIFY(std::abs(std::stod(file.attribute("/entry/data/data", "slab_u").value_or("0")) -
                         std::cos(30 * degree)) < 1e-9);
        QVERIFY(file.attribute("/entry/data/data", "slab_units") == "mm");
        QVERIFY(std::abs(slab.centre[0] - 4 * 0.001) < 1e-9 && std::abs(slab.centre[1]) < 1e-9 &&
                std::abs(slab.centre[2] + 12 * ballBinMm) < 1e-9);
        // The slab's x and y are distances along u, and against v.
        const std::vector<double> x = file.dataset("/entry/data/x").numbers(),
                                  y = file.dataset("/entry/data/y").numbers();
        const double along = slab.centre[0] * slab.u[0] + slab.centre[1] * slab.u[1],
                     up = -(slab.centre[0] * slab.v[0] + slab.centre[1] * slab.v[1]);
        QVERIFY(std::abs((x.front() + x.back()) / 2 - along) < 1e-9);
        QVERIFY(std::abs((y.front() + y.back()) / 2 - up) < 1e-9);

        request.place.part = PlanePart{planeFromText("centre=50,40,20;u=1,0,0;v=0,0.6,0.8", volumeOf(*request.scan))};
        const FrameDescription plane = frame("plane");
        // v crosses 0.6 pixels of 1 µm and 0.8 slices of 2 µm.
        const double length = std::hypot(0.6 * 0.001, 0.8 * 0.002);
        QVERIFY(std::abs(plane.pixel[0] - 0.001) < 1e-12 && std::abs(plane.pixel[1] - length) < 1e-12);
        QVERIFY(std::abs(plane.v[1] + 0.0006 / length) < 1e-12 && std::abs(plane.v[2] + 0.0016 / length) < 1e-12);
    }
};

SINOSCOPE_TEST(WrittenLengthsTest, QCoreApplication)
#include "written_lengths_test.moc"

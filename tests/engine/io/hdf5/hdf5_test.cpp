// SPDX-License-Identifier: GPL-3.0-or-later
// DXchange and NXtomo scans in HDF5, in every form in which they may come, from files written by the tests.
#include "engine/io/open/open_scan.h"
#include "tests/engine/io/files.h"

#include <cmath>
#include <fstream>
#include <numbers>
#include <numeric>
#include <thread>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;
using made::counting;
using made::frames;
using made::holds;
using made::value;

namespace
{

} // namespace

class IoHdf5Test : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_folder.emplace(); }

    void dxchangeAxes_data()
    {
        QTest::addColumn<QString>("axes");
        for (const char* axes : {"", "theta:y:x", "y:theta:x", "theta:x:y", "x:y:theta", "y:x:theta", "x:theta:y"})
            QTest::newRow(axes) << QString(axes);
    }

    void dxchangeAxes()
    {
        QFETCH(QString, axes);
        const QStringList names = (axes.isEmpty() ? QString("theta:y:x") : axes).split(':');
        const int length[3] = {5, 3, 4}; // projections, rows, bins
        std::vector<hsize_t> shape;
        for (const QString& name : names)
            shape.push_back(length[name == "theta" ? 0 : name == "y" ? 1 : 2]);
        std::vector<double> values;
        for (int i = 0; i < int(shape[0]); ++i)
            for (int j = 0; j < int(shape[1]); ++j)
                for (int k = 0; k < int(shape[2]); ++k) {
                    const int index[3] = {i, j, k};
                    values.push_back(
                        value(index[names.indexOf("theta")], index[names.indexOf("y")], index[names.indexOf("x")]));
                }
        {
            made::Hdf5 file(at("scan.h5"));
            file.numbers("/exchange/data", shape, values, H5T_STD_U16BE);
            if (!axes.isEmpty())
                file.attribute("/exchange/data", "axes", axes.toStdString());
        }
        const auto scan = openScan(at("scan.h5"));
        QCOMPARE(scan->rows, 3);
        QCOMPARE(scan->bins(), 4);
        QCOMPARE(scan->projections(), 5);
        for (const RowRange rows : {RowRange{0, 3}, RowRange{1, 2}, RowRange{2, 1}})
            QVERIFY(holds(scan->read(rows, {}).data, {0, 1, 2, 3, 4}, rows, 4));
    }

    void dxchangeAngles()
    {
        {
            made::Hdf5 file(at("both-ends.h5"));
            file.numbers("/exchange/data", {5, 1, 4}, frames(5, 1, 4));
        }
        const auto even = openScan(at("both-ends.h5"));
        QVERIFY(std::abs(even->anglesRad()[1] - 45 * degree) < 1e-12);
        QVERIFY(std::abs(even->anglesRad()[4] - 180 * degree) < 1e-12);
        QVERIFY(mentions(even->notes, "both ends"));
        {
            made::Hdf5 file(at("steps.h5"));
            file.numbers("/exchange/data", {5, 1, 4}, frames(5, 1, 4));
            file.numbers("/process/acquisition/rotation/rotation_start", {1}, {10});
            file.numbers("/process/acquisition/rotation/rotation_step", {1}, {0.5});
            file.numbers("/process/acquisition/rotation/num_angles", {1}, {5});
        }
        const auto steps = openScan(at("steps.h5"));
        QVERIFY(std::abs(steps->anglesRad()[4] - 12 * degree) < 1e-12);
        OpenOptions options;
        options.angleRangeRad = {1, 3};
        QCOMPARE(openScan(at("steps.h5"), options)->anglesRad(), (std::vector<double>{1, 1.5, 2, 2.5, 3}));
    }

    void dxchangeFacts()
    {
        {
            made::Hdf5 file(at("scan.h5"));
            file.numbers("/exchange/data", {4, 3, 4}, frames(4, 3, 4), H5T_STD_I32LE);
            file.numbers("/exchange/data_white", {2, 3, 4}, frames(2, 3, 4, 20));
            file.numbers("/exchange/data_dark", {3, 4}, frames(1, 3, 4, 30)); // a single frame, as a 2-D data set
            const std::string resolution = "/measurement/instrument/detection_system/objective/resolution";
            file.numbers(resolution, {1}, {1.25});
            file.attribute(resolution, "units", "microns");
            file.numbers("/measurement/instrument/monochromator/energy", {1}, {27.4});
            file.attribute("/measurement/instrument/monochromator/energy", "units", "keV");
            file.text("/measurement/sample/name", "shale");
        }
        const auto scan = openScan(at("scan.h5"));
        QCOMPARE(scan->sampleType, std::string("int32"));
        QVERIFY(std::abs(scan->pixelSizeMm().value_or(0) - 0.00125) < 1e-12);
        QVERIFY(scan->quantity == Quantity::counts);
        using Entry = std::pair<std::string, std::string>;
        QCOMPARE(scan->metadata, (std::vector<Entry>{{"Sample", "shale"}, {"Energy", "27.4 keV"}}));
        QCOMPARE(scan->energyKeV.value_or(0), 27.4);
        QVERIFY(!scan->detectorDistanceMm);
        const RawRows raw = scan->read({1, 2}, {});
        QCOMPARE(raw.flatFrames, 2);
        QCOMPARE(raw.darkFrames, 1);
        QVERIFY(holds(raw.flats, {20, 21}, {1, 2}, 4));
        QVERIFY(holds(raw.darks, {30}, {1, 2}, 4));
    }

    // The detector's pixel, seen through the objective; the size at the object that the file records comes first.
    void dxchangePixelSizes()
    {
        const std::string instrument = "/measurement/instrument/",
                          objective = instrument + "detection_system/objective/";
        struct Number {
            std::string path;
            double value;
            const char* unit;
        };
        const auto opened = [&](const std::vector<Number>& numbers) {
            {
                made::Hdf5 file(at("pixel.h5"));
                file.numbers("/exchange/data", {4, 3, 4}, frames(4, 3, 4));
                for (const auto& [path, value, unit] : numbers) {
                    file.numbers(path, {1}, {value});
                    if (unit)
                        file.attribute(path, "units", unit);
                }
            }
            return openScan(at("pixel.h5"));
        };
        const auto sizeUm = [](const std::shared_ptr<const Scan>& scan) {
            return std::round(1e6 * scan->pixelSizeMm().value_or(0)) / 1e3;
        };
        const std::string pixel = instrument + "detector/pixel_size";
        QCOMPARE(sizeUm(opened({{pixel, 6.5, "um"}})), 6.5);
        QCOMPARE(sizeUm(opened({{pixel, 0.00325, "mm"}})), 3.25);
        QCOMPARE(sizeUm(opened({{pixel + "_x", 6.9, "microns"}, {pixel + "_y", 7, "microns"}})), 6.9);
        const auto magnified = opened({{pixel, 6.5, "um"}, {objective + "magnification", 5, nullptr}});
        QCOMPARE(sizeUm(magnified), 1.3);
        QVERIFY(mentions(magnified->notes, "magnification (5)"));
        QCOMPARE(sizeUm(opened({{pixel, 6.5, "um"}, {objective + "magnification", 0, nullptr}})), 0.0);
        QCOMPARE(sizeUm(opened({{pixel, 6.5, "um"}, {objective + "resolution", 1.25, "um"}})), 1.25);
        const auto unknown = opened({{pixel, 6.5, nullptr}});
        QCOMPARE(sizeUm(unknown), 0.0);
        QVERIFY(mentions(unknown->notes, "pixel_size has no unit; the pixel size is left out."));
    }

    // Energy and distance are known only with a unit; a distance of 0 is a field that nobody has filled.
    void nxtomoEnergyAndDistance()
    {
        const auto opened = [&](double energy, const char* energyUnit, double distance, const char* distanceUnit) {
            {
                made::Hdf5 file(at("phase.nxs"));
                file.text("/entry/definition", "NXtomo");
                const std::string detector = "/entry/instrument/detector";
                file.numbers(detector + "/data", {4, 3, 4}, frames(4, 3, 4), H5T_STD_U16LE);
                file.numbers(detector + "/image_key", {4}, {2, 1, 0, 0}, H5T_STD_I32LE);
                file.numbers(detector + "/distance", {1}, {distance});
                file.numbers("/entry/beam/incident_energy", {1}, {energy});
                if (energyUnit)
                    file.attribute("/entry/beam/incident_energy", "units", energyUnit);
                if (distanceUnit)
                    file.attribute(detector + "/distance", "units", distanceUnit);
            }
            const auto scan = openScan(at("phase.nxs"));
            return std::pair(scan->energyKeV.value_or(-1), scan->detectorDistanceMm.value_or(-1));
        };
        QCOMPARE(opened(25, "keV", 0.15, "m"), std::pair(25.0, 150.0));
        QCOMPARE(opened(25000, "eV", 150, "mm"), std::pair(25.0, 150.0));
        const auto [joule, centimetres] = opened(4.005e-15, "J", 15, "cm");
        QVERIFY(std::abs(joule - 24.997) < 0.001 && centimetres == 150);
        QCOMPARE(opened(25, nullptr, 0.15, nullptr), std::pair(-1.0, -1.0));
        QCOMPARE(opened(25, "furlongs", 0, "m"), std::pair(-1.0, -1.0));
    }

    void nxtomoKeys()
    {
        {
            made::Hdf5 file(at("scan.nxs"));
            const std::string entry = "/entry1/tomo_entry";
            file.text(entry + "/definition", "NXtomo");
            file.numbers(entry + "/instrument/detector/data", {9, 3, 4}, frames(9, 3, 4), H5T_STD_U16LE);
            // Flats between the projections, an invalid frame, and an alignment frame at the end.
            file.numbers(entry + "/instrument/detector/image_key", {9}, {2, 1, 0, 0, 1, 3, 0, 0, 0}, H5T_STD_I32LE);
            file.numbers(entry + "/instrument/detector/image_key_control", {9}, {2, 1, 0, 0, 1, 3, 0, 0, -1},
                         H5T_STD_I32LE);
            file.numbers(entry + "/sample/rotation_angle", {9}, {0, 0, 0, 30, 30, 60, 60, 90, std::nan("")});
            file.attribute(entry + "/sample/rotation_angle", "units", "degrees");
        }
        const auto scan = openScan(at("scan.nxs"));
        QCOMPARE(scan->format, std::string("NXtomo"));
        QCOMPARE(scan->projections(), 4);
        QVERIFY(std::abs(scan->anglesRad()[2] - 60 * degree) < 1e-12);
        QVERIFY(std::abs(scan->anglesRad()[3] - 90 * degree) < 1e-12);
        QVERIFY(mentions(scan->notes, "alignment"));
        QVERIFY(mentions(scan->notes, "invalid"));
        QCOMPARE(scan->flatPlaces, (std::vector<double>{-0.5, 1.5}));
        OpenOptions options;
        options.reduction.leftOut = {{0, 1}};
        QCOMPARE(openScan(at("scan.nxs"), options)->flatPlaces, (std::vector<double>{-0.5, 0.5}));
        for (const RowRange rows : {RowRange{0, 3}, RowRange{1, 1}}) {
            const RawRows raw = scan->read(rows, {});
            QVERIFY(holds(raw.data, {2, 3, 6, 7}, rows, 4));
            QVERIFY(holds(raw.flats, {1, 4}, rows, 4));
            QVERIFY(holds(raw.darks, {0}, rows, 4));
        }
    }

    void nxtomoFacts()
    {
        {
            made::Hdf5 file(at("scan.nxs"));
            file.text("/entry0000/definition", "NXtomo");
            file.text("/entry0000/title", "bone");
            file.text("/entry0000/instrument/source/name", "the ring");
            file.text("/entry0000/instrument/source/type", "Synchrotron X-ray Source");
            file.text("/entry0000/instrument/source/probe", "x-ray");
            const std::string detector = "/entry0000/instrument/camera"; // any name is allowed
            file.numbers(detector + "/data", {3, 2, 4}, frames(3, 2, 4));
            file.numbers(detector + "/image_key", {3}, {0, 0, 0});
            file.numbers(detector + "/x_pixel_size", {1}, {6.5e-6});
            file.attribute(detector + "/x_pixel_size", "units", "m");
            file.numbers(detector + "/x_rotation_axis_pixel_position", {1}, {0.25});
            file.numbers("/entry0000/sample/rotation_angle", {3}, {0, 1, 2});
            file.attribute("/entry0000/sample/rotation_angle", "units", "rad");
        }
        const auto scan = openScan(at("scan.nxs"));
        QVERIFY(std::abs(scan->pixelSizeMm().value_or(0) - 0.0065) < 1e-12);
        QCOMPARE(scan->anglesRad(), (std::vector<double>{0, 1, 2}));
        QVERIFY(scan->axisBins().empty()); // a hint is never applied
        QCOMPARE(scan->axisHints.size(), std::size_t(2));
        QCOMPARE(scan->axisHints[0].axisBins, 0.25);
        QCOMPARE(scan->axisHints[1].axisBins, 1.75);
        using Entry = std::pair<std::string, std::string>;
        QCOMPARE(scan->metadata, (std::vector<Entry>{{"Title", "bone"},
                                                     {"Source", "the ring"},
                                                     {"Source type", "Synchrotron X-ray Source"},
                                                     {"Probe", "x-ray"}}));
    }

    void angleUnits()
    {
        const auto second = [&](const char* units, double last) {
            {
                made::Hdf5 file(at("scan.h5"));
                file.numbers("/exchange/data", {3, 1, 2}, frames(3, 1, 2));
                file.numbers("/exchange/theta", {3}, {0, last / 2, last});
                if (*units)
                    file.attribute("/exchange/theta", "units", units);
            }
            return openScan(at("scan.h5"))->anglesRad()[1];
        };
        QVERIFY(std::abs(second("deg", 4) - 2 * degree) < 1e-15);
        QVERIFY(std::abs(second("degrees", 180) - 90 * degree) < 1e-15);
        QVERIFY(std::abs(second("radian", 3) - 1.5) < 1e-15);
        QVERIFY(std::abs(second("", 180) - 90 * degree) < 1e-15);
        QVERIFY(std::abs(second("", 3) - 1.5) < 1e-15);
        QVERIFY(mentions(openScan(at("scan.h5"))->notes, "radians are assumed"));
    }

    // Opening reads only a tiny part of the file.
    void hugeFileOpensAtOnce()
    {
        {
            made::Hdf5 file(at("huge.h5"));
            const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
            const hsize_t chunk[3] = {1, 8, 20000};
            H5Pset_chunk(plist, 3, chunk);
            file.numbers("/exchange/data", {3000, 2000, 20000}, {}, H5T_STD_U16LE, plist); // 240 GB
            H5Pclose(plist);
            for (const hsize_t frame : {0, 2999})
                made::writeChunk(file, "/exchange/data", {frame, 0, 0}, std::string(2 * 8 * 20000, '\1'));
        }
        const long long before = made::bytesRead();
        const auto scan = openScan(at("huge.h5"));
        const long long read = made::bytesRead() - before;
        QVERIFY2(before >= 0 && read < 1 << 20, qPrintable(QString::number(read)));
        const RawRows raw = scan->read({1999, 1}, {});
        QCOMPARE(raw.data.size(), std::size_t(3000) * 20000);
        QCOMPARE(raw.data.type().bytes, 2);
        QCOMPARE(raw.data[raw.data.size() - 1], 0.0f);
    }

    void chunksAlongAngles()
    {
        const int count = 600;
        {
            made::Hdf5 file(at("scan.nxs"));
            file.text("/entry/definition", "NXtomo");
            const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
            const hsize_t chunk[3] = {7, 2, 4};
            H5Pset_chunk(plist, 3, chunk);
            H5Pset_shuffle(plist);
            H5Pset_deflate(plist, 4);
            file.numbers("/entry/instrument/detector/data", {hsize_t(count), 3, 4}, frames(count, 3, 4), H5T_IEEE_F32LE,
                         plist);
            H5Pclose(plist);
            std::vector<double> keys(count, 0);
            std::fill_n(keys.begin(), 10, 1); // so that projections begin inside a chunk
            file.numbers("/entry/instrument/detector/image_key", {hsize_t(count)}, keys);
            file.numbers("/entry/sample/rotation_angle", {hsize_t(count)}, counting(count, 0.3));
        }
        std::vector<int> projections(count - 10);
        std::iota(projections.begin(), projections.end(), 10);
        const auto scan = openScan(at("scan.nxs"));
        QVERIFY(holds(scan->read({1, 2}, {}).data, projections, {1, 2}, 4));
    }

    void readFromManyThreads()
    {
        {
            made::Hdf5 file(at("scan.h5"));
            file.numbers("/exchange/data", {50, 8, 4}, frames(50, 8, 4));
        }
        const auto scan = openScan(at("scan.h5"));
        std::vector<int> all(50);
        std::iota(all.begin(), all.end(), 0);
        std::vector<int> right(8, 0);
        {
            std::vector<std::jthread> threads;
            for (int row = 0; row < 8; ++row)
                threads.emplace_back([&, row] {
                    for (int turn = 0; turn < 20; ++turn)
                        right[row] += holds(scan->read({row, 1}, {}).data, all, {row, 1}, 4);
                });
        }
        QCOMPARE(right, std::vector<int>(8, 20));
    }

  private:
    fs::path at(const std::string& name) const { return *m_folder / name; }
    std::optional<TemporaryFolder> m_folder;
};

SINOSCOPE_TEST(IoHdf5Test, QCoreApplication)
#include "hdf5_test.moc"

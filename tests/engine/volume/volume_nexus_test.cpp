// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 volumes as NeXus files that other programs plot: classes, axes with positions and units, title, source file,
// parameters, and the scan's metadata.
#include "engine/io/hdf5/hdf5_file.h"
#include "engine/io/slices/stored_slices.h"
#include "engine/io/slices/volume_description.h"
#include "engine/volume/write_volume.h"
#include "tests/fixtures.h"

#include <hdf5.h>

#include <cmath>

using namespace engine;
using namespace fixtures;

namespace
{

namespace fs = std::filesystem;

Request requestFor(bool isCone, const NamedTexts& metadata)
{
    Simulation simulation;
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.size = 24;
    simulation.projections = 30;
    simulation.slices = 7;
    if (isCone) {
        simulation.arcDeg = 360;
        simulation.cone.emplace();
        simulation.cone->sourceAxisMm = 300;
        simulation.cone->sourceDetectorMm = 450;
        simulation.cone->pixelUMm = 0.3;
    }
    auto scan = std::make_shared<Scan>(*simulate(simulation));
    scan->metadata = metadata;
    Request request;
    request.scan = scan;
    request.place.setSlices({2, 3});
    request.setting.filter.window = Window::hann;
    request.resources.device.backend = "cpu";
    return request;
}

// Returns a list of texts with commas between them.
std::string textsOf(const fs::path& path, const char* object, const char* name)
{
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    std::vector<char*> texts(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    std::string all;
    if (H5Tis_variable_str(type) > 0 && H5Aread(attribute, type, texts.data()) >= 0) {
        for (const char* text : texts)
            all += (all.empty() ? "" : ",") + std::string(text);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    H5Fclose(file);
    return all;
}

} // namespace

class VolumeNexusTest : public QObject
{
    Q_OBJECT

  private slots:
    // Stored integers have no unit: programs would show it beside 0 to 65535.
    void unitsOfIntegers()
    {
        const TemporaryFolder folder;
        const Request request = requestFor(true, {});
        const std::string data = "/entry/data/data";
        for (const OutputFormat::Type type : outputTypes()) {
            const fs::path path = folder / (toText(type) + ".h5");
            writeVolume(request, {}, {.path = path, .stored = {.type = type, .range = {}}}, {}, {}, {});
            const Hdf5File file(path);
            const bool isScaled = type == OutputFormat::Type::uint16;
            QCOMPARE(file.attribute(data, "units").value_or(""), std::string(isScaled ? "" : "1/mm"));
            QCOMPARE(file.attribute(data, "scaled_units").value_or(""), std::string(isScaled ? "1/mm" : ""));
            QCOMPARE(contains(file.attribute(data, "long_name").value_or(""), "1/mm"), !isScaled);
            QCOMPARE(readSlice({path}, 3).unit, std::string("1/mm"));
        }
    }

    void axes_data()
    {
        QTest::addColumn<bool>("isCone");
        QTest::newRow("parallel beam, unknown pixel size") << false;
        QTest::newRow("cone beam") << true;
    }

    // Each position is that of the grid, also for a region of some slices.
    void axes()
    {
        QFETCH(const bool, isCone);
        const TemporaryFolder folder;
        Request request = requestFor(isCone, {});
        request.place.setRegion(Region{3, 5, 11, 9});
        writeVolume(request, {}, {.path = folder / "v.h5"}, {}, {}, {});
        const Hdf5File file(folder / "v.h5");
        QCOMPARE(file.attribute("/", "NX_class").value_or(""), std::string("NXroot"));
        QCOMPARE(file.attribute("/", "default").value_or(""), std::string("entry"));
        QCOMPARE(file.attribute("/entry", "default").value_or(""), std::string("data"));
        const double pixel = request.scan->pixelSizeMm().value_or(1);
        QCOMPARE(request.scan->pixelSizeMm().has_value(), isCone);
        const double middle = (request.scan->sliceSize() - 1) / 2.0;
        for (const std::string group : {"/entry/data", "/entry/reconstruction/results"}) {
            QCOMPARE(file.attribute(group, "NX_class").value_or(""), std::string("NXdata"));
            QCOMPARE(file.attribute(group, "signal").value_or(""), std::string("data"));
            QCOMPARE(textsOf(folder / "v.h5", group.c_str(), "axes"), std::string("z,y,x"));
            QCOMPARE(file.dataset(group + "/data").shape(), (std::vector<long long>{3, 9, 11}));
            for (const char* axis : {"/x", "/y", "/z"})
                QCOMPARE(file.attribute(group + axis, "units").value_or(""), std::string(isCone ? "mm" : "pixel"));
            const std::vector<double> x = file.dataset(group + "/x").numbers(),
                                      y = file.dataset(group + "/y").numbers(),
                                      z = file.dataset(group + "/z").numbers();
            QVERIFY(x.size() == 11 && y.size() == 9 && z.size() == 3);
            for (int k = 0; k < 11; ++k)
                QVERIFY(std::abs(x[std::size_t(k)] - (3 + k - middle) * pixel) < 1e-9);
            for (int k = 0; k < 9; ++k)
                QVERIFY(std::abs(y[std::size_t(k)] - (middle - 5 - k) * pixel) < 1e-9);
            for (int k = 0; k < 3; ++k)
                QVERIFY(std::abs(z[std::size_t(k)] + (2 + k) * pixel) < 1e-9); // up
        }
    }

    void facts()
    {
        const TemporaryFolder folder;
        const NamedTexts known = {
            {"Title", "a tooth"}, {"Sample", "tooth 4"}, {"Source", "the ring"}, {"Source type", "Synchrotron"},
            {"Probe", "x-ray"},   {"Energy", "20 keV"},  {"Odd/name.", "1"},     {"Energy", "30 keV"}};
        writeVolume(requestFor(false, known), {}, {.path = folder / "v.h5"}, {}, {}, {});
        const Hdf5File file(folder / "v.h5");
        const auto says = [&](const char* path, const std::string& expected) {
            const std::string text = file.text(path).value_or("nothing");
            QVERIFY2(text == expected, (path + (": " + text)).c_str());
        };
        says("/entry/title", "a tooth");
        says("/entry/data/title", "a tooth");
        says("/entry/definition", "NXtomoproc");
        says("/entry/sample/name", "tooth 4");
        says("/entry/instrument/source/name", "the ring");
        says("/entry/instrument/source/type", "Synchrotron");
        says("/entry/instrument/source/probe", "x-ray");
        says("/entry/scan/energy", "20 keV");
        says("/entry/scan/odd_name_", "1");
        says("/entry/reconstruction/program", "sinoscope");
        says("/entry/reconstruction/parameters/filter", "hann");
        says("/entry/reconstruction/parameters/method_used", "cpu");
        QVERIFY(!file.text("/entry/reconstruction/parameters/ring_snr")); // rings stay: the option does nothing
        QVERIFY(file.text("/entry/reconstruction/parameters/raw_file").has_value());
        QVERIFY(file.text("/entry/reconstruction/version").has_value());
    }

    // The definition demands what this scan doesn't say.
    void unknownSource()
    {
        const TemporaryFolder folder;
        writeVolume(requestFor(false, {{"Sample", "tooth 4"}}), {}, {.path = folder / "v.h5"}, {}, {}, {});
        const Hdf5File file(folder / "v.h5");
        QVERIFY(!file.text("/entry/definition"));
        QVERIFY(file.node("/entry/instrument") == Hdf5File::Node::none);
        QCOMPARE(file.text("/entry/sample/name").value_or(""), std::string("tooth 4"));
    }
};

SINOSCOPE_TEST(VolumeNexusTest, QCoreApplication)
#include "volume_nexus_test.moc"

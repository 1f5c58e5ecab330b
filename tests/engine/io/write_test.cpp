// What is written comes back as it was, in both formats; and nothing half-written stays.
#include "engine/error.h"
#include "engine/io/open_scan.h"
#include "engine/io/write_scan.h"
#include "engine/io/write_slices.h"

#include <QTemporaryDir>
#include <QTest>

#include <hdf5.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <vector>

using namespace engine;
namespace fs = std::filesystem;

namespace
{

// The kind and message of the Error that a step throws.
template <typename Step>
std::pair<std::optional<ErrorKind>, std::string> errorOf(Step step)
{
    try {
        step();
    } catch (const Error& error) {
        return {error.kind(), error.what()};
    }
    return {};
}

std::vector<std::string> filesIn(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

Simulation small()
{
    Simulation simulation;
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.size = 24;
    simulation.projections = 17;
    simulation.slices = 5;
    simulation.photons = 1e4;
    simulation.axisOffsetBins = 1.25;
    return simulation;
}

// Files of this process can't grow beyond `bytes` while it stands: a full disk, as far as writing goes.
class FullDisk
{
  public:
    explicit FullDisk(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &m_before); }

  private:
    rlimit m_before{};
};

Volume ramp(int slices, int height, int width)
{
    Volume volume(slices, height, width);
    for (std::size_t i = 0; i < volume.values.size(); ++i)
        volume.values[i] = static_cast<float>(i) * 0.25f - 3;
    return volume;
}

Reconstruction part(Volume image)
{
    Reconstruction part;
    part.image = std::move(image);
    part.unit = "1/mm";
    return part;
}

std::string readText(hid_t file, const char* path)
{
    const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT), type = H5Dget_type(dataset);
    std::string text(H5Tget_size(type), '\0');
    H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data());
    H5Tclose(type);
    H5Dclose(dataset);
    return text.c_str();
}

} // namespace

class IoWriteTest : public QObject
{
    Q_OBJECT
  private slots:
    void scanComesBack_data();
    void scanComesBack();
    void scanOfAttenuation();
    void scanCancelled();
    void scanNotOverwritten();
    void scanOnFullDisk_data();
    void scanOnFullDisk();
    void tiffImageComesBack();
    void sliceFolder();
    void sliceFolderUnfinished();
    void slicesCancelled();
    void sliceFile();
    void sliceHdf5();
    void slicesRefused();
    void slicesOnFullDisk_data();
    void slicesOnFullDisk();
    void notOverDevices();
};

void IoWriteTest::scanComesBack_data()
{
    QTest::addColumn<int>("format");
    QTest::newRow("DXchange") << int(ScanFormat::dxchange);
    QTest::newRow("NXtomo") << int(ScanFormat::nxtomo);
}

void IoWriteTest::scanComesBack()
{
    QFETCH(int, format);
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "scan.h5";
    const Simulation simulation = small();
    const auto made = simulate(simulation);
    double reached = 0;
    writeScan(*made, &simulation, ScanFormat(format), path, false, [&](double part) { reached = part; });
    QCOMPARE(reached, 1.0);
    QCOMPARE(filesIn(path.parent_path()), std::vector<std::string>{"scan.h5"});

    const auto scan = openScan(path);
    QCOMPARE(scan->format, std::string(ScanFormat(format) == ScanFormat::dxchange ? "DXchange" : "NXtomo"));
    QCOMPARE(scan->rows, 5);
    QCOMPARE(scan->bins(), 24);
    QCOMPARE(scan->projections(), 17);
    QCOMPARE(scan->darkFrames, made->darkFrames);
    QCOMPARE(scan->flatFrames, made->flatFrames);
    QVERIFY(scan->flatFrames > 0);
    for (int i = 0; i < 17; ++i)
        QVERIFY(std::abs(scan->anglesRad()[i] - made->anglesRad()[i]) < 1e-12);
    QCOMPARE(scan->axisBins(), made->axisBins());
    QCOMPARE(scan->axisBins().at(0), 11.5 + 1.25);
    for (const RowRange rows : {RowRange{0, 5}, RowRange{3, 1}, RowRange{1, 3}}) {
        const RawRows expected = made->read(rows, {}), got = scan->read(rows, {});
        QVERIFY(got.data == expected.data);
        QVERIFY(got.darks == expected.darks);
        QVERIFY(got.flats == expected.flats);
    }
    const SliceGrid grid{24, 0, 0, 24, 24, 1};
    QVERIFY(static_cast<bool>(scan->exactImage));
    QVERIFY(scan->exactImage(2, grid).values == made->exactImage(2, grid).values);
}

void IoWriteTest::scanOfAttenuation()
{
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "scan.nxs";
    Simulation simulation = small();
    simulation.counts = false;
    simulation.photons = 0;
    Scan made = *simulate(simulation);
    std::get<ParallelBeam>(made.geometry).pixelSizeMm = 0.0125;
    for (const ScanFormat format : {ScanFormat::dxchange, ScanFormat::nxtomo}) {
        writeScan(made, nullptr, format, path, true); // as if it had been measured
        const auto scan = openScan(path);
        QVERIFY(scan->quantity == Quantity::attenuation);
        QVERIFY(!scan->exactImage);
        QVERIFY(scan->axisBins().empty());
        QCOMPARE(scan->pixelSizeMm().value_or(0), 0.0125);
        QVERIFY(scan->read({4, 1}, {}).data == made.read({4, 1}, {}).data);
    }
}

void IoWriteTest::scanCancelled()
{
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "scan.h5";
    std::stop_source stop;
    stop.request_stop();
    const auto [kind, message] = errorOf(
        [&] { writeScan(*simulate(small()), nullptr, ScanFormat::dxchange, path, false, {}, stop.get_token()); });
    QVERIFY(kind == ErrorKind::cancelled);
    QVERIFY(filesIn(path.parent_path()).empty());
}

void IoWriteTest::scanNotOverwritten()
{
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "scan.h5";
    std::ofstream(path) << "precious";
    const auto [kind, message] =
        errorOf([&] { writeScan(*simulate(small()), nullptr, ScanFormat::nxtomo, path, false); });
    QVERIFY(kind == ErrorKind::output);
    QVERIFY(message.find(path.string()) != std::string::npos);
    QCOMPARE(fs::file_size(path), std::uintmax_t(8));
    const auto [missing, text] = errorOf(
        [&] { writeScan(*simulate(small()), nullptr, ScanFormat::nxtomo, path.parent_path() / "no/scan.h5", false); });
    QVERIFY(missing == ErrorKind::output);
    QVERIFY(text.find("no/scan.h5") != std::string::npos);
}

void IoWriteTest::scanOnFullDisk_data()
{
    QTest::addColumn<int>("percent");
    for (const int percent : {0, 5, 30, 70, 99})
        QTest::addRow("%d %% of the file fits", percent) << percent;
}

void IoWriteTest::scanOnFullDisk()
{
    QFETCH(int, percent);
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "scan.h5";
    const Simulation simulation = small();
    const auto made = simulate(simulation);
    writeScan(*made, &simulation, ScanFormat::nxtomo, path, false);
    const std::uintmax_t size = fs::file_size(path);
    fs::remove(path);
    std::pair<std::optional<ErrorKind>, std::string> error;
    {
        const FullDisk full(static_cast<rlim_t>(size * percent / 100));
        error = errorOf([&] { writeScan(*made, &simulation, ScanFormat::nxtomo, path, false); });
    }
    QVERIFY(error.first == ErrorKind::output);
    QVERIFY2(error.second.find(path.string()) != std::string::npos, error.second.c_str());
    QVERIFY(filesIn(path.parent_path()).empty());
    writeScan(*made, &simulation, ScanFormat::nxtomo, path, false); // and with room again, it works
    QCOMPARE(openScan(path)->rows, 5);
}

void IoWriteTest::tiffImageComesBack()
{
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "image.tif";
    const Volume volume = ramp(3, 700, 513); // more than one strip
    writeTiffImage(path, volume, 2, false, {});
    const Volume image = readTiffImage(path);
    QCOMPARE(image.slices, 1);
    QCOMPARE(image.height, 700);
    QCOMPARE(image.width, 513);
    QVERIFY(std::equal(image.values.begin(), image.values.end(), volume.slice(2).begin()));
    QVERIFY(errorOf([&] { writeTiffImage(path, volume, 0, false, {}); }).first == ErrorKind::output);
    QVERIFY(readTiffImage(path).values == image.values);
    writeTiffImage(path, volume, 0, true, {});
    QVERIFY(readTiffImage(path).values[0] == volume.values[0]);
    QVERIFY(errorOf([&] { writeTiffImage(path, volume, 3, true, {}); }).first == ErrorKind::badRequest);
    QCOMPARE(filesIn(path.parent_path()), std::vector<std::string>{"image.tif"});
}

void IoWriteTest::sliceFolder()
{
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "new/slices";
    SliceWriter writer(path, "tooth", {7, 3}, false, {});
    writer.write(part(ramp(2, 6, 5)));
    QVERIFY(!fs::exists(path / "tooth_00007.tiff")); // not before it is complete
    writer.write(part(ramp(1, 6, 5)));
    writer.finish("{}");
    QCOMPARE(filesIn(path), (std::vector<std::string>{"tooth_00007.tiff", "tooth_00008.tiff", "tooth_00009.tiff"}));
    const Volume two = ramp(2, 6, 5);
    QVERIFY(
        std::equal(two.slice(1).begin(), two.slice(1).end(), readTiffImage(path / "tooth_00008.tiff").values.begin()));
    const auto [kind, message] = errorOf([&] { SliceWriter(path, "tooth", {9, 2}, false, {}); });
    QVERIFY(kind == ErrorKind::output);
    QVERIFY(message.find("tooth_00009.tiff") != std::string::npos);
    QCOMPARE(filesIn(path).size(), std::size_t(3));
}

void IoWriteTest::sliceFolderUnfinished()
{
    QTemporaryDir folder;
    const fs::path base = folder.path().toStdString();
    {
        SliceWriter writer(base / "new/slices", "a", {0, 2}, false, {});
        writer.write(part(ramp(1, 4, 4)));
        const auto [kind, message] = errorOf([&] { writer.finish("{}"); });
        QVERIFY(kind == ErrorKind::output);
        QVERIFY(message.find("1 of 2") != std::string::npos);
    }
    QVERIFY(filesIn(base).empty()); // the folders made for it are gone too
}

void IoWriteTest::slicesCancelled()
{
    QTemporaryDir folder;
    const fs::path base = folder.path().toStdString();
    std::stop_source stop;
    stop.request_stop();
    for (const char* name : {"slices", "slices.h5"}) {
        SliceWriter writer(base / name, "a", {0, 2}, false, {});
        const auto [kind, message] = errorOf([&] { writer.write(part(ramp(2, 4, 4)), stop.get_token()); });
        QVERIFY(kind == ErrorKind::cancelled);
    }
    QVERIFY(filesIn(base).empty());
}

void IoWriteTest::sliceFile()
{
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "slice.TIF";
    SliceWriter writer(path, "ignored", {4, 1}, false, {});
    writer.write(part(ramp(1, 9, 8)));
    writer.finish("{}");
    QVERIFY(readTiffImage(path).values == ramp(1, 9, 8).values);
}

void IoWriteTest::sliceHdf5()
{
    QTemporaryDir folder;
    const fs::path path = fs::path(folder.path().toStdString()) / "result.h5";
    const Volume volume = ramp(3, 6, 5);
    {
        SliceWriter writer(path, "x", {2, 3}, false, {});
        Volume first(2, 6, 5), last(1, 6, 5);
        std::copy_n(volume.values.begin(), 60, first.values.begin());
        std::copy_n(volume.values.begin() + 60, 30, last.values.begin());
        writer.write(part(first));
        writer.write(part(last));
        QVERIFY(!fs::exists(path));
        writer.finish(R"({"method": "cpu"})");
    }
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    QVERIFY(file >= 0);
    for (const char* name : {"/entry/reconstruction/results/data", "/exchange/data"}) {
        const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
        const hid_t space = H5Dget_space(dataset);
        hsize_t dims[3] = {};
        QCOMPARE(H5Sget_simple_extent_ndims(space), 3);
        H5Sget_simple_extent_dims(space, dims, nullptr);
        QCOMPARE(dims[0] * 10000 + dims[1] * 100 + dims[2], hsize_t(30605));
        std::vector<float> values(90);
        H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        QVERIFY(values == volume.values);
        const hid_t attribute = H5Aopen(dataset, "axes", H5P_DEFAULT), type = H5Aget_type(attribute);
        char axes[16] = {};
        QVERIFY(H5Tget_size(type) <= sizeof axes);
        H5Aread(attribute, type, axes);
        QCOMPARE(std::string(axes), std::string("z:y:x"));
        H5Tclose(type);
        H5Aclose(attribute);
        H5Sclose(space);
        H5Dclose(dataset);
    }
    QCOMPARE(readText(file, "/entry/reconstruction/configuration"), std::string(R"({"method": "cpu"})"));
    QCOMPARE(readText(file, "/entry/reconstruction/program"), std::string("sinoscope"));
    QVERIFY(!readText(file, "/entry/reconstruction/version").empty());
    QCOMPARE(readText(file, "/entry/reconstruction/date").size(), std::size_t(20));
    H5Fclose(file);
    const auto [kind, message] = errorOf([&] { openScan(path); });
    QVERIFY(kind == ErrorKind::badFile);
    QVERIFY(message.find("reconstructed slices") != std::string::npos);
}

void IoWriteTest::slicesRefused()
{
    QTemporaryDir folder;
    const fs::path base = folder.path().toStdString();
    QVERIFY(errorOf([&] { SliceWriter(base / "a.tif", "a", {0, 2}, false, {}); }).first == ErrorKind::badRequest);
    QVERIFY(errorOf([&] { SliceWriter(base / "no/a.h5", "a", {0, 2}, false, {}); }).first == ErrorKind::output);
    std::ofstream(base / "plain") << "x";
    QVERIFY(errorOf([&] { SliceWriter(base / "plain", "a", {0, 2}, true, {}); }).first == ErrorKind::output);
    SliceWriter writer(base / "b.h5", "b", {0, 2}, false, {});
    writer.write(part(ramp(1, 4, 4)));
    QVERIFY(errorOf([&] { writer.write(part(ramp(1, 4, 5))); }).first == ErrorKind::badRequest);
    QVERIFY(errorOf([&] { writer.write(part(ramp(2, 4, 4))); }).first == ErrorKind::badRequest);
}

void IoWriteTest::slicesOnFullDisk_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("bytes");
    for (const char* name : {"out.tif", "out.h5", "folder"})
        for (const int bytes : {0, 100, 3000, 16300})
            QTest::newRow(qPrintable(QString("%1 with %2 bytes left").arg(name).arg(bytes))) << QString(name) << bytes;
}

void IoWriteTest::slicesOnFullDisk()
{
    QFETCH(QString, name);
    QFETCH(int, bytes);
    QTemporaryDir folder;
    const fs::path base = folder.path().toStdString(), path = base / name.toStdString();
    const auto attempt = [&] {
        SliceWriter writer(path, "a", {0, 1}, false, {});
        writer.write(part(ramp(1, 64, 64)));
        writer.finish("{}");
    };
    std::pair<std::optional<ErrorKind>, std::string> error;
    {
        const FullDisk full(static_cast<rlim_t>(bytes));
        error = errorOf(attempt);
    }
    QVERIFY(error.first == ErrorKind::output);
    QVERIFY2(error.second.find(path.string()) != std::string::npos, error.second.c_str());
    QVERIFY(filesIn(base).empty());
    attempt();
    QVERIFY(fs::exists(path));
}

void IoWriteTest::notOverDevices()
{
    QVERIFY(errorOf([] { writeTiffImage("/dev/full", ramp(1, 2, 2), 0, true, {}); }).first == ErrorKind::output);
    QVERIFY(fs::is_character_file("/dev/full"));
}

QTEST_GUILESS_MAIN(IoWriteTest)
#include "write_test.moc"

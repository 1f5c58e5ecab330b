// Slices that are written come back as they were, in both formats; and nothing half-written stays.
#include "engine/io/open_scan.h"
#include "engine/io/write_slices.h"
#include "tests/engine/io/full_disk.h"
#include "tests/fixtures.h"

#include <fstream>
#include <hdf5.h>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;
using made::FullDisk;

namespace
{

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

class IoWriteSlicesTest : public QObject
{
    Q_OBJECT

  private slots:
    void tiffImageComesBack()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "image.tif";
        const Volume volume = ramp(3, 700, 513); // more than one strip
        writeTiffImage(path, volume, 2, false, {});
        const Volume image = readTiffImage(path);
        QCOMPARE(image.slices, 1);
        QCOMPARE(image.height, 700);
        QCOMPARE(image.width, 513);
        QVERIFY(std::equal(image.values.begin(), image.values.end(), volume.slice(2).begin()));
        QVERIFY(fails(ErrorKind::output, [&] { writeTiffImage(path, volume, 0, false, {}); }));
        QVERIFY(readTiffImage(path).values == image.values);
        writeTiffImage(path, volume, 0, true, {});
        QVERIFY(readTiffImage(path).values[0] == volume.values[0]);
        QVERIFY(fails(ErrorKind::badRequest, [&] { writeTiffImage(path, volume, 3, true, {}); }));
        QCOMPARE(namesIn(path.parent_path()), std::vector<std::string>{"image.tif"});
    }

    void sliceFolder()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "new/slices";
        SliceWriter writer(path, "tooth", {7, 3}, false, {});
        writer.write(part(ramp(2, 6, 5)));
        QVERIFY(!fs::exists(path / "tooth_00007.tiff")); // not before it is complete
        writer.write(part(ramp(1, 6, 5)));
        writer.finish("{}");
        QCOMPARE(namesIn(path), (std::vector<std::string>{"tooth_00007.tiff", "tooth_00008.tiff", "tooth_00009.tiff"}));
        const Volume two = ramp(2, 6, 5);
        QVERIFY(std::equal(two.slice(1).begin(), two.slice(1).end(),
                           readTiffImage(path / "tooth_00008.tiff").values.begin()));
        QVERIFY(fails(ErrorKind::output, {"tooth_00009.tiff"}, [&] { SliceWriter(path, "tooth", {9, 2}, false, {}); }));
        QCOMPARE(namesIn(path).size(), std::size_t(3));
    }

    void sliceFolderUnfinished()
    {
        const TemporaryFolder folder;
        const fs::path base = folder.path();
        {
            SliceWriter writer(base / "new/slices", "a", {0, 2}, false, {});
            writer.write(part(ramp(1, 4, 4)));
            QVERIFY(fails(ErrorKind::output, {"1 of 2"}, [&] { writer.finish("{}"); }));
        }
        QVERIFY(namesIn(base).empty()); // the folders made for it are gone too
    }

    void slicesCancelled()
    {
        const TemporaryFolder folder;
        const fs::path base = folder.path();
        std::stop_source stop;
        stop.request_stop();
        for (const char* name : {"slices", "slices.h5"}) {
            SliceWriter writer(base / name, "a", {0, 2}, false, {});
            QVERIFY(fails(ErrorKind::cancelled, [&] { writer.write(part(ramp(2, 4, 4)), stop.get_token()); }));
        }
        QVERIFY(namesIn(base).empty());
    }

    void sliceFile()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "slice.TIF";
        SliceWriter writer(path, "ignored", {4, 1}, false, {});
        writer.write(part(ramp(1, 9, 8)));
        writer.finish("{}");
        QVERIFY(readTiffImage(path).values == ramp(1, 9, 8).values);
    }

    void sliceHdf5()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "result.h5";
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
            Values values(90);
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
        QVERIFY(fails(ErrorKind::badFile, {"reconstructed slices"}, [&] { openScan(path); }));
    }

    void slicesRefused()
    {
        const TemporaryFolder folder;
        const fs::path base = folder.path();
        QVERIFY(fails(ErrorKind::badRequest, [&] { SliceWriter(base / "a.tif", "a", {0, 2}, false, {}); }));
        QVERIFY(fails(ErrorKind::output, [&] { SliceWriter(base / "no/a.h5", "a", {0, 2}, false, {}); }));
        std::ofstream(base / "plain") << "x";
        QVERIFY(fails(ErrorKind::output, [&] { SliceWriter(base / "plain", "a", {0, 2}, true, {}); }));
        SliceWriter writer(base / "b.h5", "b", {0, 2}, false, {});
        writer.write(part(ramp(1, 4, 4)));
        QVERIFY(fails(ErrorKind::badRequest, [&] { writer.write(part(ramp(1, 4, 5))); }));
        QVERIFY(fails(ErrorKind::badRequest, [&] { writer.write(part(ramp(2, 4, 4))); }));
    }

    void slicesOnFullDisk_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("bytes");
        for (const char* name : {"out.tif", "out.h5", "folder"})
            for (const int bytes : {0, 100, 3000, 16300})
                QTest::newRow(qPrintable(QString("%1 with %2 bytes left").arg(name).arg(bytes)))
                    << QString(name) << bytes;
    }

    void slicesOnFullDisk()
    {
        QFETCH(QString, name);
        QFETCH(int, bytes);
        const TemporaryFolder folder;
        const fs::path base = folder.path(), path = base / name.toStdString();
        const auto attempt = [&] {
            SliceWriter writer(path, "a", {0, 1}, false, {});
            writer.write(part(ramp(1, 64, 64)));
            writer.finish("{}");
        };
        {
            const FullDisk full(static_cast<rlim_t>(bytes));
            QVERIFY(fails(ErrorKind::output, {path.string()}, attempt));
        }
        QVERIFY(namesIn(base).empty());
        attempt();
        QVERIFY(fs::exists(path));
    }

    void notOverDevices()
    {
        QVERIFY(fails(ErrorKind::output, [] { writeTiffImage("/dev/full", ramp(1, 2, 2), 0, true, {}); }));
        QVERIFY(fs::is_character_file("/dev/full"));
    }
};

SINOSCOPE_TEST(IoWriteSlicesTest, QCoreApplication)
#include "write_slices_test.moc"

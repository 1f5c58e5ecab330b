// SPDX-License-Identifier: GPL-3.0-or-later
// Slices are read back as they were written, in both formats, and no incomplete file remains.
#include "engine/data/half_scale.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/foreign_slices.h"
#include "engine/io/slices/slice_writer.h"
#include "tests/engine/io/full_disk.h"
#include "tests/fixtures.h"

#include <bit>
#include <cmath>
#include <fstream>
#include <hdf5.h>
#include <random>
#include <tiffio.h>

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
        QVERIFY(!fs::exists(path / "tooth_00007.tiff")); // not before the slice is complete
        writer.write(part(ramp(1, 6, 5)));
        writer.finish({"{}"});
        QCOMPARE(namesIn(path), (std::vector<std::string>{"tooth_00007.tiff", "tooth_00008.tiff", "tooth_00009.tiff"}));
        const Volume two = ramp(2, 6, 5);
        QVERIFY(std::equal(two.slice(1).begin(), two.slice(1).end(),
                           readTiffImage(path / "tooth_00008.tiff").values.begin()));
        QVERIFY(fails(ErrorKind::output, {"tooth_00009.tiff"}, [&] { SliceWriter(path, "tooth", {9, 2}, false, {}); }));
        QCOMPARE(namesIn(path).size(), std::size_t(3));
    }

    void foldersOfOthers()
    {
        const TemporaryFolder folder;
        std::ofstream(folder / "ours_00001.tiff");
        const auto isSaid = [&](const std::string& text) {
            const std::string said = mixedSlicesText(folder.path(), "ours", {0, 2}, "");
            return text.empty() ? said.empty() : said.starts_with("The folder has " + text + ". ");
        };
        QVERIFY(isSaid(""));
        std::ofstream(folder / "a.tif");
        QVERIFY(isSaid("a TIFF of other volumes or other settings: 'a.tif'"));
        std::ofstream(folder / "b.tif");
        QVERIFY(isSaid("2 TIFFs of other volumes or other settings: 'a.tif' to 'b.tif'"));
    }

    void sliceFolderUnfinished()
    {
        const TemporaryFolder folder;
        const fs::path base = folder.path();
        {
            SliceWriter writer(base / "new/slices", "a", {0, 2}, false, {});
            writer.write(part(ramp(1, 4, 4)));
            QVERIFY(fails(ErrorKind::output, {"1 of 2"}, [&] { writer.finish({"{}"}); }));
        }
        QVERIFY(namesIn(base).empty()); // the folders created for the slices are removed too
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
        writer.finish({"{}"});
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
            writer.finish({R"({"method": "cpu"})"});
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

    void formats_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("level");
        for (const OutputFormat::Type type : threadSanitized ? std::vector{OutputFormat::Type::uint16} : outputTypes())
            for (const int level : threadSanitized ? std::vector{0, 1} : std::vector{0, 1, 9})
                QTest::addRow("%s %d", toText(type).c_str(), level) << static_cast<int>(type) << level;
    }

    // Values are read back within half a step: TIFFs by the program, HDF5 by the library.
    void formats()
    {
        QFETCH(int, type);
        QFETCH(int, level);
        OutputFormat format;
        format.type = static_cast<OutputFormat::Type>(type);
        format.deflateLevel = level;
        format.range = {-0.5, 1.25};
        Volume volume(3, 700, 411); // two chunks per slice, the second one partly filled
        std::mt19937 random(3);
        for (float& value : volume.values)
            value = std::uniform_real_distribution<float>(-0.5f, 1.25f)(random);
        const auto isNear = [&](float got, float expected) {
            const double bound = format.type == OutputFormat::Type::float32 ? 0
                                 : format.type == OutputFormat::Type::half  ? 0x1p-11 * std::abs(expected) + 0x1p-25
                                                                            : 0.506 * format.step();
            return std::abs(got - expected) <= bound;
        };
        const TemporaryFolder folder;
        for (const char* name : {"slices", "volume.h5"}) {
            SliceWriter writer(folder / name, "a", {0, 3}, false, {}, format);
            Volume first(1, 700, 411), rest(2, 700, 411);
            std::ranges::copy(volume.slice(0), first.values.begin());
            std::copy(volume.values.begin() + 700 * 411, volume.values.end(), rest.values.begin());
            writer.write(part(first));
            writer.write(part(rest));
            QCOMPARE(writer.changed(), 0LL);
            writer.finish({"{}"});
        }
        for (int slice = 0; slice < 3; ++slice) {
            const Volume got = readTiffImage(folder / ("slices/a_0000" + std::to_string(slice) + ".tiff"));
            QVERIFY(std::ranges::equal(got.values, volume.slice(slice), isNear));
        }
        // Programs without libtiff don't read the predictor of floats.
        TIFF* const tiff = TIFFOpen((folder / "slices/a_00000.tiff").c_str(), "r");
        std::uint16_t predictor = PREDICTOR_NONE;
        if (level > 0)
            TIFFGetField(tiff, TIFFTAG_PREDICTOR, &predictor);
        TIFFClose(tiff);
        QVERIFY(predictor != PREDICTOR_FLOATINGPOINT);
        const hid_t file = H5Fopen((folder / "volume.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        const hid_t dataset = H5Dopen2(file, "/exchange/data", H5P_DEFAULT), stored = H5Dget_type(dataset);
        QCOMPARE(H5Tget_size(stored), format.bytesPerValue());
        Values got(volume.values.size());
        QVERIFY(H5Dread(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, got.data()) >= 0);
        if (format.type == OutputFormat::Type::uint16) {
            double scale = 0, offset = 0;
            for (const auto& [name, to] : {std::pair("scale_factor", &scale), std::pair("add_offset", &offset)}) {
                const hid_t attribute = H5Aopen(dataset, name, H5P_DEFAULT);
                H5Aread(attribute, H5T_NATIVE_DOUBLE, to);
                H5Aclose(attribute);
            }
            for (float& value : got)
                value = static_cast<float>(value * scale + offset);
        }
        QVERIFY(std::ranges::equal(got, volume.values, isNear));
        H5Tclose(stored);
        H5Dclose(dataset);
        H5Fclose(file);
    }

    void whatAFormatCannotHold()
    {
        const std::vector<float> values{-2, -1, 0, 1, 2, notANumber, INFINITY, -INFINITY, 7e4f};
        std::vector<std::uint16_t> got(values.size());
        OutputFormat format{.type = OutputFormat::Type::uint16, .range = {-1, 1}};
        QCOMPARE(store(format, values, std::as_writable_bytes(std::span(got)).data()), 6LL);
        QVERIFY(got == (std::vector<std::uint16_t>{0, 0, 32768, 65535, 65535, 0, 65535, 0, 65535}));
        format.type = OutputFormat::Type::half;
        QCOMPARE(store(format, values, std::as_writable_bytes(std::span(got)).data()), 1LL);
        QCOMPARE(got[8], std::uint16_t(0x7c00));
        std::mt19937 random(8);
        std::vector<float> any(10'001);
        for (float& value : any)
            value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        std::vector<std::uint16_t> halves(any.size());
        store(format, any, std::as_writable_bytes(std::span(halves)).data());
        for (std::size_t k = 0; k < any.size(); ++k)
            QVERIFY(std::isnan(any[k]) ? std::isnan(fromHalf(halves[k])) : halves[k] == toHalf(any[k]));
        QVERIFY(valueRangeFromText("-0.5:2") == (ValueRange{-0.5, 2}));
        for (const char* bad : {"", "1", "1:1", "2:1", "a:1", "1:b", "nan:1", "0:inf", "-1e308:1e308"})
            QVERIFY2(fails(ErrorKind::badRequest, [&] { valueRangeFromText(bad); }), bad);
        for (const char* bad : {"", "deflate:0", "deflate:10", "deflate:", "lzw", "deflate:1x"})
            QVERIFY2(fails(ErrorKind::badRequest, [&] { compressionFromText(bad); }), bad);
        for (const SliceFacts& facts :
             {SliceFacts{}, SliceFacts{.lines = "slice=7\n", .mm = ImageLengths{0.00065, 0.00065, 0.001}}}) {
            const std::string whole =
                describe({.type = OutputFormat::Type::uint16, .range = {-0.25, 3}}, "1/mm", facts);
            const auto range = rangeDescribed(whole);
            QVERIFY(range && std::abs(range->least + 0.25) < 1e-12 && std::abs(range->most - 3) < 1e-9);
            QCOMPARE(unitDescribed(whole), std::string("1/mm"));
            QCOMPARE(sliceDescribed(whole).value_or(-1), facts.mm ? 7 : -1);
        }
        for (const char* other :
             {"", "value = stored * ", "value = stored * x + 1 mm", "value = stored * 1 + ", "ImageJ"})
            QVERIFY2(!rangeDescribed(other), other);
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
        QTest::addColumn<bool>("small");
        for (const char* name : {"out.tif", "out.h5", "folder"})
            for (const bool small : {false, true}) // half precision, deflated
                for (const int bytes : small ? std::vector{0, 100, 300} : std::vector{0, 100, 3000, 16300})
                    QTest::addRow("%s%s with %d bytes left", small ? "small " : "", name, bytes)
                        << QString(name) << bytes << small;
    }

    void slicesOnFullDisk()
    {
        QFETCH(QString, name);
        QFETCH(int, bytes);
        QFETCH(bool, small);
        OutputFormat format;
        if (small)
            format = {.type = OutputFormat::Type::half, .range = {}, .deflateLevel = 1};
        const TemporaryFolder folder;
        const fs::path base = folder.path(), path = base / name.toStdString();
        const auto attempt = [&] {
            SliceWriter writer(path, "a", {0, 1}, false, {}, format);
            writer.write(part(ramp(1, 64, 64)));
            writer.finish({"{}"});
        };
        {
            const FullDisk full(static_cast<rlim_t>(bytes));
            QVERIFY(fails(ErrorKind::output, {path.string()}, attempt));
        }
        QVERIFY(namesIn(base).empty());
        attempt();
        QVERIFY(fs::exists(path));
    }

    // A folder of slices, too, is refused before any of it is written.
    void noRoomForAFolder()
    {
        const TemporaryFolder folder;
        constexpr int size = 4096;
        const std::uintmax_t free = fs::space(folder.path()).available, bytes = 4ULL * size * size;
        const std::uintmax_t slices = 2 * (free / bytes + 1); // too many even if others free some space meanwhile
        if (slices > 40'000)
            QSKIP("the disk is too large for a test");
        {
            SliceWriter writer(folder / "out", "a", {0, int(slices)}, false, {});
            QVERIFY(fails(ErrorKind::output, {(folder / "out").string(), "free"},
                          [&] { writer.write(part(ramp(1, size, size))); }));
        }
        QVERIFY(!fs::exists(folder / "out") || fs::is_empty(folder / "out"));
    }

    void notOverDevices()
    {
        QVERIFY(fails(ErrorKind::output, [] { writeTiffImage("/dev/full", ramp(1, 2, 2), 0, true, {}); }));
        QVERIFY(fs::is_character_file("/dev/full"));
    }
};

SINOSCOPE_TEST(IoWriteSlicesTest, QCoreApplication)
#include "slice_writer_test.moc"

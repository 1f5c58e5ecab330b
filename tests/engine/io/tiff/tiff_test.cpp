// SPDX-License-Identifier: GPL-3.0-or-later
// Scans in TIFF files: sample types, pages, folders and sinograms, from files written by the tests.
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/stored_slices.h"
#include "engine/io/tiff/tiff_file.h"
#include "tests/engine/io/bad_files.h"
#include "tests/processor_time.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;
using made::frames;
using made::holds;
using made::value;

namespace
{

} // namespace

class IoTiffTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_folder.emplace(); }

    void tiffSamples_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("mode");
        QTest::addColumn<int>("compression");
        QTest::addColumn<int>("tile");
        for (const char* type : {"uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64"}) {
            const auto row = [&](const char* mode, int compression, int tile) {
                QTest::newRow(qPrintable(QString("%1 %2 %3 %4").arg(type).arg(mode).arg(compression).arg(tile)))
                    << QString(type) << QString(mode) << compression << tile;
            };
            row("wl", COMPRESSION_NONE, 0);
            row("wb", COMPRESSION_NONE, 0);
            row("w8", COMPRESSION_ADOBE_DEFLATE, 0);
            row("wb", COMPRESSION_LZW, 0);
            row("wl", COMPRESSION_PACKBITS, 0);
            row("wl", COMPRESSION_ADOBE_DEFLATE, 16);
        }
    }

    void tiffSamples()
    {
        QFETCH(QString, type);
        QFETCH(QString, mode);
        QFETCH(int, compression);
        QFETCH(int, tile);
        const int width = 21, height = 18;
        const QByteArray opened = mode.toLatin1();
        const auto write = [&](auto sample, int format) {
            using Sample = decltype(sample);
            for (int page = 0; page < 2; ++page) {
                std::vector<Sample> values(width * height);
                for (std::size_t i = 0; i < values.size(); ++i)
                    values[i] = Sample(format == SAMPLEFORMAT_UINT ? int(i % 251) : int(i % 201) - 100);
                values[5] = Sample(page + 1);
                const std::string name = "p" + std::to_string(page) + ".tif";
                made::tiff(at(name.c_str()), width, height, values, {format, compression, 5, tile, opened.constData()});
            }
        };
        if (type == "uint8")
            write(std::uint8_t(), SAMPLEFORMAT_UINT);
        else if (type == "int8")
            write(std::int8_t(), SAMPLEFORMAT_INT);
        else if (type == "uint16")
            write(std::uint16_t(), SAMPLEFORMAT_UINT);
        else if (type == "int16")
            write(std::int16_t(), SAMPLEFORMAT_INT);
        else if (type == "uint32")
            write(std::uint32_t(), SAMPLEFORMAT_UINT);
        else if (type == "int32")
            write(std::int32_t(), SAMPLEFORMAT_INT);
        else if (type == "float32")
            write(float(), SAMPLEFORMAT_IEEEFP);
        else
            write(double(), SAMPLEFORMAT_IEEEFP);
        const auto scan = openScan(m_folder->path());
        QCOMPARE(scan->sampleType, type.toStdString());
        QCOMPARE(scan->rows, height);
        QCOMPARE(scan->bins(), width);
        for (const RowRange rows : {RowRange{0, height}, RowRange{7, 1}, RowRange{4, 13}, RowRange{17, 1}}) {
            const RawRows raw = scan->read(rows, {});
            QCOMPARE(raw.data.size(), std::size_t(2 * rows.count * width));
            for (int k = 0; k < rows.count * width; ++k) {
                const int i = rows.first * width + k;
                const float expected = i == 5 ? 2 : type.startsWith('u') ? i % 251 : i % 201 - 100;
                QCOMPARE(raw.data[rows.count * width + k], expected);
            }
        }
    }

    // Regression: a frame of one strip was read as a whole for each of its rows.
    void onlyRowsAskedForAreRead()
    {
        const int width = 200, height = 500, count = 20;
        const std::vector<std::uint16_t> values(static_cast<std::size_t>(width) * height, 77);
        for (int page = 0; page < count; ++page)
            made::tiff(at(("r" + std::to_string(page) + ".tif").c_str()), width, height, values,
                       {SAMPLEFORMAT_UINT, COMPRESSION_NONE, height, 0, "w"});
        const auto scan = openScan(m_folder->path());
        QCOMPARE(scan->rowsTogether, 1);
        const long long before = made::bytesRead();
        const RawRows raw = scan->read({250, 2}, {});
        const long long read = made::bytesRead() - before;
        QCOMPARE(raw.data.toFloats(), Values(static_cast<std::size_t>(count) * 2 * width, 77));
        QVERIFY2(before >= 0 && read < 3 * count * 2 * width * 2, qPrintable(QString::number(read)));

        std::filesystem::resize_file(at("r3.tif"), std::filesystem::file_size(at("r3.tif")) + 10);
        QVERIFY(fails(ErrorKind::badFile, {"r3.tif", "changed after the scan was opened"}, [&] {
            scan->read({250, 2}, {});
        }));
        made::tiff(at("r3.tif"), width, height, values, {SAMPLEFORMAT_UINT, COMPRESSION_LZW, 50, 0, "w"});
        QCOMPARE(openScan(m_folder->path())->rowsTogether, 50);
    }

    void tiffPages()
    {
        for (int page = 0; page < 5; ++page) {
            const std::vector<double> values = frames(1, 3, 4, page);
            made::tiff<float>(at("stack.tif"), 4, 3, {values.begin(), values.end()},
                              {SAMPLEFORMAT_IEEEFP, COMPRESSION_NONE, 2, 0, page == 0 ? "w" : "a"});
        }
        made::tiff<float>(at("f.tif"), 4, 3, std::vector<float>(12, 9), {SAMPLEFORMAT_IEEEFP});
        std::ofstream(at("angles.txt")) << "0\n10\n20\n30\n40\n";
        OpenOptions options;
        options.flats = at("f.tif");
        const auto scan = openScan(at("stack.tif"), options);
        QCOMPARE(scan->format, std::string("TIFF stack"));
        QCOMPARE(scan->projections(), 5);
        QVERIFY(std::abs(scan->anglesRad()[4] - 40 * degree) < 1e-12);
        QVERIFY(mentions(scan->notes, "angles.txt"));
        const RawRows raw = scan->read({1, 2}, {});
        QVERIFY(holds(raw.data, {0, 1, 2, 3, 4}, {1, 2}, 4));
        QCOMPARE(raw.flats, Values(8, 9));
    }

    void tiffFolder()
    {
        const auto frame = [&](const char* name, int number) {
            const std::vector<double> values = frames(1, 3, 4, number);
            made::tiff<std::uint16_t>(at(name), 4, 3, {values.begin(), values.end()});
        };
        frame("disc_2.tif", 0); // begins like the short name of a dark
        frame("disc_9.TIFF", 1);
        frame("disc_10.tif", 2);
        frame("disc_011.tif", 3);
        frame("dark_1.tif", 40);
        frame("DI0002.tif", 41);
        frame("flat_b.tif", 50);
        frame("ff_1.tif", 51);
        std::ofstream(at("notes.txt")) << "not a frame";
        const auto scan = openScan(at(""));
        QCOMPARE(scan->name, m_folder->path().filename().string());
        QCOMPARE(scan->projections(), 4);
        QVERIFY(std::abs(scan->anglesRad()[3] - 135 * degree) < 1e-12); // the end is left out
        const RawRows raw = scan->read({2, 1}, {});
        QVERIFY(holds(raw.data, {0, 1, 2, 3}, {2, 1}, 4));
        QVERIFY(holds(raw.darks, {41, 40}, {2, 1}, 4));
        QVERIFY(holds(raw.flats, {51, 50}, {2, 1}, 4));
    }

    void tiffSidesInFolders()
    {
        for (const char* name : {"proj", "Flats", "proj/darks"})
            fs::create_directories(at(name));
        const auto frame = [&](const char* name, int number) {
            const std::vector<double> values = frames(1, 3, 4, number);
            made::tiff<std::uint16_t>(at(name), 4, 3, {values.begin(), values.end()});
        };
        frame("proj/a1.tif", 0);
        frame("proj/a2.tif", 1);
        frame("Flats/x.tif", 50);
        frame("proj/darks/y.tif", 40);
        for (const fs::path& path : {m_folder->path(), at("proj")}) {
            const RawRows raw = openScan(path)->read({0, 3}, {});
            QVERIFY(holds(raw.data, {0, 1}, {0, 3}, 4));
            QVERIFY(holds(raw.flats, {50}, {0, 3}, 4));
            QVERIFY(holds(raw.darks, {40}, {0, 3}, 4));
        }
    }

    void tiffSinogramOfRows()
    {
        // Two sinograms of 6 projections: page = row of the scan.
        for (int row = 0; row < 2; ++row) {
            std::vector<float> values;
            for (int f = 0; f < 6; ++f)
                for (int b = 0; b < 4; ++b)
                    values.push_back(value(f, row, b));
            made::tiff<float>(at("sinograms.tif"), 4, 6, values,
                              {SAMPLEFORMAT_IEEEFP, COMPRESSION_LZW, 4, 0, row == 0 ? "w" : "a"});
        }
        OpenOptions options;
        options.sinogram = true;
        const auto scan = openScan(at("sinograms.tif"), options);
        QCOMPARE(scan->rows, 2);
        QCOMPARE(scan->projections(), 6);
        QVERIFY(holds(scan->read({0, 2}, {}).data, {0, 1, 2, 3, 4, 5}, {0, 2}, 4));
        QVERIFY(holds(scan->read({1, 1}, {}).data, {0, 1, 2, 3, 4, 5}, {1, 1}, 4));
    }

    void imageJStack()
    {
        // One page in the directory; the samples of the other frames follow those of the first.
        const std::vector<double> all = frames(3, 3, 4);
        const std::vector<float> values(all.begin(), all.end());
        TIFF* out = TIFFOpen(at("ij.tif").c_str(), "w");
        TIFFSetField(out, TIFFTAG_IMAGEWIDTH, 4);
        TIFFSetField(out, TIFFTAG_IMAGELENGTH, 3);
        TIFFSetField(out, TIFFTAG_BITSPERSAMPLE, 32);
        TIFFSetField(out, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
        TIFFSetField(out, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(out, TIFFTAG_ROWSPERSTRIP, 3);
        TIFFSetField(out, TIFFTAG_IMAGEDESCRIPTION, "ImageJ=1.53t\nimages=3\nslices=3\n");
        TIFFWriteEncodedStrip(out, 0, const_cast<float*>(values.data()), 48);
        TIFFWriteDirectory(out);
        TIFFClose(out);
        // Moves the samples to the end of the file, where further samples can follow.
        std::string bytes;
        {
            std::ifstream in(at("ij.tif"), std::ios::binary);
            bytes.assign(std::istreambuf_iterator<char>(in), {});
        }
        const std::uint32_t before = 8, after = std::uint32_t(bytes.size());
        std::size_t changed = 0;
        for (std::size_t i = bytes.size() - 12; i >= 56 && changed == 0; --i) // the entry StripOffsets (tag 273)
            if (std::uint16_t tag; std::memcpy(&tag, &bytes[i], 2), tag == 273)
                if (std::uint32_t offset; std::memcpy(&offset, &bytes[i + 8], 4), offset == before)
                    changed = std::size_t(std::memcpy(&bytes[i + 8], &after, 4) != nullptr);
        QCOMPARE(changed, std::size_t(1));
        std::ofstream(at("ij.tif"), std::ios::binary)
            << bytes << std::string(reinterpret_cast<const char*>(values.data()), values.size() * 4);
        const auto scan = openScan(at("ij.tif"));
        QCOMPARE(scan->projections(), 3);
        QVERIFY(holds(scan->read({1, 2}, {}).data, {0, 1, 2}, {1, 2}, 4));
    }

    // The list of 20,000 pages is read once, and not walked through 20,000 times.
    void manyPages()
    {
        std::string bytes("II*\0\x08\0\0\0", 8);
        const int count = 20000;
        const std::size_t each = made::page(made::image(1, 1, COMPRESSION_NONE, 0, 2), 0).size() + 2;
        for (int k = 0; k < count; ++k) {
            const std::size_t end = 8 + (k + 1) * each;
            bytes += made::page(made::image(1, 1, COMPRESSION_NONE, std::uint32_t(end - 2), 2),
                                k + 1 < count ? std::uint32_t(end) : 0);
            made::put(bytes, std::uint64_t(k), 2);
        }
        made::write(at("pages.tif"), bytes);
        const double before = processor_time::ofThisProcess();
        const auto scan = openScan(at("pages.tif"));
        const Values values = scan->read({0, 1}, {}).data.toFloats();
        const double seconds = processor_time::ofThisProcess() - before;
        QVERIFY2(sanitized || seconds < processor_time::seconds, qPrintable(QString::number(seconds)));
        QCOMPARE(values.size(), std::size_t(count));
        QCOMPARE(values[12345], 12345.0f);
    }

    // Bytes that disappear while they are read cause an error, not a signal.
    void cutOffWhileItIsOpen()
    {
        made::tiff(at("cut.tif"), 64, 1024, std::vector<std::uint16_t>(64 * 1024, 7), {.rowsPerStrip = 16});
        TiffFile file(at("cut.tif"));
        std::vector<float> rows(64 * 1024);
        file.readRows(0, 16, rows.data());
        fs::resize_file(at("cut.tif"), 20000);
        QVERIFY(fails(ErrorKind::badFile, {"cut.tif"}, [&] { file.readRows(0, 1024, rows.data()); }));
    }

    // Reconstructed slices are not opened as a scan or its flats, whatever their names are.
    void slicesAreNoProjections()
    {
        const auto write = [&](const fs::path& to, const std::string& name, const OutputFormat& format) {
            SliceWriter writer(to, name, {0, 3}, false, {}, format);
            Reconstruction part;
            part.image = Volume(3, 16, 16);
            part.image.values[5] = 1;
            part.unit = "1/mm";
            writer.write(part);
            writer.finish({"{}"});
        };
        for (const OutputFormat::Type type : outputTypes()) {
            const fs::path folder = at("slices of " + toText(type));
            const OutputFormat format{.type = type, .range = {0, 1}, .deflateLevel = 0};
            write(folder, "slice", format);
            QVERIFY(fails(ErrorKind::badFile, {folder.string(), "reconstructed slices"}, [&] { openScan(folder); }));
            QVERIFY(
                fails(ErrorKind::badFile, {"reconstructed slices"}, [&] { openScan(folder / "slice_00001.tiff"); }));
            QCOMPARE(readSlice({folder}, 1).unit, std::string("1/mm"));
        }
        fs::create_directory(at("scan"));
        for (int k = 0; k < 4; ++k)
            made::tiff(at("scan") / ("p" + std::to_string(k) + ".tif"), 16, 16, std::vector<std::uint16_t>(256, 100));
        write(at("flats of it"), "flat", {});
        const auto scan = openScan(at("scan"));
        QCOMPARE(scan->flatFrames, 0);
        QVERIFY(mentions(scan->notes, "named like flats"));
    }

  private:
    fs::path at(const std::string& name) const { return *m_folder / name; }
    std::optional<TemporaryFolder> m_folder;
};

SINOSCOPE_TEST(IoTiffTest, QCoreApplication)
#include "tiff_test.moc"

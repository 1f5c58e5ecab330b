// SPDX-License-Identifier: GPL-3.0-or-later
// Unusable TIFF files and folders: each is refused with an error that names the file and the fault.
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/slice_writer.h"
#include "tests/engine/io/refused.h"

#include <fstream>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;
using made::refused;

class BadTiffTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_folder.emplace(); }

    void tiffSizesDiffer()
    {
        made::tiff<std::uint8_t>(at("a_1.tif"), 4, 3, std::vector<std::uint8_t>(12));
        made::tiff<std::uint8_t>(at("a_2.tif"), 5, 3, std::vector<std::uint8_t>(15));
        QVERIFY(
            fails(ErrorKind::badFile, {"a_1.tif", "a_2.tif", "4 x 3", "5 x 3"}, [&] { openScan(m_folder->path()); }));
        fs::rename(at("a_2.tif"), at("flat_2.tif"));
        made::tiff<std::uint8_t>(at("a_3.tif"), 4, 3, std::vector<std::uint8_t>(12));
        QVERIFY(fails(ErrorKind::badFile, {"flat_2.tif"}, [&] { openScan(m_folder->path()); }));
    }

    void tiffTruncated()
    {
        fs::create_directory(at("stack"));
        for (const char* name : {"stack/p1.tif", "stack/p2.tif"})
            made::tiff<std::uint16_t>(at(name), 40, 30, std::vector<std::uint16_t>(1200, 7),
                                      {SAMPLEFORMAT_UINT, COMPRESSION_ADOBE_DEFLATE, 3, 0, "w"});
        std::ofstream(at("stack/p3.tif"), std::ios::binary).write("II*\0\x08\0\0\0", 8); // a header without a directory
        QVERIFY(refused(at("stack/p3.tif"), {"TIFF"}));
        QVERIFY(fails(ErrorKind::badFile, {"p3.tif"}, [&] { openScan(at("stack")); }));

        // The samples are overwritten; the directory, which libtiff writes at the end, remains intact.
        fs::remove(at("stack/p3.tif"));
        std::fstream damaged(at("stack/p2.tif"), std::ios::in | std::ios::out | std::ios::binary);
        damaged.seekp(8);
        damaged << std::string(100, '\xff');
        damaged.close();
        const auto scan = openScan(at("stack"));
        QVERIFY(fails(ErrorKind::badFile, {"p2.tif"}, [&] { scan->read({0, 1}, {}); }));
    }

    // Regression: files of some hundred bytes crashed the program, opened directly or found as darks beside
    // projections.
    void tiffOfReducedImages()
    {
        const auto reduced = [&](const char* name) {
            for (const char* mode : {"w", "a"}) {
                TIFF* out = TIFFOpen(at(name).c_str(), mode);
                TIFFSetField(out, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
                TIFFSetField(out, TIFFTAG_IMAGEWIDTH, 4);
                TIFFSetField(out, TIFFTAG_IMAGELENGTH, 1);
                TIFFSetField(out, TIFFTAG_BITSPERSAMPLE, 8);
                TIFFSetField(out, TIFFTAG_SAMPLESPERPIXEL, 1);
                std::uint8_t line[4] = {};
                TIFFWriteScanline(out, line, 0, 0);
                TIFFClose(out);
            }
        };
        reduced("thumbnails.tif");
        OpenOptions sinogram;
        sinogram.sinogram = true;
        QVERIFY(refused(at("thumbnails.tif"), {"thumbnails.tif", "reduced"}));
        QVERIFY(refused(at("thumbnails.tif"), {"thumbnails.tif", "reduced"}, sinogram));
        QVERIFY(fails(ErrorKind::badFile, {"reduced"}, [&] { readTiffImage(at("thumbnails.tif")); }));
        fs::remove(at("thumbnails.tif"));
        made::tiff<std::uint8_t>(at("p_1.tif"), 4, 1, std::vector<std::uint8_t>(4));
        reduced("dark.tif");
        QVERIFY(refused(m_folder->path(), {"dark.tif", "reduced"}));
        fs::remove(at("dark.tif"));
        reduced("p_2.tif"); // also among the projections
        QVERIFY(refused(m_folder->path(), {"p_2.tif", "reduced"}));
    }

    void tiffOfColours()
    {
        TIFF* out = TIFFOpen(at("photo.tif").c_str(), "w");
        TIFFSetField(out, TIFFTAG_IMAGEWIDTH, 2);
        TIFFSetField(out, TIFFTAG_IMAGELENGTH, 1);
        TIFFSetField(out, TIFFTAG_BITSPERSAMPLE, 8);
        TIFFSetField(out, TIFFTAG_SAMPLESPERPIXEL, 3);
        TIFFSetField(out, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
        std::uint8_t line[6] = {};
        TIFFWriteScanline(out, line, 0, 0);
        TIFFClose(out);
        QVERIFY(refused(at("photo.tif"), {"3 colours"}));
    }

    void tiffFolders()
    {
        fs::create_directory(at("empty"));
        QVERIFY(refused(at("empty"), {"no projections", "no TIFF files"}));
        made::tiff<std::uint8_t>(at("empty/dark_1.tif"), 4, 3, std::vector<std::uint8_t>(12));
        QVERIFY(refused(at("empty"), {"no projections", "named like darks or flats"}));
        made::tiff<std::uint8_t>(at("one.tif"), 4, 3, std::vector<std::uint8_t>(12));
        QVERIFY(refused(at("one.tif"), {"--sinogram", "folder"}));
    }

  private:
    fs::path at(const std::string& name) const { return *m_folder / name; }
    std::optional<TemporaryFolder> m_folder;
};

SINOSCOPE_TEST(BadTiffTest, QCoreApplication)
#include "bad_tiff_test.moc"

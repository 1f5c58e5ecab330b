// Files that can't be used: each gets a message that names the file, the place in it and the value.
#include "engine/io/open_scan.h"
#include "engine/io/write_slices.h"
#include "tests/engine/io/files.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>
#include <limits>

using namespace engine;
namespace fs = std::filesystem;
using made::counting;

class BadInputTest : public QObject
{
    Q_OBJECT
  private slots:
    void init();
    void missing();
    void notAScan();
    void truncatedHdf5_data();
    void truncatedHdf5();
    void hdf5WithoutScan();
    void brokenExternalLink();
    void brokenLinkWithoutDefinition();
    void virtualSourceMissing();
    void filterMissing();
    void noProjections();
    void angleCount();
    void anglesNotFinite();
    void sizesAbsurd();
    void flatsOfAnotherSize();
    void imageKeys();
    void tiffSizesDiffer();
    void tiffTruncated();
    void tiffOfReducedImages();
    void tiffOfColours();
    void tiffFolders();
    void angleFiles();
    void rawLayouts();
    void rowsOutside();
    void options();

  private:
    fs::path at(const char* name) const { return m_base / name; }
    // Opening fails with badFile and a message that holds each of the words.
    void refused(const fs::path& path, std::vector<std::string> words, const OpenOptions& options = {},
                 ErrorKind expected = ErrorKind::badFile);
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_base;
};

namespace
{

// A whole DXchange file; the steps of the tests spoil it.
void dxchange(made::Hdf5& file, std::size_t projections = 5, std::size_t angles = 5)
{
    file.numbers("/exchange/data", {projections, 3, 4}, counting(projections * 12), H5T_STD_U16LE);
    file.numbers("/exchange/theta", {angles}, counting(angles, 36));
    file.attribute("/exchange/theta", "units", "deg");
}

void nxtomo(made::Hdf5& file, const std::vector<double>& keys)
{
    file.text("/scan/definition", "NXtomo");
    file.numbers("/scan/instrument/detector/data", {keys.size(), 3, 4}, counting(keys.size() * 12));
    file.numbers("/scan/instrument/detector/image_key", {keys.size()}, keys, H5T_STD_I32LE);
    file.numbers("/scan/sample/rotation_angle", {keys.size()}, counting(keys.size(), 30));
}

void cut(const fs::path& path, double part)
{
    fs::resize_file(path, std::uintmax_t(double(fs::file_size(path)) * part));
}

} // namespace

void BadInputTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_base = m_folder->path().toStdString();
}

void BadInputTest::refused(const fs::path& path, std::vector<std::string> words, const OpenOptions& options,
                           ErrorKind expected)
{
    const auto [kind, message] = made::errorOf([&] { openScan(path, options); });
    QVERIFY2(kind.has_value(), "it opened");
    QVERIFY2(*kind == expected, message.c_str());
    QCOMPARE(exitStatus(*kind), 2);
    words.push_back(path.filename().string());
    for (const std::string& word : words)
        QVERIFY2(message.find(word) != std::string::npos, (message + " lacks " + word).c_str());
}

void BadInputTest::missing()
{
    refused(at("nothing.h5"), {"There is no file"});
    refused("/dev/null", {"neither a file nor a folder"});
    QVERIFY(made::errorOf([&] { readTiffImage(at("none.tif")); }).first == ErrorKind::badFile);
}

void BadInputTest::notAScan()
{
    std::ofstream(at("letter.h5")) << "Dear Sir or Madam";
    refused(at("letter.h5"), {"neither an HDF5 nor a TIFF"});
    std::ofstream(at("empty.h5"));
    refused(at("empty.h5"), {"empty"});
    QVERIFY(made::errorOf([&] { readTiffImage(at("letter.h5")); }).first == ErrorKind::badFile);
}

void BadInputTest::truncatedHdf5_data()
{
    QTest::addColumn<double>("part");
    for (const double part : {0.05, 0.3, 0.6, 0.9, 0.999})
        QTest::addRow("%g of the file", part) << part;
}

void BadInputTest::truncatedHdf5()
{
    QFETCH(double, part);
    {
        made::Hdf5 file(at("scan.h5"));
        dxchange(file, 200, 200);
    }
    cut(at("scan.h5"), part);
    refused(at("scan.h5"), {"truncated"});
}

void BadInputTest::hdf5WithoutScan()
{
    {
        made::Hdf5 file(at("other.h5"));
        file.numbers("/apples", {3}, counting(3));
        file.text("/pears/kind", "conference");
    }
    refused(at("other.h5"), {"no scan", "apples, pears"});
}

void BadInputTest::brokenExternalLink()
{
    {
        made::Hdf5 file(at("linked.h5"));
        file.externalLink("/exchange/data", "gone/frames.h5", "/entry/data");
    }
    refused(at("linked.h5"), {"/exchange/data", "/entry/data", "gone/frames.h5", "missing"});
    {
        made::Hdf5 file(at("nx.h5"));
        nxtomo(file, {0, 0});
        H5Ldelete(file.id(), "/scan/instrument/detector/data", H5P_DEFAULT);
        H5Lcreate_soft("/scan/raw/data", file.id(), "/scan/instrument/detector/data", H5P_DEFAULT, H5P_DEFAULT);
        file.externalLink("/scan/raw", "gone.h5", "/raw");
    }
    refused(at("nx.h5"), {"/scan/instrument/detector/data", "/scan/raw", "gone.h5"});
}

void BadInputTest::brokenLinkWithoutDefinition()
{
    {
        made::Hdf5 file(at("beamline.nxs"));
        file.numbers("/entry/instrument/pco/image_key", {4}, {2, 1, 0, 0}, H5T_STD_I32LE);
        file.externalLink("/entry/pco/data", "pco.h5", "/data");
        file.attribute("/entry/pco", "NX_class", "NXdata");
    }
    refused(at("beamline.nxs"), {"/entry/pco/data", "pco.h5"});
}

void BadInputTest::virtualSourceMissing()
{
    {
        made::Hdf5 file(at("virtual.h5"));
        const hsize_t whole[3] = {4, 3, 2};
        const hid_t space = H5Screate_simple(3, whole, nullptr), plist = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_virtual(plist, space, "source.h5", "/frames", space);
        const hid_t group = H5Gcreate2(file.id(), "/exchange", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Dclose(H5Dcreate2(group, "data", H5T_IEEE_F32LE, space, H5P_DEFAULT, plist, H5P_DEFAULT));
        H5Gclose(group);
        H5Pclose(plist);
        H5Sclose(space);
    }
    refused(at("virtual.h5"), {"/exchange/data", "source.h5", "missing"});
    {
        made::Hdf5 source(at("source.h5"));
        source.numbers("/frames", {4, 3, 2}, counting(24));
    }
    const RawRows raw = openScan(at("virtual.h5"))->read({1, 1}, {});
    QCOMPARE(raw.data, (std::vector<float>{2, 3, 8, 9, 14, 15, 20, 21}));
}

void BadInputTest::filterMissing()
{
    {
        made::Hdf5 file(at("packed.h5"));
        const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t chunk[3] = {1, 3, 4};
        H5Pset_chunk(plist, 3, chunk);
        H5Pset_filter(plist, 32008, H5Z_FLAG_OPTIONAL, 0, nullptr);
        file.numbers("/exchange/data", {5, 3, 4}, {}, H5T_STD_U16LE, plist);
        H5Pclose(plist);
    }
    if (H5Zfilter_avail(32008) > 0)
        QSKIP("bitshuffle is installed");
    refused(at("packed.h5"), {"/exchange/data", "bitshuffle", "HDF5_PLUGIN_PATH"});
}

void BadInputTest::noProjections()
{
    {
        made::Hdf5 file(at("none.h5"));
        file.numbers("/exchange/data", {0, 3, 4}, {});
    }
    refused(at("none.h5"), {"number of projections in /exchange/data is 0"});
    {
        made::Hdf5 file(at("calibration.h5"));
        nxtomo(file, {1, 2, 3, -1});
    }
    refused(at("calibration.h5"), {"no projections", "image_key"});
}

void BadInputTest::angleCount()
{
    {
        made::Hdf5 file(at("dx.h5"));
        dxchange(file, 5, 4);
    }
    refused(at("dx.h5"), {"/exchange/theta", "4 angles", "5 projections"});
    OpenOptions options;
    options.anglesRad = {0, 1, 2, 3, 4};
    QCOMPARE(openScan(at("dx.h5"), options)->anglesRad(), options.anglesRad);
    options.anglesRad.pop_back();
    refused(at("dx.h5"), {"5 projections", "4 angles"}, options, ErrorKind::badRequest);
    {
        made::Hdf5 file(at("nx.h5"));
        nxtomo(file, {2, 1, 0, 0, 0});
        H5Ldelete(file.id(), "/scan/sample/rotation_angle", H5P_DEFAULT);
        file.numbers("/scan/sample/rotation_angle", {4}, counting(4));
    }
    refused(at("nx.h5"), {"/scan/sample/rotation_angle", "4 angles", "5 frames"});
}

void BadInputTest::anglesNotFinite()
{
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        made::Hdf5 file(at("dx.h5"));
        file.numbers("/exchange/data", {3, 3, 4}, counting(36));
        file.numbers("/exchange/theta", {3}, {0, bad, 90});
    }
    refused(at("dx.h5"), {"angle 1 of /exchange/theta"});
    OpenOptions options;
    options.anglesRad = {0, std::nan(""), 2};
    refused(at("dx.h5"), {"angles"}, options, ErrorKind::badRequest);
}

void BadInputTest::sizesAbsurd()
{
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk[3] = {1, 16, 16};
    H5Pset_chunk(plist, 3, chunk);
    {
        made::Hdf5 file(at("long.h5"));
        file.numbers("/exchange/data", {hsize_t(1) << 33, 16, 16}, {}, H5T_STD_U16LE, plist);
    }
    refused(at("long.h5"), {"number of projections", "8589934592"});
    {
        made::Hdf5 file(at("wide.h5"));
        file.numbers("/exchange/data", {1 << 20, 1 << 20, 1 << 20}, {}, H5T_STD_U16LE, plist);
    }
    H5Pclose(plist);
    const auto scan = openScan(at("wide.h5"));
    const auto [kind, message] = made::errorOf([&] { scan->read({0, 1 << 20}, {}); });
    QVERIFY(kind == ErrorKind::noMemory);
    QVERIFY2(message.find("wide.h5") != std::string::npos, message.c_str());
}

void BadInputTest::flatsOfAnotherSize()
{
    {
        made::Hdf5 file(at("dx.h5"));
        dxchange(file);
        file.numbers("/exchange/data_white", {2, 3, 5}, counting(30));
    }
    refused(at("dx.h5"), {"/exchange/data_white", "2 x 3 x 5", "3 rows of 4 bins"});
}

void BadInputTest::imageKeys()
{
    {
        made::Hdf5 file(at("nx.h5"));
        nxtomo(file, {0, 0, 0});
        H5Ldelete(file.id(), "/scan/instrument/detector/image_key", H5P_DEFAULT);
        file.numbers("/scan/instrument/detector/image_key", {2}, {0, 0});
    }
    refused(at("nx.h5"), {"image_key", "2 values", "3 frames"});
}

void BadInputTest::tiffSizesDiffer()
{
    made::tiff<std::uint8_t>(at("a_1.tif"), 4, 3, std::vector<std::uint8_t>(12));
    made::tiff<std::uint8_t>(at("a_2.tif"), 5, 3, std::vector<std::uint8_t>(15));
    const auto [kind, message] = made::errorOf([&] { openScan(m_base); });
    QVERIFY(kind == ErrorKind::badFile);
    for (const char* word : {"a_1.tif", "a_2.tif", "4 x 3", "5 x 3"})
        QVERIFY2(message.find(word) != std::string::npos, message.c_str());
    fs::rename(at("a_2.tif"), at("flat_2.tif"));
    made::tiff<std::uint8_t>(at("a_3.tif"), 4, 3, std::vector<std::uint8_t>(12));
    QVERIFY(made::errorOf([&] { openScan(m_base); }).second.find("flat_2.tif") != std::string::npos);
}

// Files of some hundred bytes that crashed the program, by themselves or as darks beside projections.
void BadInputTest::tiffOfReducedImages()
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
    refused(at("thumbnails.tif"), {"thumbnails.tif", "reduced"});
    refused(at("thumbnails.tif"), {"thumbnails.tif", "reduced"}, sinogram);
    const auto [kind, message] = made::errorOf([&] { readTiffImage(at("thumbnails.tif")); });
    QVERIFY(kind == ErrorKind::badFile);
    QVERIFY2(message.find("reduced") != std::string::npos, message.c_str());
    fs::remove(at("thumbnails.tif"));
    made::tiff<std::uint8_t>(at("p_1.tif"), 4, 1, std::vector<std::uint8_t>(4));
    reduced("dark.tif");
    refused(m_base, {"dark.tif", "reduced"});
    fs::remove(at("dark.tif"));
    reduced("p_2.tif"); // and among the projections
    refused(m_base, {"p_2.tif", "reduced"});
}

void BadInputTest::tiffTruncated()
{
    fs::create_directory(at("stack"));
    for (const char* name : {"stack/p1.tif", "stack/p2.tif"})
        made::tiff<std::uint16_t>(at(name), 40, 30, std::vector<std::uint16_t>(1200, 7),
                                  {SAMPLEFORMAT_UINT, COMPRESSION_ADOBE_DEFLATE, 3, 0, "w"});
    std::ofstream(at("stack/p3.tif"), std::ios::binary).write("II*\0\x08\0\0\0", 8); // and no directory
    refused(at("stack/p3.tif"), {"TIFF"});
    const auto [kind, message] = made::errorOf([&] { openScan(at("stack")); });
    QVERIFY(kind == ErrorKind::badFile);
    QVERIFY2(message.find("p3.tif") != std::string::npos, message.c_str());

    // Samples cut off before the directory, which libtiff writes at the end: whole file but for its data.
    fs::remove(at("stack/p3.tif"));
    std::fstream damaged(at("stack/p2.tif"), std::ios::in | std::ios::out | std::ios::binary);
    damaged.seekp(8);
    damaged << std::string(100, '\xff');
    damaged.close();
    const auto scan = openScan(at("stack"));
    const auto [read, text] = made::errorOf([&] { scan->read({0, 1}, {}); });
    QVERIFY(read == ErrorKind::badFile);
    QVERIFY2(text.find("p2.tif") != std::string::npos, text.c_str());
}

void BadInputTest::tiffOfColours()
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
    refused(at("photo.tif"), {"3 colours"});
}

void BadInputTest::tiffFolders()
{
    fs::create_directory(at("empty"));
    refused(at("empty"), {"no projections", "no TIFF files"});
    made::tiff<std::uint8_t>(at("empty/dark_1.tif"), 4, 3, std::vector<std::uint8_t>(12));
    refused(at("empty"), {"no projections", "named as darks or flats"});
    made::tiff<std::uint8_t>(at("one.tif"), 4, 3, std::vector<std::uint8_t>(12));
    refused(at("one.tif"), {"--sinogram", "folder"});
}

void BadInputTest::angleFiles()
{
    const auto message = [&](const char* text) {
        std::ofstream(at("angles.txt")) << text;
        const auto [kind, what] = made::errorOf([&] { readAngles(at("angles.txt")); });
        return kind == ErrorKind::badFile ? what : std::string();
    };
    QVERIFY(message("0\n1.5\nnorth\n").find("line 3: 'north'") != std::string::npos);
    QVERIFY(message("0\nnan\n").find("line 2") != std::string::npos);
    QVERIFY(message("1 2\n").find("line 1") != std::string::npos);
    QVERIFY(message("# nothing\n").find("no angles") != std::string::npos);
    QVERIFY(made::errorOf([&] { readAngles(at("none.txt")); }).first == ErrorKind::badFile);
    std::ofstream(at("angles.txt")) << "# degrees\n 0 \r\n+90\n\n-1.8e2\n";
    const std::vector<double> angles = readAngles(at("angles.txt"));
    QCOMPARE(angles.size(), std::size_t(3));
    QVERIFY(std::abs(angles[1] - 1.5707963267948966) < 1e-15);
    QVERIFY(std::abs(angles[2] + 3.141592653589793) < 1e-15);
}

void BadInputTest::rawLayouts()
{
    std::ofstream(at("scan.raw")) << std::string(100, 'x');
    OpenOptions options;
    options.raw = RawLayout{5, 2, 5, "uint16", false, 0};
    QCOMPARE(openScan(at("scan.raw"), options)->rows, 2);
    options.raw->bins = 6;
    refused(at("scan.raw"), {"100 bytes", "120"}, options);
    options.raw = RawLayout{2147483647, 2147483647, 2147483647, "float64", false, 0};
    refused(at("scan.raw"), {"100 bytes"}, options);
    options.raw = RawLayout{5, 2, 5, "uint12", false, 0};
    const auto [kind, message] = made::errorOf([&] { openScan(at("scan.raw"), options); });
    QVERIFY(kind == ErrorKind::badRequest);
    QVERIFY(message.find("uint12") != std::string::npos && message.find("float32") != std::string::npos);
    options.raw = RawLayout{0, 2, 5, "uint16", false, 0};
    QVERIFY(made::errorOf([&] { openScan(at("scan.raw"), options); }).first == ErrorKind::badRequest);
}

void BadInputTest::rowsOutside()
{
    {
        made::Hdf5 file(at("dx.h5"));
        dxchange(file);
    }
    const auto scan = openScan(at("dx.h5"));
    for (const RowRange rows : {RowRange{-1, 1}, RowRange{3, 1}, RowRange{0, 0}, RowRange{2, 2},
                                RowRange{1, std::numeric_limits<int>::max()}}) {
        const auto [kind, message] = made::errorOf([&] { scan->read(rows, {}); });
        QVERIFY(kind == ErrorKind::badRequest);
        QVERIFY2(message.find("rows 0 to 2") != std::string::npos, message.c_str());
    }
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(made::errorOf([&] { scan->read({0, 1}, stop.get_token()); }).first == ErrorKind::cancelled);
}

void BadInputTest::options()
{
    {
        made::Hdf5 file(at("dx.h5"));
        dxchange(file);
    }
    OpenOptions options;
    options.sinogram = true;
    refused(at("dx.h5"), {"--sinogram"}, options, ErrorKind::badRequest);
    options = {};
    options.flats = at("no-flats.tif");
    const auto [kind, message] = made::errorOf([&] { openScan(at("dx.h5"), options); });
    QVERIFY(kind == ErrorKind::badFile);
    QVERIFY2(message.find("no-flats.tif") != std::string::npos, message.c_str());
    options.flats = at("flats.tif");
    made::tiff<std::uint8_t>(at("flats.tif"), 5, 3, std::vector<std::uint8_t>(15));
    QVERIFY(made::errorOf([&] { openScan(at("dx.h5"), options); }).second.find("5 x 3") != std::string::npos);
}

QTEST_GUILESS_MAIN(BadInputTest)
#include "bad_input_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The table of readers: each reader opens its own files and no others, and documents elsewhere agree with the table.
#include "engine/io/open/open_scan.h"
#include "engine/io/open/readers.h"
#include "tests/engine/io/files.h"
#include "tests/engine/io/npy_files.h"

#include <matio.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;
using made::counting;

namespace
{

struct Made {
    fs::path path;
    OpenOptions options;
};

// Creates a scan of four projections, two rows and three bins in each form that a reader opens, by the reader's id.
std::map<std::string, std::vector<Made>> makeAll(const fs::path& base)
{
    std::map<std::string, std::vector<Made>> files;
    made::Hdf5(base / "exchange.h5").numbers("/exchange/data", {4, 2, 3}, counting(24));
    files["dxchange"] = {{base / "exchange.h5", {}}};

    const std::string detector = "/entry/instrument/detector";
    for (const char* name : {"named.nxs", "keys.nx"}) {
        made::Hdf5 file(base / name);
        if (std::string(name) == "named.nxs")
            file.text("/entry/definition", "NXtomo");
        file.numbers(detector + "/data", {4, 2, 3}, counting(24));
        file.numbers(detector + "/image_key", {4}, {0, 0, 0, 0}, H5T_STD_I32LE);
        files["nxtomo"].push_back({base / name, {}});
    }

    {
        made::Hdf5 cil(base / "cil.nxs");
        const std::string data = "/entry1/tomo_entry/data/data", config = "/entry1/tomo_entry/config/";
        cil.numbers(data, {4, 2, 3}, counting(24));
        for (const auto& [name, value] : {std::pair("dim0", "angle"),
                                          {"dim1", "vertical"},
                                          {"dim2", "horizontal"},
                                          {"data_type", "AcquisitionData"},
                                          {"geometry", "parallel"},
                                          {"pixel_size_h", "1"}})
            cil.attribute(data, name, value);
        cil.numbers(config + "angles", {4}, counting(4, 45));
        for (const char* name : {"detector/position", "rotation_axis/position"})
            cil.numbers(config + name, {3}, {0, 0, 0});
        cil.numbers(config + "detector/direction_x", {3}, {1, 0, 0});
        for (const char* name : {"detector/direction_y", "rotation_axis/direction"})
            cil.numbers(config + name, {3}, {0, 0, 1});
        cil.numbers(config + "ray/direction", {3}, {0, 1, 0});
    }
    files["cil"] = {{base / "cil.nxs", {}}};

    OpenOptions named;
    named.dataSets.projections = "/frames";
    made::Hdf5(base / "named.hdf5").numbers("/frames", {4, 2, 3}, counting(24));
    made::Hdf5 plain(base / "plain.h5");
    plain.numbers("/entry1/xspress3/sum/data", {4, 2, 3}, counting(24));
    plain.numbers("/entry1/xspress3/sum/theta", {4}, counting(4, 45));
    files["hdf5-sets"] = {{base / "named.hdf5", named}, {base / "plain.h5", {}}};

    fs::create_directories(base / "folder");
    for (int page = 0; page < 4; ++page) {
        const std::vector<std::uint16_t> image(6, std::uint16_t(page + 1));
        made::TiffLook look;
        made::tiff(base / ("folder/p" + std::to_string(page) + ".tif"), 3, 2, image, look);
        look.mode = page == 0 ? "w" : "a";
        made::tiff(base / "pages.tif", 3, 2, image, look);
    }
    files["tiff-stack"] = {{base / "folder", {}}, {base / "pages.tif", {}}};

    OpenOptions sinogram;
    sinogram.sinogram = true;
    made::tiff(base / "lines.TIFF", 3, 4, std::vector<std::uint16_t>(12, 1));
    files["tiff-sinogram"] = {{base / "lines.TIFF", sinogram}};

    fs::create_directories(base / "nikon");
    for (int page = 0; page < 4; ++page)
        made::tiff(base / ("nikon/p_" + std::to_string(page) + ".tif"), 3, 2, std::vector<std::uint16_t>(6, 1));
    std::ofstream(base / "nikon/p.xtekct")
        << "[XTekCT]\nName=p\nSrcToObject=10\nSrcToDetector=20\nDetectorPixelsX=3\n"
           "DetectorPixelsY=2\nDetectorPixelSizeX=1\nProjections=4\nAngularStep=90\n";
    files["nikon"] = {{base / "nikon/p.xtekct", {}}};

    fs::create_directories(base / "skyscan");
    for (int page = 0; page < 4; ++page)
        made::tiff(base / ("skyscan/s_" + std::to_string(page) + ".tif"), 3, 2, std::vector<std::uint16_t>(6, 1));
    std::ofstream(base / "skyscan/s_.log")
        << "[System]\nScanner=SkyScan1172\nCamera Pixel Size (um)=10\n[Acquisition]\n"
           "Number Of Files=4\n"
           "Image Pixel Size (um)=5\nObject to Source (mm)=50\nRotation Step (deg)=90\n";
    files["skyscan"] = {{base / "skyscan/s_.log", {}}, {base / "skyscan", {}}};

    mat_t* matlab = Mat_CreateVer((base / "m.mat").c_str(), nullptr, MAT_FT_MAT5);
    std::size_t dims[] = {4, 3};
    std::vector<double> numbers(12, 1);
    matvar_t* matrix = Mat_VarCreate("m", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, numbers.data(), 0);
    Mat_VarWrite(matlab, matrix, MAT_COMPRESSION_NONE);
    Mat_VarFree(matrix);
    Mat_Close(matlab);
    files["mat"] = {{base / "m.mat", {}}};

    std::ofstream(base / "a.npy", std::ios::binary)
        << made::npyHeader(made::npyDictionary("|u1", false, "4, 2, 3")) + std::string(24, 'x');
    files["npy"] = {{base / "a.npy", {}}};

    OpenOptions layout;
    layout.raw = RawLayout{4, 2, 3, "uint8", false, 0};
    std::ofstream(base / "numbers.raw") << std::string(24, 'x');
    files["raw"] = {{base / "numbers.raw", layout}};
    return files;
}

std::string textOf(const char* file)
{
    std::ifstream in(fs::path(SINOSCOPE_SOURCE_DIR) / file);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

class ReadersTest : public QObject
{
    Q_OBJECT
  private slots:
    void initTestCase()
    {
#if SINOSCOPE_SECOND_GEOMETRY
        QSKIP("this build has a reader of the tests' own, which no manual names");
#endif
    }

    void rowsAreWhole();
    void eachIsSureOfItsOwn();
    void sharedFileIsTheFirstRows();
    void optionsNameTheFormat();
    void suffixes();
    void words();
    void desktopEntry();
    void manual();
};

void ReadersTest::rowsAreWhole()
{
    std::set<std::string> ids, labels;
    for (const Reader& reader : readers()) {
        QVERIFY2(ids.insert(reader.id).second && *reader.id, reader.id);
        QVERIFY2(labels.insert(reader.label).second && *reader.label, reader.id);
        QVERIFY2(*reader.summary && reader.open, reader.id);
        QVERIFY2(reader.recognises || reader.asked, reader.id);                 // chosen by contents or by the user
        QVERIFY2(!suffixesOf(reader).empty() == !!reader.container, reader.id); // raw numbers may have any suffix
        QVERIFY2(reader.container || !reader.hint.empty(), reader.id);          // how to request such a reader
        QVERIFY2(!reader.asked == !reader.option && !reader.ask == !reader.offer, reader.id);
        for (const std::string& suffix : suffixesOf(reader))
            QVERIFY2(suffix.starts_with('.') && QString::fromStdString(suffix).toLower().toStdString() == suffix,
                     suffix.c_str());
    }
    for (const Container* container : containers())
        QVERIFY2(!container->suffixes.empty() && !container->mimeTypes.empty(), container->label);
}

void ReadersTest::eachIsSureOfItsOwn()
{
    const TemporaryFolder folder;
    const auto files = makeAll(folder.path());
    for (const Reader& reader : readers())
        QVERIFY2(files.contains(reader.id), (std::string("make a small file for ") + reader.id).c_str());
    for (const auto& [id, list] : files)
        for (const Made& file : list) {
            const Candidate candidate(file.path, file.options);
            const Reader* chosen = readerFor(candidate);
            QVERIFY2(chosen && chosen->id == id, file.path.c_str());
            QCOMPARE(openScan(file.path, file.options)->format, std::string(chosen->label));
            QCOMPARE(openScan(file.path, file.options)->projections(), 4);
            for (const Reader& reader : readers()) {
                const std::string what = file.path.filename().string() + " and " + reader.id;
                const bool isAsked = reader.asked && reader.asked(file.options);
                QVERIFY2(!isAsked || reader.id == id, what.c_str());
                if (!isAsked && !reader.recognises)
                    QVERIFY2(reader.id != id, what.c_str());
                else if (!isAsked && (!chosen->asked || !chosen->asked(file.options) ||
                                      reader.container != chosen->container)) { // distinguished by the option
                    const Sure sure = reader.recognises(candidate),
                               own = chosen->recognises ? chosen->recognises(candidate) : Sure::no;
                    QVERIFY2(reader.id == id ? sure != Sure::no : sure == Sure::no || sure < own, what.c_str());
                }
            }
        }
}

void ReadersTest::sharedFileIsTheFirstRows()
{
    const TemporaryFolder folder;
    const fs::path path = folder / "both.h5";
    {
        made::Hdf5 file(path);
        file.numbers("/exchange/data", {4, 2, 3}, counting(24));
        file.text("/entry/definition", "NXtomo");
    }
    QCOMPARE(openScan(path)->format, std::string("DXchange"));
}

// Options override the contents of a file: bytes that look like HDF5 may be the beginning of anything.
void ReadersTest::optionsNameTheFormat()
{
    const TemporaryFolder folder;
    const fs::path base = folder.path();
    const auto files = makeAll(base);
    const int size = int(fs::file_size(base / "exchange.h5"));
    OpenOptions options;
    options.raw = RawLayout{size / 8, 1, 8, "uint8", false, size % 8};
    options.sinogram = true;
    QCOMPARE(openScan(base / "exchange.h5", options)->format, std::string("raw"));
    fs::resize_file(base / "exchange.h5", fs::file_size(base / "exchange.h5") / 2); // and no other reader opens it
    options.raw = RawLayout{size / 16, 1, 8, "uint8", false, size / 2 % 8};
    QCOMPARE(openScan(base / "exchange.h5", options)->format, std::string("raw"));

    const auto messageOf = [](const fs::path& path, const OpenOptions& given) {
        const auto error = errorOf([&] { openScan(path, given); });
        return error && error->kind() == ErrorKind::badRequest ? error->text().in(commandLineStyle())
                                                               : std::string("no bad request");
    };
    const std::string inFolder = "'" + (base / "folder").string() + "' is a folder; ";
    QCOMPARE(messageOf(base / "folder", options), inFolder + "a raw scan is a single file.");
    options.raw.reset();
    QCOMPARE(messageOf(base / "keys.nx", options),
             "'" + (base / "keys.nx").string() + "' is an HDF5 file; --sinogram is for TIFF files.");

    const std::string letter = (base / "letter.tif").string();
    std::ofstream(letter) << "Dear Sir or Madam";
    for (const bool asked : {false, true}) {
        options.sinogram = asked;
        const auto error = errorOf([&] { openScan(letter, options); });
        QVERIFY(error);
        const std::string message = error->text().in(commandLineStyle());
        QVERIFY2(message.starts_with("'" + letter + "' is neither an HDF5 nor a TIFF"), message.c_str());
        for (const Container* container : containers())
            QVERIFY2(contains(message, container->withArticle), message.c_str());
        QVERIFY2(contains(message, " file. For raw data without a header, give the shape and type (--raw"),
                 message.c_str());
    }
}

void ReadersTest::suffixes()
{
    const std::vector<std::string> all = scanSuffixes();
    QCOMPARE(std::set<std::string>(all.begin(), all.end()).size(), all.size());
    for (const std::string& suffix : all) {
        QCOMPARE(withoutSuffix("tooth" + suffix), std::string("tooth"));
        QCOMPARE(withoutSuffix("A.b" + QString::fromStdString(suffix).toUpper().toStdString()), std::string("A.b"));
    }
    QCOMPARE(withoutSuffix("slice.png"), std::string("slice.png"));

    for (const Reader& reader : readers()) {
        if (!reader.ask)
            continue;
        for (const std::string& suffix : suffixesOf(reader)) {
            OpenOptions options;
            const Reader* offered = alternativeFor("a" + suffix, options);
            QVERIFY2(offered, suffix.c_str());
            offered->ask(options);
            QVERIFY2(offered->asked(options) && alternativeFor("a" + suffix, options) != offered, suffix.c_str());
        }
    }
    QVERIFY(!alternativeFor("a.h5", {}) && !alternativeFor("tif", {}));
}

void ReadersTest::words()
{
    const std::string looked = scansInWords(false), all = scansInWords(true);
    for (const std::string& text : {looked, all}) {
        QVERIFY2(text.starts_with("HDF5 file (DXchange"), text.c_str());
        QVERIFY2(contains(text, "TIFF file, ") && contains(text, ", or "), text.c_str());
        for (const Reader& reader : readers()) {
            if (reader.container)
                QVERIFY2(contains(text, std::string(reader.container->label) + " file"), text.c_str());
            if (reader.mark)
                QVERIFY2(contains(text, reader.label), text.c_str());
            if (reader.folders)
                QVERIFY2(contains(text, reader.folders), text.c_str());
        }
    }
    QVERIFY2(!contains(looked, "raw file") && all.ends_with(", or raw file"), all.c_str());
}

// The desktop entry has exactly the MIME types of the table, and that of sessions.
void ReadersTest::desktopEntry()
{
    std::istringstream entry(textOf("packaging/org.sinoscope.Sinoscope.desktop"));
    std::set<std::string> written, known{"application/x-sinoscope-session"};
    for (std::string line; std::getline(entry, line);)
        if (line.starts_with("MimeType=")) {
            std::istringstream types(line.substr(9));
            for (std::string type; std::getline(types, type, ';');)
                written.insert(type);
        }
    for (const Container* container : containers())
        known.insert(container->mimeTypes.begin(), container->mimeTypes.end());
    for (const std::set<std::string>& of : {written, known})
        for (const std::string& type : of)
            QVERIFY2(written.contains(type) && known.contains(type), type.c_str());
}

// Every format in the manual's table is in the table of readers, whose own texts are in the help.
void ReadersTest::manual()
{
    const std::string text = textOf("resources/manual/opening-scans.md");
    const std::size_t begin = text.find("## Formats");
    QVERIFY(begin != std::string::npos);
    std::istringstream table(text.substr(begin, text.find("\n## ", begin + 1) - begin));
    std::set<std::string> known;
    for (const Reader& reader : readers())
        known.insert("| **" + std::string(reader.label) + "**");
    int formats = 0;
    for (std::string line; std::getline(table, line);)
        if (line.starts_with("| **")) {
            ++formats;
            QVERIFY2(known.contains(line.substr(0, line.find("**", 4) + 2)), line.c_str());
        }
    for (const std::string& label : known)
        QVERIFY2(text.find(label) != std::string::npos, label.c_str());
    QVERIFY(formats >= 9);
}

SINOSCOPE_TEST(ReadersTest, QCoreApplication)
#include "readers_test.moc"

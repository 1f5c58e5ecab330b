// SPDX-License-Identifier: GPL-3.0-or-later
// Slices from volumes written by various programs, against known values: which slice of the scan each one is, and
// which volumes don't fit.
#include "engine/documents/report.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/stored_slices.h"
#include "tests/engine/io/files.h"

#include <QTest>

using namespace engine;
using fixtures::fails;

namespace
{

constexpr int width = 6, height = 5;
const SliceSize size{width, height};

// Returns whether this is slice k of made::frames().
bool isSlice(const StoredSlice& slice, int k)
{
    const std::vector<double> expected = made::frames(1, height, width, k);
    return slice.image.width == width && slice.image.height == height &&
           fixtures::largestDifference(slice.image.values, expected) < 1e-3 * (1 + k);
}

StoredSlice read(const SlicesPath& path, int slice)
{
    return readSlice(path, slice, std::span(&size, 1));
}

// Returns a result of the program with slices from `first` on.
Reconstruction reconstructed(int first, int count)
{
    Reconstruction made;
    made.request.place.setSlices({first, count});
    made.image = Volume(count, height, width);
    const std::vector<double> values = made::frames(count, height, width, first);
    std::ranges::copy(values, made.image.values.begin());
    made.unit = "1/mm";
    return made;
}

void write(const std::filesystem::path& path, const Reconstruction& made, const OutputFormat& format = {})
{
    SliceWriter writer(path, "slice", made.request.place.slices(), false, {}, format);
    writer.write(made);
    writer.finish({configurationJson(made, {})});
}

} // namespace

class StoredSlicesTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<fixtures::TemporaryFolder> m_folder;
    std::filesystem::path at(const std::string& name) const { return *m_folder / name; }

  private slots:
    void init() { m_folder = std::make_unique<fixtures::TemporaryFolder>(); }

    void ofSinoscope_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("deflate");
        QTest::newRow("float") << "v.h5" << int(OutputFormat::Type::float32) << 0;
        QTest::newRow("half") << "v.h5" << int(OutputFormat::Type::half) << 0;
        QTest::newRow("whole numbers") << "v.h5" << int(OutputFormat::Type::uint16) << 0;
        QTest::newRow("compressed") << "v.h5" << int(OutputFormat::Type::uint16) << 3;
        QTest::newRow("folder") << "v" << int(OutputFormat::Type::float32) << 0;
        QTest::newRow("folder of whole numbers") << "v" << int(OutputFormat::Type::uint16) << 0;
        QTest::newRow("compressed folder") << "v" << int(OutputFormat::Type::half) << 2;
    }

    // Slices 7 to 10 of a scan are found by their numbers, and no other slice is.
    void ofSinoscope()
    {
        QFETCH(QString, name);
        QFETCH(int, type);
        QFETCH(int, deflate);
        const auto path = at(name.toStdString());
        const OutputFormat format{OutputFormat::Type(type), {0, 6553.5}, deflate};
        write(path, reconstructed(7, 4), format);
        for (int k = 7; k < 11; ++k) {
            const StoredSlice slice = read({path}, k);
            const double most = type == int(OutputFormat::Type::half) ? 0.6 : 0.06;
            QVERIFY(fixtures::largestDifference(slice.image.values, made::frames(1, height, width, k)) < most);
            QVERIFY(!slice.isOnly);
            QCOMPARE(slice.unit, std::string("1/mm"));
        }
        for (const int none : {0, 6, 11})
            QVERIFY(fails(ErrorKind::badFile, {"slices 7 to 10", "not slice " + std::to_string(none)},
                          [&] { read({path}, none); }));
        if (name == "v.h5") // a second path to the same data set
            QVERIFY(isSlice(read({path, "/exchange/data"}, 8), 8) || type == int(OutputFormat::Type::half));
    }

    void ofOneSliceThatIsPlaced()
    {
        write(at("one.h5"), reconstructed(3, 1));
        QVERIFY(!read({at("one.h5")}, 3).isOnly);
        QVERIFY(fails(ErrorKind::badFile, {"one.h5", "slice 3"}, [&] { read({at("one.h5")}, 4); }));
    }

    // The values are per cm, and the configuration gives the first slice; the histogram stored beside it is not used
    // as a volume.
    void ofNabu()
    {
        {
            made::Hdf5 file(at("rec.hdf5"));
            const std::string process = "/entry0000/reconstruction";
            file.numbers(process + "/results/data", {3, height, width}, made::frames(3, height, width, 20),
                         H5T_IEEE_F32LE);
            file.text(process + "/program", "nabu");
            file.numbers(process + "/configuration/processing_options/reconstruction/start_z", {}, {20}, H5T_STD_I64LE);
            file.numbers("/entry0000/histogram/results/data", {2, 9}, made::counting(18));
        }
        const StoredSlice slice = read({at("rec.hdf5")}, 21);
        QVERIFY(isSlice(slice, 21));
        QCOMPARE(slice.unit, std::string("1/cm"));
        QVERIFY(fails(ErrorKind::badFile, {"20 to 22"}, [&] { read({at("rec.hdf5")}, 2); }));
    }

    void ofTomopyAndTomocupy_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("axes");
        QTest::newRow("tomopy, dxchange") << "/exchange/data"
                                          << "";
        QTest::newRow("tomopy, a script") << "/exchange/recon"
                                          << "";
        QTest::newRow("tomopy, command line") << "/volume"
                                              << "";
        QTest::newRow("tomocupy") << "/exchange/data"
                                  << "z:y:x";
        QTest::newRow("any other") << "/some/where/else"
                                   << "";
    }

    void ofTomopyAndTomocupy()
    {
        QFETCH(QString, path);
        QFETCH(QString, axes);
        {
            made::Hdf5 file(at("rec.h5"));
            file.numbers(path.toStdString(), {3, height, width}, made::frames(3, height, width), H5T_IEEE_F32LE);
            file.numbers("/measurement/image", {2, 2}, made::counting(4), H5T_STD_U16LE); // a picture of the sample
            if (!axes.isEmpty()) {
                file.attribute(path.toStdString(), "axes", axes.toStdString());
                file.attribute(path.toStdString(), "units", "counts");
            }
        }
        for (int k = 0; k < 3; ++k)
            QVERIFY(isSlice(read({at("rec.h5")}, k), k));
        QVERIFY(fails(ErrorKind::badFile, {"0 to 2", "not slice 3"}, [&] { read({at("rec.h5")}, 3); }));
    }

    // A file that also has the scan's angles, whose number differs from the number of slices.
    void ofTomocupyWithAngles()
    {
        const SliceSize square{5, 5};
        {
            made::Hdf5 file(at("rec.h5"));
            file.numbers("/exchange/data", {3, 5, 5}, made::frames(3, 5, 5), H5T_IEEE_F32LE);
            file.numbers("/exchange/theta", {3}, made::counting(3));
        }
        // The file has as many angles as slices.
        QVERIFY(fails(ErrorKind::badFile, {"are projections"}, [&] { readSlice({at("rec.h5")}, 1); }));
        {
            made::Hdf5 file(at("volume.h5"));
            file.numbers("/exchange/data", {3, 5, 5}, made::frames(3, 5, 5), H5T_IEEE_F32LE);
            file.numbers("/exchange/theta", {7}, made::counting(7));
        }
        const StoredSlice slice = readSlice({at("volume.h5")}, 1, std::span(&square, 1));
        QCOMPARE(slice.image.values[7], float(made::value(1, 1, 2)));
    }

    // Slices lie along the second dimension, and no metadata says so.
    void ofHTTomo()
    {
        std::vector<double> values;
        for (int y = 0; y < height; ++y)
            for (int z = 0; z < 4; ++z)
                for (int x = 0; x < width; ++x)
                    values.push_back(made::value(z, y, x));
        {
            made::Hdf5 file(at("rec.h5"));
            file.numbers("/data", {height, 4, width}, values, H5T_IEEE_F32LE);
            file.numbers("/angles", {9}, made::counting(9));
        }
        for (const SlicesPath& path : {SlicesPath{at("rec.h5")}, SlicesPath{at("rec.h5"), "/data"}}) {
            const StoredSlice guessed = read(path, 3);
            QVERIFY(isSlice(guessed, 3));
            QCOMPARE(guessed.axes, std::string("y:z:x"));
        }
        const StoredSlice given = read({at("rec.h5"), "/data", "y:z:x"}, 3);
        QVERIFY(isSlice(given, 3) && given.axes.empty());
        QVERIFY(isSlice(readSlice({at("rec.h5"), {}, "y:z:x"}, 2), 2)); // for any slice size
        QVERIFY(fails(ErrorKind::badRequest, {"4", "y:z:x"}, [&] { read({at("rec.h5"), "/data", "z:y:x"}, 3); }));
        {
            made::Hdf5 file(at("stated.h5"));
            file.numbers("/data", {4, height, width}, made::frames(4, height, width), H5T_IEEE_F32LE);
            file.attribute("/data", "axes", "z:y:x");
        }
        QVERIFY(isSlice(read({at("stated.h5"), {}, "y:z:x"}, 3), 3)); // the file specifies the axes
    }

    // One file per chunk, behind links, as tomocupy and nabu write.
    void ofVirtualDataSets()
    {
        for (int part = 0; part < 2; ++part) {
            made::Hdf5 file(at("p" + std::to_string(part) + ".h5"));
            file.numbers("/exchange/data", {2, height, width}, made::frames(2, height, width, 2 * part),
                         H5T_IEEE_F32LE);
        }
        {
            made::Hdf5 file(at("rec.h5"));
            const hsize_t whole[] = {4, height, width}, piece[] = {2, height, width};
            const hid_t space = H5Screate_simple(3, whole, nullptr), from = H5Screate_simple(3, piece, nullptr);
            const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
            for (hsize_t part = 0; part < 2; ++part) {
                const hsize_t start[] = {2 * part, 0, 0};
                H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, piece, nullptr);
                H5Pset_virtual(creation, space, ("p" + std::to_string(part) + ".h5").c_str(), "/exchange/data", from);
            }
            H5Sselect_all(space);
            file.numbers("/exchange/data", {4, height, width}, {}, H5T_IEEE_F32LE, creation);
            H5Pclose(creation);
            H5Sclose(from);
            H5Sclose(space);
        }
        for (int k = 0; k < 4; ++k)
            QVERIFY(isSlice(read({at("rec.h5")}, k), k));
        const FileStates files = read({at("rec.h5")}, 3).files;
        QVERIFY(files.areUnchanged());
        std::filesystem::remove(at("p1.h5"));
        QVERIFY(!files.areUnchanged()); // the file of slice 3
        QVERIFY(fails(ErrorKind::badFile, {"p1.h5", "missing"}, [&] { read({at("rec.h5")}, 0); }));
    }

    void everyTypeAndOrderOfBytes()
    {
        const std::pair<const char*, hid_t> types[] = {
            {"u8", H5T_STD_U8LE},      {"u16", H5T_STD_U16LE},  {"u16be", H5T_STD_U16BE},  {"f32", H5T_IEEE_F32LE},
            {"f32be", H5T_IEEE_F32BE}, {"f64", H5T_IEEE_F64LE}, {"f64be", H5T_IEEE_F64BE},
        };
        for (const auto& [name, type] : types) {
            {
                made::Hdf5 file(at("t.h5"));
                file.numbers("/volume", {2, height, width}, made::frames(2, height, width), type);
            }
            QVERIFY2(isSlice(read({at("t.h5")}, 1), 1), name);
        }
        std::vector<std::uint8_t> small;
        std::vector<std::uint16_t> whole;
        std::vector<float> floats;
        std::vector<double> doubles;
        for (const double value : made::frames(1, height, width)) {
            small.push_back(std::uint8_t(value));
            whole.push_back(std::uint16_t(value));
            floats.push_back(float(value));
            doubles.push_back(value);
        }
        for (const char* mode : {"w", "wb", "w8"}) {
            const made::TiffLook number{.mode = mode}, real{.format = SAMPLEFORMAT_IEEEFP, .mode = mode};
            made::tiff(at("u8.tif"), width, height, small, number);
            made::tiff(at("u16.tif"), width, height, whole, number);
            made::tiff(at("f32.tif"), width, height, floats, real);
            made::tiff(at("f64.tif"), width, height, doubles, real);
            for (const char* name : {"u8.tif", "u16.tif", "f32.tif", "f64.tif"}) {
                const StoredSlice slice = read({at(name)}, 12); // a single image serves as any slice
                QVERIFY2(slice.isOnly && isSlice(slice, 0), name);
            }
        }
    }

    void axesInAnyOrder()
    {
        {
            made::Hdf5 file(at("v.h5"));
            std::vector<double> values;
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x)
                    for (int z = 0; z < 4; ++z)
                        values.push_back(made::value(z, y, x));
            file.numbers("/exchange/data", {height, width, 4}, values, H5T_IEEE_F32LE);
            file.attribute("/exchange/data", "axes", "y:x:z");
        }
        QVERIFY(isSlice(read({at("v.h5")}, 3), 3));
    }

    void pagesAndFolders()
    {
        const auto values = [](int k) {
            const std::vector<double> all = made::frames(1, height, width, k);
            return std::vector<float>(all.begin(), all.end());
        };
        made::TiffLook look{.format = SAMPLEFORMAT_IEEEFP};
        for (int k = 0; k < 3; ++k, look.mode = "a")
            made::tiff(at("pages.tif"), width, height, values(k), look);
        QVERIFY(isSlice(read({at("pages.tif")}, 2), 2));
        QVERIFY(fails(ErrorKind::badFile, {"pages.tif", "0 to 2"}, [&] { read({at("pages.tif")}, 3); }));
        QVERIFY(fails(ErrorKind::badFile, {"one image is needed"}, [&] { readSlice({at("pages.tif")}); }));

        look.mode = "w";
        std::filesystem::create_directory(at("v"));
        for (const int k : {9, 10, 12}) // numbering as in tomocupy and nabu
            made::tiff(at("v/recon_" + std::to_string(k) + ".tiff"), width, height, values(k), look);
        for (const int k : {9, 10, 12})
            QVERIFY(isSlice(read({at("v")}, k), k));
        QVERIFY(fails(ErrorKind::badFile, {"v' has slices 9 to 12", "not slice 11"}, [&] { read({at("v")}, 11); }));
        QVERIFY(isSlice(read({at("v/recon_10.tiff")}, 3), 10)); // a file given by its own name is a single image
        made::tiff(at("v/mask_11.tiff"), width, height, values(11), look);
        QVERIFY(fails(ErrorKind::badFile, {"several volumes", "mask_", "recon_"}, [&] { read({at("v")}, 9); }));
        std::filesystem::create_directory(at("w"));
        for (const char* name : {"b.tif", "a.tif"})
            made::tiff(at(std::string("w/") + name), width, height, values(*name == 'a' ? 0 : 1), look);
        QVERIFY(isSlice(read({at("w")}, 1), 1)); // without numbers: in the order of the names
    }

    // Only the requested slice of a large volume is read. What the helper program reads when it starts counts, too.
    void readsOnlyWhatIsNeeded()
    {
        constexpr int side = 200, count = 100;
        {
            made::Hdf5 file(at("big.h5"));
            file.numbers("/volume", {count, side, side}, std::vector<double>(std::size_t(count) * side * side, 1.0),
                         H5T_IEEE_F32LE);
        }
        const long long before = made::bytesRead();
        if (before < 0)
            QSKIP("the system does not say what is read");
        QCOMPARE(readSlice({at("big.h5")}, 50).image.values[7], 1.0f);
        const long long bytes = made::bytesRead() - before;
        QVERIFY2(bytes < 10 * 4 * side * side, qPrintable(QString::number(bytes)));
    }

    void whatDoesNotFit()
    {
        {
            made::Hdf5 file(at("other.h5"));
            file.numbers("/exchange/data", {3, 8, 9}, made::counting(3 * 8 * 9), H5T_IEEE_F32LE);
        }
        QVERIFY(fails(ErrorKind::badRequest, {"other.h5", "/exchange/data", "9 x 8", "6 x 5"},
                      [&] { read({at("other.h5")}, 0); }));
        made::tiff<float>(at("other.tif"), 4, 3, std::vector<float>(12), {.format = SAMPLEFORMAT_IEEEFP});
        QVERIFY(fails(ErrorKind::badRequest, {"other.tif", "4 x 3", "6 x 5"}, [&] { read({at("other.tif")}, 0); }));
        {
            made::Hdf5 file(at("several.h5"));
            for (const char* path : {"/a/first", "/b/second"})
                file.numbers(path, {2, height, width}, made::frames(2, height, width, *(path + 1) == 'a' ? 0 : 5),
                             H5T_IEEE_F32LE);
            file.numbers("/small", {3, 3}, made::counting(9));
        }
        QVERIFY(fails(ErrorKind::badFile, {"several", "/a/first (2 x 6 x 5)", "/b/second", "several.h5#/a/first"},
                      [&] { read({at("several.h5")}, 0); }));
        QVERIFY(isSlice(read({at("several.h5"), "/b/second"}, 1), 6));
        QCOMPARE(datasetsThatFit(at("several.h5"), std::span(&size, 1)),
                 (std::vector<std::string>{"/a/first", "/b/second"}));
        QVERIFY(datasetsThatFit(at("other.tif"), std::span(&size, 1)).empty());
        QVERIFY(fails(ErrorKind::badFile, {"several.h5", "/none"}, [&] { read({at("several.h5"), "/none"}, 0); }));
        QVERIFY(fails(ErrorKind::badFile, {"several.h5", "/a"}, [&] { read({at("several.h5"), "/a"}, 0); }));
        QVERIFY(fails(ErrorKind::badFile, {"other.tif", "/a"}, [&] { read({at("other.tif"), "/a"}, 0); }));
        {
            made::Hdf5 file(at("scan.h5"));
            file.numbers("/exchange/data", {3, height, width}, made::frames(3, height, width), H5T_IEEE_F32LE);
            file.numbers("/exchange/data_dark", {2, height, width}, made::frames(2, height, width), H5T_IEEE_F32LE);
            file.numbers("/exchange/theta", {3}, made::counting(3));
        }
        QVERIFY(fails(ErrorKind::badFile, {"scan.h5", "projections"}, [&] { read({at("scan.h5")}, 0); }));
        QVERIFY(fails(ErrorKind::badFile, {"scan.h5", "projections"}, [&] { readSlice({at("scan.h5")}, 0); }));
    }

    void damagedFiles()
    {
        QVERIFY(fails(ErrorKind::badFile, {"none.h5"}, [&] { read({at("none.h5")}, 0); }));
        std::ofstream(at("letter.h5")) << "Dear Sir or Madam";
        QVERIFY(fails(ErrorKind::badFile, {"letter.h5", "neither"}, [&] { read({at("letter.h5")}, 0); }));
        std::filesystem::create_directory(at("empty"));
        QVERIFY(fails(ErrorKind::badFile, {"empty", "no TIFF"}, [&] { read({at("empty")}, 0); }));
        write(at("v.h5"), reconstructed(0, 3));
        const auto bytes = std::filesystem::file_size(at("v.h5"));
        write(at("w"), reconstructed(0, 1));
        for (const double share : {0.02, 0.5, 0.9, 0.999}) {
            std::filesystem::copy_file(at("v.h5"), at("cut.h5"), std::filesystem::copy_options::overwrite_existing);
            std::filesystem::resize_file(at("cut.h5"), std::uintmax_t(share * double(bytes)));
            QVERIFY(fails(ErrorKind::badFile, {"cut.h5"}, [&] { read({at("cut.h5")}, 2); }));
            const auto image = at("w/slice_00000.tiff");
            std::filesystem::copy_file(image, at("cut.tif"), std::filesystem::copy_options::overwrite_existing);
            std::filesystem::resize_file(at("cut.tif"),
                                         std::uintmax_t(share * double(std::filesystem::file_size(image)) / 2));
            QVERIFY(fails(ErrorKind::badFile, {"cut.tif"}, [&] { read({at("cut.tif")}, 2); }));
        }
    }

    void pathsAsTexts()
    {
        const SlicesPath paths[] = {{"a.h5"},
                                    {"a.h5", "/exchange/data"},
                                    {"/x/run#1.h5"},
                                    {"/x/run#/a.h5"},
                                    {"/x/run#/a.h5", "/volume"},
                                    {"a#"},
                                    {"a#", "/b"},
                                    {"a.h5", "/data", "y:z:x"},
                                    {"a.h5", "", "y:z:x"},
                                    {"a@b.h5", "/data@2"},
                                    {"a.mat", "", "", "1/pixel"},
                                    {"a.h5", "/data", "", "1/cm"},
                                    {"a.h5", "/data", "y:z:x", "1/mm"},
                                    {"/x/run@1/mm"},
                                    {"/x/run@1/mm", "", "", "1/mm"},
                                    {"a#", "", "", "1/mm"},
                                    {"/ü/b c.tif"}};
        for (const SlicesPath& path : paths)
            QVERIFY2(slicesPathFromText(toText(path)) == path, toText(path).c_str());
        QCOMPARE(toText(paths[1]), std::string("a.h5#/exchange/data"));
        QCOMPARE(toText(paths[2]), std::string("/x/run#1.h5"));
        QCOMPARE(shortName(paths[4]), std::string("a.h5#/volume"));
        QCOMPARE(shortName({"/x/folder/"}), std::string("folder"));
        QCOMPARE(slicesPathFromText("a.h5#/data@Y,Z,X").axes, std::string("y:z:x"));
        QCOMPARE(toText(SlicesPath{"a.mat", "", "", "1/pixel"}), std::string("a.mat@1/pixel"));
        for (const char* bad : {"", "#", "#/volume", "#/volume@y:z:x", "@1/mm"})
            QVERIFY(fails(ErrorKind::badRequest, {"file"}, [&] { slicesPathFromText(bad); }));
    }
};

SINOSCOPE_TEST(StoredSlicesTest, QCoreApplication)
#include "stored_slices_test.moc"

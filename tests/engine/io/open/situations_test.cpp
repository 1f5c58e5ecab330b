// SPDX-License-Identifier: GPL-3.0-or-later
// What users' files are like: flags, names and texts that other programs write.
#include "engine/io/geometry/angles_file.h"
#include "engine/io/open/open_scan.h"
#include "engine/scan/some_projections.h"
#include "tests/engine/io/bad_files.h"
#include "tests/engine/io/npy_files.h"
#include "tests/engine/io/refused.h"

#include <cmath>
#include <numbers>

using namespace engine;
using namespace fixtures;
using made::counting;
namespace fs = std::filesystem;

namespace
{

// "a" → "a\0": UTF-16 of little-endian machines.
std::string utf16(const std::string& text)
{
    std::string made = "\xff\xfe";
    for (const char sign : text)
        (made += sign) += '\0';
    return made;
}

std::vector<double> degreesIn(const fs::path& path)
{
    std::vector<double> degrees;
    for (const double angle : readAngles(path))
        degrees.push_back(std::round(angle / degree * 1e6) / 1e6);
    return degrees;
}

// Writes an image of 4 x 3 pixels that all have this value.
void greyTiff(const fs::path& path, int value, const made::TiffLook& look = {})
{
    fs::create_directories(path.parent_path());
    made::tiff<std::uint16_t>(path, 4, 3, std::vector<std::uint16_t>(12, static_cast<std::uint16_t>(value)), look);
}

// Returns the first value of each projection, dark and flat of the middle row.
struct FirstValues {
    std::vector<double> projections, darks, flats;
};
FirstValues firstValues(const Scan& scan)
{
    const RawRows raw = scan.read({1, 1}, {});
    FirstValues made;
    for (int p = 0; p < raw.projections; ++p)
        made.projections.push_back(raw.data[static_cast<std::size_t>(p) * raw.bins]);
    for (int k = 0; k < raw.darkFrames; ++k)
        made.darks.push_back(raw.darks[static_cast<std::size_t>(k) * raw.bins]);
    for (int k = 0; k < raw.flatFrames; ++k)
        made.flats.push_back(raw.flats[static_cast<std::size_t>(k) * raw.bins]);
    return made;
}

} // namespace

class IoSituationsTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_folder.emplace(); }

    void textsOfOtherMachines()
    {
        const std::vector<double> expected = {0, 0.25, 1.5};
        made::write(at("mark.txt"), "\xef\xbb\xbf"
                                    "0\n0.25\n1.5\n");
        QCOMPARE(degreesIn(at("mark.txt")), expected);
        made::write(at("wide.txt"), utf16("0\r\n0.25\r\n1.5\r\n"));
        QCOMPARE(degreesIn(at("wide.txt")), expected);
        made::write(at("comma.txt"), "0,00\n0,25\n1,50\n");
        QCOMPARE(degreesIn(at("comma.txt")), expected);
        made::write(at("columns.txt"), "1;0,00\n2;0,25\n3;1,50\n");
        AngleColumn column;
        column.column = 2;
        const AnglesInFile second = anglesIn(at("columns.txt"), column);
        QVERIFY(second.anglesRad.size() == 3 && std::abs(second.anglesRad[1] - 0.25 * degree) < 1e-12);
        // Whole numbers of two columns may be numbers and angles: nothing is guessed, and the message names both.
        made::write(at("two.txt"), "0,0\n1,1\n2,2\n");
        QVERIFY(fails(ErrorKind::badFile, {"two.txt", "decimal"}, [&] { readAngles(at("two.txt")); }));
    }

    void dataSets()
    {
        {
            made::Hdf5 file(at("a.h5"));
            file.numbers("/exchange/data", {3, 5, 4}, counting(60), H5T_STD_U16LE); // rows, projections, bins
            file.numbers("/exchange/data_dark", {3, 0, 4}, {}, H5T_STD_U16LE);
            file.numbers("/exchange/theta", {5}, counting(5, 36));
            file.attribute("/exchange/theta", "units", "deg");
        }
        const auto scan = openScan(at("a.h5"));
        QCOMPARE(scan->projections(), 5);
        QCOMPARE(scan->rows, 3);
        QCOMPARE(scan->darkFrames, 0);
        QVERIFY(mentions(scan->notes, "y:theta:x"));
        QCOMPARE(firstValues(*scan).projections, (std::vector<double>{20, 24, 28, 32, 36}));
    }

    void flipsOfNxtomo()
    {
        const std::string detector = "/scan/instrument/detector/";
        for (const char* name : {"plain.nxs", "y.nxs", "x.nxs"}) {
            made::Hdf5 file(at(name));
            made::nxtomo(file, std::vector<double>(6, 0.0));
            const hid_t truth = H5Tenum_create(H5T_NATIVE_INT8); // as h5py stores it
            std::int8_t value = 0;
            H5Tenum_insert(truth, "FALSE", &value);
            value = 1;
            H5Tenum_insert(truth, "TRUE", &value);
            if (const std::string flip = fs::path(name).stem().string(); flip != "plain") {
                const hid_t space = H5Screate(H5S_SCALAR);
                const hid_t set = H5Dcreate2(file.id(), (detector + flip + "_flipped").c_str(), truth, space,
                                             H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
                H5Dwrite(set, truth, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
                H5Dclose(set);
                H5Sclose(space);
            }
            H5Tclose(truth);
        }
        const auto plain = openScan(at("plain.nxs")), y = openScan(at("y.nxs")), x = openScan(at("x.nxs"));
        QVERIFY(y->read({0, 1}, {}).data.toFloats() == plain->read({2, 1}, {}).data.toFloats());
        QVERIFY(mentions(y->notes, "y_flipped") && mentions(x->notes, "x_flipped"));
        QVERIFY(std::abs(x->anglesRad()[1] - plain->anglesRad()[1] - std::numbers::pi) < 1e-9);
    }

    void damagedTiffs()
    {
        for (int k = 0; k < 20; ++k)
            greyTiff(at("t") / ("s_" + std::to_string(100 + k) + ".tif"), 1000 + k);
        for (const char* name : {"s_105.tif", "s_119.tif"})
            fs::resize_file(at("t") / name, fs::file_size(at("t") / name) / 2);
        OpenOptions options;
        options.angleRangeRad = std::pair(0.0, 19 * degree);
        const auto scan = openScan(at("t"), options);
        QCOMPARE(scan->projections(), 18);
        QVERIFY(mentions(scan->notes, "Projection 5, counted from 0, is left out") &&
                mentions(scan->notes, "s_119.tif"));
        QVERIFY(std::abs(scan->anglesRad()[5] - 6 * degree) < 1e-9); // its own angle
        options.reduction.leftOut = {{19, 1}};
        QCOMPARE(openScan(at("t"), options)->projections(), 18);
        fs::resize_file(at("t") / "s_106.tif", 50); // more than a tenth
        QVERIFY(fails(ErrorKind::badFile, {"s_105.tif"}, [&] { openScan(at("t")); }));
    }

    void anglesInNames()
    {
        for (const auto& [name, value] :
             {std::pair("t_-1.5.tif", 1), {"t_0.0.tif", 2}, {"t_-90.0.tif", 3}, {"t_10.0.tif", 4}})
            greyTiff(at("n") / name, value);
        const auto scan = openScan(at("n"));
        QCOMPARE(firstValues(*scan).projections, (std::vector<double>{3, 1, 2, 4}));
        QVERIFY(std::abs(scan->anglesRad().front() + std::numbers::pi / 2) < 1e-9);
        QVERIFY(!scan->anglesAssumed);
    }

    void whiteIsZero()
    {
        for (int k = 0; k < 3; ++k)
            greyTiff(at("w") / ("s_" + std::to_string(k) + ".tif"), 65535 - 100 * k,
                     {.photometric = PHOTOMETRIC_MINISWHITE});
        const auto scan = openScan(at("w"));
        QCOMPARE(firstValues(*scan).projections, (std::vector<double>{0, 100, 200}));
        QVERIFY(mentions(scan->notes, "WhiteIsZero"));
    }

    void sidesByNames()
    {
        for (int k = 0; k < 4; ++k)
            greyTiff(at("s/Tomo") / ("x_" + std::to_string(k) + ".tif"), 500 + k);
        greyTiff(at("s/Flat_After/1.tif"), 900);
        greyTiff(at("s/Flat_Before/1.tif"), 1000);
        greyTiff(at("s/bg/1.tif"), 10);
        greyTiff(at("s/white_stone/1.tif"), 7777); // another sample
        const auto scan = openScan(at("s/Tomo"));
        const FirstValues values = firstValues(*scan);
        QCOMPARE(values.flats, (std::vector<double>{1000, 900}));
        QCOMPARE(scan->flatPlaces, (std::vector<double>{-0.5, 3.5}));
        QCOMPARE(values.darks, (std::vector<double>{10}));
    }

    void givenSidesOfAnyKind()
    {
        for (int k = 0; k < 4; ++k)
            greyTiff(at("p") / ("x_" + std::to_string(k) + ".tif"), 500 + k);
        std::string bytes = made::npyHeader(made::npyDictionary("<u2", false, "2, 3, 4"));
        for (int k = 0; k < 24; ++k)
            bytes += std::string{static_cast<char>(k < 12 ? 5 : 7), '\0'};
        made::write(at("darks.npy"), bytes);
        {
            made::Hdf5 file(at("flats.h5"));
            file.numbers("/entry/flats", {1, 3, 4}, std::vector<double>(12, 2000), H5T_STD_U16LE);
            file.numbers("/entry/more", {1, 3, 4}, std::vector<double>(12, 3000), H5T_STD_U16LE);
            file.numbers("/entry/other", {2, 5}, counting(10), H5T_STD_U16LE);
        }
        OpenOptions options;
        options.darks = at("darks.npy");
        options.flats = at("flats.h5").string() + ":/entry/more";
        const auto scan = openScan(at("p"), options);
        const FirstValues values = firstValues(*scan);
        QCOMPARE(values.darks, (std::vector<double>{5, 7}));
        QCOMPARE(values.flats, (std::vector<double>{3000}));
        QVERIFY(std::ranges::count(scan->files, at("flats.h5")) > 0); // no output may replace it
        options.flats = at("flats.h5");
        QVERIFY(fails(ErrorKind::badRequest, {"flats.h5", "/entry/flats"}, [&] { openScan(at("p"), options); }));
    }

  private:
    fs::path at(const std::string& name) const { return m_folder->path() / name; }
    std::optional<TemporaryFolder> m_folder;
};

SINOSCOPE_TEST(IoSituationsTest, QCoreApplication)
#include "situations_test.moc"

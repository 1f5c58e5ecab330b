// SPDX-License-Identifier: GPL-3.0-or-later
// Unusable files, angles, layouts, rows and options: each is refused with an error that names it and the value.
#include "engine/io/geometry/angles_file.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/slice_writer.h"
#include "tests/engine/io/refused.h"

#include <cmath>
#include <fstream>
#include <limits>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;
using made::dxchange;
using made::refused;

class BadInputTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_folder.emplace(); }

    void missing()
    {
        QVERIFY(refused(at("nothing.h5"), {"There is no file"}));
        QVERIFY(refused("/dev/null", {"neither a file nor a folder"}));
        QVERIFY(fails(ErrorKind::badFile, [&] { readTiffImage(at("none.tif")); }));
    }

    void notAScan()
    {
        std::ofstream(at("letter.h5")) << "Dear Sir or Madam";
        QVERIFY(refused(at("letter.h5"), {"neither an HDF5 nor a TIFF"}));
        std::ofstream(at("empty.h5"));
        QVERIFY(refused(at("empty.h5"), {"empty"}));
        QVERIFY(fails(ErrorKind::badFile, [&] { readTiffImage(at("letter.h5")); }));
    }

    void angleFiles()
    {
        const auto saysOf = [&](const char* text, const char* words) {
            std::ofstream(at("angles.txt")) << text;
            return fails(ErrorKind::badFile, {words}, [&] { readAngles(at("angles.txt")); });
        };
        QVERIFY(saysOf("0\n1.5\nnorth\n", "line 3: 'north'"));
        QVERIFY(saysOf("0\nnan\n", "line 2"));
        QVERIFY(saysOf("1 2\n", "line 1"));
        QVERIFY(saysOf("# nothing\n", "no angles"));
        QVERIFY(fails(ErrorKind::badFile, [&] { readAngles(at("none.txt")); }));
        std::ofstream(at("angles.txt")) << "# degrees\n 0 \r\n+90\n\n-1.8e2\n";
        const std::vector<double> angles = readAngles(at("angles.txt"));
        QCOMPARE(angles.size(), std::size_t(3));
        QVERIFY(std::abs(angles[1] - 1.5707963267948966) < 1e-15);
        QVERIFY(std::abs(angles[2] + 3.141592653589793) < 1e-15);
    }

    void rawLayouts()
    {
        std::ofstream(at("scan.raw")) << std::string(100, 'x');
        OpenOptions options;
        options.raw = RawLayout{5, 2, 5, "uint16", false, 0};
        QCOMPARE(openScan(at("scan.raw"), options)->rows, 2);
        options.raw->bins = 6;
        QVERIFY(refused(at("scan.raw"), {"100 bytes", "120"}, options));
        options.raw = RawLayout{2147483647, 2147483647, 2147483647, "float64", false, 0};
        QVERIFY(refused(at("scan.raw"), {"100 bytes"}, options));
        options.raw = RawLayout{5, 2, 5, "uint12", false, 0};
        QVERIFY(fails(ErrorKind::badRequest, {"uint12", "float32"}, [&] { openScan(at("scan.raw"), options); }));
        options.raw = RawLayout{0, 2, 5, "uint16", false, 0};
        QVERIFY(fails(ErrorKind::badRequest, [&] { openScan(at("scan.raw"), options); }));
    }

    void rowsOutside()
    {
        {
            made::Hdf5 file(at("dx.h5"));
            dxchange(file);
        }
        const auto scan = openScan(at("dx.h5"));
        for (const RowRange rows : {RowRange{-1, 1}, RowRange{3, 1}, RowRange{0, 0}, RowRange{2, 2},
                                    RowRange{1, std::numeric_limits<int>::max()}})
            QVERIFY(fails(ErrorKind::badRequest, {"rows 0 to 2"}, [&] { scan->read(rows, {}); }));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(fails(ErrorKind::cancelled, [&] { scan->read({0, 1}, stop.get_token()); }));
    }

    void options()
    {
        {
            made::Hdf5 file(at("dx.h5"));
            dxchange(file);
        }
        OpenOptions options;
        options.sinogram = true;
        QVERIFY(refused(at("dx.h5"), {"--sinogram"}, options, ErrorKind::badRequest));
        options = {};
        options.flats = at("no-flats.tif");
        QVERIFY(fails(ErrorKind::badFile, {"no-flats.tif"}, [&] { openScan(at("dx.h5"), options); }));
        options.flats = at("flats.tif");
        made::tiff<std::uint8_t>(at("flats.tif"), 5, 3, std::vector<std::uint8_t>(15));
        QVERIFY(fails(ErrorKind::badFile, {"5 x 3"}, [&] { openScan(at("dx.h5"), options); }));
    }

  private:
    fs::path at(const std::string& name) const { return *m_folder / name; }
    std::optional<TemporaryFolder> m_folder;
};

SINOSCOPE_TEST(BadInputTest, QCoreApplication)
#include "bad_input_test.moc"

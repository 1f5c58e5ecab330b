// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files of unknown format: which of their data sets make up a scan, guessed or named by the user.
#include "engine/io/formats/hdf5_data_sets.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/engine/io/files.h"
#include "tests/engine/io/refused.h"

#include <numbers>
#include <numeric>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;
using made::counting;

namespace
{

// Returns the value of a frame, row and bin, whatever the order of the dimensions.
double valueAt(int frame, int row, int bin)
{
    return 1000 + 100 * frame + 10 * row + bin;
}

// Returns frames x rows x bins, with the dimensions in the given order.
std::vector<double> ordered(std::array<int, 3> lengths, std::array<int, 3> places)
{
    std::array<int, 3> shape{};
    for (int d = 0; d < 3; ++d)
        shape[std::size_t(places[d])] = lengths[d];
    std::vector<double> values;
    std::array<int, 3> at{};
    for (at[0] = 0; at[0] < shape[0]; ++at[0])
        for (at[1] = 0; at[1] < shape[1]; ++at[1])
            for (at[2] = 0; at[2] < shape[2]; ++at[2])
                values.push_back(
                    valueAt(at[std::size_t(places[0])], at[std::size_t(places[1])], at[std::size_t(places[2])]));
    return values;
}

// Returns whether every projection has the values that were written.
bool isWhole(const Scan& scan, int projections, int rows, int bins)
{
    if (scan.projections() != projections || scan.rows != rows || scan.bins() != bins)
        return false;
    const Values values = scan.read({0, rows}, {}).data.toFloats();
    std::size_t k = 0;
    for (int frame = 0; frame < projections; ++frame)
        for (int row = 0; row < rows; ++row)
            for (int bin = 0; bin < bins; ++bin)
                if (values[k++] != float(valueAt(frame, row, bin)))
                    return false;
    return k == values.size();
}

DataSets chosen(const std::string& projections, const std::string& axes = {}, const std::string& angles = {})
{
    DataSets sets;
    sets.projections = projections;
    sets.axes = axes;
    sets.angles = angles;
    return sets;
}

} // namespace

class Hdf5SetsTest : public QObject
{
    Q_OBJECT

  private slots:
    // Files like those of Diamond's beamline I18; any of the three dimensions may be that of the projections.
    void plainFilesOpen_data()
    {
        QTest::addColumn<int>("frameAxis");
        for (int axis = 0; axis < 3; ++axis)
            QTest::addRow("angles count dimension %d", axis) << axis;
    }

    void plainFilesOpen()
    {
        QFETCH(int, frameAxis);
        const TemporaryFolder folder;
        const fs::path path = folder / "i18.nxs";
        std::array<int, 3> places{};
        places[0] = frameAxis;
        places[1] = frameAxis == 0 ? 1 : 0;
        places[2] = frameAxis == 2 ? 1 : 2;
        std::vector<hsize_t> shape(3);
        for (int d = 0; d < 3; ++d)
            shape[std::size_t(places[std::size_t(d)])] = hsize_t(std::array{7, 3, 5}[std::size_t(d)]);
        {
            made::Hdf5 file(path);
            file.numbers("/entry1/xspress3/sum/data", shape, ordered({7, 3, 5}, places));
            file.numbers("/entry1/xspress3/sum/theta", {7}, counting(7, 30));
            file.attribute("/entry1/xspress3/sum/theta", "units", "degrees");
            file.numbers("/entry1/other/angle_offset", {2}, {0, 0});
        }
        const auto scan = openScan(path);
        QVERIFY(isWhole(*scan, 7, 3, 5));
        QVERIFY(std::abs(scan->anglesRad()[6] - std::numbers::pi) < 1e-12);
        QVERIFY(mentions(scan->notes, "/entry1/xspress3/sum/data"));
        QVERIFY(mentions(scan->notes, "/entry1/xspress3/sum/theta"));
    }

    void sides()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "sides.h5";
        {
            made::Hdf5 file(path);
            file.numbers("/tomo/frames", {4, 2, 3}, ordered({4, 2, 3}, {0, 1, 2}));
            file.numbers("/tomo/rotation_angle", {4}, counting(4, 45));
            file.numbers("/tomo/flats", {2, 2, 3}, std::vector<double>(12, 5000));
            file.numbers("/tomo/dark_average", {2, 3}, std::vector<double>(6, 100));
        }
        const auto scan = openScan(path);
        QCOMPARE(scan->projections(), 4);
        QCOMPARE(scan->flatFrames, 2);
        QCOMPARE(scan->darkFrames, 1);
        OpenOptions options;
        options.dataSets = chosen("tomo/frames");
        const auto bare = openScan(path, options);
        QCOMPARE(bare->flatFrames, 0);
        QVERIFY(!bare->anglesAssumed && bare->sources.angles.guessed); // found beside the named data set
        QVERIFY(mentions(bare->notes, "angles /tomo/rotation_angle; the angles are a guess"));
        options.angleRangeRad = {0, 1};
        QVERIFY(openScan(path, options)->sources.angles.given);
        {
            made::Hdf5 other(folder / "other.h5");
            other.numbers("/tomo/frames", {4, 2, 3}, ordered({4, 2, 3}, {0, 1, 2}));
            other.numbers("/tomo/where", {4}, counting(4, 45));
        }
        options.angleRangeRad.reset();
        QVERIFY(mentions(openScan(folder / "other.h5", options)->notes, "in /tomo/where: if these are the angles"));
        options.dataSets.flats = "/tomo/none";
        QVERIFY(fails(ErrorKind::badFile, {"/tomo/none"}, [&] { openScan(path, options); }));
    }

    // Names that some beamlines use.
    void sidesByCommonNames()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "beam.h5";
        {
            made::Hdf5 file(path);
            file.numbers("/img", {4, 2, 3}, ordered({4, 2, 3}, {0, 1, 2}));
            file.numbers("/mot_pos", {4}, counting(4, 45));
            file.numbers("/white_img", {2, 2, 3}, std::vector<double>(12, 5000));
            file.numbers("/black_img", {2, 3}, std::vector<double>(6, 100));
        }
        const auto scan = openScan(path);
        QVERIFY(scan->sources.projections.where == "/img" && scan->sources.angles.where == "/mot_pos");
        QVERIFY(scan->flatFrames == 2 && scan->darkFrames == 1);
    }

    // Flats and darks with uninformative names are not used, but mentioned in a note.
    void sidesByOtherNames()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "beam.h5";
        {
            made::Hdf5 file(path);
            file.numbers("/tomo/frames", {4, 2, 3}, ordered({4, 2, 3}, {0, 1, 2}));
            file.numbers("/tomo/theta", {4}, counting(4, 45));
            file.numbers("/calib/beam on", {2, 2, 3}, std::vector<double>(12, 5000));
            file.numbers("/calib/beam off", {2, 3}, std::vector<double>(6, 100));
            file.numbers("/calib/other", {2, 2, 4}, std::vector<double>(16, 1));
        }
        const auto scan = openScan(path);
        QCOMPARE(scan->flatFrames, 0);
        QVERIFY(mentions(scan->notes, "in /calib/beam off and /calib/beam on: if they are flats or darks"));
        QVERIFY(isGuessOfDataSets(*scan, {}));
    }

    void keyedFrames()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "keyed.h5";
        {
            made::Hdf5 file(path);
            file.numbers("/a/frames", {5, 2, 3}, ordered({5, 2, 3}, {0, 1, 2}));
            file.numbers("/b/kind", {5}, {2, 0, 0, 1, 0}, H5T_STD_I32LE);
            file.numbers("/c/where", {5}, counting(5, 0.5));
        }
        QVERIFY(fails(ErrorKind::badFile, {"keyed.h5"}, [&] { openScan(path); })); // nothing identifies the sets
        OpenOptions options;
        options.dataSets = chosen("/a/frames", "", "/c/where");
        options.dataSets.key = "/b/kind";
        const auto scan = openScan(path, options);
        QCOMPARE(scan->projections(), 3);
        QCOMPARE(scan->flatFrames, 1);
        QCOMPARE(scan->darkFrames, 1);
        QVERIFY((scan->anglesRad() == std::vector<double>{0.5, 1, 2})); // radians, from the range of values
    }

    // One sinogram, stored as [projection][bin] or [bin][projection].
    void sinograms()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "sinogram.h5";
        {
            made::Hdf5 file(path);
            file.numbers("/sinogram", {6, 5}, ordered({6, 1, 5}, {0, 1, 2}));
            file.numbers("/turned", {5, 6}, ordered({6, 1, 5}, {2, 1, 0}));
            file.numbers("/flat", {5}, std::vector<double>(5, 9000));
        }
        OpenOptions options;
        options.dataSets = chosen("/sinogram");
        options.dataSets.flats = "/flat";
        const auto scan = openScan(path, options);
        QVERIFY(isWhole(*scan, 6, 1, 5));
        QCOMPARE(scan->flatFrames, 1);
        options.dataSets = chosen("/turned", "x:theta");
        QVERIFY(isWhole(*openScan(path, options), 6, 1, 5));
        options.dataSets.axes = "theta:y:x";
        QVERIFY(fails(ErrorKind::badRequest, {"theta:y:x", "/turned"}, [&] { openScan(path, options); }));
    }

    // Neither the program's own slices nor frames without angles are opened as a scan automatically; naming an
    // unsuitable data set is refused.
    void refusals()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "volume.h5";
        {
            made::Hdf5 file(path);
            file.numbers("/volume", {4, 4, 4}, counting(64));
            file.numbers("/one/rotation_angle", {3}, counting(3));
            file.text("/name", "sphere");
        }
        QVERIFY(fails(ErrorKind::badFile, {"volume.h5"}, [&] { openScan(path); }));
        OpenOptions options;
        for (const auto& [name, part] : {std::pair("/none", "there is no data set /none"),
                                         {"rotation_angle", "Did you mean /one/rotation_angle?"},
                                         {"/name", "not numbers"},
                                         {"/one", "is a group"},
                                         {"/one/rotation_angle", "/one/rotation_angle is 3"}}) {
            options.dataSets = chosen(name);
            QVERIFY2(fails(ErrorKind::badFile, {"volume.h5", part}, [&] { openScan(path, options); }), name);
        }
        options.dataSets = chosen("/volume", "", "/one/rotation_angle");
        QVERIFY(fails(ErrorKind::badFile, {"3 angles for 4"}, [&] { openScan(path, options); }));
        const fs::path other = folder / "x.tif";
        made::tiff(other, 3, 4, std::vector<std::uint16_t>(12, 1));
        QVERIFY(fails(ErrorKind::badRequest, {"x.tif' is a TIFF file", "--data is for HDF5 files"},
                      [&] { openScan(other, options); }));
        QVERIFY(fails(ErrorKind::badRequest, {"is a folder"}, [&] { openScan(folder.path(), options); }));
    }

    void listed()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "list.h5";
        {
            made::Hdf5 file(path);
            file.numbers("/a/frames", {300, 200, 90}, {}, H5T_STD_U16LE);
            file.numbers("/a/theta", {300}, counting(300));
            file.text("/a/title", "a title");
            file.externalLink("/a/lost", "nowhere.h5", "/x");
        }
        const DataSetList list = dataSetsIn(path);
        QCOMPARE(list.found.size(), std::size_t(3));
        QCOMPARE(list.found[0].path, std::string("/a/frames"));
        QVERIFY((list.found[0].shape == std::vector<long long>{300, 200, 90}));
        QCOMPARE(list.found[0].sampleType, std::string("uint16"));
        QVERIFY(list.found[2].sampleType.empty());
        QCOMPARE(list.guess.projections, std::string("/a/frames"));
        QCOMPARE(list.guess.angles, std::string("/a/theta"));
        QVERIFY(isIn(list.guess, list));
        DataSets other = list.guess;
        other.angles = "/a/omega";
        QVERIFY(!isIn(other, list));
        other.angles = "/a/title";
        QVERIFY(!isIn(other, list));
        QVERIFY(!isIn({}, list));
    }

    // The middle frame, reduced to every n-th value.
    void pictures()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "pictures.h5";
        made::Hdf5(path).numbers("/frames", {5, 7, 10}, ordered({5, 7, 10}, {0, 1, 2}));
        const DataSetPicture all = pictureOf(path, "/frames", 0, 10);
        QCOMPARE(all.width, 10);
        QCOMPARE(all.height, 7);
        QCOMPARE(all.frame, 2LL);
        QCOMPARE(all.frames, 5LL);
        for (int y = 0; y < 7; ++y)
            for (int x = 0; x < 10; ++x)
                QCOMPARE(all.values[std::size_t(y * 10 + x)], float(valueAt(2, y, x)));
        const DataSetPicture small = pictureOf(path, "/frames", 0, 4); // every 3rd bin, every 2nd row
        QCOMPARE(small.width, 4);
        QCOMPARE(small.height, 4);
        QCOMPARE(small.values[0], float(valueAt(2, 0, 0)));
        QCOMPARE(small.values[15], float(valueAt(2, 6, 9)));
        {
            made::Hdf5 file(folder / "line.h5");
            file.numbers("/angles", {9}, counting(9, 0.5));
        }
        const DataSetPicture line = pictureOf(folder / "line.h5", "/angles", 0, 4);
        QVERIFY(line.height == 1 && (line.values == std::vector<float>{0, 1.5f, 3}));
        QCOMPARE(line.frame, -1LL);
        const DataSetPicture sinogram = pictureOf(path, "/frames", 1, 10); // a sinogram of the middle row
        QCOMPARE(sinogram.height, 5);
        QCOMPARE(sinogram.values[13], float(valueAt(1, 3, 3)));
    }
};

SINOSCOPE_TEST(Hdf5SetsTest, QCoreApplication)
#include "hdf5_data_sets_test.moc"

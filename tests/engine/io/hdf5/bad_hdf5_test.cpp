// SPDX-License-Identifier: GPL-3.0-or-later
// Unusable HDF5 files: each is refused with an error that names the file, the place in it and the value.
#include "engine/io/hdf5/hdf5_file.h"
#include "engine/io/open/open_scan.h"
#include "tests/engine/io/refused.h"

#include <array>
#include <cmath>
#include <limits>
#include <random>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;
using made::counting;
using made::dxchange;
using made::nxtomo;
using made::refused;

namespace
{

constexpr hsize_t gapFrames = 6, gapRows = 4, gapBins = 5;

// A block of the virtual data set /exchange/data of 6 x 4 x 5 and the file that it is taken from; other regions have
// no source
struct Block {
    std::string source;
    std::array<hsize_t, 3> first, count;
};

void virtualData(const fs::path& path, const std::vector<Block>& blocks, hsize_t frames = gapFrames)
{
    made::Hdf5 file(path);
    const hsize_t all[] = {frames, gapRows, gapBins};
    const hid_t space = H5Screate_simple(3, all, nullptr), plist = H5Pcreate(H5P_DATASET_CREATE);
    for (const auto& [source, first, count] : blocks) {
        H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr);
        const hid_t from = H5Screate_simple(3, count.data(), nullptr);
        H5Pset_virtual(plist, space, source.c_str(), "/frames", from);
        H5Sclose(from);
        if (const fs::path there = path.parent_path() / source; !fs::exists(there))
            made::Hdf5(there).numbers("/frames", {count[0], count[1], count[2]},
                                      counting(count[0] * count[1] * count[2], 1));
    }
    const std::array<hsize_t, 3> shape{frames, gapRows, gapBins};
    file.numbers("/exchange/data", {shape.begin(), shape.end()}, {}, H5T_IEEE_F32LE, plist);
    H5Pclose(plist);
    H5Sclose(space);
}

void cut(const fs::path& path, double part)
{
    fs::resize_file(path, std::uintmax_t(double(fs::file_size(path)) * part));
}

} // namespace

class BadHdf5Test : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_folder.emplace(); }

    void truncatedHdf5_data()
    {
        QTest::addColumn<double>("part");
        for (const double part : {0.05, 0.3, 0.6, 0.9, 0.999})
            QTest::addRow("%g of the file", part) << part;
    }

    void truncatedHdf5()
    {
        QFETCH(double, part);
        {
            made::Hdf5 file(at("scan.h5"));
            dxchange(file, 200, 200);
        }
        cut(at("scan.h5"), part);
        QVERIFY(refused(at("scan.h5"), {"is incomplete"}));
    }

    void hdf5WithoutScan()
    {
        {
            made::Hdf5 file(at("other.h5"));
            file.numbers("/apples", {3}, counting(3));
            file.text("/pears/kind", "conference");
        }
        QVERIFY(refused(at("other.h5"), {"no scan", "apples, pears"}));
    }

    void brokenExternalLink()
    {
        {
            made::Hdf5 file(at("linked.h5"));
            file.externalLink("/exchange/data", "gone/frames.h5", "/entry/data");
        }
        QVERIFY(refused(at("linked.h5"), {"/exchange/data", "/entry/data", "gone/frames.h5", "missing"}));
        {
            made::Hdf5 file(at("nx.h5"));
            nxtomo(file, {0, 0});
            H5Ldelete(file.id(), "/scan/instrument/detector/data", H5P_DEFAULT);
            H5Lcreate_soft("/scan/raw/data", file.id(), "/scan/instrument/detector/data", H5P_DEFAULT, H5P_DEFAULT);
            file.externalLink("/scan/raw", "gone.h5", "/raw");
        }
        QVERIFY(refused(at("nx.h5"), {"/scan/instrument/detector/data", "/scan/raw", "gone.h5"}));
    }

    void brokenLinkWithoutDefinition()
    {
        {
            made::Hdf5 file(at("beamline.nxs"));
            file.numbers("/entry/instrument/pco/image_key", {4}, {2, 1, 0, 0}, H5T_STD_I32LE);
            file.externalLink("/entry/pco/data", "pco.h5", "/data");
            file.attribute("/entry/pco", "NX_class", "NXdata");
        }
        QVERIFY(refused(at("beamline.nxs"), {"/entry/pco/data", "pco.h5"}));
    }

    void virtualSourceMissing()
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
        QVERIFY(refused(at("virtual.h5"), {"/exchange/data", "source.h5", "missing"}));
        {
            made::Hdf5 source(at("source.h5"));
            source.numbers("/frames", {4, 3, 2}, counting(24));
        }
        const RawRows raw = openScan(at("virtual.h5"))->read({1, 1}, {});
        QCOMPARE(raw.data, (Values{2, 3, 8, 9, 14, 15, 20, 21}));
    }

    // HDF5 silently reads fill values where no source file has data.
    void gapsInVirtualFrames()
    {
        const std::array<hsize_t, 3> half{3, gapRows, gapBins};
        virtualData(at("whole.h5"), {{"a.h5", {0, 0, 0}, half}, {"b.h5", {3, 0, 0}, half}});
        QVERIFY(!mentions(openScan(at("whole.h5"))->notes, "sources"));

        virtualData(at("gap.h5"), {{"a.h5", {0, 0, 0}, half}, {"c.h5", {4, 0, 0}, {1, gapRows, gapBins}}});
        QVERIFY(refused(at("gap.h5"), {"frames 3, 5 of", "/exchange/data", "not covered by any of its sources"}));
        virtualData(at("end.h5"), {{"a.h5", {0, 0, 0}, half}});
        QVERIFY(refused(at("end.h5"), {"frames 3 to 5 of", "may not have been finished"}));

        virtualData(at("rows.h5"), {{"rows.h5.src", {0, 1, 0}, {gapFrames, gapRows - 1, gapBins}}});
        QVERIFY(
            mentions(openScan(at("rows.h5"))->notes, "Rows 0 of the virtual data set /exchange/data are not covered"));
        // Detector modules with a missing corner: every frame, row and bin has some data.
        virtualData(at("modules.h5"),
                    {{"m1.h5", {0, 0, 0}, {gapFrames, 2, gapBins}}, {"m2.h5", {0, 2, 2}, {gapFrames, 2, 3}}});
        const auto modules = openScan(at("modules.h5"));
        QVERIFY(mentions(modules->notes, "Parts of the frames"));
        QCOMPARE(modules->read({2, 1}, {}).data.toFloats()[0], 0.0f);
        QCOMPARE(modules->read({2, 1}, {}).data.toFloats()[3], 1.0f);
    }

    // The reported gaps are exactly the regions where HDF5 reads fill values, whatever blocks are mapped.
    void gapsAreFillValues()
    {
        std::mt19937 random(16);
        const auto below = [&](hsize_t end) { return hsize_t(random() % end); };
        for (int k = 0; k < (sanitized ? 40 : 150); ++k) {
            std::array<hsize_t, 3> shape{};
            for (hsize_t& length : shape)
                length = 1 + below(7);
            std::vector<bool> isMapped(shape[0] * shape[1] * shape[2]);
            // Selects a regular pattern of blocks in each dimension, unless part of it is mapped already, as HDF5
            // refuses to map an element twice.
            const auto select = [&](hid_t space, H5S_seloper_t how) {
                std::array<hsize_t, 3> start{}, stride{}, times{}, block{};
                for (std::size_t d = 0; d < 3; ++d) {
                    start[d] = below(shape[d]);
                    block[d] = 1 + below(std::min<hsize_t>(3, shape[d] - start[d]));
                    stride[d] = block[d] + below(3);
                    times[d] = 1 + below((shape[d] - start[d] - block[d]) / stride[d] + 1);
                }
                const auto has = [&](std::size_t d, hsize_t at) {
                    return at >= start[d] && (at - start[d]) / stride[d] < times[d] &&
                           (at - start[d]) % stride[d] < block[d];
                };
                std::vector<bool> after = isMapped;
                for (std::size_t i = 0; i < after.size(); ++i)
                    if (has(0, i / (shape[1] * shape[2])) && has(1, i / shape[2] % shape[1]) && has(2, i % shape[2])) {
                        if (after[i])
                            return false;
                        after[i] = true;
                    }
                isMapped = after;
                H5Sselect_hyperslab(space, how, start.data(), stride.data(), times.data(), block.data());
                return true;
            };
            {
                made::Hdf5 file(at("random.h5"));
                file.numbers("/ones", {isMapped.size()}, std::vector<double>(isMapped.size(), 1), H5T_IEEE_F32LE);
                const hid_t space = H5Screate_simple(3, shape.data(), nullptr), plist = H5Pcreate(H5P_DATASET_CREATE);
                const float fill = -1;
                H5Pset_fill_value(plist, H5T_NATIVE_FLOAT, &fill);
                for (hsize_t pieces = 1 + below(6); pieces > 0; --pieces) {
                    if (!select(space, H5S_SELECT_SET))
                        continue;
                    if (below(3) == 0)
                        select(space, H5S_SELECT_OR); // the selection is no longer regular
                    const hsize_t all = isMapped.size(), none = 0, points = hsize_t(H5Sget_select_npoints(space));
                    const hid_t from = H5Screate_simple(1, &all, nullptr);
                    H5Sselect_hyperslab(from, H5S_SELECT_SET, &none, nullptr, &points, nullptr);
                    H5Pset_virtual(plist, space, ".", "/ones", from);
                    H5Sclose(from);
                }
                file.numbers("/data", {shape.begin(), shape.end()}, {}, H5T_IEEE_F32LE, plist);
                H5Pclose(plist);
                H5Sclose(space);
            }
            const Hdf5Dataset data = Hdf5File(at("random.h5")).dataset("/data");
            std::vector<float> values(isMapped.size());
            data.read({0, 0, 0}, data.shape(), values.data());
            std::array<std::vector<bool>, 3> touched;
            for (std::size_t d = 0; d < 3; ++d)
                touched[d].resize(shape[d]);
            for (std::size_t i = 0; i < values.size(); ++i)
                if (values[i] == 1) {
                    touched[0][i / (shape[1] * shape[2])] = true;
                    touched[1][i / shape[2] % shape[1]] = true;
                    touched[2][i % shape[2]] = true;
                }
            double possible = 1;
            for (std::size_t d = 0; d < 3; ++d) {
                std::vector<bool> said(shape[d], true);
                for (const auto& [first, count] : data.gaps().untouched[d])
                    std::fill_n(said.begin() + first, count, false);
                QVERIFY2(said == touched[d], qPrintable(QString("%1, dimension %2").arg(k).arg(d)));
                possible *= double(std::count(said.begin(), said.end(), true));
            }
            QCOMPARE(data.gaps().isPartial, double(std::ranges::count(values, 1.0f)) < possible);
        }
    }

    // Frames that the image key excludes may be missing.
    void gapsInFramesThatAreLeftOut()
    {
        const auto write = [&](const std::vector<double>& keys) {
            virtualData(at("frames.h5"), {{"f.h5", {0, 0, 0}, {5, gapRows, gapBins}}});
            made::Hdf5 file(at("nx.h5"));
            nxtomo(file, keys);
            H5Ldelete(file.id(), "/scan/instrument/detector/data", H5P_DEFAULT);
            file.externalLink("/scan/instrument/detector/data", "frames.h5", "/exchange/data");
        };
        write({0, 0, 0, 0, 0, 3});
        QCOMPARE(openScan(at("nx.h5"))->projections(), 5);
        write({0, 0, 0, 0, 0, 1});
        QVERIFY(refused(at("nx.h5"), {"frames 5 of"}));
    }

    // Source files "frames_%b.h5" of two frames each: HDF5 stops at the first missing file.
    void numberedSourceMissing()
    {
        const hsize_t two[] = {2, gapRows, gapBins}, most[] = {H5S_UNLIMITED, gapRows, gapBins};
        {
            made::Hdf5 file(at("numbered.h5"));
            const hid_t space = H5Screate_simple(3, two, most), from = H5Screate_simple(3, two, nullptr);
            const hsize_t start[] = {0, 0, 0}, count[] = {H5S_UNLIMITED, 1, 1};
            H5Sselect_hyperslab(space, H5S_SELECT_SET, start, two, count, two);
            const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
            H5Pset_virtual(plist, space, "frames_%b.h5", "/frames", from);
            const hid_t group = H5Gcreate2(file.id(), "/exchange", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
            H5Sselect_all(space);
            H5Dclose(H5Dcreate2(group, "data", H5T_IEEE_F32LE, space, H5P_DEFAULT, plist, H5P_DEFAULT));
            H5Gclose(group);
            H5Pclose(plist);
            H5Sclose(from);
            H5Sclose(space);
        }
        for (const char* name : {"frames_0.h5", "frames_1.h5", "frames_2.h5"})
            made::Hdf5(at(name)).numbers("/frames", {2, gapRows, gapBins}, counting(2 * gapRows * gapBins, 1));
        QCOMPARE(openScan(at("numbered.h5"))->projections(), 6);
        fs::remove(at("frames_1.h5"));
        QVERIFY(refused(at("numbered.h5"), {"ends where 'frames_1.h5' is missing", "later files"}));
        fs::remove(at("frames_2.h5")); // a scan that was stopped after its first file
        QCOMPARE(openScan(at("numbered.h5"))->projections(), 2);
    }

    // A scan that was stopped after its 23rd projection: the remaining frames exist without numbers, and do not count
    // as projections.
    void framesNeverWritten()
    {
        for (const hsize_t edge : {1, 4}) {
            const hsize_t chunk[] = {edge, 3, 4}, some[] = {23, 3, 4}, start[] = {0, 0, 0};
            const hid_t plist = H5Pcreate(H5P_DATASET_CREATE), memory = H5Screate_simple(3, some, nullptr);
            H5Pset_chunk(plist, 3, chunk);
            {
                made::Hdf5 file(at("stopped.h5"));
                file.numbers("/exchange/data", {40, 3, 4}, {}, H5T_STD_U16LE, plist);
                const hid_t set = H5Dopen2(file.id(), "/exchange/data", H5P_DEFAULT), space = H5Dget_space(set);
                H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, some, nullptr);
                H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, counting(23 * 12, 1).data());
                H5Sclose(space);
                H5Dclose(set);
            }
            H5Pclose(plist);
            H5Sclose(memory);
            const int written = edge == 1 ? 23 : 24; // fill values in the rest of the last chunk are not detected
            const auto scan = openScan(at("stopped.h5"));
            QVERIFY(
                mentions(scan->notes, "Frames " + std::to_string(written) + " to 39 of /exchange/data are left out"));
            QCOMPARE(scan->projections(), written);
            QCOMPARE(scan->read({0, 1}, {}).data[22 * 4 + 3], float(22 * 12 + 3));
        }
    }

    void gapsInAngles()
    {
        {
            made::Hdf5 file(at("angles.h5"));
            dxchange(file);
            H5Ldelete(file.id(), "/exchange/theta", H5P_DEFAULT);
            const hsize_t all[] = {5}, some[] = {3}, first[] = {0};
            const hid_t space = H5Screate_simple(1, all, nullptr), from = H5Screate_simple(1, some, nullptr);
            H5Sselect_hyperslab(space, H5S_SELECT_SET, first, nullptr, some, nullptr);
            const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
            H5Pset_virtual(plist, space, ".", "/some", from);
            file.numbers("/some", {3}, counting(3, 36));
            file.numbers("/exchange/theta", {5}, {}, H5T_IEEE_F64LE, plist);
            H5Pclose(plist);
            H5Sclose(from);
            H5Sclose(space);
        }
        QVERIFY(refused(at("angles.h5"), {"/exchange/theta", "not covered by any of its sources"}));
    }

    // A number that no integer type can hold.
    void hugeNumberOfAngles()
    {
        {
            made::Hdf5 file(at("huge.h5"));
            file.numbers("/exchange/data", {5, 3, 4}, counting(60));
            const std::string rotation = "/process/acquisition/rotation/";
            file.numbers(rotation + "rotation_start", {1}, {0});
            file.numbers(rotation + "rotation_step", {1}, {36});
            file.numbers(rotation + "num_angles", {1}, {1e300});
        }
        QVERIFY(mentions(openScan(at("huge.h5"))->notes, "num_angles is 1e+300"));
    }

    void filterMissing_data()
    {
        QTest::addColumn<int>("filter");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("where");
        const auto row = [](int filter, const char* name, const char* where) {
            QTest::newRow(name) << filter << name << where;
        };
        row(307, "bzip2 (307)", "Install Debian's package hdf5-filter-plugin, or Python's package hdf5plugin");
        row(32001, "Blosc (32001)", "Install Debian's package hdf5-filter-plugin-blosc-serial, or Python's");
        row(32008, "bitshuffle (32008)", "Install Python's package hdf5plugin"); // without its parameters
        row(32026, "Blosc2 (32026)", "hdf5plugin and set HDF5_PLUGIN_PATH to its folder 'plugins'.");
        row(32999, "number 32999", "Install its HDF5 plug-in and set HDF5_PLUGIN_PATH to its folder.");
    }

    void filterMissing()
    {
        QFETCH(int, filter);
        QFETCH(QString, name);
        QFETCH(QString, where);
        if (H5Zfilter_avail(filter) > 0)
            QSKIP("The filter is installed");
        {
            made::Hdf5 file(at("packed.h5"));
            const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
            const hsize_t chunk[3] = {1, 3, 4};
            H5Pset_chunk(plist, 3, chunk);
            H5Pset_filter(plist, filter, H5Z_FLAG_OPTIONAL, 0, nullptr);
            file.numbers("/exchange/data", {5, 3, 4}, {}, H5T_STD_U16LE, plist);
            H5Pclose(plist);
        }
        QVERIFY(refused(at("packed.h5"), {"/exchange/data", name.toStdString(), where.toStdString()}));
    }

    void noProjections()
    {
        {
            made::Hdf5 file(at("none.h5"));
            file.numbers("/exchange/data", {0, 3, 4}, {});
        }
        QVERIFY(refused(at("none.h5"), {"number of projections in /exchange/data is 0"}));
        {
            made::Hdf5 file(at("calibration.h5"));
            nxtomo(file, {1, 2, 3, -1});
        }
        QVERIFY(refused(at("calibration.h5"), {"no projections", "image_key"}));
    }

    void angleCount()
    {
        {
            made::Hdf5 file(at("dx.h5"));
            dxchange(file, 5, 4);
        }
        QVERIFY(refused(at("dx.h5"), {"/exchange/theta", "4 angles", "5 frames"}));
        OpenOptions options;
        options.anglesRad = {0, 1, 2, 3, 4};
        QCOMPARE(openScan(at("dx.h5"), options)->anglesRad(), options.anglesRad);
        options.anglesRad.pop_back();
        QVERIFY(refused(at("dx.h5"), {"5 projections", "4 angles"}, options, ErrorKind::badRequest));
        {
            made::Hdf5 file(at("nx.h5"));
            nxtomo(file, {2, 1, 0, 0, 0});
            H5Ldelete(file.id(), "/scan/sample/rotation_angle", H5P_DEFAULT);
            file.numbers("/scan/sample/rotation_angle", {4}, counting(4));
        }
        QVERIFY(refused(at("nx.h5"), {"/scan/sample/rotation_angle", "4 angles", "5 frames"}));
    }

    void anglesNotFinite()
    {
        for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
            made::Hdf5 file(at("dx.h5"));
            file.numbers("/exchange/data", {3, 3, 4}, counting(36));
            file.numbers("/exchange/theta", {3}, {0, bad, 90});
        }
        QVERIFY(refused(at("dx.h5"), {"angle 1 of /exchange/theta"}));
        OpenOptions options;
        options.anglesRad = {0, std::nan(""), 2};
        QVERIFY(refused(at("dx.h5"), {"angles"}, options, ErrorKind::badRequest));
    }

    void sizesAbsurd()
    {
        const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t chunk[3] = {1, 16, 16};
        H5Pset_chunk(plist, 3, chunk);
        {
            made::Hdf5 file(at("long.h5"));
            file.numbers("/exchange/data", {hsize_t(1) << 33, 16, 16}, {}, H5T_STD_U16LE, plist);
        }
        QVERIFY(refused(at("long.h5"), {"number of projections", "8589934592"}));
        {
            made::Hdf5 file(at("wide.h5"));
            file.numbers("/exchange/data", {1 << 16, 1 << 20, 1 << 12}, {}, H5T_STD_U16LE, plist);
            for (const hsize_t frame : {0, (1 << 16) - 1})
                made::writeChunk(file, "/exchange/data", {frame, 0, 0}, std::string(2 * 16 * 16, '\1'));
        }
        H5Pclose(plist);
        const auto scan = openScan(at("wide.h5"));
        QVERIFY(fails(ErrorKind::noMemory, {"wide.h5"}, [&] { scan->read({0, 1 << 20}, {}); }));
    }

    void flatsOfAnotherSize()
    {
        {
            made::Hdf5 file(at("dx.h5"));
            dxchange(file);
            file.numbers("/exchange/data_white", {2, 3, 5}, counting(30));
        }
        QVERIFY(refused(at("dx.h5"), {"/exchange/data_white", "2 x 3 x 5", "3 rows of 4 bins"}));
    }

    void imageKeys()
    {
        {
            made::Hdf5 file(at("nx.h5"));
            nxtomo(file, {0, 0, 0});
            H5Ldelete(file.id(), "/scan/instrument/detector/image_key", H5P_DEFAULT);
            file.numbers("/scan/instrument/detector/image_key", {2}, {0, 0});
        }
        QVERIFY(refused(at("nx.h5"), {"image_key", "2 values", "3 frames"}));
    }

  private:
    fs::path at(const std::string& name) const { return *m_folder / name; }
    std::optional<TemporaryFolder> m_folder;
};

SINOSCOPE_TEST(BadHdf5Test, QCoreApplication)
#include "bad_hdf5_test.moc"

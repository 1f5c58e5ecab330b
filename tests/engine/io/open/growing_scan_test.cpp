// SPDX-License-Identifier: GPL-3.0-or-later
// Scans that another program is still writing: the existing part can be opened as a scan, and a larger part later.
#include "engine/io/frames/frame_source.h"
#include "engine/io/open/open_scan.h"
#include "tests/engine/io/files.h"

#include <algorithm>
#include <array>
#include <random>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

constexpr hsize_t frameRows = 3, frameBins = 8;

enum class Storage { swmr, plain, compressed }; // compressed: four frames per chunk

// A writer that works like an area detector: data sets that grow and are flushed after each frame, so that other
// processes can read them meanwhile
class Writer
{
  public:
    explicit Writer(const fs::path& path, Storage storage = Storage::swmr)
    {
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
        m_file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
        H5Pclose(access);
        H5Gclose(H5Gcreate2(m_file, "/exchange", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        const bool isCompressed = storage == Storage::compressed;
        m_frames = make("/exchange/data", {0, frameRows, frameBins}, H5T_STD_U16LE, isCompressed ? 4 : 1, isCompressed);
        m_angles = make("/exchange/theta", {0}, H5T_IEEE_F64LE, 1, false);
        const hid_t type = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
        H5Tset_size(type, 4);
        const hid_t unit = H5Acreate2(m_angles, "units", type, one, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(unit, type, "deg");
        H5Aclose(unit);
        H5Sclose(one);
        H5Tclose(type);
        if (storage == Storage::swmr && H5Fstart_swmr_write(m_file) < 0)
            throw std::runtime_error("no SWMR");
    }
    ~Writer()
    {
        H5Dclose(m_frames);
        H5Dclose(m_angles);
        H5Fclose(m_file);
    }

    void frames(hsize_t upTo)
    {
        while (m_written < upTo)
            frame(std::vector<double>(frameRows * frameBins, 1000.0 + m_written));
    }
    void frame(const std::vector<double>& values)
    {
        append(m_frames, {m_written++, 0, 0}, {1, frameRows, frameBins}, values);
        H5Fflush(m_file, H5F_SCOPE_GLOBAL);
    }
    void angles(hsize_t upTo)
    {
        for (; m_turned < upTo; ++m_turned)
            append(m_angles, {m_turned}, {1}, {double(m_turned) * 2});
    }

  private:
    hid_t make(const char* path, std::vector<hsize_t> shape, hid_t type, hsize_t together, bool isCompressed)
    {
        std::vector<hsize_t> most = shape, chunk = shape;
        most[0] = H5S_UNLIMITED;
        chunk[0] = together;
        const hid_t space = H5Screate_simple(int(shape.size()), shape.data(), most.data());
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(creation, int(chunk.size()), chunk.data());
        if (isCompressed)
            H5Pset_deflate(creation, 4);
        const hid_t set = H5Dcreate2(m_file, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
        H5Pclose(creation);
        H5Sclose(space);
        return set;
    }
    static void append(hid_t set, std::vector<hsize_t> at, std::vector<hsize_t> count,
                       const std::vector<double>& values)
    {
        std::vector<hsize_t> shape = count;
        shape[0] = at[0] + 1;
        H5Dset_extent(set, shape.data());
        const hid_t space = H5Dget_space(set), memory = H5Screate_simple(int(count.size()), count.data(), nullptr);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, at.data(), nullptr, count.data(), nullptr);
        H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data());
        H5Sclose(memory);
        H5Sclose(space);
        H5Dflush(set);
    }

    hid_t m_file, m_frames, m_angles;
    hsize_t m_written = 0, m_turned = 0;
};

} // namespace

class GrowingScanTest : public QObject
{
    Q_OBJECT
  private slots:
    void swmr()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "growing.h5";
        Writer writer(path);
        writer.frames(5);
        writer.angles(4);
        const auto early = openScan(path);
        QCOMPARE(early->projections(), 4);
        QVERIFY(mentions(early->notes, "/exchange/theta has no angles yet for 1 projections"));
        QVERIFY(std::abs(early->anglesRad()[3] - 6 * degree) < 1e-12);
        writer.frames(60);
        writer.angles(60);
        const auto later = openScan(path);
        QCOMPARE(later->projections(), 60);
        QVERIFY(!mentions(later->notes, "no angles yet"));
        QCOMPARE(later->read({2, 1}, {}).data[59 * frameBins], 1059.0f);
        // A scan that was opened before is unchanged.
        const RawRows then = early->read({1, 1}, {});
        QCOMPARE(then.data.size(), std::size_t(4 * frameBins));
        QCOMPARE(then.data[3 * frameBins + 7], 1003.0f);
    }

    // A compressed chunk moves when frames are added to it, and another one takes its former place.
    void movedChunks()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "growing.h5";
        std::mt19937 random(1);
        std::vector<double> noise(frameRows * frameBins);
        const auto noisy = [&] {
            std::ranges::generate(noise, [&] { return double(random() % 65536); });
            return noise;
        };
        Writer writer(path, Storage::compressed);
        writer.angles(5);
        writer.frames(4);
        const std::vector<double> fifth = noisy();
        writer.frame(fifth);
        const auto scan = openScan(path);
        QCOMPARE(scan->projections(), 5);
        for (int k = 0; k < 3; ++k)
            writer.frame(noisy());
        writer.frames(40);
        for (int read = 0; read < 2; ++read) {
            const RawRows rows = scan->read({0, int(frameRows)}, {});
            for (std::size_t i = 0; i < fifth.size(); ++i)
                QCOMPARE(rows.data[4 * fifth.size() + i], float(fifth[i]));
        }
    }

    // Frames that move whenever they are read are read once more, and then refused.
    void restlessChunks()
    {
        int reads = 0;
        long long moves = 0;
        const auto openWith = [&](long long mostMoves) {
            ScanFrames frames;
            frames.path = "restless.h5";
            frames.rows = 1;
            frames.bins = 2;
            frames.projections.frames = frames.projections.step = 3;
            frames.projections.read = [&, mostMoves](int, int count, RowRange, char* out) {
                std::fill_n(reinterpret_cast<float*>(out), 2 * count, float(++reads));
                moves += moves < mostMoves;
            };
            frames.projections.layout = [&] { return moves; };
            return readRows(frames, {0, 1}, {});
        };
        QCOMPARE(openWith(1).data[5], 2.0f);
        QCOMPARE(reads, 2);
        QVERIFY(fails(ErrorKind::badFile, {"'restless.h5'", "moved", "open it again"}, [&] { openWith(9); }));
        QCOMPARE(reads, 4);
    }

    // A scan that is no longer written: projections without angles are left out. In a data set that can't grow,
    // missing angles are an error (bad_hdf5_test).
    void stopped()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "stopped.h5";
        {
            Writer writer(path, Storage::plain);
            writer.frames(9);
            writer.angles(7);
        }
        QCOMPARE(openScan(path)->projections(), 7);
        OpenOptions options;
        options.angleRangeRad = {0, 3};
        QCOMPARE(openScan(path, options)->projections(), 9); // the user's angles cover all frames
    }
};

SINOSCOPE_TEST(GrowingScanTest, QCoreApplication)
#include "growing_scan_test.moc"

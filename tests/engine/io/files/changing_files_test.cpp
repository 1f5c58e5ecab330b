// SPDX-License-Identifier: GPL-3.0-or-later
// Files that other programs change while a scan is open: reading returns the data that the file had when it was
// opened, or an error that names the file.
#include "engine/io/frames/frame_source.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/engine/io/files.h"

#include <fstream>
#include <map>

using namespace engine;
using namespace fixtures;
using made::holds;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace
{

constexpr int frameCount = 24, rowCount = 8, binCount = 40;

std::vector<int> allFrames()
{
    std::vector<int> frames(frameCount);
    for (int k = 0; k < frameCount; ++k)
        frames[static_cast<std::size_t>(k)] = k;
    return frames;
}

std::vector<std::uint16_t> frame(int k)
{
    const std::vector<double> values = made::frames(1, rowCount, binCount, k);
    return {values.begin(), values.end()};
}

// A scan, the file of it that is changed, and how it is opened
struct StoredVolume {
    fs::path scan, file;
    OpenOptions options;
};

using Write = std::function<StoredVolume(const fs::path& folder)>;

Write hdf5(bool chunked, int deflate)
{
    return [=](const fs::path& folder) {
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t chunk[3] = {2, 3, 16};
        if (chunked)
            H5Pset_chunk(creation, 3, chunk);
        if (deflate > 0)
            H5Pset_deflate(creation, unsigned(deflate));
        made::Hdf5 file(folder / "scan.h5");
        file.numbers("/exchange/theta", {frameCount}, made::counting(frameCount, 7));
        file.numbers("/exchange/data", {frameCount, rowCount, binCount}, made::frames(frameCount, rowCount, binCount),
                     H5T_STD_U16LE, creation);
        H5Pclose(creation);
        return StoredVolume{folder / "scan.h5", folder / "scan.h5", {}};
    };
}

Write tiffs(int compression, bool pages)
{
    return [=](const fs::path& folder) {
        for (int k = 0; k < frameCount; ++k)
            made::tiff(folder / (pages ? "scan.tif" : "p_" + std::to_string(k) + ".tif"), binCount, rowCount, frame(k),
                       {.compression = compression, .rowsPerStrip = 4, .mode = pages && k > 0 ? "a" : "w"});
        return StoredVolume{pages ? folder / "scan.tif" : folder, folder / (pages ? "scan.tif" : "p_13.tif"), {}};
    };
}

// Stores the numbers in a file other than the scan's.
Write elsewhere(bool isVirtual)
{
    return [=](const fs::path& folder) {
        const fs::path source = folder / (isVirtual ? "source.h5" : "frames.raw");
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t shape[3] = {frameCount, rowCount, binCount};
        const hid_t space = H5Screate_simple(3, shape, nullptr);
        const std::vector<double> values = made::frames(frameCount, rowCount, binCount);
        if (isVirtual) {
            made::Hdf5(source).numbers("/frames", {shape[0], shape[1], shape[2]}, values, H5T_STD_U16LE);
            H5Pset_virtual(creation, space, "source.h5", "/frames", space);
        } else {
            const std::vector<std::uint16_t> stored(values.begin(), values.end());
            std::ofstream(source, std::ios::binary)
                .write(reinterpret_cast<const char*>(stored.data()), std::streamsize(stored.size() * 2));
            H5Pset_external(creation, source.c_str(), 0, H5F_UNLIMITED);
        }
        made::Hdf5 file(folder / "scan.h5");
        file.numbers("/exchange/data", {shape[0], shape[1], shape[2]}, {}, H5T_STD_U16LE, creation);
        H5Sclose(space);
        H5Pclose(creation);
        return StoredVolume{folder / "scan.h5", source, {}};
    };
}

StoredVolume raw(const fs::path& folder)
{
    std::ofstream out(folder / "scan.raw", std::ios::binary);
    for (int k = 0; k < frameCount; ++k) {
        const std::vector<std::uint16_t> values = frame(k);
        out.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * sizeof values[0]));
    }
    StoredVolume stored{folder / "scan.raw", folder / "scan.raw", {}};
    stored.options.raw = RawLayout{frameCount, rowCount, binCount};
    return stored;
}

const std::map<std::string, Write>& formats()
{
    static const std::map<std::string, Write> all{{"HDF5", hdf5(false, 0)},
                                                  {"HDF5 in chunks", hdf5(true, 0)},
                                                  {"HDF5 in deflated chunks", hdf5(true, 1)},
                                                  {"HDF5 with external storage", elsewhere(false)},
                                                  {"HDF5 of virtual frames", elsewhere(true)},
                                                  {"raw", raw},
                                                  {"TIFFs", tiffs(COMPRESSION_NONE, false)},
                                                  {"LZW TIFFs", tiffs(COMPRESSION_LZW, false)},
                                                  {"pages", tiffs(COMPRESSION_NONE, true)},
                                                  {"LZW pages", tiffs(COMPRESSION_LZW, true)}};
    return all;
}

// Changes a file's time stamp, as a file system's clock may not advance between two writes of a test.
void age(const fs::path& file, std::chrono::seconds by)
{
    fs::last_write_time(file, fs::last_write_time(file) + by);
}

void shrink(const fs::path& file)
{
    fs::resize_file(file, fs::file_size(file) / 2);
}

// Leaves a gap in which HDF5 reads zeros.
void shrinkAndGrow(const fs::path& file)
{
    const auto size = fs::file_size(file);
    fs::resize_file(file, size / 2);
    fs::resize_file(file, size);
    age(file, 2s);
}

void writeAgain(const fs::path& file)
{
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(-200, std::ios::end);
    out << "others";
    out.close();
    age(file, 2s);
}

void putBackAnOlder(const fs::path& file)
{
    age(file, -3600s);
}

void replace(const fs::path& file)
{
    fs::copy_file(file, file.string() + ".new");
    age(file.string() + ".new", 2s);
    fs::rename(file.string() + ".new", file);
}

void grow(const fs::path& file)
{
    std::ofstream(file, std::ios::app | std::ios::binary) << std::string(3000, 'x');
    age(file, 2s);
}

struct Change {
    void (*make)(const fs::path& file);
    std::string says;
};

const std::map<std::string, Change>& changes()
{
    static const std::map<std::string, Change> all{{"shrinks", {shrink, ""}},
                                                   {"shrinks and grows again", {shrinkAndGrow, ""}},
                                                   {"is written again", {writeAgain, ""}},
                                                   {"is an older one", {putBackAnOlder, "written again"}},
                                                   {"is replaced", {replace, "taken its place"}},
                                                   {"is gone", {[](const fs::path& file) { fs::remove(file); }, ""}},
                                                   {"grows", {grow, "bytes. Open it again"}}};
    return all;
}

} // namespace

class IoChangingFilesTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_folder.emplace(); }

    void sinceItWasOpened_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("change");
        for (const auto& [format, write] : formats())
            for (const auto& [change, made] : changes()) {
                if (threadSanitized && change != "shrinks" && change != "grows")
                    continue;
                QTest::addRow("%s: %s", format.c_str(), change.c_str())
                    << QString::fromStdString(format) << QString::fromStdString(change);
            }
    }

    // The file changes before anything is read, and, in a second scan, between reading two groups of rows.
    void sinceItWasOpened()
    {
        QFETCH(const QString, format);
        QFETCH(const QString, change);
        const Change& made = changes().at(change.toStdString());
        const bool isImage = format.contains("TIFF") || format.contains("pages");
        for (const bool betweenGroups : {false, true}) {
            m_folder.emplace();
            const StoredVolume stored = formats().at(format.toStdString())(m_folder->path());
            const auto scan = openScan(stored.scan, stored.options);
            const auto read = [&](RowRange rows) {
                return holds(scan->read(rows, {}).data, allFrames(), rows, binCount);
            };
            if (betweenGroups)
                QVERIFY(read({0, 4}));
            made.make(stored.file);
            if (change == "grows" && !isImage) { // the old frames are still at the same place
                QVERIFY(read({4, 4}));
                continue;
            }
            QVERIFY2(fails(ErrorKind::badFile, {stored.file.filename().string(), made.says},
                           [&] {
                               read({4, 4});
                           }),
                     betweenGroups ? "between groups" : "at first");
            if (change != "is gone" && change != "is replaced") // the error persists
                QVERIFY(fails(ErrorKind::badFile, {stored.file.filename().string()}, [&] { read({0, 1}); }));
        }
    }

    // A file changes while it is read: whatever the reader returned is rejected.
    void whileItIsRead()
    {
        const fs::path file = *m_folder / "scan.bin";
        std::ofstream(file) << std::string(1000, 'x');
        Scan scan;
        ParallelBeam beam;
        beam.bins = 3;
        beam.anglesRad = {0, 1};
        scan.geometry = beam;
        ScanFrames frames;
        frames.path = file.string();
        frames.rows = 4;
        frames.bins = 3;
        bool changes = false;
        frames.projections.frames = 2;
        frames.projections.files = {file};
        frames.projections.read = [&](int, int count, RowRange rows, char* out) {
            std::fill_n(reinterpret_cast<float*>(out), static_cast<std::size_t>(count) * rows.count * 3, 0.0f);
            if (changes)
                fs::resize_file(file, 500);
        };
        OpenOptions options;
        options.values = Quantity::attenuation;
        setFrames(scan, frames, options);
        QCOMPARE(scan.read({0, 4}, {}).data.size(), std::size_t(24));
        changes = true;
        QVERIFY(fails(ErrorKind::badFile, {"scan.bin", "1000 to 500 bytes"}, [&] { scan.read({0, 4}, {}); }));
    }

    void darksAndFlatsToo()
    {
        const StoredVolume stored = raw(m_folder->path());
        made::tiff(*m_folder / "flat.tif", binCount, rowCount, frame(300));
        OpenOptions options = stored.options;
        options.flats = *m_folder / "flat.tif";
        options.values = Quantity::counts;
        const auto scan = openScan(stored.scan, options);
        QCOMPARE(scan->read({0, 1}, {}).flatFrames, 1);
        age(*m_folder / "flat.tif", 2s);
        QVERIFY(fails(ErrorKind::badFile, {"flat.tif", "written again"}, [&] { scan->read({0, 1}, {}); }));
        options.values = Quantity::attenuation; // needs no flats
        QCOMPARE(openScan(stored.scan, options)->read({0, 1}, {}).flatFrames, 0);
    }

    void volumeOfAFileThatShrinks_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("output");
        for (const auto& [format, write] : formats())
            for (const char* output : {"volume.h5", "slices"})
                QTest::addRow("%s to %s", format.c_str(), output) << QString::fromStdString(format) << output;
    }

    // A file shrinks in the second of four groups: the error names the file, and no part of the volume is left.
    void volumeOfAFileThatShrinks()
    {
        QFETCH(const QString, format);
        QFETCH(const QString, output);
        const StoredVolume stored = formats().at(format.toStdString())(m_folder->path());
        OpenOptions options = stored.options;
        options.values = Quantity::attenuation;
        Request request = requestFor(openScan(stored.scan, options));
        request.setting.axis = {AxisSettings::Mode::given, 20};
        const TemporaryFolder results;
        int written = 0;
        QVERIFY(fails(ErrorKind::badFile, {stored.file.filename().string()}, [&] {
            SliceWriter writer(results / output.toStdString(), "a", {0, rowCount}, false,
                               ProtectedInputs(*request.scan));
            const VolumePlan plan{.slicesPerGroup = 2, .overlapped = false, .shortEnds = false};
            reconstructVolume(request, plan, [&](const Reconstruction& group, std::stop_token stop) {
                writer.write(group, stop);
                if (++written == 1)
                    shrink(stored.file);
            });
        }));
        QCOMPARE(written, 1);
        QVERIFY(namesIn(results.path()).empty());
    }

    void cleanup() { m_folder.reset(); }

  private:
    std::optional<TemporaryFolder> m_folder;
};

SINOSCOPE_TEST(IoChangingFilesTest, QCoreApplication)
#include "changing_files_test.moc"

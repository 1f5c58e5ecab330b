// SPDX-License-Identifier: GPL-3.0-or-later
// Frames read directly from the files, in every layout of HDF5: the same numbers as from HDF5, with any number of
// threads; and files that change during reading.
#include "engine/io/hdf5/hdf5_file.h"
#include "engine/io/open/open_scan.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/engine/io/files.h"

#include <algorithm>
#include <fstream>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

constexpr int framesIn = 23, rowsIn = 7, binsIn = 31;

const std::vector<hsize_t>& shape()
{
    static const std::vector<hsize_t> dims = {framesIn, rowsIn, binsIn};
    return dims;
}

// Returns numbers that every type can hold, including negative ones if the type is signed.
std::vector<double> numbersFor(hid_t type)
{
    const bool isSigned = H5Tget_class(type) == H5T_FLOAT || H5Tget_sign(type) == H5T_SGN_2;
    std::vector<double> values(framesIn * rowsIn * binsIn);
    for (std::size_t k = 0; k < values.size(); ++k)
        values[k] = double(k * 7919 % 120) - (isSigned ? 60 : 0) + (H5Tget_class(type) == H5T_FLOAT ? 0.125 : 0);
    return values;
}

// Returns the rows as read by the HDF5 library.
Values byHdf5(const fs::path& path, RowRange rows)
{
    Values values(std::size_t(framesIn) * rows.count * binsIn);
    const hsize_t first[3] = {0, hsize_t(rows.first), 0}, count[3] = {framesIn, hsize_t(rows.count), binsIn};
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, "/exchange/data", H5P_DEFAULT), space = H5Dget_space(set);
    const hid_t memory = H5Screate_simple(3, count, nullptr);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, first, nullptr, count, nullptr);
    if (H5Dread(set, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values.data()) < 0)
        values.clear();
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    return values;
}

} // namespace

class StoredFramesTest : public QObject
{
    Q_OBJECT

  private slots:
    void asHdf5Reads_data()
    {
        QTest::addColumn<qint64>("type");
        QTest::addColumn<QString>("layout");
        std::vector<std::pair<const char*, hid_t>> types = {
            {"uint8", H5T_STD_U8LE},      {"int8", H5T_STD_I8BE},        {"uint16", H5T_STD_U16LE},
            {"uint16 be", H5T_STD_U16BE}, {"int16", H5T_STD_I16LE},      {"int16 be", H5T_STD_I16BE},
            {"uint32 be", H5T_STD_U32BE}, {"int32", H5T_STD_I32LE},      {"uint64", H5T_STD_U64LE},
            {"int64 be", H5T_STD_I64BE},  {"float32", H5T_IEEE_F32LE},   {"float32 be", H5T_IEEE_F32BE},
            {"float64", H5T_IEEE_F64LE},  {"float64 be", H5T_IEEE_F64BE}};
        if (threadSanitized)
            types = {{"uint16", H5T_STD_U16LE}, {"float64 be", H5T_IEEE_F64BE}}; // one read as is, one converted
        for (const auto& [name, type] : types)
            for (const char* layout :
                 {"contiguous", "chunked", "deflate", "shuffled", "partly", "external", "virtual", "link", "compact",
                  "LZ4", "bzip2", "Blosc", "checksum", "checksum first", "virtual chunks", "whole edges"})
                QTest::addRow("%s %s", name, layout) << qint64(type) << layout;
    }

    void asHdf5Reads()
    {
        QFETCH(qint64, type);
        QFETCH(QString, layout);
        const fs::path path = at("scan.h5");
        if (pluginOf(layout) != 0 && H5Zfilter_avail(pluginOf(layout)) <= 0)
            QSKIP("HDF5's plug-in isn't here");
        if (sanitized && layout == "Blosc")
            QSKIP("Blosc itself leaks when it compresses");
        write(path, layout, type);
        const Hdf5File file(path);
        QCOMPARE(file.dataset("/exchange/data").stored().has_value(),
                 layout == "contiguous" || layout == "external" || layout == "virtual" || layout == "link");
        if (pluginOf(layout) != 0 || layout.startsWith("checksum"))
            QVERIFY(file.dataset("/exchange/data").chunkFormat()); // decompressed by all threads
        Values whole(std::size_t(framesIn) * rowsIn * binsIn);
        file.dataset("/exchange/data").read({0, 0, 0}, {framesIn, rowsIn, binsIn}, whole.data());
        QVERIFY(whole == byHdf5(path, {0, rowsIn}));
        const std::vector<double> numbers = file.dataset("/exchange/data").numbers();
        QVERIFY(std::ranges::equal(numbers, whole));
        OpenOptions options;
        options.values = Quantity::attenuation;
        const auto scan = openScan(path, options);
        for (const RowRange rows : {RowRange{0, rowsIn}, RowRange{2, 3}, RowRange{rowsIn - 1, 1}})
            for (const int threads : {1, 4}) {
                Request request = requestFor(scan);
                request.resources.threads = threads;
                const Samples got = read(request, rows, {}).data;
                QVERIFY(got.toFloats() == byHdf5(path, rows));
                QCOMPARE(got.type().bytes, scan->bytesPerSample);
                if (layout != "compact") // read by HDF5 itself, as floats
                    QVERIFY(got.type().name == keptType(*findSampleType(scan->sampleType)).name);
            }
    }

    // Large enough for three blocks, each of which may be read by another thread.
    void severalThreadsReadOneFile()
    {
        constexpr int frames = 40, rows = 64, bins = 2048;
        const auto number = [](int frame, int row, int bin) {
            return static_cast<std::uint16_t>(frame * 7919 + row * 131 + bin);
        };
        std::vector<std::uint16_t> numbers;
        numbers.reserve(std::size_t(frames) * rows * bins);
        for (int frame = 0; frame < frames; ++frame)
            for (int row = 0; row < rows; ++row)
                for (int bin = 0; bin < bins; ++bin)
                    numbers.push_back(number(frame, row, bin));
        std::ofstream(at("scan.raw"), std::ios::binary)
            .write(reinterpret_cast<const char*>(numbers.data()), std::streamsize(2 * numbers.size()));
        for (const bool swapped : {false, true}) {
            OpenOptions options;
            options.values = Quantity::attenuation;
            options.raw = RawLayout{.projections = frames, .rows = rows, .bins = bins, .bigEndian = swapped};
            Request request = requestFor(openScan(at("scan.raw"), options));
            request.resources.threads = 4;
            const Samples got = read(request, {1, rows - 1}, {}).data;
            QCOMPARE(got.size(), std::size_t(frames) * (rows - 1) * bins);
            const auto* stored = reinterpret_cast<const std::uint16_t*>(got.bytes());
            for (int frame = 0; frame < frames; ++frame) {
                const std::uint16_t* at = stored + std::size_t(frame) * (rows - 1) * bins;
                const std::uint16_t* from = numbers.data() + (std::size_t(frame) * rows + 1) * bins;
                QVERIFY(std::equal(at, at + (rows - 1) * bins, from, [&](std::uint16_t a, std::uint16_t b) {
                    return a == (swapped ? static_cast<std::uint16_t>(b << 8 | b >> 8) : b);
                }));
            }
        }
    }

    // Values that were never written are not stored in any file, so that they can't be read directly: HDF5 supplies
    // the fill value.
    void whatIsNotWrittenIsHdf5s()
    {
        {
            made::Hdf5 file(at("empty.h5"));
            file.numbers("/exchange/data", shape(), {}, H5T_STD_U16LE);
            made::Hdf5 half(at("half.h5")); // 12 of 23 frames are mapped
            half.numbers("/data", {12, rowsIn, binsIn}, made::frames(12, rowsIn, binsIn), H5T_STD_U16LE);
        }
        QVERIFY(!Hdf5File(at("empty.h5")).dataset("/exchange/data").stored());
        mapped(at("gap.h5"), {{"half.h5", 12}}, H5T_STD_U16LE);
        QVERIFY(!Hdf5File(at("gap.h5")).dataset("/exchange/data").stored());
        QVERIFY(fails(ErrorKind::badFile, {"gap.h5", "frames 12 to 22", "not covered by any of its sources"},
                      [&] { openScan(at("gap.h5")); }));
    }

    void damagedChunksAreErrors()
    {
        write(at("scan.h5"), "deflate", H5T_STD_U16LE);
        std::fstream file(at("scan.h5"), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(-600, std::ios::end); // in the last chunks
        file.write(std::string(500, '\xa5').data(), 500);
        file.close();
        QVERIFY(fails(ErrorKind::badFile, {"scan.h5", "/exchange/data", "damaged"}, [&] {
            openScan(at("scan.h5"))->read({0, rowsIn}, {});
        }));
    }

    void damagedPluginChunksAreErrors()
    {
        if (H5Zfilter_avail(pluginOf("bzip2")) <= 0)
            QSKIP("HDF5's plug-in isn't here");
        if (sanitized)
            QSKIP("the plug-in itself leaks when its data are damaged");
        write(at("scan.h5"), "bzip2", H5T_STD_U16LE);
        std::fstream file(at("scan.h5"), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(-600, std::ios::end);
        file.write(std::string(500, '\xa5').data(), 500);
        file.close();
        QVERIFY(fails(ErrorKind::badFile, {"scan.h5"}, [&] { openScan(at("scan.h5"))->read({0, rowsIn}, {}); }));
    }

    void shortFilesAreErrors()
    {
        write(at("scan.h5"), "contiguous", H5T_STD_U16LE);
        const auto scan = openScan(at("scan.h5"));
        fs::resize_file(at("scan.h5"), fs::file_size(at("scan.h5")) - 3000);
        QVERIFY(fails(ErrorKind::badFile, {"scan.h5", "ends at byte", "frame"}, [&] { scan->read({0, rowsIn}, {}); }));
    }

    void replacedFilesAreErrors()
    {
        write(at("scan.h5"), "contiguous", H5T_STD_U16LE);
        const auto scan = openScan(at("scan.h5"));
        write(at("other.h5"), "contiguous", H5T_STD_U16LE);
        fs::rename(at("other.h5"), at("scan.h5"));
        QVERIFY(fails(ErrorKind::badFile, {"scan.h5", "taken its place"}, [&] { scan->read({0, rowsIn}, {}); }));
        fs::remove(at("scan.h5"));
        QVERIFY(fails(ErrorKind::badFile, {"scan.h5"}, [&] { scan->read({0, rowsIn}, {}); }));
    }

    void stops()
    {
        write(at("scan.h5"), "contiguous", H5T_STD_U16LE);
        std::stop_source stop;
        stop.request_stop();
        const auto scan = openScan(at("scan.h5"));
        QVERIFY(fails(ErrorKind::cancelled, [&] { scan->read({0, rowsIn}, stop.get_token()); }));
    }

    void cleanup()
    {
        for (const auto& entry : fs::directory_iterator(m_folder.path()))
            fs::remove(entry);
    }

  private:
    struct Source {
        std::string file;
        hsize_t frames;
    };

    // Returns the filter's number as registered by the HDF Group; 0 for layouts without such a filter.
    static H5Z_filter_t pluginOf(const QString& layout)
    {
        static const std::map<QString, H5Z_filter_t> all{
            {"LZ4", 32004}, {"bzip2", 307}, {"Blosc", 32001}};
        const auto found = all.find(layout);
        return found == all.end() ? 0 : found->second;
    }

    fs::path at(const std::string& name) const { return m_folder / name; }

    // Writes a virtual data set of the sources' /data, one after the other.
    void mapped(const fs::path& path, const std::vector<Source>& sources, hid_t type)
    {
        made::Hdf5 file(path);
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(3, shape().data(), nullptr);
        hsize_t first[3] = {0, 0, 0};
        for (const Source& source : sources) {
            const hsize_t part[3] = {source.frames, rowsIn, binsIn};
            const hid_t from = H5Screate_simple(3, part, nullptr);
            H5Sselect_hyperslab(space, H5S_SELECT_SET, first, nullptr, part, nullptr);
            H5Pset_virtual(creation, space, source.file.c_str(), "/data", from);
            H5Sclose(from);
            first[0] += source.frames;
        }
        file.numbers("/exchange/data", shape(), {}, type, creation);
        H5Sclose(space);
        H5Pclose(creation);
    }

    void write(const fs::path& path, const QString& layout, hid_t type)
    {
        const std::vector<double> values = numbersFor(type);
        if (layout.startsWith("virtual")) {
            const std::size_t frame = rowsIn * binsIn;
            const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
            const hsize_t chunk[3] = {4, 3, 16};
            if (layout == "virtual chunks") {
                H5Pset_chunk(creation, 3, chunk);
                H5Pset_deflate(creation, 4);
            }
            made::Hdf5(at("a.h5"))
                .numbers("/data", {9, rowsIn, binsIn}, {values.begin(), values.begin() + 9 * frame}, type, creation);
            made::Hdf5(at("b.h5"))
                .numbers("/data", {14, rowsIn, binsIn}, {values.begin() + 9 * frame, values.end()}, type, creation);
            H5Pclose(creation);
            return mapped(path, {{"a.h5", 9}, {"b.h5", 14}}, type);
        }
        if (layout == "link") {
            made::Hdf5(at("far.h5")).numbers("/data", shape(), values, type);
            made::Hdf5(path).externalLink("/exchange/data", "far.h5", "/data");
            return;
        }
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t chunk[3] = {4, 3, 16};
        if (layout == "chunked" || layout == "deflate" || layout == "shuffled" || layout == "partly" ||
            layout.startsWith("checksum") || layout == "whole edges" || pluginOf(layout) != 0)
            H5Pset_chunk(creation, 3, chunk);
        if (layout == "whole edges") // chunks at the end are stored without filters
            H5Pset_chunk_opts(creation, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
        if (layout == "checksum first")
            H5Pset_fletcher32(creation);
        if (layout == "shuffled" || layout.startsWith("checksum"))
            H5Pset_shuffle(creation);
        if (layout == "deflate" || layout == "shuffled" || layout == "whole edges" || layout.startsWith("checksum"))
            H5Pset_deflate(creation, 4);
        if (layout == "checksum")
            H5Pset_fletcher32(creation);
        if (pluginOf(layout) != 0)
            H5Pset_filter(creation, pluginOf(layout), H5Z_FLAG_OPTIONAL, 0, nullptr); // not of chunks that it enlarges
        if (layout == "partly") { // only the lower rows of each frame are written; the others have a fill value
            const double fill = 7;
            H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &fill);
            made::Hdf5 file(path);
            file.numbers("/exchange/data", shape(), {}, type, creation);
            const hid_t set = H5Dopen2(file.id(), "/exchange/data", H5P_DEFAULT), space = H5Dget_space(set);
            const hsize_t first[3] = {0, chunk[1], 0}, part[3] = {framesIn, rowsIn - chunk[1], binsIn};
            const hid_t memory = H5Screate_simple(3, part, nullptr);
            H5Sselect_hyperslab(space, H5S_SELECT_SET, first, nullptr, part, nullptr);
            H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data());
            H5Sclose(memory);
            H5Sclose(space);
            H5Dclose(set);
            H5Pclose(creation);
            return;
        }
        if (layout == "compact")
            H5Pset_layout(creation, H5D_COMPACT);
        if (layout == "external") { // 9 frames after a gap of two frames, and 14 frames in a second file
            const hsize_t frame = rowsIn * binsIn * H5Tget_size(type);
            H5Pset_external(creation, at("one.raw").c_str(), off_t(2 * frame), 9 * frame);
            H5Pset_external(creation, at("two.raw").c_str(), 0, 14 * frame);
            std::ofstream(at("one.raw")).close();
            std::ofstream(at("two.raw")).close();
        }
        made::Hdf5(path).numbers("/exchange/data", shape(), values, type, creation);
        H5Pclose(creation);
    }

    const TemporaryFolder m_folder;
};

SINOSCOPE_TEST(StoredFramesTest, QCoreApplication)
#include "stored_frames_test.moc"

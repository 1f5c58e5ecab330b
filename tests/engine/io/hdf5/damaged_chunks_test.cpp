// SPDX-License-Identifier: GPL-3.0-or-later
// Chunks that are too short or too long, or have other contents than were written: HDF5 itself reads and writes
// beyond the end of some of them.
#include "engine/io/hdf5/hdf5_file.h"
#include "tests/engine/io/refused.h"

#include <libdeflate.h>

#include <numbers>
#include <set>
#include <string>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

constexpr hsize_t numbersInChunk = 1000;

std::string deflated(const std::string& bytes)
{
    libdeflate_compressor* compressor = libdeflate_alloc_compressor(1);
    std::string packed(libdeflate_zlib_compress_bound(compressor, bytes.size()), '\0');
    packed.resize(libdeflate_zlib_compress(compressor, bytes.data(), bytes.size(), packed.data(), packed.size()));
    libdeflate_free_compressor(compressor);
    return packed;
}

// Returns creation properties with these filters, one per letter: s shuffle, d deflate, f Fletcher's checksum, z
// szip, n n-bit, o scale-offset.
hid_t packing(const QString& letters)
{
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, &numbersInChunk);
    for (const QChar letter : letters)
        switch (letter.unicode()) {
        case 's':
            H5Pset_shuffle(creation);
            break;
        case 'd':
            H5Pset_deflate(creation, 1);
            break;
        case 'f':
            H5Pset_fletcher32(creation);
            break;
        case 'z':
            H5Pset_szip(creation, H5_SZIP_NN_OPTION_MASK, 8);
            break;
        case 'n':
            H5Pset_nbit(creation);
            break;
        default:
            H5Pset_scaleoffset(creation, H5Z_SO_INT, 0);
        }
    return creation;
}

// Sets the size of the chunk that begins at `start` to 0 bytes in the chunk index, a B-tree of version 1. `bytes` is
// the size stored there. Source: HDF5 File Format Specification 3.0, III.A.1, node type 1.
void empty(const fs::path& path, std::uint32_t bytes, std::vector<std::uint64_t> start)
{
    std::ifstream in(path, std::ios::binary);
    std::string all{std::istreambuf_iterator<char>(in), {}}, key;
    start.push_back(0); // offset within an element
    const auto put = [&key](std::uint64_t value, int count) {
        for (int k = 0; k < count; ++k)
            key += char(value >> 8 * k & 255);
    };
    put(bytes, 4), put(0, 4);
    for (const std::uint64_t position : start)
        put(position, 8);
    const std::size_t at = all.find(key, all.find(std::string("TREE\1", 5)));
    if (at == std::string::npos)
        throw std::runtime_error("there is no such chunk");
    std::fill_n(all.begin() + std::ptrdiff_t(at), 4, '\0');
    std::ofstream(path, std::ios::binary) << all;
}

} // namespace

class DamagedChunksTest : public QObject
{
    Q_OBJECT

  private slots:
    void tooShort_data()
    {
        QTest::addColumn<QString>("filters");
        QTest::addColumn<QByteArray>("chunk");
        const auto row = [](const char* name, const char* filters, const std::string& chunk) {
            QTest::newRow(name) << filters << QByteArray(chunk.data(), qsizetype(chunk.size()));
        };
        row("deflated from 8 bytes", "d", deflated("12345678"));
        row("deflated from too many", "d", deflated(std::string(8 * numbersInChunk + 8, 'x')));
        row("shuffled of 2 bytes", "s", "12");
        row("shuffled, deflated", "sd", deflated("123"));
        row("no checksum", "f", "123");
        row("a checksum alone", "f", "1234");
        row("a wrong checksum", "f", std::string(8 * numbersInChunk + 4, 'x'));
        row("no checksum within", "fd", deflated("12"));
        row("too little as it is", "", std::string(8, 'x'));
        row("too much as it is", "", std::string(8 * numbersInChunk + 40000, 'x'));
        row("a right checksum of too little", "f", std::string(12, '\0')); // the checksum of zeros is zero
    }

    void tooShort()
    {
        QFETCH(QString, filters);
        QFETCH(QByteArray, chunk);
        const hid_t creation = packing(filters);
        {
            made::Hdf5 file(at("dx.h5"));
            made::dxchange(file, numbersInChunk, numbersInChunk);
            H5Ldelete(file.id(), "/exchange/theta", H5P_DEFAULT);
            file.numbers("/exchange/theta", {numbersInChunk}, {}, H5T_IEEE_F64LE, creation);
            made::writeChunk(file, "/exchange/theta", {0}, chunk.toStdString());
        }
        H5Pclose(creation);
        QVERIFY(made::refused(at("dx.h5"), {"/exchange/theta", "chunk", "damaged"}));
    }

    // HDF5 returns uninitialised memory for a chunk that has an address in the file but no bytes.
    void hollow_data()
    {
        QTest::addColumn<QString>("filters");
        for (const char* filters : {"", "d"})
            for (const char* set : {"/exchange/theta", "/exchange/data"})
                QTest::addRow("%s %s", set, *filters ? "deflated" : "as it is") << filters;
    }

    void hollow()
    {
        QFETCH(QString, filters);
        const std::string set = QString(QTest::currentDataTag()).section(' ', 0, 0).toStdString();
        const bool isData = set == "/exchange/data";
        constexpr hsize_t frames = 20, values = 12;
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t edge[3] = {isData ? hsize_t(1) : hsize_t(5), 3, 4};
        H5Pset_chunk(creation, isData ? 3 : 1, edge);
        if (!filters.isEmpty())
            H5Pset_deflate(creation, 1);
        const std::string bytes(isData ? 2 * values : 8 * 5, '\1');
        const std::string chunk = filters.isEmpty() ? bytes : deflated(bytes);
        for (const hsize_t damaged : {0, 15}) { // 15: near the end, where the reader looks for the last data
            {
                made::Hdf5 file(at("dx.h5"));
                made::dxchange(file, frames, frames);
                H5Ldelete(file.id(), set.c_str(), H5P_DEFAULT);
                file.numbers(set, isData ? std::vector<hsize_t>{frames, 3, 4} : std::vector<hsize_t>{frames}, {},
                             isData ? H5T_STD_U16LE : H5T_IEEE_F64LE, creation);
                for (hsize_t first = 0; first < frames; first += edge[0])
                    made::writeChunk(file, set,
                                     isData ? std::vector<hsize_t>{first, 0, 0} : std::vector<hsize_t>{first}, chunk);
            }
            empty(at("dx.h5"), std::uint32_t(chunk.size()),
                  isData ? std::vector<std::uint64_t>{damaged, 0, 0} : std::vector<std::uint64_t>{damaged});
            QVERIFY(made::refused(at("dx.h5"), {set, "a chunk of 0 bytes at position " + std::to_string(damaged)}));
            QVERIFY(fails(ErrorKind::badFile, {"dx.h5", set, "damaged"}, [&] {
                const Hdf5Dataset data = Hdf5File(at("dx.h5")).dataset(set);
                if (!isData)
                    return static_cast<void>(data.numbers());
                std::vector<float> numbers(frames * values);
                data.read({0, 0, 0}, {frames, 3, 4}, numbers.data());
            }));
            QVERIFY(fails(ErrorKind::badFile, {"dx.h5", "damaged"}, [&] { openScan(at("dx.h5"))->read({0, 3}, {}); }));
        }
        H5Pclose(creation);
    }

    // HDF5 would read past the end of a short chunk in the source of a virtual data set, also at the second attempt.
    void tooShortInSource()
    {
        const hsize_t count = 2 * numbersInChunk;
        const hid_t packed = packing("d"), creation = H5Pcreate(H5P_DATASET_CREATE),
                    space = H5Screate_simple(1, &count, nullptr);
        H5Pset_virtual(creation, space, ".", "/source", space);
        {
            made::Hdf5 file(at("virtual.h5"));
            file.numbers("/source", {count}, {}, H5T_IEEE_F64LE, packed);
            made::writeChunk(file, "/source", {numbersInChunk}, deflated("12345678"));
            file.numbers("/numbers", {count}, {}, H5T_IEEE_F64LE, creation);
        }
        H5Sclose(space);
        H5Pclose(creation);
        H5Pclose(packed);
        const Hdf5Dataset data = Hdf5File(at("virtual.h5")).dataset("/numbers");
        for (int attempt = 0; attempt < 2; ++attempt)
            QVERIFY(fails(ErrorKind::badFile, {"virtual.h5", "/source", "damaged"}, [&] { data.numbers(); }));
    }

    // Values that were never written are the fill value of the file.
    void fillValues()
    {
        for (const char* filters : {"", "d"}) {
            const hid_t creation = packing(filters);
            const float fill = 2.5F;
            H5Pset_fill_value(creation, H5T_NATIVE_FLOAT, &fill);
            {
                made::Hdf5 file(at("fill.h5"));
                file.numbers("/numbers", {3 * numbersInChunk}, {}, H5T_IEEE_F32LE, creation);
                const std::string second(4 * numbersInChunk, '\0');
                made::writeChunk(file, "/numbers", {numbersInChunk}, *filters ? deflated(second) : second);
            }
            H5Pclose(creation);
            const std::vector<double> numbers = Hdf5File(at("fill.h5")).dataset("/numbers").numbers();
            QCOMPARE(numbers.size(), std::size_t(3 * numbersInChunk));
            for (std::size_t k = 0; k < numbers.size(); ++k)
                QCOMPARE(numbers[k], k / numbersInChunk == 1 ? 0.0 : 2.5);
        }
    }

    // A frame with a missing chunk does not count as a projection.
    void framesWithHoles()
    {
        constexpr int frames = 12;
        const auto make = [&](const std::set<std::pair<int, int>>& missing) {
            const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
            const hsize_t chunk[3] = {1, 2, 4};
            H5Pset_chunk(creation, 3, chunk);
            {
                made::Hdf5 file(at("holes.h5"));
                file.numbers("/exchange/data", {frames, 4, 4}, {}, H5T_STD_U16LE, creation);
                for (int frame = 0; frame < frames; ++frame)
                    for (int half = 0; half < 2; ++half)
                        if (!missing.contains({frame, half})) {
                            std::string bytes(16, '\0');
                            for (std::size_t k = 0; k < bytes.size(); k += 2)
                                bytes[k] = char(frame + 1);
                            made::writeChunk(file, "/exchange/data", {hsize_t(frame), hsize_t(2 * half), 0}, bytes);
                        }
                std::vector<double> angles;
                for (int frame = 0; frame < frames; ++frame)
                    angles.push_back(15 * frame);
                file.numbers("/exchange/theta", {frames}, angles);
            }
            H5Pclose(creation);
            return openScan(at("holes.h5"));
        };
        const auto scan = make({{3, 1}, {7, 0}, {8, 0}, {8, 1}});
        QCOMPARE(scan->projections(), frames - 3);
        QVERIFY(
            mentions(scan->notes, "Frames 3 and 7, 8 of /exchange/data are left out: they, or parts of them, were"));
        QVERIFY(std::abs(scan->anglesRad()[3] - 60 * std::numbers::pi / 180) < 1e-9); // the angle of frame 4
        QVERIFY(mentions(make({{10, 0}, {10, 1}, {11, 0}, {11, 1}})->notes, "Frames 10, 11 of /exchange/data are left "
                                                                            "out: they were never written. The scan"));
        QVERIFY(!mentions(make({})->notes, "left out"));
        std::set<std::pair<int, int>> everyFrame;
        for (int frame = 0; frame < frames; ++frame)
            everyFrame.insert({frame, frame % 2});
        const auto all = make(everyFrame);
        QCOMPARE(all->projections(), frames);
        QVERIFY(mentions(all->notes,
                         "Every frame of /exchange/data was never, or not completely, written; missing values are 0"));
    }

    // Chunks with these filters can't be checked before they are decoded.
    void uncheckedFilters_data()
    {
        QTest::addColumn<QString>("name");
        for (const auto& [letter, name] : {std::pair{"z", "szip"}, {"n", "n-bit"}, {"o", "scale-offset"}})
            QTest::newRow(name) << letter;
    }

    void uncheckedFilters()
    {
        QFETCH(QString, name);
        const hid_t creation = packing(name);
        {
            made::Hdf5 file(at("dx.h5"));
            made::dxchange(file, numbersInChunk, numbersInChunk);
            H5Ldelete(file.id(), "/exchange/theta", H5P_DEFAULT);
            file.numbers("/exchange/theta", {numbersInChunk}, made::counting(numbersInChunk), H5T_STD_I32LE, creation);
        }
        H5Pclose(creation);
        QVERIFY(made::refused(at("dx.h5"), {"/exchange/theta", QTest::currentDataTag(), "h5repack"}));
    }

  private:
    fs::path at(const std::string& name) const { return m_folder / name; }
    const TemporaryFolder m_folder;
};

SINOSCOPE_TEST(DamagedChunksTest, QCoreApplication)
#include "damaged_chunks_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Chunks compressed with bitshuffle, LZ4 and Zstandard, which are decoded without HDF5's plug-ins
#include "engine/io/hdf5/bitshuffle.h"
#include "engine/io/hdf5/block_filters.h"
#include "engine/io/hdf5/chunked_frames.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/engine/io/packed_chunks.h"
#include "tests/engine/io/refused.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <random>
#include <thread>

using namespace engine;
using namespace fixtures;
using made::Packing;
namespace fs = std::filesystem;

namespace
{

// Returns numbers that every compression makes smaller; as float32 and float64, too, they differ.
std::string counts(std::size_t bytes, std::size_t elementBytes)
{
    std::mt19937 random(5);
    std::string all(bytes, '\0');
    for (std::size_t k = 0; k < bytes; ++k) {
        const bool isHighest = elementBytes >= 4 && k % elementBytes == elementBytes - 1;
        all[k] = char(isHighest ? 0x41 : random() % 4 == 0 ? random() % 32 : 7);
    }
    return all;
}

ChunkFilter filterOf(const Packing& packing)
{
    return *blockFilter(int(packing.filter), {0, 5, packing.elementBytes, packing.block, packing.compression});
}

// Returns the decoded bytes; nothing if they are refused. The bytes beyond them must not be touched.
std::optional<std::string> decoded(const ChunkFilter& filter, const std::string& chunk, std::size_t length)
{
    std::string out(length + 64, '\x5a');
    const std::string exact(chunk); // its own allocation, for the sanitizers
    const bool isWhole = BlockDecoder().decode(filter, {exact.data(), exact.size()}, {out.data(), length});
    if (out.substr(length) != std::string(64, '\x5a'))
        throw std::runtime_error("written beyond the end");
    return isWhole ? std::optional(out.substr(0, length)) : std::nullopt;
}

// The filters, some with several blocks and with a last block that is shorter than others.
const std::map<std::string, Packing>& packings()
{
    using enum Packing::Filter;
    static const std::map<std::string, Packing> all = {{"bitshuffle", {bitshuffle, 0, 0}},
                                                       {"bitshuffle of 40", {bitshuffle, 40, 0}},
                                                       {"bitshuffle LZ4", {bitshuffle, 0, 2}},
                                                       {"bitshuffle LZ4 of 72", {bitshuffle, 72, 2}},
                                                       {"bitshuffle Zstandard", {bitshuffle, 0, 3}},
                                                       {"bitshuffle Zstandard of 136", {bitshuffle, 136, 3}},
                                                       {"LZ4", {lz4, 1 << 30}},
                                                       {"LZ4 of 500", {lz4, 500}},
                                                       {"Zstandard", {zstd}},
                                                       {"LZF", {lzf}}};
    return all;
}

Packing packingOf(const QString& name, std::size_t elementBytes)
{
    Packing packing = packings().at(name.toStdString());
    packing.elementBytes = unsigned(elementBytes);
    return packing;
}

constexpr int shapeFrames = 7, shapeRows = 9, shapeBins = 43;
constexpr hsize_t edge[3] = {2, 3, 43}; // 258 numbers: 32 groups of 8 and 2 more

// A scan whose chunks, also those at the end, are packed by us.
struct MadeScan {
    hid_t type = H5T_STD_U16LE;
    std::vector<std::string> chunks; // decoded
    std::vector<float> numbers;      // in the order of the data set

    explicit MadeScan(hid_t storedType) : type(storedType)
    {
        const std::size_t bytes = H5Tget_size(type), length = edge[0] * edge[1] * edge[2];
        numbers.resize(shapeFrames * shapeRows * shapeBins);
        for (std::size_t f = 0; f < shapeFrames; f += edge[0])
            for (std::size_t r = 0; r < shapeRows; r += edge[1]) {
                std::string chunk = counts(length * bytes, bytes);
                chunk[0] = char(10 * f + r); // each differs
                std::vector<char> converted(length * 8);
                std::ranges::copy(chunk, converted.begin());
                H5Tconvert(type, H5T_NATIVE_FLOAT, length, converted.data(), nullptr, H5P_DEFAULT);
                for (std::size_t k = 0; k < length; ++k) {
                    const std::size_t frame = f + k / (edge[1] * edge[2]);
                    if (frame < shapeFrames)
                        std::memcpy(&numbers[(frame * shapeRows + r) * shapeBins + k % (edge[1] * edge[2])],
                                    converted.data() + k * sizeof(float), sizeof(float));
                }
                chunks.push_back(std::move(chunk));
            }
    }

    // Every third chunk is stored without filters. `isShuffled`: HDF5's own filter comes first.
    void write(const fs::path& path, const Packing& packing, bool isShuffled = false) const
    {
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        H5Pset_chunk(creation, 3, edge);
        if (isShuffled)
            H5Pset_shuffle(creation);
        made::addFilter(creation, packing);
        made::Hdf5 file(path);
        file.numbers("/exchange/data", {shapeFrames, shapeRows, shapeBins}, {}, type, creation);
        H5Pclose(creation);
        const hid_t set = H5Dopen2(file.id(), "/exchange/data", H5P_DEFAULT);
        for (std::size_t k = 0; k < chunks.size(); ++k) {
            const hsize_t at[3] = {k / (shapeRows / edge[1]) * edge[0], k % (shapeRows / edge[1]) * edge[1], 0};
            const bool isPlain = k % 3 == 2;
            const std::string stored =
                isPlain ? chunks[k] : made::packed(isShuffled ? shuffled(chunks[k]) : chunks[k], packing);
            H5Dwrite_chunk(set, H5P_DEFAULT, isPlain ? 3 : 0, at, stored.size(), stored.data());
        }
        H5Dclose(set);
    }

    std::string shuffled(const std::string& chunk) const
    {
        const std::size_t bytes = H5Tget_size(type);
        std::string made;
        for (std::size_t byte = 0; byte < bytes; ++byte)
            for (std::size_t k = byte; k < chunk.size(); k += bytes)
                made += chunk[k];
        return made;
    }
};

} // namespace

class BlockFiltersTest : public QObject
{
    Q_OBJECT

  private slots:
    void transposesBits()
    {
        std::mt19937 random(3);
        for (const std::size_t bytes : {1, 2, 3, 4, 5, 8, 12, 16})
            for (const std::size_t count : {8, 16, 56, 64, 72, 128, 136, 504, 2048}) {
                std::string elements(count * bytes, '\0');
                for (char& byte : elements)
                    byte = char(random());
                std::string restored(elements.size() + 64, '\x5a');
                unshuffleBits(made::bitsTransposed(elements, bytes).data(), restored.data(), count, bytes);
                QVERIFY(restored == elements + std::string(64, '\x5a'));
            }
    }

    // By definition: bit b of element k is bit b·count + k of what is stored.
    void bitsOfOneElement()
    {
        for (std::size_t bit = 0; bit < 32; ++bit) {
            std::string stored(4 * 64, '\0'), elements(stored.size(), '\x5a'), expected(stored.size(), '\0');
            stored[(bit * 64 + 21) / 8] = 1 << (bit * 64 + 21) % 8;
            unshuffleBits(stored.data(), elements.data(), 64, 4);
            expected[21 * 4 + bit / 8] = char(1 << bit % 8);
            QVERIFY(elements == expected);
        }
    }

    void decodes_data()
    {
        QTest::addColumn<qint64>("type");
        QTest::addColumn<QString>("packing");
        for (const auto& [type, name] : {std::pair{H5T_STD_U8LE, "uint8"},
                                         {H5T_STD_U16LE, "uint16"},
                                         {H5T_STD_U16BE, "uint16 be"},
                                         {H5T_STD_U32LE, "uint32"},
                                         {H5T_IEEE_F32LE, "float32"},
                                         {H5T_IEEE_F64LE, "float64"}})
            for (const auto& [packing, unused] : packings())
                QTest::addRow("%s %s", name, packing.c_str()) << qint64(type) << QString::fromStdString(packing);
    }

    void decodes()
    {
        QFETCH(qint64, type);
        QFETCH(QString, packing);
        const MadeScan made(type);
        for (const bool isShuffled : {false, true}) {
            made.write(at("scan.h5"), packingOf(packing, H5Tget_size(type)), isShuffled);
            const Hdf5Dataset data = Hdf5File(at("scan.h5")).dataset("/exchange/data");
            const auto format = data.chunkFormat();
            QVERIFY(format && format->filters.back().kind != ChunkFilter::Kind::plugin);
            std::vector<float> numbers(made.numbers.size());
            data.read({0, 0, 0}, data.shape(), numbers.data());
            QVERIFY(std::memcmp(numbers.data(), made.numbers.data(), 4 * numbers.size()) == 0);
            if (isShuffled)
                continue;
            OpenOptions options;
            options.values = Quantity::attenuation;
            const auto scan = openScan(at("scan.h5"), options);
            for (const int threads : {1, 8}) {
                Request request = requestFor(scan);
                request.resources.threads = threads;
                const Values rows = read(request, {2, 4}, {}).data.toFloats();
                for (std::size_t f = 0; f < shapeFrames; ++f)
                    QVERIFY(std::memcmp(&rows[f * 4 * shapeBins], &made.numbers[(f * shapeRows + 2) * shapeBins],
                                        4 * 4 * shapeBins) == 0);
            }
        }
    }

    // Each thread reads all frames through the same object; none waits for HDF5's lock while it decodes.
    void manyThreads()
    {
        const MadeScan made(H5T_IEEE_F32LE);
        for (const auto& [name, unused] : packings()) {
            made.write(at("scan.h5"), packingOf(QString::fromStdString(name), 4));
            const Hdf5Dataset data = Hdf5File(at("scan.h5")).dataset("/exchange/data");
            const FrameSource frames = chunkedFrames({data, *data.chunkFormat(), {0, 1, 2, 3, 4, 5, 6}});
            std::atomic<int> right = 0;
            std::vector<std::thread> threads;
            for (int k = 0; k < 12; ++k)
                threads.emplace_back([&] {
                    std::vector<float> numbers(made.numbers.size());
                    for (int n = 0; n < 5; ++n) {
                        frames.read(0, shapeFrames, {0, shapeRows}, reinterpret_cast<char*>(numbers.data()));
                        right += numbers == made.numbers;
                    }
                });
            for (std::thread& thread : threads)
                thread.join();
            QCOMPARE(right.load(), 12 * 5);
        }
    }

    void manySizes_data() { addPackings(); }

    void manySizes()
    {
        QFETCH(QString, packing);
        for (const std::size_t bytes : {1, 2, 4, 6, 8})
            for (const std::size_t count : {1, 7, 8, 9, 40, 63, 64, 65, 135, 136, 137, 1000, 9001}) {
                const Packing used = packingOf(packing, bytes);
                const std::string chunk = counts(count * bytes, bytes);
                QVERIFY(decoded(filterOf(used), made::packed(chunk, used), chunk.size()) == chunk);
            }
    }

    void cut_data() { addPackings(); }

    // A chunk that ends too early is refused, wherever it ends, and so is one that makes more or less than a chunk.
    void cut()
    {
        QFETCH(QString, packing);
        const Packing used = packingOf(packing, 2);
        const std::string chunk = counts(2 * 411, 2), stored = made::packed(chunk, used);
        const ChunkFilter filter = filterOf(used);
        QVERIFY(stored.size() < chunk.size() || filter.kind == Kind::bitshuffle);
        QVERIFY(decoded(filter, stored, chunk.size()) == chunk);
        for (std::size_t length = 0; length < stored.size(); ++length)
            QVERIFY(!decoded(filter, stored.substr(0, length), chunk.size()));
        QVERIFY(!decoded(filter, stored, chunk.size() + 2));
        QVERIFY(!decoded(filter, stored, chunk.size() + 16));
        if (used.filter != Packing::Filter::bitshuffle || used.compression > 0) // has its length
            QVERIFY(!decoded(filter, stored, chunk.size() - 2));
        QVERIFY(!decoded(filter, std::string(stored.size(), '\0'), chunk.size()) || filter.kind == Kind::bitshuffle);
        QVERIFY(!decoded(filter, std::string(stored.size(), '\xff'), chunk.size()) || filter.kind == Kind::bitshuffle);
    }

    void wrongLengths_data()
    {
        QTest::addColumn<QString>("packing");
        QTest::addColumn<int>("place");
        QTest::addColumn<int>("bytes");
        QTest::addColumn<qint64>("length");
        for (const char* packing : {"bitshuffle LZ4 of 72", "bitshuffle Zstandard of 136", "LZ4 of 500"}) {
            const auto row = [&](const char* name, int place, int bytes, qint64 length) {
                QTest::addRow("%s: %s", packing, name) << packing << place << bytes << length;
            };
            const bool isLz4 = std::string(packing).starts_with("LZ4");
            for (const qint64 length : {-1LL, 0LL, 820LL, 824LL, 1LL << 40, std::numeric_limits<long long>::min()})
                row(("a total of " + std::to_string(length)).c_str(), 0, 8, length);
            if (isLz4) {
                row("blocks of 0 bytes", 8, 4, 0);
            } else {
                row("blocks of the usual length", 8, 4, 0);
                row("blocks of 9 elements", 8, 4, 18);
            }
            row("blocks that are too short", 8, 4, 16);
            row("blocks that are too long", 8, 4, 1600);
            row("huge blocks", 8, 4, -1);
            for (const qint64 length : {0LL, 3LL, 100'000LL, 0x7fffffffLL, 0x80000000LL, -1LL})
                row(("a stored length of " + std::to_string(length)).c_str(), 12, 4, length);
        }
    }

    void wrongLengths()
    {
        QFETCH(QString, packing);
        QFETCH(int, place);
        QFETCH(int, bytes);
        QFETCH(qint64, length);
        const Packing used = packingOf(packing, 2);
        const std::string chunk = counts(2 * 411, 2);
        std::string stored = made::packed(chunk, used);
        stored.replace(std::size_t(place), std::size_t(bytes), made::bigEndian(std::uint64_t(length), bytes));
        QVERIFY(!decoded(filterOf(used), stored, chunk.size()));
    }

    // The transposition writes 8 elements at a time.
    void blocksOfTwelveElements()
    {
        for (const unsigned compression : {0U, 2U, 3U}) {
            const Packing used{Packing::Filter::bitshuffle, 12, compression, 2};
            const std::string chunk = counts(2 * 24, 2);
            QVERIFY(!decoded(filterOf(used), made::packed(chunk, used), chunk.size()));
        }
    }

    // A block may claim the bytes of the next one, or more than are there, as its own.
    void storedBlockBeyondTheEnd()
    {
        const ChunkFilter filter = filterOf({Packing::Filter::lz4});
        const std::string header = made::bigEndian(100, 8) + made::bigEndian(100, 4), bytes(100, 'x');
        QVERIFY(decoded(filter, header + made::bigEndian(100, 4) + bytes, 100) == bytes);
        QVERIFY(!decoded(filter, header + made::bigEndian(200, 4) + bytes, 100));
        QVERIFY(!decoded(filter, header + made::bigEndian(100, 4) + bytes.substr(1), 100));
    }

    void changedBytes_data() { addPackings(); }

    // Any byte may be wrong: then the chunk is refused or has other numbers; nothing else is read or written.
    void changedBytes()
    {
        QFETCH(QString, packing);
        std::mt19937 random(7);
        for (const std::size_t bytes : {1, 2, 4}) {
            const Packing used = packingOf(packing, bytes);
            const std::string chunk = counts(411 * bytes, bytes), stored = made::packed(chunk, used);
            for (int k = 0; k < (sanitized ? 300 : 3000); ++k) {
                std::string changed = stored;
                for (int n = 0; n <= k % 3; ++n)
                    changed[random() % (k % 2 == 0 ? std::min<std::size_t>(32, changed.size()) : changed.size())] =
                        char(random());
                decoded(filterOf(used), changed, chunk.size()); // throws for bytes beyond the end
            }
        }
    }

    void refusedFiles_data() { addPackings(); }

    void refusedFiles()
    {
        QFETCH(QString, packing);
        const Packing used = packingOf(packing, 8);
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        constexpr hsize_t length = 1001;
        H5Pset_chunk(creation, 1, &length);
        made::addFilter(creation, used);
        const std::string stored = made::packed(counts(8 * length, 8), used);
        for (const std::string& chunk : {stored.substr(0, stored.size() / 2), stored.substr(0, stored.size() - 1)}) {
            {
                made::Hdf5 file(at("dx.h5"));
                made::dxchange(file, length, length);
                H5Ldelete(file.id(), "/exchange/theta", H5P_DEFAULT);
                file.numbers("/exchange/theta", {length}, {}, H5T_IEEE_F64LE, creation);
                made::writeChunk(file, "/exchange/theta", {0}, chunk);
            }
            QVERIFY(made::refused(at("dx.h5"), {"/exchange/theta", "a chunk of it is damaged"}));
        }
        H5Pclose(creation);
    }

    void parameters()
    {
        using Kind = ChunkFilter::Kind;
        QCOMPARE(blockFilter(32008, {0, 3, 2})->kind, Kind::bitshuffle);
        QCOMPARE(blockFilter(32008, {0, 3, 2, 64})->parameters, (std::vector<unsigned>{2, 64}));
        QCOMPARE(blockFilter(32008, {0, 3, 4, 0, 2})->kind, Kind::bitshuffleLz4);
        QCOMPARE(blockFilter(32008, {0, 4, 4, 0, 3, 7})->kind, Kind::bitshuffleZstd);
        QCOMPARE(blockFilter(32004, {})->kind, Kind::lz4);
        QCOMPARE(blockFilter(32015, {3})->kind, Kind::zstd);
        for (const std::vector<unsigned>& unknown :
             {std::vector<unsigned>{}, {0, 2}, {0, 3, 0, 0, 2}, {0, 3, 2, 0, 1}, {0, 3, 2, 0, 4}})
            QVERIFY(!blockFilter(32008, unknown));
        QVERIFY(!blockFilter(32001, {0, 3, 2}));
    }

    void elementsLargerThanTheChunk()
    {
        for (const unsigned bytes : {3U, 1U << 20, 0xffffffffU})
            for (const unsigned compression : {0U, 2U, 3U}) {
                const auto filter = blockFilter(32008, {0, 3, bytes, 0, compression});
                QVERIFY(!decoded(*filter, std::string(100, '\0'), 100));
            }
        QVERIFY(decoded(*blockFilter(32008, {0, 3, 100, 0xfffffff8, 0}), std::string(100, 'x'), 100));
    }

    // What the plug-ins of other authors write is read by us, also where HDF5 could read it.
    void writtenByPlugIns_data()
    {
        QTest::addColumn<int>("filter");
        QTest::addColumn<QVector<unsigned>>("parameters");
        const auto row = [](const char* name, int filter, const QVector<unsigned>& parameters) {
            QTest::newRow(name) << filter << parameters;
        };
        row("LZ4", 32004, {});
        row("LZ4 of 3000", 32004, {3000});
        row("bitshuffle", 32008, {0, 0});
        row("bitshuffle LZ4", 32008, {0, 2});
        row("bitshuffle LZ4 of 64", 32008, {64, 2});
        row("bitshuffle Zstandard", 32008, {0, 3, 5});
        row("bitshuffle Zstandard of 24", 32008, {24, 3, 5});
        row("Zstandard", 32015, {9});
    }

    void writtenByPlugIns()
    {
        QFETCH(int, filter);
        QFETCH(QVector<unsigned>, parameters);
        if (H5Zfilter_avail(filter) <= 0)
            QSKIP("HDF5's plug-in isn't here");
        for (const hid_t type : {H5T_STD_U8LE, H5T_STD_U16LE, H5T_STD_U32LE, H5T_IEEE_F32LE, H5T_IEEE_F64LE})
            for (const hsize_t length : {1, 9, 1003, 20'001}) {
                const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
                H5Pset_chunk(creation, 1, &length);
                H5Pset_filter(creation, filter, H5Z_FLAG_MANDATORY, std::size_t(parameters.size()), parameters.data());
                std::vector<double> values = made::counting(3 * length);
                for (double& value : values)
                    value = std::fmod(value * 37, 251);
                made::Hdf5(at("plugin.h5")).numbers("/numbers", {3 * length}, values, type, creation);
                H5Pclose(creation);
                const Hdf5Dataset data = Hdf5File(at("plugin.h5")).dataset("/numbers");
                QVERIFY(data.chunkFormat()->filters[0].kind != ChunkFilter::Kind::plugin);
                QVERIFY(data.numbers() == values);
            }
    }

    // A chunk of 64 16-bit numbers k % 7 + k / 20, written by h5py 3.
    void writtenByH5py()
    {
        const QByteArray chunk = QByteArray::fromHex("0e000001000200030004000500060000e0100d0007e00419e0110d02070008"
                                                     "e0024fe0110d40190309000300");
        std::string expected;
        for (int k = 0; k < 64; ++k)
            expected += std::string{char(k % 7 + k / 20), '\0'};
        QVERIFY(decoded(*blockFilter(32000, {4, 261, 128}), chunk.toStdString(), 128) == expected);
    }

    // A text of a fixed length is read from its chunk; HDF5 alone finds one of any length.
    void texts()
    {
        const Packing packing{Packing::Filter::zstd};
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), fixed = H5Tcopy(H5T_C_S1), variable = H5Tcopy(H5T_C_S1);
        const hsize_t length = 2;
        H5Pset_chunk(creation, 1, &length);
        made::addFilter(creation, packing);
        H5Tset_size(fixed, 8);
        H5Tset_size(variable, H5T_VARIABLE);
        {
            made::Hdf5 file(at("texts.h5"));
            file.numbers("/fixed", {2}, {}, fixed, creation);
            file.numbers("/variable", {2}, {}, variable, creation);
            file.numbers("/number", {2}, {}, H5T_STD_U8LE, creation);
            file.numbers("/damaged", {2}, {}, fixed, creation);
            const std::string text("degrees\0radians", 16);
            made::writeChunk(file, "/fixed", {0}, made::zstdOf(text));
            made::writeChunk(file, "/number", {0}, made::zstdOf("\x2a\x07"));
            made::writeChunk(file, "/damaged", {0}, made::zstdOf(text.substr(1)));
        }
        H5Tclose(fixed);
        H5Tclose(variable);
        H5Pclose(creation);
        const Hdf5File file(at("texts.h5"));
        QVERIFY(file.text("/fixed") == "degrees");
        QVERIFY(file.text("/number") == "42");
        QVERIFY(file.number("/number") == 42.0);
        QVERIFY(fails(ErrorKind::badFile, {"/damaged", "a chunk of it is damaged"}, [&] { file.text("/damaged"); }));
        if (H5Zfilter_avail(32015) > 0)
            QSKIP("Zstandard's plug-in is installed");
        QVERIFY(fails(ErrorKind::badFile, {"/variable", "Zstandard (32015)", "hdf5plugin"},
                      [&] { file.text("/variable"); }));
    }

    // Filters that follow a compression are left to HDF5.
    void twoCompressions()
    {
        if (H5Zfilter_avail(32015) > 0)
            QSKIP("Zstandard's plug-in is installed");
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t length = 5;
        H5Pset_chunk(creation, 1, &length);
        H5Pset_deflate(creation, 1);
        made::addFilter(creation, {Packing::Filter::zstd});
        made::Hdf5(at("twice.h5")).numbers("/numbers", {5}, {}, H5T_STD_U16LE, creation);
        H5Pclose(creation);
        QVERIFY(fails(ErrorKind::badFile, {"/numbers", "Zstandard (32015)"},
                      [&] { Hdf5File(at("twice.h5")).dataset("/numbers"); }));
    }

    // Frames of a virtual data set that are whole frames of its sources are read by us. HDF5 must assemble others, and
    // lacks the filter.
    void virtualFrames()
    {
        const MadeScan made(H5T_STD_U16LE);
        made.write(at("source.h5"), packingOf("bitshuffle LZ4", 2));
        for (const bool isWhole : {true, false}) {
            {
                const hsize_t shape[3] = {shapeFrames, shapeRows, hsize_t(isWhole ? shapeBins : shapeBins - 1)},
                              all[3] = {shapeFrames, shapeRows, shapeBins}, first[3] = {0, 0, 0};
                const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), to = H5Screate_simple(3, shape, nullptr),
                            from = H5Screate_simple(3, all, nullptr);
                H5Sselect_hyperslab(from, H5S_SELECT_SET, first, nullptr, shape, nullptr);
                H5Pset_virtual(creation, to, "source.h5", "/exchange/data", from);
                made::Hdf5(at("virtual.h5"))
                    .numbers("/exchange/data", {shape[0], shape[1], shape[2]}, {}, H5T_STD_U16LE, creation);
                H5Sclose(from);
                H5Sclose(to);
                H5Pclose(creation);
            }
            OpenOptions options;
            options.values = Quantity::attenuation;
            const auto rows = [&] { return read(requestFor(openScan(at("virtual.h5"), options)), {0, 9}, {}); };
            if (isWhole)
                QVERIFY(std::ranges::equal(rows().data.toFloats(), made.numbers));
            else if (H5Zfilter_avail(32008) <= 0)
                QVERIFY(
                    fails(ErrorKind::badFile, {"virtual.h5", "HDF5 itself", "bitshuffle (32008)", "hdf5plugin"}, rows));
            else
                QCOMPARE(rows().data.toFloats()[shapeBins - 1], made.numbers[shapeBins]);
        }
    }

  private:
    using Kind = ChunkFilter::Kind;

    static void addPackings()
    {
        QTest::addColumn<QString>("packing");
        for (const auto& [name, unused] : packings())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }

    fs::path at(const std::string& name) const { return m_folder / name; }
    const TemporaryFolder m_folder;
};

SINOSCOPE_TEST(BlockFiltersTest, QCoreApplication)
#include "block_filters_test.moc"

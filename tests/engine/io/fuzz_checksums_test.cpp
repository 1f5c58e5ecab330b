// SPDX-License-Identifier: GPL-3.0-or-later
// The checksums that the fuzzer of HDF5 files corrects, for every kind of block that HDF5 writes.
#include "tests/engine/io/files.h"
#include "tests/fuzz/hdf5_checksums.h"

#include <array>
#include <cstring>
#include <map>

using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

using FileBytes = std::vector<std::uint8_t>;

FileBytes soundBytesOf(const fs::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void addChunks(hid_t file, const char* name, const std::vector<hsize_t>& shape, const std::vector<hsize_t>& most,
               hsize_t written)
{
    const std::vector<hsize_t> edges(shape.size(), 1);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, int(edges.size()), edges.data());
    const hid_t space = H5Screate_simple(int(shape.size()), shape.data(), most.data());
    const hid_t set = H5Dcreate2(file, name, H5T_STD_U16LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    std::vector<hsize_t> at(shape.size(), 0);
    const std::uint16_t value = 7;
    for (hsize_t k = 0; k < written; ++k) {
        at[0] = k % shape[0];
        at.back() = shape.size() > 1 ? k / shape[0] : at[0];
        H5Dwrite_chunk(set, H5P_DEFAULT, 0, at.data(), sizeof value, &value);
    }
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(creation);
}

// Writes a file in the newest format with all kinds of blocks: a superblock, headers and their continuations, groups
// and attributes with many names, chunks in arrays of fixed and of unlimited size and in B-trees, free space, shared
// messages.
void makeAllBlocks(const fs::path& path, bool sharesMessages)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_FSM_AGGR, 1, 1);
    if (sharesMessages) {
        H5Pset_shared_mesg_nindexes(creation, 2);
        H5Pset_shared_mesg_index(creation, 0, H5O_SHMESG_DTYPE_FLAG, 10);
        H5Pset_shared_mesg_index(creation, 1, H5O_SHMESG_ATTR_FLAG, 10);
    }
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access);
    const hid_t one = H5Screate(H5S_SCALAR);
    for (const int links : {3, 40, 3000}) {
        const hid_t group =
            H5Gcreate2(file, ("g" + std::to_string(links)).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        for (int k = 0; k < links; ++k)
            H5Lcreate_soft("/nowhere/at/all", group, ("a link of some length " + std::to_string(k)).c_str(),
                           H5P_DEFAULT, H5P_DEFAULT);
        for (int k = 0; k < links / 2; ++k)
            H5Aclose(H5Acreate2(group, ("attribute " + std::to_string(k)).c_str(), H5T_STD_U16LE, one, H5P_DEFAULT,
                                H5P_DEFAULT));
        H5Gclose(group);
    }
    addChunks(file, "fixed", {20}, {20}, 20);
    addChunks(file, "fixed in pages", {3000}, {3000}, 2000);
    const hsize_t many = sanitized ? 30'000 : 200'000;
    addChunks(file, "growing", {many}, {H5S_UNLIMITED}, many);
    addChunks(file, "growing both ways", {300, 20}, {H5S_UNLIMITED, H5S_UNLIMITED}, 6000);
    H5Ldelete(file, "g40", H5P_DEFAULT); // creates free space
    H5Sclose(one);
    H5Fclose(file);
    H5Pclose(creation);
    H5Pclose(access);
}

std::uint32_t numberAt(const FileBytes& file, std::size_t at)
{
    std::uint32_t value = 0;
    std::memcpy(&value, file.data() + at, sizeof value);
    return value;
}

// Returns the position of a block's checksum. The length of the block is not known: every length is tried until the
// checksum of the bytes equals the number that follows them. A direct block of a fractal heap contains its checksum,
// which counts as 0, and its length is a power of two.
std::optional<std::size_t> sumOf(const FileBytes& file, std::size_t block)
{
    if (std::memcmp(file.data() + block, "FHDB", 4) == 0) {
        const std::size_t sum = block + 5 + 8 + 4; // after the address of the heap and the offset in it
        for (std::size_t length = 64; length <= 65536 && block + length <= file.size(); length *= 2) {
            FileBytes bytes(file.begin() + std::ptrdiff_t(block), file.begin() + std::ptrdiff_t(block + length));
            std::fill_n(bytes.begin() + std::ptrdiff_t(sum - block), 4, 0);
            if (fuzz::lookup3(bytes.data(), bytes.size()) == numberAt(file, sum))
                return sum;
        }
        return {};
    }
    for (std::size_t length = 4; length < 4500 && block + length + 4 <= file.size(); ++length)
        if (fuzz::lookup3(file.data() + block, length) == numberAt(file, block + length))
            return block + length;
    return {};
}

} // namespace

class FuzzChecksumsTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        makeAllBlocks(m_folder / "plain.h5", false);
        makeAllBlocks(m_folder / "shared.h5", true);
    }

    void lookup3()
    {
        // Test vectors by Bob Jenkins, the author of the function, with the initial value 0, which HDF5 uses.
        const std::string text = "Four score and seven years ago";
        QCOMPARE(fuzz::lookup3(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), 0x17770551U);
        QCOMPARE(fuzz::lookup3(nullptr, 0), 0xdeadbeefU);
    }

    // A correct checksum stays as it is, and a cleared one is restored; exceptions are the few blocks that HDF5 has
    // released.
    void everyKindOfBlock()
    {
        constexpr std::array signatures{"\x89HDF", "OHDR", "OCHK", "BTHD", "BTIN", "BTLF", "FRHP",
                                        "FHDB",    "FHIB", "FSHD", "FSSE", "SMTB", "SMLI", "FAHD",
                                        "FADB",    "EAHD", "EAIB", "EASB", "EADB"};
        std::map<std::string, int> restored, lost;
        for (const char* name : {"plain.h5", "shared.h5"}) {
            const FileBytes sound = soundBytesOf(m_folder / name);
            FileBytes same = sound, cleared = sound;
            std::vector<std::pair<const char*, std::size_t>> sums;
            for (std::size_t at = 0; at + 8 < sound.size(); ++at)
                for (const char* signature : signatures)
                    if (std::memcmp(sound.data() + at, signature, 4) == 0)
                        if (const auto sum = sumOf(sound, at)) {
                            sums.emplace_back(signature, *sum);
                            std::fill_n(cleared.begin() + std::ptrdiff_t(*sum), 4, 0);
                        }
            fuzz::correctChecksums(same);
            fuzz::correctChecksums(cleared);
            for (const auto& [signature, sum] : sums) {
                QCOMPARE(numberAt(same, sum), numberAt(sound, sum));
                ++(numberAt(cleared, sum) == numberAt(sound, sum) ? restored : lost)[signature];
            }
        }
        QCOMPARE(restored.size(), signatures.size());
        for (const auto& [signature, count] : lost)
            QVERIFY2(count <= 1 + restored[signature] / 4,
                     (signature + " " + std::to_string(count) + " of " + std::to_string(restored[signature])).c_str());
    }

    // Arbitrary bytes, as from a fuzzer: nothing is read or written beyond the file's end.
    void anyBytes()
    {
        const FileBytes sound = soundBytesOf(m_folder / "shared.h5");
        std::uint32_t random = 1;
        const auto next = [&random] { return random = random * 1664525 + 1013904223; };
        for (int k = 0; k < (sanitized ? 10 : 100); ++k) {
            FileBytes file(sound.begin(), sound.begin() + std::ptrdiff_t(next() % sound.size()));
            for (int change = 0; change < 100 && !file.empty(); ++change)
                file[(next() >> 4) % file.size()] = std::uint8_t(next() >> 20);
            const std::size_t bytes = file.size();
            fuzz::correctChecksums(file);
            QCOMPARE(file.size(), bytes);
        }
    }

  private:
    const TemporaryFolder m_folder;
};

SINOSCOPE_TEST(FuzzChecksumsTest, QCoreApplication)
#include "fuzz_checksums_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/hdf5_checksums.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>
#include <string_view>

namespace fuzz
{

namespace
{

constexpr std::size_t sumBytes = 4;
constexpr std::size_t mostBlocks = 10'000; // limit for files with circular references

// Returns the number of bytes that a number up to `most` takes.
std::size_t bytesFor(std::uint64_t most)
{
    return most == 0 ? 1 : static_cast<std::size_t>(std::bit_width(most) - 1) / 8 + 1;
}

unsigned log2Of(std::uint64_t value)
{
    return value == 0 ? 0 : static_cast<unsigned>(std::bit_width(value)) - 1;
}

// A file in memory whose blocks are followed from their headers. Reading beyond its end gives 0.
class Checksums
{
  public:
    explicit Checksums(std::vector<std::uint8_t>& file) : m_file(file) {}

    void correct()
    {
        if (!startsWith(0, "\x89HDF\r\n\x1a\n"))
            return;
        const bool isNew = number(8, 1) >= 2;
        m_offset = std::clamp<std::size_t>(number(isNew ? 9 : 13, 1), 1, 8);
        m_length = std::clamp<std::size_t>(number(isNew ? 10 : 14, 1), 1, 8);
        if (isNew)
            sum(0, 12 + 4 * m_offset);
        using Block = void (Checksums::*)(std::size_t);
        static constexpr std::pair<std::string_view, Block> headers[] = {
            {"OHDR", &Checksums::objectHeader}, {"BTHD", &Checksums::btree},
            {"FRHP", &Checksums::heap},         {"FSHD", &Checksums::freeSpace},
            {"FAHD", &Checksums::fixedArray},   {"EAHD", &Checksums::extensibleArray}};
        for (std::size_t at = 8; at + sumBytes < m_file.size(); ++at)
            for (const auto& [signature, block] : headers)
                if (startsWith(at, signature))
                    (this->*block)(at);
    }

  private:
    bool startsWith(std::size_t at, std::string_view signature) const
    {
        return at < m_file.size() && m_file[at] == static_cast<std::uint8_t>(signature.front()) &&
               m_file.size() - at >= signature.size() &&
               std::memcmp(m_file.data() + at, signature.data(), signature.size()) == 0;
    }
    std::uint64_t number(std::size_t at, std::size_t bytes) const
    {
        std::uint64_t value = 0;
        for (std::size_t k = 0; k < std::min<std::size_t>(bytes, 8); ++k)
            value |= std::uint64_t{at + k < m_file.size() ? m_file[at + k] : std::uint8_t{0}} << 8 * k;
        return value;
    }
    // Returns the next number of a block, and moves `at` behind it.
    std::uint64_t take(std::size_t& at, std::size_t bytes) const
    {
        const std::uint64_t value = number(at, bytes);
        at += bytes;
        return value;
    }
    bool fits(std::size_t at, std::size_t bytes) const
    {
        return bytes < m_file.size() && at < m_file.size() - bytes && m_file.size() - bytes - at >= sumBytes;
    }
    // Writes the checksum of a block of `bytes` bytes behind its end.
    void sum(std::size_t at, std::size_t bytes)
    {
        if (fits(at, bytes))
            put(at + bytes, lookup3(m_file.data() + at, bytes));
    }
    void put(std::size_t at, std::uint32_t value)
    {
        for (std::size_t k = 0; k < sumBytes; ++k)
            m_file[at + k] = static_cast<std::uint8_t>(value >> 8 * k);
    }
    // Whether a block with this signature is there and has not been followed yet.
    bool isNew(std::size_t at, std::string_view signature)
    {
        return startsWith(at, signature) && m_followed.size() < mostBlocks && m_followed.insert(at).second;
    }

    void objectHeader(std::size_t header)
    {
        std::size_t at = header + 5;
        const std::uint64_t flags = take(at, 1);
        at += ((flags & 0x20) != 0 ? 16 : 0) + ((flags & 0x10) != 0 ? 4 : 0);
        const std::uint64_t bytes = take(at, std::size_t{1} << (flags & 3));
        if (bytes < m_file.size()) {
            sum(header, at - header + bytes);
            messages(at, at + bytes, (flags & 4) != 0);
        }
    }

    // Follows the messages that refer to other blocks: continuations, and the table of shared messages.
    void messages(std::size_t at, std::size_t end, bool areOrdered)
    {
        while (at + 4 <= std::min(end, m_file.size())) {
            const std::uint64_t type = take(at, 1), bytes = take(at, 2);
            at += 1 + (areOrdered ? 2 : 0);
            std::size_t data = at;
            if (type == 0x10) {
                const std::size_t block = take(data, m_offset), length = take(data, m_length);
                if (length > 2 * sumBytes && isNew(block, "OCHK")) {
                    sum(block, length - sumBytes);
                    messages(block + 4, block + length - sumBytes, areOrdered);
                }
            } else if (type == 0x0f) {
                ++data;
                const std::size_t table = take(data, m_offset);
                sharedMessages(table, take(data, 1));
            }
            at += bytes;
        }
    }

    void sharedMessages(std::size_t table, std::size_t indices)
    {
        const std::size_t bytes = 14 + 2 * m_offset;
        if (!isNew(table, "SMTB"))
            return;
        sum(table, 4 + indices * bytes);
        for (std::size_t k = 0; k < indices; ++k) {
            std::size_t at = table + 4 + k * bytes + 12;
            const std::uint64_t used = take(at, 2);
            if (const std::size_t list = take(at, m_offset); isNew(list, "SMLI"))
                sum(list, 4 + used * (5 + std::max<std::size_t>(12, 4 + m_offset)));
        }
    }

    struct Level { // one level of a B-tree's nodes
        std::uint64_t most, mostBelow;
        std::size_t totalBytes;
    };

    void btree(std::size_t header)
    {
        std::size_t at = header + 6;
        const std::uint64_t node = take(at, 4), record = take(at, 2), depth = take(at, 2);
        at += 2;
        const std::uint64_t root = take(at, m_offset), records = take(at, 2);
        sum(header, at - header + m_length);
        constexpr std::uint64_t around = 10; // a node's signature, version, type and checksum
        if (record == 0 || node <= around || depth > 16)
            return;
        std::vector<Level> levels{{(node - around) / record, (node - around) / record, 0}};
        const std::size_t countBytes = bytesFor(levels[0].most);
        for (std::uint64_t k = 1; k <= depth; ++k) {
            const std::uint64_t pointer = m_offset + countBytes + levels[k - 1].totalBytes;
            const std::uint64_t most = node > around + pointer ? (node - around - pointer) / (record + pointer) : 0;
            const std::uint64_t below = (most + 1) * levels[k - 1].mostBelow + most;
            levels.push_back({most, below, bytesFor(below)});
        }
        btreeNode(root, depth, records, record, countBytes, levels);
    }

    void btreeNode(std::size_t at, std::uint64_t depth, std::uint64_t records, std::uint64_t record,
                   std::size_t countBytes, const std::vector<Level>& levels)
    {
        const std::size_t begin = at;
        if (!isNew(at, depth == 0 ? "BTLF" : "BTIN"))
            return;
        at += 6 + records * record;
        for (std::uint64_t k = 0; depth > 0 && k <= records && at < m_file.size(); ++k) {
            const std::size_t child = take(at, m_offset);
            const std::uint64_t count = take(at, countBytes);
            at += levels[depth - 1].totalBytes;
            btreeNode(child, depth - 1, count, record, countBytes, levels);
        }
        sum(begin, at - begin);
    }

    struct Heap {
        std::size_t filterBytes = 0, offsetBytes = 0;
        std::uint64_t width = 0, first = 0, mostDirect = 0; // blocks per row, bytes of first and largest block
        bool hasSums = false;                               // whether direct blocks have checksums
    };

    void heap(std::size_t header)
    {
        Heap heap;
        std::size_t at = header + 7;
        heap.filterBytes = take(at, 2);
        heap.hasSums = (take(at, 1) & 2) != 0;
        at += 4 + 2 * (m_length + m_offset) + 8 * m_length;
        heap.width = take(at, 2);
        heap.first = take(at, m_length);
        heap.mostDirect = take(at, m_length);
        heap.offsetBytes = (take(at, 2) + 7) / 8;
        at += 2;
        const std::size_t root = take(at, m_offset);
        const std::uint64_t rows = take(at, 2);
        at += heap.filterBytes > 0 ? m_length + 4 + heap.filterBytes : 0;
        sum(header, at - header);
        if (rows == 0)
            directBlock(heap, root, heap.first);
        else
            indirectBlock(heap, root, rows);
    }

    void directBlock(const Heap& heap, std::size_t block, std::uint64_t bytes)
    {
        const std::size_t at = 5 + m_offset + heap.offsetBytes;
        if (!heap.hasSums || bytes > m_file.size() || at + sumBytes > bytes || block > m_file.size() - bytes ||
            !isNew(block, "FHDB"))
            return;
        put(block + at, 0);
        put(block + at, lookup3(m_file.data() + block, bytes));
    }

    void indirectBlock(const Heap& heap, std::size_t block, std::uint64_t rows)
    {
        if (!isNew(block, "FHIB") || rows > 64)
            return;
        std::size_t at = block + 5 + m_offset + heap.offsetBytes;
        for (std::uint64_t row = 0; row < rows; ++row) {
            const std::uint64_t bytes = heap.first << (row < 2 ? 0 : row - 1);
            for (std::uint64_t k = 0; k < heap.width && at < m_file.size(); ++k) {
                const std::size_t inner = take(at, m_offset);
                if (bytes > heap.mostDirect) {
                    indirectBlock(heap, inner, log2Of(bytes) - log2Of(heap.first * heap.width) + 1);
                    continue;
                }
                std::uint64_t stored = bytes;
                if (heap.filterBytes > 0) {
                    stored = take(at, m_length);
                    at += 4;
                }
                directBlock(heap, inner, stored);
            }
        }
        sum(block, at - block);
    }

    void freeSpace(std::size_t header)
    {
        std::size_t at = header + 6 + 4 * m_length + 8 + m_length;
        const std::size_t sections = take(at, m_offset);
        const std::uint64_t used = take(at, m_length);
        sum(header, at + m_length - header);
        if (used > 2 * sumBytes && startsWith(sections, "FSSE")) // there are several headers, some of them free
            sum(sections, used - sumBytes);
    }

    void fixedArray(std::size_t header)
    {
        std::size_t at = header + 6;
        const std::uint64_t entry = take(at, 1), page = std::uint64_t{1} << (take(at, 1) & 31),
                            entries = take(at, m_length);
        const std::size_t block = take(at, m_offset);
        sum(header, at - header);
        if (entries < m_file.size() && isNew(block, "FADB"))
            entriesAt(block, block + 6 + m_offset, entries, page, entry, block + 6 + m_offset, 0);
    }

    // Corrects a block of entries that begin at `at`. If there are more entries than fit into a page, each page has a
    // checksum of its own; one bit per page, starting with bit `firstBit` at `bits` (in the block itself or
    // elsewhere), tells whether the page was ever written.
    void entriesAt(std::size_t block, std::size_t at, std::uint64_t entries, std::uint64_t page, std::uint64_t bytes,
                   std::size_t bits, std::uint64_t firstBit)
    {
        if (entries <= page)
            return sum(block, at - block + entries * bytes);
        at += bits == at ? ((entries + page - 1) / page + 7) / 8 : 0;
        sum(block, at - block);
        at += sumBytes;
        for (std::uint64_t done = 0, k = firstBit; done < entries && at < m_file.size(); done += page, ++k) {
            const std::uint64_t some = std::min(entries - done, page);
            if ((number(bits + k / 8, 1) & 0x80U >> k % 8) != 0)
                sum(at, some * bytes);
            at += some * bytes + sumBytes;
        }
    }

    struct Array {
        std::uint64_t entryBytes, offsetBytes, inIndex, least, pointers, page;
    };

    void extensibleArray(std::size_t header)
    {
        Array array{};
        std::size_t at = header + 6;
        array.entryBytes = take(at, 1);
        const std::uint64_t bits = take(at, 1);
        array.offsetBytes = (bits + 7) / 8;
        array.inIndex = take(at, 1);
        array.least = std::max<std::uint64_t>(1, take(at, 1));
        array.pointers = std::max<std::uint64_t>(1, take(at, 1));
        array.page = std::uint64_t{1} << (take(at, 1) & 31);
        at += 6 * m_length;
        const std::size_t index = take(at, m_offset);
        sum(header, at - header);
        if (!isNew(index, "EAIB"))
            return;
        at = index + 6 + m_offset + array.inIndex * array.entryBytes;
        const unsigned direct = 2 * log2Of(array.pointers); // super blocks with data blocks listed in the index
        for (unsigned super = 0; super < direct; ++super)
            for (std::uint64_t k = 0; k < dataBlocks(super) && at < m_file.size(); ++k)
                dataBlock(array, take(at, m_offset), super, 0, 0);
        const std::uint64_t all = bits >= log2Of(array.least) ? 1 + bits - log2Of(array.least) : 0;
        for (unsigned super = direct; super < all && at < m_file.size(); ++super)
            superBlock(array, take(at, m_offset), super);
        sum(index, at - index);
    }

    static std::uint64_t dataBlocks(unsigned super) { return std::uint64_t{1} << std::min(super / 2, 32U); }
    static std::uint64_t entriesOf(const Array& array, unsigned super)
    {
        return array.least << std::min((super + 1) / 2, 32U);
    }

    void dataBlock(const Array& array, std::size_t block, unsigned super, std::size_t bits, std::uint64_t firstBit)
    {
        if (isNew(block, "EADB"))
            entriesAt(block, block + 6 + m_offset + array.offsetBytes, entriesOf(array, super), array.page,
                      array.entryBytes, bits, firstBit);
    }

    void superBlock(const Array& array, std::size_t block, unsigned super)
    {
        if (!isNew(block, "EASB"))
            return;
        const std::size_t bits = block + 6 + m_offset + array.offsetBytes;
        const std::uint64_t pages = entriesOf(array, super) / array.page, bitBytes = pages > 1 ? (pages + 7) / 8 : 0;
        std::size_t at = bits + dataBlocks(super) * bitBytes;
        for (std::uint64_t k = 0; k < dataBlocks(super) && at < m_file.size(); ++k)
            dataBlock(array, take(at, m_offset), super, bits, k * pages);
        sum(block, at - block);
    }

    std::vector<std::uint8_t>& m_file;
    std::size_t m_offset = 8, m_length = 8; // bytes of an address, and of a length
    std::set<std::size_t> m_followed;
};

} // namespace

std::uint32_t lookup3(const std::uint8_t* bytes, std::size_t count)
{
    std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(count), b = a, c = a;
    const auto add = [&bytes](std::uint32_t& to, std::size_t some) {
        for (std::size_t k = 0; k < std::min<std::size_t>(some, 4); ++k)
            to += std::uint32_t{*bytes++} << 8 * k;
    };
    const auto addAll = [&](std::size_t some) {
        add(a, some);
        add(b, some > 4 ? some - 4 : 0);
        add(c, some > 8 ? some - 8 : 0);
    };
    const auto turn = [](std::uint32_t& x, std::uint32_t y, int bits, std::uint32_t& plus, std::uint32_t z) {
        x -= y;
        x ^= std::rotl(y, bits);
        plus += z;
    };
    for (; count > 12; count -= 12) {
        addAll(12);
        turn(a, c, 4, c, b);
        turn(b, a, 6, a, c);
        turn(c, b, 8, b, a);
        turn(a, c, 16, c, b);
        turn(b, a, 19, a, c);
        turn(c, b, 4, b, a);
    }
    if (count == 0)
        return c;
    addAll(count);
    const auto end = [](std::uint32_t& x, std::uint32_t y, int bits) {
        x ^= y;
        x -= std::rotl(y, bits);
    };
    end(c, b, 14);
    end(a, c, 11);
    end(b, a, 25);
    end(c, b, 16);
    end(a, c, 4);
    end(b, a, 14);
    end(c, b, 24);
    return c;
}

void correctChecksums(std::vector<std::uint8_t>& file)
{
    Checksums(file).correct();
}

} // namespace fuzz

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/bitshuffle.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace engine
{

namespace
{

using Word = std::uint64_t;

// GCC 12 leaves loops of eight steps as they are at -O2, and the words in memory.
template <typename Act>
inline void forEight(Act&& act)
{
    act(0), act(1), act(2), act(3), act(4), act(5), act(6), act(7);
}

// Exchanges every second group of `shift` bits: the upper ones of a with the lower ones of b.
template <int shift>
inline void exchange(Word& a, Word& b)
{
    constexpr Word lower = ~Word{0} / ((Word{1} << shift) + 1);
    const Word differing = (a >> shift ^ b) & lower;
    b ^= differing;
    a ^= differing << shift;
}

// Transposes matrices of 8 × 8 entries of `bits` bits; each word is a row of all of them, which are side by side.
template <int bits>
inline void transpose(Word* rows)
{
    exchange<4 * bits>(rows[0], rows[4]), exchange<4 * bits>(rows[1], rows[5]);
    exchange<4 * bits>(rows[2], rows[6]), exchange<4 * bits>(rows[3], rows[7]);
    exchange<2 * bits>(rows[0], rows[2]), exchange<2 * bits>(rows[1], rows[3]);
    exchange<2 * bits>(rows[4], rows[6]), exchange<2 * bits>(rows[5], rows[7]);
    exchange<bits>(rows[0], rows[1]), exchange<bits>(rows[2], rows[3]);
    exchange<bits>(rows[4], rows[5]), exchange<bits>(rows[6], rows[7]);
}

// Restores 8 elements, one bit of each of which is in a byte of every row of `rowBytes` bytes.
void unshuffleEight(const char* rows, char* elements, std::size_t rowBytes, std::size_t bytes)
{
    for (std::size_t byte = 0; byte < bytes; ++byte, rows += 8 * rowBytes) {
        Word words[8];
        forEight([&](std::size_t bit) { words[bit] = static_cast<unsigned char>(rows[bit * rowBytes]); });
        transpose<1>(words);
        forEight([&](std::size_t element) { elements[element * bytes + byte] = static_cast<char>(words[element]); });
    }
}

// Restores 64 elements, as above: transposes bits, then bytes. For little-endian machines.
template <std::size_t bytes>
inline void unshuffle64(const char* rows, char* elements, std::size_t rowBytes)
{
    Word ofElement[8 * bytes]; // bytes of element k, k + 8, k + 16, …, from the lowest to the highest byte
    for (std::size_t byte = 0; byte < bytes; ++byte, rows += 8 * rowBytes) {
        Word words[8];
        forEight([&](std::size_t bit) { std::memcpy(words + bit, rows + bit * rowBytes, sizeof(Word)); });
        transpose<1>(words);
        forEight([&](std::size_t element) { ofElement[element * bytes + byte] = words[element]; });
    }
    for (std::size_t part = 0; part < bytes; ++part, elements += 8) {
        Word words[8];
        forEight([&](std::size_t k) { words[k] = ofElement[8 * part + k]; });
        transpose<8>(words);
        forEight([&](std::size_t k) { std::memcpy(elements + k * 8 * bytes, words + k, sizeof(Word)); });
    }
}

// Returns how many elements were restored.
template <std::size_t bytes>
std::size_t unshuffleWords(const char* rows, char* elements, std::size_t count)
{
    std::size_t done = 0;
    for (; done + 64 <= count; done += 64)
        unshuffle64<bytes>(rows + done / 8, elements + done * bytes, count / 8);
    return done;
}

} // namespace

void unshuffleBits(const char* shuffled, char* elements, std::size_t count, std::size_t bytes)
{
    std::size_t done = 0;
    if constexpr (std::endian::native == std::endian::little)
        done = bytes == 1   ? unshuffleWords<1>(shuffled, elements, count)
               : bytes == 2 ? unshuffleWords<2>(shuffled, elements, count)
               : bytes == 4 ? unshuffleWords<4>(shuffled, elements, count)
               : bytes == 8 ? unshuffleWords<8>(shuffled, elements, count)
                            : 0;
    for (; done < count; done += 8)
        unshuffleEight(shuffled + done / 8, elements + done * bytes, count / 8, bytes);
}

} // namespace engine

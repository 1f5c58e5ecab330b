// SPDX-License-Identifier: GPL-3.0-or-later
// Chunks compressed as detectors and h5py do it: encoders of bitshuffle, LZ4, Zstandard and LZF that are slow and easy
// to check
#pragma once

#include "tests/engine/io/files.h"

#include <lz4.h>
#include <zstd.h>

#include <cstdint>
#include <string>
#include <vector>

namespace made
{

// A filter as a file records it, registered by the HDF Group
struct Packing {
    enum class Filter { lzf = 32000, lz4 = 32004, bitshuffle = 32008, zstd = 32015 } filter;
    unsigned block = 0;        // bitshuffle: elements (0: the usual number), LZ4: bytes
    unsigned compression = 0;  // of bitshuffle: 0 none, 2 LZ4, 3 Zstandard
    unsigned elementBytes = 1; // of bitshuffle
};

inline std::string bigEndian(std::uint64_t value, int bytes)
{
    std::string text;
    for (int k = bytes - 1; k >= 0; --k)
        text += char(value >> 8 * k & 255);
    return text;
}

inline std::string lz4Of(const std::string& bytes)
{
    std::string packed(std::size_t(LZ4_compressBound(int(bytes.size()))), '\0');
    packed.resize(
        std::size_t(LZ4_compress_default(bytes.data(), packed.data(), int(bytes.size()), int(packed.size()))));
    return packed;
}

inline std::string zstdOf(const std::string& bytes)
{
    std::string packed(ZSTD_compressBound(bytes.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 3));
    return packed;
}

inline std::string lzfOf(const std::string& bytes)
{
    std::string packed, literal;
    const auto flush = [&] {
        for (; !literal.empty(); literal.erase(0, 32))
            packed += char(std::min<std::size_t>(literal.size(), 32) - 1) + literal.substr(0, 32);
        literal.clear();
    };
    for (std::size_t at = 0; at < bytes.size();) {
        std::size_t longest = 0, distance = 0;
        for (std::size_t back = 1; back <= std::min<std::size_t>(at, 700); ++back) {
            std::size_t length = 0;
            while (length < 264 && at + length < bytes.size() && bytes[at + length] == bytes[at + length - back])
                ++length;
            if (length > longest)
                longest = length, distance = back;
        }
        if (longest < 3) {
            literal += bytes[at++];
            continue;
        }
        flush();
        const std::size_t code = longest - 2;
        packed += char(std::min<std::size_t>(code, 7) << 5 | (distance - 1) >> 8);
        if (code >= 7)
            packed += char(code - 7);
        packed += char((distance - 1) & 255);
        at += longest;
    }
    flush();
    return packed;
}

// Returns bit 0 of every element, then bit 1 of every element, and so on, each in the lowest free bit.
inline std::string bitsTransposed(const std::string& elements, std::size_t elementBytes)
{
    const std::size_t count = elements.size() / elementBytes;
    std::string rows(elements.size(), '\0');
    std::size_t at = 0;
    for (std::size_t bit = 0; bit < 8 * elementBytes; ++bit)
        for (std::size_t k = 0; k < count; ++k, ++at)
            if ((elements[k * elementBytes + bit / 8] >> bit % 8 & 1) != 0)
                rows[at / 8] = char(rows[at / 8] | 1 << at % 8);
    return rows;
}

inline std::string packed(const std::string& bytes, const Packing& packing)
{
    if (packing.filter == Packing::Filter::zstd)
        return zstdOf(bytes);
    if (packing.filter == Packing::Filter::lzf)
        return lzfOf(bytes);
    const bool isLz4 = packing.filter == Packing::Filter::lz4;
    const std::size_t usual = std::max<std::size_t>(128, 8192 / packing.elementBytes / 8 * 8);
    const std::size_t block =
        isLz4 ? packing.block : (packing.block > 0 ? packing.block : usual) * packing.elementBytes;
    const bool hasHeader = isLz4 || packing.compression > 0;
    std::string stored = hasHeader ? bigEndian(bytes.size(), 8) + bigEndian(block, 4) : "";
    // Bitshuffle leaves up to seven elements at the end as they are.
    const std::size_t end = isLz4 ? bytes.size() : bytes.size() - bytes.size() % (8 * packing.elementBytes);
    for (std::size_t at = 0; at < end; at += block) {
        std::string part = bytes.substr(at, std::min(block, end - at));
        const std::size_t length = part.size();
        if (!isLz4)
            part = bitsTransposed(part, packing.elementBytes);
        if (isLz4 || packing.compression == 2) {
            const std::string smaller = lz4Of(part);
            part = isLz4 && smaller.size() >= length ? part : smaller;
        } else if (packing.compression == 3) {
            part = zstdOf(part);
        }
        stored += (hasHeader ? bigEndian(part.size(), 4) : "") + part;
    }
    return stored + bytes.substr(end);
}

// Adds the filter to properties of a data set. A plug-in, where one is installed, adds the first parameters itself.
inline void addFilter(hid_t creation, const Packing& packing)
{
    const auto filter = H5Z_filter_t(packing.filter);
    std::vector<unsigned> parameters;
    if (packing.filter == Packing::Filter::lz4)
        parameters = {packing.block};
    else if (packing.filter == Packing::Filter::bitshuffle)
        parameters = {0, 5, packing.elementBytes, packing.block, packing.compression};
    if (packing.filter == Packing::Filter::bitshuffle && H5Zfilter_avail(filter) > 0)
        parameters.erase(parameters.begin(), parameters.begin() + 3);
    H5Pset_filter(creation, filter, H5Z_FLAG_OPTIONAL, parameters.size(), parameters.data());
}

} // namespace made

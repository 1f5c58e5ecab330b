// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/png_image.h"

#include "engine/base/error.h"

#include <libdeflate.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace engine
{

namespace
{

void appendNumber(std::string& bytes, std::uint32_t number) // most significant byte first
{
    for (const int shift : {24, 16, 8, 0})
        bytes += static_cast<char>(number >> shift & 0xff);
}

void appendChunk(std::string& bytes, std::string_view type, std::string_view content)
{
    appendNumber(bytes, static_cast<std::uint32_t>(content.size()));
    const std::size_t checked = bytes.size();
    bytes += type;
    bytes += content;
    appendNumber(bytes, libdeflate_crc32(0, bytes.data() + checked, bytes.size() - checked));
}

std::string compressed(const std::string& bytes)
{
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(6), libdeflate_free_compressor);
    if (!compressor)
        throw Error(ErrorKind::noMemory, "not enough memory to compress a picture");
    std::string made(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()), '\0');
    made.resize(libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), made.data(), made.size()));
    return made;
}

} // namespace

std::string greyPng(std::span<const float> image, int width, int height, double low, double high, int mostPixels)
{
    const int step = std::max(1, (std::max(width, height) + mostPixels - 1) / mostPixels);
    const int columns = (width + step - 1) / step, rows = (height + step - 1) / step;
    std::string lines; // each begins with its filter type, 0: none (section 9.2)
    lines.reserve((static_cast<std::size_t>(columns) + 1) * rows);
    for (int row = 0; row < rows; ++row) {
        lines += '\0';
        for (int column = 0; column < columns; ++column) {
            double sum = 0;
            int count = 0;
            for (int y = row * step; y < std::min(height, (row + 1) * step); ++y)
                for (int x = column * step; x < std::min(width, (column + 1) * step); ++x, ++count)
                    sum += image[static_cast<std::size_t>(y) * width + x];
            const double share = (sum / count - low) / (high - low);
            lines += static_cast<char>(std::isfinite(share) ? std::lround(255 * std::clamp(share, 0.0, 1.0)) : 0);
        }
    }
    std::string png = "\x89PNG\r\n\x1a\n", header;
    appendNumber(header, static_cast<std::uint32_t>(columns));
    appendNumber(header, static_cast<std::uint32_t>(rows));
    header.append({8, 0, 0, 0, 0}); // bits, grey, deflate, filters by line, not interlaced
    appendChunk(png, "IHDR", header);
    appendChunk(png, "IDAT", compressed(lines));
    appendChunk(png, "IEND", {});
    return png;
}

std::string dataUri(const std::string& png)
{
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text = "data:image/png;base64,";
    for (std::size_t k = 0; k < png.size(); k += 3) {
        std::uint32_t bits = 0;
        for (std::size_t j = k; j < k + 3; ++j)
            bits = bits << 8 | (j < png.size() ? static_cast<unsigned char>(png[j]) : 0U);
        for (std::size_t j = 0; j < 4; ++j)
            text += k + j > png.size() ? '=' : digits[bits >> (18 - 6 * j) & 63];
    }
    return text;
}

} // namespace engine

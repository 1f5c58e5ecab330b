// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/tiff/tiff_file.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/version.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/size_limits.h"
#include "engine/io/tiff/tiff_library.h"

#include <fcntl.h>
#include <tiffio.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <string_view>
#include <system_error>

namespace engine
{

namespace
{

// Opens an existing empty file without truncating it: ext4 flushes a truncated file to the disk when it is closed.
OwnedTiff openNewTiff(const std::filesystem::path& path, const char* mode, std::string& message)
{
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) {
        message = std::generic_category().message(errno);
        return nullptr;
    }
    OwnedTiff tiff(TIFFFdOpenExt(descriptor, path.c_str(), mode, optionsWith(message).get())); // closes it too
    if (!tiff)
        ::close(descriptor);
    return tiff;
}

struct PageLayout {
    int width = 0, height = 0;
    std::uint16_t bits = 1, samples = 1, format = SAMPLEFORMAT_UINT;
};

std::string tiffSampleType(const PageLayout& layout)
{
    const std::string bits = std::to_string(layout.bits);
    const bool whole = layout.bits == 8 || layout.bits == 16 || layout.bits == 32;
    if (layout.format == SAMPLEFORMAT_IEEEFP && (layout.bits == 16 || layout.bits == 32 || layout.bits == 64))
        return "float" + bits;
    if ((layout.format == SAMPLEFORMAT_UINT || layout.format == SAMPLEFORMAT_VOID) && whole)
        return "uint" + bits;
    if (layout.format == SAMPLEFORMAT_INT && whole)
        return "int" + bits;
    return {};
}

} // namespace

bool isTiff(const std::filesystem::path& file)
{
    const std::string text = beginningOf(file, 4);
    using namespace std::string_view_literals;
    return text == "II*\0"sv || text == "MM\0*"sv || text == "II+\0"sv || text == "MM\0+"sv;
}

struct TiffFile::Impl {
    std::filesystem::path path;
    std::string message; // written by libtiff; outlives the handle
    OwnedTiff tiff;
    PageLayout layout;
    std::vector<char> buffer;
    std::uintmax_t fileBytes = 0;
    const SampleType* stored = nullptr; // of the current page

    [[noreturn]] void fail(const std::string& what) const
    {
        throw Error(ErrorKind::badFile,
                    fileText(path.string()) + ": " + what + (message.empty() ? "." : " (" + message + ")."));
    }

    void readLayout()
    {
        std::uint32_t width = 0, height = 0;
        TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width);
        TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height);
        TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_BITSPERSAMPLE, &layout.bits);
        TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_SAMPLESPERPIXEL, &layout.samples);
        TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_SAMPLEFORMAT, &layout.format);
        if (width < 1 || height < 1 || width > mostAcross || height > mostAcross)
            fail("the size " + std::to_string(width) + " x " + std::to_string(height) + " is not an image");
        layout.width = static_cast<int>(width);
        layout.height = static_cast<int>(height);
        if (layout.samples != 1)
            fail("it has " + std::to_string(layout.samples) + " colours; projections are grey");
        if (tiffSampleType(layout).empty())
            fail("numbers of " + std::to_string(layout.bits) + " bits in the sample format " +
                 std::to_string(layout.format) + " can't be read; 8, 16 or 32 bits, or floats are needed");
        stored = findSampleType(tiffSampleType(layout));
        requireInFile();
    }

    // Throws if the file is too small for its image. Compressed images are decoded one strip or tile at a time, so
    // the size of these is checked too.
    void requireInFile() const
    {
        const Text quoted = fileText(path.string());
        const double pixels = static_cast<double>(layout.width) * layout.height;
        std::uint16_t compression = COMPRESSION_NONE;
        TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_COMPRESSION, &compression);
        if (compression == COMPRESSION_NONE &&
            pixels * static_cast<double>(bytesPerSample()) > static_cast<double>(fileBytes))
            fail("an image of " + std::to_string(layout.width) + " x " + std::to_string(layout.height) +
                 " pixels doesn't fit into its " + std::to_string(fileBytes) +
                 " bytes; the file may be truncated or damaged");
        requirePlausible(pixels, fileBytes, quoted + " has an image");
        requirePlausible(
            static_cast<double>(TIFFIsTiled(tiff.get()) ? TIFFTileSize64(tiff.get()) : TIFFStripSize64(tiff.get())),
            fileBytes, quoted + " has strips or tiles");
    }

    void put(const char* from, std::size_t count, const SampleType& kept, char* out) const
    {
        if (kept.name == stored->name)
            std::copy_n(from, count * static_cast<std::size_t>(kept.bytes), out);
        else
            stored->toFloats(from, count, reinterpret_cast<float*>(out));
    }

    std::size_t bytesPerSample() const { return layout.bits / 8U; }

    void reserve(std::uint64_t bytes)
    {
        if (bytes == 0)
            fail("its strips or tiles have no size");
        buffer.resize(bytes);
    }

    std::int64_t plainAt() const;
    int rowsPerPiece() const; // per strip or tile
    void readStrips(int first, int count, const SampleType& kept, char* out);
    void readTiles(int first, int count, const SampleType& kept, char* out);
};

std::int64_t TiffFile::Impl::plainAt() const
{
    std::uint16_t compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_COMPRESSION, &compression);
    if (compression != COMPRESSION_NONE || TIFFIsTiled(tiff.get()))
        return -1;
    const std::uint64_t begin = TIFFGetStrileOffset(tiff.get(), 0);
    std::uint64_t end = begin;
    for (std::uint32_t strip = 0; strip < TIFFNumberOfStrips(tiff.get()); ++strip) {
        if (TIFFGetStrileOffset(tiff.get(), strip) != end)
            return -1;
        end += TIFFGetStrileByteCount(tiff.get(), strip);
    }
    const std::uint64_t bytes = static_cast<std::uint64_t>(layout.width) * layout.height * bytesPerSample();
    return begin > 0 && end - begin >= bytes ? static_cast<std::int64_t>(begin) : -1;
}

int TiffFile::Impl::rowsPerPiece() const
{
    std::uint32_t rows = 1;
    if (TIFFIsTiled(tiff.get()))
        TIFFGetField(tiff.get(), TIFFTAG_TILELENGTH, &rows);
    else
        TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_ROWSPERSTRIP, &rows);
    return static_cast<int>(std::clamp<std::uint32_t>(rows, 1, static_cast<std::uint32_t>(layout.height)));
}

void TiffFile::Impl::readStrips(int first, int count, const SampleType& kept, char* out)
{
    const int perStrip = rowsPerPiece();
    const std::size_t rowBytes = layout.width * bytesPerSample();
    reserve(TIFFStripSize64(tiff.get()));
    for (int row = first; row < first + count;) {
        const std::uint32_t strip = TIFFComputeStrip(tiff.get(), static_cast<std::uint32_t>(row), 0);
        const int stripFirst = row / perStrip * perStrip;
        const int end = std::min({stripFirst + perStrip, first + count, layout.height});
        const std::size_t wanted = static_cast<std::size_t>(end - stripFirst) * rowBytes;
        const tmsize_t got =
            TIFFReadEncodedStrip(tiff.get(), strip, buffer.data(), static_cast<tmsize_t>(buffer.size()));
        if (got < 0 || static_cast<std::size_t>(got) < wanted)
            fail("row " + std::to_string(row) + " can't be read; the file may be truncated or damaged");
        put(buffer.data() + (row - stripFirst) * rowBytes, static_cast<std::size_t>(end - row) * layout.width, kept,
            out + static_cast<std::size_t>(row - first) * layout.width * kept.bytes);
        row = end;
    }
}

void TiffFile::Impl::readTiles(int first, int count, const SampleType& kept, char* out)
{
    std::uint32_t tileWidth = 0, tileHeight = 0;
    TIFFGetField(tiff.get(), TIFFTAG_TILEWIDTH, &tileWidth);
    TIFFGetField(tiff.get(), TIFFTAG_TILELENGTH, &tileHeight);
    if (tileWidth < 1 || tileHeight < 1 || tileWidth > mostAcross || tileHeight > mostAcross)
        fail("its tiles have no size");
    const int across = static_cast<int>(tileWidth), down = static_cast<int>(tileHeight);
    reserve(TIFFTileSize64(tiff.get()));
    for (int top = first / down * down; top < first + count; top += down)
        for (int left = 0; left < layout.width; left += across) {
            const std::uint32_t tile =
                TIFFComputeTile(tiff.get(), static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(top), 0, 0);
            const tmsize_t got =
                TIFFReadEncodedTile(tiff.get(), tile, buffer.data(), static_cast<tmsize_t>(buffer.size()));
            if (got < static_cast<tmsize_t>(buffer.size()))
                fail("the tile at row " + std::to_string(top) + " can't be read; the file may be truncated or damaged");
            const std::size_t columns = static_cast<std::size_t>(std::min(across, layout.width - left));
            for (int row = std::max(top, first); row < std::min(top + down, first + count); ++row)
                put(buffer.data() + static_cast<std::size_t>(row - top) * across * bytesPerSample(), columns, kept,
                    out + (static_cast<std::size_t>(row - first) * layout.width + left) * kept.bytes);
        }
}

TiffFile::TiffFile(const std::filesystem::path& path) : m_impl(std::make_unique<Impl>())
{
    m_impl->path = path;
    m_impl->tiff = openTiff(path, m_impl->message, m_impl->fileBytes);
    if (!m_impl->tiff)
        m_impl->fail("this TIFF file can't be opened");
    m_impl->readLayout();
}

TiffFile::~TiffFile() = default;

TiffPage TiffFile::page() const
{
    const PageLayout& layout = m_impl->layout;
    const std::int64_t plainAt = m_impl->plainAt();
    std::uint16_t photometric = PHOTOMETRIC_MINISBLACK;
    TIFFGetField(m_impl->tiff.get(), TIFFTAG_PHOTOMETRIC, &photometric);
    return {layout.width,
            layout.height,
            tiffSampleType(layout),
            TIFFCurrentDirOffset(m_impl->tiff.get()),
            plainAt,
            bigEndian(),
            plainAt < 0 ? m_impl->rowsPerPiece() : 1,
            photometric == PHOTOMETRIC_MINISWHITE};
}

std::vector<TiffPage> TiffFile::pages(const std::stop_token& stop)
{
    std::vector<TiffPage> found;
    do {
        throwIfStopped(stop);
        std::uint32_t kind = 0;
        TIFFGetFieldDefaulted(m_impl->tiff.get(), TIFFTAG_SUBFILETYPE, &kind);
        if (kind & FILETYPE_REDUCEDIMAGE)
            continue;
        m_impl->readLayout();
        found.push_back(page());
    } while (TIFFReadDirectory(m_impl->tiff.get()));
    if (!m_impl->message.empty())
        m_impl->fail("page " + std::to_string(found.size()) + " can't be read");
    if (found.empty())
        m_impl->fail("all its pages are marked as reduced copies of another image, which isn't in the file");
    return found;
}

void TiffFile::select(const TiffPage& page)
{
    if (TIFFCurrentDirOffset(m_impl->tiff.get()) == page.position)
        return;
    if (!TIFFSetSubDirectory(m_impl->tiff.get(), page.position))
        m_impl->fail("the page at byte " + std::to_string(page.position) + " can't be read");
    m_impl->readLayout();
}

void TiffFile::readRows(int first, int count, float* out)
{
    readRows(first, count, floatSamples(), reinterpret_cast<char*>(out));
}

void TiffFile::readRows(int first, int count, const SampleType& kept, char* out)
{
    if (first < 0 || count < 1 || count > m_impl->layout.height - first)
        m_impl->fail("it has " + std::to_string(m_impl->layout.height) + " rows, not row " +
                     std::to_string(first + count - 1));
    if (TIFFIsTiled(m_impl->tiff.get()))
        m_impl->readTiles(first, count, kept, out);
    else
        m_impl->readStrips(first, count, kept, out);
}

int TiffFile::imageJFrames() const
{
    const char* description = nullptr;
    if (!TIFFGetField(m_impl->tiff.get(), TIFFTAG_IMAGEDESCRIPTION, &description) || !description)
        return 0;
    const std::string text = description;
    const std::size_t at = text.find("images=");
    std::uint16_t compression = 0;
    TIFFGetFieldDefaulted(m_impl->tiff.get(), TIFFTAG_COMPRESSION, &compression);
    if (!text.starts_with("ImageJ=") || at == std::string::npos || compression != COMPRESSION_NONE)
        return 0;
    const long long frames = std::atoll(text.c_str() + at + 7);
    const PageLayout& layout = m_impl->layout;
    const double bytes =
        static_cast<double>(layout.width) * layout.height * static_cast<double>(m_impl->bytesPerSample());
    if (static_cast<double>(frames) * bytes > static_cast<double>(m_impl->fileBytes))
        m_impl->fail("its description says images=" + std::to_string(frames) + ", more than its " +
                     std::to_string(m_impl->fileBytes) + " bytes can hold. It may be cut off");
    return static_cast<int>(std::clamp<long long>(frames, 0, mostFrames));
}

std::uint64_t TiffFile::dataPosition() const
{
    return TIFFGetStrileOffset(m_impl->tiff.get(), 0);
}
bool TiffFile::bigEndian() const
{
    return TIFFIsBigEndian(m_impl->tiff.get()) != 0;
}

std::string TiffFile::description() const
{
    const char* text = nullptr;
    return TIFFGetField(m_impl->tiff.get(), TIFFTAG_IMAGEDESCRIPTION, &text) && text ? text : "";
}

namespace
{

// Sets a text. If memory is short, libtiff reports success and crashes when it writes, replaces or frees the text:
// then the file is closed directly, and the handle's memory is leaked.
void setText(OwnedTiff& out, std::uint32_t tag, const std::string& text)
{
    const char* kept = nullptr;
    if (TIFFSetField(out.get(), tag, text.c_str()) == 1 && TIFFGetField(out.get(), tag, &kept) == 1 && kept)
        return;
    ::close(TIFFFileno(out.release()));
    throw std::bad_alloc();
}

} // namespace

void writeTiff(const std::filesystem::path& path, const std::filesystem::path& shownAs, int width, int height,
               const OutputFormat& format, const std::string& unit, const SliceFacts& facts, const std::byte* values)
{
    std::string message;
    const std::size_t bytes = static_cast<std::size_t>(width) * height * format.bytesPerValue();
    // Classic TIFF counts bytes in 32 bits.
    OwnedTiff tiff = openNewTiff(path, bytes > 0xf0000000U ? "w8" : "w", message);
    const auto require = [&](bool written) {
        if (!written && lowerCase(message).find("memory") != std::string::npos) // libtiff's message if memory is short
            throw std::bad_alloc();
        if (!written)
            throw Error(ErrorKind::output, fileText(shownAs.string()) + " can't be written" +
                                               (message.empty() ? "" : " (" + message + ")") + ". Is the disk full?");
    };
    require(tiff != nullptr);
    TIFF* out = tiff.get();
    const bool whole = format.type == OutputFormat::Type::uint16;
    const std::size_t rowBytes = static_cast<std::size_t>(width) * format.bytesPerValue();
    const int rowsPerStrip = static_cast<int>(std::clamp<std::size_t>((1 << 20) / rowBytes, 1, height));
    TIFFSetField(out, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(width));
    TIFFSetField(out, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(height));
    TIFFSetField(out, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * format.bytesPerValue()));
    TIFFSetField(out, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(out, TIFFTAG_SAMPLEFORMAT, whole ? SAMPLEFORMAT_UINT : SAMPLEFORMAT_IEEEFP);
    TIFFSetField(out, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(out, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(out, TIFFTAG_ROWSPERSTRIP, static_cast<std::uint32_t>(rowsPerStrip));
    setText(tiff, TIFFTAG_SOFTWARE, "Sinoscope " + programVersion());
    if (const std::string description = describe(format, unit, facts); !description.empty())
        setText(tiff, TIFFTAG_IMAGEDESCRIPTION, description);
    if (facts.mm) { // stored as fractions of 32-bit numbers, per centimetre
        TIFFSetField(out, TIFFTAG_XRESOLUTION, static_cast<float>(10 / facts.mm->across));
        TIFFSetField(out, TIFFTAG_YRESOLUTION, static_cast<float>(10 / facts.mm->down));
        TIFFSetField(out, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
    }
    if (format.deflateLevel > 0) {
        TIFFSetField(out, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
        TIFFSetField(out, TIFFTAG_ZIPQUALITY, format.deflateLevel);
        if (whole) // the predictor of floats saves 2 to 4 %, but tifffile needs another package to read it
            TIFFSetField(out, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
    }
    for (int row = 0; row < height; row += rowsPerStrip) {
        auto* first = const_cast<std::byte*>(values) + row * rowBytes; // not modified: libtiff only reads it
        const auto count = static_cast<tmsize_t>(std::min(rowsPerStrip, height - row) * rowBytes);
        const auto strip = static_cast<std::uint32_t>(row / rowsPerStrip);
        require((format.deflateLevel > 0 ? TIFFWriteEncodedStrip(out, strip, first, count)
                                         : TIFFWriteRawStrip(out, strip, first, count)) >= 0);
    }
    require(TIFFFlush(out) == 1);
    tiff.reset();
    // If closing the file failed to write data, only the size of the file shows it.
    std::error_code unreadable;
    const std::uintmax_t size = std::filesystem::file_size(path, unreadable);
    require(message.empty() && !unreadable && (format.deflateLevel > 0 ? size > 0 : size > bytes));
}

} // namespace engine

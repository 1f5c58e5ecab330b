#include "engine/io/formats/mat_numbers.h"

#include "engine/base/error.h"
#include "engine/base/uninitialized.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/size_limits.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>

namespace engine
{

namespace
{

constexpr std::size_t matHeader = 128, matTag = 8;
enum MatType : std::uint32_t { matMatrix = 14, matCompressed = 15 };
enum MatClass : std::uint32_t { matCell = 1, matStruct = 2, matFirstNumbers = 6, matLastNumbers = 15 };
constexpr std::uint32_t matComplex = 0x800; // of a variable's flags

// Bytes of a number, by the type of its element; 0: it has none.
constexpr std::uint32_t matNumberBytes[] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};

// Elements one behind the other, of the file or of one of its compressed variables.
class MatElements
{
  public:
    MatElements(const InputFile& file, const char* bytes, std::size_t count, bool isSwapped)
        : m_file(file), m_bytes(bytes), m_end(count), m_isSwapped(isSwapped)
    {
    }

    void check(std::size_t at)
    {
        while (at < m_end) {
            const auto element = elementAt(at);
            if (!element || (element->data + element->bytes > m_end && !m_isInflated))
                refuse("it is cut off, or damaged");
            if (element->type == matCompressed && !m_isInflated)
                checkCompressed(*element);
            else if (element->type == matMatrix)
                checkMatrix(element->data, 0);
            at = m_isInflated ? m_end : element->data + element->bytes; // one variable alone is compressed together
        }
    }

  private:
    struct Element {
        std::uint32_t type = 0;
        std::size_t data = 0, bytes = 0; // where it begins, and how many it says
        std::size_t next = 0;
    };

    [[noreturn]] void refuse(const std::string& what) const
    {
        throw Error(ErrorKind::badFile, "'" + m_file.path().string() + "': " + what + ".");
    }

    std::uint32_t word(std::size_t at) const
    {
        std::uint32_t value = 0;
        for (std::size_t k = 0; k < 4; ++k)
            value |= std::uint32_t(static_cast<unsigned char>(m_bytes[at + k])) << 8 * (m_isSwapped ? 3 - k : k);
        return value;
    }

    std::optional<Element> elementAt(std::size_t at) const
    {
        if (at > m_end || m_end - at < matTag)
            return {};
        const std::uint32_t first = word(at);
        if (first >> 16 != 0) // up to four bytes, in the tag itself
            return Element{first & 0xffff, at + 4, first >> 16, at + matTag};
        const std::size_t bytes = word(at + 4);
        return Element{first, at + matTag, bytes, at + matTag + (bytes + 7) / 8 * 8};
    }

    void checkCompressed(const Element& element)
    {
        const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> decompressor(
            libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
        if (!decompressor)
            throw std::bad_alloc();
        auto result = LIBDEFLATE_INSUFFICIENT_SPACE;
        for (std::size_t room = std::max<std::size_t>(1 << 16, 4 * element.bytes);
             result == LIBDEFLATE_INSUFFICIENT_SPACE; room *= 4) {
            Buffer<char> made(room);
            std::size_t bytes = 0;
            result = libdeflate_zlib_decompress(decompressor.get(), m_bytes + element.data, element.bytes, made.data(),
                                                made.size(), &bytes);
            if (result == LIBDEFLATE_SUCCESS) {
                MatElements inflated(m_file, made.data(), bytes, m_isSwapped);
                inflated.m_isInflated = true;
                inflated.check(0);
            }
        }
        if (result != LIBDEFLATE_SUCCESS)
            refuse("a compressed variable is damaged or cut off");
    }

    // Flags with the class, dimensions, name, and what the class has.
    void checkMatrix(std::size_t at, int nested) const
    {
        constexpr int mostNested = 20;
        const auto flags = elementAt(at), dimensions = flags ? elementAt(flags->next) : std::nullopt,
                   name = dimensions ? elementAt(dimensions->next) : std::nullopt;
        if (!name || nested > mostNested || flags->bytes != 8 || flags->data + 8 > m_end ||
            dimensions->data + dimensions->bytes > m_end)
            return;
        const std::uint32_t kind = word(flags->data) & 0xff;
        double count = 1;
        for (std::size_t k = 0; k + 4 <= dimensions->bytes; k += 4)
            count *= static_cast<double>(word(dimensions->data + k));
        std::size_t rest = name->next;
        if (kind == matStruct) {
            const auto length = elementAt(rest), names = length ? elementAt(length->next) : std::nullopt;
            const std::uint32_t letters = names && length->data + 4 <= m_end ? word(length->data) : 0;
            if (letters == 0)
                return;
            count *= static_cast<double>(names->bytes / letters);
            rest = names->next;
        }
        if (kind == matStruct || kind == matCell)
            for (double k = 0; k < count; ++k) {
                const auto inner = elementAt(rest);
                if (!inner || inner->type != matMatrix)
                    return;
                if (inner->bytes > 0) // else a field that isn't set
                    checkMatrix(inner->data, nested + 1);
                rest = inner->next;
            }
        if (kind >= matFirstNumbers && kind <= matLastNumbers)
            for (int part = 0; part < ((word(flags->data) & matComplex) != 0 ? 2 : 1) && count > 0; ++part)
                rest = requireNumbers(rest, count);
    }

    // Where the next element is.
    std::size_t requireNumbers(std::size_t at, double count) const
    {
        const auto numbers = elementAt(at);
        const std::uint32_t size =
            numbers && numbers->type < std::size(matNumberBytes) ? matNumberBytes[numbers->type] : 0;
        const bool isSmall = numbers && numbers->next == at + matTag && numbers->data == at + 4;
        const double there =
            numbers && size > 0 && numbers->data <= m_end
                ? static_cast<double>(std::min(isSmall ? std::min<std::size_t>(numbers->bytes, 4) : numbers->bytes,
                                               m_end - numbers->data) /
                                      size)
                : 0;
        if (there < count)
            refuse("a variable is said to have " + wholeNumber(count) + " numbers, and has " + wholeNumber(there) +
                   "; it is damaged or cut off");
        return numbers->next;
    }

    const InputFile& m_file;
    const char* m_bytes;
    std::size_t m_end;
    bool m_isSwapped, m_isInflated = false;
};

} // namespace

void requireMatNumbers(const std::filesystem::path& path)
{
    const InputFile file(path);
    Buffer<char> all(file.bytes());
    if (all.size() <= matHeader || file.read(all.data(), all.size(), 0) != all.size())
        throw Error(ErrorKind::badFile, "'" + path.string() + "': it is cut off.");
    MatElements(file, all.data(), all.size(), all[matHeader - 2] == 'M').check(matHeader);
}

} // namespace engine

#include "engine/io/mat_sizes.h"

#include "engine/error.h"
#include "engine/io/input_file.h"
#include "engine/io/plausible.h"
#include "engine/number_text.h"
#include "engine/uninitialized.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>

namespace engine
{

namespace
{

constexpr std::size_t matHeader = 128;
constexpr int matMostNested = 20;
constexpr std::size_t matMostDimensions = 32;
enum MatType : std::uint32_t { matIntegers = 5, matWords = 6, matMatrix = 14, matCompressed = 15 };
constexpr std::uint32_t matComplex = 0x800; // of a variable's flags
enum MatClass : std::uint8_t {
    matCell = 1,
    matStruct = 2,
    matObject = 3,
    matSparse = 5,
    matFunction = 16,
    matOpaque = 17
};

using Bytes = std::span<const char>;

class MatSizes
{
  public:
    explicit MatSizes(const std::filesystem::path& path) : m_file(path) {}

    void check()
    {
        requirePlausible(static_cast<double>(m_file.bytes()), m_file.bytes(), "'" + m_file.path().string() + "'");
        Buffer<char> all(m_file.bytes());
        if (all.size() <= matHeader || m_file.read(all.data(), all.size(), 0) != all.size())
            refuse("it is cut off");
        m_swapped = all[126] == 'M' && all[127] == 'I';
        for (Bytes rest = Bytes(all).subspan(matHeader); !rest.empty();) {
            const Element element = take(rest, true);
            if (element.type == matCompressed)
                checkCompressed(element.data);
            else if (element.type == matMatrix && element.data.size() % 8 == 0) // the library doesn't pad it
                checkMatrix(element.data, 0);
            else
                refuse("what should be a variable isn't one; it is damaged");
        }
    }

  private:
    struct Element {
        std::uint32_t type = 0;
        Bytes data;
        bool isSmall = false; // in its tag
    };

    [[noreturn]] void refuse(const std::string& what) const
    {
        throw Error(ErrorKind::badFile, "'" + m_file.path().string() + "': " + what + ".");
    }

    std::uint32_t word(Bytes bytes, std::size_t at) const
    {
        std::uint32_t value = 0;
        for (std::size_t k = 0; k < 4; ++k)
            value |= std::uint32_t(static_cast<unsigned char>(bytes[at + k])) << 8 * (m_swapped ? 3 - k : k);
        return value;
    }

    struct Unsure {
    }; // whether what follows is a variable

    // Of the size of an element. matio itself writes those of compressed texts wrong, and of what they are in; zlib's
    // checksum vouches for those.
    [[noreturn]] void refuseSize(const std::string& what) const
    {
        if (m_isCompressed)
            throw Unsure();
        refuse(what);
    }

    // The element that begins the rest, which is left behind it.
    Element take(Bytes& rest, bool isOutermost = false) const
    {
        if (rest.size() < 8)
            refuseSize("it is cut off");
        Element element;
        const std::uint32_t first = word(rest, 0);
        if (first >> 16 != 0) { // up to four bytes, in the tag itself
            element.type = first & 0xffff;
            element.isSmall = true;
            if (first >> 16 > 4)
                refuseSize("a tag is said to hold " + std::to_string(first >> 16) +
                           " bytes of its four; it is damaged");
            element.data = rest.subspan(4, first >> 16);
            rest = rest.subspan(8);
            return element;
        }
        std::size_t bytes = word(rest, 4);
        if (isOutermost && m_isCompressed)
            bytes = std::min(bytes, rest.size() - 8);
        if (bytes > rest.size() - 8)
            refuseSize("a variable is said to have " + std::to_string(bytes) + " bytes, and there are " +
                       std::to_string(rest.size() - 8) + "; it is damaged or cut off");
        element.type = first;
        element.data = rest.subspan(8, bytes);
        const std::size_t padded = isOutermost && first == matCompressed ? bytes : (bytes + 7) / 8 * 8;
        rest = rest.subspan(std::min(rest.size(), 8 + padded));
        return element;
    }

    void checkCompressed(Bytes data)
    {
        const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> decompressor(
            libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
        if (!decompressor)
            throw std::bad_alloc();
        for (std::size_t room = std::max<std::size_t>(1 << 16, 4 * data.size());; room *= 4) {
            Buffer<char> made(room);
            std::size_t bytes = 0;
            const auto result = libdeflate_zlib_decompress(decompressor.get(), data.data(), data.size(), made.data(),
                                                           made.size(), &bytes);
            if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
                requirePlausible(4.0 * static_cast<double>(room), m_file.bytes(),
                                 "'" + m_file.path().string() + "' has a variable");
                continue;
            }
            if (result != LIBDEFLATE_SUCCESS)
                refuse("a compressed variable is damaged or cut off");
            m_isCompressed = true;
            try {
                Bytes rest(made.data(), bytes);
                if (const Element element = take(rest, true); element.type == matMatrix)
                    checkMatrix(element.data, 0);
            } catch (const Unsure&) {
            }
            m_isCompressed = false;
            return;
        }
    }

    // Flags with the class, dimensions, name, and what the class has.
    void checkMatrix(Bytes rest, int nested) const
    {
        if (rest.empty() && nested > 0) // a field that isn't set
            return;
        if (nested > matMostNested)
            refuse("its variables are nested more than " + std::to_string(matMostNested) + " deep");
        const Element flags = take(rest);
        if (flags.type != matWords || flags.data.size() != 8) // as the library takes them to be
            refuse("a variable without a class is damaged");
        const auto kind = static_cast<std::uint8_t>(word(flags.data, 0) & 0xff);
        const Element dimensions = take(rest), name = take(rest);
        if (dimensions.type != matIntegers || dimensions.data.size() % 4 != 0)
            refuse("a variable without dimensions is damaged");
        if (nested > 0 && !name.data.empty()) // which the library doesn't skip
            refuse("a variable within another has a name of its own; it is damaged");
        if (kind > matFunction) // not read
            return;
        const bool isComplex = (word(flags.data, 0) & matComplex) != 0;
        // Nor sparse ones, but the library makes room for the rows, columns and numbers that they say.
        if (kind == matSparse) {
            const Element rows = take(rest), columns = take(rest), numbers = take(rest);
            if (isComplex)
                take(rest);
            for (const Element& integers : {rows, columns})
                if (integers.type != matIntegers || integers.isSmall || integers.data.size() % 4 != 0 ||
                    numbers.isSmall)
                    refuse("a sparse matrix is damaged");
            return;
        }
        double count = dimensions.data.size() < 8 || dimensions.data.size() > 4 * matMostDimensions ? -1 : 1;
        for (std::size_t k = 0; count >= 0 && k + 4 <= dimensions.data.size(); k += 4) {
            const auto length = static_cast<std::int32_t>(word(dimensions.data, k));
            count = length < 0 ? -1 : count * length;
        }
        if (kind == matObject || kind == matFunction) { // nor these, but the library makes room for them
            if (!(count >= 0 && count <= static_cast<double>(rest.size())))
                refuse("an object or a function is said to have " + wholeNumber(count) + " parts; it is damaged");
            return;
        }
        if (kind == matStruct) {
            const Element length = take(rest), names = take(rest);
            const std::uint32_t letters = !length.isSmall || length.data.size() != 4 ? 0 : word(length.data, 0);
            if (letters < 1 || letters > 1024)
                refuse("a struct with names of " + std::to_string(letters) + " letters is damaged");
            if (names.data.size() % letters != 0) // the library goes on behind the last whole name
                refuse("a struct has names of " + std::to_string(letters) + " letters in " +
                       std::to_string(names.data.size()) + " bytes; it is damaged");
            count *= static_cast<double>(names.data.size() / letters);
        }
        const bool hasVariables = kind == matStruct || kind == matCell;
        if (!(count >= 0 && count <= static_cast<double>(rest.size()) / (hasVariables ? 8 : 1)))
            refuse("a variable is said to have " + wholeNumber(count) + (hasVariables ? " fields" : " numbers") +
                   ", which isn't what its " + std::to_string(rest.size()) + " bytes hold; it is damaged");
        for (int part = 0; !hasVariables && part < (isComplex ? 2 : 1); ++part)
            if (count > 0 || !rest.empty()) // none are read, too
                take(rest);
        for (double k = 0; hasVariables && k < count; ++k)
            if (const Element inner = take(rest); inner.type == matMatrix)
                checkMatrix(inner.data, nested + 1);
            else // which the library takes for one
                refuse("a part of a variable is no variable itself; it is damaged");
    }

    InputFile m_file;
    bool m_swapped = false;
    bool m_isCompressed = false; // what is looked at
};

} // namespace

void requireMatSizes(const std::filesystem::path& file)
{
    MatSizes(file).check();
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/inflated_mat.h"

#include "engine/base/error.h"
#include "engine/base/uninitialized.h"
#include "engine/io/check/confinement.h"
#include "engine/io/files/size_limits.h"

#include <libdeflate.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace engine
{

namespace
{

constexpr std::size_t matHeader = 128, matTag = 8;
enum MatType : std::uint32_t { matMatrix = 14, matCompressed = 15 };
enum MatClass : std::uint32_t { matCell = 1, matStruct = 2, matFirstNumbers = 6, matLastNumbers = 15 };
constexpr std::uint32_t matComplex = 0x800; // in a variable's flags

// Bytes per number, by the element's type; 0: the type has no numbers.
constexpr std::uint32_t matNumberBytes[] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};

// Consecutive elements of the file, or of one of its compressed variables.
class MatElements
{
  public:
    // take: called with the decompressed bytes of each variable, in order.
    using Take = std::function<void(const char* bytes, std::size_t count)>;
    MatElements(const InputFile& file, const char* bytes, std::size_t count, bool isSwapped, Take take = {})
        : m_file(file), m_bytes(bytes), m_end(count), m_isSwapped(isSwapped), m_take(std::move(take))
    {
    }

    // Returns whether any variable is compressed. Reads only the tags, one by one.
    static bool areCompressed(const InputFile& file, bool isSwapped)
    {
        char tag[matTag];
        for (std::uintmax_t at = matHeader; file.read(tag, matTag, at) == matTag;) {
            const auto element = MatElements(file, tag, matTag, isSwapped).elementAt(0);
            if (element->type == matCompressed)
                return true;
            at += element->data + element->bytes;
        }
        return false;
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
            if (element->type != matCompressed && m_take)
                m_take(m_bytes + at, element->data + element->bytes - at);
            at = m_isInflated ? m_end : element->data + element->bytes; // a compressed element has one variable only
        }
    }

  private:
    struct Element {
        std::uint32_t type = 0;
        std::size_t data = 0, bytes = 0; // where the data begins, and its size according to the tag
        std::size_t next = 0;
    };

    [[noreturn]] void refuse(const std::string& what) const
    {
        throw Error(ErrorKind::badFile, fileText(m_file.path().string()) + ": " + what + ".");
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
        if (first >> 16 != 0) // a small element: up to four bytes, in the tag itself
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
                if (m_take)
                    inflated.giveWhole(m_take);
            }
        }
        if (result != LIBDEFLATE_SUCCESS)
            refuse("a compressed variable is damaged or cut off");
    }

    // Passes on a decompressed variable with a corrected tag: programs differ in what the tag counts, and matio uses
    // it to find the next variable.
    void giveWhole(const Take& take) const
    {
        constexpr std::size_t aligned = 8;
        if (m_end < matTag || m_end > std::numeric_limits<std::uint32_t>::max())
            refuse("a compressed variable is damaged or cut off");
        const std::size_t padding = (aligned - m_end % aligned) % aligned;
        const auto bytes = static_cast<std::uint32_t>(m_end + padding - matTag);
        char tag[matTag];
        std::copy_n(m_bytes, matTag, tag);
        for (std::size_t k = 0; k < 4; ++k)
            tag[4 + k] = static_cast<char>(bytes >> 8 * (m_isSwapped ? 3 - k : k));
        constexpr char zeros[aligned] = {};
        take(tag, matTag);
        take(m_bytes + matTag, m_end - matTag);
        take(zeros, padding);
    }

    // Checks a variable, which has flags with its class, dimensions, a name, and contents that depend on the class.
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
                if (inner->bytes > 0) // a field that isn't set is empty
                    checkMatrix(inner->data, nested + 1);
                rest = inner->next;
            }
        if (kind >= matFirstNumbers && kind <= matLastNumbers)
            for (int part = 0; part < ((word(flags->data) & matComplex) != 0 ? 2 : 1) && count > 0; ++part)
                rest = requireNumbers(rest, count);
    }

    // Checks that an element has this many numbers, and returns where the next element begins.
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
            refuse("a variable should have " + wholeNumber(count) + " numbers, but has " + wholeNumber(there) +
                   "; it is damaged or cut off");
        return numbers->next;
    }

    const InputFile& m_file;
    const char* m_bytes;
    std::size_t m_end;
    bool m_isSwapped, m_isInflated = false;
    Take m_take;
};

// A file in memory that only this process sees. After a failed write nothing more is written.
class MemoryFile
{
  public:
    explicit MemoryFile(double most) : m_most(most), m_descriptor(::memfd_create("sinoscope-mat", MFD_CLOEXEC))
    {
        rlimit limit = {}; // a write beyond it would end the process
        if (::getrlimit(RLIMIT_FSIZE, &limit) == 0)
            m_most = std::min(m_most, static_cast<double>(limit.rlim_cur));
    }
    ~MemoryFile()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    void write(const char* bytes, std::size_t count)
    {
        m_written += static_cast<double>(count);
        m_failed = m_failed || m_descriptor < 0 || m_written > m_most;
        while (count > 0 && !m_failed) {
            const ssize_t done = ::write(m_descriptor, bytes, count);
            m_failed = done <= 0;
            bytes += done;
            count -= static_cast<std::size_t>(std::max<ssize_t>(done, 0));
        }
    }

    // Returns the descriptor, which the caller then owns; −1 if a write failed.
    int take() { return m_failed ? -1 : std::exchange(m_descriptor, -1); }

  private:
    double m_most, m_written = 0;
    int m_descriptor;
    bool m_failed = false;
};

std::filesystem::path pathOf(int descriptor)
{
    return "/proc/self/fd/" + std::to_string(descriptor);
}

} // namespace

InflatedMat::InflatedMat(const InputFile& file) : m_path(pathOf(file.descriptor()))
{
    char header[matHeader];
    const bool isSwapped = file.read(header, matHeader, 0) == matHeader && header[matHeader - 2] == 'M';
    const bool isCompressed = MatElements::areCompressed(file, isSwapped);
    Buffer<char> all(file.bytes());
    if (all.size() <= matHeader || file.read(all.data(), all.size(), 0) != all.size())
        throw Error(ErrorKind::badFile, fileText(file.path().string()) + ": it is cut off.");
    if (!isCompressed) {
        MatElements(file, all.data(), all.size(), isSwapped).check(matHeader);
        return;
    }
    // Only a file that is made to fill the memory is compressed more than this.
    constexpr double always = 64 << 20, times = 16;
    const double most = always + times * static_cast<double>(all.size());
    const RoomForCopy room(most);
    MemoryFile copy(most);
    copy.write(all.data(), matHeader);
    MatElements(file, all.data(), all.size(), isSwapped, [&](const char* bytes, std::size_t count) {
        copy.write(bytes, count);
    }).check(matHeader);
    m_descriptor = copy.take();
    if (m_descriptor >= 0)
        m_path = pathOf(m_descriptor);
}

InflatedMat::~InflatedMat()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

} // namespace engine

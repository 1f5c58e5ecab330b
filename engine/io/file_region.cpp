#include "engine/io/file_region.h"

#include "engine/error.h"
#include "engine/parallel_for.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace engine
{

namespace
{

constexpr long long blockBytes = 4 << 20;  // of one thread, between two looks at the stop token
constexpr long long smallBytes = 16 << 20; // below, mapping gains nothing

// Local file systems on which what fallocate has given can be written by a mapping: no full disk and no server that
// went away turns into a signal there. Several threads write through a mapping three times as fast as by pwrite,
// which takes the file's lock (PERFORMANCE.md, "From disk to disk").
bool canBeMapped(int descriptor)
{
#if defined(__linux__)
    struct statfs system = {};
    if (::fstatfs(descriptor, &system) != 0)
        return false;
    constexpr long xfs = 0x58465342; // not in linux/magic.h everywhere
    return system.f_type == EXT4_SUPER_MAGIC || system.f_type == TMPFS_MAGIC || system.f_type == xfs;
#else
    return false;
#endif
}

std::string gigabytes(double bytes)
{
    const long long hundredths = static_cast<long long>(bytes / 1e7 + 0.5);
    const std::string rest = std::to_string(hundredths % 100);
    return std::to_string(hundredths / 100) + "." + (rest.size() < 2 ? "0" : "") + rest + " GB";
}

} // namespace

struct FileRegion::Impl {
    std::filesystem::path shownAs;
    int descriptor = -1;
    long long offset = 0;
    bool mapped = false;

    ~Impl()
    {
        if (descriptor >= 0)
            ::close(descriptor);
    }

    [[noreturn]] void fail(int error) const
    {
        throw Error(ErrorKind::output,
                    "'" + shownAs.string() + "' can't be written (" + std::generic_category().message(error) + ").");
    }

    void requireRoom(long long bytes) const
    {
        struct statvfs system = {};
        if (::fstatvfs(descriptor, &system) != 0 || system.f_blocks == 0) // or it doesn't know
            return;
        const double free = static_cast<double>(system.f_bavail) * static_cast<double>(system.f_frsize);
        if (free < static_cast<double>(bytes))
            throw Error(ErrorKind::output, "'" + shownAs.string() + "' takes " + gigabytes(static_cast<double>(bytes)) +
                                               ", and its disk has " + gigabytes(free) + " free.");
    }

    void put(long long at, const std::byte* bytes, long long count) const
    {
        while (count > 0) {
            const ssize_t put = ::pwrite(descriptor, bytes, static_cast<std::size_t>(count), static_cast<off_t>(at));
            if (put < 0 && errno == EINTR)
                continue;
            if (put <= 0)
                fail(put < 0 ? errno : ENOSPC);
            at += put, bytes += put, count -= put;
        }
    }
};

namespace
{

// Some bytes of a file in memory.
class Mapping
{
  public:
    Mapping(int descriptor, long long offset, long long bytes)
    {
        const long long page = ::sysconf(_SC_PAGESIZE), begin = offset / page * page;
        m_bytes = static_cast<std::size_t>(offset + bytes - begin);
        m_begin = ::mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, static_cast<off_t>(begin));
        m_skipped = offset - begin;
    }
    ~Mapping()
    {
        if (*this)
            ::munmap(m_begin, m_bytes);
    }
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    explicit operator bool() const { return m_begin != MAP_FAILED; }
    std::byte* data() const { return static_cast<std::byte*>(m_begin) + m_skipped; }

  private:
    void* m_begin;
    std::size_t m_bytes;
    long long m_skipped;
};

template <typename Copy>
void inBlocks(long long bytes, const std::stop_token& stop, const Copy& copy)
{
    const auto blocks = static_cast<int>((bytes + blockBytes - 1) / blockBytes);
    parallelFor(0, blocks, [&](int block) {
        throwIfStopped(stop);
        const long long first = block * blockBytes;
        copy(first, std::min(blockBytes, bytes - first));
    });
}

} // namespace

FileRegion::FileRegion(const std::filesystem::path& path, const std::filesystem::path& shownAs, long long offset,
                       long long bytes)
    : m_impl(std::make_unique<Impl>())
{
    m_impl->shownAs = shownAs;
    m_impl->offset = offset;
    m_impl->descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (m_impl->descriptor < 0)
        m_impl->fail(errno);
    m_impl->requireRoom(bytes);
    m_impl->mapped = canBeMapped(m_impl->descriptor);
}

FileRegion::~FileRegion() = default;

void FileRegion::write(long long at, std::span<const std::byte> bytes, const std::stop_token& stop)
{
    const long long first = m_impl->offset + at, count = static_cast<long long>(bytes.size());
#if defined(__linux__)
    if (m_impl->mapped && count >= smallBytes) {
        if (::fallocate(m_impl->descriptor, 0, static_cast<off_t>(first), static_cast<off_t>(count)) == 0) {
            if (const Mapping mapping(m_impl->descriptor, first, count); mapping) {
                inBlocks(count, stop, [&](long long from, long long part) {
                    std::memcpy(mapping.data() + from, bytes.data() + from, static_cast<std::size_t>(part));
                });
                return;
            }
        } else if (errno != EOPNOTSUPP && errno != EINTR) {
            m_impl->fail(errno);
        }
    }
#endif
    inBlocks(count, stop,
             [&](long long from, long long part) { m_impl->put(first + from, bytes.data() + from, part); });
}

} // namespace engine

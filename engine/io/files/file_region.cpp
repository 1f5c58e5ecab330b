// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/file_region.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/parallel_for.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <vector>

namespace engine
{

namespace
{

constexpr long long blockBytes = 4 << 20;   // per thread, between two checks of the stop token
constexpr long long windowBytes = 32 << 20; // mapped at a time by one thread: unmapping takes time too
constexpr int mostWriters = 8;              // per file; more delay each other (tests/bench/results/h100-disk.json)
constexpr long long smallBytes = 16 << 20;  // below this size, mapping gains nothing

// Methods to write with several threads simultaneously.
enum class Way {
    allocate, // through a mapping, after fallocate has reserved the space
    populate, // through a mapping, after madvise has allocated the pages: for a file system in memory, where fallocate
              // would take longer than everything else, as it zeroes small pages on one thread
    write,    // pwrite
};

// Chooses the method. A mapping is used only on local file systems that guarantee reserved space: elsewhere a full
// disk or an unreachable server would raise a signal. Several threads write three times as fast through a mapping as
// with pwrite, which locks the file.
Way wayFor(int descriptor)
{
#if defined(__linux__)
    struct statfs system = {};
    constexpr long xfs = 0x58465342; // missing from linux/magic.h on some systems
    if (::fstatfs(descriptor, &system) != 0)
        return Way::write;
    if (system.f_type == TMPFS_MAGIC)
        return Way::populate;
    if (system.f_type == EXT4_SUPER_MAGIC || system.f_type == xfs)
        return Way::allocate;
#endif
    return Way::write;
}

} // namespace

void requireRoom(const std::filesystem::path& path, const std::filesystem::path& shownAs, long long bytes)
{
    struct statvfs system = {};
    if (::statvfs(path.c_str(), &system) != 0 || system.f_blocks == 0) // the file system doesn't report its size
        return;
    const double free = static_cast<double>(system.f_bavail) * static_cast<double>(system.f_frsize);
    if (free < static_cast<double>(bytes))
        throw Error(ErrorKind::output, fileText(shownAs.string()) + " takes " + sizeText(static_cast<double>(bytes)) +
                                           ", and its disk has " + sizeText(free) + " free.");
}

struct FileRegion::Impl {
    std::filesystem::path shownAs;
    int descriptor = -1;
    long long offset = 0;
    Way way = Way::write;

    bool isMapped(long long count) const { return way != Way::write && count >= smallBytes; }

    ~Impl()
    {
        if (descriptor >= 0)
            ::close(descriptor);
    }

    [[noreturn]] void fail(int error) const
    {
        throw Error(ErrorKind::output,
                    fileText(shownAs.string()) + " can't be written (" + std::generic_category().message(error) + ").");
    }

    bool writeMapped(long long first, long long count, const Fill& fill, const std::stop_token& stop) const;

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

// A memory mapping of part of a file.
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

// Calls copy(first, count) in parallel for consecutive pieces of the `bytes` bytes from `offset` on; `first` counts
// from `offset`. Pieces end where the file's blocks of `block` bytes end.
template <typename Copy>
void inBlocks(long long offset, long long bytes, long long block, const Copy& copy)
{
    const long long begin = offset / block, end = (offset + bytes + block - 1) / block;
    tbb::task_arena arena(std::min(mostWriters, tbb::this_task_arena::max_concurrency()));
    arena.execute([&] {
        parallelFor(tbb::blocked_range<long long>(begin, end, 1), [&](const tbb::blocked_range<long long>& range) {
            for (long long k = range.begin(); k < range.end(); ++k) {
                const long long first = std::max(offset, k * block);
                copy(first - offset, std::min(offset + bytes, (k + 1) * block) - first);
            }
        });
    });
}

// Allocates the pages of these bytes, so that writing to them can't fail for lack of space. Returns 0 or errno.
int populate(std::byte* bytes, long long count)
{
#if defined(__linux__)
    constexpr int populateWrite = 23; // MADV_POPULATE_WRITE, Linux 5.14
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes) / page * page;
    const std::size_t size = reinterpret_cast<std::uintptr_t>(bytes) + static_cast<std::uintptr_t>(count) - begin;
    int result = 0;
    do
        result = ::madvise(reinterpret_cast<void*>(begin), size, populateWrite);
    while (result != 0 && (errno == EINTR || errno == EAGAIN));
    return result == 0 ? 0 : errno == EFAULT ? ENOSPC : errno; // EFAULT: touching these pages would raise a signal
#else
    static_cast<void>(bytes);
    static_cast<void>(count);
    return EINVAL;
#endif
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
    requireRoom(path, shownAs, bytes);
    m_impl->way = wayFor(m_impl->descriptor);
}

FileRegion::~FileRegion() = default;

void FileRegion::lengthen(long long bytes)
{
    struct stat status = {};
    const long long end = m_impl->offset + bytes;
    if (::fstat(m_impl->descriptor, &status) != 0 ||
        (status.st_size < end && ::ftruncate(m_impl->descriptor, static_cast<off_t>(end)) != 0))
        m_impl->fail(errno);
    store();
}

void FileRegion::store() const
{
    if (::fsync(m_impl->descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
        m_impl->fail(errno);
}

// Returns false, with nothing written, if this method isn't supported.
bool FileRegion::Impl::writeMapped(long long first, long long count, const Fill& fill,
                                   const std::stop_token& stop) const
{
#if defined(__linux__)
    if (way == Way::allocate && ::fallocate(descriptor, 0, static_cast<off_t>(first), static_cast<off_t>(count)) != 0) {
        if (errno == EOPNOTSUPP || errno == EINTR || errno == ENOSYS)
            return false;
        fail(errno);
    }
#endif
    // Touching mapped pages beyond the end of the file raises a signal, so the file is extended first.
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0 ||
        (status.st_size < first + count && ::ftruncate(descriptor, first + count) != 0))
        fail(errno);
    if (way == Way::populate) {
        const Mapping page(descriptor, first, 1);
        if (const int error = page ? populate(page.data(), 1) : EINVAL; error == EINVAL || error == ENOSYS)
            return false; // an older kernel
    }
    inBlocks(first, count, windowBytes, [&](long long from, long long window) {
        const Mapping mapping(descriptor, first + from, window);
        if (!mapping)
            fail(errno);
        for (long long done = 0; done < window; done += blockBytes) {
            throwIfStopped(stop);
            const long long part = std::min(blockBytes, window - done);
            if (way == Way::populate)
                if (const int error = populate(mapping.data() + done, part); error != 0)
                    fail(error);
            fill(from + done, {mapping.data() + done, static_cast<std::size_t>(part)});
        }
    });
    return true;
}

void FileRegion::write(long long at, std::span<const std::byte> bytes, const std::stop_token& stop)
{
    const auto count = static_cast<long long>(bytes.size());
    const Fill copy = [bytes](long long from, std::span<std::byte> to) {
        std::memcpy(to.data(), bytes.data() + from, to.size());
    };
    const long long first = m_impl->offset + at;
    if (m_impl->isMapped(count) && m_impl->writeMapped(first, count, copy, stop))
        return;
    inBlocks(first, count, blockBytes, [&](long long from, long long part) {
        throwIfStopped(stop);
        m_impl->put(first + from, bytes.data() + from, part);
    });
}

void FileRegion::write(long long at, long long count, const Fill& fill, const std::stop_token& stop)
{
    const long long first = m_impl->offset + at;
    if (m_impl->isMapped(count) && m_impl->writeMapped(first, count, fill, stop))
        return;
    inBlocks(first, count, blockBytes, [&](long long from, long long part) {
        throwIfStopped(stop);
        std::vector<std::byte> made(static_cast<std::size_t>(part));
        fill(from, made);
        m_impl->put(first + from, made.data(), part);
    });
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/disk_rates.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"
#include "engine/base/uninitialized.h"
#include "engine/io/files/scratch_folder.h"
#include "engine/volume/reconstruct_volume.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <string>
#include <system_error>

namespace engine
{

namespace
{

namespace fs = std::filesystem;

constexpr long long pieceBytes = 16 << 20;

class File
{
  public:
    File(const fs::path& path, int flags, ErrorKind kind)
        : m_path(path), m_kind(kind), m_descriptor(::open(path.c_str(), flags | O_CLOEXEC, 0666))
    {
        if (m_descriptor < 0)
            fail();
    }
    ~File() { ::close(m_descriptor); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    int descriptor() const { return m_descriptor; }
    [[noreturn]] void fail() const
    {
        throw Error(m_kind, fileText(m_path.string()) + ": " + std::generic_category().message(errno) + ".");
    }

  private:
    fs::path m_path;
    ErrorKind m_kind;
    int m_descriptor;
};

template <typename Call>
void inThreads(int threads, long long bytes, const std::stop_token& stop, const Call& call)
{
    arenaOf(threads).execute([&] {
        parallelFor(0, static_cast<int>(bytes / pieceBytes), [&](int piece) {
            throwIfStopped(stop);
            call(piece * pieceBytes);
        });
    });
}

long long wholePieces(double bytes)
{
    return static_cast<long long>(std::max(1.0, bytes / pieceBytes)) * pieceBytes;
}

// Data to write: `bytes` bytes that repeat one small block.
struct Source {
    const Buffer<char>& block; // its size is a multiple of pieceBytes
    long long bytes;

    const char* at(long long byte) const { return block.data() + byte % static_cast<long long>(block.size()); }
};

// Measures writing through a memory map of a preallocated file, so that page faults need not allocate disk blocks
// (where the file system supports that). Returns 0 if the file can't be preallocated or mapped.
double mappedRate(const fs::path& path, const Source& data, int threads, const std::stop_token& stop)
{
    const long long bytes = data.bytes;
    const File file(path, O_RDWR | O_CREAT | O_TRUNC, ErrorKind::output);
    const Stopwatch watch;
    if (::posix_fallocate(file.descriptor(), 0, bytes) != 0)
        return 0;
    void* memory =
        ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor(), 0);
    if (memory == MAP_FAILED)
        return 0;
    struct Unmap {
        void* memory;
        std::size_t bytes;
        ~Unmap() { ::munmap(memory, bytes); }
    };
    {
        const Unmap unmap{memory, static_cast<std::size_t>(bytes)};
        inThreads(threads, bytes, stop,
                  [&](long long at) { std::memcpy(static_cast<char*>(memory) + at, data.at(at), pieceBytes); });
    }
    return static_cast<double>(bytes) / watch.seconds();
}

void put(const File& file, const char* data, long long at)
{
    for (long long done = 0; done < pieceBytes;) {
        const ssize_t put =
            ::pwrite(file.descriptor(), data + done, static_cast<std::size_t>(pieceBytes - done), at + done);
        if (put <= 0)
            file.fail();
        done += put;
    }
}

double writtenRate(const fs::path& path, const Source& data, int threads, const std::stop_token& stop)
{
    const Stopwatch watch;
    {
        const File file(path, O_WRONLY | O_CREAT | O_TRUNC, ErrorKind::output);
        inThreads(threads, data.bytes, stop, [&](long long at) { put(file, data.at(at), at); });
    }
    return static_cast<double>(data.bytes) / watch.seconds();
}

double filesRate(ScratchFolder& folder, const Source& data, int threads, const std::stop_token& stop)
{
    const Stopwatch watch;
    inThreads(threads, data.bytes, stop, [&](long long at) {
        const File file(folder.file(std::to_string(at)), O_WRONLY | O_CREAT | O_TRUNC, ErrorKind::output);
        put(file, data.at(at), 0);
    });
    return static_cast<double>(data.bytes) / watch.seconds();
}

} // namespace

double measureReading(const std::vector<fs::path>& files, double bytes, const std::stop_token& stop)
{
    constexpr double mostMemory = 1 << 30; // more than caches hold
    Buffer<char> memory(static_cast<std::size_t>(wholePieces(std::min(bytes, mostMemory))));
    const auto size = static_cast<long long>(memory.size());
    inThreads(0, size, stop, [&](long long at) { std::fill_n(memory.data() + at, pieceBytes, '\0'); });
    double best = 0;
    for (int turn = 0; turn < 2; ++turn) {
        double read = 0;
        const Stopwatch watch;
        for (const fs::path& path : files) {
            const File file(path, O_RDONLY, ErrorKind::badFile);
            const long long part =
                std::min<long long>(static_cast<long long>(fs::file_size(path)), static_cast<long long>(bytes - read));
            inThreads(0, part + pieceBytes - 1, stop, [&](long long at) {
                char* const to = memory.data() + at % size;
                const long long count = std::min(part - at, pieceBytes);
                for (long long done = 0; done < count;) {
                    const ssize_t got =
                        ::pread(file.descriptor(), to + done, static_cast<std::size_t>(count - done), at + done);
                    if (got <= 0)
                        file.fail();
                    done += got;
                }
            });
            read += static_cast<double>(part);
            if (read >= bytes)
                break;
        }
        best = std::max(best, read / watch.seconds());
    }
    return best;
}

double measureWriting(const fs::path& folder, Written written, double bytes, double outputBytes,
                      const std::stop_token& stop)
{
    Buffer<char> block(static_cast<std::size_t>(wholePieces(bytes)));
    const auto size = static_cast<long long>(block.size());
    inThreads(0, size, stop,
              [&](long long at) { std::fill_n(block.data() + at, pieceBytes, static_cast<char>(at >> 24)); });
    using Way = std::function<double(ScratchFolder&, const Source&)>;
    std::vector<Way> ways;
    for (const int threads : {1, 4})
        if (written == Written::oneFile) {
            ways.push_back(
                [&, threads](auto& at, const auto& data) { return writtenRate(at.file("one"), data, threads, stop); });
            ways.push_back([&, threads](auto& at, const auto& data) {
                return mappedRate(at.file("one"), data, 2 * threads, stop);
            });
        } else {
            ways.push_back([&, threads](auto& at, const auto& data) {
                return filesRate(at, data, threads == 1 ? 0 : threads, stop);
            });
        }
    const auto tried = [&](const Way& way, long long many) {
        ScratchFolder at(folder, ".sinoscope-rates");
        return way(at, {block, many});
    };
    double rate = 0;
    const Way* fastest = nullptr;
    for (const Way& way : ways)
        if (const double got = tried(way, size); got > rate)
            rate = got, fastest = &way;
    const long long all = wholePieces(outputBytes);
    const bool fits = static_cast<double>(fs::space(folder).available) > 1.05 * outputBytes;
    return fastest && fits && all > size ? tried(*fastest, all) : rate;
}

std::optional<double> measureLimit(const SlowestStage& limit, const fs::path& output, const std::stop_token& stop)
{
    constexpr double shortest = 2, part = 0.02, most = 256e6;
    if (!limit.isWriting || limit.seconds < shortest)
        return std::nullopt;
    const double bytes = std::min(part * limit.perSecond * limit.seconds, most);
    const fs::path folder = fs::absolute(output).parent_path();
    try {
        const bool toFolder = fs::is_directory(output);
        return measureWriting(folder, toFolder ? Written::manyFiles : Written::oneFile, bytes, bytes, stop);
    } catch (const std::exception&) { // the volume is written already; this rate was only for information
        return std::nullopt;
    }
}

} // namespace engine

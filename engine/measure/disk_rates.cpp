#include "engine/measure/disk_rates.h"

#include "engine/error.h"
#include "engine/parallel_for.h"
#include "engine/stopwatch.h"
#include "engine/uninitialized.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
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
        throw Error(m_kind, "'" + m_path.string() + "': " + std::generic_category().message(errno) + ".");
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

double readRate(const std::vector<fs::path>& files, double most, const std::stop_token& stop)
{
    double best = 0;
    for (int turn = 0; turn < 2; ++turn) {
        double read = 0;
        const Stopwatch watch;
        for (const fs::path& path : files) {
            const File file(path, O_RDONLY, ErrorKind::badFile);
            const long long bytes =
                std::min<long long>(static_cast<long long>(fs::file_size(path)), static_cast<long long>(most - read));
            inThreads(0, bytes + pieceBytes - 1, stop, [&](long long at) {
                thread_local std::vector<char> buffer(1 << 20); // stays in the cache
                for (long long done = at; done < std::min(bytes, at + pieceBytes);) {
                    const ssize_t got = ::pread(file.descriptor(), buffer.data(), buffer.size(), done);
                    if (got <= 0)
                        file.fail();
                    done += got;
                }
            });
            read += static_cast<double>(bytes);
            if (read >= most)
                break;
        }
        best = std::max(best, read / watch.seconds());
    }
    return best;
}

// Pages of the file that are there, as far as the file system can say so, are written without a fault's asking for
// more.
double mappedRate(const fs::path& path, const Buffer<char>& data, int threads, const std::stop_token& stop)
{
    const auto bytes = static_cast<long long>(data.size());
    const File file(path, O_RDWR | O_CREAT | O_TRUNC, ErrorKind::output);
    const Stopwatch watch;
    if (::posix_fallocate(file.descriptor(), 0, bytes) != 0)
        return 0;
    void* memory = ::mmap(nullptr, data.size(), PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor(), 0);
    if (memory == MAP_FAILED)
        return 0;
    struct Unmap {
        void* memory;
        std::size_t bytes;
        ~Unmap() { ::munmap(memory, bytes); }
    };
    {
        const Unmap unmap{memory, data.size()};
        inThreads(threads, bytes, stop,
                  [&](long long at) { std::memcpy(static_cast<char*>(memory) + at, data.data() + at, pieceBytes); });
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

double writtenRate(const fs::path& path, const Buffer<char>& data, int threads, const std::stop_token& stop)
{
    const Stopwatch watch;
    {
        const File file(path, O_WRONLY | O_CREAT | O_TRUNC, ErrorKind::output);
        inThreads(threads, static_cast<long long>(data.size()), stop,
                  [&](long long at) { put(file, data.data() + at, at); });
    }
    return static_cast<double>(data.size()) / watch.seconds();
}

double filesRate(const fs::path& folder, const Buffer<char>& data, int threads, const std::stop_token& stop)
{
    const Stopwatch watch;
    inThreads(threads, static_cast<long long>(data.size()), stop, [&](long long at) {
        const File file(folder / std::to_string(at), O_WRONLY | O_CREAT | O_TRUNC, ErrorKind::output);
        put(file, data.data() + at, 0);
    });
    return static_cast<double>(data.size()) / watch.seconds();
}

} // namespace

DiskRates measureDisk(const std::vector<fs::path>& files, const fs::path& folder, double bytes,
                      const std::stop_token& stop)
{
    DiskRates rates;
    rates.read = readRate(files, bytes, stop);
    const fs::path place = folder / "rates";
    fs::create_directories(place);
    struct Remove {
        const fs::path& place;
        ~Remove()
        {
            std::error_code ignored;
            fs::remove_all(place, ignored);
        }
    };
    const Remove remove{place};
    const auto pieces = static_cast<std::size_t>(std::max(1.0, bytes / pieceBytes));
    Buffer<char> data(pieces * pieceBytes);
    inThreads(0, static_cast<long long>(data.size()), stop,
              [&](long long at) { std::fill_n(data.data() + at, pieceBytes, static_cast<char>(at >> 24)); });
    const auto one = [&](double rate) {
        rates.writeFile = std::max(rates.writeFile, rate);
        fs::remove(place / "one");
    };
    for (const int threads : {1, 4}) {
        one(writtenRate(place / "one", data, threads, stop));
        one(mappedRate(place / "one", data, 2 * threads, stop));
    }
    for (const int threads : {4, 0}) {
        rates.writeFiles = std::max(rates.writeFiles, filesRate(place, data, threads, stop));
        fs::remove_all(place);
        fs::create_directories(place);
    }
    return rates;
}

} // namespace engine

// Every allocation from opening to the last slice may fail: an Error, std::bad_alloc or the program's last words, and
// nothing is left.
#include "app/last_words.h"
#include "engine/io/hdf5_library.h"
#include "tests/exhaustion/trials.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <link.h>
#include <new>

using namespace trials;

namespace
{

std::atomic<long> allocationsLeft = 0; // the n-th from now fails; 0: none
std::atomic<long> allocations = 0;

// Not those of libraries that end the program instead, or crash: FFTW and HDF5 (the engine reserves memory for their
// beginning), oneTBB's threads, the dynamic linker, the C library (objects of a thread).
struct Range {
    std::uintptr_t begin = 0, end = 0;
};
Range excluded[9];

int findExcluded(dl_phdr_info* library, std::size_t, void* count)
{
    int& n = *static_cast<int*>(count);
    const std::string name = library->dlpi_name;
    const auto isOf = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (n == 9 || (!isOf("libfftw3") && !isOf("libhdf5") && !isOf("libtbb") && !isOf("/ld-") && !isOf("/libc.so")))
        return 0;
    for (int k = 0; k < library->dlpi_phnum; ++k)
        if (library->dlpi_phdr[k].p_type == PT_LOAD) {
            const std::uintptr_t begin = library->dlpi_addr + library->dlpi_phdr[k].p_vaddr;
            Range& range = excluded[n];
            range.begin = range.begin == 0 ? begin : range.begin;
            range.end = begin + library->dlpi_phdr[k].p_memsz;
        }
    ++n;
    return 0;
}

bool fails(void* caller)
{
    if (allocationsLeft == 0)
        return false;
    const auto address = reinterpret_cast<std::uintptr_t>(caller);
    for (const Range& range : excluded)
        if (address >= range.begin && address < range.end)
            return false;
    ++allocations;
    if (--allocationsLeft != 0)
        return false;
    errno = ENOMEM;
    return true;
}

} // namespace

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) noexcept
{
    return fails(__builtin_return_address(0)) ? nullptr : __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) noexcept
{
    return fails(__builtin_return_address(0)) ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) noexcept
{
    return fails(__builtin_return_address(0)) ? nullptr : __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept
{
    return fails(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) noexcept
{
    if (fails(__builtin_return_address(0)))
        return ENOMEM;
    *memory = __libc_memalign(alignment, bytes);
    return *memory ? 0 : ENOMEM;
}
}

// Of libraries too, which are known by who calls it.
void* operator new(std::size_t bytes)
{
    void* memory = fails(__builtin_return_address(0)) ? nullptr : __libc_malloc(bytes > 0 ? bytes : 1);
    if (!memory)
        throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

class MemoryTest : public QObject
{
    Q_OBJECT

  private slots:
    // SINOSCOPE_EVERY_ALLOCATION=1 tries all, in minutes (QTEST_FUNCTION_TIMEOUT=3600000); SINOSCOPE_ALLOCATION=N the
    // N-th.
    void everyAllocation_data()
    {
        QTest::addColumn<QString>("output");
        QTest::newRow("folder") << "out";
        QTest::newRow("HDF5") << "out.h5";
    }

    void everyAllocation()
    {
        QFETCH(const QString, output);
        const Scene scene(output.toStdString());
        int libraries = 0;
        ::dl_iterate_phdr(&findExcluded, &libraries);
        QVERIFY(libraries >= 5); // FFTW twice
        const auto trialWith = [&](long n) {
            return attempt([&] { makeVolume(scene.scan(), scene.output()); },
                           [n] {
                               const engine::Hdf5Guard begun; // its beginning has memory reserved
                               app::setLastWords("test");
                               allocationsLeft = n;
                           });
        };
        // How many there are, as told through the exit of a process in which none fails.
        const Trial whole = attempt(
            [&] {
                makeVolume(scene.scan(), scene.output());
                dprintf(STDERR_FILENO, "%ld", allocations.load());
            },
            [] {
                const engine::Hdf5Guard begun;
                allocationsLeft = 1L << 40;
            });
        QCOMPARE(scene.wrongWith(whole), std::string());
        const long all = std::stol(whole.message);
        QVERIFY(all > 500);
        const bool every = qEnvironmentVariableIntValue("SINOSCOPE_EVERY_ALLOCATION") != 0;
        const long step = every ? 1 : std::max(1L, all / 40);
        std::map<std::string, int> otherErrors, wrongs;
        int noMemory = 0;
        const int only = qEnvironmentVariableIntValue("SINOSCOPE_ALLOCATION");
        for (long n = std::max(only, 1); n <= (only > 0 ? only : all); n += step) {
            const Trial trial = trialWith(n);
            if (const std::string wrong = scene.wrongWith(trial); !wrong.empty())
                ++wrongs["allocation " + std::to_string(n) + wrong];
            noMemory += trial.outcome == Outcome::noMemory;
            if (trial.outcome == Outcome::otherError)
                ++otherErrors[trial.message];
        }
        for (const auto& [wrong, count] : wrongs)
            qWarning("%s", wrong.c_str());
        if (every)
            for (const auto& [message, count] : otherErrors)
                qWarning("%d times: %s", count, message.c_str());
        QVERIFY(wrongs.empty());
        QVERIFY(only > 0 || noMemory > (every ? 100 : 5));
    }
};

SINOSCOPE_TEST(MemoryTest, QCoreApplication)
#include "memory_test.moc"

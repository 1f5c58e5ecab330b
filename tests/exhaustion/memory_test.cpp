// SPDX-License-Identifier: GPL-3.0-or-later
// Every allocation from opening a scan to its last slice may fail: the result is an Error, std::bad_alloc or the last
// words of the program, and no files are left.
#include "app/cli/last_words.h"
#include "engine/axis/find_axis.h"
#include "engine/io/hdf5/hdf5_library.h"
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

std::atomic<long> allocationsLeft = 0; // the n-th allocation from now fails; 0: none
std::atomic<long> allocations = 0;

// Address ranges of libraries whose allocations do not fail, because these libraries would end the program or crash:
// HDF5 (the engine reserves memory for its initialisation), oneTBB's threads, the dynamic linker, the C library
// (thread-local objects).
struct Range {
    std::uintptr_t begin = 0, end = 0;
};
Range excluded[7];

int findExcluded(dl_phdr_info* library, std::size_t, void* count)
{
    int& n = *static_cast<int*>(count);
    const std::string name = library->dlpi_name;
    const auto isOf = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (n == 7 || (!isOf("libhdf5") && !isOf("libtbb") && !isOf("/ld-") && !isOf("/libc.so")))
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

struct Case {
    const char* name = "";
    Options options = {};
    bool hasAxisSearch = false;
};

void work(const Scene& scene, const Case& what)
{
    if (what.hasAxisSearch)
        engine::findAxisCandidates(requestWith(scene.scan(), what.options));
    scene.makeVolume();
}

// Cases with transforms other than those of the filter.
const Case withTransforms[] = {
    {"Paganin", {{"phase", "paganin"}, {"phase-pixel", "1"}, {"phase-energy", "20"}, {"phase-distance", "1"}}},
    {"rings by wavelets", {{"rings", "wavelet"}}},
    {"rings by filtering", {{"rings", "filtering"}}},
    {"all axis candidates", {}, true},
};

// Limits the address space to what this process has now plus `more` bytes.
void limitAddresses(rlim_t more)
{
    unsigned long pages = 0;
    if (!(std::ifstream("/proc/self/statm") >> pages))
        ::_exit(99);
    const rlim_t bytes = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more;
    const rlimit limit{bytes, bytes};
    if (::setrlimit(RLIMIT_AS, &limit) != 0)
        ::_exit(99);
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

// Replaces operator new for libraries, too; the address of the caller identifies the library.
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

Q_DECLARE_METATYPE(Case)

class MemoryTest : public QObject
{
    Q_OBJECT

  private slots:
    // SINOSCOPE_EVERY_ALLOCATION=1 lets each allocation fail, which takes minutes (QTEST_FUNCTION_TIMEOUT=3600000);
    // SINOSCOPE_ALLOCATION=N only the N-th.
    void everyAllocation_data()
    {
        QTest::addColumn<QString>("output");
        QTest::addColumn<Case>("what");
        QTest::newRow("folder") << "out" << Case{};
        QTest::newRow("HDF5") << "out.h5" << Case{};
        for (const Case& what : withTransforms)
            QTest::newRow(what.name) << "out" << what;
    }

    void everyAllocation()
    {
        QFETCH(const QString, output);
        QFETCH(const Case, what);
        const Scene scene(output.toStdString(), what.options);
        int libraries = 0;
        ::dl_iterate_phdr(&findExcluded, &libraries);
        QVERIFY(libraries >= 4);
        const auto trialWith = [&](long n) {
            return attempt([&] { work(scene, what); },
                           [n] {
                               const engine::Hdf5Guard begun; // reserves memory for HDF5's initialisation
                               app::setLastWords("test");
                               allocationsLeft = n;
                           });
        };
        // The number of allocations, printed by a process in which none fails.
        const Trial whole = attempt(
            [&] {
                work(scene, what);
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
        // The other cases repeat the allocations of the plain cases, so fewer of theirs are tried.
        const bool isPlain = what.options.empty() && !what.hasAxisSearch;
        const long step = every ? 1 : std::max(1L, all / (isPlain ? 25 : 10));
        std::map<std::string, int> otherErrors, wrongs;
        int noMemory = 0;
        const int only = qEnvironmentVariableIntValue("SINOSCOPE_ALLOCATION");
        std::vector<long> tried;
        for (long n = std::max(only, 1); n <= (only > 0 ? only : all); n += step)
            tried.push_back(n);
        for (long n = all - 60; n <= all + 20 && only == 0 && !every && isPlain;
             ++n) // allocations near the renaming of finished files
            tried.push_back(n);
        for (const long n : tried) {
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

    // The address space is limited, from too small to sufficient: libraries run out of memory, too.
    void everyLimit_data()
    {
        QTest::addColumn<Case>("what");
        QTest::newRow("none") << Case{};
        for (const Case& what : withTransforms)
            QTest::newRow(what.name) << what;
    }

    void everyLimit()
    {
        QFETCH(const Case, what);
        const Scene scene("out", what.options);
        std::map<std::string, int> wrongs;
        const auto isEnough = [&](rlim_t more) {
            Trial trial = attempt([&] { work(scene, what); },
                                  [more] {
                                      app::setLastWords("test");
                                      fixtures::smallScan(8, 8)->read({0, 1}, {}); // starts oneTBB's threads
                                      limitAddresses(more);
                                  });
            // The C library ends the program if it has no memory to register a thread-local object: with a message,
            // and without leaving files.
            if (trial.outcome == Outcome::crashed &&
                trial.message.find("failed to register TLS destructor") != std::string::npos)
                trial.outcome = Outcome::noMemory;
            if (const std::string wrong = scene.wrongWith(trial); !wrong.empty())
                ++wrongs[std::to_string(more) + " bytes" + wrong];
            return trial.outcome == Outcome::done;
        };
        // The smallest sufficient limit, to half a megabyte.
        rlim_t enough = rlim_t(1) << 30, tooLittle = 0;
        QVERIFY(isEnough(enough));
        while (enough - tooLittle > (1 << 19)) {
            const rlim_t middle = (enough + tooLittle) / 2;
            (isEnough(middle) ? enough : tooLittle) = middle;
        }
        const bool every = qEnvironmentVariableIntValue("SINOSCOPE_EVERY_ALLOCATION") != 0;
        const bool isPlain = what.options.empty() && !what.hasAxisSearch;
        const rlim_t step = every ? 1 << 15 : enough / (isPlain ? 25 : 10);
        // Whether a limit is enough depends on chance: where memory is short, the C library's arenas and the threads'
        // stacks share what is left differently each time. Other limits are tried until enough of them failed.
        const int wanted = isPlain ? 10 : 4;
        int failed = 0;
        for (int sweep = 0; sweep < 8 && failed <= wanted; ++sweep)
            for (rlim_t more = step - step * sweep / 8; more <= enough; more += step)
                failed += !isEnough(more);
        for (const auto& [wrong, count] : wrongs)
            qWarning("%s", wrong.c_str());
        QVERIFY(wrongs.empty());
        QVERIFY(failed > wanted);
    }
};

SINOSCOPE_TEST(MemoryTest, QCoreApplication)
#include "memory_test.moc"

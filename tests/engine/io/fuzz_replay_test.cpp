// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds and findings of the fuzzers (tests/fuzz): each is answered in seconds, not minutes, and within 512 MB.
#include "tests/fixtures.h"
#include "tests/fuzz/targets.h"
#include "tests/processor_time.h"

#include <sys/resource.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <string_view>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

const fs::path fuzzFolder = fs::path(SINOSCOPE_SOURCE_DIR) / "tests/fuzz";

std::vector<fs::path> inputsOf(const fuzz::Target& target)
{
    std::vector<fs::path> all;
    for (const char* kind : {"seeds", "findings"})
        if (const fs::path folder = fuzzFolder / kind / target.name; fs::is_directory(folder))
            for (const fs::directory_entry& entry : fs::directory_iterator(folder))
                all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    return all;
}

// Ignores the little memory that HDF5 leaks when it refuses a file (tests/fuzz/README.md).
struct LooksPastLeaks {
#if defined(__SANITIZE_ADDRESS__)
    LooksPastLeaks()
    {
        __lsan_disable();
    }
    ~LooksPastLeaks()
    {
        __lsan_enable();
    }
#endif
};

void runOn(const fuzz::Target& target, const fs::path& input, const fs::path& file)
{
    std::ifstream stream(input, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
    std::optional<LooksPastLeaks> ofHdf5;
    if (std::string_view(target.name).starts_with("hdf5"))
        ofHdf5.emplace();
    target.run({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, file);
}

} // namespace

class FuzzReplayTest : public QObject
{
    Q_OBJECT

  private slots:
    void everyFolderIsOfATarget()
    {
        std::vector<std::string> names;
        for (const fuzz::Target& target : fuzz::targets()) {
            names.push_back(target.name);
            QVERIFY2(!namesIn(fuzzFolder / "seeds" / target.name).empty(), target.name);
        }
        for (const char* kind : {"seeds", "findings"}) {
            if (!fs::is_directory(fuzzFolder / kind)) // no findings yet
                continue;
            for (const std::string& name : namesIn(fuzzFolder / kind))
                QVERIFY2(std::find(names.begin(), names.end(), name) != names.end(), name.c_str());
        }
    }

    // Random lies of the helper program: each is an error, or an answer that may be true.
    void lies()
    {
        const auto all = fuzz::targets();
        const auto answers = std::ranges::find(all, std::string_view("answers"), &fuzz::Target::name);
        const TemporaryFolder folder;
        std::mt19937 random(1);
        for (int round = 0; round < (thorough ? 5'000 : 400); ++round) {
            std::vector<std::uint8_t> bytes(1 + 12 * (1 + random() % 3));
            for (std::uint8_t& byte : bytes)
                byte = std::uint8_t(random());
            for (std::size_t k = 1; k < bytes.size(); k += 12) {
                bytes[k] = std::uint8_t(random() % 24); // number of the answer
                if (random() % 2 != 0)                  // a small number, as lengths are
                    std::fill(bytes.begin() + k + 5, bytes.begin() + k + 12, 0);
            }
            answers->run(bytes, folder / "lies");
        }
    }

    void replay_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t k = 0; k < fuzz::targets().size(); ++k)
            QTest::newRow(fuzz::targets()[k].name) << int(k);
    }

    void replay()
    {
        QFETCH(int, index);
        const fuzz::Target& target = fuzz::targets()[index];
        for (const fs::path& input : inputsOf(target)) {
            const TemporaryFolder folder;
            const double before = processor_time::ofThisProcess();
            try {
                runOn(target, input, folder / "input");
            } catch (const std::exception& error) {
                QFAIL((input.string() + ": " + error.what()).c_str());
            }
            const double seconds = processor_time::ofThisProcess() - before;
            QVERIFY2(seconds < processor_time::seconds, (input.string() + " takes too long").c_str());
        }
    }

    // The peak memory of all files together, as measured by the system.
    void memory()
    {
        if (sanitized)
            QSKIP("sanitizers take memory of their own");
        rusage usage{};
        QCOMPARE(::getrusage(RUSAGE_SELF, &usage), 0);
        QVERIFY2(usage.ru_maxrss < 512 * 1024, std::to_string(usage.ru_maxrss).c_str());
    }
};

SINOSCOPE_TEST(FuzzReplayTest, QCoreApplication)
#include "fuzz_replay_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Memory whose pages are touched in advance by other threads, and memory that is reused.
#include "engine/base/uninitialized.h"
#include "tests/fixtures.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace engine;

namespace
{

// Returns the number of bytes of the block whose pages are resident.
std::size_t residentBytes(const Buffer<char>& block)
{
    const std::size_t page = sysconf(_SC_PAGESIZE);
    const auto first = reinterpret_cast<std::uintptr_t>(block.data());
    const std::uintptr_t begin = (first + page - 1) / page * page;
    const std::size_t pages = (first + block.size() - begin) / page;
    std::vector<unsigned char> there(pages);
    if (mincore(reinterpret_cast<void*>(begin), pages * page, there.data()) != 0)
        return 0;
    return page * std::ranges::count_if(there, [](unsigned char flags) { return flags & 1; });
}

} // namespace

class UninitializedTest : public QObject
{
    Q_OBJECT

  private slots:
    // Values that were written before or during touching stay as they are; all pages become resident.
    void touchesAhead()
    {
        constexpr std::size_t bytes = 192 << 20;
        Buffer<char> block(bytes);
        constexpr std::size_t step = 16 << 20; // several times the size of the largest pages in use
        for (std::size_t k = 0; k < bytes; k += step)
            block[k] = static_cast<char>(k / step + 1);
        QVERIFY(residentBytes(block) < bytes);
        const TouchAhead touching(block.data(), bytes, 2);
        QTRY_VERIFY_WITH_TIMEOUT(residentBytes(block) == bytes, 60000);
        for (std::size_t k = 0; k < bytes; k += step)
            QCOMPARE(block[k], static_cast<char>(k / step + 1));
    }

    // Stopping before all pages are touched, and blocks of little or no memory, cause no errors.
    void endsEarly()
    {
        Buffer<float> block(64 << 20);
        for (int turn = 0; turn < 20; ++turn)
            const TouchAhead touching(block.data(), block.size() * sizeof(float), 3);
        const TouchAhead ofNothing(nullptr, 0), ofLittle(block.data(), 100);
        block.back() = 1;
        QCOMPARE(block.back(), 1.f);
    }

    // Buffer does what std::vector does, also with values of its own.
    void changesAsVectorsDo()
    {
        Buffer<int> buffer{4, 5, 6};
        std::vector<int> vector{4, 5, 6};
        const auto both = [&](auto change) {
            change(buffer);
            change(vector);
            return std::vector<int>(buffer.begin(), buffer.end()) == vector && buffer.size() == vector.size() &&
                   buffer.capacity() >= buffer.size();
        };
        QVERIFY(both([](auto& all) { all.resize(40, 7); }));
        QVERIFY(both([](auto& all) { all.resize(2); }));
        QVERIFY(both([](auto& all) { all.resize(3, 9); }));
        QVERIFY(both([](auto& all) { all.push_back(1); }));
        QVERIFY(both([](auto& all) { all.pop_back(); }));
        QVERIFY(both([](auto& all) { all.reserve(1000); }));
        const std::array<int, 3> more{10, 11, 12};
        QVERIFY(both([&](auto& all) { all.insert(all.begin() + 1, more.begin(), more.end()); }));
        for (int k = 0; k < 3000; ++k)
            QVERIFY(both([&](auto& all) { all.push_back(k); }));
        QVERIFY(both([](auto& all) { all = std::remove_reference_t<decltype(all)>(all); }));
        QVERIFY(both([](auto& all) {
            auto copy = all;
            copy.front() = 8;
            std::swap(copy, all);
        }));
        QVERIFY(both([&](auto& all) { all.assign(more.begin(), more.end()); }));
        QVERIFY(both([](auto& all) { all.assign(5, 2); }));
        QVERIFY((buffer == Buffer<int>{2, 2, 2, 2, 2}));
        QVERIFY(!(buffer == Buffer<int>{2, 2, 2, 2}));
        QVERIFY(both([](auto& all) { all = {}; }));
        QVERIFY(buffer.empty());
        QVERIFY(both([&](auto& all) { all.insert(all.end(), more.begin(), more.end()); }));
        const Buffer<int> moved = std::move(buffer);
        QCOMPARE(moved.back(), 12);
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc, Buffer<int>(std::size_t(-1) / 2));
    }

    void keepsLargeBuffers()
    {
        const KeptBuffers keeping;
        auto first = std::make_unique<Values>(16 << 20);
        const float* memory = first->data();
        first.reset();
        const Values second(16 << 20);
        QCOMPARE(second.data(), memory);
    }
};

SINOSCOPE_TEST(UninitializedTest, QCoreApplication)
#include "uninitialized_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Copies between ordinary memory and a GPU by several threads: every value is copied, and none outside the range.
#include "tests/gpu/device.h"

#include <algorithm>
#include <vector>

#include "engine/backends/cuda/device/host_copies.h"

using namespace engine;

class HostCopiesTest : public QObject
{
    Q_OBJECT

    static constexpr float untouched = -7;

    static std::vector<float> countedUp(std::size_t count)
    {
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = static_cast<float>(i % 16'000'001); // exactly representable as float
        return values;
    }

  private slots:
    void thereAndBack_data()
    {
        QTest::addColumn<int>("values");
        QTest::addColumn<int>("threads");
        for (const int values : {1, 65'535, 65'537, 1'048'576, 5'000'003, 40'000'001})
            for (const int threads : {1, 3, 8})
                QTest::addRow("%d values, %d threads", values, threads) << values << threads;
    }

    void thereAndBack()
    {
        SINOSCOPE_NEEDS_GPU();
        QFETCH(int, values);
        QFETCH(int, threads);
        const std::vector<float> from = countedUp(values);
        const Stream stream;
        const Event before, there;
        DeviceBuffer<float> first(values), second(values);
        HostCopies up(HostCopies::Direction::toDevice, threads), down(HostCopies::Direction::toHost, threads);
        for (int turn = 0; turn < 3; ++turn) { // later turns reuse the pinned buffers
            SINOSCOPE_CUDA(cudaMemsetAsync(first.data(), 0xff, values * sizeof(float), stream.get()));
            before.record(stream.get());
            up.start(first.data(), from.data(), from.size(), before);
            up.wait(stream.get());
            SINOSCOPE_CUDA(cudaMemcpyAsync(second.data(), first.data(), values * sizeof(float),
                                           cudaMemcpyDeviceToDevice, stream.get()));
            there.record(stream.get());
            std::vector<float> to(from.size() + 2, untouched);
            down.start(to.data() + 1, second.data(), from.size(), there);
            down.wait();
            QVERIFY(std::equal(from.begin(), from.end(), to.begin() + 1));
            QCOMPARE(to.front(), untouched);
            QCOMPARE(to.back(), untouched);
        }
    }

    // wait() throws CUDA's errors, and the next copy works.
    void refused()
    {
        SINOSCOPE_NEEDS_GPU();
        const std::vector<float> from = countedUp(3'000'000);
        std::vector<float> to(from.size(), untouched);
        const Event never;
        HostCopies copies(HostCopies::Direction::toHost, 4);
        copies.start(to.data(), nullptr, from.size(), never);
        QVERIFY_EXCEPTION_THROWN(copies.wait(), Error);
        DeviceBuffer<float> device(from.size());
        SINOSCOPE_CUDA(cudaMemcpy(device.data(), from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice));
        copies.start(to.data(), device.data(), from.size(), never);
        copies.wait();
        QCOMPARE(to, from);
    }

    void abandoned()
    {
        SINOSCOPE_NEEDS_GPU();
        const std::vector<float> from = countedUp(100'000'000);
        std::vector<float> to = from;
        DeviceBuffer<float> device(from.size());
        const Event never;
        HostCopies up(HostCopies::Direction::toDevice);
        for (int turn = 0; turn < 20; ++turn) {
            up.start(device.data(), from.data(), from.size(), never);
            up.abandon();
        }
        up.start(device.data(), from.data(), from.size(), never);
        // The destructor waits for the copy in progress.
    }
};

SINOSCOPE_TEST(HostCopiesTest, QCoreApplication)
#include "host_copies_test.moc"

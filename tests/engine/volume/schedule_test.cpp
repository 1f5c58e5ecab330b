// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a volume on workers of any speed, with a simulated clock: each part is reconstructed once and written in
// order, and no worker waits for long, whatever fails at whatever time.
#include "engine/volume/part_queue.h"
#include "tests/test_program.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <random>
#include <set>
#include <thread>

using namespace engine;

namespace
{

constexpr double never = std::numeric_limits<double>::infinity();

// A worker by its speed and failures; like the engine's workers, it has one part prepared in advance
struct SimulatedWorker {
    double secondsPerSlice = 1;
    double slowness = 1; // assumed until the speed is measured
    double failsAt = never;
    double stallsAt = never, stallSeconds = 0; // the first part that it begins after stallsAt takes stallSeconds longer
};

std::vector<double> slownessOf(const std::vector<SimulatedWorker>& workers)
{
    std::vector<double> slowness;
    for (const SimulatedWorker& worker : workers)
        slowness.push_back(worker.slowness);
    return slowness;
}

struct SimulatedRun {
    double seconds = 0;
    std::vector<int> written;
    std::vector<int> madeBy; // the worker of each part
    int mostWaiting = 0;     // results that were finished and not yet written
};

// Simulation of a volume on workers: reader, workers and writer act like the engine's threads
class Simulated
{
  public:
    Simulated(std::vector<int> sizes, std::vector<SimulatedWorker> workers, double readPerSlice = 0,
              double writePerSlice = 0)
        : m_sizes(sizes), m_workers(std::move(workers)), m_read(readPerSlice), m_write(writePerSlice),
          m_schedule(std::move(sizes), slownessOf(m_workers), int(m_workers.size()) - 1), m_states(m_workers.size())
    {
        m_run.madeBy.assign(m_sizes.size(), -1);
    }

    SimulatedRun run()
    {
        while (m_run.written.size() < m_sizes.size()) {
            while (actsOnce())
                ;
            if (m_run.written.size() == m_sizes.size())
                break;
            const double next = nextEvent();
            if (next == never)
                qFatal("nothing happens any more after %zu parts at %g s", m_run.written.size(), m_now);
            m_now = next;
        }
        m_run.seconds = m_now;
        return m_run;
    }

  private:
    struct State {
        bool isAlive = true;
        std::deque<int> ahead;           // taken in advance, at most one
        std::optional<int> making, held; // held: finished, and not yet handed over
        double madeAt = never;
        bool hasStalled = false;
    };

    bool actsOnce()
    {
        bool acted = false;
        if (!m_reading && !m_slot) {
            m_reading = m_schedule.nextToRead();
            m_readAt = m_reading ? m_now + m_read * m_sizes[std::size_t(*m_reading)] : never;
            acted = m_reading.has_value();
        }
        if (m_reading && m_now >= m_readAt) {
            m_slot = std::exchange(m_reading, std::nullopt);
            acted = true;
        }
        if (m_writing && m_now >= m_writtenAt) {
            m_run.written.push_back(*m_writing);
            m_writing.reset();
            acted = true;
        }
        if (!m_writing && m_results.contains(m_schedule.next())) {
            m_writing = m_schedule.next();
            m_writtenAt = m_now + m_write * m_sizes[std::size_t(*m_writing)];
            m_results.erase(*m_writing);
            m_schedule.write(*m_writing);
            acted = true;
        }
        for (int w = 0; w < int(m_workers.size()); ++w)
            acted = m_states[std::size_t(w)].isAlive && acts(w, m_states[std::size_t(w)]) ? true : acted;
        return acted;
    }

    bool acts(int w, State& state)
    {
        const SimulatedWorker& worker = m_workers[std::size_t(w)];
        if (m_now >= worker.failsAt) {
            state = State();
            state.isAlive = false;
            m_schedule.fail(w);
            return true;
        }
        if (state.making && m_now >= state.madeAt) {
            state.held = std::exchange(state.making, std::nullopt);
            m_schedule.make(w, *state.held, m_now);
            return true;
        }
        if (state.held && m_schedule.maySetDown(w, *state.held)) {
            m_schedule.setDown(w, *state.held, m_now);
            if (m_run.madeBy[std::size_t(*state.held)] >= 0)
                qFatal("part %d is made twice", *state.held);
            m_run.madeBy[std::size_t(*state.held)] = w;
            m_results.insert(*state.held);
            m_run.mostWaiting = std::max(m_run.mostWaiting, int(m_results.size()));
            state.held.reset();
            return true;
        }
        if (!state.making && !state.held && !state.ahead.empty()) {
            state.making = state.ahead.front();
            state.ahead.pop_front();
            state.madeAt =
                m_now + worker.secondsPerSlice * m_sizes[std::size_t(*state.making)] +
                (m_now >= worker.stallsAt && !std::exchange(state.hasStalled, true) ? worker.stallSeconds : 0);
            return true;
        }
        if (m_slot && state.ahead.empty() && m_schedule.mayTake(w, *m_slot, m_now)) {
            m_schedule.take(w, *m_slot, m_now);
            state.ahead.push_back(*std::exchange(m_slot, std::nullopt));
            return true;
        }
        return false;
    }

    double nextEvent() const
    {
        double next = never;
        const auto consider = [&](double at) {
            if (at > m_now)
                next = std::min(next, at);
        };
        if (m_reading)
            consider(m_readAt);
        if (m_writing)
            consider(m_writtenAt);
        bool isAnyAlive = false;
        for (std::size_t w = 0; w < m_workers.size(); ++w) {
            if (!m_states[w].isAlive)
                continue;
            isAnyAlive = true;
            consider(m_workers[w].failsAt);
            if (m_states[w].making)
                consider(m_states[w].madeAt);
        }
        if (m_slot && isAnyAlive)
            consider(m_now + 0.5); // which worker may take the part in the slot changes with time
        return next;
    }

    const std::vector<int> m_sizes;
    const std::vector<SimulatedWorker> m_workers;
    const double m_read, m_write;
    Schedule m_schedule;
    std::vector<State> m_states;
    std::optional<int> m_reading, m_slot, m_writing;
    std::set<int> m_results;
    double m_now = 0, m_readAt = never, m_writtenAt = never;
    SimulatedRun m_run;
};

std::vector<int> equalParts(int count, int size)
{
    return std::vector<int>(std::size_t(count), size);
}

bool isInOrder(const SimulatedRun& run)
{
    for (std::size_t k = 0; k < run.written.size(); ++k)
        if (run.written[k] != int(k) || run.madeBy[k] < 0)
            return false;
    return true;
}

// Returns the time if all workers were busy from the beginning to the end.
double bestSeconds(const std::vector<int>& sizes, const std::vector<SimulatedWorker>& workers)
{
    double perSecond = 0, slices = 0;
    for (const SimulatedWorker& worker : workers)
        perSecond += 1 / worker.secondsPerSlice;
    for (const int size : sizes)
        slices += size;
    return slices / perSecond;
}

} // namespace

class ScheduleTest : public QObject
{
    Q_OBJECT

  private slots:
    void equalOnesTakeTurns()
    {
        for (const int workers : {1, 2, 3, 8}) {
            const auto all = std::vector<SimulatedWorker>(std::size_t(workers));
            const SimulatedRun run = Simulated(equalParts(24, 4), all).run();
            QVERIFY(isInOrder(run));
            QCOMPARE(run.seconds, bestSeconds(equalParts(24, 4), all));
            for (int w = 0; w < workers; ++w) // Chilingaryan et al. 2018: in turn
                QCOMPARE(int(std::ranges::count(run.madeBy, w)), 24 / workers);
            QVERIFY(run.mostWaiting <= workers);
        }
    }

    void unevenOnesWorkByTheirSpeed_data()
    {
        QTest::addColumn<QList<double>>("secondsPerSlice");
        QTest::addColumn<double>("most"); // relative to the time if all workers were always busy
        QTest::newRow("2:1") << QList<double>{1, 2} << 1.1;
        QTest::newRow("3:2") << QList<double>{2, 3} << 1.1;
        QTest::newRow("four models") << QList<double>{1, 1.5, 2, 4} << 1.2;
        QTest::newRow("a GPU and a processor") << QList<double>{1, 60} << 1.05;
        QTest::newRow("the processor first") << QList<double>{60, 1} << 1.05;
    }

    void unevenOnesWorkByTheirSpeed()
    {
        QFETCH(QList<double>, secondsPerSlice);
        QFETCH(double, most);
        std::vector<SimulatedWorker> workers;
        for (const double seconds : secondsPerSlice)
            workers.push_back({.secondsPerSlice = seconds, .slowness = seconds > 10 ? 30.0 : 1.0});
        std::vector<int> sizes{1, 2, 4}; // short parts at the ends, as planned
        const auto middle = equalParts(100, 8);
        sizes.insert(sizes.end(), middle.begin(), middle.end());
        sizes.insert(sizes.end(), {4, 2, 1});
        const SimulatedRun run = Simulated(sizes, workers).run();
        QVERIFY(isInOrder(run));
        const double share = run.seconds / bestSeconds(sizes, workers);
        QVERIFY2(share < most, qPrintable(QString::number(share)));
    }

    // Each of the stages limits the speed once; the others keep up.
    void theSlowestStageIsTheLimit()
    {
        const std::vector<SimulatedWorker> two(2, SimulatedWorker());
        const double slices = 400;
        QVERIFY(Simulated(equalParts(100, 4), two, 2, 0.1).run().seconds < 1.05 * 2 * slices);
        QVERIFY(Simulated(equalParts(100, 4), two, 0.1, 2).run().seconds < 1.05 * 2 * slices);
        QVERIFY(Simulated(equalParts(100, 4), two, 0.4, 0.4).run().seconds < 1.05 * 0.5 * slices);
    }

    // A worker that stalls delays only the parts that it has.
    void stragglersHoldUpLittle()
    {
        std::vector<SimulatedWorker> workers(4, SimulatedWorker());
        workers[1].stallsAt = 30;
        workers[1].stallSeconds = 25;
        const auto sizes = equalParts(100, 4);
        const SimulatedRun run = Simulated(sizes, workers).run();
        QVERIFY(isInOrder(run));
        // Results are written in order, with memory for one more result per worker: the others wait for the two parts
        // of the stalled worker.
        QVERIFY2(run.seconds < bestSeconds(sizes, workers) + 25 + 2 * 4 + 10, qPrintable(QString::number(run.seconds)));
    }

    // All workers but one fail, each at a random time, which may be in any stage.
    void failuresLoseNothing()
    {
        std::mt19937 random(18);
        std::uniform_real_distribution<double> when(0, 60), speed(0.5, 3);
        for (int trial = 0; trial < 400; ++trial) {
            std::vector<SimulatedWorker> workers(2 + std::size_t(trial % 5));
            double slowest = 0;
            for (SimulatedWorker& worker : workers)
                worker = {.secondsPerSlice = speed(random), .failsAt = when(random)};
            workers[random() % workers.size()].failsAt = never;
            for (const SimulatedWorker& worker : workers)
                slowest = std::max(slowest, worker.secondsPerSlice);
            std::vector<int> sizes(30);
            for (int& size : sizes)
                size = 1 + int(random() % 4);
            const SimulatedRun run = Simulated(sizes, workers, 0.1, 0.2).run();
            QVERIFY2(isInOrder(run), qPrintable(QString::number(trial)));
            double slices = 0;
            for (const int size : sizes)
                slices += size;
            QVERIFY(run.seconds < slowest * slices + 60 + 20); // even if the slowest worker did everything alone
        }
    }

    void oneOfThousandsIsLikeAnother()
    {
        std::vector<SimulatedWorker> workers(2048, SimulatedWorker());
        QVERIFY(Simulated(equalParts(4096, 1), workers).run().seconds <= 3); // the speeds are unknown at first
        for (std::size_t w = 0; w < workers.size(); w += 100)
            workers[w].failsAt = 0.5 + double(w) / 1000;
        const SimulatedRun run = Simulated(equalParts(4096, 1), workers).run();
        QVERIFY(isInOrder(run));
        // Two rounds of parts; then the 21 parts of the failed workers, and those that these workers had taken in
        // advance, are reconstructed again, each after at most two other parts.
        QVERIFY2(run.seconds < 9, qPrintable(QString::number(run.seconds)));
    }

    // The same with threads: parts of failed workers are read again, and a worker that would have to wait with its
    // result may hand it over, so that it is free for such a part.
    void threadsLoseNothing()
    {
        for (int trial = 0; trial < 30; ++trial) {
            constexpr int parts = 40, workers = 4;
            PartQueue<int, int> queue(std::vector<int>(parts, 1), std::vector<double>(workers, 1));
            const std::stop_source stop;
            std::atomic<int> read = 0;
            std::vector<std::jthread> threads;
            threads.emplace_back([&] {
                while (const auto part = queue.nextToRead(stop.get_token())) {
                    ++read;
                    queue.give(*part, 10 * *part, stop.get_token());
                }
            });
            for (int w = 0; w < workers; ++w)
                threads.emplace_back([&, w] {
                    for (int made = 0; auto taken = queue.take(w, stop.get_token()); ++made) {
                        if (w > 0 && made == w + trial % 7) {
                            queue.fail(w);
                            return;
                        }
                        if ((taken->part + trial) % 5 == 0)
                            std::this_thread::sleep_for(std::chrono::microseconds(300));
                        queue.setDown(w, taken->part, taken->rows + 1, stop.get_token());
                    }
                });
            for (int part = 0; part < parts; ++part)
                QCOMPARE(queue.next(stop.get_token()), 10 * part + 1);
            threads.clear();
            QVERIFY(read >= parts && read <= parts + workers - 1);
        }
    }

    void waitingIsStopped()
    {
        PartQueue<int, int> queue({1, 1}, {1, 1});
        std::stop_source stop;
        std::atomic<int> stopped = 0;
        const auto ends = [&](const auto& wait) {
            return std::jthread([&stopped, wait] {
                try {
                    wait();
                } catch (const Error& error) {
                    stopped += error.kind() == ErrorKind::cancelled;
                }
            });
        };
        {
            const auto taking = ends([&] { queue.take(0, stop.get_token()); });
            const auto writing = ends([&] { queue.next(stop.get_token()); });
            stop.request_stop();
        }
        QCOMPARE(stopped.load(), 2);
    }
};

SINOSCOPE_TEST(ScheduleTest, QCoreApplication)
#include "schedule_test.moc"

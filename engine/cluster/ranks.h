// SPDX-License-Identifier: GPL-3.0-or-later
// The ranks of an MPI job, as an Ensemble.
#pragma once

#include "engine/cluster/communicator.h"
#include "engine/volume/ensemble.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

namespace engine::cluster
{

// Ensemble of MPI ranks. A thread of its own listens for failures of other ranks. stop: requested from outside. Ranks
// that don't respond soon after a stop, as they may have been killed by it, are given up.
class Ranks : public Ensemble
{
  public:
    explicit Ranks(const std::stop_token& stop);
    ~Ranks() override;

    int rank() const override { return m_world.rank(); }
    int size() const override { return m_world.size(); }
    std::string host(int rank) const override { return m_hosts[static_cast<std::size_t>(rank)]; }
    Neighbours neighbours() const override { return m_neighbours; }
    std::stop_token token() const override;
    std::vector<std::string> exchange(const std::string& text) override;
    std::unique_ptr<RankRow> row(int columns) override;
    std::unique_ptr<RankColumn> column(int columns, std::size_t bytes) override;
    void setShareDone(double share) override;
    void onShareDone(std::function<void(double ofAll)> show) override;
    [[noreturn]] void fail(const Error& error) override;

  private:
    struct Stop {
        Ranks* ranks;
        void operator()() const { ranks->stopThese(); }
    };
    void listen(const std::stop_token& over);
    void tellShare();
    void showShares();
    void stopThese();
    bool isOver();
    std::vector<std::string> meet(const Outcome& outcome);

    Communicator m_world, m_control;
    std::vector<std::string> m_hosts;
    Neighbours m_neighbours;
    std::stop_token m_outer;
    mutable std::mutex m_mutex;
    std::stop_source m_stop;         // stops the current work; replaced when all ranks know of a failure
    std::atomic<int> m_failures = 0; // failures that all ranks know of; messages about earlier ones are ignored
    std::optional<std::chrono::steady_clock::time_point> m_stoppedAt;
    std::atomic<double> m_share = 0; // share of the current work that this rank has done
    std::atomic<int> m_work = 0;     // number of the current work, the same on all ranks
    int m_toldWork = 0;
    double m_toldShare = 0;         // used by the listener, as the members below
    std::vector<Word> m_sharesDone; // on the first rank: the latest reports of all ranks
    double m_shown = -1;
    std::mutex m_showMutex;
    std::function<void(double)> m_show;
    std::stop_callback<Stop> m_onStop;
    std::jthread m_listener; // last member: uses the others
};

} // namespace engine::cluster

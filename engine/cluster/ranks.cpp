// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/ranks.h"

#include "engine/base/shared_cores.h"
#include "engine/base/start_thread.h"

#include <algorithm>
#include <utility>

namespace engine::cluster
{

namespace
{

using namespace std::chrono_literals;
constexpr auto listening = 20ms;
constexpr auto telling = 300ms;
// Time to wait for ranks after a stop from outside; app/cli/interruption.cpp allows 700 ms in total.
constexpr auto patience = 400ms;

} // namespace

Ranks::Ranks(const std::stop_token& stop)
    : m_world(Communicator::world().duplicate()), m_control(m_world.duplicate()),
      m_hosts(m_world.gatherAll(hostName())), m_outer(stop), m_onStop(stop, Stop{this})
{
    const Communicator node = m_world.node();
    m_neighbours = {.rank = node.rank(), .count = node.size(), .threads = 0};
    if (node.size() > 1)
        m_neighbours.threads = threadsFor(node.gatherAll(allowedCores()), node.rank());
    m_sharesDone.resize(static_cast<std::size_t>(size()));
    if (size() > 1)
        m_listener = startThread([this](const std::stop_token& over) { listen(over); });
}

Ranks::~Ranks()
{
    m_listener.request_stop();
}

std::stop_token Ranks::token() const
{
    const std::lock_guard lock(m_mutex);
    return m_stop.get_token();
}

void Ranks::stopThese()
{
    std::stop_source stop;
    {
        const std::lock_guard lock(m_mutex);
        stop = m_stop;
    }
    stop.request_stop();
}

void Ranks::listen(const std::stop_token& over)
{
    auto told = std::chrono::steady_clock::now();
    while (!over.stop_requested()) {
        try {
            while (const auto word = m_control.receive())
                if (word->kind == Word::Kind::share)
                    m_sharesDone[static_cast<std::size_t>(word->from)] = *word;
                else if (word->number == m_failures)
                    stopThese();
            if (const auto now = std::chrono::steady_clock::now(); now - told >= telling) {
                told = now;
                isFirst() ? showShares() : tellShare();
            }
        } catch (const Error&) { // meet() will report it
        }
        std::this_thread::sleep_for(listening);
    }
}

void Ranks::setShareDone(double share)
{
    m_share = share;
    if (share == 0)
        ++m_work;
}

void Ranks::tellShare()
{
    const int work = m_work;
    const double share = m_share;
    if (work == m_toldWork && share == m_toldShare)
        return;
    m_control.send(0, {.kind = Word::Kind::share, .from = rank(), .number = work, .share = share});
    m_toldWork = work;
    m_toldShare = share;
}

void Ranks::showShares()
{
    const std::lock_guard lock(m_showMutex);
    if (!m_show)
        return;
    double ofAll = m_share;
    for (const Word& word : m_sharesDone)
        if (word.number == m_work)
            ofAll += word.share;
    if (ofAll != std::exchange(m_shown, ofAll))
        m_show(std::min(ofAll, 1.0));
}

void Ranks::onShareDone(std::function<void(double ofAll)> show)
{
    const std::lock_guard lock(m_showMutex);
    m_show = std::move(show);
    m_shown = -1;
}

bool Ranks::isOver()
{
    if (!m_outer.stop_requested())
        return false;
    const auto now = std::chrono::steady_clock::now();
    if (!m_stoppedAt)
        m_stoppedAt = now;
    if (now - *m_stoppedAt < patience)
        return false;
    MpiProcess::giveUp();
    return true;
}

std::vector<std::string> Ranks::meet(const Outcome& outcome)
{
    std::vector<Outcome> outcomes;
    try {
        for (const std::string& text : m_world.gatherAll(toText(outcome), [this] { return isOver(); }))
            outcomes.push_back(outcomeFromText(text));
    } catch (const Error& error) { // the other ranks can't be reached any more
        MpiProcess::giveUp();
        throw SharedError(error.kind(), error.text());
    }
    try {
        requireAll(outcomes, *this);
    } catch (const SharedError&) {
        const std::lock_guard lock(m_mutex);
        ++m_failures;
        if (!m_outer.stop_requested())
            m_stop = std::stop_source();
        throw;
    }
    std::vector<std::string> texts;
    for (Outcome& one : outcomes)
        texts.push_back(std::move(one.text));
    return texts;
}

std::vector<std::string> Ranks::exchange(const std::string& text)
{
    return meet({.text = text});
}

std::unique_ptr<RankRow> Ranks::row(int columns)
{
    class Row : public RankRow
    {
      public:
        explicit Row(Communicator ranks) : m_ranks(std::move(ranks)) {}
        double sumAtFirst(std::span<float> values, const std::stop_token& stop) override
        {
            return m_ranks.sumAtFirst(values, [&] { return stop.stop_requested(); });
        }

      private:
        Communicator m_ranks;
    };
    Communicator ranks = m_world.split(rank() / columns, rank());
    ranks.shareMemory();
    return std::make_unique<Row>(std::move(ranks));
}

std::unique_ptr<RankColumn> Ranks::column(int columns, std::size_t bytes)
{
    class Column : public RankColumn
    {
      public:
        Column(const Communicator& ranks, std::size_t bytes) : m_exchange(ranks, bytes) {}
        std::span<char> own() override { return m_exchange.own(); }
        std::span<const char> all() override { return m_exchange.all(); }
        double gather(const std::stop_token& stop) override
        {
            return m_exchange.gather([&] { return stop.stop_requested(); });
        }

      private:
        Exchange m_exchange;
    };
    return std::make_unique<Column>(m_world.split(rank() % columns, rank()), bytes);
}

void Ranks::fail(const Error& error)
{
    try {
        for (int other = 0; other < size(); ++other)
            if (other != rank())
                m_control.send(other, {.from = rank(), .number = m_failures});
    } catch (const Error&) { // the other ranks learn of it in meet()
    }
    meet({.failed = true, .kind = error.kind(), .error = error.text()});
    throw SharedError(error.kind(), error.text());
}

} // namespace engine::cluster

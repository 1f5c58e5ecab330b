// SPDX-License-Identifier: GPL-3.0-or-later
// Processes that make one volume together, one or many: what the engine asks of them. Those of MPI are made by
// engine/cluster; nothing else here knows how they talk.
#pragma once

#include "engine/base/error.h"

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

// An error that all of them throw at the same point, with the name of whose it was.
class SharedError : public Error
{
  public:
    using Error::Error;
};

// The processes of one machine, and what of it is this one's.
struct Neighbours {
    int rank = 0, count = 1;
    int threads = 0; // 0: all
};

// Some of them, in the order of their ranks, as one of them knows them.
class RankRow
{
  public:
    virtual ~RankRow() = default;
    // All of them call it, with as many values: those of the first become the sums. What comes back are the seconds
    // that it took from when all had come. Throws Error(cancelled) when stop asks for it, and nothing is summed after
    // that.
    virtual double sumAtFirst(std::span<float> values, const std::stop_token& stop) = 0;
};

// One rank of them.
class Ensemble
{
  public:
    virtual ~Ensemble() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual std::string host(int rank) const = 0;
    virtual Neighbours neighbours() const = 0;

    // Asked to stop from outside, or since another rank has failed.
    virtual std::stop_token token() const = 0;
    // What each rank says, by rank: all ask for it, in the same order. Where one has failed meanwhile, all throw the
    // SharedError of that.
    virtual std::vector<std::string> exchange(const std::string& text) = 0;
    // This rank's row of so many that follow each other; all ask for it.
    virtual std::unique_ptr<RankRow> row(int columns) = 0;
    // How much of all work, which is 1, this rank has done of what is at hand; 0 begins anew. From any thread: nobody
    // waits for it.
    virtual void setShareDone(double share) = 0;
    // Called by the first rank's own thread with what all have said so far, when that has changed; empty: not any more,
    // and a call that is under way has come back.
    virtual void onShareDone(std::function<void(double ofAll)> show) = 0;
    // In place of an exchange: the others are stopped, and all throw the SharedError.
    [[noreturn]] virtual void fail(const Error& error) = 0;

    bool isFirst() const { return rank() == 0; }
    std::string name(int rank) const; // "rank 3 of 8 (host)"
};

// A process by itself: what it exchanges is its own, what fails is thrown as it is.
class Alone : public Ensemble
{
  public:
    explicit Alone(std::stop_token stop = {}) : m_stop(std::move(stop)) {}
    int rank() const override { return 0; }
    int size() const override { return 1; }
    std::string host(int) const override { return {}; }
    Neighbours neighbours() const override { return {}; }
    std::stop_token token() const override { return m_stop; }
    std::vector<std::string> exchange(const std::string& text) override { return {text}; }
    std::unique_ptr<RankRow> row(int) override { return nullptr; } // nobody to sum with
    void setShareDone(double) override {}                          // who does it all knows
    void onShareDone(std::function<void(double)>) override {}
    [[noreturn]] void fail(const Error& error) override { throw error; }

  private:
    std::stop_token m_stop;
};

// The first rank's text, at all of them.
std::string toldByFirst(Ensemble& ensemble, const std::string& text);

// How a rank ended: nothing, or its error.
struct Outcome {
    bool failed = false;
    ErrorKind kind = ErrorKind::cancelled;
    std::string text = {}; // what is exchanged
    Text error = {};       // why it failed
};
std::string toText(const Outcome& outcome);
Outcome outcomeFromText(const std::string& text);
// Throws the SharedError of the first that failed for a reason of its own: ranks that were stopped for it, and those
// that say the same, aren't named.
void requireAll(const std::vector<Outcome>& outcomes, const Ensemble& ensemble);

// Throws Error(badRequest) where a rank's JSON is not that of the first, with the first difference. what: of these
// values, "was started with other options".
void requireAlike(const std::vector<std::string>& jsons, const Ensemble& ensemble, const std::string& what);

// Work that all do, with exchanges in it; ends for all when all are done. What fails at one of them, and has cleared
// up, is thrown by all.
template <typename Work>
void together(Ensemble& ensemble, const Work& work)
{
    if (ensemble.size() == 1)
        return work();
    try {
        work();
    } catch (const SharedError&) {
        throw; // all know
    } catch (const Error& error) {
        ensemble.fail(error);
    } catch (const std::bad_alloc&) {
        ensemble.fail(Error(ErrorKind::noMemory, "There is not enough memory; take fewer slices or a smaller region."));
    } catch (const std::exception& error) {
        ensemble.fail(Error(ErrorKind::noMemory, error.what()));
    }
    ensemble.exchange({});
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Processes (one or several) that reconstruct a volume together: the interface that the engine uses. engine/cluster
// implements it with MPI; nothing else here knows how the processes communicate.
#pragma once

#include "engine/base/error.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

// An error that all ranks throw at the same point. Its text names the rank that failed.
class SharedError : public Error
{
  public:
    using Error::Error;
};

// The ranks on this rank's machine, and this rank's share of the machine.
struct Neighbours {
    int rank = 0, count = 1;
    int threads = 0; // 0: all
};

// A row of ranks whose images are summed, in the order of the ranks, as seen from one of them.
class RankRow
{
  public:
    virtual ~RankRow() = default;
    // Sums the values of all ranks of the row into the first rank's `values`. All ranks of the row call it, with the
    // same number of values. Returns the seconds from the moment when the last rank called it. Throws
    // Error(cancelled) when stop is requested; no further sums are possible after that.
    virtual double sumAtFirst(std::span<float> values, const std::stop_token& stop) = 0;
};

// A column of ranks that exchange what they have read, as seen from one of them.
class RankColumn
{
  public:
    virtual ~RankColumn() = default;
    virtual std::span<char> own() = 0;       // to be filled by this rank before gather()
    virtual std::span<const char> all() = 0; // after gather(): each rank's bytes, in the order of the ranks
    // Sends own() to all ranks of the column. All of them call it. Returns the seconds from the moment when the last
    // rank called it. Throws Error(cancelled) when stop is requested; no further exchange is possible after that.
    virtual double gather(const std::stop_token& stop) = 0;
};

// One rank of a group of processes.
class Ensemble
{
  public:
    virtual ~Ensemble() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual std::string host(int rank) const = 0;
    virtual Neighbours neighbours() const = 0;

    // Stop is requested from outside, or because another rank has failed.
    virtual std::stop_token token() const = 0;
    // Sends each rank's text to all ranks; returns them by rank. All ranks call it, in the same order. If a rank has
    // failed meanwhile, all throw the SharedError of that failure.
    virtual std::vector<std::string> exchange(const std::string& text) = 0;
    // Returns this rank's row: one of consecutive groups of `columns` ranks. All ranks call it.
    virtual std::unique_ptr<RankRow> row(int columns) = 0;
    // Returns this rank's column, whose ranks exchange this number of bytes each at a time: every columns-th rank. All
    // ranks call it. Throws std::bad_alloc.
    virtual std::unique_ptr<RankColumn> column(int columns, std::size_t bytes) = 0;
    // Reports this rank's progress as a fraction of the work of all ranks together; 0 starts new work. Callable from
    // any thread; does not wait for other ranks.
    virtual void setShareDone(double share) = 0;
    // Sets a function that a thread of the first rank calls with the progress of all ranks, whenever that has
    // changed. An empty function removes it; a running call has then returned.
    virtual void onShareDone(std::function<void(double ofAll)> show) = 0;
    // Called in place of an exchange: stops the other ranks, and all throw the SharedError.
    [[noreturn]] virtual void fail(const Error& error) = 0;

    bool isFirst() const { return rank() == 0; }
    std::string name(int rank) const; // "rank 3 of 8 (host)"
};

// A single process: an exchange returns its own text, errors are thrown unchanged.
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
    // There are no other ranks to sum with, to exchange with, or to tell.
    std::unique_ptr<RankRow> row(int) override { return nullptr; }
    std::unique_ptr<RankColumn> column(int, std::size_t) override { return nullptr; }
    void setShareDone(double) override {}
    void onShareDone(std::function<void(double)>) override {}
    [[noreturn]] void fail(const Error& error) override { throw error; }

  private:
    std::stop_token m_stop;
};

// Returns the first rank's text on all ranks.
std::string toldByFirst(Ensemble& ensemble, const std::string& text);

// The result of a rank: success with a text, or an error.
struct Outcome {
    bool failed = false;
    ErrorKind kind = ErrorKind::cancelled;
    std::string text = {}; // the text to exchange
    Text error = {};       // why it failed
};
std::string toText(const Outcome& outcome);
Outcome outcomeFromText(const std::string& text);
// Throws the SharedError of the first rank that failed for a reason of its own, rather than because it was stopped.
// Its text names that rank, unless all ranks failed with the same error.
void requireAll(const std::vector<Outcome>& outcomes, const Ensemble& ensemble);

// Throws Error(badRequest) with the first difference if a rank's JSON differs from the first rank's. what: text
// between the rank's name and the difference, such as "was started with other options".
void requireAlike(const std::vector<std::string>& jsons, const Ensemble& ensemble, const std::string& what);

// Runs work that all ranks do and that may contain exchanges; returns when all ranks have finished. If it fails on
// one rank, all ranks throw that error, after the failed rank has cleaned up.
template <typename Work>
void together(Ensemble& ensemble, const Work& work)
{
    if (ensemble.size() == 1)
        return work();
    try {
        work();
    } catch (const SharedError&) {
        throw; // all ranks know of it already
    } catch (const Error& error) {
        ensemble.fail(error);
    } catch (const std::bad_alloc&) {
        ensemble.fail(Error(ErrorKind::noMemory, "There is not enough memory; start fewer ranks on a machine."));
    } catch (const std::exception& error) {
        ensemble.fail(Error(ErrorKind::noMemory, error.what()));
    }
    ensemble.exchange({});
}

} // namespace engine

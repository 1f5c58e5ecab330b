// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine asks of MPI: ranks, and texts between them. mpi.h stays inside the .cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine::cluster
{

// MPI from its beginning to its end; one in a process, made before other threads call it. Threads may call it one at a
// time.
class Session
{
  public:
    Session(int& argc, char**& argv); // throws Error(device) where MPI has no threads
    ~Session();                       // waits for all ranks, unless they were given up
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    static void giveUp();                            // a rank doesn't answer any more: nobody is waited for
    [[noreturn]] static void endAll(int exitStatus); // of all ranks, at once: this one can't go on with the others
};

// What a rank tells another while both are at work.
struct Word {
    enum class Kind { failure, share } kind = Kind::failure;
    int from = 0;     // the rank
    int number = 0;   // of the failure, or of the work that the share is of
    double share = 0; // of the work, done
};

// A group of ranks. Waiting takes no core: others may be at work on it.
class Communicator
{
  public:
    static Communicator world();

    int rank() const;
    int size() const;

    // All ranks call these, in the same order. isOver: asked while waiting; true ends it with Error(cancelled), and
    // nothing is exchanged after that. Throw Error(device) where MPI fails.
    std::vector<std::string> gatherAll(const std::string& text, const std::function<bool()>& isOver = {}) const;
    // Before sums: those of a machine are made in memory that its ranks share, where there is some, and where
    // SINOSCOPE_RANKS_BY_MESSAGES isn't set.
    void shareMemory();
    double sumAtFirst(std::span<float> values, const std::function<bool()>& isOver) const; // see RankRow
    Communicator split(int colour, int key) const; // those of a colour, in the order of their keys: rows, columns
    Communicator node() const;                     // those of this machine
    Communicator duplicate() const;                // whose messages don't meet this one's

    // To one rank, and what has come from any; neither waits.
    void send(int rank, const Word& word);
    std::optional<Word> receive();

  private:
    struct Impl;
    explicit Communicator(std::shared_ptr<Impl> impl) : m_impl(std::move(impl)) {}
    std::shared_ptr<Impl> m_impl;
};

std::string hostName();

} // namespace engine::cluster

// SPDX-License-Identifier: GPL-3.0-or-later
// Interface to MPI: ranks, and texts exchanged between them. Only the .cpp includes mpi.h.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine::cluster
{

// Initialises and finalises MPI. One per process, constructed before other threads call MPI. Threads may call it one
// at a time.
class MpiProcess
{
  public:
    MpiProcess(int& argc, char**& argv); // throws Error(device) if MPI doesn't support threads
    ~MpiProcess();                       // waits for all ranks, unless giveUp() was called
    MpiProcess(const MpiProcess&) = delete;
    MpiProcess& operator=(const MpiProcess&) = delete;

    static void giveUp();                            // a rank doesn't respond any more: don't wait for ranks
    [[noreturn]] static void endAll(int exitStatus); // ends all ranks immediately, as this one can't go on
};

// A message between ranks that are at work.
struct Word {
    enum class Kind { failure, share } kind = Kind::failure;
    int from = 0;     // the sending rank
    int number = 0;   // number of the failure, or of the work that `share` refers to
    double share = 0; // finished share of the work
};

// A group of ranks. Waiting does not occupy a core, as other ranks may need it.
class Communicator
{
  public:
    static Communicator world();

    int rank() const;
    int size() const;

    // All ranks call these functions, in the same order. isOver: called while waiting; true ends the wait with
    // Error(cancelled), and no exchange is possible after that. Throw Error(device) if MPI fails.
    std::vector<std::string> gatherAll(const std::string& text, const std::function<bool()>& isOver = {}) const;
    // Call before sumAtFirst(): ranks of a machine then sum through shared memory, if it is available and
    // SINOSCOPE_RANKS_BY_MESSAGES isn't set.
    void shareMemory();
    void waitForAll(const std::function<bool()>& isOver) const; // returns when all ranks have called it
    double sumAtFirst(std::span<float> values, const std::function<bool()>& isOver) const; // see RankRow
    Communicator split(int colour, int key) const; // ranks of a colour, in the order of their keys: rows, columns
    Communicator node() const;                     // the ranks of this machine
    Communicator duplicate() const;                // a group whose messages are separate from this one's

    // Sends to one rank; receives from any. Neither waits.
    void send(int rank, const Word& word);
    std::optional<Word> receive();

  private:
    friend class Exchange;
    struct Impl;
    explicit Communicator(std::shared_ptr<Impl> impl) : m_impl(std::move(impl)) {}
    std::shared_ptr<Impl> m_impl;
};

// Repeated exchange of the same number of bytes between all ranks of a group (MPI_Allgather).
class Exchange
{
  public:
    Exchange(Communicator ranks, std::size_t bytes); // bytes of each rank; throws std::bad_alloc
    ~Exchange();
    Exchange(Exchange&&) noexcept;

    std::span<char> own();
    std::span<const char> all();                        // of all ranks, in their order
    double gather(const std::function<bool()>& isOver); // see RankColumn

  private:
    struct Buffers;
    Communicator m_ranks;
    std::unique_ptr<Buffers> m_buffers;
};

std::string hostName();

} // namespace engine::cluster

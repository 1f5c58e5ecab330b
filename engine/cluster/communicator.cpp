// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cluster/communicator.h"

#include "engine/base/error.h"
#include "engine/base/shared_cores.h"
#include "engine/base/stopwatch.h"
#include "engine/base/uninitialized.h"
#include "engine/cluster/shared_memory.h"
#include "engine/volume/shared_sum.h"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>

namespace engine::cluster
{

namespace
{

// MPI may only be called by one thread at a time (MPI_THREAD_SERIALIZED).
std::mutex mpiMutex;
std::atomic<bool> ranksGivenUp = false;

void check(int result, const char* what)
{
    if (result == MPI_SUCCESS)
        return;
    std::array<char, MPI_MAX_ERROR_STRING> text;
    int length = 0;
    if (MPI_Error_string(result, text.data(), &length) != MPI_SUCCESS)
        length = 0;
    throw Error(ErrorKind::device, std::string("MPI: ") + what + " failed (" +
                                       std::string(text.data(), static_cast<std::size_t>(length)) + ").");
}

using namespace std::chrono_literals;
constexpr std::chrono::microseconds whileDataMoves = 20us; // while a transfer is expected soon

// Waits for a request by polling: MPI's own waiting would occupy a core that other ranks of this machine may need.
void wait(MPI_Request& request, const std::function<bool()>& isOver, std::chrono::microseconds longestPause = 1ms)
{
    for (auto pause = 20us;; pause = std::min<std::chrono::microseconds>(2 * pause, longestPause)) {
        int done = 0;
        {
            const std::lock_guard lock(mpiMutex);
            check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "waiting");
        }
        if (done)
            return;
        if (ranksGivenUp || (isOver && isOver()))
            throw Error(ErrorKind::cancelled, "cancelled");
        std::this_thread::sleep_for(pause);
    }
}

constexpr int controlTag = 1, sumTag = 2;

} // namespace

MpiProcess::MpiProcess(int& argc, char**& argv)
{
    leaveDefaultBinding();
    int given = MPI_THREAD_SINGLE;
    check(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given), "initialisation");
    if (given < MPI_THREAD_SERIALIZED) {
        MPI_Finalize();
        throw Error(ErrorKind::device, "This MPI does not support calls from several threads; use one that was built "
                                       "with MPI_THREAD_SERIALIZED or more.");
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

MpiProcess::~MpiProcess()
{
    if (!ranksGivenUp)
        MPI_Finalize();
}

void MpiProcess::giveUp()
{
    ranksGivenUp = true;
}

void MpiProcess::endAll(int exitStatus)
{
    MPI_Abort(MPI_COMM_WORLD, exitStatus);
    std::_Exit(exitStatus);
}

struct Communicator::Impl {
    MPI_Comm comm = MPI_COMM_NULL;
    bool isOwn = true;
    int rank = 0, size = 1;
    struct Sent {
        Word word;
        MPI_Request request = MPI_REQUEST_NULL;
    };
    std::deque<Sent> sent; // messages under way; their memory must stay in place
    // Set by shareMemory(). The ranks of a machine sum through shared memory, `memory` and `onMachine`, if available.
    // `machines` are the ranks that then sum by messages: the first rank of each machine, or all ranks of a machine
    // without shared memory. Empty if this rank is none of them.
    std::optional<SharedMemory> memory;
    std::optional<SharedSum> onMachine;
    std::optional<Communicator> machines;

    explicit Impl(MPI_Comm made, bool own = true) : comm(made), isOwn(own)
    {
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
    }
    ~Impl()
    {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (finalized || ranksGivenUp)
            return;
        for (Sent& one : sent)
            if (one.request != MPI_REQUEST_NULL)
                MPI_Request_free(&one.request);
        if (isOwn)
            MPI_Comm_free(&comm);
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void sumByMessages(std::span<float> part, Values& passed, const std::function<bool()>& isOver) const;
};

Communicator Communicator::world()
{
    const std::lock_guard lock(mpiMutex);
    return Communicator(std::make_shared<Impl>(MPI_COMM_WORLD, false));
}

int Communicator::rank() const
{
    return m_impl->rank;
}

int Communicator::size() const
{
    return m_impl->size;
}

std::vector<std::string> Communicator::gatherAll(const std::string& text, const std::function<bool()>& isOver) const
{
    const auto count = static_cast<std::size_t>(m_impl->size);
    const int length = static_cast<int>(text.size());
    std::vector<int> lengths(count), begins(count);
    MPI_Request request = MPI_REQUEST_NULL;
    const auto begun = [](int result) { check(result, "gathering"); };
    {
        const std::lock_guard lock(mpiMutex);
        begun(MPI_Iallgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, m_impl->comm, &request));
    }
    wait(request, isOver);
    std::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), 0);
    std::string all(static_cast<std::size_t>(begins.back()) + static_cast<std::size_t>(lengths.back()), '\0');
    {
        const std::lock_guard lock(mpiMutex);
        begun(MPI_Iallgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), begins.data(), MPI_CHAR,
                              m_impl->comm, &request));
    }
    wait(request, isOver);
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < count; ++k)
        texts.push_back(all.substr(static_cast<std::size_t>(begins[k]), static_cast<std::size_t>(lengths[k])));
    return texts;
}

// The first rank of the machine creates the memory; it is only used if all ranks of the machine can open it.
void Communicator::shareMemory()
{
    const Communicator here = node();
    const std::size_t bytes = SharedSum::bytesFor(here.size());
    std::optional<SharedMemory> memory;
    std::string name;
    const bool isWanted = here.size() > 1 && !std::getenv("SINOSCOPE_RANKS_BY_MESSAGES");
    const auto attempt = [&](const auto& get) {
        try {
            memory.emplace(get());
        } catch (const Error&) { // messages are used instead
        }
    };
    if (isWanted && here.rank() == 0)
        attempt([&] { return SharedMemory::make(bytes); });
    name = here.gatherAll(memory ? memory->name() : "").front();
    if (!name.empty() && here.rank() > 0)
        attempt([&] { return SharedMemory::open(name, bytes); });
    const std::vector<std::string> have = here.gatherAll(memory ? "yes" : "");
    if (memory)
        memory->dropName();
    const bool all = std::ranges::none_of(have, &std::string::empty);
    const bool isHead = !all || here.rank() == 0;
    Communicator heads = split(isHead ? 0 : 1, rank());
    if (isHead)
        m_impl->machines = std::move(heads);
    if (!all)
        return;
    m_impl->memory.emplace(*std::move(memory));
    m_impl->onMachine.emplace(m_impl->memory->data(), here.size(), here.rank());
}

void Communicator::waitForAll(const std::function<bool()>& isOver) const
{
    MPI_Request request = MPI_REQUEST_NULL;
    {
        const std::lock_guard lock(mpiMutex);
        check(MPI_Ibarrier(m_impl->comm, &request), "waiting for the other ranks");
    }
    wait(request, isOver);
}

double Communicator::sumAtFirst(std::span<float> values, const std::function<bool()>& isOver) const
{
    constexpr std::size_t atOnce = 4 << 20; // values per message
    waitForAll(isOver);
    const Stopwatch summing;
    auto passed = std::make_unique<Values>(std::min(atOnce, values.size()));
    try {
        for (std::size_t first = 0; first < values.size(); first += atOnce) {
            const auto part = values.subspan(first, std::min(atOnce, values.size() - first));
            if (m_impl->onMachine)
                m_impl->onMachine->sum(part, isOver);
            if (m_impl->machines)
                m_impl->machines->m_impl->sumByMessages(part, *passed, isOver);
        }
    } catch (const Error&) {
        static_cast<void>(passed.release()); // MPI may still access it
        throw;
    }
    return summing.seconds();
}

// Sums along a binomial tree of large messages. tests/bench/results/reduce.json compares it with MPI_Reduce, which
// can't be left when another rank fails, and with MPI_Ireduce.
void Communicator::Impl::sumByMessages(std::span<float> part, Values& passed, const std::function<bool()>& isOver) const
{
    const int count = static_cast<int>(part.size());
    const auto exchange = [&](auto direction, int other) {
        MPI_Request request = MPI_REQUEST_NULL;
        {
            const std::lock_guard lock(mpiMutex);
            check(direction(passed.data(), count, MPI_FLOAT, other, sumTag, comm, &request), "summing");
        }
        wait(request, isOver, whileDataMoves);
    };
    int step = 1;
    for (; step < size && rank % (2 * step) == 0; step *= 2)
        if (rank + step < size) {
            exchange(MPI_Irecv, rank + step);
            std::ranges::transform(part, passed, part.begin(), std::plus());
        }
    if (rank > 0) {
        std::ranges::copy(part, passed.begin());
        exchange(MPI_Isend, rank - step);
    }
}

Communicator Communicator::split(int colour, int key) const
{
    const std::lock_guard lock(mpiMutex);
    MPI_Comm made = MPI_COMM_NULL;
    check(MPI_Comm_split(m_impl->comm, colour, key, &made), "creating a group of ranks");
    return Communicator(std::make_shared<Impl>(made));
}

Communicator Communicator::node() const
{
    const std::lock_guard lock(mpiMutex);
    MPI_Comm made = MPI_COMM_NULL;
    check(MPI_Comm_split_type(m_impl->comm, MPI_COMM_TYPE_SHARED, m_impl->rank, MPI_INFO_NULL, &made),
          "finding the ranks of this machine");
    return Communicator(std::make_shared<Impl>(made));
}

Communicator Communicator::duplicate() const
{
    const std::lock_guard lock(mpiMutex);
    MPI_Comm made = MPI_COMM_NULL;
    check(MPI_Comm_dup(m_impl->comm, &made), "creating a group of ranks");
    return Communicator(std::make_shared<Impl>(made));
}

void Communicator::send(int rank, const Word& word)
{
    const std::lock_guard lock(mpiMutex);
    std::deque<Impl::Sent>& sent = m_impl->sent;
    for (int gone = 1; !sent.empty() && gone;) {
        check(MPI_Test(&sent.front().request, &gone, MPI_STATUS_IGNORE), "sending");
        if (gone)
            sent.pop_front();
    }
    sent.push_back({word});
    check(MPI_Isend(&sent.back().word, sizeof(Word), MPI_BYTE, rank, controlTag, m_impl->comm, &sent.back().request),
          "sending");
}

std::optional<Word> Communicator::receive()
{
    const std::lock_guard lock(mpiMutex);
    int there = 0;
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, controlTag, m_impl->comm, &there, &status), "receiving");
    if (!there)
        return {};
    Word word;
    check(MPI_Recv(&word, sizeof(Word), MPI_BYTE, status.MPI_SOURCE, controlTag, m_impl->comm, MPI_STATUS_IGNORE),
          "receiving");
    return word;
}

struct Exchange::Buffers {
    Buffer<char> own, all;
};

Exchange::Exchange(Communicator ranks, std::size_t bytes)
    : m_ranks(std::move(ranks)), m_buffers(std::make_unique<Buffers>())
{
    require(bytes <= std::size_t(std::numeric_limits<int>::max()), "one exchange can't have more than 2 GiB of a rank");
    m_buffers->own.resize(bytes);
    m_buffers->all.resize(bytes * static_cast<std::size_t>(m_ranks.size()));
}

Exchange::~Exchange() = default;
Exchange::Exchange(Exchange&&) noexcept = default;

std::span<char> Exchange::own()
{
    return m_buffers->own;
}

std::span<const char> Exchange::all()
{
    return m_buffers->all;
}

double Exchange::gather(const std::function<bool()>& isOver)
{
    m_ranks.waitForAll(isOver);
    const Stopwatch gathering;
    const int bytes = static_cast<int>(m_buffers->own.size());
    MPI_Request request = MPI_REQUEST_NULL;
    {
        const std::lock_guard lock(mpiMutex);
        check(MPI_Iallgather(m_buffers->own.data(), bytes, MPI_BYTE, m_buffers->all.data(), bytes, MPI_BYTE,
                             m_ranks.m_impl->comm, &request),
              "exchanging projections");
    }
    try {
        wait(request, isOver, whileDataMoves);
    } catch (const Error&) {
        static_cast<void>(m_buffers.release()); // MPI may still access them
        throw;
    }
    return gathering.seconds();
}

std::string hostName()
{
    const std::lock_guard lock(mpiMutex);
    std::array<char, MPI_MAX_PROCESSOR_NAME> name;
    int length = 0;
    check(MPI_Get_processor_name(name.data(), &length), "reading the machine's name");
    return {name.data(), static_cast<std::size_t>(length)};
}

} // namespace engine::cluster

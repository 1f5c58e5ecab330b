// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/device/host_copies.h"

#include "engine/backends/cuda/device/buffer.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace engine
{

namespace
{

// Where all threads copy to or from.
struct CudaTarget {
    int device = 0;
    char* memory = nullptr; // of the device
    const char* source = nullptr;
    cudaEvent_t after = nullptr;
};

class StreamWay : public BlockCopies::Way
{
  public:
    explicit StreamWay(const CudaTarget& target) : m_target(target) {}

    void begin(std::size_t blockBytes) override
    {
        SINOSCOPE_CUDA(cudaSetDevice(m_target.device));
        m_block = blockBytes;
        if (m_pinned.size() < 2 * blockBytes) { // takes 4 ms for two of the largest blocks; other threads go on copying
            m_stream.synchronize();             // its last copies must have finished
            m_pinned.reserve(2 * blockBytes);
        }
        addLastCopy();
        SINOSCOPE_CUDA(cudaStreamWaitEvent(m_stream.get(), m_target.after));
        m_begun.record(m_stream.get());
    }
    char* block(int turn) override { return m_pinned.data() + turn * m_block; }
    void finish(int turn) override { m_done[turn].synchronize(); }
    void send(int turn, std::size_t place, std::size_t bytes) override
    {
        SINOSCOPE_CUDA(
            cudaMemcpyAsync(m_target.memory + place, block(turn), bytes, cudaMemcpyHostToDevice, m_stream.get()));
        m_done[turn].record(m_stream.get());
        m_newest = turn;
    }
    void fetch(int turn, std::size_t place, std::size_t bytes) override
    {
        SINOSCOPE_CUDA(
            cudaMemcpyAsync(block(turn), m_target.source + place, bytes, cudaMemcpyDeviceToHost, m_stream.get()));
        m_done[turn].record(m_stream.get());
        m_newest = turn;
    }
    void makeWait(cudaStream_t stream) const
    {
        for (const Event& done : m_done)
            SINOSCOPE_CUDA(cudaStreamWaitEvent(stream, done.get()));
    }
    // Returns the seconds of all copies since the last call. While no copy is under way, as is forget().
    double takeSeconds()
    {
        addLastCopy();
        return std::exchange(m_seconds, 0.0);
    }
    void forget() noexcept
    {
        m_newest = -1;
        m_seconds = 0;
    }

  private:
    // Adds the time of the last copy, and waits for its end.
    void addLastCopy()
    {
        if (m_newest < 0)
            return;
        m_done[m_newest].synchronize();
        m_seconds += m_done[m_newest].secondsSince(m_begun);
        m_newest = -1;
    }

    const CudaTarget& m_target;
    PinnedBuffer<char> m_pinned; // two blocks
    std::size_t m_block = 0;
    Stream m_stream;
    Event m_done[2];
    Event m_begun;     // when the device was ready for the copy
    int m_newest = -1; // turn of the newest transfer of a copy whose time isn't added yet; −1: there is none
    double m_seconds = 0;
};

} // namespace

struct HostCopies::Impl {
    Impl(Direction chosen, int threads) : direction(chosen)
    {
        SINOSCOPE_CUDA(cudaGetDevice(&target.device));
        std::vector<std::unique_ptr<BlockCopies::Way>> all;
        for (int k = 0; k < threads; ++k) {
            auto way = std::make_unique<StreamWay>(target);
            ways.push_back(way.get());
            all.push_back(std::move(way));
        }
        copies.emplace(direction, std::move(all));
    }

    const Direction direction;
    CudaTarget target;
    std::vector<StreamWay*> ways;
    std::optional<BlockCopies> copies; // last, because its threads use the other members
};

HostCopies::HostCopies(Direction direction, int threads) : m_impl(std::make_unique<Impl>(direction, threads)) {}

HostCopies::~HostCopies() = default;

void HostCopies::start(float* to, const float* from, std::size_t count, const Event& after)
{
    const std::size_t bytes = count * sizeof(float);
    if (m_impl->direction == Direction::toDevice)
        return start(reinterpret_cast<char*>(to), reinterpret_cast<const char*>(from), {bytes, bytes, 1}, after);
    m_impl->target.source = reinterpret_cast<const char*>(from);
    m_impl->target.after = after.get();
    m_impl->copies->download(reinterpret_cast<char*>(to), bytes);
}

void HostCopies::start(char* to, const char* from, const Pieces& pieces, const Event& after)
{
    m_impl->target.memory = to;
    m_impl->target.after = after.get();
    m_impl->copies->upload(from, pieces);
}

void HostCopies::wait(cudaStream_t stream)
{
    m_impl->copies->wait();
    if (m_impl->direction == Direction::toDevice)
        for (const StreamWay* way : m_impl->ways)
            way->makeWait(stream);
}

void HostCopies::abandon() noexcept
{
    m_impl->copies->abandon();
    for (StreamWay* way : m_impl->ways)
        way->forget();
}

double HostCopies::takeSeconds()
{
    double longest = 0; // the ways copy simultaneously
    for (StreamWay* way : m_impl->ways)
        longest = std::max(longest, way->takeSeconds());
    return longest;
}

} // namespace engine

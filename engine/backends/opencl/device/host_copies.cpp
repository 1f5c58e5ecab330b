// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/device/host_copies.h"

#include <optional>
#include <utility>

namespace engine::opencl
{

namespace
{

// Where all threads copy to or from.
struct OpenClTarget {
    cl_mem memory = nullptr;
    std::size_t first = 0; // byte
    cl_event after = nullptr;
};

// Memory of the host that the device reads and writes without a detour, as long as it is mapped.
class PinnedBlocks
{
  public:
    explicit PinnedBlocks(const OpenedDevice& device) : m_context(device.context()), m_queue(device.makeQueue()) {}
    ~PinnedBlocks() { release(); }
    PinnedBlocks(const PinnedBlocks&) = delete;
    PinnedBlocks& operator=(const PinnedBlocks&) = delete;

    char* data() const { return m_data; }
    cl_command_queue queue() const { return m_queue.get(); }

    // Enlarges the memory if it is too small, after all transfers have ended; its contents are lost.
    void reserve(std::size_t bytes)
    {
        if (m_bytes >= bytes)
            return;
        release();
        cl_int status = CL_SUCCESS;
        m_memory = Memory(
            functions().clCreateBuffer(m_context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &status));
        check(status, "clCreateBuffer");
        m_data = static_cast<char*>(functions().clEnqueueMapBuffer(m_queue.get(), m_memory.get(), CL_TRUE,
                                                                   CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, nullptr,
                                                                   nullptr, &status));
        check(status, "clEnqueueMapBuffer");
        m_bytes = bytes;
    }

  private:
    void release() noexcept
    {
        if (m_data)
            functions().clEnqueueUnmapMemObject(m_queue.get(), m_memory.get(), m_data, 0, nullptr, nullptr);
        functions().clFinish(m_queue.get());
        m_data = nullptr;
        m_bytes = 0;
        m_memory = Memory();
    }

    cl_context m_context;
    Queue m_queue;
    Memory m_memory;
    char* m_data = nullptr;
    std::size_t m_bytes = 0;
};

class QueueWay : public BlockCopies::Way
{
  public:
    QueueWay(const OpenedDevice& device, const OpenClTarget& target) : m_target(target), m_pinned(device) {}

    void begin(std::size_t blockBytes) override
    {
        m_block = blockBytes;
        m_pinned.reserve(2 * blockBytes);
    }
    char* block(int turn) override { return m_pinned.data() + turn * m_block; }
    void finish(int turn) override { wait(m_done[turn]); }
    void send(int turn, std::size_t place, std::size_t bytes) override
    {
        transfer(turn, functions().clEnqueueWriteBuffer, place, bytes);
    }
    void fetch(int turn, std::size_t place, std::size_t bytes) override
    {
        transfer(turn, functions().clEnqueueReadBuffer, place, bytes);
    }
    // Adds the events of the last transfers, which may be those of an earlier copy.
    void add(std::vector<cl_event>& events) const
    {
        for (const Event& done : m_done)
            if (done)
                events.push_back(done.get());
    }

  private:
    template <typename Enqueue>
    void transfer(int turn, Enqueue enqueue, std::size_t place, std::size_t bytes)
    {
        cl_event event = nullptr;
        check(enqueue(m_pinned.queue(), m_target.memory, CL_FALSE, m_target.first + place, bytes, block(turn),
                      m_target.after ? 1 : 0, m_target.after ? &m_target.after : nullptr, &event),
              "clEnqueueWriteBuffer or clEnqueueReadBuffer");
        m_done[turn] = Event(event);
        check(functions().clFlush(m_pinned.queue()), "clFlush");
    }

    const OpenClTarget& m_target;
    PinnedBlocks m_pinned;
    std::size_t m_block = 0;
    Event m_done[2];
};

} // namespace

struct HostCopies::Impl {
    Impl(const OpenedDevice& device, Direction direction, int threads)
    {
        std::vector<std::unique_ptr<BlockCopies::Way>> all;
        for (int k = 0; k < threads; ++k) {
            auto way = std::make_unique<QueueWay>(device, target);
            ways.push_back(way.get());
            all.push_back(std::move(way));
        }
        copies.emplace(direction, std::move(all));
    }

    OpenClTarget target;
    std::vector<const QueueWay*> ways;
    std::optional<BlockCopies> copies; // last, because its threads use the other members
};

HostCopies::HostCopies(const OpenedDevice& device, Direction direction, int threads)
    : m_impl(std::make_unique<Impl>(device, direction, threads))
{
}

HostCopies::~HostCopies() = default;

void HostCopies::upload(const Buffer& to, const float* from, const Pieces& pieces, const Event& after)
{
    m_impl->target = {to.get(), 0, after.get()};
    m_impl->copies->upload(reinterpret_cast<const char*>(from), pieces);
}

void HostCopies::download(float* to, const Buffer& from, std::size_t first, std::size_t bytes, const Event& after)
{
    m_impl->target = {from.get(), first, after.get()};
    m_impl->copies->download(reinterpret_cast<char*>(to), bytes);
}

void HostCopies::wait()
{
    m_impl->copies->wait();
}

std::vector<cl_event> HostCopies::arrivals() const
{
    std::vector<cl_event> events;
    for (const QueueWay* way : m_impl->ways)
        way->add(events);
    return events;
}

void HostCopies::abandon() noexcept
{
    m_impl->copies->abandon();
}

} // namespace engine::opencl

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/request_slot.h"

#include "engine/base/error.h"

#include <utility>

namespace ui
{

void RequestSlot::put(const JobRequest& request, std::uint64_t id, bool stopsAnyStep)
{
    {
        const std::lock_guard lock(m_mutex);
        m_waiting = request;
        m_waitingId = id;
        if (!m_letsStepFinish || stopsAnyStep)
            m_stop.request_stop();
    }
    m_wake.notify_one();
}

void RequestSlot::clear()
{
    const std::lock_guard lock(m_mutex);
    m_waiting.reset();
    m_stop.request_stop();
}

std::optional<RequestSlot::Taken> RequestSlot::take(const std::stop_token& quit)
{
    std::unique_lock lock(m_mutex);
    if (!m_wake.wait(lock, quit, [this] { return m_waiting.has_value(); }))
        return std::nullopt;
    m_stop = std::stop_source();
    m_letsStepFinish = false;
    Taken taken{std::move(*m_waiting), m_waitingId, m_stop.get_token()};
    m_waiting.reset();
    return taken;
}

void RequestSlot::beginStep(bool isShort, const std::stop_token& stop)
{
    const std::lock_guard lock(m_mutex);
    if (m_waiting || stop.stop_requested())
        throw engine::Error(engine::ErrorKind::cancelled, "cancelled");
    m_letsStepFinish = isShort;
}

void RequestSlot::giveWay()
{
    const std::lock_guard lock(m_mutex);
    m_letsStepFinish = false;
    if (m_waiting)
        m_stop.request_stop();
}

} // namespace ui

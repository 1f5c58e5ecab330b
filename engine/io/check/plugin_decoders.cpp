// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/check/plugin_decoders.h"

#include "engine/io/check/helper_session.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace engine
{

namespace
{

Parcel question(HelperQuestion what, double workBytes)
{
    return std::move(Parcel().add(static_cast<std::uint32_t>(what)).add(workBytes));
}

} // namespace

PluginDecoder::PluginDecoder(const std::filesystem::path& file, int filter)
    : m_channel(file, helperFor(file), {"decode", std::to_string(filter)})
{
}

PluginDecoder::~PluginDecoder()
{
    unmap();
}

void PluginDecoder::unmap()
{
    if (!m_mapped.empty())
        ::munmap(m_mapped.data(), m_mapped.size());
    m_mapped = {};
}

bool PluginDecoder::isInstalled()
{
    return m_channel.exchange(question(HelperQuestion::hasPlugin, 0), 0).take<bool>();
}

std::span<char> PluginDecoder::decode(const std::vector<unsigned>& parameters, std::span<const char> stored,
                                      std::size_t wanted)
{
    const std::size_t bytes = std::max(stored.size(), wanted);
    const bool isNew = bytes > m_mapped.size();
    if (isNew) {
        unmap();
        m_memory = sharedMemory(bytes);
        void* const mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_memory.number(), 0);
        if (mapped == MAP_FAILED)
            throw std::bad_alloc();
        m_mapped = {static_cast<char*>(mapped), bytes};
    }
    std::memcpy(m_mapped.data(), stored.data(), stored.size());
    const double workBytes = static_cast<double>(stored.size() + wanted);
    Parcel asked = question(HelperQuestion::decode, workBytes);
    asked.add(parameters).add(std::uint64_t{stored.size()});
    const auto made =
        m_channel.exchange(asked, workBytes, isNew ? m_memory.number() : -1).template take<std::uint64_t>();
    return made == wanted ? m_mapped.first(wanted) : std::span<char>();
}

bool PluginDecoders::has(int filter)
{
    {
        const std::lock_guard lock(m_mutex);
        if (const auto known = m_installed.find(filter); known != m_installed.end())
            return known->second;
    }
    const bool isInstalled = take(filter)->isInstalled();
    const std::lock_guard lock(m_mutex);
    return m_installed[filter] = isInstalled;
}

PluginDecoders::Lease PluginDecoders::take(int filter)
{
    std::unique_ptr<PluginDecoder> decoder;
    {
        const std::lock_guard lock(m_mutex);
        std::vector<std::unique_ptr<PluginDecoder>>& idle = m_idle[filter];
        while (!decoder && !idle.empty()) {
            decoder = std::move(idle.back());
            idle.pop_back();
            if (!decoder->isUsable()) // started by the process of which this one is a copy (fork)
                decoder.reset();
        }
    }
    if (!decoder)
        decoder = std::make_unique<PluginDecoder>(m_file, filter);
    return {decoder.release(), [pool = shared_from_this(), filter](PluginDecoder* returned) {
                std::unique_ptr<PluginDecoder> owned(returned);
                const std::lock_guard lock(pool->m_mutex);
                if (owned->isUsable())
                    pool->m_idle[filter].push_back(std::move(owned));
            }};
}

} // namespace engine

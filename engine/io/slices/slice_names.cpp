// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/slices/slice_names.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace engine
{

namespace
{

constexpr std::string_view tiffEnding = ".tiff", planeMark = "_plane_";

} // namespace

SliceNames SliceNames::ofPlane(const std::string& prefix, const std::string& plane)
{
    SliceNames names(prefix);
    names.m_plane = plane;
    return names;
}

std::string SliceNames::of(int slice) const
{
    if (!m_plane.empty())
        return common().append(tiffEnding);
    std::array<char, 16> digits;
    std::snprintf(digits.data(), digits.size(), "_%05d", slice);
    return (m_prefix + digits.data()).append(tiffEnding);
}

std::optional<int> SliceNames::numberIn(const std::string& file) const
{
    if (!m_plane.empty())
        return file == of(0) ? std::optional(0) : std::nullopt;
    const std::string begin = m_prefix + '_';
    constexpr std::size_t leastDigits = 5;
    if (file.size() < begin.size() + leastDigits + tiffEnding.size() || !file.starts_with(begin) ||
        !file.ends_with(tiffEnding) ||
        file.find_first_not_of("0123456789", begin.size()) != file.size() - tiffEnding.size())
        return std::nullopt;
    return std::atoi(file.c_str() + begin.size());
}

std::string SliceNames::common() const
{
    return m_plane.empty() ? m_prefix : std::string(m_prefix).append(planeMark).append(m_plane);
}

bool SliceNames::isOtherPlane(const std::string& file) const
{
    return !m_plane.empty() && file.starts_with(std::string(m_prefix).append(planeMark)) &&
           file.ends_with(tiffEnding) && file != of(0);
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/library_gaps.h"

#include "engine/io/hdf5/hdf5_library.h"
#include "engine/io/library/library_sources.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <system_error>

namespace engine
{

namespace
{

// Limits on the number of blocks in an irregular selection, and on the number of steps that the search for gaps takes
// in all. Beyond them, all numbers count as covered.
constexpr hssize_t mostBlocks = 100'000;
constexpr long long mostSteps = 50'000'000;

// Regular blocks along a dimension: `count` blocks of `block` indices, `stride` apart.
struct Comb {
    hsize_t start, stride, count, block;
};

// Fills the number into a pattern such as "frames_%b.h5"; "%%" becomes "%".
std::string numberedSource(const std::string& pattern, hsize_t number)
{
    std::string name;
    for (std::size_t k = 0; k < pattern.size(); ++k) {
        const bool isSpecial = pattern[k] == '%' && k + 1 < pattern.size();
        if (isSpecial && pattern[k + 1] == 'b')
            name += std::to_string(number);
        else
            name += pattern[k];
        k += isSpecial && (pattern[k + 1] == 'b' || pattern[k + 1] == '%');
    }
    return name;
}

class Coverage
{
  public:
    Coverage(const std::vector<hsize_t>& shape, const std::filesystem::path& file, LibraryAccess& access)
        : m_shape(shape), m_file(file), m_access(access)
    {
        for (const hsize_t length : shape)
            m_touched.emplace_back(length, false);
    }

    void add(hid_t plist, std::size_t mapping)
    {
        const Hdf5Handle space(H5Pget_virtual_vspace(plist, mapping), H5Sclose);
        std::array<char, 4096> name{};
        if (H5Pget_virtual_filename(plist, mapping, name.data(), name.size()) <= 0)
            return touchAll();
        if (H5Sget_select_type(space.id()) != H5S_SEL_HYPERSLABS ||
            H5Sget_simple_extent_ndims(space.id()) != static_cast<int>(m_shape.size()))
            return touchAll();
        if (H5Sis_regular_hyperslab(space.id()) > 0)
            return addRegular(space.id(), name.data());
        addBlocks(space.id());
    }

    VirtualGaps gaps() const
    {
        VirtualGaps gaps;
        gaps.missing = m_missing;
        gaps.isCut = m_isCut;
        double rest = 1; // the count of positions whose index along each dimension is touched
        for (const std::vector<bool>& touched : m_touched) {
            std::vector<VirtualGaps::Range> ranges;
            for (auto at = touched.begin(); (at = std::find(at, touched.end(), false)) != touched.end();) {
                const auto end = std::find(at, touched.end(), true);
                ranges.push_back({at - touched.begin(), end - at});
                at = end;
            }
            rest *= static_cast<double>(std::count(touched.begin(), touched.end(), true));
            gaps.untouched.push_back(std::move(ranges));
        }
        gaps.isPartial = m_numbers < rest;
        return gaps;
    }

  private:
    void touchAll()
    {
        m_numbers = 1;
        for (std::vector<bool>& touched : m_touched) {
            touched.assign(touched.size(), true);
            m_numbers *= static_cast<double>(touched.size());
        }
    }

    // Numbers that two sources provide are counted twice. This may hide a gap within frames, but not a missing frame.
    void add(const std::vector<Comb>& combs)
    {
        if (m_stepsLeft <= 0)
            return;
        double numbers = 1;
        for (std::size_t d = 0; d < combs.size(); ++d) {
            auto [start, stride, count, block] = combs[d];
            if (stride == block) // contiguous blocks
                block = count > m_shape[d] / std::max<hsize_t>(block, 1) ? m_shape[d] : count * block, count = 1;
            double touched = 0;
            for (hsize_t k = 0, at = start; k < count && at < m_shape[d]; ++k) {
                const hsize_t length = std::min(block, m_shape[d] - at);
                const auto first = m_touched[d].begin() + static_cast<std::ptrdiff_t>(at);
                std::fill(first, first + static_cast<std::ptrdiff_t>(length), true);
                touched += static_cast<double>(length);
                at += std::min(stride, m_shape[d]); // capped, to end the loop without overflow
                if (--m_stepsLeft == 0)
                    return touchAll();
            }
            numbers *= touched;
        }
        m_numbers += numbers;
    }

    void addRegular(hid_t space, const std::string& source)
    {
        const std::size_t rank = m_shape.size();
        std::vector<hsize_t> start(rank), stride(rank), count(rank), block(rank);
        if (H5Sget_regular_hyperslab(space, start.data(), stride.data(), count.data(), block.data()) < 0)
            return touchAll();
        std::vector<Comb> combs;
        std::optional<std::size_t> numbered; // the dimension along which each block is in a separate file
        for (std::size_t d = 0; d < rank; ++d) {
            if (count[d] == H5S_UNLIMITED && source.find("%b") != std::string::npos)
                numbered = d;
            combs.push_back({start[d], std::max<hsize_t>(stride[d], 1), count[d], block[d]});
        }
        if (!numbered)
            return add(combs);
        Comb& along = combs[*numbered];
        const Comb all = along;
        const hsize_t end = m_shape[*numbered];
        for (hsize_t k = 0, at = all.start; at < end && m_stepsLeft > 0; ++k, at += std::min(all.stride, end)) {
            const std::string name = numberedSource(source, k);
            if (placesOf(name, m_file.parent_path()).empty()) {
                m_missing = m_missing.empty() ? std::filesystem::path(name) : m_missing;
                continue;
            }
            along = {at, 1, 1, all.block};
            add(combs);
        }
        const hsize_t step = std::min(all.stride, std::max<hsize_t>(end, 1));
        const hsize_t next = all.start < end ? (end - all.start + step - 1) / step : 0;
        if (!m_isCut && highestOf(source) > static_cast<long long>(next)) {
            m_isCut = true;
            m_missing = numberedSource(source, next);
        }
    }

    // Returns the highest number of the existing sources; −1 if there are none.
    long long highestOf(const std::string& source) const
    {
        const std::filesystem::path pattern = m_file.parent_path() / source;
        const std::string name = pattern.filename().string();
        const std::size_t at = name.find("%b");
        if (at == std::string::npos || name.find('%', at + 2) != std::string::npos || name.find('%') != at)
            return -1;
        const std::string begin = name.substr(0, at), end = name.substr(at + 2);
        long long highest = -1;
        for (const std::string& there : m_access.namesIn(pattern.parent_path())) {
            if (there.size() <= begin.size() + end.size() || !there.starts_with(begin) || !there.ends_with(end))
                continue;
            const char* last = there.data() + there.size() - end.size();
            long long number = -1;
            if (const auto [rest, error] = std::from_chars(there.data() + begin.size(), last, number);
                error == std::errc{} && rest == last)
                highest = std::max(highest, number);
        }
        return highest;
    }

    void addBlocks(hid_t space)
    {
        const std::size_t rank = m_shape.size();
        const hssize_t count = H5Sget_select_hyper_nblocks(space);
        std::vector<hsize_t> corners(count > 0 && count <= mostBlocks ? 2 * rank * static_cast<std::size_t>(count) : 0);
        if (corners.empty() || H5Sget_select_hyper_blocklist(space, 0, static_cast<hsize_t>(count), corners.data()) < 0)
            return touchAll();
        std::vector<Comb> combs(rank);
        for (auto first = corners.begin(); first != corners.end(); first += static_cast<std::ptrdiff_t>(2 * rank)) {
            for (std::size_t d = 0; d < rank; ++d) {
                const auto at = first + static_cast<std::ptrdiff_t>(d);
                combs[d] = {*at, 1, 1, at[static_cast<std::ptrdiff_t>(rank)] - *at + 1};
            }
            add(combs);
        }
    }

    std::vector<hsize_t> m_shape;
    std::filesystem::path m_file, m_missing;
    LibraryAccess& m_access;
    std::vector<std::vector<bool>> m_touched;
    double m_numbers = 0;
    bool m_isCut = false;
    long long m_stepsLeft = mostSteps;
};

} // namespace

std::vector<std::string> numberedSources(const std::string& pattern, std::int64_t space, const NumberBlock& block)
{
    const std::size_t rank = block.first.size();
    std::vector<hsize_t> start(rank), stride(rank), count(rank), length(rank);
    if (pattern.find('%') == std::string::npos)
        return {pattern};
    if (H5Sget_simple_extent_ndims(space) != static_cast<int>(rank) || H5Sis_regular_hyperslab(space) <= 0 ||
        H5Sget_regular_hyperslab(space, start.data(), stride.data(), count.data(), length.data()) < 0)
        return {};
    std::vector<std::string> names;
    for (std::size_t d = 0; d < rank; ++d)
        for (hsize_t k = 0; count[d] == H5S_UNLIMITED && stride[d] > 0; ++k) {
            const auto first = static_cast<long long>(start[d] + k * stride[d]);
            if (first >= block.first[d] + block.count[d])
                break;
            if (first + static_cast<long long>(length[d]) > block.first[d])
                names.push_back(numberedSource(pattern, k));
        }
    return names.empty() ? std::vector{numberedSource(pattern, 0)} : names;
}

VirtualGaps gapsOf(std::int64_t dataset, const std::filesystem::path& file, LibraryAccess& access)
{
    constexpr hsize_t most = 1 << 24; // along a dimension: a larger data set is no scan
    const Hdf5Handle plist = withMemory(H5Dget_create_plist(dataset), H5Pclose);
    std::size_t mappings = 0;
    if (H5Pget_layout(plist.id()) != H5D_VIRTUAL || H5Pget_virtual_count(plist.id(), &mappings) < 0)
        return {};
    const Hdf5Handle space = withMemory(H5Dget_space(dataset), H5Sclose);
    std::vector<hsize_t> shape(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.id()))));
    H5Sget_simple_extent_dims(space.id(), shape.data(), nullptr);
    if (std::ranges::any_of(shape, [](hsize_t length) { return length > most; }))
        return {};
    Coverage coverage(shape, file, access);
    for (std::size_t k = 0; k < mappings; ++k)
        coverage.add(plist.id(), k);
    return coverage.gaps();
}

} // namespace engine

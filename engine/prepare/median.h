// SPDX-License-Identifier: GPL-3.0-or-later
// Medians of a set of values and of a window that moves along a row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace engine
{

// Median; of an even number of values, the mean of the middle two. Reorders the values; there must be at least one.
template <typename Numbers>
double medianOf(Numbers&& values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (static_cast<double>(*std::max_element(values.begin(), middle)) + static_cast<double>(*middle)) / 2;
}

// Median of an odd number of neighbours, mirrored at the ends (…, 1, 0, 0, 1, …). The window is kept sorted: the
// value that enters takes the place of the one that leaves.
class MovingMedian
{
  public:
    explicit MovingMedian(int width) : m_half(width / 2) { m_window.reserve(2 * static_cast<std::size_t>(m_half) + 1); }

    // in and out must not overlap. Values must be finite.
    void run(std::span<const float> in, float* out)
    {
        const int count = static_cast<int>(in.size());
        const auto at = [&](int k) { return in[static_cast<std::size_t>(mirrored(k, count))]; };
        m_window.clear();
        for (int k = -m_half; k <= m_half; ++k)
            m_window.push_back(at(k));
        std::sort(m_window.begin(), m_window.end());
        for (int k = 0; k < count; ++k) {
            out[k] = m_window[static_cast<std::size_t>(m_half)];
            exchange(at(k - m_half), at(k + m_half + 1));
        }
    }

    static int mirrored(int k, int count)
    {
        while (k < 0 || k >= count)
            k = k < 0 ? -1 - k : 2 * count - 1 - k;
        return k;
    }

  private:
    // Counts instead of searching: counting has no branches to mispredict and handles four numbers at a time.
    void exchange(float leaves, float comes)
    {
        float* window = m_window.data();
        const int count = static_cast<int>(m_window.size());
        int old = 0, place = 0; // numbers of smaller values
        for (int k = 0; k < count; ++k) {
            old += window[k] < leaves;
            place += window[k] < comes;
        }
        if (place > old) // the new value goes behind the old one
            std::copy(window + old + 1, window + place, window + old), --place;
        else
            std::copy_backward(window + place, window + old, window + old + 1);
        window[place] = comes;
    }

    int m_half;
    std::vector<float> m_window;
};

} // namespace engine

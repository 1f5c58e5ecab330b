// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/filter/windows.h"

#include "engine/base/error.h"
#include "engine/base/named_rows.h"

#include <array>
#include <cmath>
#include <numbers>

namespace engine
{

using std::numbers::pi;

std::span<const FilterWindow> filterWindows()
{
    static constexpr std::array table = {
        FilterWindow{Window::ramLak, "ram-lak", "Ram-Lak", "The plain ramp: sharpest and noisiest", false, true,
                     [](double, double, int) { return 1.0; }},
        FilterWindow{Window::sheppLogan, "shepp-logan", "Shepp-Logan", "Ramp times sinc: slightly smoother", false,
                     true,
                     [](double f, double d, int) {
                         const double x = pi * f / d;
                         return x == 0 ? 1 : std::sin(x) / x;
                     }},
        FilterWindow{Window::cosine, "cosine", "Cosine", "Ramp times a cosine", false, true,
                     [](double f, double d, int) { return std::cos(pi * f / d); }},
        FilterWindow{Window::hann, "hann", "Hann", "Ramp times a raised cosine, zero at the cut-off", false, true,
                     [](double f, double d, int) { return 0.5 * (1 + std::cos(2 * pi * f / d)); }},
        FilterWindow{Window::hamming, "hamming", "Hamming", "Ramp times 0.54 + 0.46 cos", false, true,
                     [](double f, double d, int) { return 0.54 + 0.46 * std::cos(2 * pi * f / d); }},
        FilterWindow{Window::parzen, "parzen", "Parzen", "Ramp times (1 − f/cut-off)³: smoothest", false, true,
                     [](double f, double d, int) { return std::pow(1 - 2 * f / d, 3); }},
        FilterWindow{Window::butterworth, "butterworth", "Butterworth",
                     "Ramp times a flat low-pass of selectable order", true, false,
                     [](double f, double d, int order) { return 1 / (1 + std::pow(2 * f / d, 2 * order)); }},
        FilterWindow{Window::none, "none", "None", "Unfiltered: plain back-projection", false, false,
                     [](double, double, int) { return 1.0; }}};
    return table;
}

const FilterWindow& filterWindow(Window window)
{
    for (const FilterWindow& row : filterWindows())
        if (row.window == window)
            return row;
    throw Error(ErrorKind::badRequest, "unknown filter window");
}

std::string toText(Window value)
{
    return filterWindow(value).id;
}

Window windowFromText(const std::string& text)
{
    return rowWithId(filterWindows(), text, "filter").window;
}

} // namespace engine

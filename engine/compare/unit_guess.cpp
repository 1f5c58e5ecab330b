// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/unit_guess.h"

#include "engine/base/units.h"
#include "engine/io/files/slices_path.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

namespace engine
{

namespace
{

constexpr double fitTolerance = 0.02;                // relative
constexpr double brightShare = 0.99, ofBright = 0.5; // brighter pixels: above half of the 99th percentile

// Returns the value below which this share of the values lies; reorders them.
float quantile(std::vector<float>& values, double share)
{
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, place);
    return *place;
}

// Returns the median of read/image over the brighter pixels of `image`; nothing if it has none.
std::optional<double> ratioOf(std::span<const float> read, std::span<const float> image)
{
    std::vector<float> values, ratios;
    std::ranges::copy_if(image, std::back_inserter(values), [](float value) { return std::isfinite(value); });
    if (values.empty() || read.size() != image.size())
        return std::nullopt;
    const double least = ofBright * quantile(values, brightShare);
    if (!(least > 0))
        return std::nullopt;
    for (std::size_t k = 0; k < image.size(); ++k)
        if (image[k] >= least && std::isfinite(read[k]))
            ratios.push_back(read[k] / image[k]);
    return ratios.empty() ? std::nullopt : std::optional<double>(quantile(ratios, 0.5));
}

} // namespace

std::optional<std::string> unitThatFits(std::span<const float> read, std::span<const float> image,
                                        const std::string& unit, std::optional<double> pixelSizeMm)
{
    const std::optional<double> ratio = ratioOf(read, image);
    if (!ratio || std::abs(*ratio - 1) < fitTolerance)
        return std::nullopt;
    for (const char* other : imageUnits)
        if (const auto factor = inverseLengthFactor(other, unit, pixelSizeMm);
            factor && std::abs(*ratio * *factor - 1) < fitTolerance)
            return other;
    return std::nullopt;
}

} // namespace engine

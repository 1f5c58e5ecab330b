#include "engine/scan/empty_projections.h"

#include <algorithm>
#include <cmath>

namespace engine
{

namespace
{

// As they were recorded.
std::vector<int> recordedPlaces(const Scan& scan, const std::vector<int>& projections)
{
    if (!scan.reduced)
        return projections;
    const std::vector<int> kept = keptProjections(scan.reduced->by, scan.reduced->projections);
    std::vector<int> places;
    for (const int projection : projections)
        places.push_back(kept[static_cast<std::size_t>(projection)]);
    return places;
}

bool zerosAreNothing(const Scan& scan)
{
    const auto* parallel = std::get_if<ParallelBeam>(&scan.geometry);
    return scan.quantity != Quantity::attenuation || (parallel && parallel->shiftRows.empty());
}

// Nearly always told by the first number.
template <typename Number>
bool holdNothing(const Number* first, const Number* end, bool zerosToo)
{
    return std::all_of(first, end, [zerosToo](auto number) {
        const auto value = static_cast<float>(number);
        return !std::isfinite(value) || (zerosToo && value == 0);
    });
}

} // namespace

std::vector<int> emptyProjections(const Scan& scan, const RawRows& raw)
{
    const std::size_t frame = static_cast<std::size_t>(raw.rows.count) * raw.bins;
    const bool zerosToo = zerosAreNothing(scan);
    std::vector<int> empty;
    raw.data.visit([&](const auto& numbers) {
        for (int projection = 0; projection < raw.projections; ++projection) {
            const auto* const first = numbers.data() + projection * frame;
            if (holdNothing(first, first + frame, zerosToo))
                empty.push_back(raw.firstProjection + projection);
        }
    });
    if (static_cast<int>(empty.size()) == raw.projections)
        empty.clear();
    return empty;
}

bool isEmptyProjection(const Scan& scan, std::span<const float> values)
{
    return holdNothing(values.data(), values.data() + values.size(), zerosAreNothing(scan));
}

std::vector<RowRange> leftOutWith(const Scan& scan, const std::vector<int>& empty)
{
    return joinedRanges(scan.reduced ? scan.reduced->by.leftOut : std::vector<RowRange>(),
                        rangesOf(recordedPlaces(scan, empty)));
}

std::string emptyText(const Scan& scan, const std::vector<int>& empty)
{
    if (empty.empty())
        return {};
    const std::vector<RowRange> places = rangesOf(recordedPlaces(scan, empty));
    const bool one = empty.size() == 1;
    return std::to_string(empty.size()) + " of " + std::to_string(scan.projections()) + " projections " +
           (one ? "is" : "are") + " empty, nothing but 0 or no numbers: " + rangesInWords(places) +
           ", counted from 0. " + (one ? "It spoils" : "They spoil") + " every slice; leave " + (one ? "it" : "them") +
           " out (--leave-out " + rangesToText(leftOutWith(scan, empty)) + ").";
}

} // namespace engine

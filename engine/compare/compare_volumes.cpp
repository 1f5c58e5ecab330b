// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/compare_volumes.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/io/tiff/tiff_frames.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>

namespace engine
{

namespace
{

Metrics sumOf(const std::vector<VolumeDifferences::OfSlice>& slices)
{
    constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    Metrics whole;
    double squares = 0, least = infinity, most = -infinity, ssim = 0;
    for (const VolumeDifferences::OfSlice& one : slices) {
        const Metrics& of = one.metrics;
        const auto pixels = static_cast<double>(of.pixels);
        whole.pixels += of.pixels;
        whole.gaps += of.gaps;
        whole.notFinite += of.notFinite;
        if (of.pixels == 0)
            continue;                          // all gaps
        squares += of.rmse * of.rmse * pixels; // NaN where a value isn't finite, and so in the sum
        whole.maximum = std::isnan(of.maximum) ? nan : std::max(of.maximum, whole.maximum);
        whole.meanImage += of.meanImage * pixels;
        whole.meanReference += of.meanReference * pixels;
        least = std::min(least, of.referenceLeast);
        most = std::max(most, of.referenceLeast + of.referenceRange);
        ssim += of.ssim;
    }
    const auto pixels = static_cast<double>(whole.pixels);
    whole.rmse = std::sqrt(squares / pixels);
    if (std::isnan(whole.rmse))
        whole.maximum = nan;
    whole.meanImage /= pixels;
    whole.meanReference /= pixels;
    whole.referenceLeast = least;
    whole.referenceRange = std::isnan(whole.rmse) ? nan : most - least;
    whole.psnrDb = whole.rmse == 0             ? infinity
                   : whole.referenceRange == 0 ? nan
                                               : 20 * std::log10(whole.referenceRange / whole.rmse);
    whole.ssim = ssim / static_cast<double>(slices.size());
    return whole;
}

} // namespace

VolumeDifferences compareVolumes(const VolumeComparison& comparison, const std::function<void(double)>& progress,
                                 const std::stop_token& stop)
{
    VolumeDifferences made;
    made.slices.resize(comparison.slices.size());
    if (made.slices.empty())
        throw Error(ErrorKind::badRequest, "there are no slices to compare");
    std::mutex mutex;
    std::size_t done = 0;
    const auto compareSlice = [&](std::size_t k) {
        throwIfStopped(stop);
        const int slice = comparison.slices[k];
        StoredSlice image = comparison.image.read(slice);
        Volume reference = comparison.reference.read(slice).image;
        const int width = image.image.width, height = image.image.height;
        require(reference.width == width && reference.height == height,
                "slice " + std::to_string(slice) + " has " + sizeText(width, height) + " pixels in one volume and " +
                    sizeText(reference.width, reference.height) + " in the other");
        if (comparison.factor != 1)
            for (float& value : reference.values)
                value = static_cast<float>(value * comparison.factor);
        made.slices[k] = {slice, compareImages(image.image.slice(0), reference.slice(0), width, height, comparison.mask,
                                               false, comparison.withSsim)};
        if (comparison.onDifference)
            std::ranges::transform(image.image.values, reference.values, image.image.values.begin(),
                                   std::minus<float>());
        const std::scoped_lock lock(mutex);
        if (comparison.onDifference)
            comparison.onDifference(slice, image.image);
        if (progress)
            progress(static_cast<double>(++done) / static_cast<double>(made.slices.size()));
        return static_cast<double>(image.image.values.size());
    };
    // The first slice shows how much memory one takes: both images, and as much for reading them.
    const double bytes = 4.0 * sizeof(float) * compareSlice(0);
    const int threads =
        std::clamp(static_cast<int>(comparison.memoryBytes / bytes), 1, tbb::info::default_concurrency());
    arenaOf(threads).execute([&] {
        parallelFor(tbb::blocked_range<std::size_t>(1, made.slices.size(), 1),
                    [&](const tbb::blocked_range<std::size_t>& some) {
                        for (std::size_t k = some.begin(); k < some.end(); ++k)
                            compareSlice(k);
                    });
    });
    made.whole = sumOf(made.slices);
    return made;
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
// Planes in double precision, the truth for all others: not optimised, parallel over rows of the image. Each pixel is
// summed in the order of the projections.
#include "engine/backends/cpu/cone/detector_image.h"
#include "engine/backends/cpu/parallel/launches.h"
#include "engine/backends/cpu/plane/plane_parts.h"
#include "engine/backends/plane/plane_views.h"
#include "engine/base/error.h"

#include <algorithm>

namespace engine
{

LaunchReport launchExactPlane(const LaunchArguments& arguments)
{
    const std::vector<PlaneView> views = wholePlaneViewsOf(arguments);
    const SinogramView& data = arguments.sinograms;
    const Plane& plane = *arguments.plane;
    require(!data.doubles.empty(), "the launch has no doubles");
    const bool isParallel = std::holds_alternative<ParallelBeam>(arguments.geometry);
    const double lastRow = detectorRowsOf(arguments) - 1;
    return reconstructParts(arguments, plane.height, [&](int j) {
        std::vector<double> sums(plane.width);
        const double y = j - (plane.height - 1) / 2.0 + plane.down;
        for (int p = 0; p < data.projections && !arguments.stop.stop_requested(); ++p) {
            const DetectorImage image{data.doubles.data() + static_cast<std::size_t>(p) * data.bins, data.sliceSize(),
                                      data.slices, data.bins};
            const auto at = [y](const Affine& a, double x) { return a.atMiddle + a.perColumn * x + a.perRow * y; };
            for (int i = 0; i < plane.width; ++i) {
                const double x = i - (plane.width - 1) / 2.0 + plane.right, w = at(views[p].w, x);
                const double r = at(views[p].r, x) / w, row = isParallel ? std::clamp(r, 0.0, lastRow) : r;
                if (w > 0) // in front of the source
                    sums[i] +=
                        image.sample(row - arguments.firstRow, at(views[p].h, x) / w, arguments.kernel.interpolation) /
                        (w * w);
            }
        }
        float* out = arguments.image.values.data() + static_cast<std::size_t>(j) * plane.width;
        for (int i = 0; i < plane.width; ++i)
            out[i] = static_cast<float>(sums[i]);
    });
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/fitting_alternatives.h"

#include "engine/base/error.h"
#include "engine/base/machine.h"
#include "engine/base/number_text.h"
#include "engine/io/files/output_format.h"
#include "engine/request/section.h"
#include "engine/volume/volume_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

namespace engine
{

namespace
{

constexpr double mostOfMachine = 0.9; // share of the machine's memory that slices on display may use

// Memory and disk space that requests need.
struct Taken {
    double memoryBytes = 0, diskBytes = 0;
};

using Fitted = std::optional<std::pair<Fit, Request>>;

// Reduces a slice size that was given in detector pixels: joined pixels are larger, and slices of the same size would
// cover more of the scan.
void keepSight(Scan& less, const Scan& scan, int bin, Fit& fit)
{
    const auto fewer = [bin](int pixels) { return std::max(1, pixels / bin); };
    if (auto* parallel = std::get_if<ParallelBeam>(&less.geometry);
        parallel && parallel->sliceSize > 0 && parallel->pixelBins == 1) {
        parallel->sliceSize = fewer(parallel->sliceSize);
        fit.options += " " + optionName("size") + " " + std::to_string(parallel->sliceSize);
        fit.size = {parallel->sliceSize, less.slices()};
    }
    const auto* recorded = std::get_if<ConeBeam>(&scan.geometry);
    if (auto* cone = std::get_if<ConeBeam>(&less.geometry); cone && recorded &&
                                                            cone->volume.size == recorded->volume.size &&
                                                            cone->volume.voxelMm != recorded->volume.voxelMm) {
        cone->volume.size = fewer(cone->volume.size);
        if (cone->volume.slices == recorded->volume.slices)
            cone->volume.slices = fewer(cone->volume.slices);
        fit.size = {cone->volume.size, cone->volume.slices};
        fit.options += " " + optionName("size") + " " + std::to_string(cone->volume.size) + "x" +
                       std::to_string(cone->volume.slices);
    }
}

// "100:200"; the end is exclusive.
std::string textOf(const RowRange& slices)
{
    return std::to_string(slices.first) + ":" + std::to_string(slices.first + slices.count);
}

Fitted reduced(const Request& wanted, int bin, int every)
{
    const Scan& scan = *wanted.scan;
    Reduction reduction = scan.reduced ? scan.reduced->by : Reduction();
    const bool joins = bin > 1;
    reduction.bin *= bin;
    reduction.every *= every;
    auto less = std::make_shared<Scan>(scan);
    try {
        reduceFacts(*less, {.bin = bin, .every = every, .leftOut = {}}); // on top of its present reduction
    } catch (const Error&) {
        return {};
    }
    if (scan.path.empty() || less->projections() < 2 || reduction.bin > Reduction::mostBin ||
        reduction.every > Reduction::mostEvery)
        return {};
    const std::string by = std::to_string(joins ? reduction.bin : reduction.every);
    Fit fit{.options = optionName(joins ? "bin" : "every") + " " + by,
            .label = joins ? "Average " + by + " × " + by + " pixels" : "Read one projection in " + by,
            .takes = {},
            .reduction = reduction};
    if (joins)
        keepSight(*less, scan, bin, fit);
    Request request = wanted;
    request.setting.axis.bins = JoinedPixels(scan.bins(), bin).there(request.setting.axis.bins);
    const double perSlice = double(less->slices()) / scan.slices(),
                 perPixel = double(less->sliceSize()) / scan.sliceSize();
    RowRange slices = request.place.slices();
    slices.first = std::min(static_cast<int>(slices.first * perSlice), less->slices() - 1);
    slices.count = std::clamp(static_cast<int>(std::lround(slices.count * perSlice)), 1, less->slices() - slices.first);
    request.place.setSlices(slices);
    if (joins && !(wanted.place.slices() == RowRange{0, scan.slices()})) // the requested slices, in the new numbering
        fit.options += " " + optionName("slices") + " " + textOf(slices);
    if (auto region = request.place.region(); region && joins) {
        for (int Region::*side : {&Region::column, &Region::row, &Region::width, &Region::height})
            (*region).*side = std::max(side == &Region::column || side == &Region::row ? 0 : 1,
                                       static_cast<int>((*region).*side * perPixel));
        request.place.setRegion(region);
        fit.options += " " + optionName("region") + " " + toText(*region);
    }
    request.scan = std::move(less);
    return std::pair(std::move(fit), std::move(request));
}

// Returns a region in the middle of the requested one.
Fitted regionOf(const Request& wanted, double share)
{
    const int size = wanted.scan->sliceSize();
    Region region = wanted.place.region().value_or(Region{0, 0, size, size});
    const int width = static_cast<int>(region.width * share), height = static_cast<int>(region.height * share);
    if (width < 16 || height < 16 || wanted.place.slab())
        return {};
    region = {region.column + (region.width - width) / 2, region.row + (region.height - height) / 2, width, height};
    Request request = wanted;
    request.place.setRegion(region);
    return std::pair(Fit{.options = optionName("region") + " " + toText(region),
                         .label = "The middle " + std::to_string(width) + " × " + std::to_string(height) + " pixels",
                         .takes = {},
                         .region = region},
                     std::move(request));
}

Fitted fewerSlices(const Request& wanted, double share)
{
    const RowRange all = wanted.place.slices();
    const int count = static_cast<int>(all.count * share);
    if (count < 1 || count == all.count)
        return {};
    Request request = wanted;
    request.place.setSlices({all.first + (all.count - count) / 2, count});
    return std::pair(Fit{.options = optionName("slices") + " " + textOf(request.place.slices()),
                         .label = "The middle " + std::to_string(count) + (count == 1 ? " slice" : " slices"),
                         .takes = {},
                         .slices = request.place.slices()},
                     std::move(request));
}

// Searches for reductions that fit when applied to all wanted volumes alike.
class Fitting
{
  public:
    Fitting(std::span<const WantedVolume> wanted, bool isStored) : m_wanted(wanted), m_isStored(isStored) {}

    std::vector<Fit> all(bool andRegions) const
    {
        constexpr std::array shares = {0.75, 0.5, 0.25, 0.125};
        constexpr std::array powers = {2, 4, 8, 16};
        std::vector<Fit> fits;
        add(fits, powers, [](const Request& request, int bin) { return reduced(request, bin, 1); });
        add(fits, powers, [](const Request& request, int every) { return reduced(request, 1, every); });
        if (andRegions) {
            add(fits, shares, regionOf);
            add(fits, shares, fewerSlices);
        }
        return fits;
    }

  private:
    double bytesOf(const VolumeGrid& grid, const VolumeOutput& output) const
    {
        const OutputFormat format{.type = output.stored.type, .range = {}};
        return m_isStored ? double(format.bytesPerValue()) * grid.width * grid.height * grid.slices : 0;
    }

    // Returns what the requests, one per volume, need; nothing if they don't fit.
    std::optional<Taken> taken(const std::vector<Request>& requests) const
    {
        Taken taken;
        std::map<unsigned long, double> bytesOfDisks;
        for (std::size_t k = 0; k < requests.size(); ++k) {
            const WantedVolume& volume = m_wanted[k];
            const double bytes = bytesOf(sectionOf(requests[k]).grid, volume.output);
            taken.diskBytes += bytes;
            double& ofDisk = bytesOfDisks[volume.disk];
            ofDisk += bytes;
            const bool isCompressed = volume.output.stored.deflateLevel > 0;
            if (volume.freeBytes && !isCompressed && ofDisk > *volume.freeBytes)
                return {};
            try {
                taken.memoryBytes = std::max(taken.memoryBytes, planVolume(requests[k], volume.output.overlap).bytes);
            } catch (const Error&) {
                return {};
            }
        }
        return taken;
    }

    std::string takesText(const std::vector<Request>& requests, const Taken& takes) const
    {
        const VolumeGrid grid = sectionOf(requests.front()).grid;
        const std::string what =
            requests.size() > 1 ? "together"
                                : std::to_string(grid.slices) + (grid.slices == 1 ? " slice" : " slices") + " of " +
                                      std::to_string(grid.width) + " × " + std::to_string(grid.height) + " pixels:";
        return what + " up to " + sizeText(takes.memoryBytes) + " of memory" +
               (m_isStored ? ", " + sizeText(takes.diskBytes) + " of disk" : std::string());
    }

    // Adds the first of the values that fits.
    template <typename Values, typename Make>
    void add(std::vector<Fit>& fits, const Values& values, const Make& make) const
    {
        for (const auto& value : values) {
            std::optional<Fit> fit;
            std::vector<Request> requests;
            for (const WantedVolume& volume : m_wanted) {
                Fitted made = make(volume.request, value);
                if (!made || (fit && made->first.options != fit->options))
                    break;
                fit = std::move(made->first);
                requests.push_back(std::move(made->second));
            }
            if (requests.empty() || requests.size() < m_wanted.size())
                continue;
            if (const std::optional<Taken> takes = taken(requests)) {
                fit->takes = takesText(requests, *takes);
                fits.push_back(*std::move(fit));
                return;
            }
        }
    }

    std::span<const WantedVolume> m_wanted;
    bool m_isStored;
};

// Returns the request with the memory limit that applies to slices on display, which are reconstructed one by one.
Request lookedAt(const Request& request)
{
    Request limited = request;
    if (limited.resources.memoryLimitBytes <= 0)
        limited.resources.memoryLimitBytes = mostOfMachine * machineMemoryBytes();
    return limited;
}

} // namespace

std::vector<Fit> fitsFor(std::span<const WantedVolume> wanted)
{
    // A plane has its place in the voxels of the whole scan, which a reduced one doesn't have.
    if (std::ranges::any_of(wanted, [](const WantedVolume& one) { return one.request.place.plane().has_value(); }))
        return {};
    return Fitting(wanted, true).all(true);
}

std::optional<std::string> memoryObjection(const Request& request)
{
    try {
        const double bytes = bytesOfOnePass(request), limit = lookedAt(request).resources.memoryLimitBytes;
        if (bytes > limit)
            return "it needs " + sizeText(bytes) + ", but only " + sizeText(limit) + " may be used";
    } catch (const Error&) { // errors of the request are reported when it is run
    }
    return {};
}

std::vector<Fit> fitsForSlices(const Request& request)
{
    const std::array<WantedVolume, 1> wanted{
        WantedVolume{.request = lookedAt(request), .output = {.path = {}, .overlap = false}, .freeBytes = {}}};
    return Fitting(wanted, false).all(false);
}

Text fitsText(const std::vector<Fit>& fits)
{
    Text text;
    for (const Fit& fit : fits)
        text += (text.empty() ? " These would fit: " : "; ") + fit.options + " (" + fit.takes + ")";
    return text.empty() ? text : text + ".";
}

} // namespace engine

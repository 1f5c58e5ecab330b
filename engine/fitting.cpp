#include "engine/fitting.h"

#include "engine/error.h"
#include "engine/io/file_region.h"
#include "engine/io/output_format.h"
#include "engine/machine.h"
#include "engine/volume_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

namespace engine
{

namespace
{

constexpr double mostOfMachine = 0.9; // of its memory, for slices to look at

// What a request takes, as far as it matters here.
struct Taken {
    double memoryBytes = 0, diskBytes = 0;
};

class Fitting
{
  public:
    Fitting(const Request& request, double bytesPerValue, bool overlap, std::optional<double> freeBytes)
        : m_request(request), m_bytesPerValue(bytesPerValue), m_overlap(overlap), m_free(freeBytes)
    {
    }

    std::optional<Taken> taken(const Request& request) const
    {
        const VolumeGrid grid = gridOf(request);
        Taken taken{.memoryBytes = 0, .diskBytes = m_bytesPerValue * grid.width * grid.height * grid.slices};
        if (m_free && taken.diskBytes > *m_free)
            return {};
        try {
            taken.memoryBytes = planVolume(request, m_overlap).bytes;
        } catch (const Error&) {
            return {};
        }
        return taken;
    }

    // The first of some that fits.
    template <typename Values, typename Make>
    void add(std::vector<Fit>& fits, const Values& values, const Make& make) const
    {
        for (const auto& value : values) {
            std::optional<std::pair<Fit, Request>> made = make(value);
            if (!made)
                continue;
            const std::optional<Taken> takes = taken(made->second);
            if (!takes)
                continue;
            const VolumeGrid grid = gridOf(made->second);
            Fit& fit = made->first;
            fit.takes = std::to_string(grid.slices) + (grid.slices == 1 ? " slice" : " slices") + " of " +
                        std::to_string(grid.width) + " × " + std::to_string(grid.height) + " pixels: up to " +
                        storageText(takes->memoryBytes) + " of memory" +
                        (m_bytesPerValue > 0 ? ", " + storageText(takes->diskBytes) + " of disk" : std::string());
            fits.push_back(std::move(fit));
            return;
        }
    }

    std::optional<std::pair<Fit, Request>> reduced(int bin, int every) const
    {
        const Scan& scan = *m_request.scan;
        Reduction reduction = scan.reduced ? scan.reduced->by : Reduction();
        const bool joins = bin > 1;
        reduction.bin *= bin;
        reduction.every *= every;
        Request request = m_request;
        auto less = std::make_shared<Scan>(scan);
        try {
            reduceFacts(*less, {.bin = bin, .every = every, .leftOut = {}}); // beyond what it is by now
        } catch (const Error&) {
            return {};
        }
        if (scan.path.empty() || less->projections() < 2 || reduction.bin > Reduction::mostBin ||
            reduction.every > Reduction::mostEvery)
            return {};
        const double perSlice = double(less->slices()) / scan.slices(),
                     perPixel = double(less->sliceSize()) / scan.sliceSize();
        RowRange& slices = request.place.slices;
        slices.first = std::min(static_cast<int>(slices.first * perSlice), less->slices() - 1);
        slices.count =
            std::clamp(static_cast<int>(std::lround(slices.count * perSlice)), 1, less->slices() - slices.first);
        if (auto& region = request.place.region; region && joins) {
            for (int Region::*side : {&Region::column, &Region::row, &Region::width, &Region::height})
                (*region).*side = std::max(side == &Region::column || side == &Region::row ? 0 : 1,
                                           static_cast<int>((*region).*side * perPixel));
        }
        request.scan = std::move(less);
        const std::string by = std::to_string(joins ? reduction.bin : reduction.every);
        return std::pair(Fit{.option = (joins ? "--bin " : "--every ") + by,
                             .label = joins ? "Join " + by + " × " + by + " pixels" : "Read one projection in " + by,
                             .takes = {},
                             .reduction = reduction},
                         std::move(request));
    }

    // In the middle of what is asked for.
    std::optional<std::pair<Fit, Request>> regionOf(double share) const
    {
        const int size = m_request.scan->sliceSize();
        Region region = m_request.place.region.value_or(Region{0, 0, size, size});
        const int width = static_cast<int>(region.width * share), height = static_cast<int>(region.height * share);
        if (width < 16 || height < 16)
            return {};
        region = {region.column + (region.width - width) / 2, region.row + (region.height - height) / 2, width, height};
        Request request = m_request;
        request.place.region = region;
        return std::pair(
            Fit{.option = "--region " + toText(region),
                .label = "The middle " + std::to_string(width) + " × " + std::to_string(height) + " pixels",
                .takes = {},
                .region = region},
            std::move(request));
    }

    std::optional<std::pair<Fit, Request>> fewerSlices(double share) const
    {
        const RowRange all = m_request.place.slices;
        const int count = static_cast<int>(all.count * share);
        if (count < 1 || count == all.count)
            return {};
        Request request = m_request;
        request.place.slices = {all.first + (all.count - count) / 2, count};
        const std::string option =
            std::to_string(request.place.slices.first) + ":" + std::to_string(request.place.slices.first + count);
        return std::pair(Fit{.option = "--slices " + option,
                             .label = "The middle " + std::to_string(count) + " slices",
                             .takes = {},
                             .slices = request.place.slices},
                         std::move(request));
    }

    std::vector<Fit> all(bool andRegions) const
    {
        constexpr std::array shares = {0.75, 0.5, 0.25, 0.125};
        constexpr std::array powers = {2, 4, 8, 16};
        std::vector<Fit> fits;
        add(fits, powers, [this](int bin) { return reduced(bin, 1); });
        add(fits, powers, [this](int every) { return reduced(1, every); });
        if (andRegions) {
            add(fits, shares, [this](double share) { return regionOf(share); });
            add(fits, shares, [this](double share) { return fewerSlices(share); });
        }
        return fits;
    }

  private:
    const Request& m_request;
    double m_bytesPerValue; // 0: nothing is stored
    bool m_overlap;
    std::optional<double> m_free;
};

// Of slices that are looked at, one after the other.
Request lookedAt(const Request& request)
{
    Request limited = request;
    if (limited.resources.memoryLimitBytes <= 0)
        limited.resources.memoryLimitBytes = mostOfMachine * machineMemoryBytes();
    return limited;
}

} // namespace

std::vector<Fit> fitsFor(const Request& request, const VolumeOutput& output, std::optional<double> freeBytes)
{
    const OutputFormat format{.type = output.stored.type, .range = {}};
    const bool isCompressed = output.stored.deflateLevel > 0;
    return Fitting(request, double(format.bytesPerValue()), output.overlap, isCompressed ? std::nullopt : freeBytes)
        .all(true);
}

std::optional<std::string> memoryObjection(const Request& request)
{
    try {
        const double bytes = bytesOfOnePass(request), limit = lookedAt(request).resources.memoryLimitBytes;
        if (bytes > limit)
            return "it takes " + storageText(bytes) + ", and " + storageText(limit) + " may be taken";
    } catch (const Error&) { // what is wrong is said when it is begun
    }
    return {};
}

std::vector<Fit> fitsForSlices(const Request& request)
{
    const Request limited = lookedAt(request);
    return Fitting(limited, 0, false, {}).all(false);
}

std::string fitsText(const std::vector<Fit>& fits)
{
    std::string text;
    for (const Fit& fit : fits)
        text += (text.empty() ? " These would fit: " : "; ") + fit.option + " (" + fit.takes + ")";
    return text.empty() ? text : text + ".";
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/volume_plan.h"

#include "engine/backends/cone/views.h"
#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/prepare/steps.h"
#include "engine/reconstruct/plane_request.h"
#include "engine/request/memory_limit.h"
#include "engine/resolve/resolve.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace engine
{

namespace
{

// Estimates the process's peak memory for groups of a number of slices.
class VolumeMemory
{
  public:
    explicit VolumeMemory(const Plan& plan)
    {
        const Request& request = plan.request;
        const Scan& scan = plan.scan();
        const bool wide = plan.route.precision == FilterPrecision::float64;
        m_scan = &scan;
        m_grid = plan.section.grid;
        m_inPairs = request.place.pairsOf().has_value();
        if (request.place.plane())
            m_rowsOfPlane = plan.rows.count;
        m_preparation = plan.preparation;
        m_onDevice = plan.route.mayPrepareOnDevice && std::ranges::none_of(request.resources.others, isProcessor);
        m_shape = {.rows = 0, .projections = projectionsOf(request), .bins = scan.bins()};
        m_sinogram = sizeof(float) * double(scan.bins()) * m_shape.projections;
        m_raw = double(scan.bytesPerSample) * scan.bins() * m_shape.projections +
                sizeof(float) * double(scan.bins()) * (scan.darkFrames + scan.flatFrames);
        m_image = sizeof(float) * double(m_grid.width) * m_grid.height;
        m_filtered = wide ? 2 * m_sinogram : 0; // floats are filtered in place
        // What the virtual detector sees, and its filtered copy.
        if (const std::optional<int> bins = plan.route.virtualBins)
            m_filtered = (wide ? 3 : 2) * m_sinogram * *bins / scan.bins();
        m_fixed = programBytes + rowsOf(request.setting.kernel.slicesPerPass) * (wide ? 2 : 1) *
                                     m_sinogram; // one pass in the kernel's layout
    }

    // Returns the largest number of detector rows that a group of slices needs. In cone beams, the groups at the ends
    // of the volume need most; if the volume is taller than the cone, those at the cone's edge do.
    int rowsOf(int slices) const
    {
        if (m_rowsOfPlane > 0)
            return m_rowsOfPlane;
        if (!takesConeBeam(m_scan->geometry))
            return slices;
        if (m_inPairs)
            return rowsFor(m_scan->geometry, m_grid).count;
        VolumeGrid group = m_grid;
        group.slices = std::min(slices, m_grid.slices);
        constexpr double places = 16; // includes both ends, as a volume may be taller than the cone
        double best = 0;
        int most = 0;
        const auto look = [&](double place) {
            group.z0 = m_grid.z0 + std::floor((m_grid.slices - group.slices) * std::clamp(place / places, 0.0, 1.0));
            const int rows = rowsFor(m_scan->geometry, group).count;
            best = rows > most ? place : best;
            most = std::max(most, rows);
        };
        for (int k = 0; k <= places; ++k)
            look(k);
        for (const double beside : {-0.5, 0.5, -0.25, 0.25}) // of the best so far
            look(best + beside);
        return most;
    }

    // Memory with overlapping stages. Recorded rows wait between reading and preparing, prepared rows between
    // preparing and filtering, images between back-projecting and writing. Every stage also holds the data it works
    // on, so there are two of each. A GPU that prepares rows gets recorded rows, three groups of them. (Should the
    // GPU fail in the middle, the processor needs more.)
    // With several workers, each has its own rows and image, and one more image that waits for earlier ones.
    double overlapped(int slices, int workers = 1) const
    {
        const int rows = rowsOf(slices);
        const double images = (workers == 1 ? 2 : 2 * workers + 1) * slices * m_image;
        if (m_onDevice)
            return m_fixed + (1 + 2 * workers) * raw(rows) + images;
        return m_fixed + (1 + workers) * raw(rows) + workers * (prepared(rows) + rows * (m_sinogram + m_filtered)) +
               images;
    }
    double oneByOne(int slices) const
    {
        const int rows = rowsOf(slices);
        if (m_onDevice)
            return m_fixed + raw(rows) + slices * m_image;
        return m_fixed + std::max(raw(rows) + prepared(rows), rows * (m_sinogram + m_filtered) + slices * m_image);
    }

  private:
    double raw(int rows) const { return (rows + 2 * haloOf(m_preparation)) * m_raw; }

    // Sinograms, and the memory that the steps need to prepare them.
    double prepared(int rows) const
    {
        RowsShape shape = m_shape;
        shape.rows = rows;
        return static_cast<double>(bytesOf(m_preparation, shape));
    }

    const Scan* m_scan = nullptr; // the request's scan
    VolumeGrid m_grid;
    int m_rowsOfPlane = 0; // of a plane
    bool m_inPairs;
    Preparation m_preparation;
    bool m_onDevice;
    RowsShape m_shape;
    double m_raw, m_sinogram, m_image, m_filtered, m_fixed;
};

// Returns the number of slabs per device for a cone beam. Neighbouring slabs read and filter many rows twice, and a
// kernel for mirrored pairs finds no pairs within a slab, so a single slab is best. The exception is a GPU that
// prepares and filters the rows itself: it needs only a fraction of the back-projection's time for that
// (tests/bench/results/h100-cone-slabs.json).
int slabsOfCone(const Plan& plan, const VolumeMemory& memory)
{
    constexpr int slabs = 4;
    constexpr double worthWhile = 1e9;
    const Scan& scan = plan.scan();
    // Large chunks of rows would be decompressed for several slabs.
    const bool readsTwice = scan.rowsTogether * 2 * slabs > scan.rows;
    const bool isLarge = memory.oneByOne(plan.request.place.slices().count) >= worthWhile;
    return isLarge && !readsTwice && plan.route.mayPrepareOnDevice && !plan.method->inMirroredPairs ? slabs : 1;
}

} // namespace

Request inPairs(const Request& request)
{
    Request paired = request;
    const auto* whole = std::get_if<Slices>(&request.place.part);
    if (whole && whole->rows.count > 2 && mayBeMirrored(request) && resolve(request).method->inMirroredPairs) {
        paired.place.part = MirroredPairs{{0, whole->rows.count}, whole->rows, whole->region};
        // Paired slabs need all rows of the volume in memory: processing one group after the other would cost more
        // time than the symmetry saves (tests/bench/results/ranks.json, mirroredPairs).
        const VolumeMemory memory(resolve(paired));
        const double limitBytes = memoryLimitOf(request.resources);
        const auto devices = static_cast<int>(devicesOf(request.resources).size());
        if ((devices > 1 || memory.oneByOne(whole->rows.count) > limitBytes) &&
            memory.overlapped(passOf(paired), devices) > limitBytes)
            return request;
    }
    return paired;
}

int passOf(const Request& request)
{
    const int pass = request.setting.kernel.slicesPerPass;
    return request.place.pairsOf() && pass % 2 == 1 ? 2 * pass : pass;
}

std::vector<RowRange> groupsOf(RowRange slices, const VolumePlan& plan, int pass)
{
    if (plan.of.count > 0) {
        VolumePlan whole = plan;
        whole.of = {0, 0};
        std::vector<RowRange> groups = groupsOf(plan.of, whole, pass);
        std::erase_if(groups, [&](const RowRange& group) {
            return group.first < slices.first || group.first >= slices.first + slices.count;
        });
        return groups;
    }
    std::vector<int> begin, end;
    int left = slices.count;
    for (int size = pass; plan.overlapped && plan.shortEnds && size < plan.slicesPerGroup && left > 4 * size;
         size *= 2) {
        begin.push_back(size);
        end.insert(end.begin(), size);
        left -= 2 * size;
    }
    for (; left > 0; left -= plan.slicesPerGroup)
        begin.push_back(std::min(left, plan.slicesPerGroup));
    begin.insert(begin.end(), end.begin(), end.end());
    std::vector<RowRange> groups;
    for (int first = slices.first; const int size : begin) {
        groups.push_back({first, size});
        first += size;
    }
    return groups;
}

double bytesOfOnePass(const Request& request)
{
    return VolumeMemory(resolve(request)).oneByOne(request.setting.kernel.slicesPerPass);
}

VolumePlan planVolume(const Request& asked, bool overlap)
{
    if (asked.place.plane()) {
        const PlannedPlane divided = plannedPlane(asked);
        return {.overlapped = false,
                .bytes = divided.bytes,
                .limitBytes = memoryLimitOf(asked.resources),
                .planeParts = static_cast<int>(divided.parts.size())};
    }
    const Plan image = resolve(inPairs(asked));
    const Request& request = image.request;
    constexpr int fewestGroups = 8;   // besides the short ones at both ends
    constexpr int smallestGroup = 16; // smaller files gain little
    const int pass = passOf(request);
    const auto wholePasses = [pass](int slices) { return (slices + pass - 1) / pass * pass; };
    const VolumeMemory memory(image);
    const bool cone = takesConeBeam(request.scan->geometry);
    VolumePlan plan;
    plan.limitBytes = memoryLimitOf(request.resources);
    plan.workers = overlap ? static_cast<int>(devicesOf(request.resources).size()) : 1;
    while (plan.workers > 1 && memory.overlapped(pass, plan.workers) > plan.limitBytes)
        --plan.workers;
    const int slabs = cone ? slabsOfCone(image, memory) : 0;
    const bool atOnce =
        plan.workers == 1 && slabs == 1 && memory.oneByOne(request.place.slices().count) <= plan.limitBytes;
    plan.overlapped = overlap && !atOnce && memory.overlapped(pass, plan.workers) <= plan.limitBytes;
    const auto bytes = [&](int slices) {
        return plan.overlapped ? memory.overlapped(slices, plan.workers) : memory.oneByOne(slices);
    };
    // fitting_alternatives.h lists alternatives. A limit below what the program itself needs is a bad request.
    if (bytes(pass) > plan.limitBytes)
        throw Error(plan.limitBytes < programBytes ? ErrorKind::badRequest : ErrorKind::noMemory,
                    std::to_string(pass) + (pass == 1 ? " slice takes " : " slices together take ") +
                        sizeAtLeast(bytes(pass)) + ", " + sizeText(programBytes) +
                        " of it for the program itself, and the memory limit is " + memoryLimitText(request.resources) +
                        "; raise it to " + sizeAtLeast(bytes(pass)) + " or more" +
                        (request.setting.kernel.slicesPerPass > 1 && bytes(1) <= plan.limitBytes
                             ? ", or reconstruct fewer slices per pass"
                             : ""));
    // Rows that are stored together are read and decompressed again for every group that needs some of them.
    const int count = request.place.slices().count, together = std::min(request.scan->rowsTogether, count);
    const int groups = fewestGroups * plan.workers;
    plan.slicesPerGroup =
        wholePasses(std::min(count, std::max({smallestGroup, (count + groups - 1) / groups, together})));
    if (cone) {
        const int least = plan.workers * slabs == 1 ? 2 : plan.workers * slabs;
        plan.slicesPerGroup = wholePasses(atOnce ? count : (count + least - 1) / least);
    }
    plan.shortEnds = together <= pass && !cone;
    while (plan.slicesPerGroup > pass && bytes(plan.slicesPerGroup) > plan.limitBytes)
        plan.slicesPerGroup -= pass;
    plan.bytes = bytes(plan.slicesPerGroup);
    return plan;
}

void chooseSlicesPerPass(Request& request)
{
    const double limitBytes = memoryLimitOf(request.resources);
    Request fewer = request;
    const int count = request.place.slices().count;
    // On a GPU the passes of a group overlap with the copies of others.
    const int passes = takesConeBeam(request.scan->geometry) ? 1 : resolve(request).route.mayPrepareOnDevice ? 64 : 4;
    const int first = request.place.slices().first;
    fewer.place.setSlices({first, std::max(count / passes, std::min(count, 16))});
    for (int last = 0;; last = request.setting.kernel.slicesPerPass) {
        request.setting.kernel.slicesPerPass = slicesPerPassFor(fewer);
        fewer.place.setSlices({first, request.setting.kernel.slicesPerPass / 2});
        const bool smallest = fewer.place.slices().count < 1 || request.setting.kernel.slicesPerPass == last;
        if (smallest || VolumeMemory(resolve(request)).overlapped(request.setting.kernel.slicesPerPass) <= limitBytes)
            return;
    }
}

} // namespace engine

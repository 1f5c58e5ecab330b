// SPDX-License-Identifier: GPL-3.0-or-later
// What each ray of a scan counts: the cosines and redundancy of cone beams, and the share of each projection.
#pragma once

#include "engine/base/note.h"
#include "engine/scan/geometry.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

// For the filter. A line of a projection is multiplied by cosine and redundancy before the ramp, and by the
// projection's weight after it.
struct RayWeights {
    std::vector<double> projections; // one each: the angle that it stands for, times 1/mm where lengths are known
    // Cone beams: one common to all, or one per projection. A ray (h, r) that meets the detector u = (h −
    // bin)/lengthBins and v = (r − row)/lengthRows from the central one counts 1/√(1 + u² + v²), the cosine between the
    // two.
    std::vector<CentralRay> central = {};
    // [projection][bin]: 1 on the mean of a ray and the one along the same line from the other side; empty: all 1.
    std::vector<float> redundancy = {};
    int firstRow = 0; // of the detector: that of the first sinogram

    RayWeights() = default;
    RayWeights(std::vector<double> ofProjections) : projections(std::move(ofProjections)) {}
    RayWeights(std::initializer_list<double> ofProjections) : projections(ofProjections) {}
    bool operator==(const RayWeights&) const = default;
};

// Those of some of the projections, in that order.
RayWeights weightsOf(const RayWeights& all, const std::vector<int>& projections, int bins);

// How a geometry's rays were weighted.
struct WeighedRays {
    RayWeights weights;
    std::vector<Note> notes; // where it isn't the same for all: sentences for the user
};

// axisBins must be filled. Parallel beams: weights of angularSampling, divided by the pixel where it is known. Cone
// beams: those of FDK, for attenuation per mm: f = Σ projections·q/w², with q filtered as for parallel beams. Short
// scans after Parker (Med. Phys. 9, 1982, 254), for arcs longer than needed after Silver (Med. Phys. 27, 2000, 773);
// arcs too short for that count what is there, each line once in all (Noo et al., Phys. Med. Biol. 47, 2002, 2525); a
// detector that reaches further on one side of the axis, by 1 % of its bins or more, over a full circle, after Wang
// (Med. Phys. 29, 2002, 1634), by less than a quarter only where it matters, near the ends of the shorter side.
// Throws Error(badRequest) for another geometry.
WeighedRays weighRays(const Geometry& geometry);

// What that says of the angles alone.
std::vector<Note> angleNotes(const Geometry& geometry);

// What a parallel beam's detector lacks that reaches further on one side of the axis, over a full turn ("half
// acquisition"): bins on the other side, and weights of those it has, as for cone beams. Each line of a projection is
// to be multiplied and continued with zeros before anything else is done to it.
struct OneSided {
    int blankLeft = 0, blankRight = 0;
    std::vector<float> weights; // [1 or projection][bin]
    std::string note;           // a sentence for the user
};
std::optional<OneSided> oneSided(const ParallelBeam& beam); // axisBins must be filled

// A detector whose rays are weighted after Wang, turned in its plane so that the axis stands upright on it in every
// projection: lines that are filtered with weights of one side must lie across the axis. As many bins and rows; those
// next to the shorter side that not all rows see any more count as blank. Else the same. axisBins must be filled.
ConeBeam upright(ConeBeam beam);

// With blank bins on the side where the detector reaches less far from the axis, where that side's rays are weighted
// after Wang; else the same. Their values are zero, but filtered they aren't, and every voxel needs them. axisBins must
// be filled.
ConeBeam widened(ConeBeam beam);

} // namespace engine

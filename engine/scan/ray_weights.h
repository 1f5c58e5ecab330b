// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of the rays of a scan: cosines and redundancy of cone beams, and the weight of each projection.
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

// Weights for the filter. A line of a projection is multiplied by cosine and redundancy before the ramp filter, and
// by the weight of the projection after it.
struct RayWeights {
    std::vector<double> projections; // one each: the angle that it represents, times 1/mm if lengths are known
    // Central rays of cone beams: one common to all, or one per projection. A ray (h, r) that meets the detector at u
    // = (h − bin)/lengthBins and v = (r − row)/lengthRows from the central ray has the weight 1/√(1 + u² + v²), the
    // cosine of the angle between the two.
    std::vector<CentralRay> central = {};
    // [projection][bin]: a ray and its opposite along the same line have a mean of 1; empty: all 1.
    std::vector<float> redundancy = {};
    int firstRow = 0; // detector row of the first sinogram

    RayWeights() = default;
    RayWeights(std::vector<double> ofProjections) : projections(std::move(ofProjections)) {}
    RayWeights(std::initializer_list<double> ofProjections) : projections(ofProjections) {}
    bool operator==(const RayWeights&) const = default;
};

// Returns the weights of some of the projections, in that order.
RayWeights weightsOf(const RayWeights& all, const std::vector<int>& projections, int bins);

// The weights of a geometry's rays, and notes about them.
struct WeighedRays {
    RayWeights weights;
    std::vector<Note> notes; // sentences for the user, if the weights differ between projections
};

// Computes the weights of a geometry; axisBins must be filled. Parallel beams: weights of angularSampling, divided by
// the pixel size if known. Cone beams: weights of FDK, for attenuation per mm: f = Σ projections·q/w², with q
// filtered as for parallel beams. Short scans are weighted after Parker (Med. Phys. 9, 1982, 254), for arcs longer
// than needed after Silver (Med. Phys. 27, 2000, 773). Arcs too short for that use what was measured, each line with
// a total weight of 1 (Noo et al., Phys. Med. Biol. 47, 2002, 2525). A detector that reaches further on one side of
// the axis, by 1 % of its bins or more, over a full circle, is weighted after Wang (Med. Phys. 29, 2002, 1634); if
// the difference is less than a quarter, weights change only near the ends of the shorter side, where it matters. If
// projections are missing from that circle (mostGapRad), both rules apply together: with m = confidence in the
// projection × half of Wang's weight, a ray has the weight 2m/(m + m of the opposite ray).
// Throws Error(badRequest) for another geometry.
WeighedRays weighRays(const Geometry& geometry);

// Returns only the notes about the angles.
std::vector<Note> angleNotes(const Geometry& geometry);

// Additions to a parallel beam's detector that reaches further on one side of the axis over a full turn ("half
// acquisition"): blank bins on the other side, and weights of the recorded bins, as for cone beams. Each line of a
// projection has to be multiplied by the weights and padded with zeros before any other operation.
struct OneSided {
    int blankLeft = 0, blankRight = 0;
    // [1 or projection][bin]; with gaps of the turn, relative to the weight of the projection
    std::vector<float> weights;
    std::string note;           // a sentence for the user
};
std::optional<OneSided> oneSided(const ParallelBeam& beam); // axisBins must be filled

// Returns the beam with the detector rotated in its plane, such that the axis is upright in every projection, if its
// rays are weighted after Wang: lines filtered with one-sided weights must be perpendicular to the axis. The number
// of bins and rows stays; bins on the shorter side that the rotated detector doesn't cover in all rows count as blank.
// Other beams are returned unchanged. axisBins must be filled.
ConeBeam upright(ConeBeam beam);

// Returns the beam with blank bins added on the side where the detector reaches less far from the axis, if its rays
// are weighted after Wang; other beams are returned unchanged. Recorded values in these bins are zero, but filtered
// values are not, and every voxel needs them. axisBins must be filled.
ConeBeam widened(ConeBeam beam);

} // namespace engine

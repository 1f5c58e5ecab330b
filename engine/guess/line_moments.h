// SPDX-License-Identifier: GPL-3.0-or-later
// Moments of the projections of one row, and how angles explain them: the centre of mass moves along a sine, and the
// n-th moment about it is a sum of the harmonics n, n − 2, … of the angle (Helgason-Ludwig conditions).
#pragma once

#include "engine/guess/turn_guess.h"

#include <array>
#include <functional>
#include <utility>
#include <vector>

namespace engine
{

inline constexpr int momentOrders = 4;
inline constexpr double unfitShare = 0.03;  // share of the motion left by wrong angles
inline constexpr double leastMotion = 0.02; // least motion of the centre or width, as a share of the width

struct MomentSeries {
    std::vector<double> at;     // indices of projections
    std::vector<double> values; // one moment of each projection
};

// Angle in rad of projection number n.
using AngleOf = std::function<double(double)>;
AngleOf anglesEvenly(double stepRad);
AngleOf anglesAsGiven(const TurnLines& lines);

// Cosine and sine of every multiple of the projections' angles, up to the given one.
struct Harmonics {
    std::array<std::vector<double>, momentOrders + 1> cosines, sines;

    Harmonics(const MomentSeries& series, const AngleOf& angleOf, int most);
};

// Least-squares fit of a series by the harmonics of one order, for given angles of the projections.
class HarmonicFit
{
  public:
    HarmonicFit(const MomentSeries& series, int order, const AngleOf& angleOf)
        : HarmonicFit(series, order, Harmonics(series, angleOf, order))
    {
    }
    // axisDrifts: of the first order, also a steady drift.
    HarmonicFit(const MomentSeries& series, int order, const Harmonics& harmonics, bool axisDrifts = false);

    std::vector<double> residual;
    double squares() const;
};

// Moments of each order, and the mass of each projection.
struct OrderMoments {
    std::array<MomentSeries, momentOrders> series;
    std::vector<double> mass;
    double width = 0;      // mean width of a projection, as a standard deviation
    bool isCut = false;    // the object reaches an end of the detector
    bool isUsable = false; // all projections have the same mass, and nothing is cut off
    bool isStill = false;  // all projections are the same
};
OrderMoments measureMoments(const TurnLines& lines);

// Returns the range of bins that the object reaches in any projection, with a little air beside it; more air would
// only add noise.
std::pair<int, int> binsOfObject(const TurnLines& lines);

double standardDeviationOf(const std::vector<double>& values);

// Returns the correlation of neighbours: 0 for noise, 1 for slow changes.
double neighbourLikeness(const std::vector<double>& values);

// Returns the error of a moment from positions between bins: some thousandths.
double errorOfBins(int order, double width);

// Returns the variance of one value of a series, from the residual of the best fit; correlated values count as one.
double varianceOfFit(const HarmonicFit& fit, double least);

// Returns the sum of squares of a moment that moves more than noise; else infinity, which anything explains.
double motionOf(const OrderMoments& moments, int order);

// Returns whether the fit leaves hardly more than noise of a series that moves.
bool explainsMotion(const HarmonicFit& fit, double motion);

} // namespace engine

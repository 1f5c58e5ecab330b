// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/ellipses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace engine
{

namespace
{

using std::numbers::pi;

// a, b, x, y and angleDeg are those of the ten ellipses of Shepp and Logan's head (IEEE Trans. Nucl. Sci. 21, 1974,
// 21). With c and z they become the ten ellipsoids of the usual three-dimensional head (after Kak and Slaney, chapter
// 3), here rotated about z only.
struct HeadPart {
    double a, b, c, x, y, z, angleDeg;
};
constexpr std::array<HeadPart, 10> sheppLoganHead{{
    {.69, .92, .81, 0, 0, 0, 0},
    {.6624, .874, .78, 0, -.0184, 0, 0},
    {.11, .31, .22, .22, 0, 0, -18},
    {.16, .41, .28, -.22, 0, 0, 18},
    {.21, .25, .41, 0, .35, -.15, 0},
    {.046, .046, .05, 0, .1, .25, 0},
    {.046, .046, .05, 0, -.1, .25, 0},
    {.046, .023, .05, -.08, -.605, 0, 0},
    {.023, .023, .02, 0, -.606, 0, 0},
    {.023, .046, .02, .06, -.605, 0, 0},
}};

constexpr std::array<double, 10> originalDensities{2, -.98, -.02, -.02, .01, .01, .01, .01, .01, .01};
constexpr std::array<double, 10> modifiedDensities{1, -.8, -.2, -.2, .1, .1, .1, .1, .1, .1};

std::vector<Ellipsoid> sheppLogan(const std::array<double, 10>& densities, bool in3d)
{
    std::vector<Ellipsoid> solids;
    for (std::size_t i = 0; i < sheppLoganHead.size(); ++i) {
        const HeadPart& e = sheppLoganHead[i];
        solids.push_back({{e.a, e.b, e.x, e.y, e.angleDeg * pi / 180, densities[i]}});
        if (in3d) {
            solids.back().c = e.c;
            solids.back().z = e.z;
        }
    }
    return solids;
}

constexpr double patternRadius = .9;
constexpr double discRadius = .8;

// Disc with six sectors of round holes after Derenzo. Each sector has one hole diameter, which is also the distance
// between its holes. Diameters decrease from 1/32 of the width to one pixel in equal ratios. At most 12 rows of holes
// per sector: enough to see whether they are resolved, few enough to be quick.
std::vector<Ellipsoid> resolutionPattern(int size)
{
    constexpr int sectors = 6, mostRows = 12;
    constexpr double rim = .85;
    std::vector<Ellipsoid> holes{{{patternRadius, patternRadius, 0, 0, 0, 1}}};
    const double smallest = 2.0 / size;
    const double largest = std::max(2.0 / 32, smallest);
    for (int sector = 0; sector < sectors; ++sector) {
        const double diameter = largest * std::pow(smallest / largest, sector / (sectors - 1.0));
        const double rowDistance = 2 * diameter * std::sqrt(3.0) / 2;
        // Row k holds k + 1 holes, so a triangle that starts here stays inside its sector of 60°.
        double apex = .05 + 1.5 * diameter;
        apex = std::max(apex, .5 - rowDistance * mostRows / 2);
        const double direction = (90 - 60 * sector) * pi / 180;
        for (int k = 0; k < mostRows; ++k) {
            const double outwards = apex + k * rowDistance;
            if (std::hypot(outwards, k * diameter) + diameter / 2 > rim)
                break;
            for (int i = 0; i <= k; ++i) {
                const double aside = (2 * i - k) * diameter;
                holes.push_back(
                    {{diameter / 2, diameter / 2, outwards * std::cos(direction) - aside * std::sin(direction),
                      outwards * std::sin(direction) + aside * std::cos(direction), 0, -1}});
            }
        }
    }
    return holes;
}

} // namespace

std::vector<Ellipsoid> solidsOf(Phantom phantom, int size)
{
    constexpr Ellipse disc{discRadius, discRadius, 0, 0, 0, 1};
    switch (phantom) {
    case Phantom::sheppLogan:
        return sheppLogan(modifiedDensities, false);
    case Phantom::sheppLoganOriginal:
        return sheppLogan(originalDensities, false);
    case Phantom::sheppLogan3d:
        return sheppLogan(modifiedDensities, true);
    case Phantom::sheppLogan3dOriginal:
        return sheppLogan(originalDensities, true);
    case Phantom::resolution:
        return resolutionPattern(size);
    case Phantom::disc:
        return {{disc}};
    case Phantom::ball:
        return {{disc, discRadius, 0}};
    }
    return {};
}

// The cross-section of an ellipsoid at height z is its widest ellipse, shrunk by √(1 − ((z−z0)/c)²).
std::vector<Ellipse> ellipsesAt(const std::vector<Ellipsoid>& solids, double z)
{
    std::vector<Ellipse> ellipses;
    for (const Ellipsoid& solid : solids) {
        const double height = (z - solid.z) / solid.c;
        const double shrink = std::sqrt(std::max(0.0, 1 - height * height));
        if (!(shrink > 0))
            continue;
        ellipses.push_back(solid.widest);
        ellipses.back().a *= shrink;
        ellipses.back().b *= shrink;
    }
    return ellipses;
}

namespace
{

// The half axis along z of what looks the same at every height, so that its section by an upright plane is an ellipse,
// too. Within the cube it is narrower by less than 1e-8.
constexpr double endless = 1e4;

using Triple = std::array<double, 3>;

double product(const Triple& a, const Triple& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Returns a direction in coordinates in which the ellipsoid is the unit sphere.
Triple inSphere(const Ellipsoid& solid, const Triple& direction)
{
    const Ellipse& e = solid.widest;
    const double c = std::cos(e.angleRad), s = std::sin(e.angleRad);
    return {(direction[0] * c + direction[1] * s) / e.a, (direction[1] * c - direction[0] * s) / e.b,
            direction[2] / std::min(solid.c, endless)};
}

} // namespace

// The distance from the centre of the unit sphere, |m + s·u + t·v|² ≤ 1, is a quadratic form of s and t. Its least
// value lies at the centre of the ellipse, and its eigenvectors are the directions of the axes.
std::vector<Ellipse> ellipsesIn(const std::vector<Ellipsoid>& solids, const CutPlane& plane)
{
    std::vector<Ellipse> ellipses;
    for (const Ellipsoid& solid : solids) {
        const Triple middle{plane.centre[0] - solid.widest.x, plane.centre[1] - solid.widest.y,
                            plane.centre[2] - solid.z};
        const Triple m = inSphere(solid, middle), u = inSphere(solid, plane.right), v = inSphere(solid, plane.up);
        const double uu = product(u, u), uv = product(u, v), vv = product(v, v);
        const double determinant = uu * vv - uv * uv;
        const double s = (uv * product(v, m) - vv * product(u, m)) / determinant,
                     t = (uv * product(u, m) - uu * product(v, m)) / determinant;
        const Triple nearest{m[0] + s * u[0] + t * v[0], m[1] + s * u[1] + t * v[1], m[2] + s * u[2] + t * v[2]};
        const double rest = 1 - product(nearest, nearest);
        if (!(rest > 0))
            continue;
        const double larger = (uu + vv) / 2 + std::hypot((uu - vv) / 2, uv);
        ellipses.push_back({std::sqrt(rest / larger), std::sqrt(rest * larger / determinant), s, t,
                            std::atan2(2 * uv, uu - vv) / 2, solid.widest.density});
    }
    return ellipses;
}

double heightOfRow(int row, int rows)
{
    return ((rows - 1) / 2.0 - row) / (rows / 2.0);
}

} // namespace engine

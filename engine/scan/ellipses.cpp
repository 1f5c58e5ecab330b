#include "engine/scan/ellipses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace engine
{

namespace
{

using std::numbers::pi;

// a, b, x and y in the plane, turned by degrees, after Shepp and Logan (IEEE Trans. Nucl. Sci. 21,
// 1974, 21); c and z make them the ten ellipsoids of the usual three-dimensional head (after Kak and
// Slaney, chapter 3), here turned about z only.
struct Ellipsoid {
    double a, b, c, x, y, z, angleDeg;
};
constexpr std::array<Ellipsoid, 10> sheppLoganHead{{
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

std::vector<Ellipse> sheppLogan(const std::array<double, 10>& densities)
{
    std::vector<Ellipse> ellipses;
    for (std::size_t i = 0; i < sheppLoganHead.size(); ++i) {
        const Ellipsoid& e = sheppLoganHead[i];
        ellipses.push_back({e.a, e.b, e.x, e.y, e.angleDeg * pi / 180, densities[i]});
    }
    return ellipses;
}

// A plane at height z cuts an ellipsoid into the ellipse of the plane shrunk by √(1 − ((z−z0)/c)²).
std::vector<Ellipse> sheppLogan3d(const std::array<double, 10>& densities, double z)
{
    std::vector<Ellipse> ellipses = sheppLogan(densities);
    for (std::size_t i = 0; i < ellipses.size(); ++i) {
        const double height = (z - sheppLoganHead[i].z) / sheppLoganHead[i].c;
        const double shrink = std::sqrt(std::max(0.0, 1 - height * height));
        ellipses[i].a *= shrink;
        ellipses[i].b *= shrink;
    }
    std::erase_if(ellipses, [](const Ellipse& e) { return !(e.a > 0); });
    return ellipses;
}

constexpr double patternRadius = .9;
constexpr double discRadius = .8;

// A disc with six sectors of round holes after Derenzo: one diameter a sector, as far apart as they
// are wide, from 1/32 of the width down to one pixel in equal ratios. At most 12 rows of holes a
// sector: enough to see whether they are told apart, few enough to be quick.
std::vector<Ellipse> resolutionPattern(int size)
{
    constexpr int sectors = 6, mostRows = 12;
    constexpr double rim = .85;
    std::vector<Ellipse> ellipses{{patternRadius, patternRadius, 0, 0, 0, 1}};
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
                ellipses.push_back({diameter / 2, diameter / 2,
                                    outwards * std::cos(direction) - aside * std::sin(direction),
                                    outwards * std::sin(direction) + aside * std::cos(direction), 0, -1});
            }
        }
    }
    return ellipses;
}

} // namespace

std::vector<Ellipse> ellipsesOfRow(const Simulation& simulation, int row)
{
    const double z = ((simulation.slices - 1) / 2.0 - row) / (simulation.slices / 2.0);
    switch (simulation.phantom) {
    case Phantom::sheppLogan:
        return sheppLogan(modifiedDensities);
    case Phantom::sheppLoganOriginal:
        return sheppLogan(originalDensities);
    case Phantom::sheppLogan3d:
        return sheppLogan3d(modifiedDensities, z);
    case Phantom::sheppLogan3dOriginal:
        return sheppLogan3d(originalDensities, z);
    case Phantom::resolution:
        return resolutionPattern(simulation.size);
    case Phantom::disc:
        return {{discRadius, discRadius, 0, 0, 0, 1}};
    }
    return {};
}

} // namespace engine

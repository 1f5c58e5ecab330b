// SPDX-License-Identifier: GPL-3.0-or-later
// Error caused by a gap in the angles, if the gap counts in full and if it is left out, and how often angularSampling
// interprets a gap as a missing wedge: tests/bench/results/angular-weights.md. Built by `ninja
// bench_angular_weights`.
#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/compare/metrics.h"
#include "engine/simulate/ellipses.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <random>

using namespace engine;
using std::numbers::pi;

namespace
{

constexpr int size = 512;
constexpr SliceGrid grid{size, 0, 0, size, size, 1};

Sinograms project(const std::vector<Ellipse>& ellipses, const std::vector<double>& anglesRad)
{
    Sinograms sinograms{1, static_cast<int>(anglesRad.size()), size, {}};
    const double unit = size / 2.0;
    for (const double theta : anglesRad)
        for (int bin = 0; bin < size; ++bin) {
            double sum = 0;
            for (const Ellipse& e : ellipses) {
                const double turn = theta - e.angleRad;
                const double s = (bin - (size - 1) / 2.0) / unit - e.x * std::cos(theta) - e.y * std::sin(theta);
                const double r = std::hypot(e.a * std::cos(turn), e.b * std::sin(turn));
                if (std::abs(s) < r)
                    sum += 2 * e.density * e.a * e.b * std::sqrt(r * r - s * s) / (r * r);
            }
            sinograms.values.push_back(static_cast<float>(sum * unit));
        }
    return sinograms;
}

// Returns the RMSE for the modified Shepp-Logan phantom, within a disc of 0.9 of the image's half width.
double errorOf(const std::vector<double>& anglesRad, const std::vector<double>& weights)
{
    Simulation simulation;
    simulation.size = size;
    simulation.attenuation = 1;
    static const std::vector<Ellipse> ellipses = ellipsesAt(solidsOf(simulation.phantom, simulation.size), 0);
    static const Volume truth = simulate(simulation)->exactImage(0, grid);
    ParallelBeam beam;
    beam.bins = size;
    beam.anglesRad = anglesRad;
    beam.axisBins = {(size - 1) / 2.0};
    const FilteredSinograms filtered =
        filterSinograms(project(ellipses, anglesRad), {}, weights, FilterPrecision::float32, 0);
    Volume image(1, size, size);
    Workspace workspace;
    launch(*findMethod("cpu"), {.sinograms = filtered, .geometry = beam, .grid = {grid}, .kernel = {}, .image = image},
           workspace);
    Mask mask;
    mask.discRadius = 0.9;
    return compareImages(image.values, truth.values, size, size, mask).rmse;
}

// Returns half the mean distance to both neighbours. The widest gap counts in full; with leaveOut, the two angles at
// its ends use the distance to their other neighbour instead.
std::vector<double> weightsOf(const std::vector<double>& sorted, bool leaveOut)
{
    const std::size_t count = sorted.size();
    std::vector<double> gap(count), weights(count);
    for (std::size_t i = 0; i < count; ++i)
        gap[i] = i + 1 < count ? sorted[i + 1] - sorted[i] : sorted[0] + pi - sorted[count - 1];
    const std::size_t widest = std::max_element(gap.begin(), gap.end()) - gap.begin();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t behind = (i + count - 1) % count;
        const double before = gap[leaveOut && behind == widest ? i : behind];
        const double after = gap[leaveOut && i == widest ? behind : i];
        weights[i] = (before + after) / 4;
    }
    return weights;
}

// Prints errors for `count` angles, evenly or randomly spaced on the half circle except for a gap of `gapDeg` that
// starts at `fromDeg`.
void sweep(bool random)
{
    constexpr double gapsDeg[] = {1, 2, 3, 5, 8, 10, 12, 15, 20, 30, 45, 60};
    std::printf("\n| from | angles |");
    for (const double gap : gapsDeg)
        std::printf(" %g° |", gap);
    std::printf("\n");
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (const double fromDeg : {0.0, 30.0, 90.0, 135.0})
        for (const int count : {10, 20, 50, 100, 402, 1600}) {
            std::printf("| %g° | %d |", fromDeg, count);
            for (const double gapDeg : gapsDeg) {
                if (gapDeg <= 181.0 / count) {
                    std::printf(" |");
                    continue;
                }
                std::vector<double> angles;
                for (int k = 0; k < count; ++k) {
                    // Both ends of the gap are measured angles.
                    const double place = random && k > 0 && k < count - 1 ? uniform(generator) : k / (count - 1.0);
                    angles.push_back(std::fmod((fromDeg + gapDeg + (180 - gapDeg) * place) * pi / 180, pi));
                }
                std::sort(angles.begin(), angles.end());
                const double full = errorOf(angles, weightsOf(angles, false));
                const double leftOut = errorOf(angles, weightsOf(angles, true));
                std::printf(leftOut < full ? " %.4f **%.4f** |" : " %.4f %.4f |", full, leftOut);
                std::fflush(stdout);
            }
            std::printf("\n");
        }
}

void recognised()
{
    std::mt19937 generator(5);
    std::uniform_real_distribution<double> uniform(0, 1);
    struct Kind {
        const char* name;
        std::function<double(int, int)> angle; // angle of projection k of count
    };
    const Kind kinds[] = {{"random over 180°", [&](int, int) { return pi * uniform(generator); }},
                          {"random over 0 to 120°", [&](int, int) { return pi * 2 / 3 * uniform(generator); }},
                          {"random over 0 to 150°", [&](int, int) { return pi * 5 / 6 * uniform(generator); }},
                          {"even over 0 to 150°", [](int k, int count) { return pi * 5 / 6 * k / (count - 1); }},
                          {"the same, each off by up to a tenth of a step", [&](int k, int count) {
                               return pi * 5 / 6 * (k + 0.2 * uniform(generator)) / (count - 1);
                           }}};
    constexpr int counts[] = {5, 6, 8, 10, 15, 20, 30, 50, 100, 402, 2000};
    std::printf("\n| angles |");
    for (const int count : counts)
        std::printf(" %d |", count);
    std::printf("\n");
    for (const Kind& kind : kinds) {
        std::printf("| %s |", kind.name);
        for (const int count : counts) {
            const int sets = count > 100 ? 1000 : 10000;
            int found = 0;
            for (int set = 0; set < sets; ++set) {
                std::vector<double> angles;
                for (int k = 0; k < count; ++k)
                    angles.push_back(kind.angle(k, count));
                found += !angularSampling(angles).missingWedges.empty();
            }
            std::printf(" %.2f %% |", 100.0 * found / sets);
            std::fflush(stdout);
        }
        std::printf("\n");
    }
}

} // namespace

int main()
{
    std::printf("Even angles: RMSE with the gap in full, and left out (bold where that is better)\n");
    sweep(false);
    std::printf("\nRandom angles\n");
    sweep(true);
    std::printf("\nSets of angles taken for a missing wedge\n");
    recognised();
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Münch 2009: stripes are in the wavelet coefficients that are high-pass across the bins and low-pass along the
// angle. Stripes hardly change with the angle, so the low frequencies of these coefficients along the angle are damped,
// by the factor 1 − exp(−f²/2σ²). All steps are linear, so only the part that the damping removes is computed and
// subtracted: the other coefficients are never needed.
//
// Two things go beyond the paper, because its filter also removes slow changes of the object, and more of them at
// coarser levels. Rings of 1 % in a Shepp-Logan phantom of 512 bins and 720 projections, five levels, σ = 0.5: the
// error of the sinogram is 0.0227 without either; 0.0201 with means over the scan's own rows only (keepSlow); 0.0044
// with the power limited to what stripes can have (stripesOf). It is 0.0125 where the sinogram is padded with zeros
// along the angle, as in tomopy.
#include "engine/prepare/rings.h"

#include "engine/base/parallel_for.h"
#include "engine/base/uninitialized.h"
#include "engine/filter/transform.h"
#include "engine/prepare/median.h"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

namespace engine
{

namespace
{

// Daubechies with five vanishing moments (Ten Lectures on Wavelets, 1992, table 6.1): orthonormal, low-pass; its
// high-pass is (−1)ᵗ·h[9 − t].
constexpr std::array<float, 10> lowPass = {
    0.160102397974125F,    0.6038292697974729F,  0.7243085284385744F,    0.13842814590110342F,   -0.24229488706619015F,
    -0.03224486958502952F, 0.07757149384006515F, -0.006241490213011705F, -0.012580751999015526F, 0.003335725285001549F};
constexpr int taps = 10;
constexpr std::array<float, taps> highPass = [] {
    std::array<float, taps> made{};
    for (int t = 0; t < taps; ++t)
        made[t] = (t % 2 == 0 ? 1.0F : -1.0F) * lowPass[taps - 1 - t];
    return made;
}();

// Periodic image, [row][column].
struct Grid {
    int rows = 0, columns = 0;
    Values values;

    Grid(int rowCount, int columnCount)
        : rows(rowCount), columns(columnCount), values(static_cast<std::size_t>(rowCount) * columnCount)
    {
    }
    float* row(int r) { return values.data() + static_cast<std::size_t>(r) * columns; }
    const float* row(int r) const { return values.data() + static_cast<std::size_t>(r) * columns; }
};

// Filters the rows and drops every other column.
Grid halvedAcross(const Grid& from, const std::array<float, taps>& filter)
{
    Grid made(from.rows, from.columns / 2);
    parallelFor(0, from.rows, [&](int r) {
        const float* in = from.row(r);
        for (int k = 0; k < made.columns; ++k) {
            float sum = 0;
            for (int t = 0; t < taps; ++t)
                sum += filter[t] * in[(2 * k + t) % from.columns];
            made.row(r)[k] = sum;
        }
    });
    return made;
}

// Low-pass filters the columns and drops every other row.
Grid halvedAlong(const Grid& from)
{
    Grid made(from.rows / 2, from.columns);
    parallelFor(0, made.rows, [&](int r) {
        float* out = made.row(r);
        std::fill_n(out, made.columns, 0.0F);
        for (int t = 0; t < taps; ++t) {
            const float* in = from.row((2 * r + t) % from.rows);
            for (int k = 0; k < made.columns; ++k)
                out[k] += lowPass[t] * in[k];
        }
    });
    return made;
}

// Inverse of halvedAcross: joins the low-pass and high-pass halves.
Grid doubledAcross(const Grid& low, const Grid& high)
{
    Grid made(low.rows, 2 * low.columns);
    parallelFor(0, low.rows, [&](int r) {
        float* out = made.row(r);
        std::fill_n(out, made.columns, 0.0F);
        for (int k = 0; k < low.columns; ++k)
            for (int t = 0; t < taps; ++t)
                out[(2 * k + t) % made.columns] += lowPass[t] * low.row(r)[k] + highPass[t] * high.row(r)[k];
    });
    return made;
}

Grid doubledAlong(const Grid& low)
{
    Grid made(2 * low.rows, low.columns);
    parallelFor(0, made.rows, [&](int r) {
        float* out = made.row(r);
        std::fill_n(out, made.columns, 0.0F);
        for (int t = r % 2; t < taps; t += 2) {
            const float* in = low.row(((r - t) / 2 % low.rows + low.rows) % low.rows);
            for (int k = 0; k < made.columns; ++k)
                out[k] += lowPass[t] * in[k];
        }
    });
    return made;
}

// Rows of a level that belong to the scan, [first, first + count); the other rows are its mirrored margins.
struct Inside {
    int first = 0, count = 0;
};

// Low-pass filters each column by exp(−f²/2σ²), σ in cycles over all rows. Only the rows inside count: the margins
// would count the values near the first and last projections twice, and the outline of an object often stands still
// there.
void keepSlow(Grid& grid, const Inside& inside, double deviation)
{
    const Transform<float>& transform = Transform<float>::of(grid.rows, 1);
    std::vector<float> window;
    for (int k = 0; k < grid.rows; ++k) {
        const double f = std::min(k, grid.rows - k);
        window.push_back(static_cast<float>(std::exp(-f * f / (2 * deviation * deviation)) / grid.rows));
    }
    const int last = inside.first + inside.count - 1;
    std::vector<float> share(grid.rows); // share of the window that lies inside, per row
    {
        TransformRow<float> room(grid.rows);
        for (int r = 0; r < grid.rows; ++r)
            room.data()[r] = {r >= inside.first && r <= last ? 1.0F : 0.0F, 0.0F};
        transform.forward(room);
        for (int r = 0; r < grid.rows; ++r)
            room.data()[r] *= window[r];
        transform.backward(room);
        for (int r = 0; r < grid.rows; ++r)
            share[r] = room.data()[r].real();
    }
    tbb::enumerable_thread_specific<TransformRow<float>> rooms([&] { return TransformRow<float>(grid.rows); });
    parallelFor(0, (grid.columns + 1) / 2, [&](int pair) { // two columns as one complex column
        const int a = 2 * pair, b = std::min(a + 1, grid.columns - 1);
        TransformRow<float>& room = rooms.local();
        for (int r = 0; r < grid.rows; ++r) {
            const bool isInside = r >= inside.first && r <= last;
            room.data()[r] = isInside ? std::complex<float>(grid.row(r)[a], grid.row(r)[b]) : std::complex<float>();
        }
        transform.forward(room);
        for (int r = 0; r < grid.rows; ++r)
            room.data()[r] *= window[r];
        transform.backward(room);
        for (int r = 0; r < grid.rows; ++r) { // stripes continue into the margins
            const int from = std::clamp(r, inside.first, last);
            grid.row(r)[a] = room.data()[from].real() / share[from];
            grid.row(r)[b] = (b > a ? room.data()[from].imag() : room.data()[from].real()) / share[from];
        }
    });
}

// Mean square of the rows inside.
double powerOf(const Grid& grid, const Inside& inside)
{
    double sum = 0;
    for (int r = inside.first; r < inside.first + inside.count; ++r)
        for (int k = 0; k < grid.columns; ++k)
            sum += double(grid.row(r)[k]) * grid.row(r)[k];
    return sum / (double(inside.count) * grid.columns);
}

// Returns which rows of the next level belong to the scan. Row r of that level is the weighted sum of ten rows of this
// level, from row 2·r on.
Inside halved(const Inside& inside)
{
    constexpr int middle = taps / 2 - 1;
    const int first = std::max(0, (inside.first - middle + 1) / 2);
    return {first, std::max(1, (inside.first + inside.count - middle) / 2 - first)};
}

// Returns the stripes of this level and of all coarser ones. expected: mean square that stripes can have at this
// level, derived from that of the finest level; 0 for the finest level itself. Stripes one bin wide are white across
// the bins, and their power doubles with every level along the angle. Any more power belongs to the object: its
// outline moves slowly, and coarse levels would mistake it for stripes. Then only the stripes' share of the power is
// removed, as by a Wiener filter.
Grid stripesOf(const Grid& grid, const Inside& inside, int levels, double deviation, double expected)
{
    const Grid smooth = halvedAlong(halvedAcross(grid, lowPass));
    Grid detail = halvedAlong(halvedAcross(grid, highPass));
    keepSlow(detail, halved(inside), deviation);
    const double power = powerOf(detail, halved(inside));
    if (expected > 0 && power > expected) {
        const auto gain = static_cast<float>(expected / power);
        for (float& value : detail.values)
            value *= gain;
    }
    const double next = 2 * (expected > 0 ? expected : power);
    if (levels > 1)
        return doubledAlong(doubledAcross(stripesOf(smooth, halved(inside), levels - 1, deviation, next), detail));
    Grid none(detail.rows, detail.columns);
    std::ranges::fill(none.values, 0.0F);
    return doubledAlong(doubledAcross(none, detail));
}

} // namespace

int waveletLevels(int asked, int projections, int bins)
{
    int levels = asked;
    while (levels > 1 && (std::min(projections, bins) >> levels) < taps)
        --levels;
    return levels;
}

void removeByWavelets(const SinogramPlane& sinogram, const RingValues& values)
{
    const int levels = waveletLevels(values.levels, sinogram.projections, sinogram.bins);
    const int unit = 1 << levels, margin = taps * unit / 2;
    const auto padded = [&](int count) { return (count + 2 * margin + unit - 1) / unit * unit; };
    Grid grid(padded(sinogram.projections), padded(sinogram.bins)); // padded by mirroring
    parallelFor(0, grid.rows, [&](int r) {
        const float* line = sinogram.line(MovingMedian::mirrored(r - margin, sinogram.projections));
        for (int k = 0; k < grid.columns; ++k)
            grid.row(r)[k] = line[MovingMedian::mirrored(k - margin, sinogram.bins)];
    });
    const double cycles = values.cycles * grid.rows / sinogram.projections;
    const Grid stripes = stripesOf(grid, {margin, sinogram.projections}, levels, cycles, 0);
    parallelFor(0, sinogram.projections, [&](int p) {
        for (int bin = 0; bin < sinogram.bins; ++bin)
            sinogram.line(p)[bin] -= stripes.row(p + margin)[bin + margin];
    });
}

} // namespace engine

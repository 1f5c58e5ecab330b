// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/shading.h"

#include "ui/background/comparison.h"
#include "ui/image/parallel_rows.h"
#include "ui/widgets/new_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

// The inner loops are also compiled for AVX2, which has vector lookups. The version for the present processor is
// chosen when the program starts; all versions give the same bits. Not with sanitizers: the choice is made before
// they are initialised.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define SINOSCOPE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define SINOSCOPE_VECTORS
#endif

namespace ui
{

struct ColumnTaps::Impl {
    // Image pixels that make up one screen pixel, along one axis.
    struct Tap {
        int first = 0, last = 0;
        float firstWeight = 1, lastWeight = 1; // pixels in between weigh 1
    };

    struct Axis {
        int origin = 0;
        std::vector<Tap> taps;
    };

    // The taps of a whole row, arranged for loops without branches. For k < `depth`, the k-th block holds the index and
    // the weight of the k-th image pixel of every screen pixel. The weights of a screen pixel add up to 1. Screen
    // pixels with fewer image pixels repeat their first one with weight 0: if it is NaN, they are NaN anyway. The first
    // `least` image pixels of every screen pixel are neighbours.
    struct Gather {
        int depth = 1, least = 1;
        std::vector<int> index;
        std::vector<float> weight;
    };

    Axis columns;
    Gather across;
};

namespace
{

using Tap = ColumnTaps::Impl::Tap;
using Axis = ColumnTaps::Impl::Axis;
using Gather = ColumnTaps::Impl::Gather;

// Returns the taps of the screen pixels that the image covers. [begin, end): extent of the image in slice pixels; the
// centre of image pixel 0 is at `first`.
Axis axis(double begin, double end, double first, double step, int count, double scale, double offset, int screen)
{
    const int from = std::max(0, static_cast<int>(std::ceil(scale * begin + offset - 0.5)));
    const int to = std::min(screen, static_cast<int>(std::ceil(scale * end + offset - 0.5)));
    // Converts a device coordinate to pixels of the image: pixel k covers [k, k + 1).
    const auto edge = [&](double device) { return ((device - offset) / scale - first) / step + 0.5; };
    const bool magnified = scale * step >= 1;
    Axis result{from, {}};
    result.taps.reserve(std::max(0, to - from));
    for (int i = from; i < to; ++i) {
        Tap tap;
        if (magnified) {
            // If the middle of the screen pixel falls on the edge between two image pixels, the small offset makes
            // the second one the nearest, whatever the rounding error.
            tap.first = tap.last = std::clamp(static_cast<int>(std::floor(edge(i + 0.5) + 1e-9)), 0, count - 1);
        } else {
            const double low = std::clamp(edge(i), 0.0, static_cast<double>(count));
            const double high = std::clamp(edge(i + 1), low, static_cast<double>(count));
            tap.first = std::min(static_cast<int>(low), count - 1);
            tap.last = std::clamp(static_cast<int>(std::ceil(high)) - 1, tap.first, count - 1);
            tap.firstWeight = static_cast<float>(std::min(high, tap.first + 1.0) - low);
            tap.lastWeight = tap.last > tap.first ? static_cast<float>(high - tap.last) : tap.firstWeight;
            if (tap.firstWeight < 1e-6f && tap.last > tap.first) { // so that 0 · NaN can't arise
                ++tap.first;
                tap.firstWeight = tap.last > tap.first ? 1 : tap.lastWeight;
            }
        }
        result.taps.push_back(tap);
    }
    return result;
}

float weight(const Tap& tap, int k)
{
    return k == tap.first ? tap.firstWeight : k == tap.last ? tap.lastWeight : 1.0f;
}

float total(const Tap& tap)
{
    return tap.last == tap.first ? tap.firstWeight
                                 : tap.firstWeight + tap.lastWeight + static_cast<float>(tap.last - tap.first - 1);
}

Gather gather(const std::vector<Tap>& taps)
{
    Gather result;
    result.least = std::numeric_limits<int>::max();
    for (const Tap& tap : taps) {
        result.depth = std::max(result.depth, tap.last - tap.first + 1);
        result.least = std::min(result.least, tap.last - tap.first + 1);
    }
    result.index.reserve(taps.size() * static_cast<std::size_t>(result.depth));
    result.weight.reserve(result.index.capacity());
    for (int k = 0; k < result.depth; ++k)
        for (const Tap& tap : taps) {
            const bool within = tap.first + k <= tap.last;
            result.index.push_back(within ? tap.first + k : tap.first);
            const bool alone = tap.last == tap.first || !(total(tap) > 0);
            result.weight.push_back(alone    ? (k == 0 ? 1.0f : 0.0f)
                                    : within ? weight(tap, tap.first + k) / total(tap)
                                             : 0.0f);
        }
    return result;
}

template <int least>
[[gnu::always_inline]] inline void averageNeighbours(const Gather& taps, const float* values, std::size_t count,
                                                     float* __restrict out)
{
    const int* __restrict first = taps.index.data();
    const float* __restrict weights = taps.weight.data();
    for (std::size_t i = 0; i < count; ++i) {
        const float* own = values + first[i];
        float sum = weights[i] * own[0];
        for (int k = 1; k < least; ++k)
            sum += weights[static_cast<std::size_t>(k) * count + i] * own[k];
        out[i] = sum;
    }
}

// Returns how many image pixels of each screen pixel are in the means.
int averageFirst(const Gather& taps, const float* values, std::size_t count, float* out)
{
    switch (std::min(taps.least, 4)) {
    case 1:
        averageNeighbours<1>(taps, values, count, out);
        return 1;
    case 2:
        averageNeighbours<2>(taps, values, count, out);
        return 2;
    case 3:
        averageNeighbours<3>(taps, values, count, out);
        return 3;
    default:
        averageNeighbours<4>(taps, values, count, out);
        return 4;
    }
}

void average(const Gather& taps, const float* values, std::size_t count, float* out)
{
    if (taps.depth == 1) {
        for (std::size_t i = 0; i < count; ++i)
            out[i] = values[taps.index[i]];
        return;
    }
    for (int k = averageFirst(taps, values, count, out); k < taps.depth; ++k) {
        const int* __restrict index = taps.index.data() + static_cast<std::size_t>(k) * count;
        const float* __restrict weights = taps.weight.data() + static_cast<std::size_t>(k) * count;
        float* __restrict sums = out;
        for (std::size_t i = 0; i < count; ++i)
            sums[i] += weights[i] * values[index[i]];
    }
}

SINOSCOPE_VECTORS void colourRow(const float* values, int count, const GreyWindow& window, const ColourTable& colours,
                                 QRgb* out)
{
    const float low = static_cast<float>(window.low);
    const double span = window.high - window.low;
    // A window of zero width is a step at its value.
    const float scale = span > 0 ? static_cast<float>(255 / span) : std::numeric_limits<float>::max();
    constexpr int block = 256;
    std::array<int, block> entries; // separate from the table, so that the compiler vectorises the arithmetic
    for (int begin = 0; begin < count; begin += block) {
        const int length = std::min(block, count - begin);
        for (int i = 0; i < length; ++i) {
            const float value = values[begin + i];
            const float level = (value - low) * scale + 0.5f;
            const float above = level > 0 ? level : 0.0f; // NaN becomes 0 here
            const int entry = static_cast<int>(above < 255.0f ? above : 255.0f);
            entries[i] = std::abs(value) <= std::numeric_limits<float>::max() ? entry : notFiniteEntry;
        }
        for (int i = 0; i < length; ++i)
            out[begin + i] = colours[entries[i]];
    }
}

// Image rows that are added up in one loop, in their order. Up to 6 times reduced, a screen pixel needs no more.
constexpr int mostRows = 7;
struct Rows {
    std::array<const float*, mostRows> values{};
    std::array<float, mostRows> share{};
    int count = 0;
};

template <int n>
[[gnu::always_inline]] inline void sumRows(const Rows& rows, int width, float* __restrict sums)
{
    const auto values = rows.values;
    const auto share = rows.share;
    for (int c = 0; c < width; ++c) {
        float sum = share[0] * values[0][c];
        for (int k = 1; k < n; ++k)
            sum += share[static_cast<std::size_t>(k)] * values[static_cast<std::size_t>(k)][c];
        sums[c] = sum;
    }
}

SINOSCOPE_VECTORS void sumUp(const Rows& rows, int width, float* sums)
{
    switch (rows.count) {
    case 1:
        return sumRows<1>(rows, width, sums);
    case 2:
        return sumRows<2>(rows, width, sums);
    case 3:
        return sumRows<3>(rows, width, sums);
    case 4:
        return sumRows<4>(rows, width, sums);
    case 5:
        return sumRows<5>(rows, width, sums);
    case 6:
        return sumRows<6>(rows, width, sums);
    default:
        return sumRows<mostRows>(rows, width, sums);
    }
}

SINOSCOPE_VECTORS void addRow(const float* values, float share, int width, float* sums)
{
    for (int c = 0; c < width; ++c)
        sums[c] += share * values[c];
}

// The mean of several image rows, weighted by how far the screen pixel covers them. buffers: for rows of differences.
void averageRows(const Pixels& pixels, const Tap& tap, int first, int width, std::vector<std::vector<float>>& buffers,
                 float* sums)
{
    const float all = total(tap);
    Rows rows{.count = std::min(mostRows, tap.last - tap.first + 1)};
    for (int k = 0; k < rows.count; ++k) {
        const auto place = static_cast<std::size_t>(k);
        rows.values[place] = pixels.part(tap.first + k, first, width, buffers[place]);
        rows.share[place] = weight(tap, tap.first + k) / all;
    }
    sumUp(rows, width, sums);
    for (int k = tap.first + rows.count; k <= tap.last; ++k)
        addRow(pixels.part(k, first, width, buffers[0]), weight(tap, k) / all, width, sums);
}

} // namespace

ColumnTaps::ColumnTaps(const Pixels& pixels, double scale, double offset, int width)
{
    if (!pixels || scale <= 0)
        return;
    const engine::SliceGrid& grid = pixels.grid();
    const QRectF area = pixels.area();
    Impl made{axis(area.left(), area.right(), grid.x0, grid.step, grid.width, scale, offset, width), {}};
    if (made.columns.taps.empty())
        return;
    made.across = gather(made.columns.taps);
    m_impl = std::make_shared<const Impl>(std::move(made));
}

Frame resample(const Pixels& pixels, QPointF scale, QPointF offset, QSize size, Frame reused)
{
    return resample(pixels, ColumnTaps(pixels, scale.x(), offset.x(), size.width()), scale.y(), offset.y(),
                    size.height(), std::move(reused));
}

Frame resample(const Pixels& pixels, const ColumnTaps& columnTaps, double scale, double offset, int height,
               Frame reused)
{
    if (!columnTaps.m_impl || scale <= 0)
        return {};
    const auto& [columns, across] = *columnTaps.m_impl;
    const engine::SliceGrid& grid = pixels.grid();
    const QRectF area = pixels.area();
    const Axis rows = axis(area.top(), area.bottom(), grid.y0, grid.step, grid.height, scale, offset, height);
    if (rows.taps.empty())
        return {};
    Frame frame{QPoint(columns.origin, rows.origin), static_cast<int>(columns.taps.size()),
                static_cast<int>(rows.taps.size()), std::move(reused.values)};
    frame.values.resize(static_cast<std::size_t>(frame.width) * frame.height);

    const int first = columns.taps.front().first, last = columns.taps.back().last;
    const std::size_t width = static_cast<std::size_t>(frame.width);
    std::vector<std::vector<float>> buffers(mostRows);
    std::vector<float> sums(static_cast<std::size_t>(grid.width));
    for (int y = 0; y < frame.height; ++y) {
        const Tap& tap = rows.taps[y];
        float* out = frame.values.data() + y * width;
        if (tap.first == tap.last) {
            const bool repeated = y > 0 && rows.taps[y - 1].first == tap.first && rows.taps[y - 1].last == tap.last;
            if (repeated)
                std::copy_n(out - width, width, out);
            else
                average(across, pixels.row(tap.first, buffers[0]), width, out);
            continue;
        }
        averageRows(pixels, tap, first, last - first + 1, buffers, sums.data() + first);
        average(across, sums.data(), width, out);
    }
    return frame;
}

QImage shade(const Frame& frame, const GreyWindow& window, const ColourTable& colours, QImage reused)
{
    if (frame.values.empty())
        return {};
    const bool fits = reused.size() == QSize(frame.width, frame.height) && reused.isDetached();
    QImage image = fits ? std::move(reused) : newImage(frame.width, frame.height, QImage::Format_RGB32);
    for (int y = 0; y < frame.height; ++y)
        colourRow(frame.values.data() + static_cast<std::size_t>(y) * frame.width, frame.width, window, colours,
                  reinterpret_cast<QRgb*>(image.scanLine(y)));
    return image;
}

QImage shade(const Pixels& pixels, const GreyWindow& window, const ColourTable& colours)
{
    if (!pixels)
        return {};
    QImage image = newImage(pixels.width(), pixels.height(), QImage::Format_RGB32);
    uchar* const bits = image.bits();
    const std::size_t bytesPerLine = static_cast<std::size_t>(image.bytesPerLine());
    inParallel(pixels.height(), static_cast<double>(pixels.width()) * pixels.height(), [&](int begin, int end) {
        std::vector<float> buffer;
        for (int y = begin; y < end; ++y)
            colourRow(pixels.row(y, buffer), pixels.width(), window, colours,
                      reinterpret_cast<QRgb*>(bits + y * bytesPerLine));
    });
    return image;
}

QImage greyPicture(const std::shared_ptr<const engine::Volume>& volume, std::optional<GreyWindow>& window)
{
    if (!window) {
        std::vector<float> sorted(volume->values.begin(), volume->values.end());
        std::ranges::sort(sorted);
        window = {sorted[sorted.size() / 200], sorted[sorted.size() - 1 - sorted.size() / 200]};
    }
    GridSlice plane;
    plane.volume = volume;
    plane.grid = engine::SliceGrid{volume->width, 0, 0, volume->width, volume->height, 1};
    return shade(Pixels(plane), *window, colourMaps().front().colours);
}

} // namespace ui

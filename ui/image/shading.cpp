#include "ui/image/shading.h"

#include "ui/image/parallel_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ui
{

namespace
{

// Which pixels of the image make up one pixel of the screen, along one axis.
struct Tap {
    int first = 0, last = 0;
    float firstWeight = 1, lastWeight = 1; // those between weigh 1
};

struct Axis {
    int origin = 0;
    std::vector<Tap> taps;
};

// [begin, end): what the image covers, in slice pixels; pixel 0 of the image is centred at `first`.
Axis axis(double begin, double end, double first, double step, int count, double scale, double offset, int screen)
{
    const int from = std::max(0, static_cast<int>(std::ceil(scale * begin + offset - 0.5)));
    const int to = std::min(screen, static_cast<int>(std::ceil(scale * end + offset - 0.5)));
    // Edges in pixels of the image: pixel k covers [k, k + 1).
    const auto edge = [&](double device) { return ((device - offset) / scale - first) / step + 0.5; };
    const bool magnified = scale * step >= 1;
    Axis result{from, {}};
    result.taps.reserve(std::max(0, to - from));
    for (int i = from; i < to; ++i) {
        Tap tap;
        if (magnified) {
            // A hair to the right, so that a middle that falls on an edge always goes the same way.
            tap.first = tap.last = std::clamp(static_cast<int>(std::floor(edge(i + 0.5) + 1e-9)), 0, count - 1);
        } else {
            const double low = std::clamp(edge(i), 0.0, static_cast<double>(count));
            const double high = std::clamp(edge(i + 1), low, static_cast<double>(count));
            tap.first = std::min(static_cast<int>(low), count - 1);
            tap.last = std::clamp(static_cast<int>(std::ceil(high)) - 1, tap.first, count - 1);
            tap.firstWeight = static_cast<float>(std::min(high, tap.first + 1.0) - low);
            tap.lastWeight = tap.last > tap.first ? static_cast<float>(high - tap.last) : tap.firstWeight;
            if (tap.firstWeight < 1e-6f && tap.last > tap.first) { // so that 0 · NaN can't spread
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

// Weighted mean of a line of values, for every tap.
void average(const std::vector<Tap>& taps, const float* values, float* out)
{
    for (std::size_t i = 0; i < taps.size(); ++i) {
        const Tap& tap = taps[i];
        float sum = values[tap.first] * tap.firstWeight, total = tap.firstWeight;
        for (int k = tap.first + 1; k < tap.last; ++k)
            sum += values[k];
        if (tap.last > tap.first) {
            sum += values[tap.last] * tap.lastWeight;
            total += tap.lastWeight + static_cast<float>(tap.last - tap.first - 1);
        }
        out[i] = total > 0 ? sum / total : values[tap.first];
    }
}

void colourRow(const float* values, int count, const GreyWindow& window, const ColourTable& colours, QRgb* out)
{
    const float low = static_cast<float>(window.low);
    const double span = window.high - window.low;
    // A window of no width is a step at its value.
    const float scale = span > 0 ? static_cast<float>(255 / span) : std::numeric_limits<float>::max();
    for (int i = 0; i < count; ++i) {
        const float level = (values[i] - low) * scale + 0.5f;
        const float bounded = level > 0 ? std::min(level, 255.0f) : 0.0f; // NaN becomes 0 here
        const bool finite = std::abs(values[i]) <= std::numeric_limits<float>::max();
        out[i] = colours[finite ? static_cast<int>(bounded) : notFiniteEntry];
    }
}

// Rows [begin, end) of the frame.
void fillRows(Frame& frame, const Pixels& pixels, const std::vector<Tap>& columns, const std::vector<Tap>& rows,
              int begin, int end)
{
    const int first = columns.front().first, last = columns.back().last;
    const std::size_t width = static_cast<std::size_t>(frame.width);
    std::vector<float> buffer, sums(static_cast<std::size_t>(pixels.width()));
    for (int y = begin; y < end; ++y) {
        const Tap& tap = rows[y];
        float* out = frame.values.data() + y * width;
        if (tap.first == tap.last) {
            const bool repeated = y > begin && rows[y - 1].first == tap.first && rows[y - 1].last == tap.last;
            if (repeated)
                std::copy_n(out - width, width, out);
            else
                average(columns, pixels.row(tap.first, buffer), out);
            continue;
        }
        std::fill(sums.begin() + first, sums.begin() + last + 1, 0.0f);
        float total = 0;
        for (int k = tap.first; k <= tap.last; ++k) {
            const float* values = pixels.row(k, buffer);
            const float share = weight(tap, k);
            total += share;
            for (int c = first; c <= last; ++c)
                sums[c] += share * values[c];
        }
        average(columns, sums.data(), out);
        for (std::size_t x = 0; x < width; ++x)
            out[x] /= total;
    }
}

// How many pixels of the image are looked at along one axis.
double readsOf(const Axis& axis, int count)
{
    return std::max<double>(count, axis.taps.back().last - axis.taps.front().first + 1);
}

} // namespace

Frame resample(const Pixels& pixels, double scale, QPointF offset, QSize size)
{
    if (!pixels || scale <= 0)
        return {};
    const engine::SliceGrid& grid = pixels.grid();
    const QRectF area = pixels.area();
    const Axis columns =
        axis(area.left(), area.right(), grid.x0, grid.step, grid.width, scale, offset.x(), size.width());
    const Axis rows =
        axis(area.top(), area.bottom(), grid.y0, grid.step, grid.height, scale, offset.y(), size.height());
    Frame frame{QPoint(columns.origin, rows.origin),
                static_cast<int>(columns.taps.size()),
                static_cast<int>(rows.taps.size()),
                {}};
    if (columns.taps.empty() || rows.taps.empty())
        return {};
    frame.values.resize(static_cast<std::size_t>(frame.width) * frame.height);

    inParallel(frame.height, readsOf(columns, frame.width) * readsOf(rows, frame.height),
               [&](int begin, int end) { fillRows(frame, pixels, columns.taps, rows.taps, begin, end); });
    return frame;
}

QImage shade(const Frame& frame, const GreyWindow& window, const ColourTable& colours)
{
    if (frame.values.empty())
        return {};
    QImage image(frame.width, frame.height, QImage::Format_RGB32);
    uchar* const bits = image.bits();
    const std::size_t bytesPerLine = static_cast<std::size_t>(image.bytesPerLine());
    inParallel(frame.height, static_cast<double>(frame.width) * frame.height, [&](int begin, int end) {
        for (int y = begin; y < end; ++y)
            colourRow(frame.values.data() + static_cast<std::size_t>(y) * frame.width, frame.width, window, colours,
                      reinterpret_cast<QRgb*>(bits + y * bytesPerLine));
    });
    return image;
}

QImage shade(const Pixels& pixels, const GreyWindow& window, const ColourTable& colours)
{
    if (!pixels)
        return {};
    QImage image(pixels.width(), pixels.height(), QImage::Format_RGB32);
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

} // namespace ui

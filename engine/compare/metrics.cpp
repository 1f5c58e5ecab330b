// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/metrics.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace engine
{

namespace
{

constexpr int gaussRadius = 5; // 11 × 11

struct Images {
    std::span<const float> image, reference;
    int width, height;
};

std::array<double, 2 * gaussRadius + 1> gaussian()
{
    std::array<double, 2 * gaussRadius + 1> weights{};
    double sum = 0;
    for (int k = -gaussRadius; k <= gaussRadius; ++k)
        sum += weights[k + gaussRadius] = std::exp(-k * k / (2 * 1.5 * 1.5));
    for (double& weight : weights)
        weight /= sum;
    return weights;
}

// Weighted sums over a window: of a, b, a², b², ab.
using Moments = std::array<double, 5>;

// A sum over pixels, and their number.
struct PixelSum {
    double total = 0;
    long long pixels = 0;
};

class SsimRows
{
  public:
    SsimRows(const Images& images, const MaskRows& mask, double range)
        : m_images(images), m_mask(mask), m_c1(std::pow(0.01 * range, 2)), m_c2(std::pow(0.03 * range, 2)),
          m_gauss(gaussian())
    {
    }

    // Returns the sum over the masked pixels of rows [first, last) whose window lies inside the image and has only
    // finite values. Each row is blurred along x once, where the mask needs it, and stored in a ring buffer.
    PixelSum sum(int first, int last) const
    {
        constexpr int ring = 2 * gaussRadius + 1;
        first = std::max(first, gaussRadius);
        last = std::min(last, m_images.height - gaussRadius);
        const Run columns = columnsOf(first, last);
        PixelSum sum;
        if (columns.begin >= columns.end)
            return sum;
        std::vector<std::vector<Moments>> rows(ring, std::vector<Moments>(columns.end - columns.begin));
        for (int row = first - gaussRadius; row < first + gaussRadius; ++row)
            blurAlongX(row, columns, rows[row % ring]);
        for (int row = first; row < last; ++row) {
            blurAlongX(row + gaussRadius, columns, rows[(row + gaussRadius) % ring]);
            std::array<const Moments*, ring> window{};
            for (int k = 0; k < ring; ++k)
                window[k] = rows[(row + k - gaussRadius) % ring].data();
            for (const Run& run : m_mask.runs(row))
                for (int column = std::max(run.begin, columns.begin) - columns.begin;
                     column < std::min(run.end, columns.end) - columns.begin; ++column) {
                    Moments moments{};
                    for (int k = 0; k < ring; ++k)
                        for (std::size_t i = 0; i < moments.size(); ++i)
                            moments[i] += m_gauss[k] * window[k][column][i];
                    if (const double one = similarity(moments); std::isfinite(one)) {
                        sum.total += one;
                        ++sum.pixels;
                    }
                }
        }
        return sum;
    }

  private:
    // Columns of the masked pixels of rows [first, last) whose windows lie inside the image.
    Run columnsOf(int first, int last) const
    {
        Run columns{m_images.width, 0};
        for (int row = first; row < last; ++row)
            if (const auto runs = m_mask.runs(row); !runs.empty())
                columns = {std::min(columns.begin, runs.front().begin), std::max(columns.end, runs.back().end)};
        return {std::max(columns.begin, gaussRadius), std::min(columns.end, m_images.width - gaussRadius)};
    }

    void blurAlongX(int row, const Run& columns, std::vector<Moments>& out) const
    {
        const std::size_t start = static_cast<std::size_t>(row) * m_images.width + columns.begin - gaussRadius;
        std::vector<Moments> line(out.size() + 2 * gaussRadius);
        for (std::size_t column = 0; column < line.size(); ++column) {
            const double a = m_images.image[start + column], b = m_images.reference[start + column];
            line[column] = {a, b, a * a, b * b, a * b};
        }
        for (std::size_t column = 0; column < out.size(); ++column) {
            Moments moments{};
            for (std::size_t k = 0; k < m_gauss.size(); ++k)
                for (std::size_t i = 0; i < moments.size(); ++i)
                    moments[i] += m_gauss[k] * line[column + k][i];
            out[column] = moments;
        }
    }

    double similarity(const Moments& sums) const
    {
        const auto& [a, b, squareA, squareB, product] = sums;
        const double varianceA = squareA - a * a, varianceB = squareB - b * b, covariance = product - a * b;
        const double top = (2 * a * b + m_c1) * (2 * covariance + m_c2);
        const double bottom = (a * a + b * b + m_c1) * (varianceA + varianceB + m_c2);
        return bottom == 0 ? 1 : top / bottom; // both are constant and 0, and the reference has no range
    }

    const Images& m_images;
    const MaskRows& m_mask;
    const double m_c1, m_c2;
    const std::array<double, 2 * gaussRadius + 1> m_gauss;
};

// Wang et al. 2004, section III.C: the mean over all pixels whose window lies inside the image. NaN if there are none.
double meanSsim(const Images& images, const MaskRows& mask, double range)
{
    constexpr int band = 64; // rows; a fixed division, so that the sum doesn't depend on the threads
    const SsimRows rows(images, mask, range);
    const int top = mask.bounds().row, bottom = top + mask.bounds().height;
    const int firstBand = top / band;
    std::vector<PixelSum> sums((bottom - 1) / band - firstBand + 1);
    parallelFor(0, static_cast<int>(sums.size()), [&](int k) {
        int first = std::max((firstBand + k) * band, top), last = std::min((firstBand + k + 1) * band, bottom);
        while (first < last && mask.runs(first).empty())
            ++first;
        while (last > first && mask.runs(last - 1).empty())
            --last;
        sums[k] = rows.sum(first, last);
    });
    PixelSum all;
    for (const PixelSum& sum : sums) {
        all.total += sum.total;
        all.pixels += sum.pixels;
    }
    return all.total / static_cast<double>(all.pixels);
}

} // namespace

Metrics compareImages(std::span<const float> image, std::span<const float> reference, int width, int height,
                      const Mask& mask, bool leavesOut, bool withSsim)
{
    const std::size_t size = width > 0 && height > 0 ? static_cast<std::size_t>(width) * height : 0;
    if (size == 0 || image.size() != size || reference.size() != size)
        throw Error(ErrorKind::badRequest, "images of " + std::to_string(image.size()) + " and " +
                                               std::to_string(reference.size()) + " pixels can't be compared as " +
                                               std::to_string(width) + " × " + std::to_string(height));
    const Images images{image, reference, width, height};
    const MaskRows rows(mask, width, height);
    Metrics metrics;
    metrics.pixels = rows.pixels();
    double squares = 0, sumImage = 0, sumReference = 0;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const int bottom = rows.bounds().row + rows.bounds().height;
    for (int row = rows.bounds().row; row < bottom; ++row)
        for (const Run& run : rows.runs(row))
            for (int column = run.begin; column < run.end; ++column) {
                const std::size_t k = static_cast<std::size_t>(row) * width + column;
                const double a = image[k], b = reference[k];
                if (std::isnan(a) && std::isnan(b)) {
                    ++metrics.gaps;
                    continue;
                }
                if (!std::isfinite(a) || !std::isfinite(b)) {
                    if (metrics.notFinite++ == 0)
                        metrics.notFiniteAt = {column, row};
                    continue;
                }
                squares += (a - b) * (a - b);
                metrics.maximum = std::max(metrics.maximum, std::abs(a - b));
                sumImage += a;
                sumReference += b;
                low = std::min(low, b);
                high = std::max(high, b);
            }
    metrics.pixels -= metrics.gaps;
    if (metrics.notFinite > 0 || metrics.pixels == 0) {
        const double nan = std::numeric_limits<double>::quiet_NaN(), maximum = metrics.maximum;
        for (const MetricRow& row : metricRows())
            metrics.*row.value = nan;
        if (const long long finite = metrics.pixels - metrics.notFinite; leavesOut && finite > 0) {
            metrics.rmse = std::sqrt(squares / static_cast<double>(finite));
            metrics.maximum = maximum;
        }
        metrics.referenceRange = metrics.referenceLeast = metrics.meanImage = metrics.meanReference = nan;
        return metrics;
    }
    const double count = static_cast<double>(metrics.pixels);
    metrics.rmse = std::sqrt(squares / count);
    metrics.referenceRange = high - low;
    metrics.referenceLeast = low;
    // Equal images: +∞ dB. Otherwise a constant reference has no peak to compare the noise with.
    metrics.psnrDb = metrics.rmse == 0             ? std::numeric_limits<double>::infinity()
                     : metrics.referenceRange == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                   : 20 * std::log10(metrics.referenceRange / metrics.rmse);
    metrics.ssim = withSsim ? meanSsim(images, rows, metrics.referenceRange) : std::numeric_limits<double>::quiet_NaN();
    metrics.meanImage = sumImage / count;
    metrics.meanReference = sumReference / count;
    return metrics;
}

std::span<const MetricRow> metricRows()
{
    using Form = MetricRow::Form;
    static constexpr MetricRow rows[] = {
        {"rmse", "rmse", "RMSE",
         "Root of the mean squared difference to the reference, in the image's unit. Smaller is better.",
         Form::difference, &Metrics::rmse, true},
        {"maximum", "maximum", "maximum",
         "Largest absolute difference to the reference, in the image's unit. Smaller is better.", Form::difference,
         &Metrics::maximum},
        {"psnr", "psnrDb", "PSNR",
         "Peak signal-to-noise ratio: 20·log₁₀(range of the reference / RMSE), in decibels. Larger is better.",
         Form::decibels, &Metrics::psnrDb},
        {"ssim", "ssim", "SSIM",
         "Structural similarity (Wang et al. 2004, Gaussian window of σ = 1.5 pixels; without the outer five rows and "
         "columns of the image), 1 where the images are equal. Larger is better.",
         Form::similarity, &Metrics::ssim}};
    return rows;
}

} // namespace engine

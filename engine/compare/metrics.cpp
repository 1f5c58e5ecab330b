#include "engine/compare/metrics.h"

#include "engine/error.h"
#include "engine/parallel_for.h"

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

// Columns [begin, end) of each row that the mask takes; a disc and a rectangle are intersected.
class MaskRows
{
  public:
    MaskRows(const Mask& mask, int width, int height) : m_begin(height), m_end(height)
    {
        if (mask.discRadius && !(*mask.discRadius > 0 && *mask.discRadius <= 1))
            throw Error(ErrorKind::badRequest, "disc radius " + std::to_string(*mask.discRadius) +
                                                   " is not a fraction of the half width; give a number above 0 "
                                                   "and up to 1");
        const Region region = mask.region.value_or(Region{0, 0, width, height});
        for (int row = 0; row < height; ++row) {
            int begin = std::max(region.column, 0), end = std::min(region.column + region.width, width);
            if (row < region.row || row >= region.row + region.height)
                end = begin;
            if (mask.discRadius) {
                const double radius = *mask.discRadius * std::min(width, height) / 2.0;
                const double middle = (width - 1) / 2.0, y = row - (height - 1) / 2.0;
                const double half = radius >= std::abs(y) ? std::sqrt(radius * radius - y * y) : -1;
                begin = std::max(begin, static_cast<int>(std::ceil(middle - half)));
                end = std::min(end, static_cast<int>(std::floor(middle + half)) + 1);
            }
            m_begin[row] = begin;
            m_end[row] = std::max(begin, end);
        }
    }
    int begin(int row) const { return m_begin[row]; }
    int end(int row) const { return m_end[row]; }

  private:
    std::vector<int> m_begin, m_end;
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

// Weighted sums over a window: of 1, a, b, a², b², ab. Pixels outside the image or not finite have
// no weight, and the others are divided by what is left.
using Moments = std::array<double, 6>;

class SsimRows
{
  public:
    SsimRows(const Images& images, const MaskRows& mask, double range)
        : m_images(images), m_mask(mask), m_c1(std::pow(0.01 * range, 2)), m_c2(std::pow(0.03 * range, 2)),
          m_gauss(gaussian())
    {
    }

    // Sum over the masked pixels of rows [first, last); rows are blurred along x once and kept in a ring.
    double sum(int first, int last) const
    {
        constexpr int ring = 2 * gaussRadius + 1;
        std::vector<std::vector<Moments>> rows(ring, std::vector<Moments>(m_images.width));
        const auto fill = [&](int row) {
            if (row >= 0 && row < m_images.height)
                blurAlongX(row, rows[row % ring]);
        };
        for (int row = first - gaussRadius; row < first + gaussRadius; ++row)
            fill(row);
        double total = 0;
        for (int row = first; row < last; ++row) {
            fill(row + gaussRadius);
            for (int column = m_mask.begin(row); column < m_mask.end(row); ++column) {
                Moments moments{};
                for (int k = -gaussRadius; k <= gaussRadius; ++k)
                    if (row + k >= 0 && row + k < m_images.height)
                        for (int i = 0; i < 6; ++i)
                            moments[i] += m_gauss[k + gaussRadius] * rows[(row + k) % ring][column][i];
                total += similarity(moments);
            }
        }
        return total;
    }

  private:
    void blurAlongX(int row, std::vector<Moments>& out) const
    {
        const std::size_t start = static_cast<std::size_t>(row) * m_images.width;
        std::vector<Moments> line(m_images.width + 2 * gaussRadius, Moments{});
        for (int column = 0; column < m_images.width; ++column) {
            const double a = m_images.image[start + column], b = m_images.reference[start + column];
            if (std::isfinite(a) && std::isfinite(b))
                line[column + gaussRadius] = {1, a, b, a * a, b * b, a * b};
        }
        for (int column = 0; column < m_images.width; ++column) {
            Moments moments{};
            for (int k = 0; k < static_cast<int>(m_gauss.size()); ++k)
                for (int i = 0; i < 6; ++i)
                    moments[i] += m_gauss[k] * line[column + k][i];
            out[column] = moments;
        }
    }

    double similarity(const Moments& sums) const
    {
        const double a = sums[1] / sums[0], b = sums[2] / sums[0];
        const double varianceA = sums[3] / sums[0] - a * a, varianceB = sums[4] / sums[0] - b * b;
        const double covariance = sums[5] / sums[0] - a * b;
        const double top = (2 * a * b + m_c1) * (2 * covariance + m_c2);
        const double bottom = (a * a + b * b + m_c1) * (varianceA + varianceB + m_c2);
        return bottom == 0 ? 1 : top / bottom; // both constant and 0, and a reference without range
    }

    const Images& m_images;
    const MaskRows& m_mask;
    const double m_c1, m_c2;
    const std::array<double, 2 * gaussRadius + 1> m_gauss;
};

double meanSsim(const Images& images, const MaskRows& mask, double range, long long pixels)
{
    constexpr int band = 64; // rows; a fixed split, so that the sum doesn't depend on the threads
    const SsimRows rows(images, mask, range);
    std::vector<double> sums((images.height + band - 1) / band);
    parallelFor(0, static_cast<int>(sums.size()), [&](int k) {
        int first = k * band, last = std::min(first + band, images.height);
        while (first < last && mask.begin(first) == mask.end(first))
            ++first;
        while (last > first && mask.begin(last - 1) == mask.end(last - 1))
            --last;
        if (first < last)
            sums[k] = rows.sum(first, last);
    });
    double total = 0;
    for (const double sum : sums)
        total += sum;
    return total / static_cast<double>(pixels);
}

} // namespace

Metrics compareImages(std::span<const float> image, std::span<const float> reference, int width, int height,
                      const Mask& mask)
{
    const std::size_t size = width > 0 && height > 0 ? static_cast<std::size_t>(width) * height : 0;
    if (size == 0 || image.size() != size || reference.size() != size)
        throw Error(ErrorKind::badRequest, "images of " + std::to_string(image.size()) + " and " +
                                               std::to_string(reference.size()) + " pixels can't be compared as " +
                                               std::to_string(width) + " × " + std::to_string(height));
    const Images images{image, reference, width, height};
    const MaskRows rows(mask, width, height);
    Metrics metrics;
    double squares = 0, sumImage = 0, sumReference = 0;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (int row = 0; row < height; ++row) {
        for (int column = rows.begin(row); column < rows.end(row); ++column) {
            const std::size_t k = static_cast<std::size_t>(row) * width + column;
            const double a = image[k], b = reference[k];
            ++metrics.pixels;
            if (!std::isfinite(a) || !std::isfinite(b)) {
                ++metrics.notFinite;
                continue;
            }
            squares += (a - b) * (a - b);
            metrics.maximum = std::max(metrics.maximum, std::abs(a - b));
            sumImage += a;
            sumReference += b;
            low = std::min(low, b);
            high = std::max(high, b);
        }
    }
    if (metrics.pixels == 0)
        throw Error(ErrorKind::badRequest, "the mask holds no pixel of the " + std::to_string(width) + " × " +
                                               std::to_string(height) + " image; choose a larger one");
    if (metrics.notFinite > 0) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (const MetricRow& row : metricRows())
            metrics.*row.value = nan;
        metrics.referenceRange = metrics.meanImage = metrics.meanReference = nan;
        return metrics;
    }
    const double count = static_cast<double>(metrics.pixels);
    metrics.rmse = std::sqrt(squares / count);
    metrics.referenceRange = high - low;
    // Equal images: +∞ dB, also where the reference has no range.
    metrics.psnrDb = metrics.rmse == 0 ? std::numeric_limits<double>::infinity()
                                       : 20 * std::log10(metrics.referenceRange / metrics.rmse);
    metrics.ssim = meanSsim(images, rows, metrics.referenceRange, metrics.pixels);
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
         "Structural similarity (Wang et al. 2004, Gaussian window of σ = 1.5 pixels), 1 where the images are equal. "
         "Larger is better.",
         Form::similarity, &Metrics::ssim}};
    return rows;
}

} // namespace engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/spectra.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/filter/transform.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <string>

namespace engine
{

namespace
{

using Complex = std::complex<double>;

Region squareAround(const Region& bounds, int width, int height)
{
    const int side = std::min({std::max(bounds.width, bounds.height), width, height});
    const auto first = [side](int begin, int length, int available) {
        return std::clamp(begin + (length - side) / 2, 0, available - side);
    };
    return {first(bounds.column, bounds.width, width), first(bounds.row, bounds.height, height), side, side};
}

std::vector<double> hann(int side)
{
    std::vector<double> weights(side);
    for (int k = 0; k < side; ++k)
        weights[k] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (k + 0.5) / side);
    return weights;
}

double sumOfPowers(const std::vector<double>& values, int power)
{
    double sum = 0;
    for (const double value : values)
        sum += std::pow(value, power);
    return sum;
}

// Returns [row][column] of the square as image + i·reference: both are real, so that one transform computes both.
std::vector<Complex> pairedSquare(std::span<const float> image, std::span<const float> reference, int width,
                                  const Region& square)
{
    std::vector<Complex> pairs;
    pairs.reserve(static_cast<std::size_t>(square.width) * square.height);
    for (int row = square.row; row < square.row + square.height; ++row)
        for (int column = square.column; column < square.column + square.width; ++column) {
            const std::size_t k = static_cast<std::size_t>(row) * width + column;
            pairs.emplace_back(image[k], reference[k]);
        }
    const auto finite = [](const Complex& pair) { return std::isfinite(pair.real()) && std::isfinite(pair.imag()); };
    const auto bad = pairs.size() - std::count_if(pairs.begin(), pairs.end(), finite);
    require(bad == 0,
            std::to_string(bad) + " pixels of the square " + toText(square) +
                " are not finite in both images, but a spectrum needs all pixels; choose a square without such pixels");
    return pairs;
}

// Subtracts the mean, weighted so that nothing remains at frequency 0. Multiplies by the window along both axes.
// Divides each image by its norm, and returns the norms: if the images' units differ widely, the smaller image would
// otherwise be lost in the rounding errors of the other's transform. A flat image becomes all 0, with norm 0.
Complex applyWindow(std::vector<Complex>& pairs, const std::vector<double>& window)
{
    const std::size_t side = window.size();
    const Complex first = pairs.front(); // subtracted first, so that a flat image has a mean of exactly 0
    Complex mean = 0;
    for (std::size_t row = 0; row < side; ++row)
        for (std::size_t column = 0; column < side; ++column)
            mean += window[row] * window[column] * (pairs[row * side + column] -= first);
    mean /= std::pow(sumOfPowers(window, 1), 2);
    double image = 0, reference = 0;
    for (std::size_t row = 0; row < side; ++row)
        for (std::size_t column = 0; column < side; ++column) {
            Complex& pair = pairs[row * side + column];
            pair = window[row] * window[column] * (pair - mean);
            image += pair.real() * pair.real();
            reference += pair.imag() * pair.imag();
        }
    const Complex norms(std::sqrt(image), std::sqrt(reference));
    for (Complex& pair : pairs)
        pair = {image > 0 ? pair.real() / norms.real() : 0, reference > 0 ? pair.imag() / norms.imag() : 0};
    return norms;
}

void transformSquare(std::vector<Complex>& values, int side)
{
    const Transform<double>& transform = Transform<double>::of(side, static_cast<std::size_t>(side) * 2);
    const auto along = [&](std::size_t line, std::size_t step) { // line k begins at k·line
        parallelFor(tbb::blocked_range<int>(0, side), [&, line, step](const tbb::blocked_range<int>& lines) {
            TransformRow<double> row(side);
            for (int k = lines.begin(); k < lines.end(); ++k) {
                for (int i = 0; i < side; ++i)
                    row.data()[i] = values[k * line + i * step];
                transform.forward(row);
                for (int i = 0; i < side; ++i)
                    values[k * line + i * step] = row.data()[i];
            }
        });
    };
    along(side, 1);
    along(1, side);
}

// With the window, the noise of two frequencies that are dx and dy apart has the correlation c(dx)·c(dy), where c,
// the transform of the squared Hann window, is 1, 2/3, 1/6 for 0, ±1, ±2. So a sum over a ring of `count` frequencies
// varies like a sum of count/S independent numbers, where S is Σ c²(dx)·c²(dy) over frequencies of the same ring:
// 1.87 averaged over directions (1.7 to 2.1 from ring to ring).
constexpr double sharedNoise = 1.87;

struct Ring {
    double count = 0, image = 0, reference = 0, product = 0;
};

// Sums a paired spectrum over rings. Reads half of the rows and weights them double, as the other half is their
// conjugate; rows 0 and side/2 are their own conjugates.
std::vector<Ring> ringsOf(const std::vector<Complex>& spectrum, int side)
{
    std::vector<Ring> rings(side / 2 + 1);
    for (int v = 0; v <= side / 2; ++v) {
        const double weight = v == 0 || 2 * v == side ? 1 : 2;
        for (int column = 0; column < side; ++column) {
            const int u = 2 * column <= side ? column : column - side;
            const auto ring = static_cast<std::size_t>(std::sqrt(double(u) * u + double(v) * v) + 0.5);
            if (ring >= rings.size())
                continue;
            // The spectrum is G = A + i·B, and A and B at −k are the conjugates of those at k.
            const Complex here = spectrum[static_cast<std::size_t>(v) * side + column];
            const Complex there =
                std::conj(spectrum[static_cast<std::size_t>((side - v) % side) * side + (side - column) % side]);
            const Complex a = (here + there) / 2.0, b = (here - there) / Complex(0, 2);
            Ring& sums = rings[ring];
            sums.count += weight;
            sums.image += weight * std::norm(a);
            sums.reference += weight * std::norm(b);
            sums.product += weight * (a.real() * b.real() + a.imag() * b.imag());
        }
    }
    return rings;
}

double correlationOf(const Ring& ring)
{
    if (ring.image > 0 && ring.reference > 0)
        return ring.product / (std::sqrt(ring.image) * std::sqrt(ring.reference));
    return ring.image > 0 || ring.reference > 0 ? 0 : 1;
}

} // namespace

RingSpectra compareSpectra(std::span<const float> image, std::span<const float> reference, int width, int height,
                           const Mask& mask)
{
    const std::size_t size = width > 0 && height > 0 ? static_cast<std::size_t>(width) * height : 0;
    require(size > 0 && image.size() == size && reference.size() == size,
            "spectra of images of " + std::to_string(image.size()) + " and " + std::to_string(reference.size()) +
                " pixels can't be compared as " + std::to_string(width) + " × " + std::to_string(height));
    RingSpectra spectra;
    spectra.square = squareAround(MaskRows(mask, width, height).bounds(), width, height);
    const int side = spectra.square.width;
    constexpr int leastSide = 16;
    require(side >= leastSide, "a square of " + std::to_string(side) +
                                   " pixels per side is too small for a spectrum; choose an area of at least " +
                                   std::to_string(leastSide) + " pixels each way");
    std::vector<Complex> pairs = pairedSquare(image, reference, width, spectra.square);
    const std::vector<double> window = hann(side);
    const Complex norms = applyWindow(pairs, window);
    transformSquare(pairs, side);
    const double energy = std::pow(sumOfPowers(window, 2), 2);
    std::vector<Ring> rings = ringsOf(pairs, side);
    for (std::size_t k = 1; k < rings.size(); ++k) {
        rings[k].image *= norms.real() * norms.real(); // 0 again if the image is flat
        rings[k].reference *= norms.imag() * norms.imag();
        rings[k].product *= norms.real() * norms.imag();
        spectra.frequency.push_back(static_cast<double>(k) / side);
        spectra.samples.push_back(rings[k].count / sharedNoise);
        spectra.correlation.push_back(correlationOf(rings[k]));
        spectra.powerImage.push_back(rings[k].image / rings[k].count / energy);
        spectra.powerReference.push_back(rings[k].reference / rings[k].count / energy);
    }
    return spectra;
}

std::optional<RingSpectra> spectraIfAny(std::span<const float> image, std::span<const float> reference, int width,
                                        int height, const Mask& mask)
{
    try {
        return compareSpectra(image, reference, width, height, mask);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::badRequest)
            throw;
        return std::nullopt;
    }
}

std::vector<double> powerRatio(const RingSpectra& spectra)
{
    std::vector<double> ratio(spectra.powerImage.size());
    std::transform(spectra.powerImage.begin(), spectra.powerImage.end(), spectra.powerReference.begin(), ratio.begin(),
                   [](double image, double reference) { return image / reference; });
    return ratio;
}

std::vector<double> thresholdOf(const RingSpectra& spectra, ResolutionCriterion criterion)
{
    std::vector<double> threshold(spectra.samples.size(), 0.143);
    if (criterion == ResolutionCriterion::halfBit)
        std::transform(spectra.samples.begin(), spectra.samples.end(), threshold.begin(), [](double samples) {
            const double signal = (std::numbers::sqrt2 - 1) / 2, amplitude = 2 * std::sqrt(signal / samples);
            return (signal + amplitude + 1 / std::sqrt(samples)) / (signal + 1 + amplitude);
        });
    return threshold;
}

double resolutionPixels(const RingSpectra& spectra, ResolutionCriterion criterion)
{
    const std::vector<double> threshold = thresholdOf(spectra, criterion);
    const auto above = [&](std::size_t k) { return spectra.correlation[k] - threshold[k]; };
    constexpr std::size_t stays = 3;
    for (std::size_t k = 0, below = 0; k < threshold.size(); ++k) {
        below = above(k) < 0 ? below + 1 : 0;
        if (below < stays && (below == 0 || k + 1 < threshold.size()))
            continue;
        const std::size_t first = k + 1 - below;
        if (first == 0)
            return std::numeric_limits<double>::infinity();
        const double part = above(first - 1) / (above(first - 1) - above(first));
        return 1 / std::lerp(spectra.frequency[first - 1], spectra.frequency[first], part);
    }
    return 2;
}

} // namespace engine

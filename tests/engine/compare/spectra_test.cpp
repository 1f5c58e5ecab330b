// SPDX-License-Identifier: GPL-3.0-or-later
// Fourier ring correlation and power spectra of images whose spectra are known.
#include "engine/compare/spectra.h"
#include "engine/simulate/random.h"
#include "tests/fixtures.h"

#include <functional>
#include <numbers>
#include <numeric>

using namespace engine;
using namespace fixtures;
using std::numbers::pi;

namespace
{

Values whiteImage(int width, int height, std::uint64_t seed, double sigma = 1)
{
    Random random(seed, {0});
    Values values(static_cast<std::size_t>(width) * height);
    for (float& value : values)
        value = static_cast<float>(sigma * random.normal());
    return values;
}

Values sumOf(const Values& a, const Values& b)
{
    Values sum(a.size());
    std::transform(a.begin(), a.end(), b.begin(), sum.begin(), std::plus<>());
    return sum;
}

Values cropped(const Values& image, int width, const Region& region)
{
    Values part;
    for (int row = region.row; row < region.row + region.height; ++row)
        part.insert(part.end(), image.begin() + row * width + region.column,
                    image.begin() + row * width + region.column + region.width);
    return part;
}

} // namespace

class SpectraTest : public QObject
{
    Q_OBJECT
  private slots:
    void frequenciesGoUpToHalf()
    {
        const Values image = whiteImage(64, 50, 1);
        const RingSpectra even = compareSpectra(image, image, 64, 50);
        QCOMPARE(even.square, (Region{7, 0, 50, 50}));
        QCOMPARE(even.frequency.size(), std::size_t{25});
        QCOMPARE(even.frequency.front(), 1.0 / 50);
        QCOMPARE(even.frequency.back(), 0.5);
        const RingSpectra odd = compareSpectra(image, image, 64, 50, {.region = Region{10, 10, 33, 33}});
        QCOMPARE(odd.square, (Region{10, 10, 33, 33}));
        QCOMPARE(odd.frequency.size(), std::size_t{16});
        QVERIFY(std::abs(odd.frequency.back() - 16.0 / 33) < 1e-15);
        // The samples of each ring are counted directly; with a Hann window along both axes, 1.87 samples are worth one
        // independent sample.
        for (const RingSpectra& spectra : {even, odd}) {
            const int side = spectra.square.width;
            std::vector<int> count(side);
            for (int u = -(side - 1) / 2; u <= side / 2; ++u)
                for (int v = -(side - 1) / 2; v <= side / 2; ++v)
                    ++count[std::lround(std::hypot(u, v))];
            for (std::size_t k = 0; k < spectra.samples.size(); ++k)
                QVERIFY(std::abs(spectra.samples[k] * 1.87 - count[k + 1]) < 1e-9);
        }
    }

    void theSquareIsAroundTheArea()
    {
        const Values image = whiteImage(100, 60, 1);
        const auto squareOf = [&](const Area& area) {
            return compareSpectra(image, image, 100, 60, {.area = area}).square;
        };
        QCOMPARE(squareOf(EllipseArea{50, 30, 20, 10}), (Region{30, 10, 41, 41}));
        QCOMPARE(squareOf(EllipseArea{50, 5, 20, 5}), (Region{30, 0, 41, 41}));    // moved inwards
        QCOMPARE(squareOf(EllipseArea{95, 55, 20, 20}), (Region{75, 35, 25, 25})); // the part inside the image
        QCOMPARE(squareOf(Region{10, 20, 80, 20}), (Region{20, 0, 60, 60}));       // as high as the image
    }

    void equalImagesCorrelateEverywhere()
    {
        for (const int size : {64, 61}) {
            Values image = whiteImage(size, size, 2);
            for (float& value : image)
                value += 1000; // the mean must not matter
            Values same = image;
            for (float& value : same)
                value = 1e-12f * value; // nor must the unit
            for (const Values& other : {image, same}) {
                const RingSpectra spectra = compareSpectra(image, other, size, size);
                for (const double correlation : spectra.correlation)
                    QVERIFY(std::abs(correlation - 1) < 1e-6);
                QCOMPARE(resolutionPixels(spectra, ResolutionCriterion::halfBit), 2.0);
                QCOMPARE(resolutionPixels(spectra, ResolutionCriterion::fixed0143), 2.0);
            }
            for (const double ratio : powerRatio(compareSpectra(image, image, size, size)))
                QVERIFY(std::abs(ratio - 1) < 1e-9);
            Values negative = image;
            for (float& value : negative)
                value = -value;
            for (const double correlation : compareSpectra(image, negative, size, size).correlation)
                QVERIFY(std::abs(correlation + 1) < 1e-9);
        }
    }

    void whiteNoiseHasItsVarianceEverywhere()
    {
        const Values image = whiteImage(256, 256, 3, 2), reference = whiteImage(256, 256, 4, 0.5);
        const RingSpectra spectra = compareSpectra(image, reference, 256, 256);
        for (std::size_t k = 0; k < spectra.frequency.size(); ++k) {
            // The relative standard deviation of the mean of |A|² is √(2/n) for n samples, as half of the samples are
            // the conjugates of the others.
            const double bound = 4.5 * std::sqrt(2 / spectra.samples[k]);
            QVERIFY(std::abs(spectra.powerImage[k] / 4 - 1) < bound);
            QVERIFY(std::abs(spectra.powerReference[k] / 0.25 - 1) < bound);
        }
    }

    void independentNoiseDoesNotCorrelate()
    {
        int rings = 0, beyond = 0;
        double squares = 0;
        for (std::uint64_t seed = 10; seed < 20; ++seed) {
            const RingSpectra spectra =
                compareSpectra(whiteImage(256, 256, seed), whiteImage(256, 256, seed + 100), 256, 256);
            for (std::size_t k = 4; k < spectra.frequency.size(); ++k) {
                const double sigmas = spectra.correlation[k] * std::sqrt(spectra.samples[k]);
                QVERIFY2(std::abs(sigmas) < 4.5, std::to_string(sigmas).c_str());
                squares += sigmas * sigmas;
                beyond += std::abs(sigmas) > 3;
                ++rings;
            }
            QVERIFY(resolutionPixels(spectra, ResolutionCriterion::halfBit) > 40);
        }
        // The standard deviation is 1/√samples, so that 3 standard deviations are exceeded in 0.27 % of the rings.
        QVERIFY2(std::abs(squares / rings - 1) < 0.15, std::to_string(squares / rings).c_str());
        QVERIFY2(beyond <= rings / 100, std::to_string(beyond).c_str());
    }

    void signalWithNoiseHasTheExpectedCorrelation()
    {
        const Values signal = whiteImage(384, 384, 5);
        for (const double sigma : {0.5, 1.0, 2.0}) {
            const double ratio = 1 / (sigma * sigma), expected = ratio / (1 + ratio);
            const RingSpectra spectra = compareSpectra(sumOf(signal, whiteImage(384, 384, 6, sigma)),
                                                       sumOf(signal, whiteImage(384, 384, 7, sigma)), 384, 384);
            double sum = 0, samples = 0;
            for (std::size_t k = 4; k < spectra.frequency.size(); ++k) {
                // The standard deviation for a correlation ρ is (1 − ρ²)/√n; from 20 samples on, the distribution is
                // close enough to normal.
                const double deviation = (1 - expected * expected) / std::sqrt(spectra.samples[k]);
                QVERIFY(std::abs(spectra.correlation[k] - expected) < 4.5 * deviation + 0.5 / spectra.samples[k]);
                sum += spectra.correlation[k] * spectra.samples[k];
                samples += spectra.samples[k];
            }
            QVERIFY2(std::abs(sum / samples - expected) < 4 * (1 - expected * expected) / std::sqrt(samples) + 1e-3,
                     std::to_string(sum / samples).c_str());
        }
    }

    // A shift by s turns phases by 2π·f·s·cos φ; the mean of their cosines over φ is J₀(2π f s). The two windows
    // overlap almost completely.
    void shiftsCorrelateLikeBesselsFunction()
    {
        const int size = 320;
        const Values image = whiteImage(size, size, 8);
        for (const auto& [dx, dy] : {std::pair{1, 0}, {3, 0}, {2, 3}}) {
            const RingSpectra spectra = compareSpectra(cropped(image, size, {0, 0, 300, 300}),
                                                       cropped(image, size, {dx, dy, 300, 300}), 300, 300);
            for (std::size_t k = 9; k < spectra.frequency.size(); ++k) {
                const double expected = std::cyl_bessel_j(0, 2 * pi * spectra.frequency[k] * std::hypot(dx, dy));
                QVERIFY2(std::abs(spectra.correlation[k] - expected) < 4.5 / std::sqrt(spectra.samples[k]) + 0.005,
                         std::to_string(spectra.frequency[k]).c_str());
            }
        }
    }

    void blurShowsItsTransferFunction()
    {
        // White noise, blurred by a sampled Gaussian along both axes; the transfer function of this blur is a sum of
        // cosines.
        const int size = 300, inner = 256, reach = 8;
        const double sigma = 1.2;
        std::vector<double> kernel;
        for (int k = -reach; k <= reach; ++k)
            kernel.push_back(std::exp(-k * k / (2 * sigma * sigma)));
        const double sum = std::accumulate(kernel.begin(), kernel.end(), 0.0);
        const Values image = whiteImage(size, size, 9);
        std::vector<double> along(image.begin(), image.end()), blurred(image.size());
        for (const int step : {1, size}) {
            std::fill(blurred.begin(), blurred.end(), 0);
            for (int i = reach * size + reach; i < (size - reach) * size - reach; ++i)
                for (int k = -reach; k <= reach; ++k)
                    blurred[i] += kernel[k + reach] / sum * along[i + k * step];
            along = blurred;
        }
        const Region middle{22, 22, inner, inner};
        const RingSpectra spectra = compareSpectra(cropped(Values(along.begin(), along.end()), size, middle),
                                                   cropped(image, size, middle), inner, inner);
        const std::vector<double> ratio = powerRatio(spectra);
        const auto transfer = [&](double frequency) {
            double value = 0;
            for (int k = -reach; k <= reach; ++k)
                value += kernel[k + reach] / sum * std::cos(2 * pi * frequency * k);
            return value;
        };
        int looked = 0;
        for (std::size_t k = 4; k < ratio.size(); ++k) {
            double expected = 0;
            for (int turn = 0; turn < 360; ++turn) {
                const double f = spectra.frequency[k];
                expected += std::pow(transfer(f * std::cos(turn * degree)) * transfer(f * std::sin(turn * degree)), 2);
            }
            expected /= 360;
            if (expected < 1e-3)
                break;
            QVERIFY2(std::abs(ratio[k] / expected - 1) < 0.15, std::to_string(spectra.frequency[k]).c_str());
            QVERIFY(spectra.correlation[k] > 0.97); // blurring only scales amplitudes
            ++looked;
        }
        QVERIFY(looked > 50);
    }

    void thresholdsAndResolution()
    {
        RingSpectra spectra;
        spectra.frequency = {0.1, 0.2, 0.3, 0.4, 0.5};
        spectra.samples = {10, 100, 1000, 1e4, 1e12};
        spectra.correlation = {1, 0.9, 0.5, 0.1, 0.05};
        const auto halfBit = thresholdOf(spectra, ResolutionCriterion::halfBit);
        for (std::size_t k = 0; k < halfBit.size(); ++k) { // formula as published
            const double root = std::sqrt(spectra.samples[k]);
            QVERIFY(std::abs(halfBit[k] - (0.2071 + 1.9102 / root) / (1.2071 + 0.9102 / root)) < 1e-4);
        }
        QCOMPARE(thresholdOf(spectra, ResolutionCriterion::fixed0143), std::vector<double>(5, 0.143));
        // The correlation is 0.5 − 0.143 above the threshold at 0.3, and 0.143 − 0.1 below it at 0.4.
        const double frequency = 0.3 + 0.1 * 0.357 / (0.357 + 0.043);
        QVERIFY(std::abs(resolutionPixels(spectra, ResolutionCriterion::fixed0143) - 1 / frequency) < 1e-12);
        spectra.correlation = {1, 0.9, 0.5, 0.4, 0.143};
        QCOMPARE(resolutionPixels(spectra, ResolutionCriterion::fixed0143), 2.0);
        spectra.correlation = {0.1, 0.9, 0.5, 0.4, 0.3}; // a low first value, by chance
        QCOMPARE(resolutionPixels(spectra, ResolutionCriterion::fixed0143), 2.0);
        spectra.correlation = {0.1, 0.1, 0.1, 0.4, 0.3};
        QVERIFY(std::isinf(resolutionPixels(spectra, ResolutionCriterion::fixed0143)));
        spectra.correlation = {0.243, 0.043, 0.1, 0.1, 0.3};
        QVERIFY(std::abs(resolutionPixels(spectra, ResolutionCriterion::fixed0143) - 1 / 0.15) < 1e-12);
        spectra.correlation = {0.9, 0.9, 0.9, 0.243, 0.043}; // crosses the threshold at the end
        QVERIFY(std::abs(resolutionPixels(spectra, ResolutionCriterion::fixed0143) - 1 / 0.45) < 1e-12);
    }

    void resolutionIsWhereTheBlurEnds()
    {
        // Blocks of 4 × 4 pixels, with little power beyond 1/4 cycle per pixel, and independent noise in each image.
        const int size = 256;
        Values coarse = whiteImage(size / 4, size / 4, 20, 4), signal(static_cast<std::size_t>(size) * size);
        for (int row = 0; row < size; ++row)
            for (int column = 0; column < size; ++column)
                signal[row * size + column] = coarse[(row / 4) * (size / 4) + column / 4];
        const RingSpectra clean = compareSpectra(sumOf(signal, whiteImage(size, size, 21, 0.2)),
                                                 sumOf(signal, whiteImage(size, size, 22, 0.2)), size, size);
        const RingSpectra noisy = compareSpectra(sumOf(signal, whiteImage(size, size, 21, 8)),
                                                 sumOf(signal, whiteImage(size, size, 22, 8)), size, size);
        for (const auto criterion : {ResolutionCriterion::halfBit, ResolutionCriterion::fixed0143}) {
            const double fine = resolutionPixels(clean, criterion), rough = resolutionPixels(noisy, criterion);
            QVERIFY2(fine < 4.5, std::to_string(fine).c_str());
            QVERIFY2(rough > fine + 1 && rough < 30, std::to_string(rough).c_str());
        }
    }

    void flatImages()
    {
        const Values flat(32 * 32, 0.1f), image = whiteImage(32, 32, 1);
        const RingSpectra both = compareSpectra(flat, flat, 32, 32), one = compareSpectra(flat, image, 32, 32);
        for (std::size_t k = 0; k < both.frequency.size(); ++k) {
            QCOMPARE(both.correlation[k], 1.0);
            QCOMPARE(one.correlation[k], 0.0);
            QCOMPARE(one.powerImage[k], 0.0);
            QCOMPARE(powerRatio(one)[k], 0.0);
            QVERIFY(std::isnan(powerRatio(both)[k]));
        }
    }

    void mistakesAreSaid()
    {
        const auto bad = [](const std::vector<std::string>& words, const auto& call) {
            return fails(ErrorKind::badRequest, words, call);
        };
        Values image(400, 1.0f);
        QVERIFY(bad({"400", "399"}, [&] { compareSpectra(image, Values(399), 20, 20); }));
        QVERIFY(bad({"15 pixels", "16"}, [&] {
            compareSpectra(image, image, 20, 20, {.region = Region{0, 0, 15, 9}});
        }));
        QVERIFY(bad({"no pixel"}, [&] { compareSpectra(image, image, 20, 20, {.region = Region{30, 0, 15, 9}}); }));
        Values broken = image;
        broken[25] = notANumber;
        QVERIFY(bad({"1 pixels", "0,0,20,20", "finite"}, [&] { compareSpectra(image, broken, 20, 20); }));
        QCOMPARE(compareSpectra(image, broken, 20, 20, {.region = Region{2, 4, 16, 16}}).square,
                 (Region{2, 4, 16, 16}));
    }
};

SINOSCOPE_TEST(SpectraTest, QCoreApplication)
#include "spectra_test.moc"

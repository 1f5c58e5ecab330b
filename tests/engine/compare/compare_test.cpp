// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics, profiles and differences against values computed by hand or from their definitions.
#include "engine/compare/metrics.h"
#include "engine/compare/profile.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace engine;
using namespace fixtures;

namespace
{

std::vector<float> randomValues(int count, unsigned seed)
{
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> uniform(0, 1);
    std::vector<float> values(count);
    for (float& value : values)
        value = uniform(generator);
    return values;
}

constexpr int windowRadius = 5; // of SSIM

bool hasWholeWindow(int width, int height, int column, int row)
{
    return column >= windowRadius && row >= windowRadius && column < width - windowRadius &&
           row < height - windowRadius;
}

// Computes the SSIM of one pixel from its definition: one window, two passes.
double ssimAt(const std::vector<float>& a, const std::vector<float>& b, int width, int column, int row, double range)
{
    double weights = 0, meanA = 0, meanB = 0, varA = 0, varB = 0, cov = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int dy = -windowRadius; dy <= windowRadius; ++dy) {
            for (int dx = -windowRadius; dx <= windowRadius; ++dx) {
                const int x = column + dx, y = row + dy;
                const double w = std::exp(-(dx * dx + dy * dy) / 4.5);
                const double va = a[y * width + x], vb = b[y * width + x];
                if (pass == 0) {
                    weights += w;
                    meanA += w * va;
                    meanB += w * vb;
                } else {
                    varA += w * (va - meanA) * (va - meanA) / weights;
                    varB += w * (vb - meanB) * (vb - meanB) / weights;
                    cov += w * (va - meanA) * (vb - meanB) / weights;
                }
            }
        }
        if (pass == 0) {
            meanA /= weights;
            meanB /= weights;
        }
    }
    const double c1 = 1e-4 * range * range, c2 = 9e-4 * range * range;
    return (2 * meanA * meanB + c1) * (2 * cov + c2) / ((meanA * meanA + meanB * meanB + c1) * (varA + varB + c2));
}

bool badRequest(const auto& call)
{
    return fails(ErrorKind::badRequest, call);
}

} // namespace

class CompareTest : public QObject
{
    Q_OBJECT
  private slots:
    void smallImageByHand()
    {
        const std::vector<float> image = {1, 2, 3, 5}, reference = {1, 2, 3, 4};
        const Metrics metrics = compareImages(image, reference, 2, 2);
        QCOMPARE(metrics.rmse, 0.5);
        QCOMPARE(metrics.maximum, 1.0);
        QCOMPARE(metrics.referenceRange, 3.0);
        QVERIFY(std::abs(metrics.psnrDb - 20 * std::log10(6.0)) < 1e-12);
        QCOMPARE(metrics.meanImage, 2.75);
        QCOMPARE(metrics.meanReference, 2.5);
        QCOMPARE(metrics.pixels, 4LL);
    }

    // A constant reference has no range, so that the PSNR is not defined.
    void constantReference()
    {
        const std::vector<float> flat(4, 2.0f), other = {1, 2, 3, 2};
        const Metrics metrics = compareImages(other, flat, 2, 2);
        QVERIFY(std::isnan(metrics.psnrDb));
        QVERIFY(std::abs(metrics.rmse - std::sqrt(0.5)) < 1e-12);
    }

    void equalImages()
    {
        const auto image = randomValues(30 * 20, 1);
        const Metrics metrics = compareImages(image, image, 30, 20);
        QCOMPARE(metrics.rmse, 0.0);
        QVERIFY(std::isinf(metrics.psnrDb) && metrics.psnrDb > 0);
        QVERIFY(std::abs(metrics.ssim - 1) < 1e-12);
        const std::vector<float> flat(121, 0.0f);
        QCOMPARE(compareImages(flat, flat, 11, 11).ssim, 1.0);
    }

    void ssimIsItsDefinition()
    {
        // Several bands of rows, one window, and an ordinary image.
        for (const auto& [width, height] : {std::pair{40, 150}, std::pair{11, 11}, std::pair{33, 64}}) {
            const auto a = randomValues(width * height, 2), b = randomValues(width * height, 3);
            const auto [low, high] = std::minmax_element(b.begin(), b.end());
            double expected = 0;
            for (int row = windowRadius; row < height - windowRadius; ++row)
                for (int column = windowRadius; column < width - windowRadius; ++column)
                    expected += ssimAt(a, b, width, column, row, double(*high) - *low);
            expected /= (width - 2 * windowRadius) * (height - 2 * windowRadius);
            QVERIFY(std::abs(compareImages(a, b, width, height).ssim - expected) < 1e-10);
        }
    }

    // Values of scikit-image 0.26.0, structural_similarity(a, b, data_range=range of b, gaussian_weights=True,
    // sigma=1.5, use_sample_covariance=False), in double precision.
    void ssimIsThatOfScikitImage()
    {
        struct Case {
            int width, height;
            double ssim;
        };
        for (const auto& [width, height, ssim] :
             {Case{40, 64, 0.8814136738206371}, Case{11, 11, 0.87693259120616}, Case{90, 33, 0.8781179868694264}}) {
            std::vector<float> a, b;
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x) {
                    b.push_back(static_cast<float>(0.5 + 0.5 * std::sin(0.37 * x) * std::cos(0.23 * y)));
                    a.push_back(static_cast<float>(b.back() + 0.1 * std::sin(1.7 * x + 0.9 * y)));
                }
            const double made = compareImages(a, b, width, height).ssim;
            QVERIFY2(std::abs(made - ssim) < 1e-6, qPrintable(QString::number(made, 'g', 9)));
        }
    }

    // Windows that reach beyond the image, or that have values which aren't finite, don't count.
    void ssimNeedsWholeWindows()
    {
        const int size = 40;
        auto a = randomValues(size * size, 2), b = randomValues(size * size, 3);
        Mask left{.region = Region{0, 0, 8, size}}; // three columns of whole windows
        const double range = compareImages(a, b, size, size, left).referenceRange;
        double all = 0, upper = 0;
        for (int row = windowRadius; row < size - windowRadius; ++row)
            for (int column = windowRadius; column < 8; ++column) {
                const double one = ssimAt(a, b, size, column, row, range);
                all += one;
                upper += row < 20 ? one : 0;
            }
        QVERIFY(std::abs(compareImages(a, b, size, size, left).ssim - all / 90) < 1e-10);
        for (int row = 25; row < size; ++row)
            b[row * size + 8] = notANumber; // outside the region
        QVERIFY(std::abs(compareImages(a, b, size, size, left).ssim - upper / 45) < 1e-10);

        left.region->width = windowRadius;
        QVERIFY(std::isnan(compareImages(a, b, size, size, left).ssim));
        QVERIFY(std::isnan(compareImages(std::vector<float>(100), std::vector<float>(100), 10, 10).ssim));
    }

    void masks()
    {
        const int size = 101;
        const auto reference = randomValues(size * size, 4);
        auto image = reference;
        image[0] += 100; // in a corner
        QVERIFY(compareImages(image, reference, size, size).maximum > 99);
        Mask disc;
        disc.discRadius = 1.0;
        const Metrics inside = compareImages(image, reference, size, size, disc);
        QCOMPARE(inside.rmse, 0.0);
        QVERIFY(std::abs(inside.pixels / (std::acos(-1.0) * 50.5 * 50.5) - 1) < 0.01);
        disc.discRadius = 0.5;
        QVERIFY(std::abs(compareImages(image, reference, size, size, disc).pixels / (std::acos(-1.0) * 25.25 * 25.25) -
                         1) < 0.02);
        Mask region;
        region.region = Region{-5, -5, 10, 10}; // clipped to 5 × 5
        const Metrics corner = compareImages(image, reference, size, size, region);
        QCOMPARE(corner.pixels, 25LL);
        QVERIFY(std::abs(corner.rmse - 20) < 1e-4);
        region.region = Region{200, 0, 5, 5};
        QVERIFY(badRequest([&] { compareImages(image, reference, size, size, region); }));
        disc.discRadius = 1.5;
        QVERIFY(badRequest([&] { compareImages(image, reference, size, size, disc); }));
    }

    // All metrics of an area are compared with their definitions, in plain loops over the area's pixels; no pixel
    // outside has an influence, except those in the windows of SSIM.
    void metricsOfAnAreaAreTheirDefinitions()
    {
        const int width = 90, height = 150;
        const std::vector<std::string> areas = {"ellipse 40,70,20,31",
                                                "ellipse 0,0,12,7",
                                                "ellipse 89,149,3,80",
                                                "rectangle 30,60,9,20",
                                                "polygon 10,10 80,20 70,140 60,30 30,130 20,30",
                                                "disc 0.5"};
        for (const std::string& text : areas) {
            auto a = randomValues(width * height, 7), b = randomValues(width * height, 8);
            const Mask mask{.area = areaFromText(text)};
            const MaskRows rows(mask, width, height);
            std::vector<char> in(width * height);
            for (int row = 0; row < height; ++row)
                for (const Run& run : rows.runs(row))
                    std::fill(in.begin() + row * width + run.begin, in.begin() + row * width + run.end, 1);
            double squares = 0, largest = 0, low = 2, high = -1, sumA = 0, sumB = 0;
            int count = 0;
            for (int k = 0; k < width * height; ++k)
                if (in[k]) {
                    const double distance = double(a[k]) - b[k];
                    squares += distance * distance;
                    largest = std::max(largest, std::abs(distance));
                    low = std::min(low, double(b[k]));
                    high = std::max(high, double(b[k]));
                    sumA += a[k];
                    sumB += b[k];
                    ++count;
                }
            double ssim = 0;
            int windows = 0;
            std::vector<char> reached(width * height);
            for (int row = 0; row < height; ++row)
                for (int column = 0; column < width; ++column)
                    if (in[row * width + column]) {
                        if (hasWholeWindow(width, height, column, row)) {
                            ssim += ssimAt(a, b, width, column, row, high - low);
                            ++windows;
                        }
                        for (int y = std::max(row - 5, 0); y <= std::min(row + 5, height - 1); ++y)
                            for (int x = std::max(column - 5, 0); x <= std::min(column + 5, width - 1); ++x)
                                reached[y * width + x] = 1;
                    }
            for (int k = 0; k < width * height; ++k)
                if (!reached[k])
                    a[k] = b[k] = 1e30f;
            const double rmse = std::sqrt(squares / count);
            const Metrics metrics = compareImages(a, b, width, height, mask);
            QCOMPARE(metrics.pixels, static_cast<long long>(count));
            QVERIFY2(std::abs(metrics.rmse - rmse) < 1e-12, text.c_str());
            QVERIFY2(std::abs(metrics.maximum - largest) < 1e-12, text.c_str());
            QVERIFY2(std::abs(metrics.referenceRange - (high - low)) < 1e-12, text.c_str());
            QVERIFY2(std::abs(metrics.psnrDb - 20 * std::log10((high - low) / rmse)) < 1e-10, text.c_str());
            QVERIFY2(windows == 0 ? std::isnan(metrics.ssim) : std::abs(metrics.ssim - ssim / windows) < 1e-10,
                     text.c_str());
            QVERIFY2(std::abs(metrics.meanImage - sumA / count) < 1e-12, text.c_str());
            QVERIFY2(std::abs(metrics.meanReference - sumB / count) < 1e-12, text.c_str());
        }
    }

    void nanInsideTheMaskShows()
    {
        auto image = randomValues(400, 5);
        const auto reference = randomValues(400, 6);
        image[0] = notANumber;
        const Metrics metrics = compareImages(image, reference, 20, 20);
        QCOMPARE(metrics.notFinite, 1LL);
        for (const MetricRow& row : metricRows())
            QVERIFY2(std::isnan(metrics.*row.value), row.id);
        Mask disc;
        disc.discRadius = 0.9; // excludes the corner
        const Metrics inside = compareImages(image, reference, 20, 20, disc);
        QCOMPARE(inside.notFinite, 0LL);
        QVERIFY(inside.rmse > 0 && inside.ssim > -1 && inside.ssim < 1);
    }

    // Where neither image has a value, as beyond the slices in planes, no figure counts the pixel.
    void gapsOfBothAreLeftOut()
    {
        auto image = randomValues(800, 5), reference = randomValues(800, 6);
        const Metrics half = compareImages(std::span(image).first(400), std::span(reference).first(400), 20, 20);
        std::fill(image.begin() + 400, image.end(), notANumber);
        std::fill(reference.begin() + 400, reference.end(), notANumber);
        const Metrics metrics = compareImages(image, reference, 20, 40);
        QCOMPARE(metrics.gaps, 400LL);
        QCOMPARE(metrics.pixels, 400LL);
        QCOMPARE(metrics.notFinite, 0LL);
        for (const MetricRow& row : metricRows())
            QCOMPARE(metrics.*row.value, half.*row.value);
        reference[500] = 1; // a value that is missing in one image only
        QVERIFY(std::isnan(compareImages(image, reference, 20, 40).rmse));
        const Metrics others = compareImages(image, reference, 20, 40, {}, true);
        QCOMPARE(others.notFinite, 1LL);
        QVERIFY(others.rmse == half.rmse && others.maximum == half.maximum && std::isnan(others.ssim));
        QVERIFY(std::isnan(compareImages(std::span(image).last(400), std::span(image).last(400), 20, 20).rmse));
    }

    void sizesMustFit()
    {
        QVERIFY(badRequest([] { compareImages(std::vector<float>(4), std::vector<float>(6), 2, 2); }));
        QVERIFY(badRequest([] { compareImages(std::vector<float>(0), std::vector<float>(0), 0, 0); }));
        QVERIFY(badRequest([] { difference(std::vector<float>(4), std::vector<float>(6)); }));
    }

    void differences() { QCOMPARE(difference(std::vector<float>{3, 1}, std::vector<float>{1, 4}), (Values{2, -3})); }

    void profileOfAPlaneIsExact()
    {
        // Bilinear interpolation reproduces a plane exactly.
        const int width = 12, height = 9;
        std::vector<float> plane(width * height);
        for (int row = 0; row < height; ++row)
            for (int column = 0; column < width; ++column)
                plane[row * width + column] = 2.0f * column - 3.0f * row;
        const Line line{0.5, 7.25, 10.0, 1.0};
        const Profile profile = profileAlong(plane, width, height, line);
        const double length = std::hypot(9.5, 6.25);
        QCOMPARE(profile.position.size(), static_cast<std::size_t>(std::lround(length)) + 1);
        QCOMPARE(profile.position.front(), 0.0);
        QVERIFY(std::abs(profile.position.back() - length) < 1e-12);
        for (std::size_t k = 0; k < profile.value.size(); ++k) {
            const double part = profile.position[k] / length;
            const double x = 0.5 + 9.5 * part, y = 7.25 - 6.25 * part;
            QVERIFY(std::abs(profile.value[k] - (2 * x - 3 * y)) < 1e-5);
        }
    }

    void profileOutsideIsNan()
    {
        const std::vector<float> image = {1, 2, 3, 4};
        const Profile profile = profileAlong(image, 2, 2, {-2, 0, 3, 0});
        QCOMPARE(profile.value.size(), std::size_t{6});
        QVERIFY(std::isnan(profile.value[0]) && std::isnan(profile.value[1]));
        QCOMPARE(profile.value[2], 1.0);
        QCOMPARE(profile.value[3], 2.0);
        QVERIFY(std::isnan(profile.value[4]) && std::isnan(profile.value[5]));
    }

    void profileBesideANan()
    {
        const std::vector<float> image = {1, 2, notANumber, notANumber};
        for (const double value : profileAlong(image, 2, 2, {0, 0, 1, 0}).value)
            QVERIFY(value >= 1 && value <= 2);
    }

    void profileOfAPoint()
    {
        const Profile profile = profileAlong(std::vector<float>{7}, 1, 1, {0, 0, 0, 0});
        QCOMPARE(profile.value, (std::vector<double>{7, 7}));
        QVERIFY(badRequest([] { profileAlong(std::vector<float>{7}, 1, 1, {0, 0, std::nan(""), 0}); }));
        QVERIFY(badRequest([] { profileAlong(std::vector<float>{7}, 2, 1, {0, 0, 1, 0}); }));
    }
};

SINOSCOPE_TEST(CompareTest, QCoreApplication)
#include "compare_test.moc"

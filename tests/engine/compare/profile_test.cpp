// SPDX-License-Identifier: GPL-3.0-or-later
// Profiles averaged over a width and profiles around circles; the width of edges against the exact width.
#include "engine/compare/edge.h"
#include "engine/simulate/random.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;
using std::numbers::pi;

namespace
{

constexpr int edgeImageSize = 81;

// Returns the integral of the normal distribution function Φ.
double gaussIntegral(double x)
{
    return x * std::erfc(-x / std::numbers::sqrt2) / 2 + std::exp(-x * x / 2) / std::sqrt(2 * pi);
}

// Returns the mean over a pixel around x of an edge that is blurred by a Gaussian.
double blurredStep(double x, double sigma)
{
    return sigma * (gaussIntegral((x + 0.5) / sigma) - gaussIntegral((x - 0.5) / sigma));
}

double placeOf(double level, double sigma)
{
    double low = -20 * sigma - 1, high = -low;
    while (high - low > 1e-10)
        (blurredStep((low + high) / 2, sigma) < level ? low : high) = (low + high) / 2;
    return low;
}

Profile blurredEdge(double sigma, double where, double from = 0, double to = 1)
{
    Profile profile;
    for (int k = 0; k < edgeImageSize; ++k) {
        profile.position.push_back(k);
        profile.value.push_back(from + (to - from) * blurredStep(k - where, sigma));
    }
    return profile;
}

Profile profileOf(const std::vector<double>& values)
{
    Profile profile;
    profile.value = values;
    for (std::size_t k = 0; k < values.size(); ++k)
        profile.position.push_back(static_cast<double>(k));
    return profile;
}

// Builds a profile from pairs of a number of samples and their value.
Profile piecewise(const std::vector<std::pair<int, double>>& pieces)
{
    std::vector<double> values;
    for (const auto& [count, value] : pieces)
        values.insert(values.end(), count, value);
    return profileOf(values);
}

Values imageOf(int width, int height, const auto& value)
{
    Values image(static_cast<std::size_t>(width) * height);
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
            image[static_cast<std::size_t>(row) * width + column] = static_cast<float>(value(column, row));
    return image;
}

} // namespace

class ProfileTest : public QObject
{
    Q_OBJECT
  private slots:
    void aWidthIsTheMeanOfParallelLines()
    {
        Random random(1, {0});
        const Values image = imageOf(40, 30, [&](int, int) { return random.uniform(); });
        const Line line{10, 8, 25, 20};
        const double length = std::hypot(15, 12), acrossX = -12 / length, acrossY = 15 / length;
        for (const int lines : {1, 2, 3, 6}) {
            const Profile wide = profileAlong(image, 40, 30, line, lines);
            std::vector<double> expected(wide.value.size());
            for (int i = 0; i < lines; ++i) {
                const double away = i - (lines - 1) / 2.0;
                const double x = away * acrossX, y = away * acrossY;
                const Profile one = profileAlong(image, 40, 30, {line.x0 + x, line.y0 + y, line.x1 + x, line.y1 + y});
                for (std::size_t k = 0; k < expected.size(); ++k)
                    expected[k] += one.value[k] / lines;
            }
            QCOMPARE(wide.position, profileAlong(image, 40, 30, line).position);
            QVERIFY(largestDifference(wide.value, expected) < 1e-12);
        }
    }

    void theLinesLieBesideTheLine()
    {
        // The mean of column² over columns 9, 10 and 11 is 100⅔. The line runs down column 10, so that its width of
        // three lines covers these columns.
        const Values image = imageOf(20, 20, [](int column, int) { return column * column; });
        for (const double value : profileAlong(image, 20, 20, {10, 3, 10, 15}, 3).value)
            QVERIFY(std::abs(value - (81 + 100 + 121) / 3.0) < 1e-12);
        // A line of length 0 has no direction; the samples beside it lie above and below it.
        for (const double value : profileAlong(image, 20, 20, {10, 7, 10, 7}, 3).value)
            QCOMPARE(value, 100.0);
    }

    void linesOutsideDontCount()
    {
        const Values image = imageOf(10, 10, [](int, int row) { return row + 1; });
        const Profile border = profileAlong(image, 10, 10, {0, 0, 9, 0}, 3); // rows −1, 0 and 1
        for (const double value : border.value)
            QCOMPARE(value, 1.5);
        QVERIFY(std::isnan(profileAlong(image, 10, 10, {0, -3, 9, -3}, 3).value[0]));
        Values broken = image;
        broken[14] = notANumber; // this pixel is inside the image
        QVERIFY(std::isnan(profileAlong(broken, 10, 10, {0, 0, 9, 0}, 3).value[4]));
        QCOMPARE(profileAlong(broken, 10, 10, {0, 0, 9, 0}, 3).value[5], 1.5);
    }

    // Pixels are areas: the outer half of a border pixel has the pixel's value, and beyond it there is none.
    void outerHalvesOfBorderPixels()
    {
        const Values image = imageOf(5, 4, [](int column, int row) { return 10 * row + column; });
        const auto at = [&](double x, double y) { return profileAlong(image, 5, 4, {x, y, x, y}).value[0]; };
        for (const double out : {0.25, 0.5}) {
            QCOMPARE(at(-out, 2), 20.0);
            QCOMPARE(at(4 + out, 2), 24.0);
            QCOMPARE(at(3, -out), 3.0);
            QCOMPARE(at(3, 3 + out), 33.0);
            QCOMPARE(at(4 + out, 3 + out), 34.0);
        }
        for (const auto& [x, y] : {std::pair{-0.51, 2.0}, {4.51, 2.0}, {3.0, -0.51}, {3.0, 3.51}})
            QVERIFY(std::isnan(at(x, y)));
    }

    void averagingTakesNoiseAway()
    {
        Random random(2, {0});
        const Values image = imageOf(300, 40, [&](int, int) { return random.normal(); });
        double squares = 0;
        const Profile profile = profileAlong(image, 300, 40, {0, 20, 299, 20}, 25);
        for (const double value : profile.value)
            squares += value * value;
        const double sigma = std::sqrt(squares / 300); // expected: 1/√25, with a standard error of 1/√600
        QVERIFY(std::abs(sigma / 0.2 - 1) < 0.13);
    }

    void circlesGoRoundInPixelsOfArc()
    {
        // A plane along a circle is a cosine, and bilinear interpolation reproduces a plane.
        const Values image = imageOf(60, 50, [](int column, int row) { return 2 * column + 3 * row; });
        const Circle circle{28.5, 24.25, 17.3};
        const Profile profile = profileAround(image, 60, 50, circle);
        QCOMPARE(profile.value.size(), static_cast<std::size_t>(std::lround(2 * pi * 17.3)));
        const double step = 2 * pi * 17.3 / static_cast<double>(profile.value.size());
        for (std::size_t k = 0; k < profile.value.size(); ++k) {
            QVERIFY(std::abs(profile.position[k] - static_cast<double>(k) * step) < 1e-10);
            const double angle = profile.position[k] / 17.3;
            const double x = 28.5 + 17.3 * std::cos(angle), y = 24.25 + 17.3 * std::sin(angle);
            QVERIFY(std::abs(profile.value[k] - (2 * x + 3 * y)) < 1e-4);
        }
        QCOMPARE(profileAround(image, 60, 50, {10, 10, 0.1}).value.size(), std::size_t{8});
        const Profile leaving = profileAround(image, 60, 50, {0, 20, 10});
        QVERIFY(std::isfinite(leaving.value[0]) && std::isnan(leaving.value[leaving.value.size() / 2]));
    }

    void badLinesAndCirclesAreSaid()
    {
        const Values image(100, 1.0f);
        const auto bad = [&](const std::string& word, const auto& call) {
            return fails(ErrorKind::badRequest, {word}, call);
        };
        QVERIFY(bad("0 lines", [&] { profileAlong(image, 10, 10, {0, 0, 5, 5}, 0); }));
        QVERIFY(bad("1001 lines", [&] { profileAlong(image, 10, 10, {0, 0, 5, 5}, 1001); }));
        QVERIFY(bad("radius 0", [&] { profileAround(image, 10, 10, {5, 5, 0}); }));
        QVERIFY(bad("radius", [&] { profileAround(image, 10, 10, {5, 5, std::nan("")}); }));
        QVERIFY(bad("centre", [&] { profileAround(image, 10, 10, {std::nan(""), 5, 2}); }));
        QVERIFY(bad("10 × 11", [&] { profileAround(image, 10, 11, {5, 5, 2}); }));
    }

    // Samples are one pixel apart and joined by straight lines. A chord's error is at most f″/8; divided by f′, it
    // moves either end of the width by at most 1.28/(8σ).
    void edgeWidthOfAGaussianBlur()
    {
        for (const double sigma : {1.0, 1.5, 2.5, 4.0})
            for (const double where : {40.0, 39.7, 35.5, 44.25})
                for (const auto& [from, to] : {std::pair{0.0, 1.0}, {7.0, -3.0}, {100.0, 100.01}}) {
                    const auto width = edgeWidth(blurredEdge(sigma, where, from, to));
                    QVERIFY(width);
                    const double exact = placeOf(0.9, sigma) - placeOf(0.1, sigma);
                    QVERIFY2(*width - exact > -1e-6 && *width - exact < 0.33 / sigma, std::to_string(*width).c_str());
                    // The pixel's own width acts as a blur of variance 1/12.
                    QVERIFY(std::abs(exact / (2 * 1.28155 * std::sqrt(sigma * sigma + 1.0 / 12)) - 1) < 0.01);
                }
    }

    void edgeWidthAcrossAnImage()
    {
        // An edge turned by 27°, along its normal, averaged over 15 lines: bilinear interpolation adds a blur of
        // variance up to 1/4.
        const double sigma = 2, c = std::cos(27 * degree), s = std::sin(27 * degree);
        const Values image = imageOf(edgeImageSize, edgeImageSize, [&](int column, int row) {
            return 0.5 * std::erfc(-((column - 40) * c + (row - 40) * s) / sigma / std::numbers::sqrt2);
        });
        const Line line{40 - 25 * c, 40 - 25 * s, 40 + 25 * c, 40 + 25 * s};
        const auto width = edgeWidth(profileAlong(image, edgeImageSize, edgeImageSize, line, 15));
        QVERIFY(width);
        QVERIFY2(*width > 2 * 1.28155 * sigma && *width < 2 * 1.28155 * std::sqrt(sigma * sigma + 0.25) + 0.33 / sigma,
                 std::to_string(*width).c_str());
    }

    void someNoiseDoesNotMatter()
    {
        int found = 0;
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            Random random(seed, {0});
            Profile profile = blurredEdge(2, 40);
            for (double& value : profile.value)
                value += 0.03 * random.normal();
            const auto width = edgeWidth(profile);
            found += width && std::abs(*width / (2 * 1.28155 * 2) - 1) < 0.25;
        }
        QVERIFY2(found >= 95, std::to_string(found).c_str());
    }

    void aSharpEdgeIsHalfAPixelAndMore()
    {
        QVERIFY(std::abs(edgeWidth(piecewise({{10, 0}, {10, 1}})).value() - 0.8) <
                1e-12); // samples are joined by straight lines
        QVERIFY(std::abs(edgeWidth(piecewise({{10, 0}, {1, 0.5}, {10, 1}})).value() - 1.6) < 1e-12);
    }

    void whatIsNoEdgeHasNoWidth()
    {
        const auto none = [](const Profile& profile) { return !edgeWidth(profile).has_value(); };
        QVERIFY(none({}));
        QVERIFY(none(piecewise({{20, 1}})));
        QVERIFY(none(piecewise({{4, 0}, {5, 1}})));                   // nine samples
        QVERIFY(none(piecewise({{10, 0}, {5, 1}, {10, 0}})));         // a bar instead of an edge
        QVERIFY(none(piecewise({{10, 0}, {5, 1}, {5, 0}, {10, 1}}))); // two rising edges, one falling
        QVERIFY(none(piecewise({{10, 0}, {8, 0.5}, {10, 1}})));       // an edge in two steps
        QVERIFY(none(piecewise({{10, 0}, {8, 0.35}, {10, 1}})));
        QVERIFY(none(piecewise({{10, 0}, {10, 1}, {2, 0.6}, {10, 1}}))); // a line behind the edge
        QVERIFY(none(piecewise({{10, 0}, {2, 1.3}, {10, 1}})));          // a fringe at the edge
        QVERIFY(none(piecewise({{10, 0}, {10, 1}, {1, notANumber}, {5, 1}})));
        std::vector<double> slope(50);
        for (std::size_t k = 0; k < slope.size(); ++k)
            slope[k] = static_cast<double>(k);
        QVERIFY(none(profileOf(slope)));    // the edge fills the whole line
        QVERIFY(none(blurredEdge(2, 8)));   // the edge is within the first fifth
        QVERIFY(none(blurredEdge(30, 40))); // the edge is wider than the line
        Random random(3, {0});
        std::vector<double> noise(60);
        for (double& value : noise)
            value = random.normal();
        QVERIFY(none(profileOf(noise)));
        QVERIFY(fails(ErrorKind::badRequest, {"1 positions and 2 values"}, [] { edgeWidth({{0}, {1, 2}}); }));
    }
};

SINOSCOPE_TEST(ProfileTest, QCoreApplication)
#include "profile_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The ramp filter against its definition.
#include "engine/base/machine.h"
#include "engine/filter/filter.h"
#include "engine/filter/transform.h"
#include "engine/filter/windows.h"

#include "tests/fixtures.h"
#include <QDir>
#include <QProcess>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <random>

using namespace engine;
using namespace fixtures;
using std::numbers::pi;

namespace
{

Sinograms randomRows(int slices, int projections, int bins)
{
    std::mt19937 generator(5);
    std::uniform_real_distribution<float> uniform(-1, 1);
    Sinograms sinograms{slices, projections, bins, {}};
    sinograms.values.resize(static_cast<std::size_t>(slices) * projections * bins);
    for (float& value : sinograms.values)
        value = uniform(generator);
    return sinograms;
}

// Returns the ramp filter's tap `n` in the spatial domain, from its definition.
double rampTap(int n)
{
    if (n == 0)
        return 0.25;
    return n % 2 ? -1 / (pi * n * pi * n) : 0;
}

// Returns the value `distance` bins beyond the last bin of `margin`, whose values are ordered from the end inwards:
// the square root of the straight line that is fitted to the squares of the margin, scaled so that it reaches zero
// within `room` bins.
double cylinderAt(const std::vector<double>& margin, int room, int distance)
{
    const std::size_t count = std::min(margin.size(), std::max<std::size_t>(4, margin.size() / 32));
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const double at = -static_cast<double>(k), q = margin[k] * std::abs(margin[k]);
        n += 1, x += at, y += q, xx += at * at, xy += at * q;
    }
    const double slope = count > 1 ? (n * xy - x * y) / (n * xx - x * x) : 0, level = (y - slope * x) / n;
    if (level <= 0)
        return 0;
    const double reach = slope < 0 ? std::min<double>(room, -level / slope) : std::max(1, room);
    return distance < reach ? std::sqrt(level * (1 - distance / reach)) : 0;
}

// Computes 2·Σ h[n − m]·p[m] in doubles, with the row extended periodically to `padded` samples.
std::vector<double> convolve(const float* row, int bins, int padded, PadMode mode)
{
    std::vector<double> out(bins);
    const int right = (padded - bins) / 2; // bins that extend the last bin; the other bins extend the first one
    for (int n = 0; n < bins; ++n) {
        for (int m = 0; m < (mode == PadMode::zero ? bins : padded); ++m) {
            double value = m < bins ? row[m] : m < bins + right ? row[bins - 1] : row[0];
            if (m >= bins && mode == PadMode::cylinder)
                value =
                    m < bins + right
                        ? cylinderAt(std::vector<double>(std::reverse_iterator(row + bins), std::reverse_iterator(row)),
                                     right, m - bins + 1)
                        : cylinderAt(std::vector<double>(row, row + bins), padded - bins - right, padded - m);
            const int distance = std::abs(n - m);
            out[n] += 2 * rampTap(std::min(distance, padded - distance)) * value;
        }
    }
    return out;
}

double windowOf(Window window, double f, double d, int order)
{
    switch (window) {
    case Window::ramLak:
        return 1;
    case Window::sheppLogan:
        return f == 0 ? 1 : std::sin(pi * f / d) / (pi * f / d);
    case Window::cosine:
        return std::cos(pi * f / d);
    case Window::hann:
        return (1 + std::cos(2 * pi * f / d)) / 2;
    case Window::hamming:
        return 0.54 + 0.46 * std::cos(2 * pi * f / d);
    case Window::parzen:
        return (1 - 2 * f / d) * (1 - 2 * f / d) * (1 - 2 * f / d);
    case Window::butterworth:
        return 1 / (1 + std::pow(2 * f / d, 2 * order));
    default:
        return std::numeric_limits<double>::quiet_NaN(); // a new window needs its formula above
    }
}

} // namespace

class FilterTest : public QObject
{
    Q_OBJECT
    TemporaryFolder m_cache;
    static constexpr const char* second = "SINOSCOPE_TEST_SECOND_PROCESS";

    QString wisdom(const char* file) const { return m_cache.file("sinoscope/") + file; }

  private slots:
    // All tests here run with a damaged wisdom file for floats, and with a wisdom file for doubles that can't be
    // written.
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet(second))
            return;
        QVERIFY(qputenv("XDG_CACHE_HOME", m_cache.file({}).toUtf8()));
        QCOMPARE(QString::fromStdString(cacheFolder()), m_cache.file("sinoscope"));
        QVERIFY(QDir().mkpath(wisdom("fftw-double.wisdom/in the way")));
        QFile broken(wisdom("fftw-float.wisdom"));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("(fftw-3.3.10 fftwf_wisdom #x1 #x2 #x3 #x4\n  (fftwf_codelet_n1fv_64_sse2 0 #x31b");
    }

    void measuredPlansAreKept()
    {
        constexpr std::size_t many = 1 << 20;
        if (qEnvironmentVariableIsSet(second)) { // the second process finds the plans of the first
            const QString file = QString::fromStdString(cacheFolder() / "fftw-float.wisdom");
            const QDateTime written = QFileInfo(file).lastModified();
            planFilter(200, FilterPrecision::float32, many);
            QCOMPARE(QFileInfo(file).lastModified(), written);
            return;
        }
        measureWithoutLimit<float>(); // a busy machine may find no plan within the usual limit of one second
        planFilter(100, FilterPrecision::float32, 1); // few rows: planned immediately, and this plan stays in use
        planFilter(100, FilterPrecision::float32, many);
        QVERIFY(QFile(wisdom("fftw-float.wisdom")).size() < 100);
        planFilter(200, FilterPrecision::float32, many);
        planFilter(300, FilterPrecision::float64, many);
        QCOMPARE(QDir(wisdom("")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
                 (QStringList{"fftw-double.wisdom", "fftw-float.wisdom"})); // no temporary files
        QFile kept(wisdom("fftw-float.wisdom"));
        QVERIFY(kept.open(QIODevice::ReadOnly));
        const QByteArray text = kept.readAll();
        QVERIFY2(text.startsWith("(fftw-") && text.trimmed().endsWith(")"), text);

#if defined(__SANITIZE_THREAD__)
        QSKIP("the thread sanitizer doesn't bear a second process");
#endif
        QProcess again;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(second, "1");
        again.setProcessEnvironment(environment);
        again.start(QCoreApplication::applicationFilePath(), {"engine/filter/filter_test", "measuredPlansAreKept"});
        QVERIFY(again.waitForFinished(patienceMs));
        QVERIFY2(again.exitCode() == 0, again.readAll());
    }

    void lengthIsAPowerOfTwo()
    {
        QCOMPARE(paddedLength(1), 2);
        QCOMPARE(paddedLength(64), 128);
        QCOMPARE(paddedLength(65), 256);
        QCOMPARE(paddedLength(640), 2048);
    }

    void responseIsTheTransformOfTheRamp()
    {
        // The cosine sums of the definition, evaluated directly.
        const int padded = 64;
        const auto response = frequencyResponse({}, padded);
        QCOMPARE(response.size(), std::size_t{33});
        for (int k = 0; k <= padded / 2; ++k) {
            double expected = rampTap(0);
            for (int n = 1; n < padded; ++n)
                expected += rampTap(std::min(n, padded - n)) * std::cos(2 * pi * k * n / padded);
            QVERIFY(std::abs(response[k] - 2 * expected) < 1e-14);
        }
        // The response is almost 2·|f|, but not quite 0 at f = 0, which preserves the mean.
        QVERIFY(std::abs(response[16] - 0.5) < 0.01);
        QVERIFY(response[0] > 0.001);
    }

    void windows_data()
    {
        QTest::addColumn<int>("window");
        QTest::addColumn<double>("cutoff");
        QTest::addColumn<int>("order");
        for (const FilterWindow& row : filterWindows()) {
            if (row.window == Window::none) // has no ramp: see noneOnlyWeighs
                continue;
            for (const double cutoff : {1.0, 0.5, 0.3})
                for (const int order : {1, 4})
                    QTest::addRow("%s %.1f %d", row.id, cutoff, order)
                        << static_cast<int>(row.window) << cutoff << order;
        }
    }

    void windows()
    {
        QFETCH(int, window);
        QFETCH(double, cutoff);
        QFETCH(int, order);
        const int padded = 256;
        const auto plain = frequencyResponse({}, padded);
        const auto response = frequencyResponse({static_cast<Window>(window), cutoff, order, PadMode::zero}, padded);
        for (int k = 0; k <= padded / 2; ++k) {
            const double f = static_cast<double>(k) / padded;
            const bool isCut = static_cast<Window>(window) != Window::butterworth && f > cutoff / 2;
            const double expected = isCut ? 0 : windowOf(static_cast<Window>(window), f, cutoff, order);
            QVERIFY(std::abs(response[k] - plain[k] * expected) < 1e-14);
        }
    }

    // Every other window is 0 above its cut-off. Butterworth has none: only its half-way point is there.
    void butterworthIsHalfAtItsCutoff()
    {
        const int padded = 256;
        const auto plain = frequencyResponse({}, padded);
        for (const int order : {1, 2, 10}) {
            const auto response = frequencyResponse({Window::butterworth, 0.5, order, PadMode::zero}, padded);
            const auto factor = [&](int k) { return response[k] / plain[k]; };
            QVERIFY(std::abs(factor(padded / 4) - 0.5) < 1e-12);
            for (int k = 1; k <= padded / 2; ++k)
                QVERIFY(factor(k) <= factor(k - 1) + 1e-12 && factor(k) > 0);
            QVERIFY(std::abs(factor(padded / 2) - 1 / (1 + std::pow(2.0, 2 * order))) < 1e-12);
        }
    }

    void filtersAsTheSumSays()
    {
        for (const PadMode mode : {PadMode::zero, PadMode::edge, PadMode::cylinder}) {
            for (const int bins : {1, 2, 37, 64, 200}) {
                const Sinograms sinograms = randomRows(2, 3, bins);
                const std::vector<double> weights = {0.5, 1.0, 2.0};
                FilterSettings settings;
                settings.padMode = mode;
                const auto wide = filterSinograms(sinograms, settings, weights, FilterPrecision::float64, 2);
                const auto narrow = filterSinograms(sinograms, settings, weights, FilterPrecision::float32, 2);
                std::vector<double> expected;
                for (int row = 0; row < 6; ++row)
                    for (const double value :
                         convolve(sinograms.values.data() + row * bins, bins, paddedLength(bins), mode))
                        expected.push_back(value * weights[row % 3]);
                QVERIFY(relativeError(std::get<engine::Buffer<double>>(wide.values), expected) < 1e-12);
                QVERIFY(relativeError(std::get<engine::Values>(narrow.values), expected) < 1e-6);
            }
        }
    }

    void edgePaddingFlattensAConstant()
    {
        // A constant projection that continues beyond the detector has no edges, so that the ramp filter leaves
        // almost nothing.
        Sinograms constant{1, 1, 64, Values(64, 1.0f)};
        FilterSettings settings;
        const auto middle = [&] {
            return std::get<engine::Values>(
                filterSinograms(constant, settings, {1.0}, FilterPrecision::float32, 1).values)[0];
        };
        const float cut = middle();
        settings.padMode = PadMode::edge;
        QVERIFY(std::abs(middle()) < 0.1f * std::abs(cut));
    }

    // A disc that reaches a little beyond the detector: with cylinder padding, the image is nearer to the truth than
    // with zeros or edge values, both over the whole image and at the rim. The projections are exact; the density
    // inside is 1.
    void roundedOffForWiderObjects_data()
    {
        QTest::addColumn<double>("radius"); // in units of half the detector's width
        for (const double radius : {1.02, 1.05, 1.1, 1.2, 1.3})
            QTest::addRow("%g", radius) << radius;
    }

    void roundedOffForWiderObjects()
    {
        QFETCH(double, radius);
        constexpr int bins = 200, projections = 60;
        const double middle = (bins - 1) / 2.0, disc = radius * bins / 2;
        Sinograms sinograms{1, projections, bins, Values(std::size_t(projections) * bins)};
        for (int k = 0; k < projections * bins; ++k) {
            const double t = k % bins - middle;
            sinograms.values[k] = static_cast<float>(2 * std::sqrt(disc * disc - t * t));
        }
        const auto errors = [&](PadMode mode) { // root mean square errors of the whole image and of its outer tenth
            FilterSettings settings;
            settings.padMode = mode;
            const auto made =
                filterSinograms(sinograms, settings, std::vector<double>(projections, pi / 2 / projections),
                                FilterPrecision::float64, 1);
            const auto& row = std::get<engine::Buffer<double>>(made.values);
            // All projections are equal: at radius r the image is π/2 times the mean of the filtered projection over
            // t = r·cosθ.
            double all = 0, rim = 0, weight = 0, rimWeight = 0;
            for (int r = 0; r < bins / 2; ++r) {
                double value = 0;
                for (int k = 0; k < 720; ++k) {
                    const double t = middle + r * std::cos(pi * (k + 0.5) / 720);
                    const int bin = static_cast<int>(t);
                    value += (row[bin] * (bin + 1 - t) + row[std::min(bin + 1, bins - 1)] * (t - bin)) / 720;
                }
                const double error = value * projections - 1, area = r;
                all += area * error * error, weight += area;
                if (r >= bins / 2 * 9 / 10)
                    rim += area * error * error, rimWeight += area;
            }
            return std::pair(std::sqrt(all / weight), std::sqrt(rim / rimWeight));
        };
        const auto zero = errors(PadMode::zero), edge = errors(PadMode::edge), cylinder = errors(PadMode::cylinder);
        qInfo("%g: zero %.4f (rim %.4f), edge %.4f (%.4f), cylinder %.4f (%.4f)", radius, zero.first, zero.second,
              edge.first, edge.second, cylinder.first, cylinder.second);
        QVERIFY(cylinder.first < 0.5 * std::min(zero.first, edge.first));
        QVERIFY(cylinder.second < 0.5 * std::min(zero.second, edge.second));
        QVERIFY(cylinder.first < 0.05);
    }

    void noneOnlyWeighs()
    {
        const Sinograms sinograms = randomRows(1, 2, 9);
        FilterSettings settings;
        settings.window = Window::none;
        const auto out = filterSinograms(sinograms, settings, {1.0, 0.25}, FilterPrecision::float64, 1);
        const auto& values = std::get<engine::Buffer<double>>(out.values);
        for (int k = 0; k < 18; ++k)
            QCOMPARE(values[k], sinograms.values[k] * (k < 9 ? 1.0 : 0.25));
    }

    void nanStaysInItsRow()
    {
        Sinograms sinograms = randomRows(1, 5, 33);
        const auto clean = filterSinograms(sinograms, {}, std::vector<double>(5, 1.0), FilterPrecision::float32, 2);
        sinograms.values[2 * 33 + 7] = std::numeric_limits<float>::quiet_NaN();
        const auto dirty = filterSinograms(sinograms, {}, std::vector<double>(5, 1.0), FilterPrecision::float32, 2);
        const auto& a = std::get<engine::Values>(clean.values);
        const auto& b = std::get<engine::Values>(dirty.values);
        for (int k = 0; k < 5 * 33; ++k)
            QVERIFY(k / 33 == 2 ? std::isnan(b[k]) : a[k] == b[k]);
    }

    void inPlaceIsTheSame()
    {
        Sinograms sinograms = randomRows(2, 5, 33);
        const std::vector<double> weights = {1, 2, 3, 4, 5};
        const auto copied = filterSinograms(sinograms, {}, weights, FilterPrecision::float32, 2);
        const auto inPlace = filterInPlace(std::move(sinograms), {}, weights, 2);
        QVERIFY(copied.values == inPlace.values);
        QCOMPARE(inPlace.slices * inPlace.projections * inPlace.bins, 2 * 5 * 33);
    }

    // A projection of a smooth, wide object: the ramp filter removes almost all of it, and rounding must not add a
    // haze over the whole slice.
    void keepsTheMeanInFloats()
    {
        const int bins = 2048;
        Sinograms ellipse{1, 1, bins, {}};
        for (int k = 0; k < bins; ++k)
            ellipse.values.push_back(static_cast<float>(2 * std::sqrt(1024.0 * 1024 - (k - 1023.5) * (k - 1023.5))));
        const auto wide = filterSinograms(ellipse, {}, {1.0}, FilterPrecision::float64, 1);
        const auto narrow = filterSinograms(ellipse, {}, {1.0}, FilterPrecision::float32, 1);
        double mean = 0, error = 0;
        for (int k = 0; k < bins; ++k) {
            mean += std::get<engine::Buffer<double>>(wide.values)[k] / bins;
            error +=
                (std::get<engine::Values>(narrow.values)[k] - std::get<engine::Buffer<double>>(wide.values)[k]) / bins;
        }
        QVERIFY2(std::abs(error) < 2e-6 * std::abs(mean), qPrintable(QString::number(error / mean)));
    }

    void sameForAnyNumberOfThreads()
    {
        const Sinograms sinograms = randomRows(2, 40, 50);
        const std::vector<double> weights(40, 0.1);
        const auto one = filterSinograms(sinograms, {}, weights, FilterPrecision::float32, 1);
        for (const int threads : {0, 2, 5})
            QVERIFY(filterSinograms(sinograms, {}, weights, FilterPrecision::float32, threads).values == one.values);
    }

    void badRequests()
    {
        const Sinograms sinograms = randomRows(1, 2, 8);
        const auto refused = [&](const FilterSettings& settings, const std::vector<double>& weights) {
            return fails(ErrorKind::badRequest,
                         [&] { filterSinograms(sinograms, settings, weights, FilterPrecision::float32, 1); });
        };
        QVERIFY(refused({}, {1.0}));
        QVERIFY(refused({Window::hann, 0.0, 2, PadMode::zero}, {1.0, 1.0}));
        QVERIFY(refused({Window::hann, 1.5, 2, PadMode::zero}, {1.0, 1.0}));
        QVERIFY(refused({Window::hann, std::nan(""), 2, PadMode::zero}, {1.0, 1.0}));
        QVERIFY(refused({Window::butterworth, 1.0, 0, PadMode::zero}, {1.0, 1.0}));
        filterSinograms(sinograms, {}, {1.0, 1.0}, FilterPrecision::float32, 1);
    }

    void stops()
    {
        std::stop_source source;
        source.request_stop();
        QVERIFY(fails(ErrorKind::cancelled, [&] {
            filterSinograms(randomRows(1, 2, 8), {}, {1.0, 1.0}, FilterPrecision::float32, 1, {}, source.get_token());
        }));
    }

    void reportsProgressToTheEnd()
    {
        double last = 0;
        filterSinograms(randomRows(1, 50, 8), {}, std::vector<double>(50, 1.0), FilterPrecision::float32, 1,
                        [&](double fraction) { last = fraction; });
        QCOMPARE(last, 1.0);
    }
};

SINOSCOPE_TEST(FilterTest, QCoreApplication)
#include "filter_test.moc"

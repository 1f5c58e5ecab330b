// Rings: each way against its formula, written plainly, on small sinograms; and against simulated scans with stripes of
// all the kinds of Vo 2018: they go, and what isn't a stripe stays.
#include "engine/io/open_scan.h"
#include "engine/options.h"
#include "engine/prepare/prepare.h"
#include "engine/prepare/rings.h"
#include "engine/reconstruct.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

using namespace engine;
using namespace fixtures;

namespace
{

using Rows = std::vector<std::vector<double>>; // [projection][bin]

int mirroredAt(int k, int count)
{
    while (k < 0 || k >= count)
        k = k < 0 ? -1 - k : 2 * count - 1 - k;
    return k;
}

double medianAround(const std::vector<double>& row, int at, int size)
{
    std::vector<double> window;
    for (int k = at - size / 2; k <= at + size / 2; ++k)
        window.push_back(row[mirroredAt(k, static_cast<int>(row.size()))]);
    std::ranges::sort(window);
    return window[window.size() / 2];
}

// Every bin's values in order, and where they stood: [bin][rank] of (value, projection).
std::vector<std::vector<std::pair<double, int>>> orderedColumns(const Rows& rows)
{
    std::vector<std::vector<std::pair<double, int>>> columns(rows.front().size());
    for (std::size_t bin = 0; bin < columns.size(); ++bin) {
        for (std::size_t p = 0; p < rows.size(); ++p)
            columns[bin].push_back({rows[p][bin], static_cast<int>(p)});
        std::ranges::stable_sort(columns[bin], {}, &std::pair<double, int>::first);
    }
    return columns;
}

// Of each rank across the bins.
Rows medianOfRanks(const Rows& rows, int size)
{
    const auto columns = orderedColumns(rows);
    Rows smooth = rows;
    for (std::size_t rank = 0; rank < rows.size(); ++rank) {
        std::vector<double> row;
        for (const auto& column : columns)
            row.push_back(column[rank].first);
        for (std::size_t bin = 0; bin < row.size(); ++bin)
            smooth[rank][bin] = medianAround(row, static_cast<int>(bin), size);
    }
    return smooth;
}

Rows bySorting(const Rows& rows, int size, const std::vector<char>& chosen = {})
{
    const auto columns = orderedColumns(rows);
    const Rows smooth = medianOfRanks(rows, size);
    Rows made = rows;
    for (std::size_t bin = 0; bin < columns.size(); ++bin)
        for (std::size_t rank = 0; rank < rows.size(); ++rank)
            if (chosen.empty() || chosen[bin])
                made[columns[bin][rank].second][bin] = smooth[rank][bin];
    return made;
}

Rows randomSinogram(int projections, int bins, unsigned seed)
{
    std::mt19937 generator(seed);
    std::normal_distribution<double> noise(0, 0.05);
    Rows rows(projections, std::vector<double>(bins));
    for (int p = 0; p < projections; ++p)
        for (int bin = 0; bin < bins; ++bin)
            rows[p][bin] = static_cast<float>(1 + std::sin(0.1 * bin + 0.05 * p) + noise(generator));
    return rows;
}

template <typename Remove>
Rows after(const Rows& rows, const Remove& remove)
{
    std::vector<float> values;
    for (const auto& row : rows)
        values.insert(values.end(), row.begin(), row.end());
    remove(SinogramPlane{values.data(), static_cast<int>(rows.size()), static_cast<int>(rows.front().size())});
    Rows made = rows;
    for (std::size_t p = 0; p < rows.size(); ++p)
        for (std::size_t bin = 0; bin < made[p].size(); ++bin)
            made[p][bin] = values[p * made[p].size() + bin];
    return made;
}

double largest(const Rows& a, const Rows& b)
{
    double most = 0;
    for (std::size_t p = 0; p < a.size(); ++p)
        for (std::size_t bin = 0; bin < a[p].size(); ++bin)
            most = std::isfinite(a[p][bin]) ? std::max(most, std::abs(a[p][bin] - b[p][bin])) : 1e9;
    return most;
}

// A disc of the object, in bins from the axis.
struct Disc {
    double x, y, radius, density;
};

// Grains beside the axis, as they are in stones and foams: exact line integrals, with noise, and stripes where they are
// wanted.
struct Striped {
    static constexpr int size = 300, projections = 480;
    std::vector<Disc> discs;
    std::shared_ptr<const Scan> simulated; // whose geometry it has
    std::shared_ptr<RawRows> raw;

    Striped()
    {
        std::mt19937 generator(7);
        std::uniform_real_distribution<double> uniform(0, 1);
        discs.push_back({5, -3, 125, 0.006});
        for (int k = 0; k < 14; ++k) {
            const double place = 80 * std::sqrt(uniform(generator)), angle = 2 * std::numbers::pi * uniform(generator);
            discs.push_back({place * std::cos(angle), place * std::sin(angle), 10 + 30 * uniform(generator),
                             0.006 * uniform(generator) - 0.002});
        }
        simulated = smallScan(size, projections);
        raw = std::make_shared<RawRows>();
        raw->rows = {0, 1};
        raw->bins = size;
        raw->projections = projections;
        std::normal_distribution<double> noise(0, 0.04);
        Values values;
        for (int p = 0; p < projections; ++p)
            for (int bin = 0; bin < size; ++bin) {
                double sum = noise(generator);
                for (const Disc& disc : discs) {
                    const double angle = std::numbers::pi * p / projections;
                    const double t = bin - (size - 1) / 2.0 - disc.x * std::cos(angle) - disc.y * std::sin(angle);
                    sum += 2 * disc.density * std::sqrt(std::max(0.0, disc.radius * disc.radius - t * t));
                }
                values.push_back(static_cast<float>(sum));
            }
        raw->data = Samples(std::move(values));
    }

    // Means over 4 × 4 points of each pixel.
    Volume truth() const
    {
        Volume image(1, size, size);
        for (int row = 0; row < size; ++row)
            for (int column = 0; column < size; ++column)
                for (int point = 0; point < 16; ++point) {
                    const double x = column + (point % 4 - 1.5) / 4 - (size - 1) / 2.0;
                    const double y = (size - 1) / 2.0 - row - (point / 4 - 1.5) / 4;
                    for (const Disc& disc : discs)
                        if (std::hypot(x - disc.x, y - disc.y) < disc.radius)
                            image.values[static_cast<std::size_t>(row) * size + column] +=
                                static_cast<float>(disc.density / 16);
                }
        return image;
    }

    float& at(int projection, int bin) { return raw->data.floats()[static_cast<std::size_t>(projection) * size + bin]; }

    void add(const std::string& kind)
    {
        std::mt19937 generator(11);
        std::normal_distribution<float> noise(0, 0.4F);
        for (int p = 0; p < projections; ++p) {
            if (contains(kind, "full"))
                at(p, 60) += 0.08F, at(p, 151) -= 0.06F, at(p, 199) += 0.05F;
            if (contains(kind, "strong"))
                at(p, 60) += 0.32F, at(p, 151) -= 0.24F, at(p, 199) += 0.2F;
            if (contains(kind, "partial") && p > 120 && p < 300)
                at(p, 90) += 0.1F;
            if (contains(kind, "large"))
                for (int bin = 170; bin < 177; ++bin)
                    at(p, bin) += 0.25F;
            if (contains(kind, "fluctuating"))
                at(p, 110) += noise(generator);
            if (contains(kind, "dead"))
                at(p, 45) = 1.1F;
        }
    }

    Reconstruction image(const std::vector<std::pair<std::string, std::string>>& options) const
    {
        auto scan = std::make_shared<Scan>(*simulated);
        scan->quantity = Quantity::attenuation;
        scan->read = [raw = raw](RowRange, std::stop_token) { return *raw; };
        Request request = requestFor(scan);
        request.setting.axis = {AxisSettings::Mode::middle, 0};
        for (const auto& [id, text] : options)
            setOption(option(id), request, text);
        return Reconstructor().run(request);
    }
};

// Of the difference of two images: the mean over each quarter of a circle around the axis, squared, and summed over the
// pixels; and what is left without them.
struct RingEnergy {
    double rings = 0, rest = 0;
};

RingEnergy energyOf(const Volume& image, const Volume& than)
{
    struct Sector {
        double sum = 0, squares = 0;
        int pixels = 0;
    };
    std::map<std::pair<int, int>, Sector> sectors;
    const int size = image.width;
    for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column) {
            const double x = column - (size - 1) / 2.0, y = row - (size - 1) / 2.0, r = std::hypot(x, y);
            if (r >= size / 2 - 2)
                continue;
            Sector& sector = sectors[{static_cast<int>(2 * r), (x > 0) + 2 * (y > 0)}];
            const double difference = image.values[static_cast<std::size_t>(row) * size + column] -
                                      than.values[static_cast<std::size_t>(row) * size + column];
            sector.sum += difference, sector.squares += difference * difference, ++sector.pixels;
        }
    RingEnergy energy;
    for (const auto& [place, sector] : sectors) {
        const double ring = sector.sum * sector.sum / sector.pixels;
        energy.rings += ring;
        energy.rest += sector.squares - ring;
    }
    return energy;
}

using Given = std::vector<std::pair<std::string, std::string>>;

} // namespace

class RingsTest : public QObject
{
    Q_OBJECT

  private slots:
    void sortingIsTheFormula()
    {
        for (const auto& [projections, bins, size] :
             {std::tuple(37, 50, 5), std::tuple(8, 19, 21), std::tuple(64, 33, 3)}) {
            const Rows rows = randomSinogram(projections, bins, 3);
            const Rows made =
                after(rows, [size](const SinogramPlane& plane) { removeBySorting(plane, {.size = size}); });
            QVERIFY(largest(made, bySorting(rows, size)) < 1e-7);
        }
    }

    // Negative numbers, zeros of both signs and equal values are put in order too.
    void sortingTakesAllNumbers()
    {
        Rows rows = randomSinogram(40, 30, 5);
        for (std::size_t p = 0; p < rows.size(); ++p)
            for (std::size_t bin = 0; bin < rows[p].size(); ++bin)
                rows[p][bin] = p % 3 == 0 ? (p % 2 ? 0.0 : -0.0) : static_cast<float>(rows[p][bin] - 1.5);
        const Rows made = after(rows, [](const SinogramPlane& plane) { removeBySorting(plane, {.size = 7}); });
        QVERIFY(largest(made, bySorting(rows, 7)) < 1e-7);
    }

    // A row with noise and what stands out of it, by hand: the line through the middle half of the ordered values.
    void stripesAreFound()
    {
        std::vector<double> row(100);
        std::mt19937 generator(1);
        std::uniform_real_distribution<double> noise(-1, 1);
        for (double& value : row)
            value = noise(generator);
        QCOMPARE(std::ranges::count(findStripes(row, 3), 1), 0L);
        row[40] = 9, row[41] = 12, row[77] = -8;
        const std::vector<char> found = findStripes(row, 3);
        for (int k = 0; k < 100; ++k)
            QCOMPARE(int(found[k]), int((k >= 39 && k <= 42) || (k >= 76 && k <= 78))); // one beside too
        QCOMPARE(std::ranges::count(findStripes(std::vector<double>(20, 2.5), 3), 1), 0L);
    }

    void largeIsTheFormula()
    {
        Rows rows = randomSinogram(80, 120, 9);
        for (auto& row : rows)
            for (int bin = 50; bin < 56; ++bin)
                row[bin] = static_cast<float>(row[bin] + 0.9);
        const int size = 31;
        const auto columns = orderedColumns(rows);
        const Rows smooth = medianOfRanks(rows, size);
        std::vector<double> stripes(120, 0.0);
        for (int bin = 0; bin < 120; ++bin)
            for (int rank = 4; rank < 76; ++rank) // without a twentieth at each end
                stripes[bin] += (columns[bin][rank].first - smooth[rank][bin]) / 72;
        const std::vector<char> found = findStripes(stripes, 3);
        QVERIFY(found[52] && !found[20]);
        int bins = 0;
        const Rows made =
            after(rows, [&](const SinogramPlane& plane) { bins = removeLarge(plane, {.largeSize = size, .snr = 3}); });
        QCOMPARE(bins, int(std::ranges::count(found, 1)));
        QVERIFY(largest(made, bySorting(rows, size, found)) < 1e-6);
    }

    void deadIsBridged()
    {
        Rows rows = randomSinogram(90, 150, 13);
        for (auto& row : rows)
            row[70] = 0.25; // never changes
        const Rows made = after(rows, [](const SinogramPlane& plane) { removeDead(plane, {.largeSize = 31}); });
        for (std::size_t p = 0; p < rows.size(); ++p) {
            // 69 to 71 were found: straight from 68 to 72.
            const double expected = rows[p][68] + (rows[p][72] - rows[p][68]) / 2;
            QVERIFY(std::abs(made[p][70] - expected) < 1e-6);
            QVERIFY(std::abs(made[p][30] - rows[p][30]) < 1e-6);
        }
    }

    // A polynomial of the order that is fitted goes, but for its blur; what is beyond the order stays.
    void fittingTakesPolynomials()
    {
        constexpr int projections = 60, bins = 90;
        Rows rows(projections, std::vector<double>(bins, 0.0)), beyond = rows;
        for (int p = 0; p < projections; ++p) {
            const double x = 2.0 * p / (projections - 1) - 1;
            rows[p][45] = static_cast<float>(0.3 + 0.2 * x - 0.4 * x * x * x);
            for (int bin = 0; bin < bins; ++bin)
                beyond[p][bin] =
                    static_cast<float>(bin % 2 ? std::cos(std::numbers::pi * (p + 0.5) * 20 / projections) : 0);
        }
        const auto remove = [](const SinogramPlane& plane) { removeByFitting(plane, {.size = 21, .order = 3}); };
        const double deviation = 21 / 2.354820045;
        double sum = 0;
        for (int k = -36; k <= 36; ++k)
            sum += std::exp(-k * k / (2 * deviation * deviation));
        const Rows made = after(rows, remove);
        for (int p = 0; p < projections; ++p)
            for (const int d : {0, 5, 20})
                QVERIFY(std::abs(made[p][45 + d] - rows[p][45] * std::exp(-d * d / (2 * deviation * deviation)) / sum) <
                        1e-6);
        QVERIFY(largest(after(beyond, remove), beyond) < 0.12); // cosines of ten waves have little of a cubic
        QVERIFY(largest(after(Rows(projections, std::vector<double>(bins, 2.0)), remove),
                        Rows(projections, std::vector<double>(bins, 2.0))) < 1e-6);
    }

    // The slow part alone is sorted: a wave of many cycles comes through as it is, a stripe goes.
    void filteringKeepsWhatIsFast()
    {
        constexpr int projections = 256, bins = 60;
        Rows rows(projections, std::vector<double>(bins, 0.0)), clean;
        for (int p = 0; p < projections; ++p)
            for (int bin = 0; bin < bins; ++bin)
                rows[p][bin] =
                    static_cast<float>(std::cos(2 * std::numbers::pi * (p + 0.5) * 32 / projections) * (bin % 5));
        clean = rows;
        for (auto& row : rows)
            row[30] = static_cast<float>(row[30] + 0.5);
        const Rows made =
            after(rows, [](const SinogramPlane& plane) { removeByFiltering(plane, {.size = 11, .cycles = 3}); });
        QVERIFY2(largest(made, clean) < 1e-5, qPrintable(QString::number(largest(made, clean))));
    }

    // q solves (DᵀD + α)·q = DᵀD·m for the mean m of each block.
    void titarenkoSolvesItsEquation()
    {
        const Rows rows = randomSinogram(30, 41, 21);
        for (const double alpha : {0.001, 0.5}) {
            const Rows made = after(rows, [&](const SinogramPlane& plane) {
                removeByRegularization(plane, {.alpha = alpha, .blocks = 3});
            });
            for (int block = 0; block < 3; ++block) {
                std::vector<double> mean(41, 0.0), q(41);
                for (int p = 10 * block; p < 10 * block + 10; ++p)
                    for (int bin = 0; bin < 41; ++bin)
                        mean[bin] += rows[p][bin] / 10;
                for (int bin = 0; bin < 41; ++bin)
                    q[bin] = rows[10 * block][bin] - made[10 * block][bin];
                const auto rough = [](const std::vector<double>& x, int k) {
                    return (k > 0 ? x[k] - x[k - 1] : 0) - (k < 40 ? x[k + 1] - x[k] : 0);
                };
                for (int k = 0; k < 41; ++k)
                    QVERIFY(std::abs(rough(q, k) + alpha * q[k] - rough(mean, k)) < 2e-6);
            }
        }
    }

    // Stripes that never change are wavelet details of no frequency and go, whatever their pattern, but for what the
    // coarsest level holds; doing it again changes nothing; waves along the angle stay.
    void waveletsTakeWhatNeverChanges()
    {
        constexpr int projections = 256, bins = 320;
        std::mt19937 generator(5);
        std::normal_distribution<double> noise(0, 1);
        Rows still(projections, std::vector<double>(bins)), waves = still;
        for (double& value : still.front())
            value = static_cast<float>(noise(generator));
        for (auto& row : still)
            row = still.front();
        for (int p = 0; p < projections; ++p)
            for (int bin = 0; bin < bins; ++bin)
                waves[p][bin] = static_cast<float>(std::cos(2 * std::numbers::pi * (p + 0.5) * 32 / projections) *
                                                   std::sin(0.4 * bin));
        const auto remove = [](const SinogramPlane& plane) { removeByWavelets(plane, {.cycles = 2, .levels = 3}); };
        const Rows once = after(still, remove), twice = after(once, remove);
        const auto power = [](const std::vector<double>& row) {
            return std::inner_product(row.begin() + 60, row.end() - 60, row.begin() + 60, 0.0);
        };
        // White noise keeps an eighth of its power at the third level.
        QVERIFY(power(once[100]) < 0.25 * power(still[100]));
        QVERIFY(power(once[100]) > 0.04 * power(still[100]));
        double again = 0, gone = 0;
        for (int p = 40; p < projections - 40; ++p)
            for (int bin = 60; bin < bins - 60; ++bin) {
                again = std::max(again, std::abs(twice[p][bin] - once[p][bin]));
                gone = std::max(gone, std::abs(once[p][bin] - once[100][bin]));
            }
        QVERIFY2(again < 1e-3 && gone < 1e-3, qPrintable(QString("%1 %2").arg(again).arg(gone)));
        double changed = 0;
        const Rows kept = after(waves, remove);
        for (int p = 40; p < projections - 40; ++p)
            for (int bin = 0; bin < bins; ++bin)
                changed = std::max(changed, std::abs(kept[p][bin] - waves[p][bin]));
        QVERIFY2(changed < 0.01, qPrintable(QString::number(changed)));
    }

    void ringsGo_data()
    {
        QTest::addColumn<QString>("kinds");
        QTest::addColumn<QString>("way");
        QTest::addColumn<QString>("more"); // option value, …
        QTest::addColumn<double>("least"); // how many times the rings' energy falls
        QTest::addColumn<double>("most");  // times the error of the rest
        const auto add = [](const char* kinds, const char* way, const char* more, double least, double most) {
            QTest::newRow(way) << kinds << way << more << least << most;
        };
        add("full partial large fluctuating dead", "all", "ring-size 5 ring-large-size 31", 10, 1.02);
        add("full partial", "sorting", "ring-size 5", 10, 1.02);
        add("full", "filtering", "ring-size 5", 10, 1.02);
        add("strong", "fitting", "ring-size 7 ring-order 0", 10, 1.02);
        add("large", "large", "ring-large-size 31", 10, 1.02);
        add("fluctuating dead", "dead", "ring-large-size 31", 10, 1.02);
        add("strong", "wavelet", "ring-levels 2", 6, 1.02);
        add("strong", "titarenko", "", 10, 1.02);
    }

    void ringsGo()
    {
        QFETCH(QString, kinds);
        QFETCH(QString, way);
        QFETCH(QString, more);
        QFETCH(double, least);
        QFETCH(double, most);
        const Striped clean;
        Striped striped;
        striped.add(kinds.toStdString());
        Given given{{"rings", way.toStdString()}};
        const QStringList words = more.split(' ', Qt::SkipEmptyParts);
        for (int k = 0; k + 1 < words.size(); k += 2)
            given.push_back({words[k].toStdString(), words[k + 1].toStdString()});
        const Reconstruction without = clean.image({}), before = striped.image({}), treated = striped.image(given);
        const RingEnergy first = energyOf(before.image, without.image), second = energyOf(treated.image, without.image);
        // All but the rings, against the truth: of the treated image, and of one that never had stripes.
        const Volume truth = clean.truth();
        const double rest = std::sqrt(energyOf(treated.image, truth).rest / energyOf(without.image, truth).rest);
        // What the way does where there are no stripes.
        const double harm = relativeError(clean.image(given).image, truth) / relativeError(without.image, truth);
        qInfo("%s: rings %.1f times less, rest × %.4f, without stripes × %.4f", qPrintable(way),
              first.rings / second.rings, rest, harm);
        QVERIFY(first.rings / second.rings > least);
        QVERIFY(rest < most);
        QVERIFY(harm < most);
        QVERIFY(mentions(treated.notes, "1 slice was freed of rings"));
    }

    // The published neutron scan, known for its rings: what a bin's mean over the projections differs from those of its
    // neighbours by.
    void neutronSinogram()
    {
        const std::filesystem::path path = realData / "neutron-360-sinogram/sinogram_360_neutron_image.tif";
        if (!std::filesystem::exists(path))
            QSKIP("the published neutron sinogram is not here");
        OpenOptions options;
        options.sinogram = true;
        const auto scan = openScan(path, options);
        const RawRows recorded = scan->read({0, 1}, {});
        const auto stripes = [&](const char* way) {
            Request request;
            setOption(option("rings"), request, way);
            const Sinograms made =
                prepareRows(recorded, scan->quantity, preparationOf(*scan, request.setting.preparation), 0).sinograms;
            std::vector<double> mean(made.bins, 0.0);
            for (std::size_t k = 0; k < made.values.size(); ++k)
                mean[k % made.bins] += made.values[k] / made.projections;
            double sum = 0;
            for (int bin = 0; bin < made.bins; ++bin)
                sum += std::pow(mean[bin] - medianAround(mean, bin, 21), 2);
            return std::sqrt(sum / made.bins);
        };
        const double before = stripes("off");
        for (const auto& [way, most] :
             {std::pair("all", 0.12), std::pair("sorting", 0.45), std::pair("filtering", 0.6)}) {
            const double left = stripes(way);
            qInfo("stripes of the neutron sinogram: %.4g, by %s %.4g", before, way, left);
            QVERIFY2(left < most * before, way);
        }
    }

    void sameBitsWithAnyThreads()
    {
        Striped striped;
        striped.add("full partial large fluctuating dead");
        for (const char* way : {"all", "filtering", "fitting", "wavelet", "titarenko"}) {
            Request request;
            setOption(option("rings"), request, way);
            const Preparation preparation = preparationOf(Quantity::attenuation, request.setting.preparation);
            QVERIFY2(prepareRows(*striped.raw, Quantity::attenuation, preparation, 1).sinograms.values ==
                         prepareRows(*striped.raw, Quantity::attenuation, preparation, 3).sinograms.values,
                     way);
        }
    }

    void evenWindowsAreRefused()
    {
        Request request = requestFor(smallScan());
        setOption(option("rings"), request, "sorting");
        setOption(option("ring-size"), request, "8");
        QVERIFY(fails(ErrorKind::badRequest, {"--ring-size 8", "odd"}, [&] { validate(request); }));
    }
};

SINOSCOPE_TEST(RingsTest, QCoreApplication)
#include "rings_test.moc"

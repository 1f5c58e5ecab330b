// SPDX-License-Identifier: GPL-3.0-or-later
// Each ring removal method against its formula, implemented directly, on small sinograms.
#include "engine/prepare/rings.h"
#include "engine/simulate/phantom.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <cmath>
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

// Returns every bin's values in ascending order with their projections: [bin][rank] of (value, projection).
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

// Returns the median across neighbouring bins for each rank.
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

} // namespace

class RingFormulasTest : public QObject
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

    // Negative numbers, zeros of both signs and equal values are sorted correctly, too.
    void sortingTakesAllNumbers()
    {
        Rows rows = randomSinogram(40, 30, 5);
        for (std::size_t p = 0; p < rows.size(); ++p)
            for (std::size_t bin = 0; bin < rows[p].size(); ++bin)
                rows[p][bin] = p % 3 == 0 ? (p % 2 ? 0.0 : -0.0) : static_cast<float>(rows[p][bin] - 1.5);
        const Rows made = after(rows, [](const SinogramPlane& plane) { removeBySorting(plane, {.size = 7}); });
        QVERIFY(largest(made, bySorting(rows, 7)) < 1e-7);
    }

    // A row of noise with outliers, by hand: the threshold comes from the line through the middle half of the sorted
    // values.
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
            QCOMPARE(int(found[k]), int((k >= 39 && k <= 42) || (k >= 76 && k <= 78))); // and one bin either side
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
            for (int rank = 4; rank < 76; ++rank) // without a twentieth at either end
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
            // Bins 69 to 71 were detected: values run linearly from bin 68 to bin 72.
            const double expected = rows[p][68] + (rows[p][72] - rows[p][68]) / 2;
            QVERIFY(std::abs(made[p][70] - expected) < 1e-6);
            QVERIFY(std::abs(made[p][30] - rows[p][30]) < 1e-6);
        }
    }

    // A stripe that is a polynomial of the fitted order is removed, except for its blur; components of higher order
    // stay.
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
        QVERIFY(largest(after(beyond, remove), beyond) < 0.12); // cosines with ten waves contain little of a cubic
        QVERIFY(largest(after(Rows(projections, std::vector<double>(bins, 2.0)), remove),
                        Rows(projections, std::vector<double>(bins, 2.0))) < 1e-6);
    }

    // Only the slow part is sorted: a wave of many cycles is unchanged, and a stripe is removed.
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

    // Constant stripes are wavelet details of zero frequency along the angle. They are removed whatever their
    // pattern, except for the part in the coarsest level; a second removal changes nothing; waves along the angle
    // stay.
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
        // The third level, which is the coarsest, holds an eighth of the power of white noise.
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

    // More levels remove no more of the object and leave no larger error.
    void waveletsLeaveTheObject()
    {
        Simulation simulation;
        simulation.size = 256;
        simulation.projections = 360;
        simulation.counts = false;
        const RawRows raw = simulate(simulation)->read({0, 1}, {});
        Rows clean(360, std::vector<double>(256)), striped;
        for (int p = 0; p < 360; ++p)
            for (int bin = 0; bin < 256; ++bin)
                clean[p][bin] = raw.data.floats()[std::size_t(p) * 256 + bin];
        striped = clean;
        std::mt19937 generator(9);
        std::normal_distribution<double> noise(0, 0.01);
        for (int bin = 0; bin < 256; ++bin) {
            const double stripe = noise(generator);
            for (auto& row : striped)
                row[bin] = static_cast<float>(row[bin] + stripe);
        }
        const auto distance = [&](const Rows& rows) {
            double sum = 0;
            for (int p = 0; p < 360; ++p)
                for (int bin = 0; bin < 256; ++bin)
                    sum += std::pow(rows[p][bin] - clean[p][bin], 2);
            return std::sqrt(sum / (360 * 256));
        };
        const double before = distance(striped);
        double last = before;
        for (const int levels : {1, 3, 5}) {
            const auto remove = [&](const SinogramPlane& plane) {
                removeByWavelets(plane, {.cycles = 0.5, .levels = levels});
            };
            const double error = distance(after(striped, remove)), damage = distance(after(clean, remove));
            qInfo("%d levels: %.4f of %.4f stays, %.4f of the object goes", levels, error, before, damage);
            QVERIFY2(error < 1.02 * last, qPrintable(QString::number(error)));
            QVERIFY2(damage < 0.3 * before, qPrintable(QString::number(damage)));
            last = error;
        }
        QVERIFY(last < 0.6 * before);
    }
};

SINOSCOPE_TEST(RingFormulasTest, QCoreApplication)
#include "ring_formulas_test.moc"

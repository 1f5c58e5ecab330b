// SPDX-License-Identifier: GPL-3.0-or-later
// The filter on GPUs, row by row, compared with that in double precision: rows from one bin to more than a block's
// shared memory holds.
#include "tests/gpu/device.h"

#include "engine/filter/filter.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "engine/backends/cuda/filter/gpu_filter.h"

using namespace engine;

class GpuFilterTest : public QObject
{
    Q_OBJECT

    struct Filtered {
        std::vector<float> values;
        float largest = 0;
        bool isFinite = true;
    };

    static Filtered filteredOnGpu(const Sinograms& sinograms, const FilterSettings& settings,
                                  const std::vector<double>& weights)
    {
        DeviceBuffer<float> raw(sinograms.values.size());
        checkCuda(cudaMemcpy(raw.data(), sinograms.values.data(), sinograms.values.size() * sizeof(float),
                             cudaMemcpyHostToDevice),
                  "upload");
        cuda::GpuFilter filter;
        filter.prepare(settings, weights, sinograms.bins, nullptr);
        const cuda::GpuFilter::Rows rows = filter.runRows(raw.data(), sinograms.slices, nullptr);
        Filtered made{std::vector<float>(sinograms.values.size())};
        unsigned notFinite = 0;
        checkCuda(
            cudaMemcpy(made.values.data(), rows.values, made.values.size() * sizeof(float), cudaMemcpyDeviceToHost),
            "download");
        checkCuda(cudaMemcpy(&made.largest, rows.largest, sizeof(float), cudaMemcpyDeviceToHost), "download");
        checkCuda(cudaMemcpy(&notFinite, rows.nonFinite, sizeof(unsigned), cudaMemcpyDeviceToHost), "download");
        made.isFinite = notFinite == 0;
        return made;
    }

    static Sinograms randomRows(int slices, int projections, int bins)
    {
        Sinograms made{slices, projections, bins, {}};
        made.values.resize(static_cast<std::size_t>(slices) * projections * bins);
        std::mt19937 random(static_cast<unsigned>(bins));
        std::uniform_real_distribution<float> values(0.1f, 3.0f);
        std::ranges::generate(made.values, [&] { return values(random); });
        return made;
    }

  private slots:
    void rows_data()
    {
        QTest::addColumn<int>("bins");
        QTest::addColumn<int>("projections");
        // Transforms of 2 to 131072 values: every exponent, with rows that fill half of it and rows that don't.
        for (const int bins :
             {1, 2, 3, 4, 7, 8, 15, 31, 64, 100, 129, 511, 1000, 2048, 4095, 5000, 12'345, 16'384, 30'000, 65'536})
            QTest::addRow("%d bins", bins) << bins << (bins > 3000 ? 5 : 301);
    }

    void rows()
    {
        SINOSCOPE_NEEDS_GPU();
        QFETCH(int, bins);
        QFETCH(int, projections);
        const Sinograms sinograms = randomRows(3, projections, bins); // an odd number of rows
        std::vector<double> weights;
        for (int k = 0; k < projections; ++k)
            weights.push_back(0.01 * (1 + k % 7));
        for (const PadMode pad : {PadMode::zero, PadMode::edge, PadMode::cylinder})
            for (const Window window : {Window::none, Window::ramLak, Window::hann}) {
                const FilterSettings settings{.window = window, .padMode = pad};
                const auto truth = filterSinograms(sinograms, settings, weights, FilterPrecision::float64, 0);
                const auto& right = std::get<Buffer<double>>(truth.values);
                const Filtered gpu = filteredOnGpu(sinograms, settings, weights);
                double most = 0, worst = 0, largest = 0;
                for (std::size_t k = 0; k < right.size(); ++k) {
                    most = std::max(most, std::abs(right[k]));
                    const double error = std::abs(gpu.values[k] - right[k]);
                    worst = !(error <= worst) ? error : worst; // catches NaN
                    largest = std::max(largest, std::abs(static_cast<double>(gpu.values[k])));
                }
                QVERIFY2(worst <= 2e-6 * most, qPrintable(QString("%1 of %2").arg(worst).arg(most)));
                QCOMPARE(static_cast<double>(gpu.largest), largest);
                QVERIFY(gpu.isFinite);
            }
    }

    // What isn't a number stays in the pair of its row, and is reported.
    void notFinite()
    {
        SINOSCOPE_NEEDS_GPU();
        for (const int bins : {5, 300, 20'000}) {
            Sinograms sinograms = randomRows(1, 7, bins);
            sinograms.values[static_cast<std::size_t>(3) * bins + bins / 2] = fixtures::notANumber;
            const Filtered gpu = filteredOnGpu(sinograms, {}, std::vector<double>(7, 1.0));
            QVERIFY(!gpu.isFinite);
            QVERIFY(std::isfinite(gpu.largest) && gpu.largest > 0);
            for (int row = 0; row < 7; ++row)
                QCOMPARE(std::isfinite(gpu.values[static_cast<std::size_t>(row) * bins]), row != 2 && row != 3);
        }
    }
};

SINOSCOPE_TEST(GpuFilterTest, QCoreApplication)
#include "filter_test.moc"

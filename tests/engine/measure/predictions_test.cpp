// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted speeds against measured ones: those of a record, of every variant (Chilingaryan et al. 2020, section 6.5).
#include "engine/backends/backend.h"
#include "engine/base/json_text.h"
#include "engine/measure/benchmark_json.h"
#include "engine/measure/limits.h"
#include "tests/test_program.h"

#include <QTest>

#include <fstream>
#include <iterator>

using namespace engine;

class PredictionsTest : public QObject
{
    Q_OBJECT

    const std::string m_record = std::string(SINOSCOPE_SOURCE_DIR) + "/tests/bench/results/h200-predictions.json";

    DeviceRates recordedRates() const
    {
        std::ifstream file(m_record);
        const Json record = parsedJson(std::string{std::istreambuf_iterator<char>(file), {}});
        DeviceRates rates{"cuda", {}};
        for (const auto& [key, value] : record.at("gpuPeaks").at(0).items())
            if (value.is_number())
                rates.units.push_back({key, key, value});
        return rates;
    }

  private slots:
    // No kernel is faster than predicted. Those that are slower by more than a quarter have a reason.
    void areWithinAQuarter()
    {
        const DeviceRates rates = recordedRates();
        const Benchmark measured = readBenchmark(m_record);
        QVERIFY(measured.rows.size() >= 120);
        int within = 0;
        for (const BenchmarkRow& row : measured.rows) {
            const KernelWork work = workOf(row);
            const std::vector<Limit> limits = cudaBackend.limitsOf(work, rates);
            QVERIFY2(!limits.empty(), nameOf(row).c_str());
            const double share = row.kernelGups / limits.front().gups;
            QVERIFY2(share < 1.1, (nameOf(row) + ": " + limiterText(row.kernelGups, limits)).c_str());
            if (share >= 0.75)
                ++within;
            else {
                qInfo("%s: %s", nameOf(row).c_str(), limiterText(row.kernelGups, limits).c_str());
                QVERIFY2(!limitsRemark(work).empty(),
                         (nameOf(row) + ": " + limiterText(row.kernelGups, limits)).c_str());
            }
        }
        qInfo("%d of %zu rows within a quarter", within, measured.rows.size());
        QVERIFY(within > 0.8 * static_cast<double>(measured.rows.size()));
    }
};

SINOSCOPE_TEST(PredictionsTest, QCoreApplication)
#include "predictions_test.moc"

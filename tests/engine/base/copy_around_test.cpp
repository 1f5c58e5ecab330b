// SPDX-License-Identifier: GPL-3.0-or-later
// Copies that bypass the caches.
#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/base/copy_around.h"
#include "tests/test_program.h"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace engine;

class CopyAroundTest : public QObject
{
    Q_OBJECT

  private slots:
    void alignments_data()
    {
        QTest::addColumn<QString>("instructionSet");
        for (const std::string& name : processorTargets())
            QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
    }

    void cleanup() { forceProcessorTarget(""); }

    // All values are copied at every alignment, with stores of every size, and no neighbouring value is overwritten.
    void alignments()
    {
        QFETCH(QString, instructionSet);
        QVERIFY(forceProcessorTarget(instructionSet.toStdString()));
        std::vector<float> from(200);
        std::iota(from.begin(), from.end(), 1.0f);
        for (std::size_t first = 0; first < 18; ++first)
            for (const std::size_t values : {0, 1, 3, 4, 15, 16, 17, 64, 163}) {
                std::vector<float> to(200);
                copyAround(to.data() + first, from.data() + 1, values);
                std::vector<float> expected(200);
                std::copy_n(from.data() + 1, values, expected.data() + first);
                QCOMPARE(to, expected);
            }
    }
};

SINOSCOPE_TEST(CopyAroundTest, QCoreApplication)
#include "copy_around_test.moc"

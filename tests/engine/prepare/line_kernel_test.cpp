// SPDX-License-Identifier: GPL-3.0-or-later
// The operations on every value of a line, against double precision.
#include "engine/prepare/line_kernel.h"
#include "engine/prepare/minus_log.h"
#include "tests/fixtures.h"
#include "tests/test_program.h"

#include <QTest>

#include <bit>
#include <cmath>
#include <vector>

using namespace engine;
using namespace fixtures;

class LineKernelTest : public QObject
{
    Q_OBJECT
  private slots:
    // Tests every eleventh float from 1e-6 to 3, and larger ones.
    void logarithmIsWithinItsBound()
    {
        double worst = 0;
        std::vector<float> from, to;
        const auto look = [&] {
            to = from;
            minusLogLine(to.data(), to.size());
            for (std::size_t k = 0; k < from.size(); ++k) {
                const double truth = -std::log(static_cast<double>(from[k]));
                const float size = static_cast<float>(std::abs(truth));
                const double unit = size > 0 ? double(std::nextafter(size, 1e9f)) - size : 1e-45;
                const double error = std::abs(to[k] - truth) / unit;
                worst = std::isnan(error) ? INFINITY : std::max(worst, error);
            }
            from.clear();
        };
        const auto least = std::bit_cast<std::uint32_t>(std::nextafter(smallestTransmission, 1.0f));
        for (std::uint32_t bits = least; bits < std::bit_cast<std::uint32_t>(3.0f); bits += 11) {
            from.push_back(std::bit_cast<float>(bits));
            if (from.size() == 10'007) // not a whole number of vectors
                look();
        }
        for (float large = 3; large < 1e38f; large *= 1.01f)
            from.push_back(large);
        look();
        QVERIFY2(worst < 0.88, qPrintable(QString::number(worst)));
    }

    void whatHasNoLogarithmIsMarked()
    {
        constexpr float infinite = std::numeric_limits<float>::infinity();
        for (std::size_t count = 1; count < 40; ++count)
            for (std::size_t odd = 0; odd < count; ++odd)
                for (const float value : {notANumber, 0.0f, -1.0f, smallestTransmission, -infinite}) {
                    std::vector<float> line(count, 0.5f);
                    QVERIFY(!hasMarks(line.data(), count));
                    line[odd] = value;
                    minusLogLine(line.data(), count);
                    QVERIFY(hasMarks(line.data(), count));
                    for (std::size_t k = 0; k < count; ++k)
                        QVERIFY(k != odd            ? std::abs(line[k] - std::log(2.0f)) < 1e-7f
                                : std::isnan(value) ? std::isnan(line[k])
                                                    : line[k] == noLight);
                }
    }
};

SINOSCOPE_TEST(LineKernelTest, QCoreApplication)
#include "line_kernel_test.moc"

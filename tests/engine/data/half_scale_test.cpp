// SPDX-License-Identifier: GPL-3.0-or-later
// IEEE half precision: rounding as in the standard, the same from floats and doubles, and scaling that preserves the
// range.
#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/data/half_scale.h"
#include "tests/test_program.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace engine;

class HalfScaleTest : public QObject
{
    Q_OBJECT

  private slots:
    void halfRoundTrip()
    {
        for (int bits = 0; bits < 0x10000; ++bits) {
            const float value = fromHalf(static_cast<std::uint16_t>(bits));
            const bool special = (bits & 0x7c00) == 0x7c00;
            if (special && (bits & 0x3ff))
                QVERIFY(std::isnan(value));
            else
                QCOMPARE(int(toHalf(value)), bits);
        }
        QCOMPARE(fromHalf(0x3c00), 1.0f);
        QCOMPARE(fromHalf(0x0001), 0x1p-24f);
        QCOMPARE(fromHalf(0x7bff), 65504.0f);
        QCOMPARE(int(toHalf(65519.9)), 0x7bff);
        QVERIFY(std::isinf(fromHalf(toHalf(65520.0))));
        QVERIFY(std::isnan(fromHalf(toHalf(std::nan("")))));
        QCOMPARE(int(toHalf(1 + 0x1p-11)), 0x3c00); // ties round to even
        QCOMPARE(int(toHalf(1 + 3 * 0x1p-11)), 0x3c02);
        QCOMPARE(int(toHalf(2 - 0x1p-12)), 0x4000); // rounding carries into the exponent
    }

    void halfOfFloatsAndDoublesAgree()
    {
        std::mt19937 generator(2);
        for (int k = 0; k < 200000; ++k) {
            // An arbitrary float, and one on or beside a tie between two halves.
            const auto any = std::bit_cast<float>(static_cast<std::uint32_t>(generator()));
            const auto tie = std::bit_cast<float>((static_cast<std::uint32_t>(generator()) & 0xfffff000u) + k % 3 - 1);
            for (const float value : {any, tie})
                QCOMPARE(toHalf(value), toHalf(static_cast<double>(value)));
        }
    }

    void halfScaleKeepsTheRange()
    {
        for (const double largest : {1e-30, 0.7, 1.0, 3e5, 1e30}) {
            const std::vector<double> values = {0, -largest, largest / 3, INFINITY, NAN};
            const double scaled = largest * halfScale(std::span<const double>(values));
            QVERIFY(scaled >= 1024 && scaled < 2048);
        }
        QCOMPARE(halfScale(std::span<const float>()), 1.0);
    }
};

SINOSCOPE_TEST(HalfScaleTest, QCoreApplication)
#include "half_scale_test.moc"

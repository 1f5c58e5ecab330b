// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/log_ticks.h"

#include "ui/widgets/displayed_number.h"

#include <cmath>

namespace ui
{

QVector<double> logTicks(double lower, double upper)
{
    QVector<double> ticks;
    if (!(lower > 0) || !(upper > lower) || !std::isfinite(upper))
        return ticks;
    const int first = static_cast<int>(std::floor(std::log10(lower)));
    const int last = static_cast<int>(std::floor(std::log10(upper)));
    constexpr int mostPowers = 8;
    const int every = (last - first) / mostPowers + 1;
    for (int power = first; power <= last; ++power)
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double tick = digit * std::pow(10.0, power);
            const bool isWanted = last - first < 3 || (digit == 1 && power % every == 0);
            if (isWanted && tick >= lower && tick <= upper)
                ticks << tick;
        }
    return ticks;
}

QString logTickText(double tick, bool asPower)
{
    const int power = static_cast<int>(std::floor(std::log10(tick) + 1e-9));
    if (!asPower && power > -4 && power < 6)
        return QString::number(tick, 'g', 6);
    const long digit = std::lround(tick / std::pow(10.0, power));
    return digit == 1 ? powerOfTenText(power) : QStringLiteral("%1·%2").arg(digit).arg(powerOfTenText(power));
}

} // namespace ui

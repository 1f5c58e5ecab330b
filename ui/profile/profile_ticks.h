// SPDX-License-Identifier: GPL-3.0-or-later
// Labels of a profile's axes.
#pragma once

#include "ui/widgets/displayed_number.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace ui
{

// Ticker whose labels keep a distance.
struct SpacedTicker {
    double leastShare = 0; // distance of two labels, as a share of the axis
};

// Ticker with plain numbers. Numbers that would be long are divided by a power of a thousand, which the axis label
// names.
class EngineeringTicker : public QCPAxisTicker, public SpacedTicker
{
  public:
    static int exponentFor(const QCPRange& range)
    {
        const double largest = std::max(std::abs(range.lower), std::abs(range.upper));
        if (!(largest > 0) || (largest >= 2e-3 && largest < 2e4))
            return 0;
        return 3 * static_cast<int>(std::floor(std::log10(largest) / 3));
    }
    void setExponent(int exponent) { m_factor = std::pow(10.0, -exponent); }

    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        const double scaled = std::abs(tick) < 1e-9 * mTickStep ? 0 : tick * m_factor;
        return QString::number(scaled, 'g', 6).replace(u'-', QChar(0x2212));
    }

  protected:
    double getTickStep(const QCPRange& range) override
    {
        const int wanted = mTickCount;
        do
            mTickStep = QCPAxisTicker::getTickStep(range);
        while (mTickStep < leastShare * range.size() && --mTickCount > 0);
        mTickCount = wanted;
        return mTickStep;
    }

  private:
    double m_factor = 1;
    double mTickStep = 0;
};

class PowerTicker : public QCPAxisTickerLog, public SpacedTicker
{
  public:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        return powerOfTenText(static_cast<int>(std::lround(std::log10(tick))));
    }

  protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override
    {
        const int wanted = mTickCount;
        QVector<double> ticks;
        do
            ticks = QCPAxisTickerLog::createTickVector(step, range);
        while (ticks.size() > 1 && std::log(ticks[1] / ticks[0]) < leastShare * std::log(range.upper / range.lower) &&
               --mTickCount > 0);
        mTickCount = wanted;
        return ticks;
    }
};

// Returns "10⁻⁶/mm" for "1/mm" and −6.
inline QString unitWithPower(const QString& unit, int exponent)
{
    if (exponent == 0)
        return unit;
    if (unit.startsWith(QLatin1String("1/")))
        return powerOfTenText(exponent) + unit.mid(1);
    return powerOfTenText(exponent) + u' ' + unit;
}

} // namespace ui

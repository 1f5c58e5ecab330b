// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/value_text.h"

#include "ui/widgets/number_box.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ui
{

namespace
{

constexpr QChar minusSign(0x2212);

QString scientific(double value, int significantDigits)
{
    const QString raw = QString::number(value, 'e', significantDigits - 1);
    const auto split = raw.indexOf('e');
    return raw.left(split) + 'e' + QString::number(raw.mid(split + 1).toInt()); // without the padding of "e-04"
}

} // namespace

QString valueText(double value, int significantDigits)
{
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    if (value == 0)
        return QStringLiteral("0");
    const double size = std::abs(value);
    QString text;
    if (size >= 1e-3 && size < 1e5) {
        const int decimals = significantDigits - 1 - static_cast<int>(std::floor(std::log10(size)));
        text = QString::number(value, 'f', std::max(0, decimals));
    } else {
        text = scientific(value, significantDigits);
    }
    return text.replace('-', minusSign);
}

double valueFromText(const QString& text)
{
    bool valid = false;
    const double value = plainNumber(text.trimmed()).toDouble(&valid);
    return valid ? value : std::numeric_limits<double>::quiet_NaN();
}

} // namespace ui

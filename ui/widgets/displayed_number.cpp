// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/displayed_number.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr QChar thinSpace(0x202f);
constexpr QChar minus(0x2212);

QString absent()
{
    return QStringLiteral("–");
}

} // namespace

QString groupedText(long long value)
{
    QString text = QString::number(std::abs(value));
    for (qsizetype k = text.size() - 3; k > 0; k -= 3)
        text.insert(k, thinSpace);
    return value < 0 ? minus + text : text;
}

QString powerText(double value, int digits)
{
    if (!std::isfinite(value))
        return absent();
    if (value == 0)
        return QStringLiteral("0");
    const QString text = QString::number(value, 'e', digits - 1);
    const qsizetype e = text.indexOf(u'e'); // e-04 → e-4
    return QString(text.left(e) + u'e' + QString::number(text.mid(e + 1).toInt())).replace(u'-', minus);
}

QString significantText(double value, int digits)
{
    if (!std::isfinite(value))
        return absent();
    if (value == 0)
        return QStringLiteral("0");
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    if (exponent < -3 || exponent > 5)
        return powerText(value, digits);
    return QString::number(value, 'f', std::max(0, digits - 1 - exponent)).replace(u'-', minus);
}

QString gupsText(double gups)
{
    if (!std::isfinite(gups) || gups <= 0)
        return absent();
    if (gups >= 999.5)
        return groupedText(std::llround(gups));
    if (gups >= 99.95)
        return QString::number(gups, 'f', 0);
    if (gups >= 9.995)
        return QString::number(gups, 'f', 1);
    if (gups >= 0.0995)
        return QString::number(gups, 'f', 2);
    return significantText(gups, 2);
}

QString secondsText(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0)
        return absent();
    const auto three = [](double value) {
        return QString::number(value, 'f', value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
    };
    if (seconds == 0)
        return QStringLiteral("0") + thinSpace + QStringLiteral("ms");
    if (seconds < 0.9995e-3)
        return three(seconds * 1e6) + thinSpace + QStringLiteral("µs");
    if (seconds < 0.9995)
        return three(seconds * 1e3) + thinSpace + QStringLiteral("ms");
    if (seconds < 120)
        return three(seconds) + thinSpace + QStringLiteral("s");
    return QString::number(seconds / 60, 'f', 1) + thinSpace + QStringLiteral("min");
}

QString timeLeftText(double seconds)
{
    if (!std::isfinite(seconds) || seconds < 0)
        return {};
    constexpr QChar figureSpace(0x2007); // as wide as a digit
    const bool minutes = seconds > 99;
    const int count = static_cast<int>(std::ceil(std::max(1.0, minutes ? std::min(seconds / 60, 1e6) : seconds)));
    const QString number = count < 10 ? figureSpace + QString::number(count) : QString::number(count);
    return (minutes ? QCoreApplication::translate("ui", "%1 min left") : QCoreApplication::translate("ui", "%1 s left"))
        .arg(number);
}

QString fourDigitsText(double value)
{
    return significantText(value, 4);
}

QString errorText(double value)
{
    return significantText(value, 3);
}

QString decibelText(double value)
{
    if (std::isinf(value) && value > 0)
        return QStringLiteral("∞");
    return std::isfinite(value) ? QString::number(value, 'f', 1).replace(u'-', minus) : absent();
}

QString ssimText(double value)
{
    if (!std::isfinite(value))
        return absent();
    if (value >= 1)
        return QStringLiteral("1");
    for (int digits = 4; digits <= 9; ++digits) {
        const QString text = QString::number(value, 'f', digits);
        if (!text.startsWith(u'1'))
            return QString(text).replace(u'-', minus);
    }
    return QStringLiteral("1");
}

QString metricText(const engine::MetricRow& row, const engine::Metrics& metrics)
{
    const double value = metrics.*row.value;
    switch (row.form) {
    case engine::MetricRow::Form::difference:
        return errorText(value);
    case engine::MetricRow::Form::decibels:
        return decibelText(value);
    case engine::MetricRow::Form::similarity:
        break;
    }
    return ssimText(value);
}

QString powerOfTenText(int exponent)
{
    static const QString superscripts = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = QStringLiteral("10");
    if (exponent < 0)
        text += QChar(0x207b);
    for (const QChar digit : QString::number(std::abs(exponent)))
        text += superscripts[digit.digitValue()];
    return text;
}

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/value_spin_box.h"

#include "ui/image/value_text.h"

#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace ui
{

ValueSpinBox::ValueSpinBox(QWidget* parent) : NumberBox(parent)
{
    setDecimals(12); // attenuation differences of half data are about 1e-6, of float data 1e-9
    setRange(-1e9, 1e9);
    setKeyboardTracking(false);
    setCorrectionMode(QAbstractSpinBox::CorrectToPreviousValue);
    setAlignment(Qt::AlignRight);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ValueSpinBox::setStep(double step)
{
    setSingleStep(step > 0 ? step : 1e-6);
    const QSignalBlocker quiet(this);
    setValue(value()); // the number of digits shown follows the step
}

void ValueSpinBox::showValue(double value)
{
    const QSignalBlocker quiet(this);
    setValue(value);
}

QString ValueSpinBox::textFromValue(double value) const
{
    const double step = singleStep();
    if (step < 1e-5 || std::abs(value) >= 1e5)
        return valueText(value, 3);
    // The decimals depend only on the step, so that both ends of a window have equally many. The last one is finer
    // than the step.
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step))) + 1);
    return QString::number(value, 'f', decimals).replace('-', QChar(0x2212));
}

double ValueSpinBox::valueFromText(const QString& text) const
{
    return ui::valueFromText(number(text));
}

QString ValueSpinBox::number(const QString& text) const
{
    QString result = text;
    if (!suffix().isEmpty() && result.endsWith(suffix()))
        result.chop(suffix().size());
    if (!prefix().isEmpty() && result.startsWith(prefix()))
        result.remove(0, prefix().size());
    return result;
}

QValidator::State ValueSpinBox::validate(QString& text, int&) const
{
    const double value = valueFromText(text);
    if (std::isfinite(value))
        return value >= minimum() && value <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
    for (const QChar c : number(text).trimmed())
        if (!c.isDigit() && !QStringLiteral("+-.,eE\u2212").contains(c))
            return QValidator::Invalid;
    return QValidator::Intermediate;
}

QSize ValueSpinBox::sizeHint() const
{
    const int number = fontMetrics().horizontalAdvance(prefix() + QStringLiteral("\u22128.888e\u22128") + suffix());
    return {number + 34, NumberBox::sizeHint().height()};
}

QSize ValueSpinBox::minimumSizeHint() const
{
    // Without the unit, which is cut off in a narrow window.
    const int number = fontMetrics().horizontalAdvance(prefix() + QStringLiteral("\u22120.88888"));
    return {number + 28, NumberBox::minimumSizeHint().height()};
}

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/length_box.h"

#include "engine/base/units.h"

#include <cmath>

namespace ui
{

namespace
{

// Returns the position after the number.
qsizetype startOfUnit(const QString& text)
{
    qsizetype at = 0;
    while (at < text.size() && QStringLiteral("0123456789.,+-− ").contains(text[at]))
        ++at;
    return at;
}

std::optional<double> lengthConverted(double number, const QString& from, const QString& to,
                                      std::optional<double> binMm)
{
    const auto isBins = [](const QString& unit) {
        return unit == QLatin1String("bins") || unit == QLatin1String("bin");
    };
    if (isBins(from) == isBins(to) && (isBins(from) || engine::mmPerUnit(from.toStdString())))
        return isBins(from) ? number : engine::lengthIn(number, from.toStdString(), to.toStdString());
    if (isBins(from) && binMm)
        return engine::lengthIn(number * *binMm, "mm", to.toStdString());
    return {};
}

} // namespace

std::optional<double> lengthOf(const QString& text, const QString& unit, std::optional<double> binMm)
{
    QString typed = text.trimmed();
    const QString own = unit.trimmed();
    // The unit of the field remains when the user types over the number: "1.5mm µm" means 1.5 mm.
    const qsizetype before = typed.size() - own.size();
    if (typed.endsWith(own) && startOfUnit(typed) < before)
        typed = typed.left(before).trimmed();
    const qsizetype end = startOfUnit(typed);
    const QString given = typed.mid(end).trimmed();
    bool isNumber = false;
    const double value = plainNumber(typed.left(end).trimmed()).toDouble(&isNumber);
    if (!isNumber || !std::isfinite(value))
        return {};
    return given.isEmpty() ? value : lengthConverted(value, given, own, binMm);
}

bool mayBecomeLength(const QString& text)
{
    for (const QChar letter : text)
        if (!letter.isLetterOrNumber() && !letter.isSpace() && !QStringLiteral(".,'’+-−").contains(letter))
            return false;
    return true;
}

LengthBox::LengthBox(const QString& unit, double least, double most, double step)
    : MeasureBox(QString(), least, most, 6, step)
{
    setUnit(unit);
}

void LengthBox::setUnit(const QString& unit, std::optional<double> binMm)
{
    m_unit = unit;
    m_binMm = binMm;
    setSuffix(QLatin1Char(' ') + unit);
}

double LengthBox::valueFromText(const QString& text) const
{
    if (text == specialValueText())
        return minimum();
    return lengthOf(text, m_unit, m_binMm).value_or(value());
}

QValidator::State LengthBox::validate(QString& text, int&) const
{
    if (text == specialValueText() && !text.isEmpty())
        return QValidator::Acceptable;
    const std::optional<double> length = lengthOf(text, m_unit, m_binMm);
    if (length && *length >= minimum() && *length <= maximum())
        return QValidator::Acceptable;
    return mayBecomeLength(text) ? QValidator::Intermediate : QValidator::Invalid;
}

} // namespace ui

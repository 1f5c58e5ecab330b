// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/difference_range.h"

#include "ui/image/image_statistics.h"
#include "ui/image/value_text.h"

#include <algorithm>
#include <utility>

namespace ui
{

bool DifferenceRange::setKind(DifferenceKind kind)
{
    return std::exchange(m_kind, kind) != kind;
}

bool DifferenceRange::isWanted(bool isPreview) const
{
    return range().value <= 0 || (range().automatic && !isPreview);
}

void DifferenceRange::set(double value)
{
    range() = {std::max(value, 1e-12), false};
}

void DifferenceRange::measure(const Pixels& difference)
{
    measure(sampleDisc(difference));
}

void DifferenceRange::measure(std::vector<float> differences)
{
    range().value = automaticRange(std::move(differences), rowOf(m_kind).fraction);
}

void DifferenceRange::beginScan()
{
    for (Range& each : m_ranges)
        if (!std::exchange(each.given, false))
            each.value = 0;
}

Colouring DifferenceRange::colouring(bool isDark) const
{
    if (rowOf(m_kind).isSigned)
        return {{-range().value, range().value}, differenceColours(isDark)};
    return {{0, range().value}, absoluteColours(isDark)};
}

QString DifferenceRange::unit(const QString& unitOfImages) const
{
    return rowOf(m_kind).isRelative ? QStringLiteral("%") : unitOfImages;
}

QString DifferenceRange::text(const QString& unitOfImages) const
{
    if (range().value <= 0)
        return {};
    const QString form = rowOf(m_kind).isSigned ? QStringLiteral("± %1 %2") : QStringLiteral("0…%1 %2");
    return form.arg(valueText(range().value, 2), unit(unitOfImages)).trimmed();
}

QJsonObject DifferenceRange::ranges() const
{
    QJsonObject json;
    for (const DifferenceRow& row : differenceKinds())
        if (const Range& range = m_ranges[static_cast<std::size_t>(row.kind)]; !range.automatic && range.value > 0)
            json[QLatin1String(row.id)] = range.value;
    return json;
}

void DifferenceRange::setRanges(const QJsonObject& ranges)
{
    for (const DifferenceRow& row : differenceKinds()) {
        const double value = ranges[QLatin1String(row.id)].toDouble();
        m_ranges[static_cast<std::size_t>(row.kind)] = value > 0 ? Range{value, false, true} : Range{};
    }
}

} // namespace ui

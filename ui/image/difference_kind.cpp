// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/difference_kind.h"

#include <QCoreApplication>

namespace ui
{

// Where the reference is close to 0, the relative difference is huge but means little. The automatic range of this kind
// therefore leaves out the largest tenth of the values.
const std::array<DifferenceRow, differenceKindCount>& differenceKinds()
{
    static const std::array<DifferenceRow, differenceKindCount> table = {{
        {DifferenceKind::plain, "signed", QT_TRANSLATE_NOOP("ui::DifferenceKind", "difference"), "%1 − %2",
         QT_TRANSLATE_NOOP("ui::DifferenceKind", "Signed difference"), true, false, 0.999},
        {DifferenceKind::absolute, "absolute", QT_TRANSLATE_NOOP("ui::DifferenceKind", "|difference|"), "|%1 − %2|",
         QT_TRANSLATE_NOOP("ui::DifferenceKind", "Absolute difference"), false, false, 0.999},
        {DifferenceKind::ofRange, "range", QT_TRANSLATE_NOOP("ui::DifferenceKind", "difference / range"),
         "(%1 − %2) / range of %2",
         QT_TRANSLATE_NOOP("ui::DifferenceKind", "Relative to the value range of the reference"), true, true, 0.999},
        {DifferenceKind::ofB, "relative", QT_TRANSLATE_NOOP("ui::DifferenceKind", "difference / |reference|"),
         "(%1 − %2) / |%2|",
         QT_TRANSLATE_NOOP("ui::DifferenceKind", "Relative to the reference's value in the same pixel"), true, true,
         0.9},
    }};
    return table;
}

const DifferenceRow& rowOf(DifferenceKind kind)
{
    return differenceKinds()[static_cast<std::size_t>(kind)];
}

QString DifferenceRow::text() const
{
    return QCoreApplication::translate("ui::DifferenceKind", label);
}

QString DifferenceRow::text(const QString& image, const QString& reference) const
{
    return QString::fromUtf8(form).arg(image, reference);
}

QString DifferenceRow::description() const
{
    return QCoreApplication::translate("ui::DifferenceKind", summary);
}

} // namespace ui

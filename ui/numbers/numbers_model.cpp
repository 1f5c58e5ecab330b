// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/numbers_model.h"

#include "ui/widgets/curve_colours.h"
#include "ui/widgets/displayed_number.h"

#include <QGuiApplication>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace ui
{

void NumbersModel::setTable(const NumbersTable& table, const QPalette& palette)
{
    const bool isSameShape = table.columns.size() == m_table.columns.size() &&
                             std::ranges::equal(table.rows, m_table.rows, {}, &NumbersRow::id, &NumbersRow::id);
    if (!isSameShape)
        beginResetModel();
    const NumbersTable before = std::exchange(m_table, table);
    const bool looksDiffer = std::exchange(m_palette, palette) != palette;
    if (!isSameShape)
        endResetModel();
    else
        changed(before, looksDiffer);
}

// Reports names and descriptions only if they changed: a report would reset a cell that is being edited.
void NumbersModel::changed(const NumbersTable& before, bool looksDiffer)
{
    const auto leadingOf = [](const NumbersRow& row) {
        return std::tie(row.name, row.description, row.colour, row.visible);
    };
    for (int row = 0; row < rowCount(); ++row) {
        const auto k = static_cast<std::size_t>(row);
        if (looksDiffer || leadingOf(before.rows[k]) != leadingOf(m_table.rows[k]))
            emit dataChanged(index(row, 0), index(row, m_leading - 1));
    }
    if (rowCount() > 0 && columnCount() > m_leading)
        emit dataChanged(index(0, m_leading), index(rowCount() - 1, columnCount() - 1));
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int NumbersModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int NumbersModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size()) + m_leading;
}

QVariant NumbersModel::data(const QModelIndex& index, int role) const
{
    if (index.column() == 0) {
        if (role == Qt::DisplayRole || role == Qt::UserRole)
            return row(index).name;
        if (role == Qt::DecorationRole)
            return strokeIcon(m_palette, row(index).colour, qGuiApp->devicePixelRatio());
        return role == Qt::ToolTipRole ? row(index).description : QVariant();
    }
    if (index.column() < m_leading)
        return role == Qt::DisplayRole || role == Qt::UserRole || role == Qt::ToolTipRole ? row(index).description
                                                                                          : QVariant();
    const NumbersCell& cell = row(index).cells[static_cast<std::size_t>(index.column() - m_leading)];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::UserRole:
        return cell.value && !std::isnan(*cell.value) ? QVariant(*cell.value) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return cell.runs.count > 0 ? tr("%n run(s), %1 to %2", nullptr, cell.runs.count)
                                         .arg(significantText(cell.runs.least, 3), significantText(cell.runs.most, 3))
                                   : cell.explanation;
    default:
        return {};
    }
}

QVariant NumbersModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section < m_leading ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (section < m_leading)
        return role != Qt::DisplayRole ? QVariant()
               : section == 0          ? m_table.rowHeading()
                                       : m_table.descriptionHeading();
    const NumbersColumn& column = m_table.columns[static_cast<std::size_t>(section - m_leading)];
    if (role == Qt::DisplayRole)
        return column.unit.isEmpty() ? column.name : column.name + u'\n' + column.unit; // on two lines: narrow
    return role == Qt::ToolTipRole ? column.summary : QVariant();
}

bool NumbersOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant a = left.data(Qt::UserRole), b = right.data(Qt::UserRole);
    if (a.isNull() != b.isNull())
        return b.isNull() == (sortOrder() == Qt::AscendingOrder);
    if (a.userType() == QMetaType::Double)
        return a.toDouble() < b.toDouble();
    return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
}

} // namespace ui

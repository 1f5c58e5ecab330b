#include "ui/numbers/numbers_model.h"

#include "ui/curve_colours.h"
#include "ui/number_text.h"

#include <algorithm>
#include <cmath>

namespace ui
{

void NumbersModel::setTable(const NumbersTable& table, const QPalette& palette)
{
    const bool isSameShape = table.columns.size() == m_table.columns.size() &&
                             std::ranges::equal(table.rows, m_table.rows, {}, &NumbersRow::id, &NumbersRow::id);
    if (!isSameShape)
        beginResetModel();
    m_table = table;
    m_palette = palette;
    if (!isSameShape) {
        endResetModel();
        return;
    }
    if (!m_table.rows.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int NumbersModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int NumbersModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size()) + 1;
}

QVariant NumbersModel::data(const QModelIndex& index, int role) const
{
    const NumbersRow& row = m_table.rows[static_cast<std::size_t>(index.row())];
    if (index.column() == 0) {
        if (role == Qt::DisplayRole || role == Qt::UserRole)
            return row.name;
        if (role == Qt::DecorationRole)
            return settingColour(m_palette, row.colour);
        return role == Qt::ToolTipRole ? row.description : QVariant();
    }
    const NumbersCell& cell = row.cells[static_cast<std::size_t>(index.column() - 1)];
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
                                   : QString();
    default:
        return {};
    }
}

QVariant NumbersModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (section == 0)
        return role == Qt::DisplayRole ? tr("setting") : QVariant();
    const NumbersColumn& column = m_table.columns[static_cast<std::size_t>(section - 1)];
    if (role == Qt::DisplayRole)
        return column.unit.isEmpty() ? column.name : column.name + u'\n' + column.unit; // narrow
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

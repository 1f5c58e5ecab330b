// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/areas_model.h"

namespace ui
{

Qt::ItemFlags AreasModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags all = NumbersModel::flags(index);
    switch (index.column()) {
    case name:
        return all | Qt::ItemIsEditable | Qt::ItemIsUserCheckable;
    case shape:
        return all | Qt::ItemIsEditable;
    default:
        return all;
    }
}

QVariant AreasModel::data(const QModelIndex& index, int role) const
{
    if (index.column() == name && role == Qt::CheckStateRole)
        return row(index).visible ? Qt::Checked : Qt::Unchecked;
    if (index.column() == name && role == Qt::DecorationRole)
        return {};
    if (index.column() == name && role == Qt::ToolTipRole)
        return tr("Tick to show the area on the images; double-click to rename it");
    if (index.column() == shape && role == Qt::ToolTipRole)
        return row(index).description + u'\n' + tr("Double-click to edit");
    if (index.column() <= shape && role == Qt::EditRole)
        return NumbersModel::data(index, Qt::DisplayRole);
    return NumbersModel::data(index, role);
}

bool AreasModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const int id = row(index).id;
    if (index.column() == name && role == Qt::CheckStateRole)
        emit drawn(id, value.toInt() == Qt::Checked);
    else if (index.column() == name && role == Qt::EditRole)
        emit named(id, value.toString().trimmed());
    else if (index.column() == shape && role == Qt::EditRole)
        emit typed(id, value.toString().simplified());
    else
        return false;
    return true;
}

} // namespace ui

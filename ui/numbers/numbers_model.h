// SPDX-License-Identifier: GPL-3.0-or-later
// The table of numbers for a view, and its order.
#pragma once

#include "ui/numbers/numbers_table.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace ui
{

// The name first, of areas the shape too, then the table's columns. Qt::UserRole: what a column is sorted by.
class NumbersModel : public QAbstractTableModel
{
    Q_OBJECT
  public:
    // leading: columns before the figures, 1 for the name, 2 for the description beside it.
    explicit NumbersModel(QObject* parent = nullptr, int leading = 1) : QAbstractTableModel(parent), m_leading(leading)
    {
    }

    void setTable(const NumbersTable& table, const QPalette& palette); // rows that stay keep their place and selection
    const NumbersTable& table() const { return m_table; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  protected:
    const NumbersRow& row(const QModelIndex& index) const
    {
        return m_table.rows[static_cast<std::size_t>(index.row())];
    }

  private:
    void changed(const NumbersTable& before, bool looksDiffer);

    int m_leading;
    NumbersTable m_table;
    QPalette m_palette;
};

// What isn't there is last, whichever way the rest is sorted.
class NumbersOrder : public QSortFilterProxyModel
{
    Q_OBJECT
  public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

  protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace ui

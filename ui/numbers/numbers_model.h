// SPDX-License-Identifier: GPL-3.0-or-later
// Table model of the numbers, and the order of its rows.
#pragma once

#include "ui/numbers/numbers_table.h"

#include <QAbstractTableModel>
#include <QPalette>
#include <QSortFilterProxyModel>

namespace ui
{

// Model of a NumbersTable. Columns: the name, for areas also the shape, then the columns of the table. Qt::UserRole:
// the key that a column is sorted by.
class NumbersModel : public QAbstractTableModel
{
    Q_OBJECT
  public:
    // leading: number of columns before the figures: 1 for the name, 2 with the description beside it.
    explicit NumbersModel(QObject* parent = nullptr, int leading = 1) : QAbstractTableModel(parent), m_leading(leading)
    {
    }

    void setTable(const NumbersTable& table, const QPalette& palette); // remaining rows keep their place and selection
    const NumbersTable& table() const { return m_table; }
    int leading() const { return m_leading; }

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

// Sorted rows. Missing values come last, whichever way the rest is sorted.
class NumbersOrder : public QSortFilterProxyModel
{
    Q_OBJECT
  public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

  protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// View of a table of numbers in a tab: a click on a row chooses it, a click on a heading sorts, and the whole table
// can be copied as text.
#pragma once

#include "ui/numbers/numbers_table.h"

#include <QTableView>

#include <set>

class QMenu;
class QToolButton;

namespace ui
{

class NumbersModel;
class NumbersOrder;

class NumbersView : public QTableView
{
    Q_OBJECT
  public:
    explicit NumbersView(NumbersModel* model, QWidget* parent = nullptr); // takes ownership

    void setTable(const NumbersTable& table, int chosenId); // emits no signal
    NumbersTable table() const; // with the visible columns, and its rows in the order on screen
    QToolButton* makeCopyButton();

  signals:
    void chosen(int id); // by the user

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void fillColumnMenu(QMenu& menu);
    void hideColumns();
    void copy(QString (*write)(const NumbersTable&));
    int idOf(const QModelIndex& index) const; // index: in the sorted table

    NumbersModel* m_model;
    NumbersOrder* m_order;
    std::set<QString> m_hidden; // names of columns that the user has switched off
    bool m_isFilling = false;   // the table is being filled: a selection isn't by the user
};

} // namespace ui

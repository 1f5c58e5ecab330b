// SPDX-License-Identifier: GPL-3.0-or-later
// A table of numbers as the tabs show it: a click on a row chooses, on a heading sorts, and all of it is copied as
// text.
#pragma once

#include "ui/numbers/numbers_table.h"

#include <QTableView>

class QToolButton;

namespace ui
{

class NumbersModel;
class NumbersOrder;

class NumbersView : public QTableView
{
    Q_OBJECT
  public:
    explicit NumbersView(NumbersModel* model, QWidget* parent = nullptr); // owns the model

    void setTable(const NumbersTable& table, int chosenId); // no signal
    NumbersTable table() const;                             // its rows as they stand
    QToolButton* makeCopyButton();

  signals:
    void chosen(int id); // by the user

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void copy(QString (*write)(const NumbersTable&));
    int idOf(const QModelIndex& index) const; // of the sorted table

    NumbersModel* m_model;
    NumbersOrder* m_order;
    bool m_isFilling = false; // whatever is chosen meanwhile wasn't by the user
};

} // namespace ui

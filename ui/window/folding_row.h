// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in the window beside each other: a panel on either side of the views.
#pragma once

#include <QWidget>

class QFrame;

namespace ui
{

// Where the views would get too little width, the right panel folds by itself, and then the left one; they come back
// when there is room, unless the user has hidden them.
class FoldingRow : public QWidget
{
    Q_OBJECT
  public:
    FoldingRow(QWidget* left, QWidget* middle, QWidget* right, QWidget* parent = nullptr);

    void setWanted(bool sides); // by the user

    QSize minimumSizeHint() const override; // with both folded

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fold();

    QWidget *m_left, *m_middle, *m_right;
    QFrame *m_leftLine, *m_rightLine;
    bool m_wanted = true;
};

} // namespace ui

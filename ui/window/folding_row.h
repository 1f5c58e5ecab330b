// SPDX-License-Identifier: GPL-3.0-or-later
// The main row of the window: the views between two side panels.
#pragma once

#include <QWidget>

class QFrame;

namespace ui
{

// If the views get too narrow, the right panel is hidden automatically, then the left one. Both reappear when there
// is room, unless the user has hidden them.
class FoldingRow : public QWidget
{
    Q_OBJECT
  public:
    FoldingRow(QWidget* left, QWidget* middle, QWidget* right, QWidget* parent = nullptr);

    void setWanted(bool sides); // by the user

    QSize minimumSizeHint() const override; // with both panels hidden

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fold();

    QWidget *m_left, *m_middle, *m_right;
    QFrame *m_leftLine, *m_rightLine;
    bool m_wanted = true;
};

} // namespace ui

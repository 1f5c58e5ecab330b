// SPDX-License-Identifier: GPL-3.0-or-later
// The main row of the window: the views beside the settings.
#pragma once

#include <QWidget>

class QFrame;

namespace ui
{

// If the views get too narrow, the left panel is hidden automatically. It reappears when there is room, unless the user
// has hidden it.
class FoldingRow : public QWidget
{
    Q_OBJECT
  public:
    FoldingRow(QWidget* left, QWidget* middle, QWidget* parent = nullptr);

    void setWanted(bool side); // by the user

    QSize minimumSizeHint() const override; // with the panel hidden

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fold();

    QWidget *m_left, *m_middle;
    QFrame* m_line;
    bool m_wanted = true;
};

} // namespace ui

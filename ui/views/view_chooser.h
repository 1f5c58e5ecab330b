// SPDX-License-Identifier: GPL-3.0-or-later
// A row of buttons with icons, one per view.
#pragma once

#include "ui/views/views.h"

#include <QWidget>

class QButtonGroup;
class QToolButton;

namespace ui
{

class ViewChooser : public QWidget
{
    Q_OBJECT
  public:
    explicit ViewChooser(QWidget* parent = nullptr);

    void setView(const View& view); // emits no signal

  signals:
    void chosen(const ui::View& view); // by the user

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void makeMore();
    void makeIcons();
    void showChosen();

    QButtonGroup* m_buttons; // indexed as in the table
    QToolButton* m_more;     // menu of the views without a visible button
};

} // namespace ui

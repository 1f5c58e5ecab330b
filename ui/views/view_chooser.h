// SPDX-License-Identifier: GPL-3.0-or-later
// A row of buttons with icons, one a view.
#pragma once

#include "ui/views/views.h"

#include <QWidget>

class QButtonGroup;

namespace ui
{

class ViewChooser : public QWidget
{
    Q_OBJECT
  public:
    explicit ViewChooser(QWidget* parent = nullptr);

    void setView(const View& view); // no signal

  signals:
    void chosen(const ui::View& view); // by the user

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void makeIcons();

    QButtonGroup* m_buttons; // by place in the table
};

} // namespace ui

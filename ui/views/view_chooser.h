// SPDX-License-Identifier: GPL-3.0-or-later
// A row of buttons with icons, one per view. Without room for all, a menu has them.
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
    explicit ViewChooser(QWidget* parent = nullptr); // of all views, with their keys; four have a button
    // Of some views, all with buttons, and without keys.
    ViewChooser(const std::vector<const View*>& offered, QWidget* parent = nullptr);

    void describe(const View& view, const QString& summary); // replaces the tooltip of its button

    void setView(const View& view); // emits no signal

  signals:
    void chosen(const ui::View& view); // by the user

  protected:
    void changeEvent(QEvent* event) override;

  private:
    ViewChooser(const std::vector<const View*>& offered, int buttonsShown, bool hasKeys, QWidget* parent);
    void makeMore();
    void makeIcons();
    void showChosen();

    std::vector<const View*> m_offered;
    int m_buttonsShown;
    QButtonGroup* m_buttons;       // indexed as the offered views
    QToolButton* m_more = nullptr; // menu of the views without a visible button; null if all have one
};

} // namespace ui

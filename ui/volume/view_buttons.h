// SPDX-License-Identifier: GPL-3.0-or-later
// Buttons that look along an axis, fit the object and reset the view.
#pragma once

#include <QWidget>

namespace ui
{

class ViewButtons : public QWidget
{
    Q_OBJECT
  public:
    explicit ViewButtons(QWidget* parent);

  signals:
    void lookWanted(int axis, bool fromOtherSide);
    void fitWanted();
    void resetWanted();
};

} // namespace ui

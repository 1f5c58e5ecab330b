// SPDX-License-Identifier: GPL-3.0-or-later
// The values under the pointer, over a corner of the images.
#pragma once

#include <QLabel>

namespace ui
{

// Lies over its parent, between `top` pixels below its upper edge and `bottom` pixels above its lower edge, in the left
// corner that is farther from the pointer; nothing else moves. Hidden while the text is empty.
class PointerLabel : public QLabel
{
    Q_OBJECT
  public:
    PointerLabel(QWidget* parent, int top, int bottom);

    void showValues(const QString& text); // parts joined by " · ": each gets a line

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    int m_top, m_bottom;
};

} // namespace ui

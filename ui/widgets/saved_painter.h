// SPDX-License-Identifier: GPL-3.0-or-later
// A scope guard that restores the state of a painter at the end of a block, however the block is left.
#pragma once

#include <QPainter>

namespace ui
{

class SavedPainter
{
  public:
    explicit SavedPainter(QPainter& painter) : m_painter(painter) { m_painter.save(); }
    ~SavedPainter() { m_painter.restore(); }
    Q_DISABLE_COPY_MOVE(SavedPainter)

  private:
    QPainter& m_painter;
};

} // namespace ui

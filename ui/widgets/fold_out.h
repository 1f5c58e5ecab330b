// SPDX-License-Identifier: GPL-3.0-or-later
// A heading that folds out what stands below it.
#pragma once

#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace ui
{

class FoldOut : public QWidget
{
  public:
    // name: the heading's, for tests; what it holds is folded away at first.
    FoldOut(const char* name, const QString& tooltip, QWidget* parent = nullptr);

    QVBoxLayout* body() const { return m_body; } // without margins
    void setTitle(const QString& title);
    void unfold(bool unfolded = true); // all of it comes into view, where there is room

  private:
    void comeIntoView();

    QToolButton* m_heading;
    QWidget* m_contents;
    QVBoxLayout* m_body;
};

} // namespace ui

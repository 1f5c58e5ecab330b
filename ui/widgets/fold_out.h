// SPDX-License-Identifier: GPL-3.0-or-later
// A section that is shown or hidden by its heading.
#pragma once

#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace ui
{

class FoldOut : public QWidget
{
  public:
    // name: of the heading, for tests. The section is folded at first.
    FoldOut(const char* name, const QString& tooltip, QWidget* parent = nullptr);

    QVBoxLayout* body() const { return m_body; } // without margins
    void setTitle(const QString& title);
    void unfold(bool unfolded = true); // also scrolls the section into view, as far as there is room

  private:
    void comeIntoView();

    QToolButton* m_heading;
    QWidget* m_contents;
    QVBoxLayout* m_body;
};

} // namespace ui

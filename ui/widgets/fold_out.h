// SPDX-License-Identifier: GPL-3.0-or-later
// A section that is shown or hidden by its heading.
#pragma once

#include <QWidget>

class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace ui
{

class FoldOut : public QWidget
{
    Q_OBJECT
  public:
    // name: of the heading, for tests. The section is folded at first.
    FoldOut(const char* name, const QString& tooltip, QWidget* parent = nullptr);

    QVBoxLayout* body() const { return m_body; } // without margins
    void setTitle(const QString& title);
    void unfold(bool unfolded = true); // also scrolls a visible section into view, as far as there is room
    bool isUnfolded() const;
    QString name() const;
    QSize minimumSizeHint() const override; // as wide as when unfolded, so that nothing widens

  private:
    void showContents(bool unfolded);
    void unfoldInPlace(bool unfolded); // by the user: the heading stays under the pointer, unless too little shows
    QScrollArea* area() const;         // that the section lies in; may be null
    void comeIntoView();

    QToolButton* m_heading;
    QWidget* m_contents;
    QVBoxLayout* m_body;
};

} // namespace ui

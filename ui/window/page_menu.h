// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of a click with the right button on a page under the images: copies and saves its plot or its values. It
// also disables the entry of the main menu that saves the plot while the page on top never has one.
#pragma once

#include "ui/saving/export.h"

#include <QMenu>

namespace ui
{

class NumberTabs;

class PageMenu : public QMenu
{
    Q_OBJECT
  public:
    PageMenu(NumberTabs& pages, QAction* savePlot, QWidget* parent); // savePlot: in the main menu

  signals:
    void saveRequested(ui::Save what);

  private:
    void offerPlot();
    void showFor(const QPoint& globalPosition);
    void copyPlot() const;
    void copyValues() const;

    NumberTabs& m_pages;
    QAction* m_savePlot; // in the main menu
    QAction *m_copyPlot, *m_save, *m_copyValues;
};

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The tools that draw lines and areas on the images, as a button with a menu.
#pragma once

#include "ui/image/shapes.h"

#include <QKeySequence>
#include <QToolButton>

#include <span>

class QAction;

namespace ui
{

struct ToolRow {
    Tool tool;
    const char* id;
    const char* label;
    const char* summary;
    Qt::Key key;        // shortcut with Shift
    const char* sketch; // an SVG path of the icon
    bool draws = true;  // draws a line or an area
    bool isArea = true; // draws an area for the figures

    QString text() const;
    QString description() const;
    QKeySequence keys() const { return QKeySequence(Qt::SHIFT | key); }
};

std::span<const ToolRow> tools(); // the one table of tools; the menus loop over it

class ToolChooser : public QToolButton
{
    Q_OBJECT
  public:
    explicit ToolChooser(QWidget* parent = nullptr);
    void setTool(ui::Tool tool); // emits no signal
    void setLocal();             // offers only what draws, without the keys, which belong to the page Slice

  signals:
    void chosen(ui::Tool tool); // none: the chosen tool was pressed again

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void makeIcons();

    std::vector<QAction*> m_actions; // one per tool
    Tool m_tool = Tool::none;
};

} // namespace ui

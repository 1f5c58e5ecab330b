// SPDX-License-Identifier: GPL-3.0-or-later
// The tools that draw lines and areas on the images, as a row of buttons.
#pragma once

#include "ui/image/shapes.h"

#include <QKeySequence>
#include <QWidget>

#include <span>

class QToolButton;

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

std::span<const ToolRow> tools(); // the one table of tools; buttons and menu loop over it

class ToolChooser : public QWidget
{
    Q_OBJECT
  public:
    explicit ToolChooser(QWidget* parent = nullptr);
    void setTool(ui::Tool tool); // emits no signal

  signals:
    void chosen(ui::Tool tool); // none: the chosen tool was pressed again

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void makeIcons();

    std::vector<QToolButton*> m_buttons;
};

} // namespace ui

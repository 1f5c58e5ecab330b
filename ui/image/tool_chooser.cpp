// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/tool_chooser.h"

#include "ui/widgets/sketch_icon.h"

#include <QCoreApplication>
#include <QEvent>
#include <QMenu>

namespace ui
{

std::span<const ToolRow> tools()
{
    static constexpr ToolRow rows[] = {
        {Tool::line, "line", QT_TRANSLATE_NOOP("ui::Tool", "Line"),
         QT_TRANSLATE_NOOP("ui::Tool", "a profile along a line"), Qt::Key_L, "M3 13 L17 3", true, false},
        {Tool::ring, "ring", QT_TRANSLATE_NOOP("ui::Tool", "Ring profile"),
         QT_TRANSLATE_NOOP("ui::Tool", "a profile around a ring"), Qt::Key_O, "M10 2 a6 6 0 1 0 0.01 0 M10 7.4 v1.2",
         true, false},
        {Tool::rectangle, "rectangle", QT_TRANSLATE_NOOP("ui::Tool", "Rectangle"),
         QT_TRANSLATE_NOOP("ui::Tool", "a rectangular region for the statistics"), Qt::Key_R,
         "M3 3 h4 M9 3 h4 M15 3 h2 v2 M17 7 v3 M17 12 v1 h-3 M12 13 h-4 M6 13 h-3 v-2 M3 9 v-3"},
        {Tool::ellipse, "ellipse", QT_TRANSLATE_NOOP("ui::Tool", "Ellipse"),
         QT_TRANSLATE_NOOP("ui::Tool", "an elliptical region for the statistics"), Qt::Key_E,
         "M2 8 a8 5.5 0 0 1 4 -4.7 M8 2.6 a8 5.5 0 0 1 5 0.2 M15 3.7 a8 5.5 0 0 1 3 4.3 M17.4 10 a8 5.5 0 0 1 -4 3 "
         "M11 13.5 a8 5.5 0 0 1 -5 -0.6 M4.4 12 a8 5.5 0 0 1 -2 -2.4"},
        {Tool::circle, "circle", QT_TRANSLATE_NOOP("ui::Tool", "Circle"),
         QT_TRANSLATE_NOOP("ui::Tool", "a circular region for the statistics"), Qt::Key_C,
         "M4 8 a6 6 0 0 1 2.2 -4.6 M8.2 2.3 a6 6 0 0 1 4.2 0.2 M14.2 3.7 a6 6 0 0 1 1.8 4.3 M15.6 10.2 a6 6 0 0 1 "
         "-2.4 2.9 M11.2 13.9 a6 6 0 0 1 -4 -0.6 M5.4 11.8 a6 6 0 0 1 -1.2 -2.2"},
        {Tool::polygon, "polygon", QT_TRANSLATE_NOOP("ui::Tool", "Polygon"),
         QT_TRANSLATE_NOOP("ui::Tool", "a polygonal region for the statistics"), Qt::Key_P,
         "M3 11 L8 3 L13 6 L17 4 L15 13 Z"},
        {Tool::axis, "axis", QT_TRANSLATE_NOOP("ui::Tool", "Rotation axis"),
         QT_TRANSLATE_NOOP("ui::Tool", "Drag sideways to move the rotation axis"), Qt::Key_A,
         "M10 1 v3 M10 6 v9 M13 10.6 a6 2.6 0 1 0 -6 0 M4.6 11.8 L7.4 10.7 L5.4 8.6", false, false}};
    return rows;
}

QString ToolRow::text() const
{
    return QCoreApplication::translate("ui::Tool", label);
}

QString ToolRow::description() const
{
    return QCoreApplication::translate("ui::Tool", summary);
}

ToolChooser::ToolChooser(QWidget* parent) : QToolButton(parent)
{
    setObjectName(QStringLiteral("toolChooser"));
    setText(tr("Draw"));
    setAccessibleName(tr("What the mouse draws on the images"));
    setToolTip(tr("Draw a line for the profile, or an area for the figures"));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setIconSize(sketchSize);
    setAutoRaise(true);
    setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(this);
    for (const ToolRow& each : tools()) {
        const QString keys = each.keys().toString(QKeySequence::NativeText);
        QAction* action = m_actions.emplace_back(menu->addAction(QStringLiteral("%1\t%2").arg(each.text(), keys)));
        action->setCheckable(true);
        action->setToolTip(each.draws ? tr("Draw %1").arg(each.description()) : each.description());
        connect(action, &QAction::triggered, this,
                [this, &each](bool down) { emit chosen(down ? each.tool : Tool::none); });
    }
    menu->setToolTipsVisible(true);
    setMenu(menu);
    makeIcons();
}

void ToolChooser::setTool(Tool tool)
{
    m_tool = tool;
    for (std::size_t k = 0; k < m_actions.size(); ++k)
        m_actions[k]->setChecked(tools()[k].tool == tool);
    makeIcons();
}

void ToolChooser::setLocal()
{
    for (std::size_t k = 0; k < m_actions.size(); ++k) {
        m_actions[k]->setText(tools()[k].text());
        m_actions[k]->setVisible(tools()[k].draws);
    }
}

// The button shows the chosen tool, or the first one.
void ToolChooser::makeIcons()
{
    setIcon(sketchIcon(tools().front().sketch, palette()));
    for (std::size_t k = 0; k < m_actions.size(); ++k) {
        const QIcon icon = sketchIcon(tools()[k].sketch, palette());
        m_actions[k]->setIcon(icon);
        if (tools()[k].tool == m_tool)
            setIcon(icon);
    }
    setDown(m_tool != Tool::none);
}

void ToolChooser::changeEvent(QEvent* event)
{
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        makeIcons();
}

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/tool_chooser.h"

#include "ui/widgets/sketch_icon.h"

#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>

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

ToolChooser::ToolChooser(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("toolChooser"));
    setAccessibleName(tr("What the mouse draws on the images"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 10, 2);
    row->setSpacing(0);
    constexpr int narrower = 4; // pixels less than a tool button's own width, as there are many buttons
    for (const ToolRow& each : tools()) {
        auto* button = new QToolButton;
        button->setObjectName(QStringLiteral("draw_") + QLatin1String(each.id));
        button->setIconSize(sketchSize);
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFixedWidth(button->sizeHint().width() - narrower);
        const QString does = each.draws ? tr("Draw %1").arg(each.description()) : each.description();
        button->setToolTip(tr("%1 (%2)").arg(does, each.keys().toString(QKeySequence::NativeText)));
        button->setAccessibleName(does);
        connect(button, &QToolButton::clicked, this,
                [this, &each](bool down) { emit chosen(down ? each.tool : Tool::none); });
        m_buttons.push_back(button);
        row->addWidget(button);
    }
    makeIcons();
}

void ToolChooser::setTool(Tool tool)
{
    for (std::size_t k = 0; k < m_buttons.size(); ++k)
        m_buttons[k]->setChecked(tools()[k].tool == tool);
}

void ToolChooser::makeIcons()
{
    for (std::size_t k = 0; k < m_buttons.size(); ++k)
        m_buttons[k]->setIcon(sketchIcon(tools()[k].sketch, palette()));
}

void ToolChooser::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        makeIcons();
}

} // namespace ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Which page of the manual explains a control.
#pragma once

#include <QString>
#include <QTabBar>
#include <QTabWidget>
#include <QVariant>
#include <QWidget>

namespace ui
{

constexpr const char* manualPageProperty = "manualPage";

// page: "rings.md"; for the widget and all in it, unless they have a page of their own.
inline void setManualPage(QWidget* widget, const QString& page)
{
    widget->setProperty(manualPageProperty, page);
}

// Returns the page for a control, or that of the window for null and for controls without one. A bar of tabs has the
// page of its current tab.
inline QString manualPageOf(const QWidget* control)
{
    if (const auto* tabs = control ? qobject_cast<QTabWidget*>(control->parentWidget()) : nullptr;
        tabs && control == tabs->tabBar())
        control = tabs->currentWidget();
    for (; control; control = control->parentWidget())
        if (const QString page = control->property(manualPageProperty).toString(); !page.isEmpty())
            return page;
    return QStringLiteral("window.md");
}

} // namespace ui

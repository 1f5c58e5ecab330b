// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers for dialogs: widgets with names for tests and screen readers, and fields in a row.
#pragma once

#include <QHBoxLayout>
#include <QWidget>

namespace ui
{

template <typename Widget>
Widget* called(Widget* widget, const char* name, const QString& accessible)
{
    widget->setObjectName(QLatin1String(name));
    widget->setAccessibleName(accessible);
    return widget;
}

inline QHBoxLayout* dialogRow(QWidget* row)
{
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    return layout;
}

} // namespace ui

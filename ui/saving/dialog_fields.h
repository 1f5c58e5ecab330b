// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of a dialog: named for tests and screen readers, beside each other in a row.
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
